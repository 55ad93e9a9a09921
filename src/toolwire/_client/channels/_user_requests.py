"""The user's own requests of a call that sends many, on their way to gRPC.

gRPC takes them where nobody sees what goes wrong: in a thread, or in a task, of its own. What the
user's iterator raises there is kept, the call is cancelled, and whoever reads gets it.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import threading
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import grpc

from toolwire._client.channels._rpc_errors import explain
from toolwire._client.requests._copies import describe, is_single, to_message
from toolwire._errors import UsageError
from toolwire._messages import DEEPEST

if TYPE_CHECKING:
    from toolwire._client.calls._prepared import Prepared
    from toolwire._client.channels._interceptors import RawStream
    from toolwire._client.requests._methods import Method


class _Requests:
    """What is the same in threads and in event loops."""

    def __init__(
        self, method: Method[Any, Any], requests: object, kinds: tuple[type[Any], ...]
    ) -> None:
        """Checks that there can be requests at all.

        Args:
            method: The method.
            requests: What gives them.
            kinds: What it may be.

        Raises:
            UsageError: If it is none of these, or a single message.
        """
        if is_single(requests) or not isinstance(requests, kinds):
            raise UsageError(
                f"{method.name} takes an iterable of {method.request.DESCRIPTOR.name} messages, "
                f"found {describe(requests)}"
            )
        self._method = method
        self._count = 0
        self._fault: BaseException | None = None

    def take_fault(self) -> BaseException | None:
        """Returns, once, what the iterator raised."""
        fault, self._fault = self._fault, None
        return fault

    def _encode(self, request: object) -> bytes:
        path = f"requests[{self._count}]"
        self._count += 1
        message = to_message(self._method.request, request, path, DEEPEST)
        data: bytes = message.SerializeToString()
        return data


class Requests(_Requests, Iterator[bytes]):
    """Requests that gRPC takes from a thread of its own."""

    def __init__(self, method: Method[Any, Any], requests: object) -> None:
        """Begins to iterate over them; as for ``_Requests``."""
        super().__init__(method, requests, (Iterable,))
        given: Any = requests
        self._each: Iterator[object] = iter(given)
        self._begun = threading.Event()
        self._call: RawStream | None = None

    def begun(self, call: RawStream | None) -> None:
        """Says which call takes the requests; None if it could not begin."""
        self._call = call
        self._begun.set()

    def __next__(self) -> bytes:
        try:
            return self._encode(next(self._each))
        except StopIteration:
            raise
        except BaseException as error:
            self._fault = error
            self._begun.wait()
            if isinstance(self._call, grpc.Call):
                self._call.cancel()
                raise StopIteration from None  # which a call that is cancelled does not pass on
            # An interceptor has the call: gRPC cancels it for this, and logs it.
            raise RuntimeError("the requests of a call broke off") from error


class AsyncRequests(_Requests, AsyncIterable[bytes]):
    """Requests that gRPC takes in a task of its own, and cancels the call if they fail."""

    def __init__(self, prepared: Prepared[Any, Any], requests: object) -> None:
        """Remembers them, and the call that they are of; else as for ``_Requests``."""
        super().__init__(prepared.method, requests, (Iterable, AsyncIterable))
        self._send_one = prepared.send
        self._given: Any = requests
        self._is_async = isinstance(requests, AsyncIterable)
        self._sending: AsyncGenerator[bytes] | None = None
        self._task: asyncio.Task[Any] | None = None
        self._is_closed = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        self._sending = self._send()
        return self._sending

    @property
    def is_here(self) -> bool:
        """Whether it is the user's iterator that runs this task, as where it reads the answers."""
        return self._task is not None and self._task is asyncio.current_task()

    async def _send(self) -> AsyncGenerator[bytes]:
        self._task = asyncio.current_task()
        each: Any = None
        if self._is_closed:
            return
        try:
            if self._is_async:
                each = aiter(self._given)
                async for request in each:
                    yield self._send_one(self._encode(request))
            else:
                each = iter(self._given)
                for request in each:
                    yield self._send_one(self._encode(request))
        except (asyncio.CancelledError, GeneratorExit):  # the call is over
            raise
        except BaseException as error:
            self._fault = error
            raise
        finally:
            if inspect.isasyncgen(each):
                await each.aclose()
            elif inspect.isgenerator(each):
                each.close()

    async def close(self, *, is_cancelled: bool) -> None:
        """Ends the user's iterator, once the call is over.

        Args:
            is_cancelled: Whether gRPC has cancelled its task, which it does not where the server
                has ended the call.
        """
        self._is_closed = True
        task = self._task
        if task is not None:
            if not is_cancelled:
                task.cancel()
            await asyncio.wait((task,))
        if self._sending is not None:
            with contextlib.suppress(Exception):  # of the user's, where nobody waits for more
                await self._sending.aclose()


def end_of(
    prepared: Prepared[Any, Any], requests: Requests | AsyncRequests, error: grpc.RpcError
) -> BaseException:
    """Returns what a call with many requests ends with: what they raised, if they did.

    Args:
        prepared: The call.
        requests: The requests.
        error: What gRPC says.
    """
    fault = requests.take_fault()
    if fault is None:
        return prepared.ended(explain(prepared, error))
    prepared.end("CANCELLED")
    return fault
