"""Finds a definition by the name that somebody typed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

from toolwire._apis import APIS, api_of
from toolwire._definitions._comments import comments
from toolwire._errors import DescriptorError
from toolwire._json import near
from toolwire._messages import is_map_entry
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolwire._descriptor_types import FileType

Kind: TypeAlias = Descriptor | EnumDescriptor | ServiceDescriptor

_SHOWN = 80  # characters of a name in an error
_MANY = 8  # names in an error


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of every API, with what it imports.

    Attributes:
        kinds: Full name of each message, enum and service to its descriptor.
        docs: The comments, by name as in ``comments``.
    """

    kinds: Mapping[str, Kind]
    docs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """A definition that was found.

    Attributes:
        kind: Its descriptor.
        also: What other APIs have by the same name, as it may be typed.
    """

    kind: Kind
    also: tuple[str, ...]


@cache
def schema() -> Schema:
    """Reads the descriptors that come with the generated code."""
    data = (files("toolwire_pb") / "descriptors.binpb").read_bytes()
    found = FileDescriptorSet.FromString(data).file
    pool = DescriptorPool()  # of its own: no API has to be imported
    kinds: dict[str, Kind] = {}
    docs: dict[str, str] = {}
    for file in found:
        pool.AddSerializedFile(file.SerializeToString())
        docs |= comments(file)
        kinds |= {kind.full_name: kind for kind in _kinds(pool.FindFileByName(file.name))}
    return Schema(kinds, docs)


def _kinds(file: FileType) -> Iterator[Kind]:
    tables = (file.message_types_by_name, file.enum_types_by_name, file.services_by_name)
    # The stubs also name the C implementation's classes, which pass for these at run time.
    pending = [cast("Kind", kind) for table in tables for kind in table.values()]
    while pending:
        kind = pending.pop()
        if isinstance(kind, Descriptor):
            if is_map_entry(kind):
                continue
            pending += cast("list[Kind]", [*kind.nested_types, *kind.enum_types])
        yield kind


def find(name: str) -> Found:
    """Finds a message, enum or service.

    Args:
        name: Its full name, or the end of it from a dot on, such as ``Tool`` or
            ``Tool.GoogleSearch``; with the name of an API in front, as in ``gemini.Tool``, that
            API's. Where several APIs have it, the first one's, in the order of ``APIS``.

    Raises:
        DescriptorError: There is none, or there are several that have only their end in common.
    """
    kinds = schema().kinds
    if name in kinds:
        return Found(kinds[name], ())
    matches = _matches(name, kinds)
    relatives = {_relative(kind) for kind in matches}
    chosen = name if name in relatives else next(iter(relatives), "")
    if len(relatives) > 1 and name not in relatives:
        raise DescriptorError(f"{_quoted(name)} is ambiguous: {_choice(matches)}")
    same = [kind for kind in matches if _relative(kind) == chosen]
    if not same:
        raise DescriptorError(
            f"no message, enum or service is named {_quoted(name)}"
            f"{_owner(name, kinds.values()) or near(name, _names(kinds.values()))}"
        )
    first, *others = sorted(same, key=_rank)
    return Found(first, tuple(map(short_name, others)))


def short_name(kind: Kind) -> str:
    """Returns the name of a definition as it may be typed, with its API in front if it has one."""
    api = api_of(kind.file.package)
    return f"{api.name}.{_relative(kind)}" if api else str(kind.full_name)


def _matches(name: str, kinds: Mapping[str, Kind]) -> list[Kind]:
    api, _, rest = name.partition(".")
    if api in APIS:
        kind = kinds.get(f"{APIS[api].package}.{rest}")
        if kind is not None:
            return [kind]
    return [kind for full_name, kind in kinds.items() if full_name.endswith(f".{name}")]


def _relative(kind: Kind) -> str:
    """The name within the package of an API; else the full name."""
    full_name = str(kind.full_name)
    package = kind.file.package
    return full_name.removeprefix(f"{package}.") if api_of(package) else full_name


def _rank(kind: Kind) -> int:
    packages = [api.package for api in APIS.values()]
    package = kind.file.package
    return packages.index(package) if package in packages else len(packages)


def _names(kinds: Iterable[Kind]) -> Iterator[str]:
    """Every name that a definition goes by."""
    for kind in kinds:
        yield from (_relative(kind), short_name(kind), str(kind.full_name), str(kind.name))


def _choice(kinds: Sequence[Kind]) -> str:
    names = sorted(map(short_name, kinds))
    more = f" or {len(names) - _MANY} more" if len(names) > _MANY else ""
    return f"choose one of {', '.join(names[:_MANY])}{more}"


def _owner(name: str, kinds: Iterable[Kind]) -> str:
    """What to show instead of a method, field, oneof or value."""
    owner, _, member = name.rpartition(".")
    for kind in sorted(kinds, key=_rank):
        ends = f".{kind.full_name}".endswith(f".{owner}") or short_name(kind) == owner or not owner
        if ends and member in _members(kind):
            return f"; it is in {_quoted(short_name(kind))}: ask for that"
    return ""


def _members(kind: Kind) -> set[str]:
    tables = ("methods_by_name", "fields_by_name", "oneofs_by_name", "values_by_name")
    return {name for table in tables for name in getattr(kind, table, ())}


def _quoted(name: str) -> str:
    return quote(name, longest=_SHOWN)
