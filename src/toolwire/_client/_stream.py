"""A stream of responses that is being received."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client import _fork
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self

    from toolwire._call_errors import CallError

R = TypeVar("R", bound=Message)


class RawStream(Protocol):
    """What gRPC gives for a stream of responses."""

    def __next__(self) -> bytes:
        """Waits for the next response."""
        ...

    def cancel(self) -> object:
        """Gives the call up if it has not ended."""
        ...


class _Foreign:
    """Stands in a child for a call of its parent."""

    def __next__(self) -> bytes:
        raise UsageError("this stream was begun in the parent of this process")

    def cancel(self) -> None:
        """Does nothing: the call is the parent's."""


_of_parent: list[RawStream] = []


class Stream(Iterator[R]):
    """The chunks of a response, as they arrive.

    Iterate over it. A stream that is left before its end cancels the call: by ``break`` once
    nothing refers to the stream any more, and at once at the end of a ``with`` block or by
    ``close``. Reading on after that raises ``Cancelled``, so that a stream that another thread
    closed is not taken for a complete one.
    """

    def __init__(
        self,
        call: RawStream,
        decode: Callable[[bytes], R],
        fail: Callable[[grpc.RpcError], CallError],
    ) -> None:
        """Takes over a call that has begun.

        Args:
            call: The call.
            decode: Makes a chunk of its bytes, or raises an error of ours.
            fail: Makes an error of ours.
        """
        self._call = call
        self._reading = threading.Lock()
        _fork.watch(self)
        self._decode = decode
        self._fail = fail

    def __iter__(self) -> Self:
        return self

    def after_fork(self) -> None:
        """Leaves the call to the parent: in the child, even dropping it would hang."""
        _of_parent.append(self._call)
        self._call = _Foreign()
        self._reading = threading.Lock()

    def __next__(self) -> R:
        if not self._reading.acquire(blocking=False):
            raise UsageError("another thread is reading this stream: only one at a time can")
        try:
            return self._read()
        finally:
            self._reading.release()

    def _read(self) -> R:
        try:
            data = self._call.__next__()
        except grpc.RpcError as error:
            failure = self._fail(error)
        else:
            return self._decode(data)
        try:
            raise failure
        finally:
            del failure  # which refers to this frame

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Cancels the call if it has not ended; from any thread, and as often as you like."""
        self._call.cancel()
