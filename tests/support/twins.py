"""Both clients under one roof, so that a test says once what holds for each."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from toolwire.client import AsyncClient, Client

if TYPE_CHECKING:
    from collections.abc import Generator

    from toolwire.client import Retry

of_both = pytest.mark.parametrize("twin", ["sync", "async"], indirect=True)


class Twin:
    """A client of either kind, called from a test that is no coroutine."""

    def __init__(self, target: str, *, is_async: bool) -> None:
        self.is_async = is_async
        self.client: Any = self._make(target)
        self._target = target

    def _make(self, target: str) -> Any:
        kind: Any = AsyncClient if self.is_async else Client
        return kind(
            api_endpoint=target, insecure=True, project="p", location="l", timeout=600, retries=4
        )

    def generate(
        self,
        *,
        stream: bool = False,
        into: list[Any] | None = None,
        close_on_retry: bool = False,
        **options: Any,
    ) -> list[Any]:
        """Calls, and returns all that comes."""
        found: list[Any] = [] if into is None else into
        if self.is_async:
            asyncio.run(self._generate(found, stream, options, close_on_retry))
            return found
        if close_on_retry:
            self.client = self._make(self._target)

            def close(_: Retry) -> None:
                self.client.close()

            self.client._caller.retrying.on_retry = close
        if stream:
            found.extend(self.client.stream_generate_content("m", "x", **options))
        else:
            found.append(self.client.generate_content("m", "x", **options))
        return found

    async def _generate(
        self, found: list[Any], stream: bool, options: Any, close_on_retry: bool
    ) -> None:
        closing: list[Any] = []
        if close_on_retry:
            self.client = self._make(self._target)

            def close(_: Retry) -> None:
                closing.append(asyncio.ensure_future(self.client.close()))

            self.client._caller.retrying.on_retry = close
        try:
            if stream:
                async for each in self.client.stream_generate_content("m", "x", **options):
                    found.append(each)  # noqa: PERF401 - so that an error leaves what came before
            else:
                found.append(await self.client.generate_content("m", "x", **options))
        finally:
            await asyncio.gather(*closing)

    def close(self) -> None:
        """Closes the client."""
        if self.is_async:
            asyncio.run(self.client.close())
        else:
            self.client.close()


@contextlib.contextmanager
def twin_of(target: str, kind: str) -> Generator[Twin]:
    """Makes a client of either kind, and closes it."""
    twin = Twin(target, is_async=kind == "async")
    try:
        yield twin
    finally:
        twin.close()
