"""The class that is given is the type that comes back, for type checkers too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire import v1
from toolwire._json import from_binary, from_dict, from_json, to_dict, to_json, to_json_bytes

if TYPE_CHECKING:
    from typing_extensions import assert_type


def test_the_class_gives_the_type() -> None:
    tool = from_json(v1.Tool, "{}")
    schema = from_dict(v1.Schema, {})
    content = from_binary(v1.Content, b"")
    if TYPE_CHECKING:
        assert_type(tool, v1.Tool)
        assert_type(schema, v1.Schema)
        assert_type(content, v1.Content)
        assert_type(to_json(tool), str)
        assert_type(to_json_bytes(tool), bytes)
        assert_type(to_dict(tool), dict[str, object])
    assert [type(tool), type(schema), type(content)] == [v1.Tool, v1.Schema, v1.Content]
