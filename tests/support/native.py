"""The native core of the JSON codec beside the Python codec, which is right by definition."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING
from unittest.mock import patch

from toolwire._errors import JsonError
from toolwire._json import _api
from toolwire._json._native import CODEC

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager

    from google.protobuf.message import Message

DEEPEST = 100


def binary(message: Message) -> bytes:
    """Compares what == cannot: NaN, the sign of zero, and unknown fields."""
    return message.SerializePartialToString(deterministic=True)


@contextmanager
def pure() -> Generator[None, None, None]:
    """Lets the Python codec do all the work."""
    with patch.multiple(_api, to_text=_not_mine, to_bytes=_not_mine, from_text=_not_mine):
        yield


def _not_mine(*_: object) -> None:
    return None


CODECS: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "installed": nullcontext,
    "python": pure,
}
"""The codec that is installed, which may have a native core, and the one in Python."""


def python_writes(message: Message, proto_names: bool, enums_as_ints: bool) -> str | None:
    """What the Python codec writes; None where it refuses."""
    with pure():
        try:
            return _api.to_json(message, proto_names=proto_names, enums_as_ints=enums_as_ints)
        except JsonError:
            return None


def python_reads(cls: type[Message], data: str | bytes, max_depth: int = DEEPEST) -> Message | None:
    """What the Python codec reads; None where it refuses."""
    with pure():
        try:
            return _api.from_json(cls, data, max_depth=max_depth)
        except JsonError:
            return None


def check_writing(
    message: Message, *, proto_names: bool = False, enums_as_ints: bool = False
) -> bool:
    """Compares what both write, and tells whether the native core did."""
    assert CODEC is not None
    text = CODEC.to_text(message, proto_names, enums_as_ints)
    raw = CODEC.to_bytes(message, proto_names, enums_as_ints)
    assert (text is None) == (raw is None)
    if text is None or raw is None:
        return False
    expected = python_writes(message, proto_names, enums_as_ints)
    assert text == expected, (message.DESCRIPTOR.full_name, binary(message))
    assert raw == text.encode()
    return True


def check_reading(cls: type[Message], data: str | bytes, max_depth: int = DEEPEST) -> bool:
    """Compares what both read, and tells whether the native core did."""
    assert CODEC is not None
    message = CODEC.from_text(cls, data, max_depth)
    if message is None:
        return False
    expected = python_reads(cls, data, max_depth)
    where = (cls.DESCRIPTOR.full_name, data, max_depth)
    assert expected is not None, where
    assert binary(message) == binary(expected), where
    return True


def check_outcome(cls: type[Message], data: str | bytes) -> None:
    """Reads with the codec that is installed and with the Python codec: value or error, alike."""
    installed = _outcome(cls, data)
    with pure():
        assert _outcome(cls, data) == installed, (cls.DESCRIPTOR.full_name, data)


def _outcome(cls: type[Message], data: str | bytes) -> object:
    try:
        return binary(_api.from_json(cls, data))
    except JsonError as error:
        return str(error), error.path, error.reason, error.line, error.column
