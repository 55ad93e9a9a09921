"""Writes the packages' ``__init__`` modules: every message and enum by its own name."""

from __future__ import annotations

import keyword
from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError
from toolwire.codegen._names import HEADER, module_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.descriptor_pb2 import FileDescriptorProto

_SERVICES = "grpc"
"""Name of the module, in each package, for the stubs of its services."""


def facades(root: str, own: Iterable[FileDescriptorProto]) -> dict[str, str]:
    """Makes the hand-free part of the import surface.

    Args:
        root: The import root, such as ``toolwire_pb``.
        own: The files of the schema itself; their packages re-export messages and enums, and
            have a module ``grpc`` for the stubs of their services.

    Returns:
        Path below the root to the text of each façade, and of the root's own module.

    Raises:
        DescriptorError: A message or enum has the name of the module for the stubs.
    """
    doc = "Generated protobuf code in a private descriptor pool: see _pool."
    texts = {"__init__.py": HEADER + f'"""{doc}"""\n'}
    packages: defaultdict[str, list[FileDescriptorProto]] = defaultdict(list)
    for file in own:
        packages[PurePosixPath(file.name).parent.as_posix()].append(file)
    for folder, files in packages.items():
        doc = f"Messages and enums of the proto package {files[0].package}."
        texts[f"{folder}/__init__.py"] = _module(root, doc, map(_types, files))
        services = [found for file in files if (found := _services(file))[1]]
        if services:
            doc = f"Stubs, servicers and registration functions of {files[0].package}."
            texts[f"{folder}/{_SERVICES}.py"] = _module(root, doc, services)
            for file in files:
                if _SERVICES in _types(file)[1]:
                    hidden = f"{file.package}.{_SERVICES} would hide the module for the services"
                    raise DescriptorError(f"{file.name}: {hidden} of the package")
    return texts


def _types(file: FileDescriptorProto) -> tuple[str, list[str]]:
    """Messages and enums; one named like a keyword is left to ``getattr`` on its module."""
    names = [message.name for message in file.message_type]
    names += [enum.name for enum in file.enum_type]
    return module_of(file.name), [name for name in names if not keyword.iskeyword(name)]


def _services(file: FileDescriptorProto) -> tuple[str, list[str]]:
    names = [
        name
        for service in file.service
        for name in (
            f"{service.name}Stub",
            f"{service.name}Servicer",
            f"add_{service.name}Servicer_to_server",
        )
    ]
    return f"{module_of(file.name)}_grpc", names


def _module(root: str, doc: str, parts: Iterable[tuple[str, list[str]]]) -> str:
    lines = [HEADER, f'"""{doc}"""\n\n']
    exported: list[str] = []
    for module, names in sorted(parts):
        if names:
            imported = "".join(f"    {name} as {name},\n" for name in sorted(names))
            lines.append(f"from {root}.{module} import (\n{imported})\n")
            exported += names
    lines.append("\n__all__ = [\n")
    lines += [f'    "{name}",\n' for name in sorted(exported)]
    lines.append("]\n")
    return "".join(lines)
