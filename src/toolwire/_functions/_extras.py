"""Packages of the extra ``functions``, imported only when Python types are read."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from toolwire._errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType


def require(name: str) -> ModuleType:
    """Imports a package of the extra.

    Raises:
        MissingExtraError: If it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingExtraError(
            f'reading Python types needs {name}: pip install "toolwire[functions]"'
        ) from error
