"""A group of commands whose modules are loaded when they are asked for: most take their time."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import click

from toolwire import Error
from toolwire.cli._output import leave
from toolwire.cli._show import show_error

if TYPE_CHECKING:
    from collections.abc import Mapping


class LazyGroup(click.Group):
    """Finds its commands by a table, and makes one line and exit code 1 of an error."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, str], **options: Any) -> None:
        """Takes the table over.

        Args:
            *arguments: As for ``click.Group``.
            lazy: Name of a command to its place, ``module:attribute`` below this package.
            **options: As for ``click.Group``.
        """
        super().__init__(*arguments, **options)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of all commands."""
        return sorted({*super().list_commands(ctx), *self._lazy})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns a command, and loads it where that has not been done."""
        place = self._lazy.get(cmd_name)
        if place is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = place.partition(":")
        found: click.Command = getattr(
            importlib.import_module(f"{__package__}.{module}"), attribute
        )
        return found

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except Error as error:
            message = str(error)
        except BrokenPipeError as error:
            leave(error)
        except OSError as error:  # a full disk, a file that may not be read
            reason = error.strerror or str(error)
            message = f"{error.filename}: {reason}" if error.filename else reason
        show_error(message)
        sys.exit(1)
