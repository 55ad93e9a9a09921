"""The writing functions: each takes messages one by one, and writes them as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from google.protobuf.message import EncodeError

from toolwire._errors import ConversionError, Error, JsonError, UsageError
from toolwire._json import UnknownFields, to_json_bytes
from toolwire._messages import unwrap
from toolwire._streams._frames import as_array, as_delimited, as_lines
from toolwire._streams._target import BinaryTarget, Target, opened
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable


def write_json_lines(
    messages: Iterable[object],
    target: Target,
    *,
    proto_names: bool = False,
    enums_as_ints: bool = False,
    include_defaults: bool = False,
    unknown: UnknownFields | None = None,
) -> int:
    """Writes JSON Lines (NDJSON): one message a line, in UTF-8.

    Args:
        messages: Protobuf messages of any pool, or proto-plus wrappers; taken one by one.
        target: A path, or a binary or text file, which stays open. A path gets its content
            when all is written: after an error it has what it had before.
        proto_names: As in ``toolwire.to_json``.
        enums_as_ints: As in ``toolwire.to_json``.
        include_defaults: As in ``toolwire.to_json``.
        unknown: As in ``toolwire.to_json``: the collector that a reading function of this
            module fills, message by message, while this one writes.

    Returns:
        How many messages were written.

    Raises:
        JsonError: If JSON cannot express a message, with its ``record`` number and ``path``.
        UsageError: If an argument is not what it should be.
        OSError: If the file cannot be written.
    """

    def encode(message: object) -> bytes:
        return to_json_bytes(
            message,
            proto_names=proto_names,
            enums_as_ints=enums_as_ints,
            include_defaults=include_defaults,
            unknown=unknown,
        )

    return _write(messages, encode, as_lines, target, takes_text=True)


def write_json_array(
    messages: Iterable[object],
    target: Target,
    *,
    indent: int | None = None,
    proto_names: bool = False,
    enums_as_ints: bool = False,
    include_defaults: bool = False,
    unknown: UnknownFields | None = None,
) -> int:
    """Writes one JSON array of messages, in UTF-8, with each message on a line of its own.

    Args:
        messages: As in ``write_json_lines``.
        target: As in ``write_json_lines``.
        indent: Spaces for each level; without, a message is one compact line.
        proto_names: As in ``write_json_lines``.
        enums_as_ints: As in ``write_json_lines``.
        include_defaults: As in ``write_json_lines``.
        unknown: As in ``write_json_lines``.

    Returns:
        How many messages were written.

    Raises:
        JsonError: As in ``write_json_lines``.
        UsageError: As in ``write_json_lines``.
        OSError: As in ``write_json_lines``.
    """

    def encode(message: object) -> bytes:
        return to_json_bytes(
            message,
            indent=indent,
            proto_names=proto_names,
            enums_as_ints=enums_as_ints,
            include_defaults=include_defaults,
            unknown=unknown,
        )

    def frame(payloads: Iterable[bytes]) -> Iterator[bytes]:
        return as_array(payloads, indent)

    return _write(messages, encode, frame, target, takes_text=True)


def write_delimited(messages: Iterable[object], target: BinaryTarget) -> int:
    """Writes length-delimited binary, as protobuf's ``parseDelimitedFrom`` reads it.

    Equal messages give equal bytes. Fields that the schema does not know are kept.

    Args:
        messages: As in ``write_json_lines``.
        target: As in ``write_json_lines``; no text file.

    Returns:
        How many messages were written.

    Raises:
        JsonError: If something else than a message comes.
        ConversionError: If a message is too large for protobuf.
        UsageError: As in ``write_json_lines``.
        OSError: As in ``write_json_lines``.
    """
    return _write(messages, to_binary, as_delimited, target, takes_text=False)


def to_binary(message: object) -> bytes:
    """Returns the binary form of a message; equal messages give equal bytes.

    Raises:
        JsonError: If it is none.
        ConversionError: If it is too large for protobuf.
    """
    plain = unwrap(message)
    try:
        return plain.SerializePartialToString(deterministic=True)
    except EncodeError:
        pass
    raise ConversionError(f"{with_article(plain.DESCRIPTOR.full_name)} too large for protobuf")


def _write(
    messages: object,
    encode: Callable[[object], bytes],
    frame: Callable[[Iterable[bytes]], Iterator[bytes]],
    target: Target,
    *,
    takes_text: bool,
) -> int:
    if not isinstance(messages, Iterable):
        raise UsageError(f"expected an iterable of messages, found {type(messages).__name__}")
    number = 0

    def payloads() -> Iterator[bytes]:
        nonlocal number
        for message in cast("Iterable[object]", messages):
            try:
                payload = encode(message)
            except JsonError as error:
                fault: Error = JsonError(error.reason, path=error.path, record=number + 1)
            except ConversionError as error:
                fault = ConversionError(f"record {number + 1}: {error}")
            else:
                number += 1
                yield payload
                continue
            raise fault

    with opened(target, takes_text=takes_text) as write:
        for piece in frame(payloads()):
            write(piece)
    return number
