"""A default of None: null is taken, and declared as taken."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Literal, cast

import pytest
from pydantic import AfterValidator, BaseModel, Field

import toolwire
from support.calling import content
from support.declared import declared, node, property_of
from toolwire import functions
from toolwire.functions import Toolbox

Json = Any


class Model(BaseModel):
    q: str = cast("str", None)
    r: str | None = None


@dataclasses.dataclass
class Data:
    q: int = cast("int", None)
    u: int | str = cast("int", None)


STRIPPED = Annotated[str, AfterValidator(str.strip)]


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        (str, None),
        (str | int, None),
        (list[str], None),
        (Literal["a"], None),
        (Annotated[str, "words"], None),
        (Annotated[str, Field(min_length=2)], None),
        (STRIPPED, None),
        (str, Field(default=None, max_length=3)),
        (Annotated[str, Field(default=None, description="d")], ...),
        (Model, None),
        (str | None, None),
    ],
)
def test_null_is_taken_where_none_is_the_default(annotation: Any, default: Any) -> None:
    def take(q: Any = default) -> str:
        """Takes it."""
        return repr(q)

    take.__annotations__["q"] = annotation
    if default is ...:
        take.__defaults__ = None
    box = Toolbox([take])
    schema: Json = toolwire.to_dict(box.tool.function_declarations[0].parameters)
    assert "required" not in schema
    made: Json = schema["properties"]["q"]
    assert all(each["nullable"] is True for each in made.get("anyOf", [made]))
    assert not [each for each in toolwire.violations(box.tool) if "default" in each.rule]
    (outcome,) = box.run(content(("take", {"q": None})))
    assert outcome.value == "None"


def test_what_is_annotated_still_wins_over_the_docstring() -> None:
    def take(q: Annotated[str, "words"] = cast("str", None)) -> None:
        """Takes it.

        Args:
            q: Of the docstring.
        """

    made = functions.declare(take, strict=True).parameters.properties["q"]
    assert (made.description, made.nullable) == ("words", True)


def test_a_field_of_a_class_takes_what_the_class_takes() -> None:
    """Its own check would refuse null, which we could not change."""
    for source, lost in ((Model, ["q"]), (Data, ["q", "u"])):
        message, changes = functions.declare(source, report=True)
        assert [each.path for each in changes] == [f'properties["{name}"].default' for name in lost]
        assert not message.parameters.properties["q"].HasField("default")
    assert functions.declare(Model).parameters.properties["r"].nullable is True


def test_a_default_of_null_in_a_schema() -> None:
    made, changes = property_of({"type": "string", "default": None})
    assert (made, changes) == ({"type": "STRING"}, {"default": "dropped"})
    taken = {"type": "STRING", "nullable": True, "default": None}
    assert node({"type": ["string", "null"], "default": None}) == taken
    union = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
    assert node(union) == taken
    assert node({"type": "string", "nullable": True, "default": None}) == taken
    any_value: Json = {"type": "object", "properties": {"x": {"default": None}}}
    assert declared(any_value, untyped="STRING")[0]["parameters"]["properties"]["x"] == taken
