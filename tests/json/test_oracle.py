"""Random messages and texts: we read and write what google.protobuf.json_format does.

Where it does otherwise, a row of the list in docs/json.md must say so.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.fill import filled
from support.kinds import Edition, Kinds, Needs, Nulls, Old
from support.messages import messages, random_message, seeded
from support.mutations import mutate
from support.native import binary
from support.oracle import compare_reading, theirs_written
from support.pool import full_name, pool_classes
from support.spellings import spelled
from toolwire._json import from_dict, from_json, to_dict, to_json

if TYPE_CHECKING:
    from google.protobuf.message import Message

CLASSES: list[type[Message]] = [Kinds, Nulls, Old, Needs, Edition, *pool_classes()]
ANY_MESSAGE: st.SearchStrategy[Message] = st.one_of(
    *(messages(cls) for cls in (Kinds, Nulls, Old, Edition)),
    st.sampled_from(CLASSES).flatmap(messages),
)
# Where json_format refuses part of what it writes itself.
NO_NULL_LISTS = ANY_MESSAGE.filter(lambda message: not isinstance(message, Nulls))
SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("cls", CLASSES, ids=full_name)
def test_messages_of_every_type_are_read_in_every_spelling(cls: type[Message]) -> None:
    rng = seeded(full_name(cls))
    for message in (filled(cls), *(random_message(rng, cls) for _ in range(4))):
        text = spelled(rng, message)
        if text is None:
            assert b"type_url" in binary(message)  # only an Any can be filled badly
            continue
        assert binary(from_json(cls, text)) == binary(message)
        compare_reading(cls, text)


@given(ANY_MESSAGE)
def test_what_we_write_is_what_the_oracle_writes(message: Message) -> None:
    theirs = theirs_written(message)
    assert theirs is not None
    assert json.loads(to_json(message)) == json.loads(theirs)


@given(NO_NULL_LISTS)
def test_the_oracle_reads_what_we_write(message: Message) -> None:
    assert compare_reading(type(message), to_json(message)) == "read"


@given(ANY_MESSAGE)
def test_we_read_what_the_oracle_writes(message: Message) -> None:
    theirs = theirs_written(message)
    assert theirs is not None
    assert binary(from_json(type(message), theirs)) == binary(message)


@given(ANY_MESSAGE)
def test_defaults_are_those_of_the_oracle(message: Message) -> None:
    theirs = theirs_written(message, always_print_fields_with_no_presence=True)
    assert theirs is not None
    assert json.loads(to_json(message, include_defaults=True)) == json.loads(theirs)


@given(ANY_MESSAGE, SEEDS)
def test_every_spelling_of_a_message_is_read(message: Message, seed: int) -> None:
    rng = seeded(seed)
    for _ in range(3):
        text = spelled(rng, message)
        assert text is not None
        assert binary(from_json(type(message), text)) == binary(message)
        compare_reading(type(message), text)


@given(st.sampled_from(CLASSES).flatmap(lambda cls: messages(cls, odd=True)), SEEDS)
def test_the_oracle_reads_and_refuses_what_we_do(message: Message, seed: int) -> None:
    rng = seeded(seed)
    text = spelled(rng, message)
    if text is not None:
        compare_reading(type(message), text)
        for _ in range(5):
            compare_reading(type(message), mutate(rng, text.encode(), b'{"a":[1,null]}'))


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


@given(ANY_MESSAGE, st.booleans(), st.booleans())
def test_a_message_survives_a_dict(message: Message, raw_bytes: bool, proto_names: bool) -> None:
    assume(to_json(message).startswith("{"))
    made = to_dict(message, raw_bytes=raw_bytes, proto_names=proto_names)
    assert binary(from_dict(type(message), made)) == binary(message)
