"""Module attributes that are imported on first use (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_attributes(
    module: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Makes the ``__getattr__`` and ``__dir__`` of a module.

    Args:
        module: Name of the module.
        homes: Attribute to the module it lives in; an attribute that is the last part of its
            home's name is that module itself.

    Returns:
        The two functions, to be bound inside ``if not TYPE_CHECKING:``, since a type checker
        that sees a module's ``__getattr__`` accepts every misspelt name.
    """

    def getattr_(name: str) -> object:
        home = homes.get(name)
        if home is None:
            hint = "" if name.startswith("_") else _hint(module, name)
            text = f"module {module!r} has no attribute {name!r}{hint}"
            # Beside ours, what Python itself would suggest could only mislead.
            raise AttributeError(text, name=name, obj=None if hint else sys.modules[module])
        value: object = importlib.import_module(home)
        if home.rpartition(".")[2] != name:
            value = getattr(value, name)
        setattr(sys.modules[module], name, value)
        return value

    def dir_() -> list[str]:
        found = vars(sys.modules[module])
        special = (name for name in found if name.startswith("__"))
        return sorted({*found["__all__"], *homes, *special})

    return getattr_, dir_


def _hint(module: str, name: str) -> str:
    hint: str = importlib.import_module("toolwire._lost").where(module, name)
    return hint
