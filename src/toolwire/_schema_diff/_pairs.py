"""Finds which message, enum or service of the new schema is which of the old one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolwire._schema_diff._build import joined
from toolwire._schema_diff._index import definitions
from toolwire._schema_diff._renames import find_renames

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._schema_diff._index import Definition, Schema


@dataclass(slots=True)
class Pairs:
    """Names of messages, enums and services that are in both schemas.

    Attributes:
        names: Old full name to new full name.
        renamed: The part of it that was found by what is inside.
    """

    names: dict[str, str] = field(default_factory=dict[str, str])
    renamed: dict[str, str] = field(default_factory=dict[str, str])


def find_pairs(old: Schema, new: Schema) -> Pairs:
    """Pairs by name, then by file where only its package is another one, then by content."""
    olds, news = definitions(old), definitions(new)
    pairs = Pairs()
    for name, item in olds.items():
        if name in news and isinstance(news[name], type(item)):
            pairs.names[name] = name
    for path, file in old.files.items():
        package = new.files[path].package if path in new.files else file.package
        if package != file.package:
            here = {name: item for name, item in olds.items() if item.file == path}
            _pair_by_scope(file.package, package, here, news, pairs)
    # What was found may make out what has it inside.
    while found := find_renames(old, new, pairs.names):
        pairs.names.update(found)
        pairs.renamed.update(found)
        for name, other in found.items():
            inside = {one: item for one, item in olds.items() if one.startswith(f"{name}.")}
            _pair_by_scope(name, other, inside, news, pairs)
    for name, other in list(pairs.renamed.items()):
        scope, _, own = name.rpartition(".")
        if other == f"{pairs.names.get(scope)}.{own}":
            del pairs.renamed[name]  # what it is in was renamed
    return pairs


def _pair_by_scope(
    scope: str,
    new_scope: str,
    here: Mapping[str, Definition],
    news: Mapping[str, Definition],
    pairs: Pairs,
) -> None:
    """Pairs what is in one scope with what has the same name in another one."""
    taken = set(pairs.names.values())
    for name, item in here.items():
        other = joined(new_scope, name.removeprefix(scope).removeprefix("."))
        is_free = name not in pairs.names and other not in taken
        if is_free and isinstance(news.get(other), type(item)):
            pairs.names[name] = other
            taken.add(other)
