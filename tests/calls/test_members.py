"""Results go back by the names that the declaration of the function has for them."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Generic, TypeVar

import pytest
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, computed_field, field_serializer
from pydantic import dataclasses as pydantic_dataclasses

import toolwire
from support.calling import content
from toolwire import functions
from toolwire.functions import Toolbox

Json = Any
HIDDEN: Any = Field(exclude=True)


class Model(BaseModel):
    model_config = ConfigDict(validate_by_name=True)
    a: int = Field(alias="alpha")
    b: Annotated[int, Field(serialization_alias="beta")] = 2
    c: Annotated[int, Field(validation_alias="gamma")] = 3
    d: Annotated[int, HIDDEN] = 4


@pydantic_dataclasses.dataclass(config=ConfigDict(validate_by_name=True))
class Checked:
    a: Annotated[int, Field(alias="alpha")]
    b: Annotated[int, Field(serialization_alias="beta")] = 2
    c: Annotated[int, Field(validation_alias="gamma")] = 3
    d: Annotated[int, HIDDEN] = 4


@dataclasses.dataclass(frozen=True)
class Plain:
    a: Annotated[int, Field(alias="alpha")]
    b: Annotated[int, Field(serialization_alias="beta")] = 2
    c: Annotated[int, Field(validation_alias="gamma")] = 3
    d: Annotated[int, HIDDEN] = 4


class Dict(typing_extensions.TypedDict):
    a: Annotated[int, Field(alias="alpha")]
    b: typing_extensions.NotRequired[Annotated[int, Field(serialization_alias="beta")]]
    c: typing_extensions.NotRequired[Annotated[int, Field(validation_alias="gamma")]]
    d: typing_extensions.NotRequired[Annotated[int, HIDDEN]]


class Camel(typing_extensions.TypedDict):
    __pydantic_config__ = ConfigDict(alias_generator=str.upper)  # type: ignore[misc]  # pydantic's

    day: datetime.date


@dataclasses.dataclass
class Chain:
    own: Dict
    rest: Annotated[Chain | None, Field(serialization_alias="more")] = None


class Unknown: ...


@dataclasses.dataclass
class Odd:
    a: Annotated[int, Field(alias="alpha")]
    b: Unknown | None = None


DICT: Dict = {"a": 1, "b": 2, "c": 3, "d": 4}
WRITTEN: Json = {"alpha": 1, "beta": 2, "c": 3}
DAY = datetime.date(2026, 1, 2)
Dicts = typing_extensions.TypeAliasType("Dicts", list[Dict])

RESULTS: list[tuple[Any, Any, Json]] = [
    (Model, Model(alpha=1), WRITTEN),
    (Checked, Checked(a=1), WRITTEN),
    (Plain, Plain(1), WRITTEN),
    (Dict, DICT, WRITTEN),
    (Annotated[Dict, "What is there."], DICT, WRITTEN),
    (Dict | None, DICT, WRITTEN),
    (Dict | None, None, {"output": None}),
    (Sequence[Dict], [DICT], {"output": [WRITTEN]}),
    (Dicts, [DICT], {"output": [WRITTEN]}),
    (tuple[Dict, ...], (DICT, DICT), {"output": [WRITTEN] * 2}),
    (tuple[int, Dict], (1, DICT), {"output": [1, WRITTEN]}),
    (Mapping[str, Dict], {"a": DICT}, {"a": WRITTEN}),
    (list[Dict] | Dict, DICT, WRITTEN),
    (list[Dict] | Dict, [DICT], {"output": [WRITTEN]}),
    (Camel | Dict, DICT, WRITTEN),
    (Camel, {"day": DAY}, {"DAY": "2026-01-02"}),
    (Chain, Chain(DICT, Chain(DICT)), {"own": WRITTEN, "more": {"own": WRITTEN, "more": None}}),
    (list[Plain], [Plain(1)], {"output": [WRITTEN]}),
    (set[Plain], {Plain(1)}, {"output": [WRITTEN]}),
    (dict[str, Any], {"a": DICT}, {"a": DICT}),
]


def giving(annotation: Any, value: object) -> Any:
    def give() -> Any:
        """Gives it."""
        return value

    give.__annotations__["return"] = annotation
    return give


@pytest.mark.parametrize(("annotation", "value", "written"), RESULTS, ids=str)
def test_a_result_goes_back_by_its_declared_names(
    annotation: Any, value: object, written: Json
) -> None:
    give = giving(annotation, value)
    asked = content("give")
    for box in (Toolbox([give]), Toolbox([(functions.declare({}, name="give"), give)])):
        (outcome,) = box.run(asked)
        (same,) = asyncio.run(box.arun(asked))
        assert outcome.response == same.response == written
        assert outcome.value is value
        reply = functions.respond(asked, outcome)
        assert functions.to_plain(reply.parts[0].function_response.response) == written


@pytest.mark.parametrize("source", [Model, Checked, Plain, Dict])
def test_the_names_are_those_of_the_declaration(source: Any) -> None:
    value = DICT if source is Dict else source(a=1)
    give = giving(source, value)
    declared = functions.declare(give, response=True).response
    (outcome,) = Toolbox([give]).run(content("give"))
    assert sorted(declared.properties) == sorted(outcome.response)
    whole: Json = toolwire.to_dict(
        functions.declare(give, response=True, api="v1beta1", as_json_schema=True)
    )
    assert sorted(whole["responseJsonSchema"]["properties"]) == sorted(outcome.response)


@pytest.mark.parametrize("source", [Model, Checked, Plain, Dict])
def test_arguments_come_by_the_names_that_are_declared(source: Any) -> None:
    got: list[Any] = []

    def take(x: Any) -> None:
        """Takes it."""
        got.append(x)

    take.__annotations__["x"] = source
    box = Toolbox([take])
    names = [*box.tool.function_declarations[0].parameters.properties["x"].properties]
    assert sorted(names) == ["alpha", "b", "d", "gamma"]
    (outcome,) = box.run(content(("take", {"x": dict.fromkeys(names, 7)})))
    assert outcome.error is None
    found = got[0] if source is Dict else {name: getattr(got[0], name) for name in "abcd"}
    assert found == {"a": 7, "b": 7, "c": 7, "d": 7}


def test_a_dataclass_has_its_declared_names_wherever_it_goes_back() -> None:
    reply = functions.respond(content("give"), [Plain(1)])
    assert functions.to_plain(reply.parts[0].function_response.response) == {"output": [WRITTEN]}
    assert functions.to_plain(functions.to_struct({"x": Plain(1)})) == {"x": WRITTEN}


@pydantic_dataclasses.dataclass
class Priced:
    net: float

    @computed_field(alias="withTax")  # type: ignore[prop-decorator]  # as pydantic has it
    @property
    def gross(self) -> float:
        return self.net * 2

    @field_serializer("net")
    def _spelled(self, net: float) -> str:
        return f"{net} EUR"


Item = TypeVar("Item")


class Page(typing_extensions.TypedDict, Generic[Item]):
    items: Annotated[Item, Field(serialization_alias="all")]


def test_an_annotation_need_not_be_hashable() -> None:
    give = giving(Page[Annotated[int, {"unit": "m"}]], {"items": 1})
    (outcome,) = Toolbox([give]).run(content("give"))
    assert (outcome.error, outcome.response) == (None, {"all": 1})


def test_what_a_class_of_pydantic_writes_itself_is_what_it_declares() -> None:
    give = giving(Priced, Priced(1.5))
    declared: Json = toolwire.to_dict(functions.declare(give, response=True).response)
    assert {name: each["type"] for name, each in declared["properties"].items()} == {
        "net": "STRING",
        "withTax": "NUMBER",
    }
    (outcome,) = Toolbox([give]).run(content("give"))
    assert outcome.response == {"net": "1.5 EUR", "withTax": 3}


def test_a_class_that_pydantic_cannot_describe_keeps_its_names() -> None:
    assert functions.to_plain(functions.to_struct(Odd(1))) == {"a": 1, "b": None}


def test_a_result_whose_annotation_names_nothing_goes_back_as_it_is() -> None:
    give = giving("Missing", DICT)
    (outcome,) = Toolbox([give]).run(content("give"))
    assert outcome.response == DICT
