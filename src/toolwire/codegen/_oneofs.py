"""Writes the types of the oneof helpers: one overload for every oneof of every message.

The helpers themselves are a few lines that read descriptors. Only a type checker needs to be
told what each oneof holds, so the module written here is never imported at run time. Beside
the overloads it has the arguments of the retrieval builders: the fields of each source.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from toolwire.codegen._names import HEADER
from toolwire.codegen._spelling import import_lines, python_names
from toolwire.codegen._walk import messages
from toolwire.codegen._widen import constructor_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

_PREAMBLE = '''"""What toolwire's oneof helpers take and return; for type checkers only."""

import builtins as _builtins
import datetime as _datetime
import typing as _typing
from collections import abc as _abc

from google.protobuf.message import Message as _Message

'''

SCALARS = {
    FieldDescriptorProto.TYPE_DOUBLE: "_builtins.float",
    FieldDescriptorProto.TYPE_FLOAT: "_builtins.float",
    FieldDescriptorProto.TYPE_STRING: "_builtins.str",
    FieldDescriptorProto.TYPE_BYTES: "_builtins.bytes",
    FieldDescriptorProto.TYPE_BOOL: "_builtins.bool",
}


@dataclass(frozen=True, slots=True)
class _Member:
    """A field of a oneof, in terms of Python types."""

    name: str
    type_name: str
    read: str
    assigned: str


@dataclass(frozen=True, slots=True)
class _Oneof:
    """A oneof of a message, in terms of Python types."""

    package: str
    message: str
    name: str
    members: tuple[_Member, ...]


def oneof_types(
    root: str, files: Sequence[FileDescriptorProto], own: Sequence[FileDescriptorProto]
) -> str:
    """Makes the module that types the oneof helpers.

    Args:
        root: The import root, such as ``toolwire_pb``.
        files: Every file that is generated below the root.
        own: Those whose messages get overloads.

    Returns:
        The text of the module.
    """
    types = {f".{name}": python for name, python in python_names(files).items()}
    oneofs = [oneof for file in own for oneof in _oneofs(file, types)]
    described = {f".{name}": message for file in files for name, message in messages(file)}
    body = "".join(
        (_which(oneofs), _get(oneofs), _assign(oneofs), _sources(oneofs, described, types))
    )
    return HEADER + _PREAMBLE + import_lines(root, files, body) + body


def _oneofs(file: FileDescriptorProto, types: Mapping[str, str]) -> Iterator[_Oneof]:
    for name, message in messages(file):
        for index, oneof in enumerate(message.oneof_decl):
            members = tuple(
                _member(field, types)
                for field in message.field
                if field.HasField("oneof_index")
                and field.oneof_index == index
                and not field.proto3_optional
            )
            python = types[f".{name}"]
            # Without members it only stands for an optional field; no stub can spell a keyword.
            if members and not _has_keyword(python):
                yield _Oneof(file.package, python, oneof.name, members)


def _member(field: FieldDescriptorProto, types: Mapping[str, str]) -> _Member:
    read = _read(field, types)
    wider = constructor_input(field)
    return _Member(field.name, field.type_name, read, f"{read} | {wider}" if wider else read)


def _read(field: FieldDescriptorProto, types: Mapping[str, str]) -> str:
    """Type of one value of a field."""
    if field.type == FieldDescriptorProto.TYPE_ENUM:
        return f"{types[field.type_name]}.ValueType"
    if field.type_name:
        return types[field.type_name]
    return SCALARS.get(field.type, "_builtins.int")


def _which(oneofs: Iterable[_Oneof]) -> str:
    return _protocol(
        "Which",
        [
            (
                f"message: {oneof.message}, oneof: {_literal([oneof.name])}, /",
                f"{_literal(member.name for member in oneof.members)} | None",
            )
            for oneof in oneofs
        ],
        (
            "message: _Message, oneof: _builtins.str, /, *, unknown: _builtins.str | None = ...",
            "_builtins.str | None",
        ),
    )


def _get(oneofs: Iterable[_Oneof]) -> str:
    return _protocol(
        "Get",
        [
            (
                f"message: {oneof.message}, oneof: {_literal([oneof.name])}, /",
                f"{_union(oneof)} | None",
            )
            for oneof in oneofs
        ],
        ("message: _Message, oneof: _builtins.str, /", "_builtins.object"),
    )


def _assign(oneofs: Iterable[_Oneof]) -> str:
    return _protocol(
        "Assign",
        [
            (
                (
                    f"message: {oneof.message}, field: {_literal([member.name])}, "
                    f"value: {member.assigned}, /"
                ),
                "None",
            )
            for oneof in oneofs
            for member in oneof.members
        ],
        ("message: _Message, field: _builtins.str, value: _builtins.object, /", "None"),
    )


def _sources(
    oneofs: Iterable[_Oneof], described: Mapping[str, DescriptorProto], types: Mapping[str, str]
) -> str:
    """The sources of a Retrieval: their union, and the fields that each builder takes."""
    lines: list[str] = []
    for oneof in oneofs:
        if not oneof.message.endswith(".Retrieval") or oneof.name != "source":
            continue
        api = oneof.package.rpartition(".")[2]
        lines.append(f"\n\n{api}_source: _typing.TypeAlias = {_union(oneof)!r}\n")
        for member in oneof.members:
            if member.type_name not in described:  # a text or number has no builder
                continue
            lines.append(f"\n\nclass {api}_{member.name}(_typing.TypedDict, total=False):\n")
            # No argument can be spelled like a keyword.
            fields = described[member.type_name].field
            spelled = [field for field in fields if not keyword.iskeyword(field.name)]
            if not spelled:
                lines.append("    pass\n")
            for field in spelled:
                taken = _member(field, types).assigned
                if field.label == FieldDescriptorProto.LABEL_REPEATED:
                    taken = f"_abc.Iterable[{taken}]"
                lines.append(f"    {field.name}: {taken}\n")
    return "".join(lines)


def _union(oneof: _Oneof) -> str:
    return " | ".join(dict.fromkeys(member.read for member in oneof.members))


def _has_keyword(path: str) -> bool:
    return any(map(keyword.iskeyword, path.split(".")))


def _literal(names: Iterable[str]) -> str:
    return f"_typing.Literal[{', '.join(map(repr, names))}]"


def _protocol(name: str, overloads: list[tuple[str, str]], last: tuple[str, str]) -> str:
    """A callable with one overload for each oneof, and one for a message of any package."""
    lines = [f"\n\nclass {name}(_typing.Protocol):\n"]
    for parameters, result in [*overloads, last]:
        lines.append("    @_typing.overload\n")
        lines.append(f"    def __call__(self, {parameters}) -> {result}: ...\n")
    return "".join(lines)
