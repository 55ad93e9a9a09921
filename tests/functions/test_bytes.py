"""Bytes in JSON: declared as what their check reads."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, Field
from pydantic import dataclasses as pydantic_dataclasses
from typing_extensions import TypedDict

import toolwire
from support.calling import content
from toolwire import functions
from toolwire.functions import Toolbox

Json = Any
BASE64 = {"type": "STRING", "format": "byte"}


class Plain(BaseModel):
    b: bytes


class Coded(BaseModel, val_json_bytes="base64"):
    b: bytes = b"hi"


class Hex(BaseModel, val_json_bytes="hex"):
    b: Annotated[bytes, Field(max_length=2)] = b"hi"


@dataclasses.dataclass
class Data:
    b: bytes


class Typed(TypedDict):
    b: bytes


@pytest.mark.parametrize(
    ("annotation", "schema", "text"),
    [
        (bytes, BASE64, "aGk="),
        (bytes, BASE64, "aGk"),
        (list[bytes], BASE64, "aGk="),
        (Data, BASE64, "aGk="),
        (Typed, BASE64, "aGk="),
        (Plain, {"type": "STRING"}, "hi"),
        (Coded, {**BASE64, "default": "aGk="}, "aGk="),
        (
            Hex,
            {
                "type": "STRING",
                "maxLength": "4",
                "default": "6869",
                "description": "Encoded as base16.",
            },
            "6869",
        ),
    ],
)
def test_what_is_declared_is_what_is_read(annotation: Any, schema: Json, text: str) -> None:
    got: list[Any] = []

    def take(x: Any) -> None:
        """Takes it."""
        got.append(x)

    take.__annotations__["x"] = annotation
    box = Toolbox([take])
    parameters: Json = toolwire.to_dict(box.tool.function_declarations[0].parameters)
    made: Json = parameters["properties"]["x"]
    is_list = annotation == list[bytes]
    inner = made["items"] if is_list else made["properties"]["b"] if "properties" in made else made
    assert {key: str(value) for key, value in inner.items()} == schema
    value: Json = [text] if is_list else {"b": text} if "properties" in made else text
    (outcome,) = box.run(content(("take", {"x": value})))
    assert outcome.error is None
    found: Any = got[0][0] if is_list else got[0]
    assert (found["b"] if annotation is Typed else getattr(found, "b", found)) == b"hi"


def test_lengths_and_defaults_of_bytes_count_as_text() -> None:
    def take(
        a: Annotated[bytes, Field(min_length=4, max_length=4)], b: bytes = b"\xfb\xff"
    ) -> None:
        """Takes them."""

    properties = functions.declare(take, strict=True).parameters.properties
    assert (properties["a"].min_length, properties["a"].max_length) == (6, 8)
    (outcome,) = Toolbox([take]).run(content(("take", {"a": "MTIzNA"})))
    assert outcome.error is None
    assert properties["b"].default.string_value in {"-_8=", "+/8="}


def test_an_api_without_the_format_says_it() -> None:
    def take(a: bytes) -> None:
        """Takes it."""

    properties = functions.declare(take, api="gemini").parameters.properties
    assert properties["a"].description == "Encoded as base64."


def test_bytes_of_an_answer() -> None:
    assert functions.parse('"aGk="', bytes) == b"hi"
    assert functions.response_schema(bytes).format == "byte"
    assert functions.parse('{"b": "aGk="}', Data) == Data(b"hi")
    with pytest.raises(toolwire.JsonError, match="does not fit"):
        functions.parse('"no base64!"', bytes)


class Written(BaseModel, ser_json_bytes="base64"):
    b: bytes


@pydantic_dataclasses.dataclass
class Own:
    b: bytes


@pydantic_dataclasses.dataclass(config=ConfigDict(ser_json_bytes="base64"))
class OwnWritten:
    b: bytes


@pytest.mark.parametrize(
    ("value", "schema", "text"),
    [
        (b"\xfb\xff", BASE64, "+/8="),
        (Data(b"\xfb\xff"), BASE64, "+/8="),
        (Written(b=b"\xfb\xff"), BASE64, "-_8="),
        (Coded(b=b"hi"), {"type": "STRING", "default": "hi"}, "hi"),
        (Own(b"hi"), {"type": "STRING"}, "hi"),
        (OwnWritten(b"\xfb\xff"), BASE64, "-_8="),
    ],
)
def test_bytes_of_a_result_are_as_declared(value: Any, schema: Json, text: str) -> None:
    def give() -> Any:
        """Gives it."""
        return value

    give.__annotations__["return"] = type(value)
    declared: Json = toolwire.to_dict(functions.declare(give, response=True).response)
    assert declared.get("properties", {}).get("b", declared) == schema
    (outcome,) = Toolbox([give]).run(content("give"))
    assert [*outcome.response.values()] == [text]
