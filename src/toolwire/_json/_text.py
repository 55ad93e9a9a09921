"""JSON text to and from a tree of Python values, strict to RFC 8259."""

from __future__ import annotations

import json
import math
import re
from collections import Counter

import orjson

from toolwire._errors import JsonError
from toolwire._json._kinds import is_bytes, is_object
from toolwire._json._scalars_write import LongFloat
from toolwire._json._tree import RepeatedKey

_LONGEST_INTEGER = 400  # digits; a double ends at 309
_LONGEST_NUMBER = 4000  # characters; the longest exact decimal of a double has 1,075
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[-+.0-9A-Za-z]+', re.DOTALL)
STACK_IS_FULL = "nested too deeply for what is left of Python's stack"
_BYTE_ORDER_MARK = "\ufeff"


class _NumberError(Exception):
    """A literal that the scanner of the standard library lets through and we do not."""

    def __init__(self, literal: str, reason: str) -> None:
        super().__init__(reason)
        self.literal = literal
        self.reason = reason


def parse_text(data: str | bytes | bytearray | memoryview) -> tuple[object, str | None]:
    """Reads one JSON document.

    Returns:
        The tree, and the first repeated key if an object has one. Such an object is a
        ``RepeatedKey``, so that whoever knows its place can say it.

    Raises:
        JsonError: If the data is no text, not UTF-8, or not exactly one JSON document. The
            error has the line and the column.
    """
    text = _decode(data)
    if text.startswith(_BYTE_ORDER_MARK):
        raise _at(text, 0, "not JSON: it starts with a byte order mark (U+FEFF); leave that out")
    repeated: list[str] = []

    def make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        marked = RepeatedKey(made)
        counts = Counter(name for name, _ in pairs)
        marked.key = next(name for name, count in counts.items() if count > 1)
        repeated.append(marked.key)
        return marked

    try:
        tree: object = json.loads(
            text,
            object_pairs_hook=make_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        fault = _at(text, error.pos, f"not JSON: {reason}")
    except _NumberError as error:
        fault = _at(text, _find(text, error.literal), error.reason)
    except RecursionError:
        fault = JsonError(STACK_IS_FULL)
    else:
        return tree, repeated[0] if repeated else None
    raise fault


def _check_indent(indent: object) -> None:
    if indent is not None and not (isinstance(indent, int) and indent >= 0):
        raise JsonError("indent must be a whole number of spaces, or None")


def format_text(tree: object, indent: int | None, *, is_known: bool) -> bytes:
    """Writes a tree as JSON text in UTF-8: compact, or with ``indent`` spaces a level.

    Args:
        tree: The tree.
        indent: Spaces for each level; None for one compact line.
        is_known: Whether all of it is from a message, and nothing was collected as unknown.

    Raises:
        JsonError: If Python's stack is too full for it.
    """
    _check_indent(indent)
    if indent is None and is_known:
        try:
            return orjson.dumps(tree, default=_spell)
        except TypeError:  # deeper than orjson goes
            pass
    try:
        return json.dumps(
            tree,
            ensure_ascii=False,
            allow_nan=False,
            indent=indent,
            separators=(",", ":") if indent is None else (",", ": "),
        ).encode()
    except RecursionError:
        pass
    raise JsonError(STACK_IS_FULL)


def _spell(value: object) -> object:
    """Writes for orjson what it does not write as Python does."""
    if isinstance(value, LongFloat):
        return orjson.Fragment(repr(value).encode())
    raise TypeError


def _decode(data: object) -> str:
    if isinstance(data, str):
        return data
    if not is_bytes(data):
        hint = "; from_dict reads mappings" if is_object(data) else ""
        raise JsonError(f"expected text or bytes, found {type(data).__name__}{hint}")
    raw = bytes(data)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        byte = raw[error.start]
    raise _at(before, len(before), f"not UTF-8: byte 0x{byte:02x}")


def _integer(literal: str) -> object:
    digits = len(literal.removeprefix("-"))
    if digits > _LONGEST_INTEGER:
        raise _NumberError(literal, f"number of {digits} digits; no field holds that")
    return -0.0 if literal == "-0" else int(literal)


def _float(literal: str) -> float:
    if len(literal) > _LONGEST_NUMBER:
        raise _NumberError(literal, f"number of {len(literal)} characters")
    number = float(literal)
    if math.isinf(number):
        raise _NumberError(literal, "number beyond a double")
    return number


def _constant(literal: str) -> float:
    raise _NumberError(literal, f"not JSON: {literal} is no number there; write it as a string")


def _find(text: str, literal: str) -> int:
    """Returns where a literal stands, outside strings; the text before it is good JSON."""
    return next(
        (token.start() for token in _TOKEN.finditer(text) if token.group() == literal), len(text)
    )


def _at(text: str, position: int, reason: str) -> JsonError:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return JsonError(f"{reason} (line {line}, column {column})", line=line, column=column)
