"""Finds what is sure to be the same under another name: all that is inside is the same."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from toolwire._schema_diff._index import Message, Service, definitions

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

    from toolwire._schema_diff._index import Definition, Schema, Type

    Content: TypeAlias = "frozenset[tuple[Hashable, ...]]"

# The kinds of likeness that are tried, the surest first: how many members there have to be at
# least. One alone may be the same by chance, unless what it is in has its name, too.
_LEAST = (2, 1, 1, 2)


def find_renames(old: Schema, new: Schema, names: Mapping[str, str]) -> dict[str, str]:
    """Returns old and new names, of the surest kind that there is.

    Args:
        old: The old schema.
        new: The new one.
        names: Old to new name of what is known to be in both.
    """
    olds, news = definitions(old), definitions(new)
    taken = set(names.values())
    gone = [item for name, item in olds.items() if name not in names]
    fresh = [item for name, item in news.items() if name not in taken]
    identity = {name: name for name in news}
    packages = {one.package for one in old.files.values()}
    moved = packages ^ {one.package for one in new.files.values()}
    for level in range(len(_LEAST)):
        groups: defaultdict[Hashable, tuple[list[str], list[str]]]
        groups = defaultdict(lambda: ([], []))
        for item in gone:
            package = old.files[item.file].package
            key = _key(level, item, _content(item, names), package, moved)
            groups[key][0].append(item.full_name)
        for item in fresh:
            package = new.files[item.file].package
            key = _key(level, item, _content(item, identity), package, moved)
            groups[key][1].append(item.full_name)
        groups.pop(None, None)
        found = {
            left[0]: right[0] for left, right in groups.values() if len(left) == len(right) == 1
        }
        if found:
            return found
    return {}


def _key(
    level: int, item: Definition, content: Content, package: str, moved: Collection[str]
) -> Hashable:
    """Returns what the old and the new one must have in common, or None where it is not enough."""
    scope, _, own = item.full_name.rpartition(".")
    keys = (
        (scope, content),
        (package, own, content),
        (own, content) if package in moved else None,
        (package, content),
    )
    key = keys[level]
    return (type(item), key) if key and len(content) >= _LEAST[level] else None


def _content(item: Definition, names: Mapping[str, str]) -> Content:
    """Returns what is inside, in names of the new schema and without its own name."""

    def text(kind: Type | None) -> str:
        if kind is None:
            return ""
        if f"{kind.name}.".startswith(f"{item.full_name}."):
            return f"{kind.kind} .{kind.name.removeprefix(item.full_name)}"
        return f"{kind.kind} {names.get(kind.name, kind.name)}"

    if isinstance(item, Message):
        return frozenset(
            (one.name, one.number, one.cardinality, text(one.key), text(one.type))
            for one in item.fields
        )
    if isinstance(item, Service):
        return frozenset(
            (one.name, text(one.request), text(one.response), one.streams) for one in item.methods
        )
    return frozenset((one.name, one.number) for one in item.values)
