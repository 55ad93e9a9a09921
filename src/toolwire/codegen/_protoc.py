"""Runs the protobuf compiler of an environment: the isolated, pinned one, or a user's own."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOOLS = ("grpcio-tools", "mypy-protobuf", "googleapis-common-protos")

# Asked of the environment itself: where its .proto files are and what is installed.
_DESCRIBE = """
import importlib.metadata, importlib.resources, json, pathlib, sys
import grpc_tools
common = next(
    pathlib.Path(file.locate()).parents[2]
    for file in importlib.metadata.files("googleapis-common-protos")
    if str(file).endswith("google/api/annotations.proto")
)
print(json.dumps({
    "well_known": str(pathlib.Path(grpc_tools.__file__).parent / "_proto"),
    "common_protos": str(common),
    "versions": {name: importlib.metadata.version(name) for name in sys.argv[1:]},
}))
"""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A Python environment with grpcio-tools and mypy-protobuf.

    Attributes:
        python: Its interpreter.
        well_known: Folder that holds ``google/protobuf/*.proto``.
        common_protos: Folder that holds ``google/api/*.proto`` and its siblings.
        versions: Distribution name to version of the tools that shape the output.
    """

    python: Path
    well_known: Path
    common_protos: Path
    versions: dict[str, str]

    @classmethod
    def of(cls, python: Path) -> Toolchain:
        """Describes the environment of an interpreter.

        Args:
            python: Path of the interpreter.

        Returns:
            What it has.

        Raises:
            DescriptorError: The interpreter or one of the tools is missing.
        """
        try:
            answer = subprocess.run(
                [str(python), "-c", _DESCRIBE, *_TOOLS], capture_output=True, text=True, check=True
            )
        except OSError as error:
            raise DescriptorError(f"{python}: no Python interpreter ({error.strerror})") from error
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip().splitlines() or ["no message"])[-1]
            raise DescriptorError(f"{python}: the protobuf tools are missing: {last}") from error
        found = json.loads(answer.stdout)
        return cls(
            python=python,
            well_known=Path(found["well_known"]),
            common_protos=Path(found["common_protos"]),
            versions=found["versions"],
        )

    @property
    def provided(self) -> tuple[Path, Path]:
        """The folders that any schema may import from."""
        return self.common_protos, self.well_known

    @classmethod
    def installed(cls) -> Toolchain:
        """Describes the running environment.

        Raises:
            MissingExtraError: One of the tools is missing.
        """
        python = Path(sys.executable)
        found = all(map(importlib.util.find_spec, ("grpc_tools", "mypy_protobuf", "google.api")))
        if not found or not shutil.which("protoc-gen-mypy", path=_search_path(python)):
            raise MissingExtraError(
                "compiling .proto files needs grpcio-tools and mypy-protobuf: "
                'pip install "toolwire[codegen]"'
            )
        return cls.of(python)

    def compile(
        self, include: Sequence[Path], files: Sequence[str], out: Path, *, strict: bool = True
    ) -> None:
        """Writes messages, gRPC stubs and type stubs of both.

        Args:
            include: Folders to look for files in, before those of the environment.
            files: Import paths to compile.
            out: Existing folder that receives the modules.
            strict: Whether a warning is an error.

        Raises:
            DescriptorError: The compiler refuses a file; its message names file and line.
        """
        # A servicer may leave methods out at run time: they answer UNIMPLEMENTED.
        outputs = {
            "--python_out": "",
            "--grpc_python_out": "",
            "--mypy_out": "quiet:",
            "--mypy_grpc_out": "quiet,generate_concrete_servicer_stubs:",
        }
        options = [f"{option}={parameters}{out}" for option, parameters in outputs.items()]
        self._run(include, options, files, strict=strict)

    def describe(
        self, include: Sequence[Path], files: Sequence[str], out: Path, *, strict: bool = True
    ) -> str:
        """Writes one self-contained descriptor set, with imports and comments.

        Args:
            include: Folders to look for files in, before those of the environment.
            files: Import paths to describe.
            out: File to write.
            strict: Whether a warning is an error.

        Returns:
            The compiler's warnings.

        Raises:
            DescriptorError: The compiler refuses a file; its message names file and line.
        """
        options = ["--include_imports", "--include_source_info", f"--descriptor_set_out={out}"]
        return self._run(include, options, files, strict=strict)

    def _run(
        self, include: Sequence[Path], options: Sequence[str], files: Sequence[str], *, strict: bool
    ) -> str:
        command = [str(self.python), "-m", "grpc_tools.protoc"]
        command += [f"-I{folder}" for folder in (*include, *self.provided)]
        command += ["--fatal_warnings"] if strict else []
        result = subprocess.run(
            [*command, *options, *files],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": _search_path(self.python)},
        )
        said = result.stderr.strip()
        if result.returncode:
            raise DescriptorError(f"the schema does not compile:\n{said}")
        return said


def _search_path(python: Path) -> str:
    """Where the compiler looks for mypy-protobuf's plugins: it takes no other hint."""
    return os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
