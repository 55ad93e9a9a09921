"""Rules of tools and functions."""

from __future__ import annotations

from typing import Any

import pytest

import toolwire
from support.apis import SERVED, module, of_every_api
from toolwire import v1
from toolwire._apis import APIS, Api
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


def test_what_older_pages_refuse_is_a_sentence() -> None:
    found = violations(v1.FunctionDeclaration(name="a:b"), older=True)
    what = '"a:b" is refused by older pages: it contains ":": allowed are'
    assert [each.message for each in found] == [
        f"{what} a letter or underscore first, then letters, digits, or any of _ . -",
        f"{what} letters, digits, _ and -",
    ]


def test_a_name_that_is_taken_says_by_which() -> None:
    twice = v1.Tool(function_declarations=[{"name": "x"}, {"name": "f"}, {"name": "f"}])
    ((path, _, message),) = told(twice)
    assert path == "functionDeclarations[2].name"
    assert message == '"f" is declared already, by functionDeclarations[1]'


def test_a_bad_name_is_told_with_its_position() -> None:
    tool = v1.Tool(function_declarations=[{"name": "ok"}, {"name": "not ok"}])
    ((path, _, message),) = told(tool)
    assert path == "functionDeclarations[1].name"
    assert message.startswith('"not ok" contains " ": allowed are ')


def in_each(api: Api) -> list[dict[str, Any]]:
    """The fields of a Tool for each kind that an API has, by their numbers."""
    found: list[dict[str, Any]] = []
    for _, field in sorted(api.load().Tool.DESCRIPTOR.fields_by_number.items()):
        named = {"name": "f"} if api.name == "firebase" else {"name": "f", "description": "d"}
        found.append({field.name: [named] if field.is_repeated else {}})
    return found


@of_every_api
def test_a_tool_without_a_kind_is_an_error_in_every_api(api: Api) -> None:
    (found,) = violations(api.load().Tool())
    assert (found.rule, found.severity) == ("tool.no-kind", "error")


@of_every_api
def test_every_kind_is_one_though_it_is_empty(api: Api) -> None:
    for fields in in_each(api):
        found = violations(api.load().Tool(**fields))
        assert not [each for each in found if each.rule.startswith("tool.")]


@of_every_api
def test_two_kinds_are_still_read_and_split(api: Api) -> None:
    cls = api.load().Tool
    tool = cls(**in_each(api)[0], **in_each(api)[1])
    for read in (
        toolwire.from_json(cls, toolwire.to_json(tool)),
        toolwire.from_binary(cls, tool.SerializeToString()),
    ):
        assert read == tool
        assert toolwire.split_tool(read) == [cls(**fields) for fields in in_each(api)[:2]]


@pytest.mark.parametrize("api", SERVED)
def test_kinds_beside_each_other_are_at_most_a_warning(api: str) -> None:
    """Which ones go together depends on the model, which says so itself."""
    tools = in_each(APIS[api])
    request = module(api).GenerateContentRequest(tools=tools)
    found = violations(request)
    assert [each for each in found if each.path == "tools" and each.severity == "error"] == []
    request = module(api).GenerateContentRequest(
        tools=tools, generation_config={"response_mime_type": "application/json"}
    )
    (found_json,) = [each for each in violations(request) if each.rule == "tools.json-output"]
    assert found_json.severity == "warning"
