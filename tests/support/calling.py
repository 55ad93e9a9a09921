"""Turns in which a model calls functions, and the errors that go back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.apis import module

if TYPE_CHECKING:
    from toolwire.functions import Outcome


def content(*calls: str | tuple[str, dict[str, Any]], api: str = "v1") -> Any:
    """Returns a model's turn that calls functions, each given by name or with arguments."""
    parts: list[dict[str, Any]] = []
    for call in calls:
        name, args = (call, None) if isinstance(call, str) else call
        fields: dict[str, Any] = {"name": name} if args is None else {"name": name, "args": args}
        parts.append({"function_call": fields})
    return module(api).Content(role="model", parts=parts)


def error_of(outcome: Outcome) -> dict[str, Any]:
    """Returns the error that goes back, which is all that goes back."""
    assert outcome.error is not None
    assert outcome.response.keys() == {"error"}
    error: Any = outcome.response["error"]
    assert error.keys() == {"type", "message"}
    found: dict[str, Any] = error
    return found
