"""Writes a program that asserts the type of every field of every message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from google.protobuf.descriptor import FieldDescriptor

from support.schema import message_classes
from toolwire._apis import APIS, api_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._descriptor_types import EnumType, FieldType, MessageType

_HEAD = f"""# pyright: reportDeprecated=false, reportPrivateUsage=false
from google.protobuf.internal import containers as c
from typing_extensions import assert_type
from toolwire import {", ".join(APIS)}
"""

_SCALARS = {
    FieldDescriptor.CPPTYPE_BOOL: "bool",
    FieldDescriptor.CPPTYPE_DOUBLE: "float",
    FieldDescriptor.CPPTYPE_FLOAT: "float",
}


def program() -> str:
    """The program; one function for each message."""
    body = "".join(_lines())
    modules = sorted(set(re.findall(r"toolwire_pb[.\w]+_pb2", body)))
    return _HEAD + "".join(f"import {module}\n" for module in modules) + body


def _lines() -> Iterator[str]:
    for index, cls in enumerate(message_classes()):
        descriptor = cls.DESCRIPTOR
        yield f"\ndef check_{index}(m: {python_of(descriptor)}) -> None:\n    m.DESCRIPTOR\n"
        for field in descriptor.fields:
            if field.name not in {"from", "class", "import", "in", "is", "not"}:
                yield f"    assert_type(m.{field.name}, {_type(field)})\n"


def _type(field: FieldType) -> str:
    kind = field.message_type
    if kind is not None and kind.has_options and kind.GetOptions().map_entry:
        key, value = (_value(kind.fields_by_name[name]) for name in ("key", "value"))
        is_message = kind.fields_by_name["value"].message_type is not None
        return f"c.{'MessageMap' if is_message else 'ScalarMap'}[{key}, {value}]"
    value = _value(field)
    if not field.is_repeated:
        return value
    return f"c.Repeated{'Composite' if kind else 'Scalar'}FieldContainer[{value}]"


def _value(field: FieldType) -> str:
    if field.message_type is not None:
        return python_of(field.message_type)
    if field.enum_type is not None:
        return f"{python_of(field.enum_type)}.ValueType"
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return "bytes" if field.type == FieldDescriptor.TYPE_BYTES else "str"
    return _SCALARS.get(field.cpp_type, "int")


def python_of(descriptor: MessageType | EnumType) -> str:
    """Returns what a program calls a message or an enum."""
    path = descriptor.full_name.removeprefix(descriptor.file.package + ".")
    api = api_of(descriptor.file.package)
    if api is not None:
        return f"{api.name}.{path}"
    module = descriptor.file.name.removesuffix(".proto").replace("/", ".")
    return f"toolwire_pb.{module}_pb2.{path}"
