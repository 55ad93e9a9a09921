"""Titles, descriptions, defaults and examples: what describes a value without judging it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._keywords import PLAIN
from toolwire._functions._report import fault
from toolwire._functions.schema._context import described
from toolwire._functions.schema._titles import is_own

if TYPE_CHECKING:
    from toolwire._functions._keywords import Node
    from toolwire._functions.schema._context import Context, Place


def put_annotations(context: Context, node: Node, made: Node, place: Place) -> None:
    """Copies what a schema says about itself."""
    for name in ("title", "description"):
        text = node.get(name)
        if text is None or text == "" or (name == "title" and not is_own(context, text, place)):
            continue
        if not isinstance(text, str):
            raise fault(f"expected text, found {described(text)}", (place.path, name))
        made[name] = text
    for name in ("default", "example"):
        if name in node:
            _put_value(context, node, made, place, name)
    if "examples" in node:
        _put_examples(context, node, made, place)


def _put_value(context: Context, node: Node, made: Node, place: Place, name: str) -> None:
    field = PLAIN[name].field
    if context.has(field):
        made[field] = node[name]
    else:
        context.report.dropped((place.path, name), f"the {context.api} schema has no {field}")


def _put_examples(context: Context, node: Node, made: Node, place: Place) -> None:
    """Keeps the first of several examples, since there is room for one."""
    examples = node["examples"]
    at = (place.path, "examples")
    if not isinstance(examples, list) or not context.has("example") or "example" in node:
        context.report.dropped(at, "there is room for one example")
        return
    if examples:
        made["example"] = examples[0]
    if len(examples) > 1:
        context.report.dropped(at, "there is room for one example: the first is kept")
