"""Changes of files: each is a Python module, and has a package and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import ADDITION, BEHAVIOUR, JSON, SOURCE, WIRE, Finding
from toolwire._schema_diff._index import definitions
from toolwire._schema_diff._options import option_changes
from toolwire.codegen._names import module_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._schema_diff._index import File, Schema
    from toolwire._schema_diff._pairs import Pairs


def file_changes(old: Schema, new: Schema, pairs: Pairs) -> Iterator[Finding]:
    """Yields the changes of the files."""
    renamed = renamed_files(old, new, pairs)
    for path, file in old.files.items():
        other = new.files.get(renamed.get(path, path))
        if other is None:
            note = f"in Python the module {module_of(path)} is gone"
            yield Finding("file-removed", path, SOURCE, note, old=file.package)
            continue
        if path != other.path:
            note = f"in Python the module is {module_of(other.path)} now"
            yield Finding("file-renamed", path, SOURCE, note, path, other.path, other.path)
        yield from _kept(file, other)
    for path, file in new.files.items():
        if path not in old.files and path not in renamed.values():
            yield Finding("file-added", path, ADDITION, "", new=file.package, new_path=path)


def _kept(old: File, new: File) -> Iterator[Finding]:
    if old.package != new.package:
        note = (
            "all full names change: types in an Any are not found, and servers answer "
            "UNIMPLEMENTED to the other side's calls"
        )
        breaks = WIRE | JSON | SOURCE
        yield Finding("package-changed", old.path, breaks, note, old.package, new.package, new.path)
    if old.syntax != new.syntax:
        note = "what it means for presence, enums and encoding is said of the fields and enums"
        yield Finding("syntax-changed", old.path, BEHAVIOUR, note, old.syntax, new.syntax, new.path)
    yield from option_changes(old.path, new.path, old.options, new.options)


def renamed_files(old: Schema, new: Schema, pairs: Pairs) -> dict[str, str]:
    """Finds new files that hold all that a file held which is gone, and that alone of old ones."""
    news = definitions(new)
    homes: dict[str, set[str]] = {}
    origins: dict[str, set[str]] = {}
    for name, item in definitions(old).items():
        home = news[pairs.names[name]].file if name in pairs.names else ""
        homes.setdefault(item.file, set()).add(home)
        origins.setdefault(home, set()).add(item.file)
    found: dict[str, str] = {}
    for path, places in homes.items():
        home = next(iter(places))
        is_new = path not in new.files and home not in old.files
        if is_new and len(places) == 1 and home and origins[home] == {path}:
            found[path] = home
    return found
