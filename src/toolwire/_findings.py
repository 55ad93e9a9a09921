"""What a check, a conversion and a declaration find: the entries of their reports.

They stand apart from the errors that carry them, since most programs that import toolwire meet
none of them, and ``dataclasses`` is a good part of what an import costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that one field breaks.

    Attributes:
        path: Where in the message, in JSON names; empty for the message itself.
        rule: Stable identifier of the rule, such as ``tool.one-kind``.
        severity: ``"error"`` where a server refuses the message, else ``"warning"``.
        message: What is wrong and what would be right.
        source: Where the rule comes from, such as a proto comment or a field behavior.
    """

    path: str
    rule: str
    severity: Severity
    message: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that a conversion left out or changed.

    Attributes:
        path: Where in the original message, in JSON names; empty for the message itself.
        kind: What stands there, such as ``string``, ``Type`` (an enum) or ``Retrieval``.
        reason: Why it could not be kept, and what became of it.
    """

    path: str
    kind: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


@dataclass(frozen=True, slots=True)
class Change:
    """One thing in a schema that a declaration does not carry as it was.

    Attributes:
        path: Where in the source, in JSON Schema's keywords; empty for the whole of it.
        action: ``"dropped"`` where it is gone, ``"changed"`` where something else stands for it.
        message: What became of it, and why.
    """

    path: str
    action: Literal["dropped", "changed"]
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message
