"""What tests run in other processes: importable there, as a test module is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.protobuf.message import Message


def echo(messages: list[Message]) -> list[Message]:
    """Returns what crossed the border, so that it crosses it once more."""
    return messages
