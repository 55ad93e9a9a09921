"""Arguments of a call, put together from values at JSONPaths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from toolwire._answers._json_path import parse
from toolwire._answers._merge import fault, shown
from toolwire._messages import DEEPEST

if TYPE_CHECKING:
    from toolwire._paths import Path

Steps: TypeAlias = "tuple[str | int, ...]"
_DELTA = "delta"
_MOST_LEVELS = DEEPEST - 4  # in a call, in a part, in a content, in a candidate


class Arguments:
    """What has come of a call's arguments.

    Texts are put together only at the end, so that time stays linear in their length.
    """

    def __init__(self, call: Any) -> None:
        self._call = call
        self._texts: dict[Steps, list[str]] = {}

    def merge(self, piece: Any, at: Path) -> None:
        """Takes in arguments that came whole.

        Raises:
            ConversionError: If one has come before, with another value.
        """
        if not piece.HasField("args"):
            return
        self.finish()
        self._call.args.SetInParent()
        for name, value in piece.args.fields.items():
            known = self._call.args.fields
            if name in known and known[name] != value:
                raise fault((at, (name,)), "contradicts the chunks before")
            known[name].CopyFrom(value)

    def add(self, argument: Any, at: Path) -> None:
        """Takes in a value, or a piece of a text.

        Raises:
            ConversionError: If the JSONPath is none, or the value contradicts what came before.
        """
        kind = argument.WhichOneof(_DELTA)
        path = (at, "jsonPath")
        steps = parse(argument.json_path, path)
        if sum(map(_levels, steps)) > _MOST_LEVELS:
            raise fault(path, f"leads deeper than {DEEPEST} levels of messages")
        if kind is None:
            if argument.will_continue:
                return  # announces a value
            raise fault(at, f"has no value for {shown(argument.json_path)}")
        if kind == "string_value" and steps in self._texts:
            self._texts[steps].append(argument.string_value)
            return
        value = self._place(steps, path)
        found = value.WhichOneof("kind")
        if kind == "string_value" and found in (None, kind):
            self._texts[steps] = [value.string_value, argument.string_value]
            value.string_value = value.string_value
            return
        new = getattr(argument, kind)
        if found is not None and (found != kind or getattr(value, kind) != new):
            raise fault(at, f"{shown(argument.json_path)} has another value in the chunks before")
        setattr(value, kind, new)

    def finish(self) -> None:
        """Puts the texts together."""
        for steps, texts in self._texts.items():
            self._place(steps, None).string_value = "".join(texts)
        self._texts.clear()

    def _place(self, steps: Steps, at: Path) -> Any:
        """Returns the Value at a JSONPath, made if it is not there."""
        value: Any = None
        for step in steps:
            if isinstance(step, str):
                value = self._member(value, step, at)
            else:
                value = _item(value, step, at)
        return value

    def _member(self, value: Any, name: str, at: Path) -> Any:
        if value is None:
            self._call.args.SetInParent()
            return self._call.args.fields[name]
        if value.WhichOneof("kind") not in (None, "struct_value"):
            raise fault(at, f"{shown(name)} would stand in what is no object")
        return value.struct_value.fields[name]


def _levels(step: str | int) -> int:
    """Returns the levels of messages that a step costs: a Struct, an entry and a Value, or two."""
    return 3 if isinstance(step, str) else 2


def _item(value: Any, index: int, at: Path) -> Any:
    if value.WhichOneof("kind") not in (None, "list_value"):
        raise fault(at, f"[{index}] would stand in what is no list")
    items = value.list_value.values
    if index > len(items):
        raise fault(at, f"[{index}] leaves a gap in a list of {len(items)}")
    return items[index] if index < len(items) else items.add()
