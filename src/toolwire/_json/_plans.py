"""Plans: what the codec must know of a message type and its fields, asked of descriptors once.

A plan lives in the message class it is for, so it lives exactly as long: upb's descriptors take
no weak references, and a cache beside them would keep the pools of foreign messages alive. Plans
find each other on first use, since message types may contain themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf import message_factory

from toolwire._errors import JsonError
from toolwire._json import _schema
from toolwire._json._enums import EnumPlan
from toolwire._json._plan import FieldPlan, MessagePlan
from toolwire._json._read import field_reader, read_message
from toolwire._json._scalars_read import PASSES, SCALAR_READERS, key_reader
from toolwire._json._scalars_write import PLAIN, SCALAR_WRITERS
from toolwire._json._well_known import WELL_KNOWN
from toolwire._json._write import field_writer, write_message
from toolwire._messages import descriptor_of, is_message_class, no_class

if TYPE_CHECKING:
    from google.protobuf.descriptor import FieldDescriptor
    from google.protobuf.message import Message

    from toolwire._paths import Path

_ATTRIBUTE = "_toolwire_json_plan"


def plan_of(cls: Any) -> MessagePlan:
    """Returns the plan of a message class.

    Raises:
        JsonError: If it is no message class.
    """
    plan: MessagePlan | None = getattr(cls, _ATTRIBUTE, None)
    if plan is not None and plan.cls is cls:
        return plan
    if not is_message_class(cls):
        raise JsonError(no_class(cls))
    plan = _Message(cls)
    setattr(cls, _ATTRIBUTE, plan)
    return plan


class _Message(MessagePlan):
    __slots__ = ()

    def __init__(self, cls: type[Message]) -> None:
        self.cls = cls
        self.descriptor = descriptor_of(cls)
        self.name = self.descriptor.full_name
        self.is_special = self.name in WELL_KNOWN
        self.read, self.write = WELL_KNOWN.get(self.name, (read_message, write_message))
        self.fields = [_Field(field) for field in self.descriptor.fields]
        self.by_json_name = {field.json_name: field for field in self.fields}
        self.by_proto_name = {
            field.name: field for field in self.fields if field.name not in self.by_json_name
        }
        self.by_descriptor = {field.descriptor: field for field in self.fields}
        self.required = [field for field in self.fields if field.descriptor.is_required]
        self.is_extendable = self.descriptor.is_extendable

    def extension(self, descriptor: FieldDescriptor) -> FieldPlan:
        field = self.by_descriptor.get(descriptor)
        if field is None:
            field = self.by_descriptor[descriptor] = _Field(descriptor)
        return field

    def of_type_url(self, type_url: object, at: Path) -> MessagePlan:
        return plan_of(_schema.find_message_class(self.descriptor, type_url, at))


class _Field(FieldPlan):
    __slots__ = ()

    def __init__(self, descriptor: FieldDescriptor, *, as_item: bool = False) -> None:
        self.descriptor = descriptor
        self.number = descriptor.number
        self.json_name = _schema.json_name(descriptor)
        self.name = self.json_name if descriptor.is_extension else descriptor.name
        oneof = descriptor.containing_oneof
        self.oneof = oneof.name if oneof is not None and len(oneof.fields) > 1 else None
        self.is_map = not as_item and _schema.is_map(descriptor)
        self.is_list = not as_item and descriptor.is_repeated and not self.is_map
        if self.is_map:
            self.key, self.value = map(_Field, _schema.entry_fields(descriptor))
        elif self.is_list:
            self.value = _Field(descriptor, as_item=True)
        is_single = not (self.is_map or self.is_list)
        self.takes_null = is_single and _schema.takes_null(descriptor)
        self.passes = {}
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
        self.read = field_reader(self)
        self.is_plain = is_single and descriptor.type in PLAIN
        self.write = field_writer(self)
        self.message = None

    def find_message(self) -> MessagePlan:
        kind: Any = self.descriptor.message_type
        self.message = plan_of(message_factory.GetMessageClass(kind))
        return self.message
