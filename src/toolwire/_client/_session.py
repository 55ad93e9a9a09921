"""A session in which both sides send, for threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client import _fork
from toolwire._client._rpc_errors import CLOSED, explain
from toolwire._client._talk import is_opened, to_reply, to_sent, waits_for_opening
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from toolwire._client._calls import Caller
    from toolwire._client._methods import Method
    from toolwire._client._prepared import Options

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)


class _Outbox(Iterator[bytes]):
    """What is to be sent, in order; gRPC takes it from a thread of its own."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()

    def put(self, data: bytes) -> None:
        self._waiting.put(data)

    def end(self) -> None:
        self._waiting.put(None)

    def __next__(self) -> bytes:
        data = self._waiting.get()
        if data is None:
            raise StopIteration
        return data


class Session(Iterator[R], Generic[Q, R]):
    """A session: messages go out by ``send`` and ``reply``, and come in by iteration.

    The first message, which sets the session up, is sent by the call itself. Any number of
    threads may send; one at a time may receive. Use it as a context manager, or close it.
    """

    def __init__(
        self,
        caller: Caller,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> None:
        """Begins the session.

        Args:
            caller: Makes the call.
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the credential cannot be had.
        """
        self._method = method
        self._prepared, line = caller.prepare(method, given, fields, options)
        self._outbox = _Outbox()
        self._is_done = False
        self._is_opened = not waits_for_opening(method)
        self._reading = threading.Lock()
        if given or fields:
            self._outbox.put(self._prepared.data)
        try:
            self._call: Any = line.call(
                self._outbox, timeout=self._prepared.left(), metadata=self._prepared.headers
            )
        except ValueError:
            raise UsageError(CLOSED) from None
        if not self._call.add_callback(self._outbox.end):  # it has ended already
            self._outbox.end()
        _fork.watch(self)

    def after_fork(self) -> None:
        """Leaves the call to the parent: in the child, even dropping it would hang."""
        _fork.keep(self._call, self._outbox)
        self._call = None
        self._reading = threading.Lock()

    def send(
        self, content: object = None, /, *, turn_complete: bool = True, **fields: object
    ) -> None:
        """Sends a message.

        Args:
            content: A conversation: text, parts, turns, or a list of them; or a ready message.
            turn_complete: Whether the model may answer the conversation now.
            **fields: Fields of a message by their proto names, in place of all that, such as
                ``realtime_input``.

        Raises:
            UsageError: If there is nothing to send, or the session has ended.
            JsonError: If a value does not fit.
        """
        self._put(to_sent(self._method, content, fields, ends_turn=turn_complete))

    def reply(self, responses: object) -> None:
        """Sends the results of the functions that the model called.

        Args:
            responses: Function responses: messages, dicts, or a turn or parts that hold them.

        Raises:
            UsageError: If the session has ended, or takes no such results.
            JsonError: If one is none.
        """
        self._put(to_reply(self._method, responses))

    def receive(self) -> R | None:
        """Waits for the next message, and returns None after the last one.

        Raises:
            UsageError: If another thread is receiving, or it is the parent's session.
            CallError: If the session fails.
        """
        return next(self, None)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> R:
        message = self._read()
        if not self._is_opened:
            self._is_opened = True
            if is_opened(self._method, message):
                return self._read()
        return message

    def done_sending(self) -> None:
        """Says that nothing more will be sent; what the server still sends can be received."""
        self._is_done = True
        self._outbox.end()

    def close(self) -> None:
        """Ends the session at once; from any thread, and as often as you like."""
        self.done_sending()
        if self._call is not None:
            self._call.cancel()
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

    def _put(self, message: Q) -> None:
        if self._call is None:
            raise UsageError(_FOREIGN)
        if self._is_done or not self._call.is_active():
            raise UsageError("this session has ended: receive tells why")
        self._outbox.put(message.SerializeToString())

    def _read(self) -> R:
        if not self._reading.acquire(blocking=False):
            raise UsageError("another thread is receiving: only one at a time can")
        try:
            if self._call is None:
                raise UsageError(_FOREIGN)
            data: bytes = next(self._call)
        except StopIteration:
            self._prepared.end()
            raise
        except grpc.RpcError as error:
            failure = explain(self._prepared, error)
        else:
            return self._prepared.decode(data)
        finally:
            self._reading.release()
        try:
            raise self._prepared.ended(failure)
        finally:
            del failure  # which refers to this frame


_FOREIGN = "this session was begun in the parent of this process"
