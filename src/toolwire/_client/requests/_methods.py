"""Methods of an API as its descriptors tell them: paths, routes, scopes, resource names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from toolwire import _rpc
from toolwire._annotations import default_host, is_required, referenced_resource, resource, scopes
from toolwire._apis import APIS
from toolwire._client.errors._retry import retryable_codes
from toolwire._errors import DescriptorError, UsageError
from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from google.protobuf.descriptor import Descriptor

    from toolwire._apis import Api
    from toolwire._descriptor_types import MessageType, MethodType

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

# What the guide to OAuth of the Gemini API asks for, whose schema names no scopes.
_SCOPES_IF_NONE = ("https://www.googleapis.com/auth/cloud-platform",)


@dataclass(frozen=True, slots=True, eq=False)
class Method(Generic[Q, R]):
    """One method of a service.

    Attributes:
        name: Its name, such as ``GenerateContent``.
        service: Full name of its service.
        request: Class of its request, or of one message that is sent.
        response: Class of its response, or of one chunk of it.
        sends_many: Whether the client sends a stream.
        gets_many: Whether the server answers with one.
        target: The first of the routing fields: the one that says who answers. It may be empty.
        routes: The fields of the request that its HTTP routes name, each with the patterns of
            resource names that it takes there. Their values are what a call is routed by.
        references: Other fields that hold a resource name, with the patterns of that resource.
            A field inside another one is written with a dot.
        named: Read these fields.
        inner: The fields that hold whole requests of another method, for the same target.
        required: The other fields that have to be set.
        positional: The fields that may be given by position.
        opening: The field of the first message of a session, where there is one.
        mask: The field for the paths of an update, and the one that they lead into.
        is_intricate: Whether a request may have to be changed inside.
        paging: How the answer comes in pages, if it does.
        default_host: The service's host where no location has a say.
        retryable: The status codes after which the same call may be made again.
        takes_fields: Whether the fields of the request may be given as keywords, too.
    """

    name: str
    service: str
    request: type[Q]
    response: type[R]
    sends_many: bool
    gets_many: bool
    target: str
    routes: Mapping[str, tuple[str, ...]]
    references: Mapping[str, tuple[str, ...]]
    named: tuple[Callable[[object], object], ...]
    inner: tuple[str, ...]
    required: tuple[str, ...]
    positional: tuple[str, ...]
    opening: str | None
    mask: tuple[str, str] | None
    is_intricate: bool
    paging: _rpc.Paging | None
    default_host: str
    retryable: frozenset[str]
    takes_fields: bool

    @property
    def full_name(self) -> str:
        """Full name, such as ``google.cloud.aiplatform.v1.PredictionService.GenerateContent``."""
        return f"{self.service}.{self.name}"

    @property
    def path(self) -> str:
        """What gRPC calls it."""
        return f"/{self.service}/{self.name}"


@cache
def method_names(api: Api) -> Mapping[str, MethodType]:
    """Returns the methods of an API by their Python names."""
    return _rpc.name_methods(api.services())


def callable_api(name: str) -> Api:
    """Returns the API of that name, if it is one that can be called.

    Raises:
        UsageError: If there is none, or it has no services.
    """
    given = cast("object", name)  # of untyped callers: it may not even hash
    api = APIS.get(given) if isinstance(given, str) else None
    if api is not None and api.services():
        return api
    names = ", ".join(each.name for each in APIS.values() if each.services())
    what = "no API that can be called" if api is None else "JSON alone, and cannot be called"
    raise UsageError(f"api: {shown(name)} is {what}; choose one of {names}")


@cache
def api_scopes(api: Api) -> tuple[str, ...]:
    """Returns what a token must be good for to call the API."""
    found = dict.fromkeys(scope for service in api.services() for scope in scopes(service))
    return tuple(found) or _SCOPES_IF_NONE


@cache
def find_method(api: Api, name: str) -> Method[Any, Any]:
    """Returns a method.

    Args:
        api: The API.
        name: Its Python name.

    Raises:
        DescriptorError: If the API has no such method.
    """
    method = method_names(api).get(name)
    if method is None:
        raise DescriptorError(f"no service of {api.package} has a method {name}")
    service = method.containing_service
    request = method.input_type
    patterns = _rpc.routing(method)
    target = next(iter(patterns), "")
    mask = _rpc.inferred_mask(method)
    opening = _rpc.opening(method)
    references = _references(api, request, patterns)
    inner = tuple(field.name for field in _rpc.inner_requests(request, target))
    return Method(
        name=method.name,
        service=service.full_name,
        request=class_of(request),
        response=class_of(method.output_type),
        sends_many=method.client_streaming,
        gets_many=method.server_streaming,
        target=target,
        routes=patterns,
        references=references,
        named=tuple(map(attrgetter, references)),
        inner=inner,
        required=tuple(
            field.name
            for field in request.fields
            if field.name not in patterns and is_required(field) and not _rpc.is_mask(field)
        ),
        positional=_rpc.positional(method),
        opening=opening.name if opening is not None else None,
        mask=(mask[0], mask[1].name) if mask is not None else None,
        is_intricate=bool(inner) or mask is not None,
        paging=_rpc.paging(method),
        default_host=default_host(service),
        retryable=retryable_codes(method.name),
        takes_fields=True,
    )


def class_of(kind: MessageType) -> type[Any]:
    """Returns the class of a message type."""
    return GetMessageClass(cast("Descriptor", kind))


def _references(
    api: Api, request: MessageType, routing: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for field in request.fields:
        patterns = _resources(api).get(referenced_resource(field), ())
        if patterns and field.name not in routing and not field.is_repeated:
            found[field.name] = patterns
        kind = field.message_type
        if kind is None or field.is_repeated or kind.name.endswith("Request"):
            continue
        # A stored thing, or a session, names the model that it is for.
        if "model" in kind.fields_by_name and (models := _models(api)):
            found[f"{field.name}.model"] = models
    return found


def _models(api: Api) -> tuple[str, ...]:
    """Returns the patterns of the names of models: those of the methods that generate."""
    generate = method_names(api).get("generate_content")
    return _rpc.routing(generate).get("model", ()) if generate is not None else ()


@cache
def _resources(api: Api) -> dict[str, tuple[str, ...]]:
    """Returns the patterns of every resource that the API's messages define, by its type."""
    found: dict[str, tuple[str, ...]] = {}
    for file in api.files():
        for message in file.message_types_by_name.values():
            kind, patterns = resource(message)
            if kind:
                found[kind] = tuple(_rpc.VARIABLE.sub("*", pattern) for pattern in patterns)
    return found
