"""What a client of either kind is: its settings, and the methods of its API by name."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import grpc
from typing_extensions import TypeVar

# The default API, loaded here so that making a client takes no time.
import toolwire.v1  # noqa: F401  # pyright: ignore[reportUnusedImport]
from toolwire._apis import APIS, find_api
from toolwire._client._core import Core
from toolwire._client._lines import merge_options
from toolwire._client._methods import api_scopes, find_method, method_names
from toolwire._client._retry import Retrying, check_retries
from toolwire._client._settings import check_text, read_settings
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolwire._client._methods import Method
    from toolwire._client._retry import Retry
    from toolwire._client._settings import Arguments

A = TypeVar("A", bound=str, default=Literal["v1"])
"""The name of the API, as a type."""


class BaseClient:
    """A client whose methods are those of its API's services."""

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
            DescriptorError: If there is no such API, or it has no services.
        """
        self._api = find_api(check_text("api", api))
        scopes = api_scopes(self._api)
        if on_retry is not None and not callable(on_retry):
            raise UsageError("on_retry takes a function")
        self._options = merge_options(options)
        self._core = Core(
            read_settings(self._api, scopes, given),
            f"grpc/{grpc.__version__}",
            has_channel=given.has_channel,
        )
        self._retrying = Retrying(check_retries(retries), on_retry)

    def _bind(self, method: Method[Any, Any]) -> Callable[..., Any]:
        """Makes what calls a method."""
        raise NotImplementedError

    if not TYPE_CHECKING:  # which would take every misspelt name for a method

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name not in method_names(self._api):
                raise AttributeError(self._missing(name), name=name, obj=self)
            method = find_method(self._api, name)
            call = self._bind(method)
            call.__name__ = name
            call.__qualname__ = f"{type(self).__name__}.{name}"
            call.__doc__ = _describe(method)
            self.__dict__[name] = call  # the next look finds it at once
            return call

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *method_names(self._api)})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.describe()})"

    def __reduce__(self) -> NoReturn:
        raise UsageError("a client cannot be pickled or copied: make one in each process")

    def _missing(self, name: str) -> str:
        text = f"{type(self).__name__} of {self._api.name} has no method {name!r}"
        others = [
            api.name for api in APIS.values() if api is not self._api and name in method_names(api)
        ]
        return f"{text}; {' and '.join(others)} have it" if others else text


def check_ready(
    channel: object,
    kind: type[object],
    api_endpoint: str | None,
    options: Sequence[tuple[str, object]],
) -> None:
    """Refuses what cannot be a ready channel, and what it would make meaningless.

    Raises:
        UsageError: If that is so.
    """
    if not isinstance(channel, kind):
        found = type(channel)
        wanted = "grpc.aio.Channel" if kind is grpc.aio.Channel else "grpc.Channel"
        raise UsageError(
            f"channel: expected a {wanted}, found a {found.__module__}.{found.__name__}"
        )
    if api_endpoint is not None or tuple(options):
        raise UsageError("a ready channel leaves nothing for api_endpoint and channel_options")


def _describe(method: Method[Any, Any]) -> str:
    """Returns the documentation of a method."""
    names = [field.name for field in method.request.DESCRIPTOR.fields]
    answer = f"a {method.response.DESCRIPTOR.name}"
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
