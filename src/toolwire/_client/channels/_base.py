"""What a client of either kind is: its settings, and the methods of its API by name."""

from __future__ import annotations

import inspect
from dataclasses import replace
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal

import grpc
from typing_extensions import TypeVar

# The default API, loaded here so that making a client takes no time.
import toolwire.v1  # noqa: F401  # pyright: ignore[reportUnusedImport]
from toolwire._apis import APIS
from toolwire._client._unique import Unique
from toolwire._client.calls._core import Core
from toolwire._client.calls._settings import read_settings
from toolwire._client.channels._functions import bound, unbound
from toolwire._client.channels._options import is_direct, merge_options
from toolwire._client.errors._retry import Retrying, check_on_retry, check_retries
from toolwire._client.requests._methods import api_scopes, callable_api, find_method, method_names
from toolwire._errors import UsageError
from toolwire._habits import METHODS
from toolwire._json import near
from toolwire._words import kind_spoken, with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolwire._apis import Api
    from toolwire._client.calls._settings import Arguments
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
        _put_on_class(_class_of(type(self)), self._api)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if _class_of(cls) is cls:
            _put_on_class(cls, callable_api("v1"))

    def _maker(self, method: Method[Any, Any]) -> Callable[..., Any]:
        """Returns what makes calls of a method: of its kind, and with this client's caller."""
        raise NotImplementedError

    if not TYPE_CHECKING:  # which would take every misspelt name for a method

        def __getattr__(self, name: str) -> Any:
            if "_api" not in self.__dict__:
                raise AttributeError(
                    f"{name!r} of a client whose __init__ has not run", name=name, obj=self
                )
            raise self._lacks(name)

    def _lacks(self, name: str) -> AttributeError:
        """Returns the error for a method that the API has not."""
        hint = "" if name.startswith("_") else self._hint(name)
        text = f"{type(self).__name__} of {self._api.name} has no method {name!r}{hint}"
        # Beside ours, what Python itself would suggest could only mislead.
        return AttributeError(text, name=name, obj=None if hint else self)

    def _find(self, name: str) -> Any:
        """Returns a method of the API, which is made when it is first looked for."""
        call = self._made_methods.get(name)
        if call is None:
            if name not in method_names(self._api):
                try:
                    return getattr(super(), name)  # another API's name is free for classes behind
                except AttributeError:
                    raise self._lacks(name) from None
            method = find_method(self._api, name)
            qualified = f"{type(self).__name__}.{name}"
            call = self._made_methods[name] = bound(self._maker(method), method, qualified)
        return call

    def __dir__(self) -> list[str]:
        cls = type(self)
        static = inspect.getattr_static
        own = (n for n in super().__dir__() if type(static(cls, n, None)) is not _ApiMethod)
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
    """A method of an API on the class of clients, where ``super()``, mocks and help look for it.

    It is an ordinary method to all who look there, but for one thing: a client whose API lacks it
    has no such attribute.
    """

    def __init__(self, owner: type[BaseClient], api: Api, name: str) -> None:
        self._owner = owner
        self._api = api
        self._name = name

    @cached_property
    def _function(self) -> Callable[..., Any]:
        return unbound(
            self._of,
            find_method(self._api, self._name),
            f"{self._owner.__name__}.{self._name}",
            api=self._api,
            is_async=self._owner._is_async,  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - of this module
        )

    def _of(self, client: object) -> Callable[..., Any]:
        if not isinstance(client, self._owner):
            kind = self._owner.__name__
            raise UsageError(
                f"{kind}.{self._name} is called on a client, as in {kind}(...).{self._name}(...): "
                f"found {kind_spoken(client)} in its place"
            )
        return client._find(self._name)  # type: ignore[no-any-return]  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def __get__(self, client: BaseClient | None, owner: object = None) -> Any:
        if client is None:
            return self._function
        return client._find(self._name)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - of this module

    if not TYPE_CHECKING:  # for mocks, which look for a function in the class's own dict
        __class__ = property(lambda _: FunctionType)

        def __call__(self, *given: Any, **named: Any) -> Any:
            return self._function(*given, **named)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._function, name)


def _class_of(cls: type[BaseClient]) -> type[BaseClient]:
    """Returns which of the two clients a class of the user's is."""
    return next(each for each in cls.__mro__ if BaseClient in each.__bases__)


def _put_on_class(cls: type[BaseClient], api: Api) -> None:
    for name in method_names(api):
        if name not in vars(cls):
            setattr(cls, name, _ApiMethod(cls, api, name))


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
