"""Defaults: declared where a call that gives them means them."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import (
    AfterValidator,
    Base64Bytes,
    BaseModel,
    ConfigDict,
    Field,
    Secret,
    SecretBytes,
    SecretStr,
    ValidationInfo,
    field_validator,
)
from pydantic import Json as InJson
from pydantic import dataclasses as pydantic_dataclasses

import toolwire
from toolwire import functions

Json = Any


class Color(enum.Enum):
    RED = "red"


class Level(enum.Enum):
    LOW = 1


class Aliased(BaseModel):
    x: int = Field(validation_alias="in", serialization_alias="out")


class Point(BaseModel):
    x: int = 0


@dataclasses.dataclass(slots=True)
class Place:
    at: Sequence[int] = (1, 2)


class Places(BaseModel):
    all: Sequence[Place] = (Place(),)


@dataclasses.dataclass(eq=False)
class Unlike:
    x: int = 1


def taking(kind: Any, default: object) -> Any:
    def take(x: Any = default) -> None: ...

    take.__annotations__["x"] = kind
    return take


def told(source: Any) -> tuple[Json, list[str]]:
    message, changes = functions.declare(source, report=True)
    parameters: Json = toolwire.to_dict(message.parameters)
    return parameters["properties"]["x"], [
        f"{each.path}: {each.message}" for each in changes if "default" in str(each)
    ]


REFUSED = "a call that gives it would be refused"
ANOTHER = "a call that gives it would mean another value"
LOST: list[tuple[Any, Any, str]] = [
    (SecretStr, SecretStr("real"), ANOTHER),
    (SecretBytes, SecretBytes(b"real"), ANOTHER),
    (Secret[int], Secret[int](3), REFUSED),
    (InJson[list[int]], [1], REFUSED),
    (decimal.Decimal, decimal.Decimal("NaN"), REFUSED),
    (Aliased, Aliased.model_validate({"in": 1}), REFUSED),
    (Point | None, {"x": 1}, ANOTHER),
    (int, "5", ANOTHER),
    (int, "five", REFUSED),
    (Annotated[int, Field(ge=1)], 0, REFUSED),
    (Annotated[str, AfterValidator(str.upper)], "a", ANOTHER),
    (str | int, datetime.date(2026, 1, 2), ANOTHER),
    (list[SecretStr], [SecretStr("real")], ANOTHER),
    (SecretStr, "real", ANOTHER),
    (list[SecretStr], ["real"], ANOTHER),
    (datetime.date, "soon", REFUSED),
    (InJson[list[int]], "[1]", ANOTHER),
    (Annotated[list[int], Field(min_length=1)], [], REFUSED),
    (list[int], {}, REFUSED),
]


@pytest.mark.parametrize(("kind", "default", "reason"), LOST, ids=str)
def test_a_default_that_no_call_means_is_left_out(kind: Any, default: Any, reason: str) -> None:
    node, changes = told(taking(kind, default))
    assert "default" not in node
    assert changes == [f'properties["x"].default: {reason}']
    node, changes = told(taking(kind, Field(default)))
    assert "default" not in node
    assert changes == [f": the default of a field: {reason}"]
    node, changes = told(taking(Annotated[kind, Field(default=default)], ...))
    assert "default" not in node
    assert changes == [f": the default of a field: {reason}"]


KEPT: list[tuple[Any, Any, Json]] = [
    (int, 0, 0),
    (int, 1.0, 1),
    (float, 1, 1),
    (str | None, None, None),
    (Sequence[int], (1, 2), [1, 2]),
    (list[tuple[int, int]], ([1, 2],), [[1, 2]]),
    (list[int], {1}, [1]),
    (Iterable[int], (1, 2), [1, 2]),
    (dict[str, Sequence[int]], {"a": (1,)}, {"a": [1]}),
    (set[str], frozenset({"a"}), ["a"]),
    (Color, Color.RED, "red"),
    (bytes, b"hi", "aGk="),
    (list[bytes], [b"hi"], ["aGk="]),
    (Base64Bytes, b"hi", "aGk="),
    (decimal.Decimal, decimal.Decimal("1.50"), "1.50"),
    (datetime.timedelta, datetime.timedelta(days=1), "P1D"),
    (Path, Path("a/b"), "a/b"),
    (Point, Point(x=3), {"x": 3}),
    (Place, Place(), {"at": [1, 2]}),
    (Places, Places(), {"all": [{"at": [1, 2]}]}),
    (Unlike, Unlike(), {"x": 1}),
    (datetime.date, "2024-01-01", "2024-01-01"),
    (Path, "/tmp", "/tmp"),  # noqa: S108 - is not opened
    (Color, "red", "red"),
    (decimal.Decimal | None, "1.50", "1.50"),
    (list[datetime.date], ("2024-01-01",), ["2024-01-01"]),
    (Iterable[datetime.date], ("2024-01-01",), ["2024-01-01"]),
    (dict[str, Color], {"a": "red"}, {"a": "red"}),
    (list[int], [], []),
    (list[int] | None, (), []),
    (tuple[int, ...], (), []),
    (set[int], frozenset(), []),
    (dict[str, int], {}, {}),
    (dict[Level, datetime.date], {Level.LOW: "2024-01-01"}, {"1": "2024-01-01"}),
]


@pytest.mark.parametrize(("kind", "default", "value"), KEPT, ids=str)
def test_a_default_that_a_call_means_is_declared(kind: Any, default: Any, value: Json) -> None:
    for source in (taking(kind, default), taking(kind, Field(default))):
        node, changes = told(source)
        shown = [each["default"] for each in (node, *node.get("anyOf", [])) if "default" in each]
        assert (shown, changes) == ([value], [])


class Settings(BaseModel):
    secret: SecretStr = SecretStr("real")
    ratio: decimal.Decimal = decimal.Decimal("NaN")
    key: Base64Bytes = b"hi"
    raw: bytes = b"hi"
    below: Settings | None = None


@dataclasses.dataclass
class Options:
    secret: SecretStr = SecretStr("real")  # noqa: RUF009 - is not changed
    key: Base64Bytes = b"hi"
    raw: bytes = b"hi"
    settings: Settings = dataclasses.field(default_factory=Settings)


def test_fields_of_classes_are_named() -> None:
    def take(x: Options) -> None: ...

    message, changes = functions.declare(take, report=True, refs=True, api="v1")
    told = [each.message for each in changes if each.message.startswith("the default")]
    assert sorted(told) == [
        f"the default of Options.secret: {ANOTHER}",
        f"the default of Settings.ratio: {REFUSED}",
        f"the default of Settings.secret: {ANOTHER}",
    ]
    assert "****" not in str(message)
    properties = message.parameters.defs["Options"].properties
    assert properties["key"].default.string_value == "aGk="
    assert properties["raw"].default.string_value == "aGk="


class Tree(BaseModel):
    children: list[Tree] = []
    first: Tree | None = None


class Root(BaseModel):
    tree: Tree = Tree(children=[Tree()])


def test_a_default_of_a_class_that_contains_itself() -> None:
    for source in (Root, taking(Root, Root()), taking(Tree, Field(Tree(children=[Tree()])))):
        message, changes = functions.declare(source, report=True, refs=True)
        assert changes == []
        assert "children" in str(next(iter(message.parameters.properties.values())).default)


class Faulty:
    """A type whose values cannot be compared."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: Any) -> Any:
        del source

        def read(_: str) -> Faulty:
            return cls()

        made = handler.generate_schema(Annotated[str, AfterValidator(read)])
        return made | {"serialization": {"type": "to-string"}}


def test_a_default_that_cannot_be_compared_is_left_out() -> None:
    _, changes = told(taking(Faulty, Faulty()))
    assert len(changes) == 1


def above(value: Any, info: ValidationInfo) -> Any:
    if value < info.data["low"]:
        raise ValueError("is below")
    return value


def real(value: SecretStr, info: ValidationInfo) -> SecretStr:
    if info.field_name != "key" or "low" not in info.data:
        raise RuntimeError("is another field")
    return value


def failing(value: int) -> int:
    raise LookupError(value)


class Span(BaseModel):
    low: int = 1
    high: int = 5
    ratio: decimal.Decimal = decimal.Decimal("NaN")
    key: SecretStr = SecretStr("real")
    some: Annotated[int, AfterValidator(failing)] = 3

    _above = field_validator("high", "ratio")(above)
    _real = field_validator("key")(real)


@pydantic_dataclasses.dataclass
class Spanned:
    low: int = 1
    high: int = 5
    ratio: decimal.Decimal = decimal.Decimal("NaN")
    key: SecretStr = SecretStr("real")
    some: tuple[Annotated[int, AfterValidator(failing)], ...] = (3,)

    _above = field_validator("high", "ratio")(above)
    _real = field_validator("key", mode="before")(real)


@pytest.mark.parametrize("source", [Span, Spanned])
def test_a_validator_that_asks_for_other_fields_says_nothing_of_a_default(source: Any) -> None:
    message, changes = functions.declare(source, name="take", report=True)
    properties: Json = toolwire.to_dict(message.parameters)["properties"]
    assert (properties["high"]["default"], properties["some"]["default"] in (3, [3])) == (5, True)
    assert sorted(each.message for each in changes if "default" in str(each)) == [
        f"the default of {source.__name__}.key: {ANOTHER}",
        f"the default of {source.__name__}.ratio: {REFUSED}",
    ]


class When(BaseModel):
    model_config = ConfigDict(validate_default=True)
    day: datetime.date = "2024-01-01"  # type: ignore[assignment]  # pydantic makes it one
    name: Annotated[str, AfterValidator(str.upper)] = "a"
    point: Point = {"x": 2}  # type: ignore[assignment]  # likewise
    key: SecretStr = "real"  # type: ignore[assignment]  # likewise
    off: Annotated[str, AfterValidator(str.upper)] = Field("a", validate_default=False)


class Chosen(BaseModel):
    model_config = ConfigDict(use_enum_values=True)
    color: Color = Color.RED
    colors: list[Color] = [Color.RED]
    name: Annotated[str, AfterValidator(str.upper)] = Field("a", validate_default=True)


def test_a_default_that_is_checked_counts_as_it_is_read() -> None:
    message, changes = functions.declare(When, report=True)
    properties: Json = toolwire.to_dict(message.parameters)["properties"]
    assert {name: node["default"] for name, node in properties.items() if "default" in node} == {
        "day": "2024-01-01",
        "name": "A",
        "point": {"x": 2},
    }
    assert sorted(each.message for each in changes if "default" in str(each)) == [
        f"the default of When.key: {ANOTHER}",
        f"the default of When.off: {ANOTHER}",
    ]


def test_a_member_is_the_default_where_its_value_is_read() -> None:
    message, changes = functions.declare(Chosen, report=True)
    properties: Json = toolwire.to_dict(message.parameters)["properties"]
    found = {name: node["default"] for name, node in properties.items()}
    assert (found, changes) == ({"color": "red", "colors": ["red"], "name": "A"}, [])


def cluster(default: str) -> Any:
    """Returns one of many classes that all refer to each other."""
    scope: dict[str, Any] = {"dataclasses": dataclasses, "__name__": __name__}
    for index in range(10):
        fields = "".join(f"    f{at}: 'tuple[W{at}, ...]'{default}\n" for at in range(10))
        exec(f"@dataclasses.dataclass\nclass W{index}:\n{fields}", scope)  # noqa: S102 - our own
        setattr(sys.modules[__name__], f"W{index}", scope[f"W{index}"])
    return scope["W0"]


def test_an_empty_default_costs_nothing() -> None:
    def steps(kind: Any) -> int:
        count = 0

        def step(*_: object) -> None:
            nonlocal count
            count += 1

        before = sys.getprofile()
        sys.setprofile(step)
        try:
            functions.declare(taking(kind, None), refs=True)
        finally:
            sys.setprofile(before)
        return count

    steps(cluster(""))
    assert steps(cluster(" = ()")) < 2 * steps(cluster(""))
