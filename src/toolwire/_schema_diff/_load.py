"""Reads a schema from wherever it is."""

from __future__ import annotations

import tempfile
from importlib.resources import files as resources
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire._apis import find_api
from toolwire._errors import DescriptorError
from toolwire._schema_diff._compiler import compile_folder
from toolwire._schema_diff._descriptor_set import parse
from toolwire._schema_diff._git import at_revision

if TYPE_CHECKING:
    from toolwire.codegen import Toolchain

_BUILTIN = "builtin"


def load(spec: str, toolchain: Toolchain | None = None) -> FileDescriptorSet:
    """Returns the descriptors of a schema, imports included.

    Args:
        spec: A folder of .proto files, where import paths begin; a file with a serialized
            ``FileDescriptorSet``; either of them in a git revision, as ``REVISION:PATH``, where
            git finds a repository; or ``builtin``, and ``builtin:v1`` for one API of it.
        toolchain: The compiler; by default that of this interpreter's environment.

    Raises:
        DescriptorError: If there is no such thing, or it is no schema.
    """
    if spec == _BUILTIN or spec.startswith(f"{_BUILTIN}:"):
        return _builtin(spec.removeprefix(_BUILTIN).removeprefix(":"))
    try:
        path = Path(spec)
        if spec and path.is_dir():
            return compile_folder(path, spec, toolchain)
        if spec and path.exists():
            return parse(_read(path), spec)
    except OSError as error:
        raise DescriptorError(f"{spec}: {error.strerror}") from None
    revision, colon, inside = spec.partition(":")
    if colon:
        with tempfile.TemporaryDirectory() as scratch:
            found = at_revision(revision, inside, Path(scratch))
            if isinstance(found, bytes):
                return parse(found, spec)
            return compile_folder(found, spec, toolchain)
    raise DescriptorError(f"{spec}: no such file or folder")


def _read(path: Path) -> bytes:
    if path.suffix == ".proto":
        raise DescriptorError(f"{path}: a single file: name the folder where import paths begin")
    return path.read_bytes()


def _builtin(api: str) -> FileDescriptorSet:
    data = (resources("toolwire_pb") / "descriptors.binpb").read_bytes()
    found = FileDescriptorSet.FromString(data)
    if not api:
        return found
    package = find_api(api).package
    files = {file.name: file for file in found.file}
    kept: set[str] = set()
    pending = [name for name, file in files.items() if file.package == package]
    while pending:
        name = pending.pop()
        if name not in kept:
            kept.add(name)
            pending += files[name].dependency
    return FileDescriptorSet(file=[file for name, file in files.items() if name in kept])
