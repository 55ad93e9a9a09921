"""Packages of the extra ``testing``, imported only when a server starts."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from toolwire._errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType

_NEEDED = ("grpc_health.v1.health", "grpc_reflection.v1alpha.reflection", "cryptography.x509")


def require() -> None:
    """Makes sure that the packages of the extra are there.

    Raises:
        MissingExtraError: If one is not.
    """
    for name in _NEEDED:
        _load(name)


def _load(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if missing.partition(".")[0] != name.partition(".")[0]:
            raise
        raise MissingExtraError(
            f'the local server needs {missing}: pip install "toolwire[testing]"'
        ) from error
