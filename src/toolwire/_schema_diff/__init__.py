"""Compares two schemas, and says what the difference breaks.

``_load`` reads a schema from wherever it is, ``_build`` makes an index of it (``_index``),
``_compare`` finds the changes, with a module for each kind of thing, and ``_report`` writes them
down. ``_buf`` asks buf for a second opinion, which ``_cross_check`` puts beside them.
"""

from toolwire._schema_diff._buf import Buf
from toolwire._schema_diff._changelog import changes
from toolwire._schema_diff._compare import compare
from toolwire._schema_diff._cross_check import cross_check
from toolwire._schema_diff._finding import CONSEQUENCES, Consequence, Finding
from toolwire._schema_diff._load import load
from toolwire._schema_diff._narrow import defined, narrow
from toolwire._schema_diff._report import report, to_json

__all__ = [
    "CONSEQUENCES",
    "Buf",
    "Consequence",
    "Finding",
    "changes",
    "compare",
    "cross_check",
    "defined",
    "load",
    "narrow",
    "report",
    "to_json",
]
