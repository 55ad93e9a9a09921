"""Pages of a list: what to ask for next. No waiting, no sending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from google.protobuf.message import Message

from toolwire._call_errors import CallError
from toolwire._client._headers import check_metadata
from toolwire._client._unique import Unique
from toolwire._client.calls._settings import check_timeout
from toolwire._client.errors._retry import check_retries
from toolwire._client.requests._inputs import draft
from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire._client.calls._prepared import Options
    from toolwire._client.requests._methods import Method

C = TypeVar("C")
P = TypeVar("P", bound=Message)


class Pages(Generic[P]):
    """Where a walk over pages stands.

    Attributes:
        request: A ready request for the next page; None after the last one.
    """

    def __init__(
        self, method: Method[Any, P], given: Sequence[object], fields: Mapping[str, object]
    ) -> None:
        """Reads the arguments of the call.

        Raises:
            UsageError: If an argument is wrong.
            JsonError: If a value does not fit its field.
        """
        if method.paging is None:
            raise DescriptorError(f"{method.full_name} has no pages")
        self._name = method.full_name
        self._fields = method.paging
        drafted = draft(method, given, fields)
        request: Message = method.request()
        request.CopyFrom(drafted.request)
        if method.target and drafted.name:
            setattr(request, method.target, drafted.name)
        self.request: Message | None = request
        self._seen: set[bytes] = set()
        self._is_new(getattr(request, self._fields.asked))

    def turn(self, page: P) -> Sequence[Any]:
        """Takes a page in, and returns its items.

        Raises:
            CallError: If the next page is one that came before, and the list would never end.
        """
        token: str = getattr(page, self._fields.told)
        if not token:
            self.request = None
        elif self.request is not None:
            if not self._is_new(token):
                raise CallError(
                    "the server says that the page after this one is a page that came before",
                    code="INTERNAL",
                    method=self._name,
                )
            setattr(self.request, self._fields.asked, token)
        return cast("Sequence[Any]", getattr(page, self._fields.items.name))

    def _is_new(self, token: str) -> bool:
        """Tells whether no page was asked for by that token; it may be long, its digest is not."""
        import hashlib  # noqa: PLC0415 - few clients read lists

        before = len(self._seen)
        self._seen.add(hashlib.sha256(token.encode()).digest())
        return len(self._seen) > before


class Listing(Unique, Generic[C, P]):
    """What both kinds of pager keep: whom to ask, and the first request."""

    def __init__(
        self,
        caller: C,
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
        if options.timeout is not None:
            check_timeout(options.timeout)
        if options.retries is not None:
            check_retries(options.retries)
        options.metadata = check_metadata(options.metadata)  # an iterator would serve one page
        self._options = options
        self._first = Pages(method, given, fields).request

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._method.name}>"
