"""What a schema does not know: collected while reading, written back in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping

from toolwire._errors import JsonError
from toolwire._json._faults import fault
from toolwire._json._tree import check_text, plain
from toolwire._paths import Path, parse, quote, render


class UnknownFields(MutableMapping[str, object]):
    """Unknown fields and unknown enum names of a JSON document, by their paths.

    Reading with ``unknown=`` such a collector empties it first and then fills it; writing the
    message with the same ``unknown=`` puts everything back where it was, list positions
    included. Paths are in JSON names, such as ``contents[0].parts[1].toolCall``.

    Where the message has a value of its own for a collected path by then, as after an edit, the
    message's value is written. A path whose place is gone is an error when writing.
    """

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        """Makes a collector.

        Args:
            values: What was collected before, by path; for instance read from a store.

        Raises:
            JsonError: If a key is no path.
        """
        self._values: dict[str, object] = {}
        self.update(values or {})

    def __getitem__(self, path: str) -> object:
        return self._values[path]

    def __setitem__(self, path: str, value: object) -> None:
        _steps(path)
        self._values[path] = value

    def __delitem__(self, path: str) -> None:
        del self._values[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def clear(self) -> None:
        """Forgets everything."""
        self._values.clear()

    def __copy__(self) -> UnknownFields:
        return UnknownFields(self)

    def __repr__(self) -> str:
        return f"<UnknownFields: {len(self._values)} paths>"  # values may be secrets


def collect(policy: object, value: object, at: Path) -> None:
    """Puts something unknown into the collector, if there is one."""
    if isinstance(policy, UnknownFields):
        policy[render(at)] = plain(value, at)


class Unwritten:
    """One place of a collector, with the places below it.

    Attributes:
        value: What was collected for the place itself; None where nothing was (or a null,
            for which ``collected`` is true).
        collected: Whether something was collected for the place itself.
        below: The places below it, by field name, map key or list index.
    """

    __slots__ = ("below", "collected", "value")

    def __init__(self) -> None:
        self.value: object = None
        self.collected = False
        self.below: dict[str | int, Unwritten] = {}


def unwritten(unknown: object) -> Unwritten | None:
    """Returns what a collector holds as a tree, for a writer to walk beside the message.

    Raises:
        JsonError: If it is neither a collector nor None.
    """
    if unknown is None:
        return None
    if not isinstance(unknown, UnknownFields):
        kind = type(unknown).__name__
        raise JsonError(f"unknown must be an UnknownFields when writing, found {kind}")
    root = Unwritten()
    for path, value in unknown.items():
        node = root
        for step in _steps(path):
            node = node.below.setdefault(step, Unwritten())
        node.value = value
        node.collected = True
    return root


def collected(node: Unwritten, at: Path) -> object:
    """Returns what was collected for a place, as plain JSON.

    Raises:
        JsonError: If the collector holds something below the place, but the message ends there.
    """
    refuse_below(node, at)
    if not node.collected:
        raise fault("an unknown field was collected below this place, which is gone", at)
    return plain(node.value, at)


def refuse_below(node: Unwritten | None, at: Path) -> None:
    """Checks that nothing was collected below a place that has no inside.

    Raises:
        JsonError: If something was.
    """
    if node is not None and node.below:
        raise fault("an unknown field was collected below this place, which is gone", at)


def _steps(path: object) -> tuple[str | int, ...]:
    if not isinstance(path, str):
        raise JsonError(f"expected a path as text, found {type(path).__name__}")
    try:
        steps = parse(path)
    except ValueError:
        steps = ()
    if not steps:
        raise JsonError(f"expected a path such as tools[0].name, found {quote(path, longest=80)}")
    for step in steps:
        check_text(str(step), None)
    return steps
