"""Binary: protobuf's own reader, with errors of ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.kinds import Kinds
from toolwire import v1
from toolwire._errors import DecodeError
from toolwire._json import from_binary


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_every_kind_of_bytes_is_read(kind: Any) -> None:
    tool = v1.Tool(function_declarations=[v1.FunctionDeclaration(name="f")])
    assert from_binary(v1.Tool, kind(tool.SerializeToString())) == tool
    assert from_binary(v1.Tool, kind(b"")) == v1.Tool()


def test_fields_of_a_newer_schema_are_kept() -> None:
    data = b"\xfa\x3f\x03new"
    assert from_binary(v1.Tool, data).SerializeToString() == data


@pytest.mark.parametrize(
    ("cls", "data"),
    [
        pytest.param(Kinds, b"\xff", id="cut-tag"),
        pytest.param(Kinds, b"\x72\x05ab", id="cut-string"),
        pytest.param(Kinds, b"\x72\x01\xff", id="not-utf8"),
        pytest.param(Kinds, b"\x00", id="field-0"),
        pytest.param(Kinds, b"\xaa\x0a\x02\x08", id="cut-inside"),
    ],
)
def test_what_is_no_such_message_is_refused_naming_it(cls: Any, data: bytes) -> None:
    with pytest.raises(DecodeError, match=f"not a valid {cls.DESCRIPTOR.full_name}") as caught:
        from_binary(cls, data)
    assert caught.value.path == ""
    assert caught.value.__context__ is None
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("data", [None, "", "abc", 5, [1], object()])
def test_what_is_no_bytes_is_refused(data: Any) -> None:
    with pytest.raises(DecodeError, match=r"expected bytes for a toolwire\.test\.Kinds, found"):
        from_binary(Kinds, data)


@pytest.mark.parametrize("cls", [None, dict, Kinds()])
def test_what_is_no_message_class_is_refused(cls: Any) -> None:
    with pytest.raises(DecodeError, match="expected a message class such as"):
        from_binary(cls, b"")


@given(st.binary(max_size=40))
def test_random_bytes_give_a_message_or_our_error(data: bytes) -> None:
    try:
        message = from_binary(v1.Tool, data)
    except DecodeError:
        return
    assert from_binary(v1.Tool, message.SerializeToString()) == message
