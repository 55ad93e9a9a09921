"""The record of what a generated tree was made from."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from toolwire.codegen._protoc import Toolchain

STAMP = "stamp.json"


def stamp(sources: Mapping[str, Path], toolchain: Toolchain, **facts: object) -> str:
    """Describes what a generated tree was made from.

    Args:
        sources: Import path of each file of the schema to the file itself.
        toolchain: The tools that shape the output.
        **facts: What else is to be recorded.

    Returns:
        JSON text, the same for the same inputs.
    """
    record = {
        **facts,
        "tools": dict(sorted(toolchain.versions.items())),
        "sources": {name: sha256(path) for name, path in sorted(sources.items())},
    }
    return json.dumps(record, indent=2) + "\n"


def sha256(path: Path) -> str:
    """Digest of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
