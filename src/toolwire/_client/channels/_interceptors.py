"""The user's own interceptors of calls, and what they may put in the place of gRPC's streams."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import grpc

from toolwire._errors import UsageError
from toolwire._words import kind_spoken, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")

LEFT = "the stream was left"
NO_CALL = "an interceptor must return what continuation returns, or the like: found no call"

KINDS = (
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
)


_ASYNC_KINDS = (
    grpc.aio.UnaryUnaryClientInterceptor,
    grpc.aio.UnaryStreamClientInterceptor,
    grpc.aio.StreamUnaryClientInterceptor,
    grpc.aio.StreamStreamClientInterceptor,
)


def check_interceptors(interceptors: Iterable[T], kinds: tuple[type[Any], ...]) -> tuple[T, ...]:
    """Returns interceptors that were given.

    Args:
        interceptors: What was given.
        kinds: What each must be, one or the other.

    Raises:
        UsageError: If one is no interceptor of these kinds, or would be heeded in part.
    """
    try:
        given = tuple(interceptors)
    except TypeError:
        found = shown(interceptors)
        raise UsageError(f"interceptors takes a list of interceptors, found {found}") from None
    for index, each in enumerate(given):
        if not isinstance(each, kinds):
            wanted = kinds[0].__module__.removesuffix("._base_call").removesuffix("._interceptor")
            raise UsageError(
                f"interceptors[{index}]: expected a client interceptor of {wanted}, "
                f"found {kind_spoken(each)}"
            )
        if kinds is not KINDS and sum(isinstance(each, kind) for kind in _ASYNC_KINDS) > 1:
            raise UsageError(
                f"interceptors[{index}]: {type(each).__name__} is of several kinds, of which "
                "grpc.aio heeds the first alone: make one interceptor for each kind of call"
            )
    return given


class RawStream(Protocol):
    """What gRPC gives for a stream of responses."""

    def __next__(self) -> bytes:
        """Waits for the next response."""
        ...

    def cancel(self) -> object:
        """Gives the call up if it has not ended."""
        ...

    def initial_metadata(self) -> object:
        """Waits for what comes before the responses."""
        ...

    def trailing_metadata(self) -> object:
        """Waits for what comes after them."""
        ...


class GivenUp(grpc.RpcError):
    """Stands for gRPC's own error where a stream was given up that is none of gRPC's."""

    def code(self) -> grpc.StatusCode:
        """Returns what gRPC's own has."""
        return grpc.StatusCode.CANCELLED

    def details(self) -> str:
        """Returns what happened."""
        return LEFT


class Generated:
    """A stream that an interceptor made as a generator, as instrumentations do, or an iterator."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._is_cancelled = False

    def __next__(self) -> bytes:
        try:
            chunk = None if self._is_cancelled else next(self._chunks)
        except StopIteration:
            raise
        except BaseException:
            self._is_cancelled = True  # what has failed would end as if it were complete
            raise
        if self._is_cancelled or chunk is None:  # which another thread may have done meanwhile
            raise GivenUp
        return chunk

    def initial_metadata(self) -> None:
        """Returns nothing: the generator keeps it to itself."""

    def trailing_metadata(self) -> None:
        """Returns nothing, likewise."""

    def is_active(self) -> bool:
        """Tells whether it has not ended, as far as reading has found out."""
        return not self._is_cancelled and getattr(self._chunks, "gi_frame", self) is not None

    def add_callback(self, callback: object) -> bool:  # noqa: ARG002
        """Tells that it has not ended, and will not tell of that either: reading does."""
        return True

    def cancel(self) -> None:
        """Leaves the generator, which drops the call inside; that cancels it."""
        if not self.is_active():  # it has ended by itself, or is left already
            return
        self._is_cancelled = True
        chunks, self._chunks = self._chunks, iter(())
        if isinstance(chunks, Generator):
            with contextlib.suppress(ValueError):  # another thread is in it, and finds out itself
                chunks.close()


def as_stream(call: Any) -> RawStream:
    """Returns a stream that can be cancelled.

    Raises:
        UsageError: If it is none, which an interceptor has made.
    """
    if not hasattr(call, "__next__"):
        raise UsageError(NO_CALL)
    stream: RawStream = call if hasattr(call, "cancel") else Generated(call)
    return stream
