"""How the rules are run: on any message, of any pool, at any depth."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from support.apis import foreign, of_every_api, renamed
from toolwire import firebase, gemini, v1, v1beta1
from toolwire._apis import APIS, Api
from toolwire._errors import DescriptorError, UsageError, ValidationError
from toolwire._rules import find, validate, violations
from toolwire._rules._profile import PROFILES
from toolwire._rules._table import RULES

DEEPEST = 100


def rules(message: object, api: str | None = None) -> list[str]:
    return [found.rule for found in violations(message, api)]


def nested(levels: int) -> v1.Schema:
    schema = inner = v1.Schema(type=v1.Type.ARRAY)
    for _ in range(levels):
        inner = inner.items
        inner.type = v1.Type.ARRAY
    inner.type = v1.Type.STRING
    return schema


def test_a_good_message_has_no_violations() -> None:
    tool = v1.Tool(function_declarations=[{"name": "f"}])
    assert violations(tool) == []
    validate(tool)


def test_violations_come_from_the_outside_in() -> None:
    request = v1.GenerateContentRequest(
        contents=[{}], tools=[{}, {"function_declarations": [{"name": "1"}, {}]}]
    )
    assert [(found.path, found.rule) for found in violations(request)] == [
        ("model", "field.required"),
        ("contents[0].parts", "field.required"),
        ("tools[0]", "tool.no-kind"),
        ("tools[1].functionDeclarations[0].name", "function.name"),
        ("tools[1].functionDeclarations[1].name", "field.required"),
    ]


def test_check_raises_all_errors_and_no_warnings() -> None:
    validate(v1.Tool(retrieval={}))
    tool = v1.Tool(retrieval={"vertex_ai_search": {"max_results": 11}}, google_search={})
    with pytest.raises(ValidationError) as caught:
        validate(tool)
    assert [found.rule for found in caught.value.violations] == [
        "tool.one-kind",
        "retrieval.max-results",
    ]
    assert {found.severity for found in violations(tool)} == {"error", "warning"}


def test_the_error_names_the_first_few_and_how_many_there_are() -> None:
    with pytest.raises(ValidationError) as caught:
        validate(v1.Tool(function_declarations=[{"name": f"a {each}"} for each in range(8)]))
    assert str(caught.value).startswith(
        '8 violations: functionDeclarations[0].name: "a 0" contains '
    )
    assert str(caught.value).endswith("; and 3 more")
    assert len(caught.value.violations) == 8
    with pytest.raises(ValidationError, match=r"^has no kind of tool"):
        validate(v1.Tool())


def test_find_is_lazy() -> None:
    tools: list[v1.Tool] = [v1.Tool()] * 10_000
    found = find(v1.GenerateContentRequest(tools=tools))
    assert next(found).path == "model"


def test_map_keys_stand_in_brackets() -> None:
    properties: dict[str, Any] = {'a "b"': {"type": "OBJECT", "properties": {"c": {}}}}
    schema = gemini.Schema(type="OBJECT", properties=properties)
    (found,) = violations(schema)
    assert found.path == 'properties["a \\"b\\""].properties["c"].type'
    request = v1.GenerateContentRequest
    assert rules(request(model="m", contents=[{"parts": [{"text": "x"}]}])) == [
        "resource.short-name"
    ]


def test_keys_in_paths() -> None:
    nested_ = v1.FunctionDeclaration(
        name="f", parameters={"type": "OBJECT", "properties": {"order_id": nested(DEEPEST)}}
    )
    found = violations(nested_)
    assert [entry.rule for entry in found] == ["message.depth"]
    assert found[0].path.startswith('parameters.properties["order_id"].items.items')


@pytest.mark.parametrize("levels", [DEEPEST - 1, DEEPEST])
def test_what_protobuf_reads_is_not_too_deep(levels: int) -> None:
    schema = nested(levels)
    assert violations(v1.Schema.FromString(schema.SerializeToString())) == []


@pytest.mark.parametrize("levels", [DEEPEST + 1, 50_000])
def test_a_deep_message_is_a_violation_and_no_crash(levels: int) -> None:
    found = violations(nested(levels))
    assert [entry.rule for entry in found] == ["message.depth"]
    assert found[0].path == ".".join(["items"] * (DEEPEST + 1))


def test_messages_of_another_pool() -> None:
    class_ = foreign(v1.GenerateContentRequest)
    assert class_ is not v1.GenerateContentRequest
    given: dict[str, Any] = {"model": "x", "tools": [{"function_declarations": [{"name": "a b"}]}]}
    ours = violations(v1.GenerateContentRequest(**given))
    assert len(ours) == 3
    theirs = violations(class_(**given))
    # The pool has not got every service, but those in the files of the message.
    assert theirs == ours


def test_proto_plus_wrappers() -> None:
    wrapper = SimpleNamespace(_pb=v1.Tool())
    assert rules(wrapper) == ["tool.no-kind"]


def test_another_api_has_other_rules() -> None:
    two = violations(gemini.Tool(google_search={}, code_execution={}))[0]
    assert (two.rule, two.severity) == ("tool.one-kind", "warning")
    none = violations(gemini.Tool())[0]
    assert (none.rule, none.severity) == ("tool.no-kind", "error")
    function = gemini.FunctionDeclaration(name="1:a", description="d")
    assert violations(function) == []
    assert rules(gemini.FunctionDeclaration(name="f")) == ["field.required"]
    assert violations(v1.FunctionDeclaration(name="1:a"), "gemini") == []
    assert rules(function, "v1") == ["function.name"]


@pytest.mark.parametrize(
    "message",
    [
        v1.Tool(google_search={}, code_execution={}),
        v1beta1.Tool(google_search={}, code_execution={}),
        firebase.Tool(google_maps={}, template_functions=[{"name": "f"}]),
    ],
)
def test_two_kinds_are_an_error_outside_of_gemini(message: object) -> None:
    (found,) = violations(message)
    assert (found.rule, found.severity) == ("tool.one-kind", "error")


@of_every_api
def test_every_api_has_a_profile_that_agrees_with_its_schema(api: Api) -> None:
    assert list(PROFILES) == [each.package for each in APIS.values()]
    profile = PROFILES[api.package]
    assert profile.api == api.name
    assert set(profile.services) == {service.name for service in api.services()}


def test_an_unknown_package_keeps_the_rules_of_the_schema() -> None:
    function = renamed(v1.FunctionDeclaration, "com.example")
    assert rules(function(name="a b")) == []
    assert rules(function()) == ["field.required"]


def test_bad_arguments() -> None:
    with pytest.raises(UsageError, match=r"found dict; toolwire\.from_dict makes one of it$"):
        violations({"googleSearch": {}})
    with pytest.raises(UsageError, match=r"expected a protobuf message, found str$"):
        violations("tool")
    with pytest.raises(UsageError, match=r"expected a protobuf message, found the class Tool$"):
        validate(v1.Tool)
    with pytest.raises(DescriptorError, match="no API is named 'v7'"):
        violations(v1.Tool(), "v7")
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(DescriptorError, match="no API is named a list"):
        violations(v1.Tool(), deep)


def test_the_table_is_in_order() -> None:
    identifiers = [rule.id for rule in RULES]
    assert len(set(identifiers)) == len(identifiers)
    for rule in RULES:
        assert rule.source
        assert rule.check.__doc__, rule.id


def test_messages_are_lower_case_and_without_secrets() -> None:
    worst = v1.GenerateContentRequest(
        model="m",
        contents=[{}],
        tools=[{}, {"function_declarations": [{"name": "a b"}], "google_search": {}}],
        tool_config={"function_calling_config": {"allowed_function_names": ["x"]}},
    )
    for found in violations(worst):
        letters = [char for char in found.message if char.isalpha()]
        assert letters[0].islower(), found.message
