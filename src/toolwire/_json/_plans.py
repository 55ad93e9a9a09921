"""Plans: what the codec must know of a message type and its fields, asked of descriptors once.

A plan lives in the message class it is for, so it lives exactly as long: upb's descriptors take
no weak references, and a cache beside them would keep the pools of foreign messages alive. Plans
find each other on first use, since message types may contain themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from google.protobuf import message_factory

from toolwire._errors import JsonError
from toolwire._json import _schema
from toolwire._json._enums import EnumPlan
from toolwire._json._read import field_reader, read_message
from toolwire._json._scalars_read import PASSES, SCALAR_READERS, Passes, key_reader
from toolwire._json._scalars_write import PLAIN, SCALAR_WRITERS
from toolwire._json._well_known import WELL_KNOWN
from toolwire._json._write import field_writer, write_message
from toolwire._messages import descriptor_of, is_message_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.descriptor import Descriptor, FieldDescriptor
    from google.protobuf.message import Message

    from toolwire._json._read import FieldReader
    from toolwire._json._well_known import Reader, Writer
    from toolwire._json._write import FieldWriter
    from toolwire._paths import Path

_ATTRIBUTE = "_toolwire_json_plan"

Names: TypeAlias = "dict[str, FieldPlan]"


def plan_of(cls: Any) -> MessagePlan:
    """Returns the plan of a message class.

    Raises:
        JsonError: If it is no message class.
    """
    plan: MessagePlan | None = getattr(cls, _ATTRIBUTE, None)
    if plan is not None and plan.cls is cls:
        return plan
    if not is_message_class(cls):
        kind = f"the class {cls.__name__}" if isinstance(cls, type) else type(cls).__name__
        raise JsonError(f"expected a message class, found {kind}")
    plan = MessagePlan(cls)
    setattr(cls, _ATTRIBUTE, plan)
    return plan


class MessagePlan:
    """How to read and write the messages of one type.

    Attributes:
        cls: The message class.
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

    def __init__(self, cls: type[Message]) -> None:
        self.cls = cls
        self.descriptor: Descriptor = descriptor_of(cls)
        self.name: str = self.descriptor.full_name
        self.is_special = self.name in WELL_KNOWN
        self.read: Reader = read_message
        self.write: Writer = write_message
        if self.is_special:
            self.read, self.write = WELL_KNOWN[self.name]
        self.fields = [FieldPlan(field) for field in self.descriptor.fields]
        self.by_json_name: Names = {field.json_name: field for field in self.fields}
        self.by_proto_name: Names = {
            field.name: field for field in self.fields if field.name not in self.by_json_name
        }
        self.by_descriptor = {field.descriptor: field for field in self.fields}
        self.required = [field for field in self.fields if field.descriptor.is_required]
        self.is_extendable: bool = self.descriptor.is_extendable

    def find(self, name: str) -> FieldPlan | None:
        """Returns the field with this JSON name or proto name, or the extension ``[full.name]``."""
        field = self.by_json_name.get(name) or self.by_proto_name.get(name)
        if field is not None or not self.is_extendable:
            return field
        extension = _schema.find_extension(self.descriptor, name)
        return None if extension is None else self.extension(extension)

    def extension(self, descriptor: FieldDescriptor) -> FieldPlan:
        """Returns the plan of an extension of the type."""
        field = self.by_descriptor.get(descriptor)
        if field is None:
            field = self.by_descriptor[descriptor] = FieldPlan(descriptor)
        return field

    def of_type_url(self, type_url: object, at: Path) -> MessagePlan:
        """Returns the plan of the type that an ``Any`` of this pool names.

        Raises:
            JsonError: If it is no type URL, or no pool knows the type.
        """
        return plan_of(_schema.find_message_class(self.descriptor, type_url, at))


class FieldPlan:
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
    key: FieldPlan
    value: FieldPlan

    def __init__(self, descriptor: FieldDescriptor, *, as_item: bool = False) -> None:
        self.descriptor = descriptor
        self.number: int = descriptor.number
        self.json_name: str = _schema.json_name(descriptor)
        self.name: str = self.json_name if descriptor.is_extension else descriptor.name
        oneof = descriptor.containing_oneof
        self.oneof: str | None = oneof.name if oneof is not None and len(oneof.fields) > 1 else None
        self.is_map = not as_item and _schema.is_map(descriptor)
        self.is_list = not as_item and descriptor.is_repeated and not self.is_map
        if self.is_map:
            self.key, self.value = map(FieldPlan, _schema.entry_fields(descriptor))
        elif self.is_list:
            self.value = FieldPlan(descriptor, as_item=True)
        is_single = not (self.is_map or self.is_list)
        self.takes_null = is_single and _schema.takes_null(descriptor)
        self.passes: Passes = {}
        if is_single and descriptor.type in PASSES:
            self.passes = PASSES[descriptor.type]
        if descriptor.enum_type is not None:
            self.enum = EnumPlan(descriptor.enum_type)
            if is_single:
                self.passes = {str: self.enum.numbers.__contains__}
        self.read_key = key_reader(descriptor)
        self.is_text = is_single and descriptor.type == descriptor.TYPE_STRING
        if descriptor.type in SCALAR_READERS:
            self.read_scalar = SCALAR_READERS[descriptor.type]
            self.write_scalar = SCALAR_WRITERS[descriptor.type]
        self.read: FieldReader = field_reader(self)
        self.is_plain = is_single and descriptor.type in PLAIN
        self.write: FieldWriter = field_writer(self)
        self.message: MessagePlan | None = None

    def reader(self) -> tuple[Any, Callable[..., Any], int]:
        """Returns what reads many values, its first argument, and the levels that each costs."""
        if self.descriptor.message_type is None:
            return self, self.read, 0
        plan = self.message or self.find_message()
        return plan, plan.read, 1

    def find_message(self) -> MessagePlan:
        """Finds the plan of a message field, on first use: types may contain themselves."""
        kind: Any = self.descriptor.message_type
        self.message = plan_of(message_factory.GetMessageClass(kind))
        return self.message
