"""Bytes in JSON: declared as what their check reads."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Optional

import pytest
from pydantic import (
    Base64Bytes,
    Base64Str,
    Base64UrlBytes,
    BaseModel,
    ConfigDict,
    EncodedBytes,
    EncoderProtocol,
    Field,
    SecretBytes,
)
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


class Mirror(EncoderProtocol):
    """An encoder of a user's own."""

    @classmethod
    def decode(cls, data: bytes) -> bytes:
        return data[::-1]

    @classmethod
    def encode(cls, value: bytes) -> bytes:
        return value[::-1]

    @classmethod
    def get_json_format(cls) -> str:
        return "mirror"


Mirrored = Annotated[bytes, EncodedBytes(encoder=Mirror)]


@dataclasses.dataclass
class Decoded:
    b: Base64Bytes


class DecodedDict(TypedDict):
    b: Base64Bytes


class DecodedModel(BaseModel):
    b: Base64Bytes


@pydantic_dataclasses.dataclass
class DecodedOwn:
    b: Base64Bytes


@dataclasses.dataclass
class DecodedHex:
    __pydantic_config__ = ConfigDict(val_json_bytes="hex")
    b: Base64Bytes


ENCODED: list[tuple[Any, Json, object]] = [
    (Base64Bytes, "+/8=", b"\xfb\xff"),
    (Base64UrlBytes, "-_8=", b"\xfb\xff"),
    (Base64Str, "aGk=", "hi"),
    (Mirrored, "ih", b"hi"),
    (list[Base64Bytes], ["aGk=", "+/8="], [b"hi", b"\xfb\xff"]),
    (dict[str, Base64UrlBytes], {"a": "-_8="}, {"a": b"\xfb\xff"}),
    (Optional[Base64UrlBytes], "-_8=", b"\xfb\xff"),  # noqa: UP045 - as type checkers read it
    (Decoded, {"b": "aGk="}, Decoded(b"hi")),
    (list[Decoded], [{"b": "aGk="}], [Decoded(b"hi")]),
    (DecodedDict, {"b": "aGk="}, {"b": b"hi"}),
    (DecodedModel, {"b": "aGk="}, DecodedModel(b=b"aGk=")),
    (DecodedOwn, {"b": "aGk="}, DecodedOwn(b"aGk=")),
    (DecodedHex, {"b": "aGk="}, DecodedHex(b"hi")),
]


@pytest.mark.parametrize(("kind", "text", "value"), ENCODED, ids=str)
def test_a_type_that_decodes_itself_is_decoded_once(kind: Any, text: Json, value: object) -> None:
    got: list[object] = []

    def take(x: Any) -> None:
        """Takes it."""
        got.append(x)

    take.__annotations__["x"] = kind
    (outcome,) = Toolbox([take]).run(content(("take", {"x": text})))
    assert outcome.error is None
    assert got == [value]
    assert functions.parse(toolwire.to_json(functions.to_value(text)), kind) == value


def test_text_that_a_type_cannot_decode_has_its_place() -> None:
    def take(x: list[Base64Bytes]) -> None:
        """Takes it."""

    (outcome,) = Toolbox([take]).run(content(("take", {"x": ["aGk=", "a"]})))
    assert str(outcome.error).startswith("x[1]: base64 decoding error")


def test_lengths_of_what_decodes_itself_are_those_of_the_text() -> None:
    def take(x: Annotated[bytes, Field(max_length=4), EncodedBytes(encoder=Mirror)]) -> None:
        """Takes it."""

    box = Toolbox([take])
    assert box.tool.function_declarations[0].parameters.properties["x"].max_length == 4
    fits, fails = box.run(content(("take", {"x": "abcd"}), ("take", {"x": "abcde"})))
    assert fits.error is None
    assert "at most 4" in str(fails.error)


def test_secret_bytes_are_the_text_itself() -> None:
    got: list[bytes] = []

    def login(password: SecretBytes) -> None:
        """Logs in."""
        got.append(password.get_secret_value())

    (outcome,) = Toolbox([login]).run(content(("login", {"password": "hunter2!"})))
    assert outcome.error is None
    assert got == [b"hunter2!"]
