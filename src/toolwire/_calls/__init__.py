"""Function calls: read from a model's turn, run, and answered in one turn.

``_call`` reads the calls, ``_respond`` builds the turn that answers them, ``_toolbox`` runs Python
functions in between. Arguments and results cross in ``_read`` (``Struct`` to Python) and ``_plain``
(Python to ``Struct``). All of it goes by descriptors, so that it holds for every API and pool.
"""

from toolwire._calls._call import Call, Calls, calls
from toolwire._calls._parts import call_part
from toolwire._calls._read import to_plain
from toolwire._calls._respond import respond
from toolwire._calls._result import Outcome, Result, ToolError
from toolwire._calls._struct import to_struct, to_value
from toolwire._calls._toolbox import Toolbox

__all__ = [
    "Call",
    "Calls",
    "Outcome",
    "Result",
    "ToolError",
    "Toolbox",
    "call_part",
    "calls",
    "respond",
    "to_plain",
    "to_struct",
    "to_value",
]
