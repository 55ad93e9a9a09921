"""``join_chunks``: a response that came as a stream, put together."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, cast, overload

from toolwire._answers._candidate import Candidate
from toolwire._answers._merge import fault, merge
from toolwire._answers._response import response
from toolwire._convert._fields import copy
from toolwire._errors import ConversionError
from toolwire._message_fields import get
from toolwire._messages import as_message
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._messages import M
    from toolwire._paths import Path


@overload
def join_chunks(chunks: Iterable[M]) -> M: ...
@overload
def join_chunks(chunks: Iterable[object]) -> Message: ...
def join_chunks(chunks: Iterable[object]) -> Message:
    """Puts the chunks of a streamed response together, as one that came at once would be.

    Text that goes on is one part; parts with a thought signature stay as they came, and so do
    calls, files and the border between thoughts and answer. Arguments that came in pieces are in
    ``args``. Candidates are told apart by their index. Of single values the last one counts,
    lists add up.

    Args:
        chunks: The responses of one stream in their order, all of one API: a list, a
            ``client.stream_generate_content(...)``, or any other iterable. Those of an
            asynchronous stream go in as ``[chunk async for chunk in stream]``.

    Returns:
        A new response of the class of the first chunk. A call whose arguments had not all come
        when the stream ended still has ``will_continue``.

    Raises:
        ConversionError: If there are no chunks, one is no response or one of another API, they
            contradict each other, or a piece may be of several calls.
    """
    joined: _Joined | None = None
    for number, chunk in enumerate(_checked(chunks)):
        at: Path = ((None, "chunks"), number)
        plain = response(chunk, at)
        if joined is None:
            joined = _Joined(type(plain))
        joined.add(plain, at)
    if joined is None:
        raise ConversionError("no chunks: a stream that ended well has one at least")
    return joined.finish()


class _Joined:
    """A response that is being put together."""

    def __init__(self, cls: type[Message]) -> None:
        self._response = cls()
        self._candidates: dict[int, Candidate] = {}

    def add(self, chunk: Message, at: Path) -> None:
        chunk = self._own(chunk, at)
        merge(self._response, chunk, at, skip=("candidates",))
        seen: set[int] = set()
        for position, candidate in enumerate(cast("list[Message]", get(chunk, "candidates"))):
            here: Path = ((at, "candidates"), position)
            index: int = get(candidate, "index")
            if index in seen:
                raise fault((here, "index"), f"{index} stands in this chunk twice")
            seen.add(index)
            if index not in self._candidates:
                self._candidates[index] = Candidate(type(candidate))
            self._candidates[index].add(candidate, here)

    def _own(self, chunk: Message, at: Path) -> Message:
        """Returns a chunk in the class of the first one."""
        cls = type(self._response)
        if type(chunk) is cls:
            return chunk
        wanted, found = (with_article(kind.DESCRIPTOR.full_name) for kind in (cls, chunk))
        if wanted != found:
            raise fault(at, f"expected {wanted} like the first, found {found}")
        own = cls()
        copy(chunk, own)
        return own

    def finish(self) -> Message:
        into = get(self._response, "candidates")
        for index in sorted(self._candidates):
            into.add().CopyFrom(self._candidates[index].finish())
        return self._response


def _checked(chunks: object) -> Iterable[object]:
    if isinstance(chunks, AsyncIterable):
        raise ConversionError(
            "expected an iterable of responses, found an asynchronous one: "
            "use [chunk async for chunk in stream]"
        )
    is_text = isinstance(chunks, (str, bytes))
    if is_text or as_message(chunks) is not None or not isinstance(chunks, Iterable):
        found = with_article(type(chunks).__name__)
        raise ConversionError(f"expected an iterable of responses, found {found}")
    return cast("Iterable[object]", chunks)
