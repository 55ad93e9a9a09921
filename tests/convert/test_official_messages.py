"""Messages of the official packages convert as ours do, whichever side they are on."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from support.messages import random_message, seeded
from support.official import official, official_class
from toolwire import convert, firebase, functions, gemini, split_tool, v1, v1beta1
from toolwire._apis import APIS
from toolwire._convert._plan import alike
from toolwire._messages import descriptor_of

if TYPE_CHECKING:
    from google.protobuf import descriptor_pb2
    from google.protobuf.message import Message

SERVED = [api for api in APIS.values() if api.services()]
NAMES = ("Schema", "Tool", "Citation", "CitationMetadata", "Candidate", "GenerationConfig")
PAIRS = [
    (source, target)
    for one, other in itertools.permutations(SERVED, 2)
    for source, target in itertools.product(one.classes(), other.classes())
    if source.DESCRIPTOR.name in NAMES and alike(descriptor_of(source), descriptor_of(target))
]


def data(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def shown(cls: Any) -> str:
    return ".".join(descriptor_of(cls).full_name.split(".")[-2:])


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=shown)
def test_either_side_may_be_official(source: type[Message], target: type[Message]) -> None:
    for seed in range(20):
        message = random_message(seeded(f"{source}{seed}"), source, 4)
        ours = convert(message, to=target)
        targets: list[Any] = [target, official_class(target)]
        for given in (message, official(message)):
            for to in targets:
                made = convert(given, to=to)
                assert type(made.message) is to
                assert data(made.message) == data(ours.message)
                assert len(made.losses) == len(ours.losses)
        if not ours.losses:
            there = convert(official(message), to=official_class(target)).message
            back = convert(there, to=official_class(source))
            assert data(back.message) == data(convert(ours.message, to=source).message)
            assert back.losses == ()


def test_a_schema_keeps_its_type_and_format() -> None:
    theirs = official(v1.Schema(type="INTEGER", format="int32"))
    own = official_class(v1.Schema)
    targets: list[Any] = [gemini.Schema, v1beta1.Schema]
    for to in targets:
        assert convert(theirs, to=to, strict=True).message == to(type="INTEGER", format="int32")
        back: Any = convert(to(type="INTEGER", format="int32"), to=own, strict=True)
        assert back.message == theirs
    tool = official(
        v1.Tool(function_declarations=[{"name": "f", "parameters": {"type": "OBJECT"}}])
    )
    (function,) = convert(tool, to=firebase.Tool).message.template_functions
    assert function.input_schema["type"] == "object"


def test_what_stands_in_for_a_type_or_a_format_stands_in_there_too() -> None:
    to = official_class(v1.Schema)
    null = convert(gemini.Schema(type="NULL"), to=to)
    assert null.message == to(type_="STRING", nullable=True, description="Always null.")
    assert [loss.path for loss in null.losses] == ["type"]
    date = convert(official(v1.Schema(type="STRING", format="date")), to=gemini.Schema)
    assert date.message == gemini.Schema(type="STRING", description="Format: date.")
    assert [loss.path for loss in date.losses] == ["format"]


def test_what_only_a_newer_package_has_is_told_by_its_name() -> None:
    def with_news(file: descriptor_pb2.FileDescriptorProto) -> None:
        for kind in file.message_type:
            if kind.name == "Schema":
                kind.field.add(name="scope", number=1990, type=9, label=1)

    theirs: Any = official_class(v1.Schema, with_news)(type_="STRING", scope="x")
    made = convert(theirs, to=gemini.Schema)
    assert made.message == gemini.Schema(type="STRING")
    assert list(map(str, made.losses)) == ["scope: gemini.Schema has no such field"]
    newer: Any = official_class(v1beta1.Schema, with_news)
    assert convert(theirs, to=newer, strict=True).message == newer(type_="STRING", scope="x")


def test_what_an_older_package_has_not_is_told() -> None:
    def before(file: descriptor_pb2.FileDescriptorProto) -> None:
        for kind in file.message_type:
            if kind.name == "Schema":
                fields = [each for each in kind.field if each.name != "any_of"]
                del kind.field[:]
                kind.field.extend(fields)

    older = official_class(v1.Schema, before)
    made = convert(gemini.Schema(any_of=[{"type": "STRING"}], title="x"), to=older)
    assert made.message == older(title="x")
    assert list(map(str, made.losses)) == ["anyOf: v1.Schema has no such field"]


def use(a: str) -> str:
    return a


def test_functions_that_take_messages_of_any_pool_take_official_ones() -> None:
    schema = v1.Schema(type="OBJECT", properties={"a": {"type": "STRING", "format": "date"}})
    declared = v1.FunctionDeclaration(name="f", description="d", parameters=schema)
    assert functions.to_json_schema(official(schema)) == functions.to_json_schema(schema)
    assert functions.declare(official(schema), name="f") == functions.declare(schema, name="f")
    tool = v1.Tool(function_declarations=[declared])
    assert functions.tool([official(declared)]) == tool
    assert functions.Toolbox([(official(declared), use)]).tool == tool
    two = v1.Tool(function_declarations=[declared], google_search={})
    assert list(map(data, split_tool(official(two)))) == list(map(data, split_tool(two)))
