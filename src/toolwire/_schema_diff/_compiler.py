"""Compiles a folder of .proto files."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire._errors import DescriptorError
from toolwire.codegen import Toolchain, proto_folder

_LONGEST = 5  # lines of what the compiler says
_WARNING = re.compile(r": warning: |^WARNING: |^[IW]\d{4} ")  # of the compiler, and of its log


def compile_folder(folder: Path, origin: str, toolchain: Toolchain | None) -> FileDescriptorSet:
    """Returns the descriptors of all .proto files below a folder, imports included.

    What the folder imports and does not have may be a file of toolwire's, or a common one.

    Args:
        folder: Where import paths begin. Folders with a name that begins with a dot are skipped.
        origin: What the user calls it, for errors.
        toolchain: The compiler; None is that of this interpreter's environment.

    Raises:
        DescriptorError: A file does not compile; the message names file and line.
        MissingExtraError: There is no compiler.
    """
    paths = (path.relative_to(folder) for path in folder.rglob("*.proto"))
    names = sorted(path.as_posix() for path in paths if not _is_hidden(path))
    if not names:
        raise DescriptorError(f"{origin}: the folder has no .proto files")
    for name in names:
        if name.startswith(("-", "@")):  # would be an option, or a file of them
            raise DescriptorError(f"{origin}: {name}: the compiler takes no such file name")
    chain = toolchain or Toolchain.installed()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "descriptors.binpb")
        try:
            chain.describe([folder, proto_folder()], names, out, strict=False)
        except DescriptorError as error:
            fault = str(error).replace(f"{folder}/", "")  # may be a place that nobody knows
            raise DescriptorError(f"{origin}: {_shortened(fault)}") from None
        return FileDescriptorSet.FromString(out.read_bytes())


def _shortened(fault: str) -> str:
    """Keeps the first errors, without warnings, and says what is most often the reason."""
    first, *lines = fault.splitlines()
    lines = [line for line in lines if not _WARNING.search(line)]
    kept = [first, *lines[:_LONGEST]]
    if len(lines) > _LONGEST:
        kept.append(f"... and {len(lines) - _LONGEST} lines more")
    if " not found" in fault or "already defined" in fault:
        kept.append("import paths have to begin in the folder that is named")
    return "\n".join(kept)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
