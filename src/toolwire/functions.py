"""Functions that a model may call: declared from Python, pydantic, JSON Schema and MCP.

    from toolwire import functions

    def weather(city: str, days: int = 3) -> str:
        \"\"\"Tells the weather of a city.\"\"\"

    tool = v1.Tool(function_declarations=[functions.declare(weather)])

Reading Python types needs the extra ``functions`` (pydantic and docstring-parser), which is
loaded on first use; JSON Schema and MCP tools need nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._calls import (
    Call,
    Calls,
    Outcome,
    Result,
    Toolbox,
    ToolError,
    call_part,
    calls,
    respond,
    to_plain,
    to_struct,
    to_value,
)
from toolwire._errors import own_errors
from toolwire._findings import Change
from toolwire._functions import _answers, _declare
from toolwire._functions._answers import parse
from toolwire._functions._report import Declared
from toolwire._functions._to_json_schema import to_json_schema

if TYPE_CHECKING:
    from toolwire._functions._overloads import Declare, ResponseSchema, Tools

__all__ = [
    "Call",
    "Calls",
    "Change",
    "Declared",
    "Outcome",
    "Result",
    "ToolError",
    "Toolbox",
    "call_part",
    "calls",
    "declare",
    "parse",
    "respond",
    "response_schema",
    "to_json_schema",
    "to_plain",
    "to_struct",
    "to_value",
    "tool",
]

own_errors(__name__)

declare = cast("Declare", _declare.declare)
tool = cast("Tools", _declare.tool)
response_schema = cast("ResponseSchema", _answers.response_schema)
