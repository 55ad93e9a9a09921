"""Functions and classes as JSON Schema: signatures, annotations, docstrings, pydantic."""
