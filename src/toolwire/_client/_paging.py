"""Pages of a list: what to ask for next. No waiting, no sending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from google.protobuf.message import Message

from toolwire._client._inputs import draft
from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire._client._methods import Method
    from toolwire._client._prepared import Options

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
        self._fields = method.paging
        drafted = draft(method, given, fields)
        request: Message = method.request()
        request.CopyFrom(drafted.request)
        if method.target and drafted.name:
            setattr(request, method.target, drafted.name)
        self.request: Message | None = request

    def turn(self, page: P) -> Sequence[Any]:
        """Takes a page in, and returns its items."""
        token: str = getattr(page, self._fields.told)
        if not token:
            self.request = None
        elif self.request is not None:
            setattr(self.request, self._fields.asked, token)
        return cast("Sequence[Any]", getattr(page, self._fields.items.name))


class Listing(Generic[C, P]):
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
        self._options = options
        self._first = Pages(method, given, fields).request
