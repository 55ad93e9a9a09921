"""The JSON of a message in one of its many valid spellings, for fuzzing with a seeded random.

Whatever is chosen here, a reader must find the same message: either name of a field, numbers
quoted, with fractions and exponents, both alphabets of base64, offsets of times, null for what is
not set, keys in any order, white space, and escapes in text.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from google.protobuf.descriptor import FieldDescriptor

from support.native import python_writes
from toolwire._json import _schema
from toolwire._json._well_known import WELL_KNOWN
from toolwire._messages import descriptor_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from google.protobuf.descriptor import Descriptor, EnumDescriptor
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import Message

Members = list[tuple[str, str]]

_EXACT = 1 << 53  # up to there every whole number is a double
_SPACES = ["", "", "", "", " ", "\n", "\t ", "\r\n  "]
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "/": "\\/", "\b": "\\b", "\f": "\\f"}
_INTEGERS = frozenset(
    {
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
    }
)
_FLOATS = frozenset({FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE})


def spelled(rng: random.Random, message: Message) -> str | None:
    """Returns a spelling of a message; None where JSON cannot express the message."""
    text = python_writes(message, proto_names=False, enums_as_ints=False)
    if text is None:
        return None
    written = _message(rng, descriptor_of(message), json.loads(text))
    return f"{_space(rng)}{written}{_space(rng)}"


def _message(rng: random.Random, kind: Descriptor, tree: Any) -> str:  # noqa: PLR0911 - one a form
    name = kind.full_name
    if name in {_schema.STRUCT, _schema.VALUE, _schema.LIST_VALUE}:
        return _free(rng, tree)
    if name == _schema.ANY:
        return _object(rng, _any_members(rng, kind.file.pool, tree))
    if name == _schema.TIMESTAMP:
        return _text(rng, _timestamp(rng, tree))
    if name == _schema.DURATION:
        return _text(rng, _fraction(rng, tree.removesuffix("s")) + "s")
    if name == _schema.FIELD_MASK:
        return _text(rng, tree)
    if name in _schema.WRAPPERS:
        return _single(rng, kind.fields_by_name["value"], tree)
    return _object(rng, _members(rng, kind, tree))


def _members(rng: random.Random, kind: Descriptor, tree: dict[str, Any]) -> Members:
    made: Members = []
    fields = {field.json_name: field for field in kind.fields}
    for key, item in tree.items():
        field = fields.get(key) or _schema.find_extension(kind, key)
        assert field is not None, key
        name = key if field.is_extension else rng.choice([key, field.name])
        made.append((name, _field(rng, field, item)))
    absent = [field for name, field in fields.items() if name not in tree]
    if absent and rng.random() < 0.2:
        field = rng.choice(absent)
        if not (_schema.takes_null(field) or field.is_required):
            made.append((rng.choice([field.name, field.json_name]), "null"))
    return made


def _any_members(rng: random.Random, pool: DescriptorPool, tree: dict[str, Any]) -> Members:
    if not tree:
        return []
    url = tree["@type"]
    kind = pool.FindMessageTypeByName(url.rpartition("/")[2])
    made = [("@type", _text(rng, url))]
    if kind.full_name in WELL_KNOWN:
        return [*made, ("value", _message(rng, kind, tree["value"]))]
    rest = {key: item for key, item in tree.items() if key != "@type"}
    return made + _members(rng, kind, rest)


def _field(rng: random.Random, field: FieldDescriptor, tree: Any) -> str:
    if _schema.is_map(field):
        _, value = _schema.entry_fields(field)
        return _object(rng, [(key, _single(rng, value, item)) for key, item in tree.items()])
    if field.is_repeated:
        return _list(rng, [_single(rng, field, item) for item in tree])
    return _single(rng, field, tree)


def _single(rng: random.Random, field: FieldDescriptor, tree: Any) -> str:
    if field.message_type is not None:
        return _message(rng, field.message_type, tree)
    if field.enum_type is not None:
        return _enum(rng, field.enum_type, tree)
    if field.cpp_type in _INTEGERS:
        return _integer(rng, int(tree))
    if field.cpp_type in _FLOATS:
        return _text(rng, tree) if isinstance(tree, str) else _floating(rng, float(tree))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _text(rng, _base64(rng, tree))
    return _text(rng, tree) if isinstance(tree, str) else json.dumps(tree)


def _enum(rng: random.Random, kind: EnumDescriptor, tree: object) -> str:
    number = 0 if tree is None else tree
    if isinstance(number, str):
        number = kind.values_by_name[number].number
    assert isinstance(number, int)
    forms = [str(number)] if number or kind.full_name != _schema.NULL_VALUE else ["null", "0"]
    if abs(number) < 10**6:
        forms.append(f"{number}.0")
    names = [value.name for value in kind.values if value.number == number]
    return rng.choice([*forms, *(_text(rng, name) for name in names)])


def _integer(rng: random.Random, number: int) -> str:
    text = str(number)
    quoted = f'"{text}"'
    form = rng.randrange(4)
    if form == 0:
        return text
    if form == 1:
        return quoted
    spelling = f"{text}.{'0' * rng.randint(1, 3)}" if form == 2 else _exponent(rng, Decimal(number))
    return spelling if abs(number) <= _EXACT and rng.random() < 0.5 else f'"{spelling}"'


def _floating(rng: random.Random, number: float) -> str:
    form = rng.randrange(4)
    if number == 0:
        spelling = rng.choice(
            ["-0.0", "-0"] if str(number).startswith("-") else ["0", "0.0", "0e5"]
        )
    elif form == 0 and number.is_integer() and abs(number) < _EXACT:
        spelling = str(int(number))
    elif form == 1:
        spelling = _exponent(rng, Decimal(repr(number)))
    elif form == 2:
        spelling = f"{number:.17e}"  # more digits than any double needs
    else:
        spelling = repr(number)
    return spelling if rng.random() < 0.7 else f'"{spelling}"'


def _exponent(rng: random.Random, number: Decimal) -> str:
    """Moves the point of a number and gives it the exponent that makes up for it."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    zeros = rng.choice([0, 0, 1, 3])
    text = "".join(map(str, digits)) + "0" * zeros
    at = rng.randint(1, len(text) if digits[0] else 1)
    exponent += len(text) - at - zeros
    plus = rng.choice(["", "+"]) if exponent >= 0 else ""
    fraction = f".{text[at:]}" if at < len(text) else ""
    return f"{'-' * sign}{text[:at]}{fraction}{rng.choice('eE')}{plus}{exponent}"


def _free(rng: random.Random, tree: Any) -> str:
    """Spells what no schema describes; numbers are not quoted there."""
    if isinstance(tree, dict):
        entries = cast("dict[str, Any]", tree)
        return _object(rng, [(key, _free(rng, item)) for key, item in entries.items()])
    if isinstance(tree, list):
        return _list(rng, [_free(rng, item) for item in cast("Iterable[Any]", tree)])
    if isinstance(tree, str):
        return _text(rng, tree)
    if isinstance(tree, (int, float)) and not isinstance(tree, bool):
        return _floating(rng, float(tree)).strip('"')
    return json.dumps(tree)


def _timestamp(rng: random.Random, text: str) -> str:
    seconds, _, fraction = text.removesuffix("Z").partition(".")
    if fraction:
        seconds_and_fraction = _fraction(rng, f"0.{fraction}")
        fraction = seconds_and_fraction[1:]
    offset = rng.choice([0, 0, 1, -1]) * rng.randrange(24 * 60)
    try:
        moved = datetime.fromisoformat(seconds) + timedelta(minutes=offset)
    except OverflowError:  # outside the years that there are
        offset = 0
    else:
        seconds = moved.isoformat()
    sign = "-" if offset < 0 else "+"
    zone = f"{sign}{abs(offset) // 60:02}:{abs(offset) % 60:02}"
    return f"{seconds}{fraction}{'Z' if offset == 0 and rng.random() < 0.7 else zone}"


def _fraction(rng: random.Random, text: str) -> str:
    """Writes a fraction with other zeros behind it."""
    whole, _, digits = text.partition(".")
    least = digits.rstrip("0")
    size = rng.randint(len(least), 9)
    return f"{whole}.{least.ljust(size, '0')}" if size else whole


def _base64(rng: random.Random, text: str) -> str:
    if rng.random() < 0.5:
        text = text.replace("+", "-").replace("/", "_")
    return text.rstrip("=") if rng.random() < 0.5 else text


def _text(rng: random.Random, text: str) -> str:
    kind = rng.randrange(3)
    if kind < 2:
        return json.dumps(text, ensure_ascii=kind == 0)
    return '"' + "".join(_character(rng, char) for char in text) + '"'


def _character(rng: random.Random, char: str) -> str:
    if rng.random() < 0.5:
        if char in _SHORT:
            return _SHORT[char]
        if char >= " " and char not in '"\\':
            return char
    units = char.encode("utf-16-be")
    spellings = ["{:04x}", "{:04X}"]
    pairs = (int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2))
    return "".join("\\u" + rng.choice(spellings).format(unit) for unit in pairs)


def _object(rng: random.Random, members: Members) -> str:
    rng.shuffle(members)
    parts = (
        f"{_space(rng)}{_text(rng, key)}{_space(rng)}:{_space(rng)}{value}{_space(rng)}"
        for key, value in members
    )
    return f"{{{','.join(parts) or _space(rng)}}}"


def _list(rng: random.Random, items: list[str]) -> str:
    return f"[{','.join(f'{_space(rng)}{item}{_space(rng)}' for item in items) or _space(rng)}]"


def _space(rng: random.Random) -> str:
    return rng.choice(_SPACES)
