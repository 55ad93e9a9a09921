"""The reading functions: each an iterator of messages over a source of any size."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from google.protobuf.empty_pb2 import Empty

from toolwire._errors import DecodeError, JsonError, UsageError
from toolwire._json import from_binary, from_json
from toolwire._messages import DEEPEST, M, is_message_class, no_class
from toolwire._streams._array import split_array
from toolwire._streams._delimited import split_delimited
from toolwire._streams._lines import split_lines
from toolwire._streams._record import LARGEST, Record, ReportBinary, ReportJson, placed, refuse
from toolwire._streams._source import BinarySource, Source, check_source, pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import Literal, TypeAlias

    from toolwire._json import UnknownFields

    Unknown: TypeAlias = Literal["error", "ignore"] | UnknownFields
    Split: TypeAlias = Callable[[Iterable[bytes], int, ReportJson], Iterator[Record]]


def read_json_lines(
    cls: type[M],
    source: Source,
    *,
    unknown: Unknown = "error",
    max_depth: int = DEEPEST,
    max_record: int = LARGEST,
    on_error: ReportJson | None = None,
) -> Generator[M, None, None]:
    """Reads JSON Lines (NDJSON): one message a line, in UTF-8.

    Blank lines are skipped; lines may end with CRLF, and the last one without a newline. A byte
    order mark at the start is skipped, too. One message is in memory at a time.

    Args:
        cls: The class of the messages, of any pool.
        source: A path, which is opened at the first message and closed at the end, or when the
            iterator is closed or abandoned; or a binary or text file, or an iterable of bytes
            or text, which stay open. Chunks need not end where records end: lines carry their
            newlines.
        unknown: As in ``toolwire.from_json``. A collector holds what the last message had.
        max_depth: As in ``toolwire.from_json``.
        max_record: How many bytes a record may have: a file of another kind does not fill the
            memory.
        on_error: Called with the error of each bad record, after which reading goes on; without
            it the error is raised.

    Yields:
        The messages in their order.

    Raises:
        JsonError: If a record does not fit, with its ``record`` number, ``line`` and
            ``column``, ``offset`` and ``path``.
        UsageError: If an argument is not what it should be.
        OSError: If the file cannot be read.
    """
    _check(cls, source, max_record)
    parse = _parser(cls, unknown, max_depth)
    return _messages(split_lines, parse, source, max_record, on_error or refuse)


def read_json_array(
    cls: type[M],
    source: Source,
    *,
    unknown: Unknown = "error",
    max_depth: int = DEEPEST,
    max_record: int = LARGEST,
    on_error: ReportJson | None = None,
) -> Generator[M, None, None]:
    """Reads one JSON array of messages, in UTF-8. One message is in memory at a time.

    Args:
        cls: As in ``read_json_lines``.
        source: As in ``read_json_lines``.
        unknown: As in ``read_json_lines``.
        max_depth: As in ``read_json_lines``; the array itself does not count.
        max_record: As in ``read_json_lines``.
        on_error: As in ``read_json_lines``. What is wrong with the array itself is raised.

    Yields:
        The messages in their order.

    Raises:
        JsonError: As in ``read_json_lines``, and if the source is no array, is cut off, or
            something follows the array.
        UsageError: As in ``read_json_lines``.
        OSError: As in ``read_json_lines``.
    """
    _check(cls, source, max_record)
    parse = _parser(cls, unknown, max_depth)
    return _messages(split_array, parse, source, max_record, on_error or refuse)


def read_delimited(
    cls: type[M],
    source: BinarySource,
    *,
    max_record: int = LARGEST,
    on_error: ReportBinary | None = None,
) -> Generator[M, None, None]:
    """Reads length-delimited binary, as protobuf's ``writeDelimitedTo`` writes it.

    Args:
        cls: As in ``read_json_lines``.
        source: As in ``read_json_lines``, in bytes.
        max_record: As in ``read_json_lines``; a longer one is raised, since its length is
            most likely no length.
        on_error: As in ``read_json_lines``. What is wrong with a length is raised.

    Yields:
        The messages in their order.

    Raises:
        DecodeError: If a record is not valid, with its ``record`` number and ``offset``; or a
            length is not; or the source is cut off.
        UsageError: As in ``read_json_lines``, and if the source gives text.
        OSError: As in ``read_json_lines``.
    """
    _check(cls, source, max_record)
    return _delimited(cls, source, max_record, on_error or refuse)


def _parser(cls: type[M], unknown: Unknown, max_depth: int) -> Callable[[bytes], M]:
    # A wrong option is refused here, and not as the fault of the first record.
    from_json(Empty, "{}", unknown=unknown, max_depth=max_depth)
    return partial(from_json, cls, unknown=unknown, max_depth=max_depth)


def _messages(
    split: Split,
    parse: Callable[[bytes], M],
    source: Source,
    max_record: int,
    report: ReportJson,
) -> Generator[M, None, None]:
    with closing(pieces_of(source, takes_text=True)) as pieces:
        for record in split(pieces, max_record, report):
            try:
                message = parse(record.data)
            except JsonError as error:
                fault = placed(error, record)
            else:
                yield message
                continue
            report(fault)


def _delimited(
    cls: type[M], source: BinarySource, max_record: int, report: ReportBinary
) -> Generator[M, None, None]:
    with closing(pieces_of(source, takes_text=False)) as pieces:
        for record in split_delimited(pieces, max_record):
            try:
                message = from_binary(cls, record.data)
            except DecodeError as error:
                fault = DecodeError(error.reason, record=record.number, offset=record.offset)
            else:
                yield message
                continue
            report(fault)


def _check(cls: object, source: object, max_record: object) -> None:
    if not is_message_class(cls):
        raise UsageError(no_class(cls))
    if not isinstance(max_record, int) or isinstance(max_record, bool) or max_record < 1:
        raise UsageError("max_record must be a whole number of bytes from 1")
    check_source(source)
