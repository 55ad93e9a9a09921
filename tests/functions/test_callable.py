"""What is declared can be called: a function gets what its annotations promise."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import ipaddress
import pathlib
import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NewType

import pytest
import typing_extensions
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, Json

import toolwire
from toolwire import DeclarationError, functions, gemini, v1
from toolwire.testing._model._instances import Maker


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Word(str, enum.Enum):
    ONE = "one"
    TWO = "two"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Bits(enum.Flag):
    A = 1
    B = 2


class Mixed(enum.Enum):
    NUMBER = 1
    TEXT = "1"
    NOTHING = None
    HALF = 0.5
    YES = True


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(9, ge=1, le=9)


class Dog(BaseModel):
    kind: Literal["dog", Word.TWO]
    color: Color = Color.RED


class Aliased(BaseModel):
    a: int = Field(alias="the a")
    b: int = Field(validation_alias="bb")
    c: int = Field(serialization_alias="cc")
    d: int = Field(validation_alias=AliasChoices(AliasPath("x", 0), "dd", "ddd"))


class ByName(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="forbid")
    a: int = Field(alias="alpha")


class OnlyByName(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=False, extra="forbid")
    a: int = Field(alias="alpha")


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    day: datetime.date
    color: Color
    pair: tuple[int, int]


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.5


class Row(typing_extensions.TypedDict):
    name: str
    size: typing_extensions.NotRequired[int]


class Pair(NamedTuple):
    a: int
    b: int


Number = NewType("Number", int)

ANNOTATIONS: list[Any] = [
    str, int, float, bool, bytes, None, Number, list, dict, set, tuple,
    Color, Word, Level, Bits, Mixed,
    Literal["a", "b"], Literal["a"], Literal[1, 2], Literal[True], Literal["", "a"],
    Literal["a", 1] | None, Literal[Word.ONE], Literal[1, True], Literal[2**60, 1],
    str | None, int | str, int | float, Color | None, list[Color] | Color,
    datetime.date, datetime.datetime, datetime.time, uuid.UUID, pathlib.Path,
    ipaddress.IPv4Address, ipaddress.IPv6Address,
    list[int], set[str], frozenset[int], tuple[int, str], tuple[float, ...], Sequence[Color],
    dict[str, int], Mapping[str, list[Level]], dict[int, str], dict[Color, int],
    Annotated[int, Field(ge=3, lt=5)], Annotated[float, Field(gt=0.5, lt=0.75)],
    Annotated[str, Field(min_length=3, max_length=4)], Annotated[str, Field(pattern="^[a-c]{2}$")],
    Annotated[list[int], Field(min_length=2, max_length=3)],
    Annotated[Cat | Dog, Field(discriminator="kind")], list[Cat | Dog],
    Aliased, ByName, Strict, Point, Row, Pair, Json[int],
]  # fmt: skip


def function_of(annotation: Any) -> Any:
    def take(x: Any) -> str:
        """Takes it."""
        return type(x).__name__

    take.__annotations__ = {"x": annotation, "return": str}
    return take


def arguments_of(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns arguments that a schema allows: made up, and each value of an enum of its own."""
    members = schema["properties"]["x"].get("enum", [])
    return [*(Maker(schema, turn=turn).make() for turn in range(6)), *({"x": m} for m in members)]


@pytest.mark.parametrize("api", ["v1", "gemini"])
@pytest.mark.parametrize("annotation", ANNOTATIONS, ids=str)
def test_what_is_declared_can_be_called(annotation: Any, api: Literal["v1", "gemini"]) -> None:
    box = functions.Toolbox([function_of(annotation)], api=api)
    declared = box.tool.function_declarations[0]
    content = v1.Content if api == "v1" else gemini.Content
    called = 0
    for args in arguments_of(functions.to_json_schema(declared.parameters)):
        made = content(parts=[{"function_call": {"name": "take", "args": args}}])
        (outcome,) = box.run(made)
        # What was reported may let values through that do not fit.
        assert outcome.error is None or box.changes, (args, outcome.response, declared)
        called += outcome.error is None
    assert called or box.changes, declared


def test_a_model_that_is_read_by_the_names_of_its_fields_only() -> None:
    function = function_of(OnlyByName)
    try:
        declared = functions.declare(function)
    except DeclarationError:  # pydantic 2.11 describes the aliases
        return
    assert list(declared.parameters.properties["x"].properties) == ["a"]
    assert called_with(function, x={"a": 1}).error is None


class Day(enum.Enum):
    FIRST = datetime.date(2026, 1, 1)


class Couple(enum.Enum):
    A = (1, 2)


class Raw(enum.Enum):
    A = b"\xff"


class Price(enum.Enum):
    A = decimal.Decimal("1.5")


class Nested(enum.Enum):
    A = Color.RED


class Opaque(enum.Enum):
    A = object()


class Owner(BaseModel):
    color: Literal[Color.RED]


class Deep(BaseModel):
    a: int = Field(validation_alias=AliasPath("x", "y"))


@pytest.mark.parametrize("as_json_schema", [False, True])
@pytest.mark.parametrize(
    ("annotation", "path", "found"),
    [
        (Literal[Color.RED, "x"], 'properties["x"]', "Color.RED"),
        (list[Literal[b"x"]], 'properties["x"].items', "b'x'"),
        (int | Literal[b"\xff"], 'properties["x"].anyOf[1]', "b'\\\\xff'"),
        (Literal[2**53 + 1], 'properties["x"]', str(2**53 + 1)),  # arguments are doubles
        (Day, '["$defs"]["Day"]', "Day.FIRST"),
        (dict[Day, int], '["$defs"]["Day"]', "Day.FIRST"),
        (Couple, '["$defs"]["Couple"]', "Couple.A"),
        (Raw, '["$defs"]["Raw"]', "Raw.A"),
        (Price | None, '["$defs"]["Price"]', "Price.A"),
        (Nested, '["$defs"]["Nested"]', "Nested.A"),
        (Opaque, '["$defs"]["Opaque"]', "Opaque.A"),
        (Owner, '["$defs"]["Owner"].properties["color"]', "Color.RED"),
        (Deep, '["$defs"]["Deep"].properties["a"]', "its alias is a path"),
    ],
    ids=str,
)
def test_what_no_call_can_give_is_refused(
    annotation: Any, path: str, found: str, as_json_schema: bool
) -> None:
    with pytest.raises(DeclarationError, match=found) as caught:
        functions.declare(function_of(annotation), api="v1beta1", as_json_schema=as_json_schema)
    assert caught.value.path == path


def test_what_no_call_can_give_may_be_a_result() -> None:
    def first() -> Day:
        """Returns the first day."""
        return Day.FIRST

    declared = functions.declare(first, response=True, strict=True)
    assert toolwire.to_dict(declared.response) == {"type": "STRING", "enum": ["2026-01-01"]}


def called_with(function: Any, **args: Any) -> Any:
    box = functions.Toolbox([function])
    call = {"function_call": {"name": function.__name__, "args": args}}
    return box.run(v1.Content(parts=[call]))[0]


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-inf"])
def test_arguments_have_neither_nan_nor_infinity(text: str) -> None:
    def take(x: float, many: list[float] | None = None) -> float:
        """Takes it."""
        return x if many is None else 0

    assert called_with(take, x="1.5").value == 1.5
    for args in ({"x": text}, {"x": 1, "many": [text]}):
        assert "finite number" in str(called_with(take, **args).error)


def test_a_result_that_only_checkers_know() -> None:
    def take(x: int) -> int:
        """Takes it."""
        return x

    take.__annotations__["return"] = "Nowhere"
    assert called_with(take, x=1).value == 1
    with pytest.raises(DeclarationError, match='names "Nowhere"') as caught:
        functions.declare(take, response=True)
    assert caught.value.path == "response"


@pytest.mark.parametrize(
    "field",
    [
        Field(alias="y"),
        Field(validation_alias="y"),
        Field(validation_alias=AliasChoices("y", "z")),
        Field(serialization_alias="y"),
    ],
    ids=["alias", "validation", "choices", "serialization"],
)
def test_a_parameter_has_no_alias(field: Any) -> None:
    def default(x: int = field) -> None: ...

    for function in (function_of(Annotated[int, field]), default):
        with pytest.raises(DeclarationError, match=r"a parameter has no .*alias") as caught:
            functions.declare(function)
        assert caught.value.path == 'properties["x"]'


def test_gemini_wants_a_description_of_each_function() -> None:
    def add(a: int) -> int:
        return a

    items: list[Any] = [add, (gemini.FunctionDeclaration(name="add"), add)]
    for item in items:
        with pytest.raises(DeclarationError, match=r'"add" has none.*write a docstring') as caught:
            functions.Toolbox([item], api="gemini")
        assert caught.value.path == "functions[0].description"
    _, changes = functions.declare(add, api="gemini", report=True)
    assert [change.path for change in changes] == ["description"]
    declared = functions.declare(add, api="gemini", description="Adds.", report=True)
    assert functions.Toolbox([(declared, add)], api="gemini").changes == []
