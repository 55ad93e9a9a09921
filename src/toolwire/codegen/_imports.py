"""Checks that what generated modules import will be there, and in the same pool."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError
from toolwire._words import with_article
from toolwire.codegen._names import module_of
from toolwire.codegen._rewrite import POOL_IMPORT
from toolwire.codegen._walk import messages, type_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

    from toolwire.codegen._base import Base


_CURE = "name its file, too, so that it is compiled with yours"


def require_new(named: Iterable[str], base: Base) -> None:
    """Refuses files that the base has already.

    Raises:
        DescriptorError: One of the import paths is that of a file of the base.
    """
    for name in named:
        if base.has(name):
            raise DescriptorError(
                f"{name}: is in {base.root}: leave it out, and an import of it means that one"
            )


def require_imports(
    named: Iterable[str], files: Mapping[str, FileDescriptorProto], base: Base
) -> None:
    """Refuses a file whose module would fail at import, or whose fields would take no value.

    A file that only brings options may stay in protobuf's own pool, where options are read. The
    class of a message from there is not the one that a field in the private pool takes.

    Args:
        named: The files that are compiled.
        files: Those, the base's, and all that they import, by import path.
        base: The package whose pool they join.

    Raises:
        DescriptorError: An imported file has no module, or one in another pool.
    """
    own = set(named)
    others = {name for name in files if name not in own and not base.has(name)}
    foreign = {f".{kind}": name for name in others for kind in type_names(files[name])}
    options = _options(files, base)
    for name in sorted(own):
        if name in options:
            raise DescriptorError(f"{name}: stays in protobuf's own pool: leave it out")
        for user, type_name in _uses(files[name]):
            home = foreign.get(type_name)
            if home is not None and _is_plain(home):
                kind = with_article(type_name[1:])
                cure = "it is for options only" if home in options else _CURE
                raise DescriptorError(
                    f"{name}: {user} is {kind}, which is in protobuf's own pool: {cure}"
                )
        for imported in files[name].dependency:
            if imported in others and not _is_there(imported):
                raise DescriptorError(
                    f"{name}: imports {imported}, of which there is no module: {_CURE}"
                )


def _options(files: Mapping[str, FileDescriptorProto], base: Base) -> set[str]:
    """The files that the base takes from protobuf's own pool, all for their options."""
    found: set[str] = set()
    pending = [name for file in files.values() if base.has(file.name) for name in file.dependency]
    while pending:
        name = pending.pop()
        if name not in found and not base.has(name):
            found.add(name)
            pending += files[name].dependency
    return found


def _uses(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    """What refers to a message or an enum, and the type that it refers to."""

    def fields(scope: str, found: Iterable[FieldDescriptorProto]) -> Iterator[tuple[str, str]]:
        return ((scope + field.name, field.type_name) for field in found if field.type_name)

    yield from fields("", file.extension)
    for name, message in messages(file):
        yield from fields(f"{name}.", (*message.field, *message.extension))
    for service in file.service:
        for method in service.method:
            yield f"the request of {service.name}.{method.name}", method.input_type
            yield f"the response of {service.name}.{method.name}", method.output_type


def _is_there(file: str) -> bool:
    """Tells whether an installed module is of a .proto file, and not of another by its name."""
    origin = _origin(file)
    return origin is not None and f"source: {file}\n" in origin.read_text(encoding="utf-8")


def _is_plain(file: str) -> bool:
    """Tells whether the module of a file registers in protobuf's own pool."""
    origin = _origin(file)
    return origin is not None and POOL_IMPORT in origin.read_text(encoding="utf-8")


def _origin(file: str) -> Path | None:
    """Finds the installed module of a .proto file."""
    try:
        spec = importlib.util.find_spec(module_of(file))
    except ModuleNotFoundError:  # a package above it
        return None
    return Path(spec.origin) if spec and spec.origin else None
