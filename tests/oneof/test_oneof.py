"""The oneof helpers, on every oneof of every message."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, cast

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, struct_pb2
from google.protobuf.message import Message

import toolwire
from support.fill import filled
from support.protos import PACKAGE, file, message
from support.schema import class_of, message_classes, qualified
from toolwire import oneof, v1

if TYPE_CHECKING:
    from toolwire._descriptor_types import FieldType

Case = tuple[type[Message], str, "FieldType"]

SOURCES = ", ".join(f.name for f in v1.Retrieval.DESCRIPTOR.oneofs_by_name["source"].fields)


def members() -> list[Case]:
    """Every member of every oneof that the schema spells."""
    found: list[Case] = []
    for cls in message_classes():
        proto = descriptor_pb2.DescriptorProto()
        cls.DESCRIPTOR.CopyToProto(proto)
        optional = {field.name for field in proto.field if field.proto3_optional}
        found += [
            (cls, group.name, field)
            for group in cls.DESCRIPTOR.oneofs
            for field in group.fields
            if field.name not in optional
        ]
    return found


ALL = pytest.mark.parametrize(
    ("cls", "group", "field"),
    members(),
    ids=[f"{qualified(cls)}.{field.name}" for cls, _, field in members()],
)


def zero(field: FieldType) -> object:
    """The value that a careless test of truth would take for unset."""
    kind = field.message_type
    return field.default_value if kind is None else class_of(kind)()


def test_the_schema_has_oneofs() -> None:
    assert len(members()) > 20
    assert oneof.names(v1.Retrieval) == ("source",)
    assert oneof.names(v1.Part()) == ("data", "metadata")


def test_a_oneof_that_stands_for_an_optional_field_is_none() -> None:
    assert oneof.names(v1.RagRetrievalConfig.Ranking.LlmRanker) == ()
    with pytest.raises(toolwire.DescriptorError, match="has no oneof"):
        oneof.which(v1.RagRetrievalConfig.Ranking.LlmRanker(model_name="m"), "_model_name")


@ALL
def test_set_but_empty_is_set(cls: type[Message], group: str, field: FieldType) -> None:
    message = cls()
    assert oneof.which(message, group) is None
    assert oneof.get(message, group) is None
    oneof.assign(message, field.name, zero(field))
    assert oneof.which(message, group) == field.name
    value = oneof.get(message, group)
    if field.message_type is None:
        assert value == field.default_value
    else:
        assert isinstance(value, Message)
        assert value.ByteSize() == 0
    assert oneof.which(cls.FromString(message.SerializeToString()), group) == field.name
    assert oneof.which(toolwire.from_json(cls, toolwire.to_json(message)), group) == field.name
    oneof.clear(message, group)
    assert oneof.which(message, group) is None
    assert message == cls()


@ALL
def test_set_but_empty_outlives_dicts_and_copies(
    cls: type[Message], group: str, field: FieldType
) -> None:
    message = cls()
    oneof.assign(message, field.name, zero(field))
    merged = cls()
    merged.MergeFrom(message)
    for found in (
        toolwire.from_dict(cls, toolwire.to_dict(message)),
        toolwire.from_dict(cls, {field.name: zero(field)}),
        copy.deepcopy(message),
        pickle.loads(pickle.dumps(message)),
        merged,
    ):
        assert oneof.which(found, group) == field.name


@ALL
def test_assigning_clears_the_others(cls: type[Message], group: str, field: FieldType) -> None:
    for other in cls.DESCRIPTOR.oneofs_by_name[group].fields:
        message = filled(cls)
        oneof.assign(message, other.name, zero(other))
        oneof.assign(message, field.name, getattr(filled(cls), field.name))
        assert oneof.which(message, group) == field.name
        if other.name != field.name:
            assert not message.HasField(other.name)


def test_what_is_assigned_is_a_copy() -> None:
    search = v1.VertexAISearch(datastore="d")
    retrieval = v1.Retrieval()
    oneof.assign(retrieval, "vertex_ai_search", search)
    search.datastore = "changed"
    assert retrieval.vertex_ai_search.datastore == "d"
    oneof.assign(retrieval, "vertex_ai_search", retrieval.vertex_ai_search)
    assert retrieval.vertex_ai_search.datastore == "d"


def test_a_got_message_is_the_live_one() -> None:
    retrieval = v1.Retrieval(vertex_ai_search={"datastore": "d"})
    search = cast("v1.VertexAISearch", oneof.get(retrieval, "source"))
    search.datastore = "changed"
    assert retrieval.vertex_ai_search.datastore == "changed"


def test_names_and_numbers_set_an_enum() -> None:
    resolution = v1.Part.MediaResolution()
    oneof.assign(resolution, "level", "MEDIA_RESOLUTION_HIGH")
    assert resolution.level == v1.Part.MediaResolution.MEDIA_RESOLUTION_HIGH
    oneof.assign(resolution, "level", 1)
    assert resolution.level == 1


def test_a_newer_member_is_told_from_an_unset_oneof() -> None:
    unset = v1.Retrieval()
    newer = v1.Retrieval.FromString(b"\x4a\x00")  # field 9, an empty message
    assert oneof.which(unset, "source", unknown="newer") is None
    assert oneof.which(newer, "source", unknown="newer") == "newer"
    assert oneof.which(newer, "source") is None
    known = v1.Retrieval.FromString(b"\x4a\x00\x12\x00")
    assert oneof.which(known, "source", unknown="newer") == "vertex_ai_search"


def foreign(cls: type[Message]) -> type[Message]:
    """The same message class in another pool."""
    pool = descriptor_pool.DescriptorPool()
    seen: set[str] = set()

    def add(file: object) -> None:
        name: str = getattr(file, "name")  # noqa: B009
        if name not in seen:
            seen.add(name)
            for dependency in getattr(file, "dependencies"):  # noqa: B009
                add(dependency)
            pool.AddSerializedFile(getattr(file, "serialized_pb"))  # noqa: B009

    add(cls.DESCRIPTOR.file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(cls.DESCRIPTOR.full_name))


def test_messages_of_another_pool_work() -> None:
    other = foreign(v1.Retrieval)()
    assert type(other) is not v1.Retrieval
    oneof.assign(other, "vertex_ai_search", {"datastore": "d"})
    assert oneof.which(other, "source") == "vertex_ai_search"
    ours = v1.Retrieval()
    oneof.assign(ours, "vertex_ai_search", getattr(other, "vertex_ai_search"))  # noqa: B009
    assert ours.vertex_ai_search.datastore == "d"
    value = struct_pb2.Value()
    oneof.assign(value, "bool_value", False)
    assert oneof.which(value, "kind") == "bool_value"


class Wrapper:
    """Keeps its message as proto-plus does."""

    def __init__(self, message: Message) -> None:
        self._pb = message


def test_a_proto_plus_wrapper_works() -> None:
    wrapper = cast("Message", Wrapper(v1.Retrieval(vertex_rag_store={})))
    assert oneof.which(wrapper, "source") == "vertex_rag_store"
    assert oneof.names(wrapper) == ("source",)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda: oneof.which(v1.Retrieval(), "sorce"),
            toolwire.DescriptorError,
            'Retrieval has no oneof "sorce"; did you mean "source"?',
            id="misspelt oneof",
        ),
        pytest.param(
            lambda: oneof.get(v1.Tool(), "kind"),
            toolwire.DescriptorError,
            'Tool has no oneof "kind"; it has none',
            id="no oneof at all",
        ),
        pytest.param(
            lambda: oneof.assign(v1.Retrieval(), "datastore", "d"),
            toolwire.DescriptorError,
            f'has no oneof member "datastore"; it has {SOURCES}',
            id="unknown member",
        ),
        pytest.param(
            lambda: oneof.assign(v1.Part(), "thought", "x"),
            toolwire.DescriptorError,
            'has no oneof member "thought"',
            id="a field outside of the oneofs",
        ),
        pytest.param(
            lambda: oneof.assign(v1.Part(), "text", None),
            toolwire.DescriptorError,
            "text: None is no value: use clear",
            id="none",
        ),
        pytest.param(
            lambda: oneof.assign(v1.Part(), "text", 3),
            toolwire.JsonError,
            "text: expected a string, found the number 3",
            id="wrong kind",
        ),
        pytest.param(
            lambda: oneof.assign(v1.Retrieval(), "vertex_ai_search", {"maxResults": "many"}),
            toolwire.JsonError,
            "vertexAiSearch.maxResults: ",
            id="wrong kind, deep",
        ),
        pytest.param(
            lambda: oneof.assign(v1.Retrieval(), "vertex_ai_search", v1.VertexRagStore()),
            toolwire.JsonError,
            "vertexAiSearch: ",
            id="another message",
        ),
        pytest.param(
            lambda: oneof.which(v1.Retrieval(), cast("str", None)),
            toolwire.DescriptorError,
            "expected the name of a oneof, found NoneType",
            id="no name",
        ),
        pytest.param(
            lambda: oneof.assign(v1.Part(), cast("str", ["text"]), "x"),
            toolwire.DescriptorError,
            "expected the name of a oneof member, found list",
            id="no member name",
        ),
        pytest.param(
            lambda: oneof.names(cast("type[Message]", dict)),
            toolwire.JsonError,
            "expected a protobuf message, found the class dict",
            id="no message",
        ),
    ],
)
def test_errors_say_what_would_be_right(
    call: object, error: type[toolwire.Error], text: str
) -> None:
    with pytest.raises(error) as caught:
        call()  # type: ignore[operator]  # pyright: ignore[reportCallIssue, reportUnknownVariableType]
    assert text in str(caught.value)


def test_a_refused_value_changes_nothing() -> None:
    retrieval = v1.Retrieval(vertex_ai_search={"datastore": "d"})
    before = retrieval.SerializeToString()
    with pytest.raises(toolwire.JsonError):
        oneof.assign(retrieval, "vertex_rag_store", {"rag": []})
    assert retrieval.SerializeToString() == before


def test_a_message_that_lacks_required_fields_by_now() -> None:
    fields = ("required int32 id = 1", "oneof:one string text = 2", "oneof:one int32 number = 3")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file("choice.proto", message("Choice", *fields, proto3=False), syntax="proto2"))
    found = pool.FindMessageTypeByName(f"{PACKAGE}.Choice")
    choice = message_factory.GetMessageClass(found)()
    oneof.assign(choice, "text", "x")
    assert str(choice) == 'text: "x"\n'
    choice.MergeFromString(b"\x08\x05")
    oneof.assign(choice, "number", 7)
    assert str(choice) == "id: 5\nnumber: 7\n"
