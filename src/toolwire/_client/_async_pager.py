"""A list that comes in pages, in an event loop: the twin of ``_pager``."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.message import Message

from toolwire._client._paging import Pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire._client._async_calls import AsyncCaller
    from toolwire._client._methods import Method
    from toolwire._client._prepared import Options

T = TypeVar("T", bound=Message)
P = TypeVar("P", bound=Message)


class AsyncPager(AsyncIterable[T], Generic[T, P]):
    """The items of a list, asked for page by page while they are iterated over.

    Each iteration asks anew. A call's timeout holds for each page.
    """

    def __init__(
        self,
        caller: AsyncCaller,
        method: Method[Any, P],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> None:
        """Remembers the arguments; nothing is sent before the iteration.

        Args:
            caller: Makes the calls.
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How each call is to be made.

        Raises:
            UsageError: If an argument is wrong.
            JsonError: If a value does not fit its field.
        """
        self._caller = caller
        self._method = method
        self._options = options
        self._first = Pages(method, given, fields).request

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
