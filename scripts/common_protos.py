"""Copies the common .proto files of the codegen environment, for buf to import from.

Usage: python scripts/common_protos.py FOLDER
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from generate import CODEGEN_PYTHON
from toolwire.codegen import Toolchain


def main(target: Path) -> None:
    """Copies every .proto file of googleapis-common-protos to a folder, at its import path."""
    folder = Toolchain.of(CODEGEN_PYTHON).common_protos
    for path in folder.glob("google/**/*.proto"):
        copy = target / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
