"""The APIs that toolwire speaks, one row each. What a descriptor tells is not repeated here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType


@dataclass(frozen=True, slots=True)
class Api:
    """One version of one API.

    Attributes:
        name: Its name as an argument, such as ``Client(api="v1")``.
        package: Its proto package.
        module: Name of the Python module with its messages.
        is_regional: Whether each location has a host of its own, and resource names begin with
            a project and a location.
    """

    name: str
    package: str
    module: str
    is_regional: bool

    def load(self) -> ModuleType:
        """Imports the module with the API's messages."""
        return importlib.import_module(self.module)


APIS: Mapping[str, Api] = MappingProxyType(
    {api.name: api for api in (Api("v1", "google.cloud.aiplatform.v1", "toolwire.v1", True),)}
)
"""Every API by its name."""


def find_api(name: str) -> Api:
    """Returns the API of that name.

    Raises:
        DescriptorError: If there is none.
    """
    api = APIS.get(name)
    if api is None:
        raise DescriptorError(f"unknown api {name!r}: choose one of {', '.join(APIS)}")
    return api
