"""The user's own interceptors of calls, and what they may put in the place of gRPC's streams."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, TypeVar

import grpc

from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

T = TypeVar("T")

KINDS = (
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
)


def check_interceptors(interceptors: Iterable[T], kinds: tuple[type[Any], ...]) -> tuple[T, ...]:
    """Returns interceptors that were given.

    Args:
        interceptors: What was given.
        kinds: What each must be, one or the other.

    Raises:
        UsageError: If one is no interceptor of these kinds.
    """
    try:
        given = tuple(interceptors)
    except TypeError:
        raise UsageError("interceptors takes a list of interceptors of gRPC") from None
    for index, each in enumerate(given):
        if not isinstance(each, kinds):
            wanted = kinds[0].__module__.removesuffix("._base_call").removesuffix("._interceptor")
            raise UsageError(
                f"interceptors[{index}]: expected a client interceptor of {wanted}, "
                f"found a {type(each).__name__}"
            )
    return given


class GivenUp(grpc.RpcError):
    """Stands for gRPC's own error where a stream was given up that is none of gRPC's."""


class Generated:
    """A stream that an interceptor made as a generator, as instrumentations do."""

    def __init__(self, chunks: Generator[bytes]) -> None:
        self._chunks = chunks
        self._is_cancelled = False

    def __next__(self) -> bytes:
        chunk = None if self._is_cancelled else next(self._chunks)
        if self._is_cancelled or chunk is None:  # which another thread may have done meanwhile
            raise GivenUp
        return chunk

    def cancel(self) -> None:
        """Leaves the generator, which drops the call inside; that cancels it."""
        if getattr(self._chunks, "gi_frame", self) is None:  # it has ended by itself
            return
        self._is_cancelled = True
        with contextlib.suppress(ValueError):  # another thread is in it, and finds out by itself
            self._chunks.close()


def as_stream(call: Any) -> Any:
    """Returns a stream that can be cancelled."""
    return call if hasattr(call, "cancel") else Generated(call)
