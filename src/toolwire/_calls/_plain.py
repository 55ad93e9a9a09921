"""Python values as plain JSON: what goes into a ``Struct``, by rule or not at all."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import math
import uuid
from collections.abc import Awaitable, Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, cast

from toolwire._calls._members import (
    bytes_mode_of,
    item_kinds,
    members_of,
    typed_dict_of,
    value_kind,
)
from toolwire._calls._packages import dumped, encoded, spelled, unboxed
from toolwire._calls._read import KINDS, to_plain
from toolwire._calls._result import Outcome, Result
from toolwire._errors import Error, JsonError
from toolwire._functions._report import words_of
from toolwire._functions.python._callables import metadata_of
from toolwire._json import to_json
from toolwire._json._faults import expected, fault, too_deep
from toolwire._json._kinds import is_bytes, is_list, is_object
from toolwire._json._text import STACK_IS_FULL
from toolwire._json._tree import check_text
from toolwire._messages import DEEPEST, as_message
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from toolwire._calls._members import Member
    from toolwire._paths import Path

_SHOWN = 40  # characters of a key in an error
_OBJECT, _LIST = 3, 2  # levels of messages that one level of an object or list costs


def plain(value: object, at: Path, left: int, kind: object = None) -> object:
    """Returns a Python value as plain JSON that shares nothing with it.

    Args:
        value: The value.
        at: Where it stands, for the error.
        left: How many levels of messages may lie below the ``Value`` that will hold it.
        kind: Its annotation, by which TypedDicts in it have aliases, and bytes an encoding of their
            own; None where there is none.

    Raises:
        JsonError: If it is no JSON, holds a number that no double holds, holds itself, or nests
            too deeply.
    """
    try:
        return _Writer().value(value, at, left, kind)
    except RecursionError:
        pass  # the caller's own stack was nearly full
    raise fault(STACK_IS_FULL, at)


class _Writer:
    """One conversion, which knows what it is inside of."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self._bytes_mode = "base64"

    def value(self, value: object, at: Path, left: int, kind: object = None) -> object:
        if left < 0:
            raise too_deep(DEEPEST, at)
        try:
            return self._read(value, at, left, kind)
        except (Error, RecursionError):
            raise
        except Exception as error:  # of the value's own code
            raise fault(f"cannot be read: {words_of(error)}", at) from error

    def _read(self, value: object, at: Path, left: int, kind: object) -> object:
        value = unboxed(value)
        if isinstance(value, enum.Enum):
            return self.value(value.value, at, left)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, (str, bytes)):
            value = encoded(value, metadata_of(kind))
        if isinstance(value, str):
            return check_text(str.__str__(value), at)
        if isinstance(value, (int, float)):
            return _number(value, at)
        text = _of_bytes(value, self._bytes_mode, at) if is_bytes(value) else _text(value, at)
        return self._compound(value, at, left, kind) if text is None else text

    def _compound(self, value: object, at: Path, left: int, kind: object) -> object:
        if id(value) in self._open:
            raise fault("a value that holds itself", at)
        before = self._bytes_mode
        self._open.add(id(value))
        try:
            return self._opened(value, at, left, kind)
        finally:
            self._open.discard(id(value))
            self._bytes_mode = before

    def _opened(self, value: object, at: Path, left: int, kind: object) -> object:
        message = as_message(value)
        if message is not None:
            return self.value(_of_message(message, at), at, left)
        if isinstance(value, (Outcome, Result)):
            reason = f"expected a JSON value, found toolwire's own {type(value).__name__}"
            raise fault(f"{reason}; for respond, unpack the outcomes with *", at)
        model = dumped(value, at)
        if model is not None:
            return self.value(model.content, at, left)
        members: Mapping[str, Member] = {}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            kind, members = None, members_of(type(value))
            self._bytes_mode = bytes_mode_of(type(value)) or self._bytes_mode
            value = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        if is_object(value):
            typed = typed_dict_of(kind, value)
            members = members or members_of(typed)
            self._bytes_mode = bytes_mode_of(typed) or self._bytes_mode
            return self._object(value, at, left, members, value_kind(kind, value))
        if isinstance(value, AbstractSet):
            found = cast("AbstractSet[object]", value)
            return _sorted([self.value(item, at, left - _LIST) for item in found])
        if is_list(value):
            pairs = zip(value, item_kinds(kind, value), strict=False)
            return [
                self.value(item, (at, i), left - _LIST, of) for i, (item, of) in enumerate(pairs)
            ]
        return _spelled(value, at)

    def _object(
        self,
        entries: Mapping[Any, object],
        at: Path,
        left: int,
        members: Mapping[str, Member],
        kind: object,
    ) -> dict[str, object]:
        """Writes an object: what is known of its members, and the annotation of all others."""
        found: dict[str, object] = {}
        for key, item in entries.items():
            name, below = members.get(key) or (self._key(key, at), kind)
            if name is None:
                continue
            if name in found:
                raise fault(f"{quote(name, longest=_SHOWN)} stands for two keys", at)
            found[name] = self.value(item, (at, (name,)), left - _OBJECT, below)
        return found

    def _key(self, key: object, at: Path) -> str:
        """Returns the text that stands for a key: JSON has no other."""
        if isinstance(key, enum.Enum):
            return self._key(key.value, at)
        if isinstance(key, str):
            return check_text(str.__str__(key), at)
        key = unboxed(key)
        if isinstance(key, int):  # of any size, since text holds it
            return json.dumps(key)
        name = self.value(key, at, DEEPEST)
        if isinstance(name, float):
            return json.dumps(name)
        if not isinstance(name, str):
            raise expected("a key that is text, or that text stands for", key, at)
        return name


def _number(value: float, at: Path) -> float:
    """Returns a number that a double holds, as the plain int or float that it is."""
    if isinstance(value, int):
        try:
            is_exact = int(float(value)) == value
        except OverflowError:
            is_exact = False
        if not is_exact:
            raise expected("a whole number that a double holds exactly, or text", value, at)
        return int(value)
    if not math.isfinite(value):
        raise expected("a finite number", value, at)
    return float(value)


def _text(value: object, at: Path) -> str | None:
    """Returns what stands as text, since JSON has nothing closer; None for anything else."""
    if isinstance(value, (datetime.date, datetime.time)):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise fault(f"expected a finite number, found Decimal {value}", at)
        return str(value)  # a double would round it
    return str(value) if isinstance(value, uuid.UUID) else None


def _of_bytes(value: bytes | bytearray | memoryview, mode: str, at: Path) -> str:
    """Returns bytes as the text that an argument of their type is read from."""
    held = bytes(value)
    if mode == "hex":
        return held.hex()
    if mode == "base64":
        return base64.b64encode(held).decode()
    try:
        return held.decode()
    except UnicodeDecodeError:
        pass
    raise fault("expected bytes that are text, since its class takes no others", at)


def _of_message(message: Message, at: Path) -> object:
    if message.DESCRIPTOR.full_name in KINDS:
        return to_plain(message)
    try:
        content: object = json.loads(to_json(message))
    except JsonError as error:
        reason = error.reason
    else:
        return content
    raise fault(reason, at)


def _sorted(items: list[object]) -> list[object]:
    """Returns the items of a set in an order that is the same each time."""
    try:
        return [*sorted(cast("list[str]", items))]
    except TypeError:  # of several kinds
        return sorted(items, key=json.dumps)


def _spelled(value: object, at: Path) -> str:
    """Returns the text of what has no rule of its own."""
    if isinstance(value, Iterator):
        raise fault("expected a JSON value, found an iterator; make a list of it", at)
    if isinstance(value, Awaitable):
        raise fault("expected a JSON value, found an awaitable; await it", at)
    text = spelled(value)
    if text is None:
        raise expected("a JSON value", value, at)
    return check_text(text, at)
