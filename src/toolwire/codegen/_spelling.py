"""How a stub beside the generated modules imports and spells what they define."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire.codegen._names import import_alias, module_of
from toolwire.codegen._walk import scope, type_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.descriptor_pb2 import FileDescriptorProto


def python_names(files: Iterable[FileDescriptorProto]) -> dict[str, str]:
    """Returns the full name of every message and enum with what it is in Python."""
    return {
        name: f"{import_alias(file.name)}.{name.removeprefix(scope(file))}"
        for file in files
        for name in type_names(file)
    }


def import_lines(root: str, files: Iterable[FileDescriptorProto], body: str) -> str:
    """Returns the imports of the modules, generated below a root, that a text uses."""
    modules = {import_alias(file.name): f"{root}.{module_of(file.name)}" for file in files}
    lines = (
        f"from {package} import {module} as {alias}\n"
        for alias, path in modules.items()
        if f"{alias}." in body
        for package, _, module in (path.rpartition("."),)
    )
    return "".join(lines)
