"""Messages, enums and services that are gone, new, renamed, or in another file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._files import renamed_files
from toolwire._schema_diff._finding import ADDITION, SOURCE, WIRE, Finding
from toolwire._schema_diff._index import Enum, Message, Service, definitions
from toolwire.codegen._names import module_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolwire._schema_diff._index import Definition, Schema
    from toolwire._schema_diff._pairs import Pairs


def definition_changes(old: Schema, new: Schema, pairs: Pairs) -> Iterator[Finding]:
    """Yields what became of definitions as such; what is inside them is compared elsewhere."""
    olds, news = definitions(old), definitions(new)
    taken = set(pairs.names.values())
    for item in _outermost(item for name, item in olds.items() if name not in pairs.names):
        breaks, note = SOURCE, "in Python the name is an error now"
        if isinstance(item, Service):
            breaks |= WIRE
            note = f"a new server answers UNIMPLEMENTED to /{item.full_name}/...; {note}"
        yield Finding(f"{_kind(item)}-removed", item.full_name, breaks, note, old=_size(item))
    for item in _outermost(item for name, item in news.items() if name not in taken):
        path = item.full_name
        yield Finding(f"{_kind(item)}-added", path, ADDITION, "", new=_size(item), new_path=path)
    for name, new_name in pairs.renamed.items():
        yield _renamed(olds[name], new_name)
    files = renamed_files(old, new, pairs)
    moved = [
        item
        for name, item in olds.items()
        if name in pairs.names
        and name not in pairs.renamed
        and files.get(item.file, item.file) != news[pairs.names[name]].file
    ]
    for item in _outermost(moved):
        new_name = pairs.names[item.full_name]
        home = news[new_name].file
        note = f"in Python it is in the module {module_of(home)} now"
        rule = f"{_kind(item)}-moved"
        yield Finding(rule, item.full_name, SOURCE, note, item.file, home, new_name)


def _renamed(item: Definition, new_name: str) -> Finding:
    breaks, note = SOURCE, f"in Python `{item.full_name.rpartition('.')[2]}` is an error now"
    if isinstance(item, Service):
        breaks |= WIRE
        note = f"a new server answers UNIMPLEMENTED to /{item.full_name}/...; {note}"
    elif isinstance(item, Message):
        note = f"{note}; all that is inside is the same, but an Any does not find it"
    return Finding(
        f"{_kind(item)}-renamed", item.full_name, breaks, note, item.full_name, new_name, new_name
    )


def _kind(item: Definition) -> str:
    return type(item).__name__.lower()


def _size(item: Definition) -> str:
    match item:
        case Message(fields=parts):
            what = "field"
        case Service(methods=parts):
            what = "method"
        case Enum(values=parts):
            what = "value"
    return f"{len(parts)} {what}" + "s" * (len(parts) != 1)


def _outermost(items: Iterable[Definition]) -> Iterator[Definition]:
    """Leaves out what is inside of another one of the items."""
    names = {item.full_name: item for item in items}
    for name, item in names.items():
        parts = name.split(".")
        if not any(".".join(parts[:count]) in names for count in range(1, len(parts))):
            yield item
