"""What is said of the schema is what its descriptors and comments say: all of it."""

from __future__ import annotations

from importlib.resources import files

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire import DescriptorError, firebase, gemini, v1, v1beta1
from toolwire._definitions import Enum, Message, Service, describe, find
from toolwire._definitions._comments import comments
from toolwire._definitions._schema import schema

PROTOS = FileDescriptorSet.FromString(
    (files("toolwire_pb") / "descriptors.binpb").read_bytes()
).file
APIS = {"v1": v1, "v1beta1": v1beta1, "gemini": gemini, "firebase": firebase}


def message(name: str) -> Message:
    found = describe(find(name).kind)
    assert isinstance(found, Message)
    return found


def test_every_definition_is_there_by_its_full_name() -> None:
    for name, kind in schema().kinds.items():
        assert find(name).kind is kind
        assert describe(kind).name == name
    services = {f"{f.package}.{s.name}" for f in PROTOS for s in f.service}
    enums = {f"{f.package}.{e.name}" for f in PROTOS for e in f.enum_type}
    messages = {f"{f.package}.{m.name}" for f in PROTOS for m in f.message_type}
    assert services | enums | messages <= schema().kinds.keys()


@pytest.mark.parametrize("api", APIS)
def test_every_name_of_an_api_is_found_with_the_api_in_front(api: str) -> None:
    for name in APIS[api].__all__:
        value = getattr(APIS[api], name)
        if hasattr(value, "DESCRIPTOR"):
            found = describe(find(f"{api}.{name}").kind)
            assert found.name == value.DESCRIPTOR.full_name
            assert found.python == f"toolwire.{api}.{name}"


def test_every_comment_is_shown_somewhere() -> None:
    told: set[str] = set()
    for kind in schema().kinds.values():
        found = describe(kind)
        told.add(found.doc)
        if isinstance(found, Message):
            told |= {field.doc for field in found.fields}
            told |= {oneof.doc for oneof in found.oneofs}
        elif isinstance(found, Enum):
            told |= {value.doc for value in found.values}
        else:
            told |= {method.doc for method in found.methods}
    maps = {"Entry"}  # what a map makes has no comment
    for file in PROTOS:
        for name, text in comments(file).items():
            assert text in told or name.endswith(tuple(maps)), name


def test_a_field_is_described_whole() -> None:
    fields = {field.name: field for field in message("v1.FunctionDeclaration").fields}
    name = fields["name"]
    assert (name.number, name.type, name.label) == (1, "string", "singular")
    assert (name.has_presence, name.behaviors) == (False, ("REQUIRED",))
    assert name.doc.startswith("Required. The name of the function to call.\nMust start with")
    properties = next(f for f in message("v1.Schema").fields if f.name == "properties")
    assert (properties.label, properties.key_type) == ("map", "string")
    assert properties.type == "google.cloud.aiplatform.v1.Schema"
    assert properties.has_presence is None
    source = next(f for f in message("v1.Retrieval").fields if f.name == "vertex_ai_search")
    assert (source.oneof, source.json_name) == ("source", "vertexAiSearch")
    (deprecated,) = [f.name for f in message("v1.Retrieval").fields if f.deprecated]
    assert deprecated == "disable_attribution"


def test_an_optional_field_is_in_no_oneof() -> None:
    config = message("v1.GenerationConfig")
    temperature = next(field for field in config.fields if field.name == "temperature")
    assert (temperature.has_presence, temperature.oneof) == (True, "")
    assert not any(oneof.name.startswith("_") for oneof in config.oneofs)


def test_what_is_reserved_and_what_is_nested() -> None:
    tool = message("v1beta1.Tool")
    assert (8, 8) in tool.reserved
    assert "google.cloud.aiplatform.v1beta1.Tool.GoogleSearch" in tool.nested
    assert message("google.protobuf.FieldOptions").fields[0].default == "STRING"
    assert not any(name.endswith("Entry") for name in message("v1.Schema").nested)


def test_a_service_is_described_whole() -> None:
    service = describe(find("v1.PredictionService").kind)
    assert isinstance(service, Service)
    assert service.host == "aiplatform.googleapis.com"
    assert "https://www.googleapis.com/auth/cloud-platform" in service.scopes
    assert service.python == "toolwire.v1.grpc.PredictionServiceStub"
    methods = {method.name: method for method in service.methods}
    stream = methods["StreamGenerateContent"]
    assert (stream.client_streaming, stream.server_streaming) == (False, True)
    assert stream.request == "google.cloud.aiplatform.v1.GenerateContentRequest"
    assert [route.verb for route in stream.routes] == ["POST"] * len(stream.routes)
    assert any(route.path.endswith(":streamGenerateContent") for route in stream.routes)


@pytest.mark.parametrize(
    ("name", "full_name", "also"),
    [
        ("Tool", "google.cloud.aiplatform.v1.Tool", "v1beta1.Tool"),
        ("GoogleSearch", "google.cloud.aiplatform.v1.Tool.GoogleSearch", ""),
        ("Tool.GoogleSearch", "google.cloud.aiplatform.v1.Tool.GoogleSearch", ""),
        ("gemini.Tool", "google.ai.generativelanguage.v1beta.Tool", ""),
        ("v1beta1.Type", "google.cloud.aiplatform.v1beta1.Type", ""),
        ("GenerativeService", "google.ai.generativelanguage.v1beta.GenerativeService", ""),
        ("Struct", "google.protobuf.Struct", ""),
        ("protobuf.Struct", "google.protobuf.Struct", ""),
    ],
)
def test_short_names(name: str, full_name: str, also: str) -> None:
    found = find(name)
    assert found.kind.full_name == full_name
    assert not also or also in found.also
    assert all(find(other).kind.full_name != full_name for other in found.also)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Tol", r'no message, enum or service is named "Tol"; did you mean "Tool"\?'),
        ("v1.tool", r'named "v1\.tool"; did you mean "v1\.Tool"\?'),
        ("Mode", r'"Mode" is ambiguous: choose one of .*v1\.FunctionCallingConfig\.Mode'),
        ("GenerateContent", r'it is in "v1\.PredictionService": ask for that'),
        ("Tool.retrieval", r'it is in "v1\.Tool": ask for that'),
        ("v1.Retrieval.source", r'it is in "v1\.Retrieval": ask for that'),
        ("gemini.Type.STRING", r'it is in "gemini\.Type": ask for that'),
        ("PropertiesEntry", r'no message, enum or service is named "PropertiesEntry"'),
        ("", 'no message, enum or service is named ""$'),
        ("é" * 500, r'named "é{80}\.\.\."$'),
    ],
)
def test_other_names_are_errors(name: str, message: str) -> None:
    with pytest.raises(DescriptorError, match=message):
        find(name)
