"""Moves the compiler's Python modules below other import roots and into the private pool.

The edits are textual and few, and each must find what it edits: output of another shape, as a
new compiler may write, is refused instead of passed on half done.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError
from toolwire.codegen._names import below

if TYPE_CHECKING:
    from collections.abc import Mapping

POOL_IMPORT = "from google.protobuf import descriptor_pool as _descriptor_pool\n"
_FROM_IMPORT = re.compile(r"^from ([\w.]+) import (\w+_pb2)\b", re.MULTILINE)
_PUBLIC_IMPORT = re.compile(r"^from ((?:\w+\.)*\w+_pb2) import\b", re.MULTILINE)
_BARE_IMPORT = re.compile(r"^import (\w+_pb2) as", re.MULTILINE)


class Rewriter:
    """Rewrites the modules of one generated tree.

    Args:
        roots: Dotted name, without the root, of each ``_pb2`` module that is moved to the
            import root it goes below; an empty root leaves it where it is.
        pool_root: The import root whose ``_pool`` the modules register in.
    """

    def __init__(self, roots: Mapping[str, str], pool_root: str) -> None:
        self._roots = roots
        self._pool_root = pool_root

    def messages(self, text: str, module: str) -> str:
        """Rewrites a ``_pb2.py`` module."""
        text = self.imports(text)
        text = _replace(
            text, POOL_IMPORT, f"from {self._pool_root} import _pool as _descriptor_pool\n"
        )
        call = "BuildTopDescriptorsAndMessages(DESCRIPTOR, {!r}, _globals)"
        return _replace(
            text,
            call.format(module),
            call.format(below(self._roots[module], module))
            + "\n_descriptor_pool.finish(DESCRIPTOR, _globals)",
        )

    def imports(self, text: str) -> str:
        """Rewrites the imports of any generated module or stub."""
        text = _FROM_IMPORT.sub(self._from_import, text)
        text = _PUBLIC_IMPORT.sub(self._public_import, text)
        return _BARE_IMPORT.sub(self._bare_import, text)

    def _from_import(self, match: re.Match[str]) -> str:
        package, name = match.groups()
        root = self._roots.get(f"{package}.{name}", "")
        return f"from {below(root, package)} import {name}"

    def _public_import(self, match: re.Match[str]) -> str:
        """Moves what ``import public`` becomes: a star in a module, each name in a stub."""
        return f"from {below(self._roots.get(match[1], ''), match[1])} import"

    def _bare_import(self, match: re.Match[str]) -> str:
        root = self._roots.get(match[1])
        return f"from {root} import {match[1]} as" if root else match.group()


def _replace(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise DescriptorError(
            f"generated code has {text.count(old)} lines {old.strip()!r}, expected 1: "
            "this version of the compiler is not known"
        )
    return text.replace(old, new)
