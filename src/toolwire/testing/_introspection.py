"""Health and reflection: what tools such as ``buf curl`` ask a server."""

# The types of these packages come apart from them, and may be missing.
# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf import descriptor_pool
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import grpc
    from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

    from toolwire._descriptor_types import ServiceType

_T = TypeVar("_T")


def add_health(services: Sequence[ServiceType], server: grpc.Server) -> health.HealthServicer:
    """Adds ``grpc.health.v1``: the server and each of its services are serving."""
    servicer = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for name in ("", *(service.full_name for service in services)):
        servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
    return servicer


def add_reflection(services: Sequence[ServiceType], server: grpc.Server) -> None:
    """Adds reflection over the services' pool and, for health and reflection, the default one."""
    names = [service.full_name for service in services]
    names += (health.SERVICE_NAME, reflection.SERVICE_NAME)
    own: Any = services[0].file.pool
    pools: Any = UnionOfPools(own, descriptor_pool.Default())  # stands in for a pool
    reflection.enable_server_reflection(names, server, pool=pools)


class UnionOfPools:
    """The part of a descriptor pool that reflection uses, answered by the first pool that can."""

    def __init__(self, *pools: descriptor_pool.DescriptorPool) -> None:
        self._pools = pools

    def FindFileByName(self, name: str) -> FileDescriptor:  # noqa: N802
        """Returns the file of that name.

        Raises:
            KeyError: If no pool has it.
        """
        return self._first(lambda pool: pool.FindFileByName(name))

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802
        """Returns the file that defines a symbol.

        Raises:
            KeyError: If no pool has it.
        """
        return self._first(lambda pool: pool.FindFileContainingSymbol(symbol))

    def FindMessageTypeByName(self, name: str) -> Descriptor:  # noqa: N802
        """Returns the message type of that name.

        Raises:
            KeyError: If no pool has it.
        """
        return self._first(lambda pool: pool.FindMessageTypeByName(name))

    def FindExtensionByNumber(self, kind: Descriptor, number: int) -> FieldDescriptor:  # noqa: N802
        """Returns the extension of a message type with that number.

        Raises:
            KeyError: If no pool has it.
        """
        return self._first(lambda pool: pool.FindExtensionByNumber(kind, number))

    def FindAllExtensions(self, kind: Descriptor) -> list[FieldDescriptor]:  # noqa: N802
        """Returns all extensions of a message type."""
        return self._first(lambda pool: pool.FindAllExtensions(kind))

    def _first(self, find: Callable[[descriptor_pool.DescriptorPool], _T]) -> _T:
        for pool in self._pools:
            with contextlib.suppress(KeyError, TypeError):  # TypeError: a type of another pool
                return find(pool)
        raise KeyError("no pool has it")
