"""What a client of either kind is: its settings, and the methods of its API by name."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Literal

import grpc
from typing_extensions import TypeVar

# The default API, loaded here so that making a client takes no time.
import toolwire.v1  # noqa: F401  # pyright: ignore[reportUnusedImport]
from toolwire._apis import APIS
from toolwire._client._unique import Unique
from toolwire._client.calls._core import Core
from toolwire._client.calls._prepared import Options
from toolwire._client.calls._settings import read_settings
from toolwire._client.channels._options import is_direct, merge_options
from toolwire._client.errors._retry import Retrying, check_on_retry, check_retries
from toolwire._client.requests._methods import api_scopes, callable_api, find_method, method_names
from toolwire._errors import UsageError
from toolwire._habits import METHODS
from toolwire._json import near
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolwire._apis import Api
    from toolwire._client.calls._settings import Arguments
    from toolwire._client.calls._types import Metadata
    from toolwire._client.errors._retry import Retry
    from toolwire._client.requests._methods import Method

A = TypeVar("A", bound=str, default=Literal["v1"])
"""The name of the API, as a type."""


class BaseClient(Unique):
    """A client whose methods are those of its API's services."""

    _is_async = False

    def __init__(
        self,
        api: str,
        given: Arguments,
        *,
        options: Sequence[tuple[str, object]],
        retries: int,
        on_retry: Callable[[Retry], object] | None,
    ) -> None:
        """Checks the arguments; nothing is looked up or opened yet.

        Args:
            api: Name of the API.
            given: Where to call, and as whom.
            options: Options for gRPC.
            retries: How often to make a call again.
            on_retry: Is told of each.

        Raises:
            UsageError: If an argument is wrong, or does not go with another.
        """
        self._api = callable_api(api)
        scopes = api_scopes(self._api)
        check_on_retry(on_retry, is_async=self._is_async)
        self._options = merge_options(options)
        self._core = Core(
            read_settings(self._api, scopes, given),
            f"grpc/{grpc.__version__}",
            has_channel=given.has_channel,
            is_direct=is_direct(self._options),
        )
        self._retrying = Retrying(check_retries(retries), on_retry)
        self._made_methods: dict[str, Callable[..., Any]] = {}
        _put_on_class(self._api)

    def _maker(self, method: Method[Any, Any]) -> Callable[..., Any]:
        """Returns what makes calls of a method: of its kind, and with this client's caller."""
        raise NotImplementedError

    if not TYPE_CHECKING:  # which would take every misspelt name for a method

        def __getattr__(self, name: str) -> Any:
            if "_api" not in self.__dict__:
                raise AttributeError(
                    f"{name!r} of a client whose __init__ has not run", name=name, obj=self
                )
            hint = "" if name.startswith("_") else self._hint(name)
            text = f"{type(self).__name__} of {self._api.name} has no method {name!r}{hint}"
            # Beside ours, what Python itself would suggest could only mislead.
            raise AttributeError(text, name=name, obj=None if hint else self)

    def _find(self, name: str) -> Any:
        """Returns a method of the API, which is made when it is first looked for."""
        call = self._made_methods.get(name)
        if call is None:
            if name not in method_names(self._api):
                # Of another API's: what a class behind BaseClient has, or else __getattr__ says.
                return getattr(super(), name)
            method = find_method(self._api, name)
            call = self._made_methods[name] = _bind(self._maker(method), method)
            call.__name__ = name
            call.__qualname__ = f"{type(self).__name__}.{name}"
            call.__doc__ = _describe(method)
        return call

    def __dir__(self) -> list[str]:
        cls = type(self)
        own = (n for n in super().__dir__() if type(getattr(cls, n, None)) is not _ApiMethod)
        return sorted({*own, *method_names(self._api)})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.describe()})"

    def _hint(self, name: str) -> str:
        if name in METHODS:
            return f"; {METHODS[name]}"
        others = [
            api.name for api in APIS.values() if api is not self._api and name in method_names(api)
        ]
        if others:
            return f"; {' and '.join(others)} {'has' if len(others) == 1 else 'have'} it"
        return near(name, (each for each in dir(self) if each[0] != "_"))


class _ApiMethod:
    """A method of an API on the class of clients, where ``super()`` and mocks look for it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, client: BaseClient | None, owner: object = None) -> Any:
        return self if client is None else client._find(self._name)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - of this module

    def __call__(self, client: BaseClient, *given: object, **named: object) -> Any:
        # Not what a subclass has in its place: that may be who calls.
        return client._find(self._name)(*given, **named)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - of this module


@cache
def _put_on_class(api: Api) -> None:
    for name in method_names(api):
        setattr(BaseClient, name, _ApiMethod(name))


_put_on_class(callable_api("v1"))


def assume_location(client: BaseClient, location: str) -> None:
    """Gives a client a location for short names alone, as the environment would.

    Args:
        client: The client, which has made no call yet.
        location: The location.
    """
    core = client._core  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - of this module
    core.settings = replace(core.settings, default_location=location)


def check_ready(channel: object, kind: type[object], **others: object) -> None:
    """Refuses what cannot be a ready channel, and what it would make meaningless.

    Args:
        channel: What was given.
        kind: What it has to be.
        **others: What must be empty beside it.

    Raises:
        UsageError: If it is none, or something else is not empty.
    """
    if not isinstance(channel, kind):
        found = type(channel)
        wanted = "grpc.aio.Channel" if kind is grpc.aio.Channel else "grpc.Channel"
        raise UsageError(
            f"channel: expected a {wanted}, "
            f"found {with_article(f'{found.__module__}.{found.__name__}')}"
        )
    given = [name for name, value in others.items() if value]
    if given:
        raise UsageError(f"a ready channel leaves nothing for {' and '.join(given)}")


def _bind(make: Callable[..., Any], method: Method[Any, Any]) -> Callable[..., Any]:
    """Returns a method of a client: what every one takes is told apart from its own fields."""

    def call(
        *given: object,
        timeout: float | None = None,
        retries: int | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Any:
        return make(method, given, fields, Options(timeout, retries, metadata))

    if not inspect.iscoroutinefunction(make):
        return call

    @wraps(call)
    async def awaited(*given: object, **options: Any) -> Any:
        """Is told by tools from what is not awaited."""
        return await call(*given, **options)

    return awaited


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
