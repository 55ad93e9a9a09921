"""Every rule holds for the messages of the official packages, whose schemas say less than ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import descriptor_pb2, message_factory

from support.foreign import Wrapper
from support.official import PACKAGES, official, official_class
from support.rule_examples import EXAMPLES
from toolwire import gemini, v1, violations

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from support.rule_examples import Example

F = descriptor_pb2.FieldDescriptorProto
SHOWN = [
    example
    for example in EXAMPLES
    # What nests deeper than 100 levels cannot be read by any class.
    if example.bad.DESCRIPTOR.file.package in PACKAGES and example.rule != "message.depth"
]


def with_news(file: descriptor_pb2.FileDescriptorProto) -> None:
    """A newer schema, with one more field in a schema and one more kind of tool."""
    for kind in file.message_type:
        if kind.name in ("Schema", "Tool"):
            kind.field.add(
                name="telescope", number=1990, type=F.TYPE_STRING, label=F.LABEL_OPTIONAL
            )


@pytest.mark.parametrize("example", SHOWN, ids=lambda each: each.rule)
def test_each_rule_says_the_same(example: Example) -> None:
    for message in (example.bad, example.good):
        theirs = official(message)
        assert violations(theirs, older=True) == violations(message, older=True)
        assert violations(Wrapper(theirs), older=True) == violations(message, older=True)


def test_what_only_our_schema_says_is_said_of_an_empty_request() -> None:
    found = {each.path: each.rule for each in violations(official(v1.GenerateContentRequest()))}
    assert found == {"model": "field.required", "contents": "field.required"}


def test_a_field_of_a_newer_package_takes_away_only_what_our_schema_says() -> None:
    newer: Any = official_class(v1.Schema, with_news)
    wrong = newer(type_="ARRAY", telescope="x")
    assert [(each.path, each.rule) for each in violations(wrong)] == [("items", "schema.items")]
    around = newer(type_="OBJECT", properties={"a": wrong, "b": {"type_": "ARRAY"}})
    paths = ['properties["a"].items', 'properties["b"].items']
    assert [each.path for each in violations(around)] == paths
    assert violations(newer(type_="STRING", format_="enum")) == violations(
        v1.Schema(type="STRING", format="enum")
    )


def test_a_newer_kind_of_tool_is_one() -> None:
    newer: Any = official_class(v1.Tool, with_news)
    assert violations(newer(telescope="x", google_search={})) == []


def test_what_is_too_deep_is_told() -> None:
    theirs = official_class(gemini.Schema)()
    inner: Any = theirs
    for _ in range(120):
        inner.type_ = gemini.Type.ARRAY
        inner = inner.items
    inner.type_ = gemini.Type.STRING
    assert [each.rule for each in violations(theirs)] == ["message.depth"]


def test_they_count_inside_a_message_of_a_users_own() -> None:
    theirs: type[Message] = official_class(v1.Tool)
    file = descriptor_pb2.FileDescriptorProto(name="job.proto", package="acme", syntax="proto3")
    file.dependency.append(theirs.DESCRIPTOR.file.name)
    job = file.message_type.add(name="Job")
    job.field.add(
        name="tool",
        number=1,
        type=F.TYPE_MESSAGE,
        label=F.LABEL_OPTIONAL,
        type_name=f".{theirs.DESCRIPTOR.full_name}",
    )
    pool: Any = theirs.DESCRIPTOR.file.pool
    pool.Add(file)
    cls: Any = message_factory.GetMessageClass(pool.FindMessageTypeByName("acme.Job"))
    schema: dict[str, Any] = {"type_": "OBJECT", "properties": {"a": {"type_": "ARRAY"}}}
    own = cls(tool={"function_declarations": [{"parameters": schema}]})
    function = "tool.functionDeclarations[0]"
    assert [(each.path, each.rule) for each in violations(own)] == [
        (f"{function}.name", "field.required"),
        (f'{function}.parameters.properties["a"].items', "schema.items"),
    ]
