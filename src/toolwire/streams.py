"""Streams of messages: JSON Lines, JSON arrays and length-delimited binary, of any size.

from toolwire import streams, v1

for tool in streams.read_json_lines(v1.Tool, "tools.jsonl"):
    print(tool.function_declarations[0].name)
streams.write_delimited(streams.read_json_lines(v1.Tool, "tools.jsonl"), "tools.delim")

The reading functions are iterators that hold one message at a time; the writing ones take
messages one by one.
"""

from __future__ import annotations

from toolwire._streams._read import read_delimited, read_json_array, read_json_lines
from toolwire._streams._write import write_delimited, write_json_array, write_json_lines

__all__ = [
    "read_delimited",
    "read_json_array",
    "read_json_lines",
    "write_delimited",
    "write_json_array",
    "write_json_lines",
]
