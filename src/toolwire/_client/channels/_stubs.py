"""What stubs of both kinds have in common: their options, and the methods of anyone's services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import grpc

from toolwire._apis import Api
from toolwire._client.calls._core import Core
from toolwire._client.calls._settings import Arguments, check_text, read_settings
from toolwire._client.calls._types import AsyncStubOptions, StubOptions
from toolwire._client.channels._base import check_ready
from toolwire._client.channels._interceptors import KINDS, check_interceptors
from toolwire._client.channels._options import is_direct, merge_options
from toolwire._client.errors._retry import Retrying, check_on_retry, check_retries, retryable_codes
from toolwire._client.requests._copies import describe
from toolwire._client.requests._methods import Method, class_of
from toolwire._errors import Error, UsageError
from toolwire._json import near
from toolwire._messages import is_message_class
from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

S = TypeVar("S")

_API = Api(name="", package="", module="", is_regional=False)
_SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)


class Connection:
    """What the connections of stubs have in common: where they lead, and how calls are made."""

    def __init__(
        self, target: str | None, options: StubOptions | AsyncStubOptions, *, is_async: bool
    ) -> None:
        """Checks the options; nothing is opened yet.

        Args:
            target: ``host`` or ``host:port``, or a target of gRPC's; None with a ready channel.
            options: The others.
            is_async: Whether the calls are made in event loops.

        Raises:
            UsageError: If one is wrong, or does not go with another.
        """
        known = StubOptions.__annotations__.keys()
        unknown = sorted(options.keys() - known)
        if unknown:
            raise UsageError(f"a stub takes no {unknown[0]!r}{near(unknown[0], known)}")
        channel = options.get("channel")
        if channel is None and not isinstance(target, str):
            found = shown(target)
            raise UsageError(f"a stub takes a target as text, or a ready channel=, found {found}")
        given = Arguments(
            project=None,
            location=None,
            api_endpoint=None if channel is not None else check_text("target", target),
            credentials=options.get("credentials"),
            api_key=options.get("api_key"),
            quota_project=options.get("quota_project"),
            root_certificates=options.get("root_certificates"),
            client_certificate=options.get("client_certificate"),
            universe_domain=None,
            insecure=options.get("insecure", False),
            timeout=options.get("timeout", 600.0),
            log_contents=options.get("log_contents", False),
            has_channel=channel is not None,
            asks_environment=False,  # whose credential is not meant for just any server
        )
        self.settings = read_settings(_API, _SCOPES, given)
        self.options = merge_options(options.get("channel_options", ()))
        self.core = Core(
            self.settings,
            f"grpc/{grpc.__version__}",
            has_channel=given.has_channel,
            is_direct=is_direct(self.options),
        )
        kinds = (grpc.aio.ClientInterceptor,) if is_async else KINDS
        self.interceptors = check_interceptors(options.get("interceptors", ()), kinds)
        if channel is not None:
            check_ready(
                channel,
                grpc.aio.Channel if is_async else grpc.Channel,
                target=target,
                channel_options=options.get("channel_options"),
                interceptors=is_async and self.interceptors,
            )
        on_retry = options.get("on_retry")
        check_on_retry(on_retry, is_async=is_async)
        self.retrying = Retrying(check_retries(options.get("retries", 4)), on_retry)


def own_method(
    path: str,
    serializers: Sequence[Any],
    more: dict[str, Any],
    *,
    sends_many: bool = False,
    gets_many: bool = False,
) -> Method[Any, Any]:
    """Returns a method as generated code names it, with the classes of its messages.

    Args:
        path: The method, as gRPC spells it.
        serializers: The two functions of generated code, by position.
        more: The two, by name, and what else it says.
        sends_many: Whether the client sends a stream.
        gets_many: Whether the server answers with one.

    Raises:
        UsageError: If it is not of code that protobuf generated.
    """
    read = [*serializers, None, None][1] or more.get("response_deserializer")
    response: Any = getattr(read, "__self__", None)
    service, _, name = path.strip("/").rpartition("/")
    if is_message_class(response):
        try:
            found: Any = response.DESCRIPTOR.file.pool.FindServiceByName(service)
            request = class_of(found.methods_by_name[name].input_type)
        except KeyError:
            pass
        else:
            return Method(
                name=name,
                service=service,
                request=request,
                response=response,
                sends_many=sends_many,
                gets_many=gets_many,
                target="",
                routes={},
                references={},
                named=(),
                inner=(),
                required=(),
                positional=(),
                opening=None,
                mask=None,
                is_intricate=False,
                paging=None,
                default_host="",
                retryable=frozenset() if sends_many else retryable_codes(name),
                takes_fields=False,
            )
    raise UsageError(f"{path} is no method of a stub that protobuf's compiler generated")


def make_stub(make: Callable[[Any], S], channel: object) -> S:
    """Makes a stub.

    Args:
        make: The class of the stub.
        channel: The channel that it is to see.

    Raises:
        UsageError: If it is no such class.
    """
    fault = None
    if callable(make):
        try:
            return make(channel)
        except Error:
            raise
        except (TypeError, ValueError, AttributeError) as error:
            fault = error
    raise UsageError(f"expected the class of a generated stub, found {describe(make)}") from fault
