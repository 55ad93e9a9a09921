"""A stream of responses that is being received."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client import _fork
from toolwire._client._rpc_errors import explain
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self

    from toolwire._call_errors import CallError
    from toolwire._client._prepared import Prepared

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


class Stream(Iterator[R]):
    """The chunks of a response, as they arrive.

    Iterate over it. A stream that is left before its end cancels the call: by ``break`` once
    nothing refers to the stream any more, and at once at the end of a ``with`` block or by
    ``close``. Reading on after that raises ``Cancelled``, so that a stream that another thread
    closed is not taken for a complete one.
    """

    def __init__(
        self,
        begin: Callable[[], RawStream],
        prepared: Prepared[Any, R],
        go_on: Callable[[Prepared[Any, R], CallError, threading.Event], None],
    ) -> None:
        """Begins a call.

        Args:
            begin: Makes the call.
            prepared: What is known of it.
            go_on: Waits until it may be made again, or raises what it failed with.
        """
        self._begin = begin
        self._prepared = prepared
        self._go_on = go_on
        self._decode = prepared.decode
        self._may_begin_again = True
        self._left = threading.Event()
        self._reading = threading.Lock()
        self._call = begin()
        _fork.watch(self)

    def __iter__(self) -> Self:
        return self

    def after_fork(self) -> None:
        """Leaves the call to the parent: in the child, even dropping it would hang."""
        _fork.keep(self._call)
        self._call = _Foreign()
        self._reading = threading.Lock()
        self._left = threading.Event()

    def __next__(self) -> R:
        if not self._reading.acquire(blocking=False):
            raise UsageError("another thread is reading this stream: only one at a time can")
        fault: grpc.RpcError | None = None
        try:
            try:
                data = self._call.__next__()
            except StopIteration:
                self._prepared.end()
                raise
            except grpc.RpcError as error:
                fault = error  # and not the context of ours, since it may show a secret
            else:
                self._may_begin_again = False
                return self._decode(data)
            return self._recover(fault)
        finally:
            del fault  # which refers to this frame
            self._reading.release()

    def _recover(self, error: grpc.RpcError) -> R:
        """Begins the call again if nothing has come of it yet, else raises what it failed with."""
        while True:
            failure = explain(self._prepared, error)
            try:
                if not self._may_begin_again or self._left.is_set():
                    raise self._prepared.ended(failure)
                self._go_on(self._prepared, failure, self._left)
                self._call = self._begin()
                if self._left.is_set():
                    self._call.cancel()
                data = self._call.__next__()
            except grpc.RpcError as another:
                error = another
            else:
                self._may_begin_again = False
                return self._decode(data)
            finally:
                del failure  # which refers to this frame

    def __del__(self) -> None:
        self._prepared.end("CANCELLED")

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
        self._left.set()
        self._call.cancel()
        self._prepared.end("CANCELLED")
