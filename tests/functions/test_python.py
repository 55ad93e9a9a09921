"""Signatures, annotations, docstrings and classes."""

# The point of `bare` and `Old` is what a strict checker does not know.
# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import importlib
import sys
import typing
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Optional

import pytest
import typing_extensions
from pydantic import BaseModel, Field

import toolwire
from toolwire import DeclarationError, functions

Json = Any
STRING = {"type": "STRING"}
INTEGER = {"type": "INTEGER"}


class Unit(enum.Enum):
    METRIC = "metric"
    IMPERIAL = "imperial"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Place(BaseModel):
    """A place on the map."""

    name: str
    zip_code: str | None = None


@dataclasses.dataclass
class Box:
    """A box.

    Attributes:
        width: How wide.
    """

    width: int
    places: list[Place] = dataclasses.field(default_factory=list[Place])


@dataclasses.dataclass
class Size:  # without a docstring, which pydantic 2.11.0 does not read
    width: int
    places: list[Place] = dataclasses.field(default_factory=list[Place])


class Old(typing.TypedDict, total=False):
    """An old one."""

    a: typing_extensions.Required[int]
    b: Optional[typing.List[Place]]  # noqa: UP006, UP045 - as older code writes it


class New(typing_extensions.TypedDict):
    a: int
    b: typing_extensions.NotRequired[str]


def parameters(source: object, **options: Any) -> Json:
    made = toolwire.to_dict(functions.declare(source, strict=True, **options))
    return made["parameters"]


def of(annotation: Any) -> Json:
    """What the only parameter of a function becomes."""

    def function(x: Any) -> None: ...

    function.__annotations__ = {"x": annotation}
    return parameters(function)["properties"]["x"]


OBJECT = {"type": "OBJECT"}
PLACE = {
    "type": "OBJECT",
    "description": "A place on the map.",
    "properties": {"name": STRING, "zip_code": {**STRING, "nullable": True, "default": None}},
    "required": ["name"],
    "propertyOrdering": ["name", "zip_code"],
}


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (str, STRING),
        (bool, {"type": "BOOLEAN"}),
        (float, {"type": "NUMBER"}),
        (str | None, {**STRING, "nullable": True}),
        (dict[str, int], {**OBJECT, "additionalProperties": INTEGER}),
        (Mapping[str, int], {**OBJECT, "additionalProperties": INTEGER}),
        (Sequence[str], {"type": "ARRAY", "items": STRING}),
        (tuple[int, int], {"type": "ARRAY", "items": INTEGER, "minItems": 2, "maxItems": 2}),
        (tuple[int, ...], {"type": "ARRAY", "items": INTEGER}),
        (list[dict[str, list[int]]], {
            "type": "ARRAY",
            "items": {**OBJECT, "additionalProperties": {"type": "ARRAY", "items": INTEGER}},
        }),
        (Unit, {**STRING, "enum": ["metric", "imperial"]}),
        (Level, {**INTEGER, "enum": ["1", "2"]}),
        (Literal["a", "b"], {**STRING, "enum": ["a", "b"]}),
        (Literal["a"], {**STRING, "enum": ["a"]}),
        (Literal[1, 2], {**INTEGER, "enum": ["1", "2"]}),
        (datetime.datetime, {**STRING, "format": "date-time"}),
        (datetime.date, {**STRING, "format": "date"}),
        (int | str, {"anyOf": [INTEGER, STRING]}),
        (Annotated[int, Field(ge=1, le=9)], {**INTEGER, "minimum": 1.0, "maximum": 9.0}),
        (Place, PLACE),
        (Size, {
            **OBJECT,
            "properties": {"width": INTEGER, "places": {"type": "ARRAY", "items": PLACE}},
            "required": ["width"],
            "propertyOrdering": ["width", "places"],
        }),
        (dict, {**OBJECT, "additionalProperties": True}),
        (Mapping[str, Any], {**OBJECT, "additionalProperties": True}),
        (list[dict[str, Any]], {
            "type": "ARRAY",
            "items": {**OBJECT, "additionalProperties": True},
        }),
        (Place | None, {**PLACE, "nullable": True}),
        (New, {
            **OBJECT,
            "properties": {"a": INTEGER, "b": STRING},
            "required": ["a"],
            "propertyOrdering": ["a", "b"],
        }),
        (list[Old], {"type": "ARRAY", "items": {
            **OBJECT,
            "description": "An old one.",
            "properties": {"a": INTEGER, "b": {"type": "ARRAY", "items": PLACE, "nullable": True}},
            "required": ["a"],
            "propertyOrdering": ["a", "b"],
        }}),
    ],
)  # fmt: skip
def test_annotations(annotation: Any, expected: Json) -> None:
    assert of(annotation) == expected


class Shop:
    """A shop."""

    def find(self, order: str, *, limit: int = 3) -> list[str]:
        """Finds orders."""
        return [order] * limit

    @classmethod
    def open(cls, name: str) -> Shop:
        """Opens one."""
        assert name
        return cls()

    @staticmethod
    def add(a: int) -> int:
        """Adds."""
        return a

    def __call__(self, words: str) -> None:
        """Asks for something."""


async def later(a: int, b: int) -> int:
    """Computes."""
    return a + b


def wrapped(function: Any) -> Any:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


@pytest.mark.parametrize(
    ("source", "name", "names"),
    [
        (Shop().find, "find", ["order", "limit"]),
        (Shop.find, "find", ["order", "limit"]),
        (Shop.open, "open", ["name"]),
        (Shop.add, "add", ["a"]),
        (Shop(), "Shop", ["words"]),
        (later, "later", ["a", "b"]),
        (functools.partial(later, 1), "later", ["b"]),
        (functools.partial(later, b=1), "later", ["a"]),
        (functools.partial(functools.partial(later, 1), b=2), "later", []),
        (functools.partial(Shop().find, limit=1), "find", ["order"]),
        (wrapped(later), "later", ["a", "b"]),
    ],
)
def test_kinds_of_callables(source: Any, name: str, names: list[str]) -> None:
    function = functions.declare(source, strict=True)
    assert function.name == name
    assert function.description
    assert list(function.parameters.property_ordering) == names


def star(*args: int) -> None: ...
def stars(**kwargs: int) -> None: ...
def bare(x) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001
def whatever(x: Any) -> None: ...
def plain_object(x: Shop) -> None: ...
def unknown(x: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821
def callback(x: typing.Callable[[], int]) -> None: ...
def broken(x: 1 / 0) -> None: ...  # type: ignore[valid-type] # pyright: ignore[reportInvalidTypeForm]
def generator(x: int) -> Iterator[int]:
    yield x


async def later_generator(x: int) -> AsyncIterator[int]:
    yield x


class Producer:
    def __call__(self, x: int) -> Iterator[int]:
        yield x


@pytest.mark.parametrize(
    ("source", "path", "reason"),
    [
        (star, 'properties["args"]', r"\*args cannot be declared"),
        (stars, 'properties["kwargs"]', r"\*\*kwargs cannot be declared"),
        (bare, 'properties["x"]', "has no annotation"),
        (whatever, 'properties["x"]', "has no type"),
        (plain_object, 'properties["x"]', "pydantic cannot describe it"),
        (callback, 'properties["x"]', "pydantic cannot describe it"),
        (unknown, 'properties["x"]', 'names "Nowhere", which its module does not have at run'),
        (broken, 'properties["x"]', "cannot be read: ZeroDivisionError: division by zero"),
        (generator, "", "a generator hands out its values"),
        (later_generator, "", "a generator hands out its values"),
        (functools.partial(generator, 1), "", "a generator hands out its values"),
        (Producer(), "", "a generator hands out its values"),
        (lambda: None, "name", '"<lambda>" starts with "<"'),
        (Shop, "", "the class Shop has no declared fields"),
        (3, "", "found an int"),
        (None, "", "found a NoneType"),
        ([later], "", "found a list"),
    ],
)
def test_what_cannot_be_declared(source: Any, path: str, reason: str) -> None:
    with pytest.raises(DeclarationError, match=reason) as caught:
        functions.declare(source)
    assert caught.value.path == path


def test_a_name_that_run_time_lacks_says_where_it_may_be() -> None:
    class Inner(typing.TypedDict):
        x: int

    def inner(x: Inner) -> None: ...

    with pytest.raises(DeclarationError, match=r"import it there, outside of `if TYPE_CHECKING:`$"):
        functions.declare(unknown)
    with pytest.raises(DeclarationError, match="or move the class out of the function, where anno"):
        functions.declare(inner)


def test_results_are_declared_on_request() -> None:
    def find(name: str) -> list[Place] | None:
        """Finds places."""
        raise LookupError(name)

    async def nothing() -> None:
        """Does nothing."""

    def silent():  # type: ignore[no-untyped-def]  # noqa: ANN202
        """Does nothing that it would tell of."""

    def whatever() -> object:
        """Returns something."""

    assert not functions.declare(find).HasField("response")
    made = functions.declare(find, response=True, strict=True)
    assert toolwire.to_dict(made.response) == {"type": "ARRAY", "items": PLACE, "nullable": True}
    tool = functions.tool([find, nothing], api="v1beta1", response=True, as_json_schema=True)
    first, second = tool.function_declarations
    whole: Json = toolwire.to_dict(first.response_json_schema)
    assert whole["anyOf"][1] == {"type": "null"}
    assert not second.HasField("response_json_schema")
    _, changes = functions.declare(silent, response=True, report=True)
    assert [change.path for change in changes] == ["response"]

    def picture() -> functions.Result:
        """Draws."""
        raise NotImplementedError

    for each in (whatever, picture):
        made, changes = functions.declare(each, response=True, report=True)
        assert not made.HasField("response")
        assert [change.path for change in changes] == ["response"]
    typed = functions.declare(picture, response=True, untyped="STRING")
    assert toolwire.to_dict(typed.response) == STRING


def test_defaults_make_parameters_optional() -> None:
    def function(
        *,
        a: int,
        b: int = 0,
        c: str | None = None,
        d: bool = False,
        e: str = "",
        f: Unit = Unit.METRIC,
    ) -> None: ...

    made = parameters(function)
    assert made["required"] == ["a"]
    defaults = {name: each["default"] for name, each in made["properties"].items() if name != "a"}
    assert defaults == {"b": 0, "c": None, "d": False, "e": "", "f": "metric"}
    assert "default" not in made["properties"]["a"]


def test_a_default_that_is_no_json_is_reported() -> None:
    marker = object()

    def function(a: int = marker) -> None: ...  # type: ignore[assignment]

    _, changes = functions.declare(function, report=True)
    assert [change.path for change in changes] == ['properties["a"].default']


def google(a: int, b: int) -> None:
    """Does it.

    In two steps.

    Args:
        a: Of Google.
        b (int): More.
    """


def numpy(a: int, b: int) -> None:
    """Does it.

    In two steps.

    Parameters
    ----------
    a : int
        Of NumPy.
    b
        More.
    """


def sphinx(a: int, b: int) -> None:
    """Does it.

    In two steps.

    :param a: Of Sphinx.
    :param int b: More.
    """


@pytest.mark.parametrize("source", [google, numpy, sphinx])
def test_docstrings(source: Any) -> None:
    function = functions.declare(source)
    assert function.description == "Does it.\n\nIn two steps."
    assert function.parameters.properties["a"].description.startswith("Of ")
    assert function.parameters.properties["b"].description == "More."


def test_the_annotation_wins_over_the_docstring() -> None:
    def function(
        a: Annotated[int, "From text."],
        b: Annotated[int, Field(description="From a Field.")],
        c: Annotated[int, typing_extensions.Doc("From a Doc.")],
        d: Place,
        e: int = Field(3, description="From a default."),
    ) -> None:
        """Does.

        Args:
            a: No.
            b: No.
            c: No.
            d: From the docstring.
            e: No.
        """

    made = parameters(function)
    assert [made["properties"][name]["description"] for name in "abcde"] == [
        "From text.",
        "From a Field.",
        "From a Doc.",
        "From the docstring.",
        "From a default.",
    ]
    assert made["required"] == ["a", "b", "c", "d"]
    assert made["properties"]["e"]["default"] == 3


def test_parameters_named_like_attributes_of_a_model() -> None:
    def function(schema: int, copy: int, json: int, model_config: int, _private: int, type: str) -> None: ...  # fmt: skip # noqa: A002, E501

    names = ["schema", "copy", "json", "model_config", "_private", "type"]
    assert parameters(function)["propertyOrdering"] == names


@pytest.mark.parametrize(
    ("source", "name", "description", "names"),
    [
        (Place, "Place", "A place on the map.", ["name", "zip_code"]),
        (Box, "Box", "A box.", ["width", "places"]),
        (Old, "Old", "An old one.", ["a", "b"]),
        (New, "New", "", ["a", "b"]),
    ],
)
def test_classes_with_declared_fields(
    source: Any, name: str, description: str, names: list[str]
) -> None:
    function = functions.declare(source, strict=True)
    assert (function.name, function.description) == (name, description)
    assert list(function.parameters.property_ordering) == names
    assert not function.parameters.description
    assert not function.parameters.title


def test_attributes_of_a_docstring() -> None:
    assert parameters(Box)["properties"]["width"]["description"] == "How wide."


def test_titles_of_fields_are_the_users_own() -> None:
    class Titled(BaseModel):
        a: int
        b: int = Field(title="B")

    made = parameters(Titled)["properties"]
    assert "title" not in made["a"]
    assert made["b"]["title"] == "B"


class Tree(BaseModel):
    """A tree."""

    value: int
    left: Tree | None = None


def test_recursive_models() -> None:
    with pytest.raises(DeclarationError, match='contains itself: "Tree" -> "Tree"'):
        functions.declare(Tree)
    function = functions.declare(Tree, refs=True)
    assert function.description == "A tree."
    assert function.parameters.properties["left"].ref == "#/defs/Tree"
    whole = functions.declare(Tree, api="v1beta1", as_json_schema=True)
    assert "$defs" in toolwire.to_dict(whole.parameters_json_schema)


def test_name_and_description_can_be_given() -> None:
    function = functions.declare(later, name="compute", description="Other.")
    assert (function.name, function.description) == ("compute", "Other.")


def keywords(title: str, format: str, default: int, items: list[str], required: bool, pattern: str, enum: str, properties: dict[str, int], description: str, type: str) -> None: ...  # fmt: skip # noqa: A002, E501, PLR0917


class Keywords(BaseModel):
    title: str
    format: str
    default: int
    items: list[str]
    required: bool
    pattern: str
    enum: str
    properties: dict[str, int]
    description: str
    type: str


@pytest.mark.parametrize("source", [keywords, Keywords])
def test_parameters_named_like_keywords_of_json_schema(source: Any) -> None:
    names = list(Keywords.model_fields)
    made = parameters(source)
    assert made["propertyOrdering"] == made["required"] == names
    assert made["properties"]["items"] == {"type": "ARRAY", "items": STRING}
    assert made["properties"]["required"] == {"type": "BOOLEAN"}


OTHER_MODULE = """
from __future__ import annotations

import functools
from dataclasses import dataclass


@dataclass
class Place:
    street: str


def visit(place: Place) -> None:
    \"\"\"Goes there.\"\"\"


class Guide:
    def visit(self, place: Place) -> None:
        \"\"\"Goes there.\"\"\"
"""


def test_annotations_are_those_of_the_functions_own_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This module has another ``Place``."""
    tmp_path.joinpath("tours_of_a_test.py").write_text(OTHER_MODULE)
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    tours = importlib.import_module("tours_of_a_test")
    for source in (tours.visit, tours.Guide().visit, functools.partial(tours.visit)):
        made = parameters(source)["properties"]["place"]
        assert list(made["properties"]) == ["street"]
    made = parameters(wrapped(tours.visit))["properties"]["place"]
    assert list(made["properties"]) == ["street"]


def test_no_function_of_a_list_is_skipped() -> None:
    with pytest.raises(DeclarationError, match=r"\*args cannot be declared") as caught:
        functions.tool([later, star])
    assert caught.value.path == 'functionDeclarations[1].properties["args"]'
