"""Descriptions: of callable objects, and of the fields of classes."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import Annotated, Any, Generic, NewType, TypedDict, TypeVar

import pytest
import typing_extensions
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, RootModel
from pydantic import dataclasses as pydantic_dataclasses

import toolwire
from toolwire import functions, v1

Json = Any
T = TypeVar("T")


# Classes of a module: Python looks for the docstring of a method by their names.
class Documented:
    """Tells the weather."""

    def __call__(self, city: str) -> str:
        return city


class Bare:
    def __call__(self, city: str) -> str:
        return city


class Called:
    """Is a class."""

    def __call__(self, city: str) -> str:
        """Tells the weather, when called."""
        return city


class Heir(Called):
    def __call__(self, city: str) -> str:
        return city


@dataclasses.dataclass
class Configured:
    key: str = "secret"

    def __call__(self, city: str) -> str:
        return city


class Model(BaseModel):
    key: str = "secret"

    def __call__(self, city: str) -> str:
        return city


@pytest.mark.parametrize(
    ("source", "description"),
    [
        (Documented(), "Tells the weather."),
        (Documented().__call__, "Tells the weather."),
        (functools.partial(Documented()), "Tells the weather."),
        (Bare(), ""),
        (Called(), "Tells the weather, when called."),
        (Heir(), "Tells the weather, when called."),
        (Configured(), ""),
        (Model(), ""),
    ],
)
def test_a_callable_object_says_what_somebody_wrote(source: Any, description: str) -> None:
    assert functions.declare(source).description == description


def test_one_description_for_several_parameters() -> None:
    def area(width: float, height: float) -> None:
        """Computes it.

        Parameters
        ----------
        width, height : float
            In metres.
        """

    made = functions.declare(area).parameters.properties
    assert [made[name].description for name in ("width", "height")] == ["In metres."] * 2


class Aliased(BaseModel):
    """Books a trip.

    Attributes:
        home: Where from.
        goal: Where to.
        day: Not this.
    """

    model_config = ConfigDict(validate_by_name=True)

    home: str = Field(alias="from")
    goal: str = Field(validation_alias=AliasChoices("to", "goal"))
    day: Annotated[str, "On which day."]


@dataclasses.dataclass
class Plain:
    """Books a trip."""

    home: Annotated[str, "Where from."]
    goal: Annotated[str, typing_extensions.Doc("Where to.")]
    day: Annotated[str, "Not this.", Field(description="On which day.")]


@pydantic_dataclasses.dataclass
class Checked:
    """Books a trip."""

    home: Annotated[str, "Where from."]
    goal: str = Field(description="Where to.")
    day: Annotated[str | None, "On which day."] = None


class Dict(TypedDict, total=False):
    """Books a trip."""

    home: typing_extensions.Required[Annotated[str, "Where from."]]
    goal: Annotated[str, "Where to."]
    day: typing_extensions.NotRequired[Annotated[str, "On which day."]]


@pytest.mark.parametrize("source", [Aliased, Plain, Checked, Dict])
def test_the_fields_of_a_class_are_described(source: Any) -> None:
    made = functions.declare(source)
    assert made.description == "Books a trip."
    described = [made.parameters.properties[name].description for name in _names(made)]
    assert described == ["Where from.", "Where to.", "On which day."]


@pytest.mark.parametrize("source", [Aliased, Plain, Checked, Dict])
def test_the_fields_of_a_class_are_described_wherever_it_stands(source: Any) -> None:
    def book(trip: Any, others: Any) -> Any:
        return trip or others

    book.__annotations__ = {"trip": source, "others": list[source], "return": source}
    made = functions.declare(book, response=True)
    properties = made.parameters.properties
    answer = functions.response_schema(source)
    for node in (properties["trip"], properties["others"].items, made.response, answer):
        assert node.description == "Books a trip."
        assert [node.properties[name].description for name in node.property_ordering] == [
            "Where from.",
            "Where to.",
            "On which day.",
        ]


class Chain(BaseModel):
    """Links it.

    Attributes:
        next: What follows.
    """

    next: Chain | None = None


def test_a_class_that_contains_itself_is_described() -> None:
    made = functions.response_schema(Chain, refs=True)
    assert made.defs["Chain"].description == "Links it."
    assert made.defs["Chain"].properties["next"].description == "What follows."


City = typing_extensions.TypeAliasType("City", Annotated[str, "Name of the city."])
NEW: Any = NewType  # for type checkers, of a class only


def test_an_alias_says_what_it_stands_for() -> None:
    def travel(
        to: City,
        by: str,
        back: City | None = None,
        via: Annotated[City, "What is annotated to the alias wins."] = "",
    ) -> None:
        """Travels."""

    travel.__annotations__["by"] = NEW("Town", Annotated[str, "Name of the town."])
    made = functions.declare(travel, strict=True).parameters
    assert [made.properties[name].description for name in ("to", "by", "back", "via")] == [
        "Name of the city.",
        "Name of the town.",
        "Name of the city.",
        "What is annotated to the alias wins.",
    ]
    assert list(made.required) == ["to", "by"]


def google(a: int, b: int = 0) -> None:
    """Deletes it.
    Args:
        a: Of a.
    Keyword Args:
        b: Of b.
    Note that it
    cannot be undone.

    Returns:
        None: At once.

    Warning:
        Ask first.

    Example:
        google(1)
    """


def sphinx(a: int, b: int = 0) -> None:
    """Deletes it.

    :param a: Of
      a.
    :param b: Of b.

    Note that it
    cannot be undone.

    :returns: Nothing.

    Warning:
        Ask first.
    """


def epydoc(a: int, b: int = 0) -> None:
    """Deletes it.

    @param a: Of a.
    @param b: Of b.
    @return: Nothing.

    Note that it
    cannot be undone.

    Warning:
        Ask first.
    """


@pytest.mark.parametrize("source", [google, sphinx, epydoc])
def test_prose_behind_the_sections_of_a_docstring_is_kept(source: Any) -> None:
    made = functions.declare(source)
    assert made.description == (
        "Deletes it.\n\nNote that it\ncannot be undone.\n\nWarning:\n    Ask first."
    )
    texts = [made.parameters.properties[name].description.split() for name in "ab"]
    assert texts == [["Of", "a."], ["Of", "b."]]


def test_a_docstring_of_nothing_but_a_section() -> None:
    def function(a: int) -> None:
        """
        Args:
            a: Of a.
        """

    made = functions.declare(function)
    assert (made.description, made.parameters.properties["a"].description) == ("", "Of a.")


UPPER = ConfigDict(alias_generator=str.upper)


class UpperDict(typing_extensions.TypedDict):
    """Books a trip.

    Attributes:
        goal: Where to.
    """

    __pydantic_config__ = UPPER  # type: ignore[misc]  # pydantic's

    home: Annotated[str, "Where from."]
    goal: str


@dataclasses.dataclass
class UpperPlain:
    """Books a trip.

    Attributes:
        goal: Where to.
    """

    __pydantic_config__ = UPPER

    home: Annotated[str, "Where from."]
    goal: str


@pydantic_dataclasses.dataclass(config=UPPER)
class UpperChecked(UpperPlain):
    """Books a trip."""


@pytest.mark.parametrize("source", [UpperDict, UpperPlain, UpperChecked])
def test_a_field_whose_alias_is_generated_keeps_its_description(source: Any) -> None:
    made = functions.declare(source).parameters.properties
    assert {name: each.description for name, each in made.items()} == {
        "HOME": "Where from.",
        "GOAL": "Where to.",
    }


def _names(made: Json) -> list[str]:
    return list(made.parameters.property_ordering)


def test_a_class_that_only_pydantic_can_read() -> None:
    class Inner(BaseModel):
        x: int

    class Outer(BaseModel):
        """Holds it."""

        inner: Annotated[Inner, "Not found: Inner is no name of this module."]

    made = functions.declare(Outer)
    assert made.parameters.properties["inner"].required == ["x"]


@dataclasses.dataclass
class Pair(Generic[T]):
    left: T
    right: list[T]


class Item(TypedDict):
    id: int


def test_names_of_generic_classes_are_no_titles() -> None:
    def swap(pair: Pair[int], item: Pair[Item]) -> None:
        """Swaps."""

    assert "title" not in toolwire.to_json(functions.declare(swap))


class Titled(BaseModel):
    model_config = ConfigDict(title="A nice title")

    x: int


def test_a_title_that_the_user_wrote_stays() -> None:
    def use(titled: Titled) -> None:
        """Uses it."""

    assert functions.declare(use).parameters.properties["titled"].title == "A nice title"


def test_a_signature_may_say_more_than_the_function() -> None:
    def function(**arguments: int) -> int:
        """Adds."""
        return sum(arguments.values())

    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter("a", kind, annotation=int),
        inspect.Parameter("b", kind, annotation="float", default=None),
    ]
    changed: Any = function
    changed.__signature__ = inspect.Signature(parameters)
    made = functions.declare(changed, strict=True).parameters
    assert list(made.required) == ["a"]
    assert made.properties["b"].nullable


class Swapped(BaseModel):
    """Moves it.

    Attributes:
        old: Where from.
        new: Where to.
    """

    old: str = Field(validation_alias="new")
    new: str = Field(validation_alias=AliasChoices(AliasPath("all", 0), AliasPath("to")))


def test_a_description_is_that_of_the_field_whatever_names_others_have() -> None:
    def move(way: Swapped) -> Swapped:
        """Moves it."""
        return way

    made = functions.declare(move, response=True)
    given, returned = made.parameters.properties["way"].properties, made.response.properties
    assert {name: given[name].description for name in given} == {
        "new": "Where from.",
        "to": "Where to.",
    }
    assert {name: returned[name].description for name in returned} == {
        "old": "Where from.",
        "new": "Where to.",
    }


@dataclasses.dataclass(slots=True)
class Renamed:
    """Moves it.

    Attributes:
        old: Where from.
    """

    old: Annotated[str, Field(alias="from")]


class RenamedDict(TypedDict):
    old: Annotated[str, "Where from.", Field(alias="from")]


@pytest.mark.parametrize("source", [Renamed, RenamedDict])
def test_an_alias_in_an_annotation_keeps_the_description(source: Any) -> None:
    properties = functions.declare(source).parameters.properties
    assert properties["from"].description == "Where from."


class Box(BaseModel, Generic[T]):
    """Holds a thing.

    Attributes:
        thing: What it holds.
    """

    thing: T


class Heavy(Box[int]):
    """Holds a heavy thing.

    Attributes:
        weight: In kilograms.
    """

    weight: int


@dataclasses.dataclass
class Parcel:
    """Is sent.

    Args:
        thing: What it holds.
    """

    thing: int


@dataclasses.dataclass
class Crate(Parcel):
    """Is shipped.

    Args:
        weight: In kilograms.
    """

    weight: int


class Base(typing_extensions.TypedDict):  # whose heirs know of it before Python 3.12, too
    """Holds a thing.

    Attributes:
        thing: What it holds.
    """

    thing: int


class HeavyDict(Base):
    """Holds a heavy thing.

    Attributes:
        weight: In kilograms.
    """

    weight: int


@pytest.mark.parametrize(
    ("source", "text", "fields"),
    [
        (Box[int], "Holds a thing.", {"thing": "What it holds."}),
        (
            Heavy,
            "Holds a heavy thing.",
            {"thing": "What it holds.", "weight": "In kilograms."},
        ),
        (Crate, "Is shipped.", {"thing": "What it holds.", "weight": "In kilograms."}),
        (
            HeavyDict,
            "Holds a heavy thing.",
            {"thing": "What it holds.", "weight": "In kilograms."},
        ),
    ],
    ids=["generic", "model", "dataclass", "typed-dict"],
)
def test_fields_are_described_by_the_class_that_they_come_from(
    source: Any, text: str, fields: dict[str, str]
) -> None:
    made = functions.declare(source, name="pack")
    assert made.description == text
    properties = made.parameters.properties
    assert {name: properties[name].description for name in properties} == fields


class Root(RootModel[Chain]):
    """Links all of them."""


def test_a_root_model_says_what_the_function_does() -> None:
    assert functions.declare(Root, refs=True).description == "Links all of them."


class SelfMade(BaseModel):
    """Is described by hand."""

    anything: Annotated[int, "Not this."]

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Json:
        made = handler.resolve_ref_schema(handler(core))
        made["properties"]["anything"] = True
        return made


def test_a_property_that_a_model_wrote_as_true() -> None:
    made = functions.declare(SelfMade, untyped="STRING")
    assert made.description == "Is described by hand."
    assert made.parameters.properties["anything"].type == v1.Type.STRING
