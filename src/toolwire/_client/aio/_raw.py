"""A call of gRPC's in an event loop, as what reads it and what gives it up see it."""

from __future__ import annotations

from typing import Any, Protocol

import grpc

from toolwire._client.channels._rpc_errors import FAULTS, read_fault


class RawAsyncStream(Protocol):
    """What gRPC gives for a stream of responses, or an ``Exchange``."""

    async def read(self) -> Any:
        """Waits for the next response; ``grpc.aio.EOF`` after the last one."""
        ...

    async def write(self, request: bytes) -> None:
        """Sends a message, in a session."""
        ...

    async def done_writing(self) -> None:
        """Says that no more will be sent, in a session."""
        ...

    def cancel(self) -> bool:
        """Gives the call up if it has not ended."""
        ...

    async def initial_metadata(self) -> Any:
        """Waits for what comes before the responses."""
        ...

    async def trailing_metadata(self) -> Any:
        """Waits for what comes after them."""
        ...


async def read(call: RawAsyncStream) -> Any:
    """Waits for the next response of a call; ``grpc.aio.EOF`` after the last one.

    What gRPC raises is returned: else it would be the context of our error, and may show a secret.

    Args:
        call: The call.

    Raises:
        UsageError: If an interceptor gives no call.
    """
    try:
        return await call.read()
    except grpc.RpcError as error:
        return error
    except FAULTS as error:
        return read_fault(error)


def cancel(call: Any) -> bool:
    """Cancels a call; some versions of gRPC raise an interceptor's own error there, once more."""
    try:
        return bool(call.cancel())
    except Exception:  # noqa: BLE001 - it has been raised already where the call is awaited
        return False
