"""Moves the compiler's Python modules below another import root and into the private pool.

The edits are textual and few, and each must find what it edits: output of another shape, as a
new compiler may write, is refused instead of passed on half done.
"""

from __future__ import annotations

import re

from toolwire._errors import DescriptorError

_POOL_IMPORT = "from google.protobuf import descriptor_pool as _descriptor_pool\n"
_FROM_IMPORT = re.compile(r"^from ([\w.]+) import (\w+_pb2)\b", re.MULTILINE)
_STAR_IMPORT = re.compile(r"^from ((?:\w+\.)*\w+_pb2) import \*", re.MULTILINE)
_BARE_IMPORT = re.compile(r"^import (\w+_pb2) as", re.MULTILINE)


class Rewriter:
    """Rewrites the modules of one generated tree.

    Args:
        root: The import root, such as ``toolwire_pb``.
        modules: Dotted names, without the root, of the ``_pb2`` modules of the tree.
        pool_root: The import root whose ``_pool`` the modules register in.
    """

    def __init__(self, root: str, modules: frozenset[str], pool_root: str) -> None:
        self._root = root
        self._modules = modules
        self._pool_root = pool_root

    def messages(self, text: str, module: str) -> str:
        """Rewrites a ``_pb2.py`` module."""
        text = self.imports(text)
        text = _replace(
            text, _POOL_IMPORT, f"from {self._pool_root} import _pool as _descriptor_pool\n"
        )
        call = "BuildTopDescriptorsAndMessages(DESCRIPTOR, {!r}, _globals)"
        return _replace(
            text,
            call.format(module),
            call.format(f"{self._root}.{module}")
            + "\n_descriptor_pool.finish(DESCRIPTOR, _globals)",
        )

    def imports(self, text: str) -> str:
        """Rewrites the imports of any generated module or stub."""
        text = _FROM_IMPORT.sub(self._from_import, text)
        text = _STAR_IMPORT.sub(self._star_import, text)
        return _BARE_IMPORT.sub(self._bare_import, text)

    def _from_import(self, match: re.Match[str]) -> str:
        package, name = match.groups()
        if f"{package}.{name}" not in self._modules:
            return match.group()
        return f"from {self._root}.{package} import {name}"

    def _star_import(self, match: re.Match[str]) -> str:
        """Moves what ``import public`` becomes."""
        if match[1] not in self._modules:
            return match.group()
        return f"from {self._root}.{match[1]} import *"

    def _bare_import(self, match: re.Match[str]) -> str:
        if match[1] not in self._modules:
            return match.group()
        return f"from {self._root} import {match[1]} as"


def _replace(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise DescriptorError(
            f"generated code has {text.count(old)} lines {old.strip()!r}, expected 1: "
            "this version of the compiler is not known"
        )
    return text.replace(old, new)
