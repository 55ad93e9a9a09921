"""A list that comes in pages, for threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from google.protobuf.message import Message

from toolwire._client.blocking._calls import Caller
from toolwire._client.calls._paging import Listing, Pages

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T", bound=Message)
P = TypeVar("P", bound=Message)


class Pager(Listing[Caller, P], Iterable[T], Generic[T, P]):
    """The items of a list, asked for page by page while they are iterated over.

    Each iteration asks anew. A call's timeout holds for each page.
    """

    def __iter__(self) -> Iterator[T]:
        for _, items in self._turn():
            yield from items

    def pages(self) -> Iterator[P]:
        """Yields the responses whole.

        Raises:
            CallError: If a call fails.
        """
        for page, _ in self._turn():
            yield page

    def _turn(self) -> Iterator[tuple[P, Sequence[T]]]:
        pages = Pages(self._method, (self._first,), {})
        while pages.request is not None:
            page = self._caller.call(self._method, (pages.request,), {}, self._options)
            yield page, pages.turn(page)
