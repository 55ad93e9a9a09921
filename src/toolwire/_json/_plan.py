"""What readers and writers are told of a message type and its fields; ``_plans`` finds it out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeAlias

from toolwire._json import _schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.descriptor import Descriptor, FieldDescriptor
    from google.protobuf.message import Message

    from toolwire._json._enums import EnumPlan
    from toolwire._json._options import ReadOptions, WriteOptions
    from toolwire._json._scalars_read import Passes, ScalarReader
    from toolwire._json._scalars_write import ScalarWriter
    from toolwire._json._unknown import Unwritten
    from toolwire._paths import Path

    # A walk hands its state on: the plan, what is read or written, its place, how many levels of
    # messages may lie below it, the options, and what a collector holds for the place.
    Reader: TypeAlias = Callable[
        ["MessagePlan", object, Path, int, ReadOptions], Message | dict[str, Any]
    ]
    Writer: TypeAlias = Callable[
        ["MessagePlan", Any, Path, int, WriteOptions, Unwritten | None], object
    ]
    FieldReader: TypeAlias = Callable[["FieldPlan", object, Path, int, ReadOptions], object]
    FieldWriter: TypeAlias = Callable[
        ["FieldPlan", Any, Path, int, WriteOptions, Unwritten | None], object
    ]
    KeyReader: TypeAlias = Callable[[object, Path], bool | int | str]


class MessagePlan(ABC):
    """How to read and write the messages of one type.

    Attributes:
        cls: The message class.
        descriptor: The type itself.
        name: The full name of the type.
        is_special: Whether it is one of the types with a JSON form of their own.
        read: Reads a message of the type.
        write: Writes a message of the type.
        fields: The fields in the order of their numbers.
        by_json_name: The fields by their JSON names.
        by_proto_name: The fields by their names in the proto file, where these differ.
        by_descriptor: The fields by their descriptors, with the extensions seen so far.
        required: The required fields.
        is_extendable: Whether messages of the type may have extensions.
    """

    __slots__ = (
        "by_descriptor",
        "by_json_name",
        "by_proto_name",
        "cls",
        "descriptor",
        "fields",
        "is_extendable",
        "is_special",
        "name",
        "read",
        "required",
        "write",
    )
    cls: type[Message]
    descriptor: Descriptor
    name: str
    is_special: bool
    read: Reader
    write: Writer
    fields: list[FieldPlan]
    by_json_name: dict[str, FieldPlan]
    by_proto_name: dict[str, FieldPlan]
    by_descriptor: dict[FieldDescriptor, FieldPlan]
    required: list[FieldPlan]
    is_extendable: bool

    def find(self, name: str) -> FieldPlan | None:
        """Returns the field with this JSON name or proto name, or the extension ``[full.name]``."""
        field = self.by_json_name.get(name) or self.by_proto_name.get(name)
        if field is not None or not self.is_extendable:
            return field
        extension = _schema.find_extension(self.descriptor, name)
        return None if extension is None else self.extension(extension)

    @abstractmethod
    def extension(self, descriptor: FieldDescriptor) -> FieldPlan:
        """Returns the plan of an extension of the type."""

    @abstractmethod
    def of_type_url(self, type_url: object, at: Path) -> MessagePlan:
        """Returns the plan of the type that an ``Any`` of this pool names.

        Raises:
            JsonError: If it is no type URL, or no pool knows the type.
        """


class FieldPlan(ABC):
    """How to read and write one field, or the items of one.

    Attributes:
        descriptor: The field itself.
        name: Its name in the proto file, as constructors take it; an extension's JSON name.
        json_name: Its name in JSON.
        number: Its number.
        oneof: The name of the oneof it shares with others.
        is_map: Whether it is a map.
        is_list: Whether it is a list.
        takes_null: Whether null is a value of it, and not the lack of one.
        enum: The values of an enum; only enums have it.
        passes: Tests, by Python type: a value that passes is read as it is.
        key: The key of a map; only maps have it.
        value: The items of a list or the values of a map; only these have it.
        message: The plan of the type of a message field, once it was needed.
        read_key: Reads it as the key of a map.
        read_scalar: Reads a scalar; messages and enums do not have it.
        read: Reads the field, whatever it is.
        is_text: Whether it is a single string.
        is_plain: Whether a value in the message is the value in JSON, as with a bool.
        write_scalar: Writes a scalar; messages and enums do not have it.
        write: Writes the field, whatever it is.
    """

    __slots__ = (
        "descriptor",
        "enum",
        "is_list",
        "is_map",
        "is_plain",
        "is_text",
        "json_name",
        "key",
        "message",
        "name",
        "number",
        "oneof",
        "passes",
        "read",
        "read_key",
        "read_scalar",
        "takes_null",
        "value",
        "write",
        "write_scalar",
    )
    descriptor: FieldDescriptor
    name: str
    json_name: str
    number: int
    oneof: str | None
    is_map: bool
    is_list: bool
    takes_null: bool
    enum: EnumPlan
    passes: Passes
    key: FieldPlan
    value: FieldPlan
    message: MessagePlan | None
    read_key: KeyReader
    read_scalar: ScalarReader
    read: FieldReader
    is_text: bool
    is_plain: bool
    write_scalar: ScalarWriter
    write: FieldWriter

    def reader(self) -> tuple[Any, Callable[..., Any], int]:
        """Returns what reads many values, its first argument, and the levels that each costs."""
        if self.descriptor.message_type is None:
            return self, self.read, 0
        plan = self.message or self.find_message()
        return plan, plan.read, 1

    @abstractmethod
    def find_message(self) -> MessagePlan:
        """Finds the plan of a message field, on first use: types may contain themselves."""
