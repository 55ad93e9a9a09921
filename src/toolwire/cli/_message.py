"""The options that name a message, and the modules that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click
from google.protobuf.descriptor import FileDescriptor

from toolwire import DescriptorError
from toolwire._types import find_message
from toolwire.cli._load import import_here

if TYPE_CHECKING:
    from google.protobuf.message import Message

_FILES = f"{__name__}.files"


def _modules(context: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> None:
    files = imported()
    try:
        for name in names:
            found = getattr(import_here(name), "DESCRIPTOR", None)
            if isinstance(found, FileDescriptor):
                files.append(found)
    except ImportError as error:
        raise click.BadParameter(str(error)) from error
    context.meta[_FILES] = files


import_option = click.option(
    "--import",
    metavar="MODULE",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_modules,
    help="Import a module of `toolwire protoc`, whose messages --type then knows, too; repeatable.",
)


def imported() -> list[FileDescriptor]:
    """Returns the files that the modules of --import were made of."""
    files = click.get_current_context().meta.get(_FILES, [])
    return cast("list[FileDescriptor]", files)


def message_class(
    _context: click.Context, _option: click.Parameter, name: str | None
) -> type[Message] | None:
    """Finds the class that an option names, None where it is not given; a callback of click's.

    Raises:
        BadParameter: If there is none.
    """
    if name is None:
        return None
    try:
        return find_message(name, imported())
    except DescriptorError as error:
        reason = str(error)
    raise click.BadParameter(reason)
