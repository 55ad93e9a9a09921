"""Which Python values stand for the objects, lists and bytes of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard


def is_bytes(value: object) -> TypeGuard[bytes | bytearray | memoryview]:
    """Tells whether a value is bytes of any kind."""
    return isinstance(value, (bytes, bytearray, memoryview))


def is_object(value: object) -> TypeGuard[Mapping[object, object]]:
    """Tells whether a value stands for a JSON object."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Tells whether a value stands for a JSON array."""
    return isinstance(value, Sequence) and not isinstance(
        value, (str, bytes, bytearray, memoryview)
    )
