"""The signal inside a conversion that a value cannot be kept."""

from __future__ import annotations


class Lost(Exception):
    """A value that the other message cannot hold; its text is the reason."""
