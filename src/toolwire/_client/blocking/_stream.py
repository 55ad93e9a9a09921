"""A stream of responses that is being received."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._call_errors import CallError
from toolwire._client import _fork
from toolwire._client._unique import Unique
from toolwire._client.channels._rpc_errors import (
    FAULTS,
    NOT_OVER,
    explain,
    headers_of,
    is_threadless,
    read_fault,
)
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Self

    from toolwire._client._headers import Headers
    from toolwire._client.blocking._calls import Caller
    from toolwire._client.calls._prepared import Options
    from toolwire._client.channels._interceptors import RawStream
    from toolwire._client.requests._methods import Method

R = TypeVar("R", bound=Message)


class _Foreign:
    """Stands in a child for a call of its parent."""

    def __next__(self) -> bytes:
        raise UsageError("this stream was begun in the parent of this process")

    initial_metadata = trailing_metadata = __next__

    def cancel(self) -> None:
        """Does nothing: the call is the parent's."""


class Stream(Unique, Iterator[R]):
    """The chunks of a response, as they arrive.

    Iterate over it. A stream that is left before its end cancels the call: by ``break`` once
    nothing refers to the stream any more, and at once at the end of a ``with`` block or by
    ``close``. Reading on after that raises ``Cancelled``, so that a stream that another thread
    closed is not taken for a complete one.
    """

    _call: Any = None  # of one that could not begin

    def __init__(
        self,
        caller: Caller,
        method: Method[Any, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> None:
        """Begins the call; the arguments are those of ``Caller.call``."""
        self._caller = caller
        self._prepared, self._line = caller.prepare(method, given, fields, options)
        self._decode = self._prepared.decode
        self._may_begin_again = True
        self._is_over = False
        self._left = threading.Event()
        self._reading = threading.Lock()
        self._call = self._begin()
        _fork.watch(self._after_fork)

    def __iter__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._prepared.method.name}>"

    def _after_fork(self) -> None:
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
                data = self._read()
            except grpc.RpcError as error:
                fault = error  # and not the context of ours, since it may show a secret
            else:
                return self._take(data)
            return self._recover(fault)
        except StopIteration:
            self._is_over = True
            self._prepared.end()
            raise
        finally:
            del fault  # which refers to this frame
            self._reading.release()

    def _read(self) -> bytes:
        """Waits for the next response, behind interceptors of the user's.

        Raises:
            grpc.RpcError: What the call failed with.
            UsageError: If an interceptor has passed on what is no request.
            CallError: If there is no thread for the call.
        """
        try:
            return self._call.__next__()  # type: ignore[no-any-return]
        except RuntimeError as error:
            if not is_threadless(error):
                raise
        except FAULTS as error:
            raise read_fault(error) from None
        raise self._caller.abandon(self._prepared)

    def initial_metadata(self) -> Headers:
        """Waits for what the server sends before the first chunk, and returns it.

        Returns:
            Pairs of a name and a value: those of the attempt under way, which may be made again
            until a chunk has come. None if an interceptor keeps them to itself.
        """
        return headers_of(self._call.initial_metadata())

    def trailing_metadata(self) -> Headers:
        """Returns what the server sent after the last chunk, as pairs of a name and a value.

        Raises:
            UsageError: If the stream has not been read to its end.
        """
        if not self._is_over:
            raise UsageError(NOT_OVER)
        return headers_of(self._call.trailing_metadata())

    def _take(self, data: bytes) -> R:
        self._may_begin_again = False
        try:
            return self._decode(data)
        except CallError:  # what comes after what cannot be read is not to be trusted
            self.close()
            raise

    def _begin(self) -> RawStream:
        """Makes the call."""
        return self._caller.begin(self._line, self._prepared, self._sent())

    def _sent(self) -> object:
        """Returns what the call sends."""
        return self._prepared.data

    def _recover(self, error: grpc.RpcError) -> R:
        """Begins the call again if nothing has come of it yet, else raises what it failed with."""
        while True:
            failure = explain(self._prepared, error)
            try:
                if not self._may_begin_again or self._left.is_set():
                    raise self._prepared.ended(failure)
                self._caller.go_on(self._prepared, failure, self._left)
                self._call = self._begin()
                if self._left.is_set():
                    self._call.cancel()
                data = self._read()
            except grpc.RpcError as another:
                error = another
            else:
                return self._take(data)
            finally:
                del failure  # which refers to this frame

    def __del__(self) -> None:
        if self._call is not None:
            self._prepared.end("CANCELLED")
            self._call.cancel()  # which an interceptor may refer to, or refers to itself

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Cancels the call if it has not ended; from any thread, and as often as you like."""
        self._left.set()
        self._call.cancel()
        self._prepared.end("CANCELLED")
