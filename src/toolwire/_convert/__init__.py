"""Messages of one API as messages of another, with a report of what is lost."""

from __future__ import annotations

from toolwire._convert._api import Converted, convert
from toolwire._convert._split import split_tool

__all__ = ["Converted", "convert", "split_tool"]
