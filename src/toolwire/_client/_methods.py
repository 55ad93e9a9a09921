"""Methods of an API as its descriptors tell them: paths, routes, scopes, resource names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from toolwire._annotations import (
    default_host,
    is_required,
    referenced_resource,
    resource,
    routes,
    scopes,
)
from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from google.protobuf.descriptor import Descriptor

    from toolwire._apis import Api
    from toolwire._descriptor_types import MessageType, MethodType

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

# What the guide to OAuth of the Gemini API asks for, whose schema names no scopes.
_SCOPES_IF_NONE = ("https://www.googleapis.com/auth/cloud-platform",)

_VARIABLE = re.compile(r"\{([^}=]+)(?:=([^}]*))?\}")


@dataclass(frozen=True, slots=True, eq=False)
class Method(Generic[Q, R]):
    """One method of a service.

    Attributes:
        name: Its name, such as ``GenerateContent``.
        service: Full name of its service.
        request: Class of its request.
        response: Class of its response, or of one chunk of it.
        routes: The fields of the request that its HTTP routes name, each with the patterns of
            resource names that it takes there. Their values are what a call is routed by.
        references: Other fields that hold a resource name, with the patterns of that resource.
        inner: The field that holds a whole request of another method, for the same target, where
            there is one.
        required: The other fields that have to be set.
        default_host: The service's host where no location has a say.
        scopes: What a token must be good for.
    """

    name: str
    service: str
    request: type[Q]
    response: type[R]
    routes: Mapping[str, tuple[str, ...]]
    references: Mapping[str, tuple[str, ...]]
    inner: str | None
    required: tuple[str, ...]
    default_host: str
    scopes: tuple[str, ...]

    @property
    def full_name(self) -> str:
        """Full name, such as ``google.cloud.aiplatform.v1.PredictionService.GenerateContent``."""
        return f"{self.service}.{self.name}"

    @property
    def path(self) -> str:
        """What gRPC calls it."""
        return f"/{self.service}/{self.name}"

    @property
    def target(self) -> str:
        """The first of the routing fields: the one that says who answers."""
        return next(iter(self.routes))


def find_method(api: Api, name: str) -> Method[Any, Any]:
    """Looks a method up in whichever service of the API has it.

    Args:
        api: The API.
        name: Name of the method.

    Raises:
        DescriptorError: If the API has no such method, or no route to it.
    """
    for service in api.services():
        method = service.methods_by_name.get(name)
        if method is not None:
            break
    else:
        raise DescriptorError(f"no service of {api.package} has a method {name}")
    patterns = _patterns(method)
    if not patterns:
        raise DescriptorError(f"{service.full_name}.{name} has no http route that names a field")
    request = method.input_type
    return Method(
        name=name,
        service=service.full_name,
        request=_class_of(request),
        response=_class_of(method.output_type),
        routes=patterns,
        references=_references(api, request, patterns),
        inner=_inner(request, next(iter(patterns))),
        required=tuple(
            field.name
            for field in request.fields
            if field.name not in patterns and is_required(field)
        ),
        default_host=default_host(service),
        scopes=scopes(service) or _SCOPES_IF_NONE,
    )


def _class_of(kind: MessageType) -> type[Any]:
    return GetMessageClass(cast("Descriptor", kind))


def _patterns(method: MethodType) -> dict[str, tuple[str, ...]]:
    """Returns the fields in the paths of a method, with the patterns of each."""
    found: dict[str, dict[str, None]] = {}
    for path in routes(method):
        for match in _VARIABLE.finditer(path):
            found.setdefault(match[1], {})[match[2] or "*"] = None
    return {field: tuple(patterns) for field, patterns in found.items()}


def _references(
    api: Api, request: MessageType, routing: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for field in request.fields:
        patterns = _resources(api).get(referenced_resource(field), ())
        if patterns and field.name not in routing and not field.is_repeated:
            found[field.name] = patterns
    return found


def _inner(request: MessageType, target: str) -> str | None:
    for field in request.fields:
        kind = field.message_type
        if kind is not None and not field.is_repeated and target in kind.fields_by_name:
            return field.name
    return None


@cache
def _resources(api: Api) -> dict[str, tuple[str, ...]]:
    """Returns the patterns of every resource that the API's messages define, by its type."""
    found: dict[str, tuple[str, ...]] = {}
    for file in api.files():
        for message in file.message_types_by_name.values():
            kind, patterns = resource(message)
            if kind:
                found[kind] = tuple(_VARIABLE.sub("*", pattern) for pattern in patterns)
    return found
