"""A list that comes in pages, for threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.message import Message

from toolwire._client._paging import Pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire._client._calls import Caller
    from toolwire._client._methods import Method
    from toolwire._client._prepared import Options

T = TypeVar("T", bound=Message)
P = TypeVar("P", bound=Message)


class Pager(Iterable[T], Generic[T, P]):
    """The items of a list, asked for page by page while they are iterated over.

    Each iteration asks anew. A call's timeout holds for each page.
    """

    def __init__(
        self,
        caller: Caller,
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
