"""What the ``google.api`` options of a service say of all its methods."""

# googleapis-common-protos has no types; the other options are read by toolwire._rules._options.
# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false, reportArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import TYPE_CHECKING

from google.api import client_pb2

if TYPE_CHECKING:
    from google._upb import _message as c
    from google.protobuf.descriptor import ServiceDescriptor

    ServiceType = ServiceDescriptor | c.ServiceDescriptor


def default_host(service: ServiceType) -> str:
    """Returns the host that serves wherever no location has a say."""
    return str(service.GetOptions().Extensions[client_pb2.default_host])


def scopes(service: ServiceType) -> tuple[str, ...]:
    """Returns what a token has to be good for."""
    return tuple(str(service.GetOptions().Extensions[client_pb2.oauth_scopes]).split(","))
