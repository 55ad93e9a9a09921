"""Something in a Python module, by its name on the command line."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click


def load(source: str, hint: str) -> object:
    """Imports what a name stands for; the module is looked for in the current folder, too.

    Args:
        source: The name, such as ``shop.tools:find_order``.
        hint: The argument or option that it was given by.

    Raises:
        BadParameter: If there is no such thing.
    """
    module, _, path = source.partition(":")
    if not module or not path:
        raise click.BadParameter("expected MODULE:NAME", param_hint=hint)
    sys.path.insert(0, str(Path.cwd()))
    try:
        found: object = importlib.import_module(module)
        for step in path.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError) as error:
        raise click.BadParameter(str(error), param_hint=hint) from error
    except Exception as error:  # whatever a module does when it is imported
        reason = f"{module} failed with {type(error).__name__}: {error}"
        raise click.BadParameter(reason, param_hint=hint) from error
    return found
