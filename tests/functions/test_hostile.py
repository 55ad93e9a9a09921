"""Whose code raises where it should not: our error with the place, and no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from toolwire import DeclarationError, DescriptorError, JsonError, functions, v1

Json = Any


class Represented:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Attributes:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("no attribute")


class Equal:
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")


class Entries(Mapping[str, Any]):
    def __getitem__(self, name: str) -> Any:
        raise RuntimeError("no entry")

    def __iter__(self) -> Any:
        raise RuntimeError("no names")

    def __len__(self) -> int:
        return 1


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class Iterated:
    def __iter__(self) -> Any:
        raise Silent


class Tool:
    @property
    def inputSchema(self) -> Json:  # noqa: N802 - as MCP has it
        raise RuntimeError("no schema")


HOSTILE = [Represented, Attributes, Equal, Entries, Iterated, Tool]


def annotated(annotation: Any) -> Any:
    def take(x: Any) -> None: ...

    take.__annotations__ = {"x": annotation}
    return take


def of(schema: Any) -> Json:
    return {"type": "object", "properties": {"a": schema}}


ASKS: dict[str, tuple[Callable[[Any], object], str]] = {
    "declare": (functions.declare, ""),
    "response": (functions.response_schema, ""),
    "back": (functions.to_json_schema, ""),
    "tool": (functions.tool, ""),
    "in a tool": (lambda value: functions.tool([value]), "functionDeclarations[0]"),
    "annotation": (lambda value: functions.declare(annotated(value)), 'properties["x"]'),
    "inside": (lambda value: functions.declare(of(value), name="f"), 'properties["a"]'),
    "text": (lambda value: functions.declare({}, name="f", description=value), "description"),
}


@pytest.mark.parametrize("cls", HOSTILE)
@pytest.mark.parametrize("name", ASKS)
def test_objects_whose_own_code_raises(cls: Any, name: str) -> None:
    ask, path = ASKS[name]
    with pytest.raises(DeclarationError) as caught:
        ask(cls())
    assert caught.value.path == path


@pytest.mark.parametrize("cls", [each for each in HOSTILE if each is not Entries])
def test_models_whose_own_code_raises(cls: Any) -> None:
    with pytest.raises(DeclarationError):
        functions.parse("{}", cls())


@pytest.mark.parametrize("cls", HOSTILE)
def test_defaults_whose_own_code_raises(cls: Any) -> None:
    default = cls()

    def take(x: int = default) -> None: ...

    made, changes = functions.declare(take, report=True)
    assert [change.path for change in changes] == ['properties["x"].default']
    assert not made.parameters.properties["x"].HasField("default")


@pytest.mark.parametrize("value", [3, None, len, {}, "text", b"bytes", v1.Tool()])
def test_a_tool_takes_a_list(value: Any) -> None:
    with pytest.raises(DeclarationError, match="expected a list of functions, found a"):
        functions.tool(value)


def test_a_tool_has_functions() -> None:
    with pytest.raises(DeclarationError, match="at least one function") as caught:
        functions.tool([])
    assert caught.value.path == "functionDeclarations"


@pytest.mark.parametrize(
    ("text", "model", "reason"),
    [
        ("NaN", float, "NaN is no number there"),
        ("[-Infinity]", {"type": "array"}, "-Infinity is no number there"),
        ("1e999", float, "number beyond a double"),
        ("9" * 5000, int, "number of 5000 digits"),
        ('"NaN"', float, "should be a finite number"),
        ('["-inf"]', list[float], "should be a finite number"),
    ],
)
def test_answers_that_are_no_numbers(text: str, model: Any, reason: str) -> None:
    with pytest.raises(JsonError, match=reason):
        functions.parse(text, model)


def test_a_model_that_is_none() -> None:
    with pytest.raises(DeclarationError, match='expected a type, found the text "City"'):
        functions.parse("{}", "City")
    with pytest.raises(DeclarationError):
        functions.parse("[]", list["City"])  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        (of({"type": "integer", "default": 2**53 + 1}), 'properties["a"].default'),
        (of({"anyOf": [{"type": "integer", "example": 10**400}, {"type": "string"}]}),
         'properties["a"].anyOf[0].example'),
    ],
)  # fmt: skip
def test_what_only_the_message_refuses_has_the_path_of_the_source(schema: Json, path: str) -> None:
    tool = {"name": "f", "inputSchema": schema}
    for source, outer in ((schema, ""), (tool, "inputSchema.")):
        with pytest.raises(DeclarationError, match="a double holds exactly") as caught:
            functions.declare(source, name="f")
        assert caught.value.path == outer + path


def nested() -> list[Any]:
    found: list[Any] = []
    for _ in range(100_000):
        found = [found]
    return found


@pytest.mark.parametrize("api", [[], {}, 3, None, Represented(), nested(), 10**5000], ids=type)
def test_an_api_is_a_name(api: Any) -> None:
    with pytest.raises(DescriptorError, match="unknown api"):
        functions.declare({}, name="f", api=api)


@pytest.mark.parametrize("untyped", [3, [], b"STRING", Represented(), nested()], ids=type)
def test_untyped_is_the_name_of_a_type(untyped: Any) -> None:
    with pytest.raises(DeclarationError, match="untyped= takes one of"):
        functions.declare(of({}), name="f", untyped=untyped)
