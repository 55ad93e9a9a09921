"""Random messages, made through descriptors: of any class, from any pool.

There is one generator for all. Hypothesis drives it in the tests, so that what fails shrinks, and
a seed does in scripts/fuzz_json.py.
"""

from __future__ import annotations

import math
import random
import struct
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from support.kinds import WRAPPERS
from toolwire._messages import descriptor_of, is_map_entry

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.descriptor_pool import DescriptorPool

M = TypeVar("M", bound=Message)

_TEXTS = [
    *("", "a", "snake_case", "camelCase", "with.dot", "@type", "true", "1", "null", "NaN"),
    *('quo"te', "back\\slash", "é", "😀", "\x00\x1f\x7f", "line\n", "x" * 40, "</s>", "\u2028"),
]
_DOUBLES = [0.0, -0.0, 1.0, -1.5, 0.1, 1e15, 1e16, 1e22, 1e300, 2.0**53, 2.0**53 + 2, 1e-5, 1e-4]
_FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1e15, 1e16, 1e22, 2.0**127, 16777216.0, 1e-5, 1e-4]
_NO_NUMBERS = [math.nan, math.inf, -math.inf]
_ODD_DOUBLES = [5e-324, 1e-45, 3.4028234663852886e38, -1e-310, 2.0**53 + 1]
_CONTENTS = ["Any", "Timestamp", "Duration", "Struct", "Int64Value", "FieldMask", "Empty"]
_PATHS = ["a", "ab", "a_b", "name", "display_name.x", "a.b_c", "x1.y2_z"]
_FIRST, _LAST, _LONGEST, _SECOND = -62_135_596_800, 253_402_300_799, 315_576_000_000, 10**9


def seeded(seed: int | str) -> random.Random:
    """Makes the same choices each time, so that what is found can be found again."""
    return random.Random(seed)  # noqa: S311 - nothing here is a secret


def messages(cls: type[M], depth: int = 3, *, odd: bool = False) -> st.SearchStrategy[M]:
    """Returns a strategy of messages of a class."""
    choices = st.randoms(use_true_random=False, note_method_calls=False)
    return choices.map(lambda rng: random_message(rng, cls, depth, odd=odd))


def random_message(rng: random.Random, cls: type[M], depth: int = 3, *, odd: bool = False) -> M:
    """Returns a message with a handful of fields set.

    Args:
        rng: Makes the choices.
        cls: The class of the message.
        depth: How many levels of messages lie below it at most.
        odd: Whether there is also what JSON cannot express, and what json_format does not keep.
    """
    message = cls()
    fill(rng, message, depth, odd=odd)
    return message


def fill(rng: random.Random, message: Message, depth: int, *, odd: bool = False) -> None:
    """Sets a handful of fields."""
    kind = descriptor_of(message)
    special = _SPECIAL.get(kind.full_name.removeprefix("google.protobuf."))
    if special is not None and not (odd and rng.random() < 0.5):
        special(rng, message, depth)
        return
    fields: list[FieldDescriptor] = list(kind.fields)
    chosen = [field for field in fields if field.is_required and not (odd and rng.random() < 0.1)]
    if kind.is_extendable:
        fields += kind.file.pool.FindAllExtensions(kind)
    if depth <= 0:
        fields = [field for field in fields if field.message_type is None]
    if fields:
        chosen += rng.choices(fields, k=rng.choice([0, 1, 1, 2, 3, 5, 8]))
    for field in chosen:
        _set(rng, message, field, depth, odd=odd)


def _set(
    rng: random.Random, message: Any, field: FieldDescriptor, depth: int, *, odd: bool
) -> None:
    kind = field.message_type
    target = message.Extensions[field] if field.is_extension else getattr(message, field.name)
    if kind is not None and is_map_entry(kind):
        _fill_map(rng, target, kind, depth, odd=odd)
    elif field.is_repeated:
        for _ in range(rng.choice([0, 1, 2, 3])):
            if kind is None:
                target.append(scalar(rng, field, odd=odd))
            else:
                fill(rng, target.add(), depth - 1, odd=odd)
    elif kind is not None:
        target.SetInParent()
        fill(rng, target, depth - 1, odd=odd)
    elif field.is_extension:
        message.Extensions[field] = scalar(rng, field, odd=odd)
    else:
        setattr(message, field.name, scalar(rng, field, odd=odd))


def _fill_map(rng: random.Random, target: Any, entry: Descriptor, depth: int, *, odd: bool) -> None:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    for _ in range(rng.choice([0, 1, 2, 3, 12])):
        if value.message_type is None:
            target[scalar(rng, key, odd=odd)] = scalar(rng, value, odd=odd)
        else:
            fill(rng, target[scalar(rng, key, odd=odd)], depth - 1, odd=odd)


def scalar(rng: random.Random, field: FieldDescriptor, *, odd: bool = False) -> Any:
    """Returns a value of a field that is no message."""
    enum = field.enum_type
    if enum is not None:
        known = [value.number for value in enum.values]
        is_open = not enum.is_closed and (odd or enum.full_name != "google.protobuf.NullValue")
        numbers = [-1, 77, 2**31 - 1, -(2**31)] if is_open and rng.random() < 0.2 else known
        return rng.choice(numbers)
    if field.type == FieldDescriptor.TYPE_STRING:
        return _text(rng)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(rng.choice([0, 1, 2, 3, 11, 40]))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    if field.type in {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT}:
        is_double = field.type == FieldDescriptor.TYPE_DOUBLE
        return _odd_floating(rng) if odd else _floating(rng, is_double=is_double)
    is_signed = field.cpp_type in {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64}
    is_long = field.cpp_type in {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
    bits = 64 if is_long else 32
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return rng.choice([0, 1, low, high, rng.randint(low, high), max(low, -rng.randrange(100))])


def _text(rng: random.Random) -> str:
    kind = rng.randrange(3)
    if kind == 0:
        return rng.choice(_TEXTS)
    if kind == 1:
        return f"k{rng.randrange(1000)}"
    points = (rng.randrange(rng.choice([0x80, 0x800, 0xD800, 0x11_0000])) for _ in range(3))
    return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)


def _floating(rng: random.Random, *, is_double: bool) -> float:
    """Returns a number whose JSON json_format reads and writes as we do.

    That is, no subnormal float, not the largest one, and of all NaN the one that JSON has.
    """
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice([*(_DOUBLES if is_double else _FLOATS), *_NO_NUMBERS])
    if kind == 1:  # any bits
        layout, size = ("<d", 8) if is_double else ("<f", 4)
        (value,) = struct.unpack(layout, rng.randbytes(size))
        low, high = (0.0, math.inf) if is_double else (2.0**-126, 2.0**127)
        return float(value) if low <= abs(value) <= high else 0.0
    if kind == 2:
        return float(rng.randrange(-(10**6), 10**6))
    return round(rng.uniform(-1000, 1000), rng.randrange(9))


def _odd_floating(rng: random.Random) -> float:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(_ODD_DOUBLES)
    if kind == 1:  # also NaN of every kind, and more than a float holds
        return float(struct.unpack("<d", rng.randbytes(8))[0])
    return _floating(rng, is_double=rng.random() < 0.5)


def _timestamp(rng: random.Random, message: Any, _depth: int) -> None:
    message.seconds = rng.choice([0, _FIRST, _LAST, rng.randint(_FIRST, _LAST)])
    message.nanos = _nanos(rng)


def _duration(rng: random.Random, message: Any, _depth: int) -> None:
    sign = rng.choice([-1, 1])
    message.seconds = sign * rng.choice([0, _LONGEST, rng.randint(0, _LONGEST)])
    message.nanos = sign * _nanos(rng)


def _nanos(rng: random.Random) -> int:
    return rng.choice([0, 1, 10**6, 5000, _SECOND - 1, rng.randrange(_SECOND)])


def _field_mask(rng: random.Random, message: Any, _depth: int) -> None:
    message.paths.extend(rng.choices(_PATHS, k=rng.randrange(4)))


def _struct(rng: random.Random, message: Any, depth: int) -> None:
    for _ in range(rng.choice([0, 1, 2, 3])):
        _value(rng, message.fields[_text(rng)], depth - 1)


def _list_value(rng: random.Random, message: Any, depth: int) -> None:
    for _ in range(rng.choice([0, 1, 2, 3])):
        _value(rng, message.values.add(), depth - 1)


def _value(rng: random.Random, message: Any, depth: int) -> None:
    kind = rng.randrange(6 if depth > 0 else 4)
    if kind == 0:
        message.null_value = 0
    elif kind == 1:
        message.bool_value = rng.random() < 0.5
    elif kind == 2:
        message.string_value = _text(rng)
    elif kind == 3:
        number = _floating(rng, is_double=True)
        message.number_value = number if math.isfinite(number) else 0.5
    elif kind == 4:
        message.struct_value.SetInParent()
        _struct(rng, message.struct_value, depth)
    else:
        message.list_value.SetInParent()
        _list_value(rng, message.list_value, depth)


def _any(rng: random.Random, message: Message, depth: int) -> None:
    """Packs one of the types that have their own form in an ``Any``, or a message of the pool."""
    if depth <= 0 or rng.random() < 0.3:
        return
    pool = descriptor_of(message).file.pool
    names = [f"google.protobuf.{name}" for name in _CONTENTS]
    known = [name for name in (*names, "toolwire.test.Kinds") if _is_known(pool, name)]
    name = rng.choice(known)
    cls = GetMessageClass(pool.FindMessageTypeByName(name))
    content = random_message(rng, cls, depth - 1)
    pack(message, content)


def pack(target: Any, content: Message) -> None:
    """Puts a message into an ``Any``, whose bytes are always the same for the same message."""
    target.type_url = f"type.googleapis.com/{content.DESCRIPTOR.full_name}"
    target.value = content.SerializeToString(deterministic=True)


def _is_known(pool: DescriptorPool, name: str) -> bool:
    try:
        pool.FindMessageTypeByName(name)
    except KeyError:
        return False
    return True


def _wrapper(rng: random.Random, message: Any, _depth: int) -> None:
    message.value = scalar(rng, message.DESCRIPTOR.fields_by_name["value"])


_SPECIAL: dict[str, Callable[[random.Random, Any, int], None]] = {
    "Timestamp": _timestamp,
    "Duration": _duration,
    "FieldMask": _field_mask,
    "Struct": _struct,
    "ListValue": _list_value,
    "Value": _value,
    "Any": _any,
    **dict.fromkeys(WRAPPERS, _wrapper),
}
