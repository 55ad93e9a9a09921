"""The ``google.api`` options of a schema, whichever pool it lives in.

``GetOptions`` always answers with the default pool's classes, so its extension objects read the
options of every pool.
"""

# googleapis-common-protos has no types: this is the one module that reads its options.
# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false, reportArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import TYPE_CHECKING

from google.api import annotations_pb2, client_pb2, field_behavior_pb2, resource_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._descriptor_types import FieldType, MessageType, MethodType, ServiceType


def is_required(field: FieldType) -> bool:
    """Tells whether a field is marked REQUIRED."""
    if not field.has_options:
        return False
    behaviors = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    return field_behavior_pb2.REQUIRED in behaviors


def behaviors(field: FieldType) -> tuple[str, ...]:
    """Returns the names of all that a field is marked as, such as ``OUTPUT_ONLY``."""
    found = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    return tuple(map(str, map(field_behavior_pb2.FieldBehavior.Name, found)))


def referenced_resource(field: FieldType) -> str:
    """Returns the type of the resource that a field names, or an empty string."""
    if not field.has_options:
        return ""
    return str(field.GetOptions().Extensions[resource_pb2.resource_reference].type)


def resource(kind: MessageType) -> tuple[str, tuple[str, ...]]:
    """Returns the type and the name patterns of the resource that a message type is."""
    declared = kind.GetOptions().Extensions[resource_pb2.resource]
    return str(declared.type), tuple(map(str, declared.pattern))


def bindings(method: MethodType) -> Iterator[tuple[str, str, str]]:
    """Yields verb, path and body of each way to call a method over HTTP.

    The body is ``*`` or the name of a field of the request; empty where there is none.
    """
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    for route in (rule, *rule.additional_bindings):
        verb = route.WhichOneof("pattern")
        if verb == "custom":
            yield str(route.custom.kind), str(route.custom.path), str(route.body)
        elif verb is not None:
            yield verb.upper(), str(getattr(route, verb)), str(route.body)


def routes(method: MethodType) -> Iterator[str]:
    """Yields the HTTP paths of a method, such as ``/v1/{model=models/*}:generateContent``."""
    return (path for _, path, _ in bindings(method))


def signature(method: MethodType) -> tuple[str, ...]:
    """Returns the fields of a method's first published signature, in their order."""
    declared = method.GetOptions().Extensions[client_pb2.method_signature]
    return tuple(filter(None, str(declared[0]).split(","))) if declared else ()


def default_host(service: ServiceType) -> str:
    """Returns the host that serves wherever no location has a say."""
    return str(service.GetOptions().Extensions[client_pb2.default_host])


def scopes(service: ServiceType) -> tuple[str, ...]:
    """Returns what a token has to be good for; nothing where the schema does not say it."""
    declared = str(service.GetOptions().Extensions[client_pb2.oauth_scopes])
    return tuple(declared.split(",")) if declared else ()
