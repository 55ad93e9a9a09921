"""Messages as the official packages have them, whose schemas proto-plus makes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from support.apis import foreign
from toolwire._apis import APIS

if TYPE_CHECKING:
    from google.protobuf import descriptor_pb2
    from google.protobuf.message import Message

    from support.apis import Edit

# Those of the schemas that their generator renames; tests/peers compares with the packages.
RENAMED = {"type", "format", "license"}
PACKAGES = {api.package for api in APIS.values() if api.services()}


def official_class(cls: type[Message], edit: Edit | None = None) -> type[Any]:
    """Returns the class of the same full name of a schema that proto-plus made.

    Args:
        cls: Our class.
        edit: What differs besides: of an older or newer package.
    """
    key: Any = cls  # which mypy would not have as one
    return _official_class(key, edit)


def official(message: Message, edit: Edit | None = None) -> Any:
    """Returns a message as one of an official package's class."""
    return official_class(type(message), edit).FromString(message.SerializeToString())


@cache
def _official_class(cls: Any, edit: Edit | None) -> type[Any]:
    def made(file: descriptor_pb2.FileDescriptorProto) -> None:
        if edit is not None:
            edit(file)
        if file.package in PACKAGES:
            _make(file)

    return foreign(cls, made)


def _make(file: descriptor_pb2.FileDescriptorProto) -> None:
    file.ClearField("options")
    file.ClearField("service")
    waiting = list(file.message_type)
    enums = list(file.enum_type)
    for kind in waiting:  # goes on with what is added
        waiting += kind.nested_type
        enums += kind.enum_type
        is_entry = kind.options.map_entry
        kind.ClearField("options")
        if is_entry:
            kind.options.map_entry = True
        for field in kind.field:
            field.ClearField("options")
            field.ClearField("json_name")  # proto-plus has the default one
            field.name += "_" if field.name in RENAMED else ""
    for enum in enums:
        enum.ClearField("options")
        for value in enum.value:
            value.ClearField("options")
