"""What a response says: its text, and the whole of one that came in chunks."""

from __future__ import annotations

from toolwire._answers._join import join_chunks
from toolwire._answers._text import text

__all__ = ["join_chunks", "text"]
