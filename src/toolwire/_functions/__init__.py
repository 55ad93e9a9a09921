"""Declarations out of Python, pydantic, JSON Schema and MCP tools, and back to JSON Schema.

Whatever the source, it is first read as a JSON Schema (``_read_source``; functions and classes in
the room ``python``). One walk, in the room ``schema``, then maps that to the ``Schema`` of an API,
by the table of keywords (``_keywords``), the table of APIs (``_rules._profile``) and what the API's
own descriptors say that its ``Schema`` can hold.
"""
