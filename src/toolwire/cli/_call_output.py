"""What ``toolwire call`` writes: an answer as it comes, and what is told beside it."""

from __future__ import annotations

import contextlib
import json
import logging
import re
from typing import TYPE_CHECKING, Any

from toolwire import text, to_json
from toolwire.cli._show import echo, show_json, style

if TYPE_CHECKING:
    from collections.abc import Generator

    from toolwire.functions import Call, Outcome

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # a terminal would obey these
_WHOLE = frozenset({"STOP", "FINISH_REASON_UNSPECIFIED"})


class Writer:
    """Writes what comes, as the options say.

    Attributes:
        as_json: Whether the whole response is wanted, as JSON.
        ending: Why the answer was cut off; empty if it was not.
    """

    def __init__(self, *, as_json: bool, json_lines: bool) -> None:
        self.as_json = as_json
        self.ending = ""
        self._json_lines = json_lines
        self._has_begun = False  # to write an answer
        self._is_open = False  # whether the line is not at its end

    def chunk(self, chunk: Any) -> None:
        """Writes a chunk as it comes."""
        self.ending = _ending(chunk) or self.ending
        if self._json_lines:
            show_json(to_json(chunk))
            return
        parts = [part for each in chunk.candidates[:1] for part in each.content.parts]
        if parts or not self._has_begun:
            self._write(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text(chunk)))
        for call in (part.function_call for part in parts if part.HasField("function_call")):
            arguments = to_json(call.args) if call.HasField("args") else "{}"
            self.line()
            self._write(f"{style('call', fg='green')}: {call.name} {arguments}\n")

    def before(self, call: Call) -> None:  # noqa: ARG002
        """Makes way for what a function may write itself."""
        self.line()

    def outcome(self, call: Call, outcome: Outcome) -> None:
        """Writes what came of a call."""
        if not self._json_lines and not self.as_json:
            self.line()
            shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", json.dumps(outcome.response))
            echo(f"{style('result', fg='green')}: {call.name} {shown}")
            self._has_begun = False

    def whole(self, response: Any) -> None:
        """Writes a whole response as JSON."""
        show_json(to_json(response, indent=2))
        self.ending = _ending(response)

    def line(self) -> None:
        """Ends the line that has been begun, so that what follows has one to itself."""
        if self._is_open:
            self._is_open = False
            echo("")

    def _write(self, written: str) -> None:
        if written:
            self._has_begun = True
            self._is_open = not written.endswith("\n")
            echo(written, end="")


class _Teller(logging.Handler):
    """Tells of calls on standard error, which may be the terminal that the answer goes to."""

    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a line."""
        self._writer.line()
        echo(self.format(record), err=True)


@contextlib.contextmanager
def telling(writer: Writer) -> Generator[None]:
    """Tells of calls meanwhile."""
    logger = logging.getLogger("toolwire")
    logger.setLevel(logging.DEBUG)
    teller = _Teller(writer)
    logger.addHandler(teller)
    try:
        yield
    finally:
        logger.removeHandler(teller)


def _ending(response: Any) -> str:
    """Returns why an answer was cut off; empty if it was not."""
    for candidate in response.candidates[:1]:
        field = candidate.DESCRIPTOR.fields_by_name["finish_reason"]
        known = field.enum_type.values_by_number.get(candidate.finish_reason)
        name = known.name if known else str(candidate.finish_reason)
        if name not in _WHOLE:
            return name
    return ""
