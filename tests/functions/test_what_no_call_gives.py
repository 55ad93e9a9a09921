"""Python types of which a call can give no value, or not every one that they look to take."""

from __future__ import annotations

import dataclasses
import decimal
import enum
import functools
import math
import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, ImportString
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import core_schema

import toolwire
from toolwire import DeclarationError, functions

Json = Any


@dataclasses.dataclass
class Point:
    x: int


@dataclasses.dataclass(frozen=True)
class Fixed:
    x: int


class Model(BaseModel):
    x: int


class Tree(BaseModel):
    below: set[Tree] = set()


class Frozen(BaseModel, frozen=True):
    x: int


class Caller(BaseModel):
    call: Callable[[], int]
    inner: Caller | None = None


def taking(kind: Any, *default: object) -> Any:
    def take(x: Any) -> str:
        """Takes it."""
        return repr(x)

    take.__annotations__["x"] = kind
    take.__defaults__ = default
    return take


def declared(source: Any) -> tuple[Json, list[functions.Change]]:
    made, changes = functions.declare(source, report=True)
    return toolwire.to_dict(made.parameters), changes


@pytest.mark.parametrize(
    "kind",
    [
        set[dict[str, int]],
        set[list[int]],
        frozenset[list[int]],
        set[Point],
        frozenset[Model],
        set[tuple[list[int], int]],
        set[list[int] | Model],
        dict[tuple[int, int], str],
        dict[None, str],
        dict[Literal[1, 2], str],
    ],
    ids=str,
)
def test_what_no_call_can_give_is_refused(kind: Any) -> None:
    with pytest.raises(DeclarationError, match="no call can give") as caught:
        functions.declare(taking(kind))
    assert caught.value.path == 'properties["x"]'


def test_a_set_deep_in_a_type_that_contains_itself() -> None:
    with pytest.raises(DeclarationError, match="do not go into a set") as caught:
        functions.declare(taking(list[set[Tree]]))
    assert caught.value.path.endswith('properties["below"]')


@pytest.mark.parametrize("kind", [set[int], set[Fixed], frozenset[Frozen], set[Model | int]])
def test_sets_that_a_call_can_give(kind: Any) -> None:
    assert declared(taking(kind))[0]["properties"]["x"]["type"] == "ARRAY"


@pytest.mark.parametrize(
    ("kind", "said", "good", "bad"),
    [
        (dict[int, str], '"^-?[0-9]+$"', "-3", "three"),
        (dict[float, str], '(\\\\.[0-9]+)?$"', "1.5", "a"),
        (dict[decimal.Decimal, str], '(\\\\.[0-9]+)?$"', "1.5", "a"),
        (dict[bool, str], '"true", "false"', "true", "a"),
    ],
    ids=str,
)
def test_names_of_members_are_told(kind: Any, said: str, good: str, bad: str) -> None:
    function = taking(kind)
    node, changes = declared(function)
    assert said in node["properties"]["x"]["description"]
    assert [change.path for change in changes] == ['properties["x"].propertyNames']
    box = functions.Toolbox([function])
    for name, key in ((good, "output"), (bad, "error")):
        call = {"name": "take", "args": {"x": {name: "v"}}}
        content = toolwire.v1.Content(parts=[{"function_call": call}])
        assert key in box.run(content)[0].response


@pytest.mark.parametrize(
    ("kind", "good"),
    [(decimal.Decimal, ["1", "-1.50", "+0.5"]), (complex, ["1", "1+2j", "-0.5-1j"])],
)
def test_text_that_stands_for_a_number_has_a_pattern(kind: Any, good: list[str]) -> None:
    node = declared(taking(kind))[0]["properties"]["x"]
    (pattern,) = [each["pattern"] for each in node.get("anyOf", [node]) if "pattern" in each]
    assert all(re.search(pattern, text) and kind(text) is not None for text in good)
    assert not re.search(pattern, "hello")


IMPORTS: Any = ImportString


@pytest.mark.parametrize("kind", [IMPORTS, IMPORTS[Any], list[IMPORTS]])
def test_a_model_imports_nothing(kind: Any) -> None:
    with pytest.raises(DeclarationError, match="would import what the model names") as caught:
        functions.declare(taking(kind))
    assert caught.value.path.startswith('properties["x"]')


@pytest.mark.parametrize("kind", [Caller, Caller | int, list[Caller | int]])
@pytest.mark.parametrize("options", [{}, {"api": "gemini", "as_json_schema": True}])
def test_the_reason_is_that_of_pydantic(kind: Any, options: Any) -> None:
    with pytest.raises(DeclarationError, match="CallableSchema") as caught:
        functions.declare(taking(kind), **options)
    assert caught.value.path == 'properties["x"]'


def test_a_method_of_a_builtin_type_needs_its_object() -> None:
    with pytest.raises(DeclarationError, match="is a method without its object"):
        functions.declare(str.upper)


def test_a_default_of_dots_is_none() -> None:
    node, changes = declared(taking(int, ...))
    assert node["required"] == ["x"]
    assert changes == []


DEFAULTS = [
    (float, math.inf),
    (int, 10**30),
    (str, "\ud800"),
    (dict, {"a": math.nan}),
    (str, object()),
]


@pytest.mark.parametrize(
    ("kind", "default"), DEFAULTS, ids=["inf", "large", "text", "in", "object"]
)
def test_a_default_that_is_no_json_is_left_out(kind: Any, default: object) -> None:
    for source in (taking(kind, default), taking(kind, Field(default))):
        node, changes = declared(source)
        assert "default" not in node["properties"]["x"]
        assert "required" not in node
        assert len(changes) == 1


class Own:
    """A type that tells pydantic itself how it is read and written."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> object:
        def write(_: Own) -> str:
            return "own"

        written = core_schema.plain_serializer_function_ser_schema(write)
        return core_schema.no_info_after_validator_function(
            lambda _: cls(), core_schema.str_schema(), serialization=written
        )


class Holder(BaseModel):
    x: Own = Own()


def test_a_default_that_its_type_writes_stays() -> None:
    node, changes = declared(Holder)
    assert node["properties"]["x"] == {"type": "STRING", "default": "own"}
    assert changes == []


@dataclasses.dataclass
class Counted:
    x: int
    y: dataclasses.InitVar[int] = 1
    count: int = dataclasses.field(default=0, init=False)


@dataclasses.dataclass(slots=True)
class Slots:
    x: int


@dataclasses.dataclass
class Room:
    x: int


for kind in (Slots, Room):
    setattr(kind, "__pydantic_config__", {"extra": "allow"})  # noqa: B010 - no attribute of its own


def test_a_field_that_is_no_argument_is_no_parameter() -> None:
    made, changes = declared(Counted)
    assert (list(made["properties"]), changes) == (["x", "y"], [])


def test_an_object_with_slots_takes_nothing_more() -> None:
    for kind, takes in ((Slots, False), (Room, True)):
        made, changes = declared(taking(kind))
        assert (made["properties"]["x"]["additionalProperties"], changes) == (takes, [])


class Level(enum.Enum):
    LOW = 1


class Step(enum.IntEnum):
    ONE = 1


class Levels(BaseModel):
    by_level: dict[Level, str]


class Steps(BaseModel):
    by_step: dict[Step, str]


def test_keys_that_a_model_does_not_read_are_refused() -> None:
    """Elsewhere toolwire reads them from their text; what a model takes is the model's."""
    for source in (Levels, taking(Levels)):
        with pytest.raises(DeclarationError, match="no call can give such a key") as caught:
            functions.declare(source)
        assert caught.value.path.endswith('properties["by_level"]')
    for source in (Steps, taking(dict[Level, str]), taking(dict[Step, Level])):
        assert functions.declare(source).parameters.properties
    assert functions.parse('{"by_step": {"1": "a"}}', Steps).by_step == {Step.ONE: "a"}


class On(enum.Enum):
    YES = True
    NO = False


class Mixed(enum.Enum):
    TEXT = "a"
    ONE = 1


class Missing(enum.Enum):
    LOW = 1

    @classmethod
    def _missing_(cls, value: object) -> Missing | None:
        return cls.LOW if value == "low" else None


class Keyed(BaseModel):
    on: dict[On, int] = {}
    mixed: dict[Mixed, int] = {}
    missing: dict[Missing, int] = {}


@dataclasses.dataclass
class Free:
    on: dict[On, int] | None = None
    mixed: dict[Mixed, int] | None = None
    missing: dict[Missing, int] | None = None


KEYS: list[tuple[Any, str, list[str], list[str], list[str]]] = [
    (Keyed, "on", ["true", "false"], ["True", "1", "yes"], ["a"]),
    (Keyed, "mixed", ["a"], [], ["1", "b"]),
    (Keyed, "missing", [], ["low"], ["1"]),
    (Free, "on", ["true", "false"], ["True", "1", "yes"], ["a"]),
    (Free, "mixed", ["a", "1"], [], ["b"]),
    (Free, "missing", ["1"], ["low"], ["2"]),
]


@pytest.mark.parametrize(("kind", "field", "said", "taken", "refused"), KEYS)
def test_members_of_an_enum_as_keys(
    kind: Any, field: str, said: list[str], taken: list[str], refused: list[str]
) -> None:
    function = taking(kind)
    told = declared(function)[0]["properties"]["x"]["properties"][field].get("description", "")
    assert re.findall(r'"([^"]*)"', told) == said
    box = functions.Toolbox([function])
    for keys, name in (([*said, *taken], "output"), (refused, "error")):
        for key in keys:
            call = functions.call_part("take", {"x": {field: {key: 1}}})
            assert name in box.run(toolwire.v1.Content(parts=[call]))[0].response


@pytest.mark.parametrize("default", [(), (3,)])
def test_a_parameter_is_hidden_by_binding_it(default: tuple[int, ...]) -> None:
    with pytest.raises(DeclarationError, match=r"bind it with functools\.partial") as caught:
        functions.declare(taking(SkipJsonSchema[int], *default))
    assert caught.value.path == 'properties["x"]'
    hidden = functools.partial(taking(SkipJsonSchema[int]), x=3)
    assert not functions.declare(hidden, name="hidden").HasField("parameters")
