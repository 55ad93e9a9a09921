"""Which files of a tree the roots of the schema need: those that define them, and all imports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from collections.abc import Collection

    from source_tree import SourceTree

# Strings are matched so that what looks like a comment in one is none. A comment without an end
# goes to the end of the file, and a string to that of its line: every character is looked at once.
_STRING_OR_COMMENT = re.compile(
    r""""(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|//[^\n]*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)
_DEFINITION = re.compile(r"^(?:message|service|enum)\s+(\w+)\s*\{", re.MULTILINE)
_IMPORT = re.compile(r"""\bimport\s+(?:public\s+|weak\s+)?["']([^"'\n]+)["']\s*;""")


@dataclass(frozen=True, slots=True)
class Closure:
    """The files that a schema needs.

    Attributes:
        files: Import path of a file to its content.
        left: The same for those that are not needed, since they are provided.
        found: Roots that the tree defines.
        missing: Roots that it does not, though it has their package.
        absent: Packages of roots that the tree does not have at all.
    """

    files: dict[str, bytes]
    left: dict[str, bytes]
    found: tuple[str, ...]
    missing: tuple[str, ...]
    absent: tuple[str, ...]


def package_of(root: str) -> str:
    """Returns the proto package of a message or service."""
    return root.rpartition(".")[0]


def find_closure(tree: SourceTree, roots: Collection[str], provided: Collection[str]) -> Closure:
    """Finds the files that define the roots, and what they import.

    A file that is imported but not there is left to the compiler, which names file and line.

    Args:
        tree: Where to look.
        roots: Full names of messages and services.
        provided: Import paths that need not be copied.

    Returns:
        The files.

    Raises:
        DescriptorError: A file is a link that leads out of the tree, is not UTF-8, or cannot be
            read.
    """
    packages = {package_of(root) for root in roots}
    absent = sorted(package for package in packages if not _files_of(tree, package))
    defined = {package: _definitions(tree, package) for package in packages}
    defining = {root: defined[package_of(root)].get(root, []) for root in roots}
    files: dict[str, bytes] = {}
    left: dict[str, bytes] = {}
    pending = [name for names in defining.values() for name in names]
    while pending:
        name = pending.pop()
        if name in files or name in left or name not in tree.names:
            continue
        content = _utf8(name, tree.read(name))
        imported = _IMPORT.findall(code(content))
        if name in provided:
            left[name] = content
            imported = [other for other in imported if other in provided]
        else:
            files[name] = content
        pending += imported
    return Closure(
        files=files,
        left=left,
        found=tuple(root for root in roots if defining[root]),
        missing=tuple(
            root for root in roots if not defining[root] and package_of(root) not in absent
        ),
        absent=tuple(absent),
    )


def _utf8(name: str, content: bytes) -> bytes:
    """Refuses what the compiler lets pass in a comment, and fails on when it writes that."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DescriptorError(f"{name}:{line}: is not UTF-8") from error
    return content


def _files_of(tree: SourceTree, package: str) -> list[str]:
    """Returns the files that lie where the package has them (googleapis' layout)."""
    folder = package.replace(".", "/")
    return sorted(name for name in tree.names if str(PurePosixPath(name).parent) == folder)


def _definitions(tree: SourceTree, package: str) -> dict[str, list[str]]:
    """Returns the full names that a package's files define outermost, each with its files."""
    found: dict[str, list[str]] = {}
    for file in _files_of(tree, package):
        for name in _DEFINITION.findall(code(tree.read(file))):
            found.setdefault(f"{package}.{name}", []).append(file)
    return found


def code(content: bytes) -> str:
    """Returns a file without its comments."""
    text = content.decode(errors="replace")
    return _STRING_OR_COMMENT.sub(lambda m: " " if m[0].startswith("/") else m[0], text)
