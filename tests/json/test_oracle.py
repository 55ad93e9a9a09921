"""Random messages: what we write and read is what google.protobuf.json_format reads and writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.kinds import Edition, Kinds, Old
from support.messages import messages
from support.schema import message_classes
from toolwire._json import from_dict, from_json, to_dict, to_json

if TYPE_CHECKING:
    from google.protobuf.message import Message

RANDOM = settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
ANY_MESSAGE = st.one_of(
    messages(Kinds),
    messages(Old),
    messages(Edition),
    st.sampled_from(message_classes()).flatmap(messages),
)


def binary(message: Message) -> bytes:
    """Compares what == cannot: NaN, and the sign of zero."""
    return message.SerializeToString(deterministic=True)


def pool_of(message: Message) -> Any:
    return message.DESCRIPTOR.file.pool


def oracle_text(message: Message) -> str:
    return json_format.MessageToJson(message, descriptor_pool=pool_of(message))


@RANDOM
@given(ANY_MESSAGE)
def test_what_we_write_is_what_the_oracle_writes(message: Message) -> None:
    assert json.loads(to_json(message)) == json.loads(oracle_text(message))


@RANDOM
@given(ANY_MESSAGE)
def test_the_oracle_reads_what_we_write(message: Message) -> None:
    read = json_format.Parse(to_json(message), type(message)(), descriptor_pool=pool_of(message))
    assert binary(read) == binary(message)


@RANDOM
@given(ANY_MESSAGE)
def test_we_read_what_the_oracle_writes(message: Message) -> None:
    assert binary(from_json(type(message), oracle_text(message))) == binary(message)


@RANDOM
@given(ANY_MESSAGE, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_a_message_survives_json_with_every_option(
    message: Message, proto_names: bool, enums_as_ints: bool, include_defaults: bool, pretty: bool
) -> None:
    text = to_json(
        message,
        indent=2 if pretty else None,
        proto_names=proto_names,
        enums_as_ints=enums_as_ints,
        include_defaults=include_defaults,
    )
    assert binary(from_json(type(message), text)) == binary(message)


@RANDOM
@given(ANY_MESSAGE, st.booleans(), st.booleans())
def test_a_message_survives_a_dict(message: Message, raw_bytes: bool, proto_names: bool) -> None:
    made = to_dict(message, raw_bytes=raw_bytes, proto_names=proto_names)
    assert binary(from_dict(type(message), made)) == binary(message)


@RANDOM
@given(ANY_MESSAGE)
def test_defaults_are_those_of_the_oracle(message: Message) -> None:
    theirs = json_format.MessageToJson(
        message,
        always_print_fields_with_no_presence=True,
        descriptor_pool=pool_of(message),
    )
    assert json.loads(to_json(message, include_defaults=True)) == json.loads(theirs)
