"""The installed ``toolwire_pb`` as seen from outside: what other generated code can build on."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError
from toolwire.codegen._names import module_of
from toolwire.codegen._sources import find_sources

if TYPE_CHECKING:
    from toolwire.codegen._protoc import Toolchain

_ROOT = "toolwire_pb"
_PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Base:
    """A generated package whose pool other modules join.

    Attributes:
        root: Its import root.
        protos: Folder that holds its own .proto files at their import paths.
        modules: Dotted names, without the root, of its ``_pb2`` modules; those of the common
            files that were generated into it are among them.
    """

    root: str
    protos: Path
    modules: frozenset[str]

    @classmethod
    def installed(cls) -> Base:
        """Finds ``toolwire_pb`` without importing it.

        Raises:
            DescriptorError: It is not there, or its .proto files are not.
        """
        spec = importlib.util.find_spec(_ROOT)
        if spec is None or spec.origin is None:
            raise DescriptorError(f"{_ROOT} is not installed")
        folder = Path(spec.origin).parent
        modules = (path.relative_to(folder).with_suffix("") for path in folder.rglob("*_pb2.py"))
        return cls(
            root=_ROOT,
            protos=proto_folder(),
            modules=frozenset(module.as_posix().replace("/", ".") for module in modules),
        )

    def files(self, toolchain: Toolchain) -> list[str]:
        """Returns the import paths of its files, those of the common ones as an environment has."""
        sources = find_sources(self.protos, *toolchain.provided)
        return [name for name in (*sources.own, *sources.common) if self.has(name)]

    def has(self, file: str) -> bool:
        """Tells whether it has a module of that .proto file."""
        return module_of(file) in self.modules


def proto_folder() -> Path:
    """Folder with the .proto files of ``toolwire_pb``, each at its import path.

    Raises:
        DescriptorError: It is missing.
    """
    # Beside the modules of an installed package; a checkout has it once, at its top.
    for folder in (_PACKAGE / "include", _PACKAGE.parents[1] / "proto"):
        if folder.is_dir():
            return folder
    raise DescriptorError(f"{_PACKAGE / 'include'}: the .proto files are missing")


def common_protos() -> Path:
    """Folder with the ``google/api``, ``google/type`` and ``google/rpc`` files.

    Raises:
        DescriptorError: It is missing.
    """
    spec = importlib.util.find_spec("google.api")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if Path(place, "annotations.proto").is_file():
            return Path(place).parents[1]
    raise DescriptorError("the .proto files of googleapis-common-protos are missing")
