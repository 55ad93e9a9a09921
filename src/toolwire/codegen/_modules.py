"""Turns the compiler's output into the modules of a package: the same for ours and for a user's."""

from __future__ import annotations

import keyword
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError
from toolwire.codegen._connected import connect
from toolwire.codegen._names import HEADER, module_of
from toolwire.codegen._widen import widen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    from toolwire.codegen._rewrite import Rewriter


def write_modules(
    raw: Path, out: Path, files: Iterable[FileDescriptorProto], rewriter: Rewriter
) -> None:
    """Moves modules and stubs to their place, rewritten and widened.

    Args:
        raw: What the compiler wrote.
        out: The folder that the modules go below.
        files: The .proto files that were compiled.
        rewriter: Moves imports and pool.

    Raises:
        DescriptorError: The compiler's output is not known, or would be no Python.
    """
    for file in files:
        _require_spelled(file)
        module = module_of(file.name)
        stem = module.replace(".", "/")
        _put(out / f"{stem}.py", rewriter.messages(_get(raw / f"{stem}.py"), module))
        stub = rewriter.imports(_get(raw / f"{stem}.pyi"))
        _put(out / f"{stem}.pyi", widen(stub, file))
        if file.service:
            stem += "_grpc"
            _put(out / f"{stem}.py", rewriter.imports(_get(raw / f"{stem}.py")))
            stub = rewriter.imports(_get(raw / f"{stem}.pyi"))
            _put(out / f"{stem}.pyi", connect(stub, file))


def _require_spelled(file: FileDescriptorProto) -> None:
    """Refuses methods that no stub can have: gRPC makes an attribute of each, whatever its name."""
    for service in file.service:
        for method in service.method:
            if keyword.iskeyword(method.name):
                raise DescriptorError(
                    f"{file.name}: {service.name}.{method.name}: {method.name!r} is a keyword of "
                    "Python, and no gRPC stub can have a method of that name"
                )


def write_texts(out: Path, texts: Mapping[str, str]) -> None:
    """Writes files, each at its path below a folder."""
    for path, text in texts.items():
        _put(out / path, text)


def package_files(root: str, modules: Iterable[str]) -> dict[str, str]:
    """Makes what turns folders of modules into typed packages.

    Args:
        root: The import root. Where it is empty the folder of all is no package itself, but
            one that stands on Python's path.
        modules: Dotted names, without the root, of the modules.

    Returns:
        Path below the root to the text of each ``__init__.py`` and ``py.typed``.
    """
    texts: dict[str, str] = {}
    if root:
        texts = {"__init__.py": _init(root), "py.typed": ""}
    for module in modules:
        *parents, _ = PurePosixPath(module.replace(".", "/")).parents
        for folder in (parent.as_posix() for parent in parents):
            texts[f"{folder}/__init__.py"] = _init(folder)
        if parents and not root:
            texts[f"{parents[-1].as_posix()}/py.typed"] = ""
    return texts


def _init(name: str) -> str:
    return f'{HEADER}"""Generated code of {name}."""\n'


def _get(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
