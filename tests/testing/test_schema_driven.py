"""The model and the rules read the schema: what upstream adds works without an edit."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto
from google.protobuf.message_factory import GetMessageClass

from support.apis import foreign
from support.calls import MODEL, TIME, plain
from toolwire import v1
from toolwire._rules import violations
from toolwire.testing._model import chunks, count, reply

PACKAGE = ".google.cloud.aiplatform.v1"


def add_field(message: descriptor_pb2.DescriptorProto, name: str, type_: Any, **more: Any) -> None:
    number = max((field.number for field in message.field), default=0) + 100
    message.field.add(
        name=name, number=number, type=type_, label=FieldDescriptorProto.LABEL_OPTIONAL, **more
    )


def tomorrow(file: descriptor_pb2.FileDescriptorProto) -> None:
    """Adds what tomorrow's schema may have: kinds of tool, a source, an id, optional bounds."""
    text, inner = FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.TYPE_MESSAGE
    by_name = {message.name: message for message in file.message_type}
    if "Tool" in by_name:
        for name in ("CrystalBall", "Archive"):
            kind = file.message_type.add(name=name)
            add_field(kind, "shelf_name", text)
            add_field(kind, "api_key", text)
        add_field(by_name["Tool"], "crystal_ball", inner, type_name=f"{PACKAGE}.CrystalBall")
        add_field(
            by_name["Retrieval"], "archive", inner, type_name=f"{PACKAGE}.Archive", oneof_index=0
        )
        add_field(by_name["FunctionCall"], "id", text)
        add_field(by_name["FunctionResponse"], "id", text)


@pytest.fixture(scope="module")
def request_class() -> type[Any]:
    return foreign(v1.GenerateContentRequest, tomorrow)


def ask(cls: type[Any], *tools: dict[str, Any]) -> Any:
    contents = [{"role": "user", "parts": [{"text": "Is it so?"}]}]
    return cls(model=MODEL, contents=contents, tools=tools)


def answer(request: Any) -> Any:
    pool = request.DESCRIPTOR.file.pool
    name = "google.cloud.aiplatform.v1.GenerateContentResponse"
    return reply(request, GetMessageClass(pool.FindMessageTypeByName(name))())


def test_a_new_kind_of_tool(request_class: type[Any]) -> None:
    tool = {"crystal_ball": {"shelf_name": "shelves/7", "api_key": "secrets/1"}}
    request = ask(request_class, tool)
    assert violations(request) == []
    response = answer(request)
    text = response.candidates[0].content.parts[0].text
    assert text == "Used crystal_ball (shelves/7). You said: Is it so?"
    (chunk,) = response.candidates[0].grounding_metadata.grounding_chunks
    assert chunk.retrieved_context.uri == "shelves/7"
    assert b"secrets" not in response.SerializeToString()


def test_a_new_kind_counts_as_one(request_class: type[Any]) -> None:
    (found,) = violations(ask(request_class, {"crystal_ball": {}, "google_search": {}}))
    assert found.rule == "tool.one-kind"
    assert "googleSearch and crystalBall" in found.message


def test_a_new_source_of_retrieval(request_class: type[Any]) -> None:
    request = ask(request_class, {"retrieval": {"archive": {"shelf_name": "shelves/8"}}})
    assert violations(request) == []
    assert "shelves/8" in answer(request).candidates[0].content.parts[0].text
    (found,) = violations(ask(request_class, {"retrieval": {}}))
    assert found.message.endswith("vertexAiSearch, vertexRagStore, archive")


def test_ids_of_calls_are_set_and_pair(request_class: type[Any]) -> None:
    request = ask(request_class, {"function_declarations": [TIME, {**TIME, "name": "is_it"}]})
    request.contents[0].parts[0].text = "both"
    turn = answer(request).candidates[0].content
    ids = [part.function_call.id for part in turn.parts]
    assert len(set(ids)) == len(ids) == 2
    assert all(ids)
    request.contents.append(turn)
    request.contents.add(role="user")
    for part in reversed(turn.parts):
        call = part.function_call
        request.contents[2].parts.add(
            function_response={"name": call.name, "id": call.id, "response": plain(call.args)}
        )
    assert violations(request) == []
    request.contents[2].parts[0].function_response.id = "other"
    assert {found.rule for found in violations(request)} == {"turns.paired"}


def test_messages_of_another_pool_are_served(request_class: type[Any]) -> None:
    request = ask(request_class, {"google_search": {}})
    response = answer(request)
    ours = v1.GenerateContentResponse.FromString(response.SerializeToString())
    same = reply(
        v1.GenerateContentRequest.FromString(request.SerializeToString()),
        v1.GenerateContentResponse(),
    )
    assert ours == same
    assert len(list(chunks(response))) == len(list(chunks(same)))


def test_a_response_without_optional_fields() -> None:
    """A field that an API has not got is left out, and nothing breaks."""

    def poorer(file: descriptor_pb2.FileDescriptorProto) -> None:
        for message in file.message_type:
            gone = {"create_time", "usage_metadata", "grounding_metadata", "thought_signature"}
            for field in [field for field in message.field if field.name in gone]:
                message.field.remove(field)

    request = ask(foreign(v1.GenerateContentRequest, poorer), {"google_search": {}})
    response = answer(request)
    assert response.candidates[0].content.parts[0].text.startswith("Used google_search.")
    assert len(list(chunks(response))) > 1
    counted: Any = count(request, v1.CountTokensResponse())
    assert counted.total_tokens
