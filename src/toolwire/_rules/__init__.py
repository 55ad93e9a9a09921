"""The rules that a message must keep beyond its schema: what a server would refuse, said early.

The rules are small functions over descriptors, listed in one table (``_table``). They know
messages by name and never by class, so that they hold for a message of any pool.
"""

from __future__ import annotations

from toolwire._rules._describe import Described, described
from toolwire._rules._engine import find, validate, violations

__all__ = ["Described", "described", "find", "validate", "violations"]
