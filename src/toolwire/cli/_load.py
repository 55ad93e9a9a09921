"""Something in a Python module, by its name on the command line."""

from __future__ import annotations

import contextlib
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolwire._json import near

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import ModuleType


def import_here(module: str) -> ModuleType:
    """Imports a module, which is looked for in the current folder, too.

    Raises:
        ImportError: If there is none, or it cannot be imported.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    with _code_of(module):
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            name = error.name or ""
            if not f"{module}.".startswith(f"{name}."):  # it is there, and misses another one
                raise
            reason = f"no module {name} in the current folder or on Python's path"
    raise ImportError(
        f"{reason}: PYTHONPATH names further folders, such as --out of `toolwire protoc`"
    )


def load(source: str, hint: str) -> object:
    """Imports what a name stands for; the module is looked for in the current folder, too.

    Args:
        source: The name, such as ``shop.tools:find_order``.
        hint: The argument or option that it was given by.

    Raises:
        BadParameter: If there is no such thing.
    """
    module, _, path = source.partition(":")
    if module.endswith(".py"):
        file = Path(module).with_suffix("")
        name = file.name if file.is_absolute() else ".".join(file.parts)
        fault = f"expected a module, found a file: write {name}:{path or 'NAME'}"
        raise click.BadParameter(fault, param_hint=hint)
    if not module or not path or module.startswith("."):
        example = "such as shop.tools:find_order"
        raise click.BadParameter(f"expected MODULE:NAME, {example}", param_hint=hint)
    found: object = None
    step = ""
    try:
        found = import_here(module)
        with _code_of(module):
            for step in path.split("."):
                found = getattr(found, step)
    except (ImportError, AttributeError) as error:
        meant = near(step, dir(found)) if step else ""
        raise click.BadParameter(f"{error}{meant}", param_hint=hint) from error
    return found


@contextlib.contextmanager
def _code_of(module: str) -> Generator[None]:
    """Runs what a module does by itself; what it prints goes to standard error.

    Raises:
        ImportError: If it fails, or ends the program.
        AttributeError: If it has not got what it is asked for.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except (ImportError, AttributeError):
        raise
    except (Exception, SystemExit) as error:
        raise ImportError(f"{module} failed with {type(error).__name__}: {error}") from error
