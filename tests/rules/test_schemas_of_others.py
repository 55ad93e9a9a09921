"""Rules hold for schemas that change, for other pools and for whatever is in a message."""

# googleapis-common-protos has no types.
# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false, reportArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from google.api import field_behavior_pb2
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from support.apis import foreign
from support.foreign import Wrapper
from support.messages import random_message, seeded
from support.pool import full_name, pool_classes
from support.rule_examples import EXAMPLES
from toolwire import Violation, firebase, gemini, v1, violations
from toolwire._rules._profile import PROFILES

if TYPE_CHECKING:
    from google.protobuf.message import Message

F = descriptor_pb2.FieldDescriptorProto
CLASSES = [cls for cls in pool_classes() if cls.DESCRIPTOR.file.package in PROFILES]


def rules(message: object, **options: Any) -> list[tuple[str, str]]:
    return [(found.path, found.rule) for found in violations(message, **options)]


def with_news(file: descriptor_pb2.FileDescriptorProto) -> None:
    """A schema with a new kind of tool that requires something."""
    if not file.name.endswith("v1/tool.proto"):
        return
    kind = file.message_type.add(name="Telescope")
    shelf = kind.field.add(name="star_name", number=1, type=F.TYPE_STRING, label=F.LABEL_OPTIONAL)
    shelf.options.Extensions[field_behavior_pb2.field_behavior].append(field_behavior_pb2.REQUIRED)
    tool = next(each for each in file.message_type if each.name == "Tool")
    tool.field.add(
        name="telescope",
        number=1990,
        type=F.TYPE_MESSAGE,
        label=F.LABEL_OPTIONAL,
        type_name=".google.cloud.aiplatform.v1.Telescope",
    )


def test_a_new_kind_and_a_new_required_field_are_checked() -> None:
    newer = foreign(v1.Tool, with_news)
    assert rules(newer(telescope={"star_name": "x"})) == []
    assert rules(newer(telescope={})) == [("telescope.starName", "field.required")]
    (two,) = violations(newer(telescope={"star_name": "x"}, google_search={}))
    assert two.rule == "tool.one-kind"
    assert "googleSearch" in two.message
    assert "telescope" in two.message
    (none,) = violations(newer())
    assert "telescope" in none.message


def test_a_schema_from_before_alternatives_and_limits() -> None:
    """Such as that of older official packages, whose Schema required a type of every node."""

    def before(file: descriptor_pb2.FileDescriptorProto) -> None:
        for schema in (each for each in file.message_type if each.name == "Schema"):
            fields = [each for each in schema.field if each.name in OLD]
            del schema.field[:], schema.oneof_decl[:]
            for field in fields:
                field.ClearField("oneof_index")
                field.ClearField("proto3_optional")
            schema.field.extend(fields)

    older = foreign(gemini.Schema, before)
    assert rules(older(type="STRING", enum=["a"])) == []
    assert rules(older()) == [("type", "field.required")]
    array: dict[str, Any] = {"type": "ARRAY", "min_items": 2, "max_items": 1}
    assert rules(older(**array)) == [("items", "schema.items"), ("minItems", "schema.bounds")]


OLD = [
    *("type", "format", "description", "nullable", "enum"),
    *("items", "max_items", "min_items", "properties", "required"),
]
MOST_FIELDS = max(len(cls.DESCRIPTOR.fields) for cls in CLASSES)


@pytest.mark.parametrize("position", range(MOST_FIELDS))
@pytest.mark.parametrize("api", [v1, gemini], ids=["v1", "gemini"])
def test_a_rule_says_nothing_of_a_field_that_a_schema_has_not(api: Any, position: int) -> None:
    """In each message of the schema, the field in that place has another name."""

    def rename(kind: descriptor_pb2.DescriptorProto) -> None:
        if not kind.options.map_entry:
            for field in kind.field[position : position + 1]:
                field.name += "_by_another_name"
        for nested in kind.nested_type:
            rename(nested)

    def renamed(file: descriptor_pb2.FileDescriptorProto) -> None:
        if file.package in PROFILES:
            for kind in file.message_type:
                rename(kind)

    package = api.Tool.DESCRIPTOR.file.package
    messages = [
        message
        for example in EXAMPLES
        for message in (example.bad, example.good)
        if message.DESCRIPTOR.file.package == package
    ]
    classes = {
        kind: foreign(cls, renamed)
        for kind, cls in {each.DESCRIPTOR: type(each) for each in messages}.items()
    }
    for message in messages:
        other = classes[message.DESCRIPTOR]()
        # A message may be too deep for protobuf to read.
        with suppress(DecodeError):
            other.MergeFromString(message.SerializeToString())
        for found in violations(other, older=True):
            check(found)


def test_other_pools_and_wrappers_have_the_same_rules() -> None:
    fields: dict[str, Any] = {"function_declarations": [{"name": "a b"}], "google_search": {}}
    ours = violations(v1.Tool(**fields))
    assert len(ours) == 2
    assert violations(foreign(v1.Tool)(**fields)) == ours
    assert violations(Wrapper(v1.Tool(**fields))) == ours


def test_tools_inside_a_message_of_a_users_own() -> None:
    file = descriptor_pb2.FileDescriptorProto(name="job.proto", package="acme", syntax="proto3")
    file.dependency.append(v1.Tool.DESCRIPTOR.file.name)
    job = file.message_type.add(name="Job")
    for number, (name, type_) in enumerate((("tool", "Tool"), ("content", "Content")), 1):
        job.field.add(
            name=name,
            number=number,
            type=F.TYPE_MESSAGE,
            label=F.LABEL_OPTIONAL,
            type_name=".google.cloud.aiplatform.v1.Tool" if type_ == "Tool" else ".acme.Content",
        )
    # It has the name of a message of ours, and none of its meaning.
    own = file.message_type.add(name="Content")
    own.field.add(name="role", number=1, type=F.TYPE_STRING, label=F.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    _add(v1.Tool.DESCRIPTOR.file, pool, set())
    pool.Add(file)
    cls: Any = message_factory.GetMessageClass(pool.FindMessageTypeByName("acme.Job"))
    assert rules(cls(tool={}, content={"role": "boss"})) == [("tool", "tool.no-kind")]


def _add(file: Any, pool: descriptor_pool.DescriptorPool, done: set[str]) -> None:
    if file.name not in done:
        done.add(file.name)
        for dependency in file.dependencies:
            _add(dependency, pool, done)
        pool.Add(descriptor_pb2.FileDescriptorProto.FromString(file.serialized_pb))


def test_a_response_is_not_held_to_what_requests_must_have() -> None:
    candidate: dict[str, Any] = {"content": {"role": "model"}, "finish_reason": "STOP"}
    assert rules(v1.GenerateContentResponse(candidates=[candidate])) == []
    assert rules(v1.Candidate(**candidate)) == []
    assert rules(v1.Content(role="model")) == [("parts", "field.required")]


def test_a_cache_has_the_calls_that_come_before() -> None:
    response = {"function_response": {"name": "f", "response": {"a": 1}}}
    request = gemini.GenerateContentRequest(
        model="models/m",
        cached_content="cachedContents/1",
        contents=[{"role": "user", "parts": [response]}],
    )
    assert rules(request) == []
    request.ClearField("cached_content")
    assert rules(request) == [("contents[0].parts[0]", "turns.paired")]


def test_a_field_that_the_schema_does_not_know_may_be_what_a_part_holds() -> None:
    assert rules(v1.Part.FromString(b"\xfa\x3e\x00")) == []


def test_all_of_a_mask_may_be_meant() -> None:
    update = v1.UpdateCachedContentRequest(update_mask={"paths": ["*", "nothing", "expire_time"]})
    found = [each.message for each in violations(update) if each.rule == "field.immutable"]
    assert found == ['"nothing" is no field of CachedContent']


def test_a_deep_value_does_not_matter() -> None:
    function = firebase.TemplateFunction(name="f")
    schema = v1.Schema(type="OBJECT")
    for outermost in (function.input_schema, schema.default.struct_value):
        inner = outermost
        for _ in range(5000):
            inner = inner.fields["a"].struct_value
    assert rules(function) == []
    assert rules(schema) == []


@pytest.mark.parametrize("cls", CLASSES, ids=full_name)
@pytest.mark.parametrize("odd", [False, True])
def test_random_messages_never_crash_a_rule(cls: type[Message], odd: bool) -> None:
    for seed in range(8):
        message = random_message(seeded(seed), cls, odd=odd)
        for found in violations(message, older=True):
            check(found)


def check(found: Violation) -> None:
    assert found.rule
    assert found.source
    assert found.message
    assert "\n" not in found.message


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["v1", "v1beta1", "gemini", "firebase"]))
def test_random_requests_never_crash_a_rule_of_any_api(seed: int, api: str) -> None:
    message = random_message(seeded(seed), v1.GenerateContentRequest, 6)
    for found in violations(message, api, older=True):
        check(found)
