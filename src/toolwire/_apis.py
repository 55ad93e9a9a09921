"""The APIs that toolwire speaks, one row each. What a descriptor tells is not repeated here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from toolwire._errors import DescriptorError
from toolwire._messages import is_message_class
from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FileType, ServiceType


@dataclass(frozen=True, slots=True)
class Api:
    """One version of one API.

    Attributes:
        name: Its name as an argument, such as ``Client(api="v1")``.
        package: Its proto package.
        module: Name of the Python module with its messages.
        is_regional: Whether each location has a host of its own, and resource names begin with
            a project and a location. One that is not knows neither.
    """

    name: str
    package: str
    module: str
    is_regional: bool

    def load(self) -> ModuleType:
        """Imports the module with the API's messages."""
        return importlib.import_module(self.module)

    def classes(self) -> Iterator[type[Message]]:
        """Yields the classes of the API's messages, those that are nested in others left out."""
        return filter(is_message_class, vars(self.load()).values())

    def files(self) -> tuple[FileType, ...]:
        """Returns the .proto files of the API that have messages, by name."""
        return _files(self)

    def services(self) -> tuple[ServiceType, ...]:
        """Returns the API's services; an API of which only JSON is published has none."""
        return tuple(service for file in self.files() for service in file.services_by_name.values())


@cache
def _files(api: Api) -> tuple[FileType, ...]:
    files = {cls.DESCRIPTOR.file.name: cls.DESCRIPTOR.file for cls in api.classes()}
    return tuple(file for _, file in sorted(files.items()))


_ROWS = (
    Api("v1", "google.cloud.aiplatform.v1", "toolwire.v1", is_regional=True),
    Api("v1beta1", "google.cloud.aiplatform.v1beta1", "toolwire.v1beta1", is_regional=True),
    Api("gemini", "google.ai.generativelanguage.v1beta", "toolwire.gemini", is_regional=False),
    Api("firebase", "toolwire.firebase.v1beta", "toolwire.firebase", is_regional=False),
)

APIS: Mapping[str, Api] = MappingProxyType({api.name: api for api in _ROWS})
"""Every API by its name. Where several have what is looked for, the first one wins."""


def find_api(name: str) -> Api:
    """Returns the API of that name.

    Raises:
        DescriptorError: If there is none.
    """
    given = cast("object", name)  # of untyped callers: it may not even hash
    api = APIS.get(given) if isinstance(given, str) else None
    if api is None:
        raise DescriptorError(f"unknown api {shown(name)}: choose one of {', '.join(APIS)}")
    return api


def api_of(package: str) -> Api | None:
    """Returns the API of a proto package, or None if it is none."""
    return next((api for api in APIS.values() if api.package == package), None)
