"""The record of what a generated tree was made from."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from toolwire.codegen._protoc import Toolchain

STAMP = "stamp.json"


def stamp(root: Path, revision: str, toolchain: Toolchain) -> str:
    """Describes the inputs of a generated tree.

    Args:
        root: Folder of the schema; every file in it is recorded.
        revision: Which published schema it holds.
        toolchain: The tools that shape the output.

    Returns:
        JSON text, the same for the same inputs.
    """
    record = {
        "revision": revision,
        "tools": dict(sorted(toolchain.versions.items())),
        "sources": {
            path.relative_to(root).as_posix(): sha256(path)
            for path in sorted(root.rglob("*"))
            if path.is_file()
        },
    }
    return json.dumps(record, indent=2) + "\n"


def sha256(path: Path) -> str:
    """Digest of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
