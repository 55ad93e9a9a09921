"""The option that names a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolwire import DescriptorError
from toolwire._types import find_message

if TYPE_CHECKING:
    from google.protobuf.message import Message


def message_class(_context: click.Context, _option: click.Parameter, name: str) -> type[Message]:
    """Finds the class that an option names; a callback of click's.

    Raises:
        BadParameter: If there is none.
    """
    try:
        return find_message(name)
    except DescriptorError as error:
        reason = str(error)
    raise click.BadParameter(reason)
