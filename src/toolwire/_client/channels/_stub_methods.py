"""The methods of connected stubs: what they take, and what comes along with their responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from toolwire._client.calls._prepared import Options
from toolwire._client.channels._rpc_errors import headers_of
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._client._headers import Headers
    from toolwire._client.calls._types import Metadata

Taken = TypeVar("Taken")
Given = TypeVar("Given")
Both = TypeVar("Both")

_WITHOUT = {
    "credentials": ": give the credential to the stub",
    "wait_for_ready": ": it is made again while there is no connection, as retries= says",
    "compression": ": channel_options= of the stub say how",
}
_NEEDS_REQUEST = "a method of a stub takes its request, a message or a dict, as the first argument"
_MISSING: Any = object()


class Answered:
    """What came along with a response, of the attempt that gave it."""

    def __init__(self, initial: object, trailing: object) -> None:
        """Takes the metadata of both kinds, as gRPC has it."""
        self._initial = headers_of(initial)
        self._trailing = headers_of(trailing)

    def initial_metadata(self) -> Headers:
        """Returns what came before the response, as pairs of a name and a value."""
        return self._initial

    def trailing_metadata(self) -> Headers:
        """Returns what came after it, likewise."""
        return self._trailing


class StubMethod(Generic[Taken, Given]):
    """A method of a connected stub: called with its request, it gives the response or a stream."""

    def __init__(self, call: Callable[[Any, Options], Given]) -> None:
        """Binds what makes the call."""
        self._call = call

    if TYPE_CHECKING:

        def __call__(
            self,
            request: Taken,
            timeout: float | None = None,
            metadata: Metadata | None = None,
            *,
            retries: int | None = None,
        ) -> Given:
            """Calls the method; the arguments are those of gRPC, and ``retries``."""
            ...

    else:  # where what gRPC's own calls take is refused by its name

        def __call__(
            self,
            request: Any = _MISSING,
            timeout: float | None = None,
            metadata: Metadata | None = None,
            *,
            retries: int | None = None,
            **others: object,
        ) -> Given:
            _check(request, others)
            return self._call(request, Options(timeout, retries, metadata or ()))


class UnaryMethod(StubMethod[Taken, Given], Generic[Taken, Given, Both]):
    """One with a single response.

    Attributes:
        with_call: Gives what came along with the response, beside it.
    """

    def __init__(
        self,
        call: Callable[[Any, Options], Given],
        with_call: Callable[[Any, Options], Both],
    ) -> None:
        """Binds what makes the call, alone and with what comes along."""
        super().__init__(call)
        self.with_call: StubMethod[Taken, Both] = StubMethod(with_call)


def _check(request: object, others: dict[str, object]) -> None:
    """Refuses a call without a request, and what gRPC's own calls take beside.

    Raises:
        UsageError: If there is none, or one of the others is set.
    """
    for name, value in others.items():
        if name not in _WITHOUT:
            raise UsageError(f"a call takes no {name!r}: {_NEEDS_REQUEST}")
        if value is not None:
            raise UsageError(f"a call of a connected stub takes no {name}{_WITHOUT[name]}")
    if request is _MISSING:
        raise UsageError(_NEEDS_REQUEST)
