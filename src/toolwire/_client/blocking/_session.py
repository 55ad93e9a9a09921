"""A session in which both sides send, for threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._call_errors import CallError
from toolwire._client import _fork
from toolwire._client.calls._settings import check_timeout
from toolwire._client.calls._talk import EVER, LATE, BaseSession, Within, to_reply, to_sent
from toolwire._client.channels._rpc_errors import NO_THREAD, explain, is_threadless
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from typing_extensions import Self

    from toolwire._client.blocking._calls import Caller
    from toolwire._client.calls._prepared import Options
    from toolwire._client.requests._methods import Method

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

_FOREIGN = "this session was begun in the parent of this process"


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


class Session(BaseSession[Q, R], Iterator[R]):
    """A session: messages go out by ``send`` and ``reply``, and come in by iteration.

    The first message, which sets the session up, is sent by the call itself. The server's word
    that it is set up is waited for at the start of a ``with`` block, or else by the first message
    either way; it stays readable as ``ready``. Any number of threads may send; one at a time may
    receive. Use it as a context manager, or close it.
    """

    _call: Any = None  # of one that could not begin

    def __init__(
        self,
        caller: Caller,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> None:
        """Begins the session; the arguments are those of ``Caller.call``."""
        super().__init__(method)
        self._caller = caller
        self._prepared, line = caller.prepare(method, given, fields, options)
        self._outbox = _Outbox()
        self._opening = threading.Lock()
        self._receiving = threading.Lock()
        self._waiting: Future[bytes] | None = None
        if given or fields:
            self._outbox.put(self._prepared.data)
        self._call = caller.begin(line, self._prepared, self._outbox)
        if not self._call.add_callback(self._outbox.end):  # it has ended already
            self._outbox.end()
        _fork.watch(self._after_fork)

    def _after_fork(self) -> None:
        """Leaves the call to the parent: in the child, even dropping it would hang."""
        _fork.keep(self._call, self._outbox, self._waiting)
        self._call = self._waiting = None
        self._opening = threading.Lock()
        self._receiving = threading.Lock()

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
            CallError: If the session could not be set up.
        """
        self._put(to_sent(self._method, content, fields, ends_turn=turn_complete))

    def reply(self, responses: object) -> None:
        """Sends the results of the functions that the model called.

        Args:
            responses: Function responses: messages, dicts, or a turn or parts that hold them.

        Raises:
            UsageError: If the session has ended, or takes no such results.
            JsonError: If one is none.
            CallError: If the session could not be set up.
        """
        self._put(to_reply(self._method, responses))

    def receive(self, timeout: float | None = None) -> R | None:
        """Waits for the next message, and returns None after the last one.

        Args:
            timeout: The most seconds to wait; 0 only looks whether one has come since the last
                look. The session goes on if none comes in that time.

        Raises:
            TimeoutError: If none comes in that time.
            UsageError: If another thread is receiving, or it is the parent's session.
            CallError: If the session fails.
        """
        seconds = None if timeout is None else check_timeout(timeout, may_be_zero=True)
        if not self._receiving.acquire(blocking=False):
            raise UsageError("another thread is receiving: only one at a time can")
        within = Within(seconds)
        try:
            self._open(within)
            return self._take_kept() or self._read(within)
        finally:
            self._receiving.release()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> R:
        message = self.receive()
        if message is None:
            raise StopIteration
        return message

    def done_sending(self) -> None:
        """Says that nothing more will be sent; what the server still sends can be received."""
        self._is_done = True
        self._outbox.end()

    def close(self) -> None:
        """Ends the session at once; from any thread, and as often as you like."""
        self._is_left = True
        self.done_sending()
        if self._call is not None:
            self._call.cancel()
            self._prepared.end("CANCELLED")

    def __del__(self) -> None:
        if self._call is not None:
            self.close()

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, within: Within = EVER) -> None:
        """Waits until the session is set up: whoever comes first, and the others for that one."""
        if self._is_open:
            return
        left = within.left
        if not self._opening.acquire(timeout=-1.0 if left is None else left):
            raise TimeoutError(LATE)
        try:
            if not self._is_open:
                self._take_first(self._read(within))
        finally:
            self._opening.release()

    def _put(self, message: Q) -> None:
        self._check_open()
        self._open()
        if self._call is None:
            raise UsageError(_FOREIGN)
        self._check_sending(has_ended=not self._call.is_active())
        self._outbox.put(message.SerializeToString())

    def _read(self, within: Within) -> R | None:
        if self._call is None:
            raise UsageError(_FOREIGN)
        try:
            data = self._wait(within)
        except StopIteration:
            self._outbox.end()
            self._prepared.end()
            return None
        except grpc.RpcError as error:
            self._outbox.end()
            failure = explain(self._prepared, error)
        except RuntimeError as error:
            if not is_threadless(error):
                raise
            raise self._caller.abandon(self._prepared) from None
        else:
            try:
                return self._prepared.decode(data)
            except CallError:  # what comes after what cannot be read is not to be trusted
                self.close()
                raise
        try:
            raise self._prepared.ended(failure)
        finally:
            del failure  # which refers to this frame

    def _wait(self, within: Within) -> bytes:
        """Waits for gRPC, or for a thread that does so, since gRPC knows no end of waiting."""
        waiting = self._waiting
        if waiting is None:
            if within.left is None:
                data: bytes = next(self._call)
                return data
            try:
                waiting = self._waiting = _later(self._call.__next__)
            except RuntimeError:  # the session goes on
                raise self._prepared.site().fail("UNAVAILABLE", NO_THREAD) from None
        wait((waiting,), within.left)
        if not waiting.done():
            raise TimeoutError(LATE)
        self._waiting = None
        try:
            return waiting.result()
        finally:
            del waiting  # which may refer to this frame


def _later(receive: Callable[[], bytes]) -> Future[bytes]:
    """Begins to receive in a thread that no program waits for at its end, nor any session."""
    future: Future[bytes] = Future()

    def run() -> None:
        try:
            future.set_result(receive())
        except BaseException as error:  # noqa: BLE001 - whoever receives gets it
            future.set_exception(error)

    threading.Thread(target=run, name="toolwire-session", daemon=True).start()
    return future
