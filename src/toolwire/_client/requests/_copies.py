"""A message of our own class out of whatever stands for one: a dict, or another class."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeGuard, TypeVar

from google.protobuf.message import Message

from toolwire._client.requests._depth import is_shallow
from toolwire._client.requests._hints import hint_from, hint_to_declare
from toolwire._errors import JsonError
from toolwire._json import from_dict
from toolwire._messages import DEEPEST, as_message, fits, parse_binary
from toolwire._words import is_genai, kind_spoken, with_article

if TYPE_CHECKING:
    from toolwire._descriptor_types import MessageType

M = TypeVar("M", bound=Message)


def to_message(cls: type[M], value: object, path: str, levels: int = DEEPEST - 1) -> M:
    """Returns a value as a message; one that is of the class already is not copied.

    Protobuf copies by writing and reading, so that what nests too deeply could not be put into
    a request. It is found here, before anything is done to it.

    Args:
        cls: Our class.
        value: A message of its full name from any pool, a proto-plus wrapper, or a mapping.
        path: Where the value stands in the request, for the error.
        levels: How many levels of messages may lie below this one.

    Raises:
        JsonError: If it is none of these, nests too deeply, or is a mapping that does not fit.
        DecodeError: If it is a message of another class that cannot be read back.
    """
    message = as_message(value)
    if message is None:
        if not is_dict(value):
            raise JsonError(
                f"expected {with_article(cls.DESCRIPTOR.name)} or a dict of one, "
                f"found {describe(value)}",
                path=path,
            )
        read = _read(cls, value, path)
        _check_depth(read, path, levels)
        return read
    if message.DESCRIPTOR.full_name != cls.DESCRIPTOR.full_name:
        wanted = with_article(cls.DESCRIPTOR.full_name)
        raise JsonError(
            f"expected {wanted}, found {describe(value)}{hint_from(message, cls.DESCRIPTOR)}",
            path=path,
        )
    if isinstance(value, cls):
        if not is_shallow(value, levels):
            raise too_deep(path)
        return value
    _check_depth(message, path, levels)
    return parse_binary(cls, message.SerializePartialToString())


def _read(cls: type[M], value: Mapping[str, object], path: str) -> M:
    try:
        return from_dict(cls, value)
    except JsonError as error:
        inner = error.path
        dot = "." if path and inner and not inner.startswith("[") else ""
        hint = hint_to_declare(cls.DESCRIPTOR, inner)
        raise JsonError(f"{error.reason}{hint}", path=f"{path}{dot}{inner}") from None


def _check_depth(message: Message, path: str, levels: int) -> None:
    if not fits(message, levels):
        raise too_deep(path)


def too_deep(path: str) -> JsonError:
    """Returns the error for what nests too deeply."""
    return JsonError(f"nested deeper than {DEEPEST} levels of messages", path=path)


@cache
def spellings(kind: MessageType) -> frozenset[str]:
    """Returns how the fields of a message may be spelled in a dict."""
    return frozenset(name for field in kind.fields for name in (field.name, field.json_name))


def is_whole(kind: MessageType, value: object) -> bool:
    """Tells whether a value is a message of a type, or a dict with fields of one."""
    message = as_message(value)
    if message is not None:
        return message.DESCRIPTOR.full_name == kind.full_name
    return is_dict(value) and not spellings(kind).isdisjoint(value)


def is_dict(value: object) -> TypeGuard[Mapping[str, object]]:
    """Tells whether a value is a mapping; its keys are for the reader of dicts to judge.

    A Struct is one for Python, and here a message.
    """
    return as_message(value) is None and isinstance(value, Mapping)


def is_single(value: object) -> bool:
    """Tells whether a value is one thing although it can be iterated over."""
    is_plain = isinstance(value, (str, bytes, bytearray)) or is_dict(value)
    return is_plain or as_message(value) is not None or is_genai(value)


def describe(value: object) -> str:
    """Says in a few words what a value is."""
    message = as_message(value)
    if message is not None:
        return with_article(message.DESCRIPTOR.full_name)
    is_told = isinstance(value, type) or is_genai(value)
    return kind_spoken(value) if is_told else f"a Python {type(value).__name__}"
