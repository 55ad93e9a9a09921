"""The methods of clients as functions: what each takes beside a request, and its documentation."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from toolwire._client.calls._prepared import Options
from toolwire._client.calls._types import Metadata  # noqa: TC001 - for who asks for type hints
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._apis import Api
    from toolwire._client.requests._methods import Method


# What is awaited is written out as a coroutine function: mocks and frameworks look for one, and
# Python 3.13's mocks look behind wrappers.


def bound(make: Callable[..., Any], method: Method[Any, Any], name: str) -> Callable[..., Any]:
    """Returns a method of a client: what every one takes is told apart from its own fields.

    Args:
        make: Makes the calls.
        method: The method.
        name: What it is called, with its class.
    """

    def call(
        *given: object,
        timeout: float | None = None,
        retries: int | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Any:
        return make(method, given, fields, Options(timeout, retries, metadata))

    async def awaited(
        *given: object,
        timeout: float | None = None,
        retries: int | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Any:
        return await make(method, given, fields, Options(timeout, retries, metadata))

    is_awaited = inspect.iscoroutinefunction(make)
    return _named(awaited if is_awaited else call, name, _describe(method))


def unbound(
    find: Callable[[Any], Callable[..., Any]],
    method: Method[Any, Any],
    name: str,
    *,
    api: Api,
    is_async: bool,
) -> Callable[..., Any]:
    """Returns a method as the class of clients has it: it takes the client first.

    Args:
        find: Returns the method of a client.
        method: The method of an API that has it, which the documentation is about.
        name: What it is called, with its class.
        api: That API.
        is_async: Whether the clients are those of event loops.
    """

    def call(
        self: Any,
        /,
        *given: object,
        timeout: float | None = None,
        retries: int | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Any:
        return find(self)(*given, timeout=timeout, retries=retries, metadata=metadata, **fields)

    async def awaited(
        self: Any,
        /,
        *given: object,
        timeout: float | None = None,
        retries: int | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Any:
        found = find(self)
        return await found(*given, timeout=timeout, retries=retries, metadata=metadata, **fields)

    doc = f"{_describe(method)}\n\nThis is the method of {api.name}; a client has its own API's."
    has_one = not (method.sends_many or method.gets_many or method.paging is not None)
    return _named(awaited if is_async and has_one else call, name, doc)


def _named(function: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    function.__qualname__ = name
    function.__name__ = name.rpartition(".")[2]
    function.__doc__ = doc
    return function


def _describe(method: Method[Any, Any]) -> str:
    """Returns the documentation of a method."""
    names = [field.name for field in method.request.DESCRIPTOR.fields]
    answer = with_article(method.response.DESCRIPTOR.name)
    if method.sends_many:
        answer = f"a session, which receives {method.response.DESCRIPTOR.name} messages"
    elif method.gets_many:
        answer = f"a stream of {method.response.DESCRIPTOR.name} chunks"
    elif method.paging is not None:
        answer = f"a pager over the {method.paging.items.name}, which asks for pages as needed"
    given = ", ".join(method.positional)
    return inspect.cleandoc(
        f"""
        Calls ``{method.full_name}``.

        It takes a ready {method.request.DESCRIPTOR.name} (or a dict of one), or the fields of one:
        {", ".join(names)}. {f"Without a name: {given}." if given else ""}

        Every method takes ``timeout``, the seconds that the whole call may last, ``retries``, how
        often it may be made again, and ``metadata``, headers to send along.

        Returns:
            {answer}.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the call fails.
        """
    )
