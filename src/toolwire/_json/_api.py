"""The public functions: messages to JSON text, bytes and dicts, and back.

They ask the native core first. What it leaves, or all where there is none, is done by the Python
codec, which is imported then: many programs never need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import DecodeError
from toolwire._json._kinds import is_bytes
from toolwire._json._native import from_text, to_bytes, to_text
from toolwire._messages import DEEPEST, M, is_message_class, no_class, parse_binary
from toolwire._words import kind_of, with_article

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._json._options import Unknown
    from toolwire._json._unknown import UnknownFields


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
    from toolwire._json._exact import write_text

    return write_text(
        msg,
        indent,
        unknown,
        proto_names=proto_names,
        enums_as_ints=enums_as_ints,
        include_defaults=include_defaults,
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
    from toolwire._json._exact import write_text

    return write_text(
        msg,
        indent,
        unknown,
        proto_names=proto_names,
        enums_as_ints=enums_as_ints,
        include_defaults=include_defaults,
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
    from toolwire._json._exact import write_dict

    return write_dict(
        msg,
        unknown,
        raw_bytes=raw_bytes,
        proto_names=proto_names,
        enums_as_ints=enums_as_ints,
        include_defaults=include_defaults,
    )


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
    from toolwire._json._exact import read_text

    return read_text(cls, data, unknown, max_depth)


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
    from toolwire._json._exact import read_dict

    return read_dict(cls, mapping, unknown, max_depth)


def from_binary(cls: type[M], data: bytes | bytearray | memoryview) -> M:
    """Reads a message from its binary form.

    Args:
        cls: As in ``from_json``.
        data: The bytes.

    Raises:
        DecodeError: If they are no such message. Protobuf does not say where.
    """
    if not is_message_class(cls):
        raise DecodeError(no_class(cls))
    if not is_bytes(data):
        name = with_article(cls.DESCRIPTOR.full_name)
        raise DecodeError(f"expected bytes for {name}, found {kind_of(data)}")
    return parse_binary(cls, bytes(data))
