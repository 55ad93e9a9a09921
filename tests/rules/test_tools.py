"""Rules of tools and functions."""

from __future__ import annotations

import pytest

from toolwire import v1
from toolwire._rules import violations
from toolwire._rules._tools import kinds, kinds_set


def told(message: object) -> list[tuple[str, str, str]]:
    return [(found.path, found.rule, found.message) for found in violations(message)]


def test_kinds_are_the_message_fields() -> None:
    assert [field.name for field in kinds(v1.Tool.DESCRIPTOR)] == [
        field.name for field in v1.Tool.DESCRIPTOR.fields
    ]


@pytest.mark.parametrize("kind", [field.name for field in v1.Tool.DESCRIPTOR.fields])
def test_an_empty_kind_is_a_kind(kind: str) -> None:
    value: object = [{"name": "f"}] if kind == "function_declarations" else {}
    tool = v1.Tool(**{kind: value})  # type: ignore[arg-type]  # any field
    assert [field.name for field in kinds_set(tool)] == [kind]
    assert not [rule for _, rule, _ in told(tool) if rule.startswith("tool.")]


def test_no_kind() -> None:
    ((path, rule, message),) = told(v1.Tool())
    assert (path, rule) == ("", "tool.no-kind")
    names = ", ".join(field.json_name for field in v1.Tool.DESCRIPTOR.fields)
    assert message == f"has no kind of tool: set one of {names}"


def test_an_unknown_kind_is_named_by_its_number() -> None:
    tool = v1.Tool.FromString(b"\xfa\x3e\x00")
    ((_, rule, message),) = told(tool)
    assert rule == "tool.no-kind"
    assert message == "has no kind of tool that the schema knows, only unknown field 1007"


def test_two_kinds() -> None:
    ((path, rule, message),) = told(v1.Tool(google_search={}, retrieval={"vertex_rag_store": {}}))
    assert (path, rule) == ("", "tool.one-kind")
    assert message == (
        "has 2 kinds of tool, retrieval and googleSearch: put each in a Tool of its own"
    )


@pytest.mark.parametrize(
    "name", ["f", "_", "A9", "a.b-c_d:e", "get_weather", "x" * 128, "_1", "class"]
)
def test_good_names(name: str) -> None:
    assert told(v1.FunctionDeclaration(name=name)) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("1a", 'starts with "1"'),
        ("-a", 'starts with "-"'),
        (":a", 'starts with ":"'),
        (" a", 'starts with " "'),
        ("a b", 'contains " "'),
        ("a/b", 'contains "/"'),
        ("a\n", 'contains "\\n"'),
        ("naïve", 'contains "ï"'),
        ("日本", 'starts with "日"'),
        ("a" * 129, "has 129 characters: at most 128"),
    ],
)
def test_bad_names(name: str, fault: str) -> None:
    ((path, rule, message),) = told(v1.FunctionDeclaration(name=name))
    assert (path, rule) == ("name", "function.name")
    assert fault in message
    assert len(message) < 300


def test_a_bad_name_is_told_with_its_position() -> None:
    tool = v1.Tool(function_declarations=[{"name": "ok"}, {"name": "not ok"}])
    ((path, _, message),) = told(tool)
    assert path == "functionDeclarations[1].name"
    assert message.startswith('"not ok", function 2 of the list, contains " ": allowed are ')
