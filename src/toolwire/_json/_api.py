"""The public functions: messages to JSON text, bytes and dicts, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._errors import DecodeError, JsonError
from toolwire._json._faults import fault, found, shown
from toolwire._json._kinds import is_bytes
from toolwire._json._native import from_text, to_bytes, to_text
from toolwire._json._options import ReadOptions, Unknown, WriteOptions, read_options
from toolwire._json._plans import plan_of
from toolwire._json._quick_text import UNSURE, parse_quickly
from toolwire._json._read import read_root
from toolwire._json._text import STACK_IS_FULL, format_text, parse_text
from toolwire._json._unknown import UnknownFields, unwritten
from toolwire._messages import DEEPEST, M, is_message_class, parse_binary, unwrap

if TYPE_CHECKING:
    from collections.abc import Mapping


def to_json(
    msg: object,
    *,
    indent: int | None = None,
    proto_names: bool = False,
    enums_as_ints: bool = False,
    include_defaults: bool = False,
    unknown: UnknownFields | None = None,
) -> str:
    """Returns a message as JSON text, exact to the ProtoJSON specification.

    Args:
        msg: A protobuf message of any pool, or a proto-plus wrapper.
        indent: Spaces for each level; without, the text is one compact line.
        proto_names: Writes the field names of the proto file instead of the JSON names.
        enums_as_ints: Writes enum values as numbers instead of names.
        include_defaults: Writes fields without presence at their default, too; never a field
            that can tell unset from default.
        unknown: What ``from_json`` or ``from_dict`` collected; it is written in its place.

    Raises:
        JsonError: If JSON cannot express the message, such as an infinite number in a
            ``Value`` or an ``Any`` of unknown type; or it nests too deeply; or something
            collected has no place any more.
    """
    if indent is None and not include_defaults and unknown is None:
        text = to_text(msg, proto_names, enums_as_ints)
        if text is not None:
            return text
    return _write_text(
        WriteOptions(
            is_text=True,
            proto_names=proto_names,
            enums_as_ints=enums_as_ints,
            include_defaults=include_defaults,
        ),
        msg,
        indent,
        unknown,
    ).decode()


def to_json_bytes(
    msg: object,
    *,
    indent: int | None = None,
    proto_names: bool = False,
    enums_as_ints: bool = False,
    include_defaults: bool = False,
    unknown: UnknownFields | None = None,
) -> bytes:
    """Returns a message as JSON text in UTF-8.

    Args:
        msg: As in ``to_json``.
        indent: As in ``to_json``.
        proto_names: As in ``to_json``.
        enums_as_ints: As in ``to_json``.
        include_defaults: As in ``to_json``.
        unknown: As in ``to_json``.

    Raises:
        JsonError: As in ``to_json``.
    """
    if indent is None and not include_defaults and unknown is None:
        raw = to_bytes(msg, proto_names, enums_as_ints)
        if raw is not None:
            return raw
    return _write_text(
        WriteOptions(
            is_text=True,
            proto_names=proto_names,
            enums_as_ints=enums_as_ints,
            include_defaults=include_defaults,
        ),
        msg,
        indent,
        unknown,
    )


def to_dict(
    msg: object,
    *,
    raw_bytes: bool = False,
    proto_names: bool = False,
    enums_as_ints: bool = False,
    include_defaults: bool = False,
    unknown: UnknownFields | None = None,
) -> dict[str, object]:
    """Returns a message as a dict, of the shape of its JSON.

    Integers of 64 bits stay ints, and NaN and infinities of float and double fields stay floats.

    Args:
        msg: As in ``to_json``.
        raw_bytes: Leaves bytes as they are; without, they become base64 text.
        proto_names: As in ``to_json``.
        enums_as_ints: As in ``to_json``.
        include_defaults: As in ``to_json``.
        unknown: As in ``to_json``.

    Raises:
        JsonError: As in ``to_json``, and if the JSON of the message is no object, as with a
            ``Timestamp``.
    """
    options = WriteOptions(
        is_text=False,
        raw_bytes=raw_bytes,
        proto_names=proto_names,
        enums_as_ints=enums_as_ints,
        include_defaults=include_defaults,
    )
    tree = _write(options, msg, unknown)
    if isinstance(tree, dict):
        return cast("dict[str, object]", tree)
    raise JsonError(f"the JSON of a {unwrap(msg).DESCRIPTOR.full_name} is no object; use to_json")


def from_json(
    cls: type[M],
    data: str | bytes | bytearray | memoryview,
    *,
    unknown: Unknown = "error",
    max_depth: int = DEEPEST,
) -> M:
    """Reads a message from JSON text.

    Args:
        cls: The class of the message, of any pool.
        data: One JSON document, as text or in UTF-8.
        unknown: ``"error"`` refuses unknown fields and enum names, ``"ignore"`` skips them, and
            an ``UnknownFields`` collects them.
        max_depth: How many levels of messages may lie below the outermost one. Protobuf's own
            binary reader takes 100; one level of a ``Struct`` costs three.

    Raises:
        JsonError: If the data is no JSON, or does not fit the message.
    """
    if unknown == "error":
        known = from_text(cls, data, max_depth)
        if known is not None:
            return known
    options = read_options(unknown, max_depth, is_text=True)
    tree = parse_quickly(data)
    if tree is not UNSURE:
        try:
            message = _read(options, cls, tree)
        except JsonError:
            pass  # the exact parser finds out what is wrong first
        else:
            if isinstance(unknown, str) or not unknown:  # what is collected is exact, too
                return message
    options = read_options(unknown, max_depth, is_text=True)
    tree, repeated = parse_text(data)
    message = _read(options, cls, tree)
    if repeated is not None:  # within something ignored; elsewhere its place is known
        raise fault(f"duplicate key {shown(repeated)}", None)
    return message


def from_dict(
    cls: type[M],
    mapping: Mapping[str, object],
    *,
    unknown: Unknown = "error",
    max_depth: int = DEEPEST,
) -> M:
    """Reads a message from a dict, with JSON names or proto names, also mixed.

    What JSON says in text may also be the Python value: bytes, a datetime (without a zone: UTC)
    for a ``Timestamp``, a timedelta for a ``Duration``, an int or bool as key of a map, and for
    a message field a message of the same full name from any pool, or a proto-plus wrapper.

    Args:
        cls: As in ``from_json``.
        mapping: The fields.
        unknown: As in ``from_json``.
        max_depth: As in ``from_json``.

    Raises:
        JsonError: If the mapping does not fit the message.
    """
    options = read_options(unknown, max_depth, is_text=False)
    given: object = mapping
    if (isinstance(given, str) or is_bytes(given)) and not plan_of(cls).is_special:
        raise JsonError(f"expected an object, found {found(given, None)}; from_json reads text")
    return _read(options, cls, given)


def from_binary(cls: type[M], data: bytes | bytearray | memoryview) -> M:
    """Reads a message from its binary form.

    Args:
        cls: As in ``from_json``.
        data: The bytes.

    Raises:
        DecodeError: If they are no such message. Protobuf does not say where.
    """
    if not is_message_class(cls):
        raise DecodeError(f"expected a message class, found {_kind(cls)}")
    if not is_bytes(data):
        raise DecodeError(f"expected bytes for a {cls.DESCRIPTOR.full_name}, found {_kind(data)}")
    return parse_binary(cls, bytes(data))


def _write_text(
    options: WriteOptions, msg: object, indent: int | None, unknown: UnknownFields | None
) -> bytes:
    return format_text(_write(options, msg, unknown), indent, is_known=not unknown)


def _write(options: WriteOptions, msg: object, unknown: UnknownFields | None) -> object:
    source = unwrap(msg)
    try:
        plan = plan_of(type(source))
        return plan.write(plan, source, None, DEEPEST, options, unwritten(unknown))
    except RecursionError:
        pass  # the caller's own stack was nearly full
    raise JsonError(STACK_IS_FULL)


def _read(options: ReadOptions, cls: type[M], tree: object) -> M:
    try:
        message: M = read_root(plan_of(cls), tree, options)
    except RecursionError:
        pass  # a large max_depth, or the caller's own stack was nearly full
    else:
        return message
    raise JsonError(STACK_IS_FULL)


def _kind(value: object) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
