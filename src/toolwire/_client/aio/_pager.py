"""A list that comes in pages, in an event loop."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from typing import TYPE_CHECKING, Generic, TypeVar

from google.protobuf.message import Message

from toolwire._client.aio._calls import AsyncCaller
from toolwire._client.calls._paging import Listing, Pages

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T", bound=Message)
P = TypeVar("P", bound=Message)


class AsyncPager(Listing[AsyncCaller, P], AsyncIterable[T], Generic[T, P]):
    """The items of a list, asked for page by page while they are iterated over.

    Each iteration asks anew. A call's timeout holds for each page.
    """

    async def __aiter__(self) -> AsyncIterator[T]:
        async for _, items in self._turn():
            for item in items:
                yield item

    async def pages(self) -> AsyncIterator[P]:
        """Yields the responses whole.

        Raises:
            CallError: If a call fails.
        """
        async for page, _ in self._turn():
            yield page

    async def _turn(self) -> AsyncIterator[tuple[P, Sequence[T]]]:
        pages = Pages(self._method, (self._first,), {})
        while pages.request is not None:
            page = await self._caller.call(self._method, (pages.request,), {}, self._options)
            yield page, pages.turn(page)
