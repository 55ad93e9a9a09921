"""Defaults: declared where a call that gives them means them."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import (
    AfterValidator,
    Base64Bytes,
    BaseModel,
    Field,
    Secret,
    SecretBytes,
    SecretStr,
)
from pydantic import Json as InJson

import toolwire
from toolwire import functions

Json = Any


class Color(enum.Enum):
    RED = "red"


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
