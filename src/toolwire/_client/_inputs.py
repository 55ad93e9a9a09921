"""Requests out of what Python programs have.

A message of our own class goes into the request as it is, which costs a copy and nothing else;
only dicts pay for being read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from toolwire._client._copies import describe, is_dict, is_single, to_message
from toolwire._client._turns import to_turn, to_turns
from toolwire._errors import JsonError, UsageError
from toolwire._json import from_dict, near
from toolwire._messages import DEEPEST, as_message

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

    from toolwire._client._methods import Method
    from toolwire._descriptor_types import FieldType, MessageType

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

_TURN = "Content"


@dataclass(frozen=True, slots=True)
class Draft(Generic[Q]):
    """A request whose names are still as the caller wrote them.

    Attributes:
        name: The model.
        request: The request.
        is_ours: Whether it was made here, and may be changed.
    """

    name: str
    request: Q
    is_ours: bool


def draft(method: Method[Q, R], first: object, fields: Mapping[str, object]) -> Draft[Q]:
    """Makes the request of a call.

    Args:
        method: The method.
        first: The name of the model, or a ready request: a message of that name from any pool,
            or a mapping.
        fields: What was passed beside it, by proto name; None stands for nothing.

    Raises:
        UsageError: If a field is missing or unknown, or stands beside a ready request.
        JsonError: If a value does not fit its field.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    if isinstance(first, str):
        if _belong_inside(method, fields, given):
            fields = given = _put_inside(method, given)
        known = method.request.DESCRIPTOR.fields_by_name
        for name in fields:
            if name not in known or name == method.target:
                hint = near(name, known) or _inside(name, method.request.DESCRIPTOR)
                raise UsageError(f"{method.name} has no field {name!r}{hint}")
        for name in method.required:
            if name not in given:
                raise UsageError(f"{method.name} needs {name}")
        return Draft(first, build_request(method.request, given), is_ours=True)
    if given:
        raise UsageError(f"a ready request takes no other fields: found {', '.join(given)}")
    if as_message(first) is None and not is_dict(first):
        raise UsageError(
            f"expected the name of a model or a ready {method.request.DESCRIPTOR.name}, "
            f"found {describe(first)}"
        )
    request = to_message(method.request, first, "", DEEPEST)
    model: str = getattr(request, method.target)
    if not model:
        raise UsageError(f"the request has no {method.target}")
    return Draft(model, request, is_ours=request is not first)


def _belong_inside(
    method: Method[Q, R], fields: Iterable[str], given: Mapping[str, object]
) -> bool:
    """Tells whether the fields are only understood by the request inside the method's own."""
    known = method.request.DESCRIPTOR.fields_by_name
    kind = known[method.inner].message_type if method.inner is not None else None
    names = [name for name in fields if name in given or name not in known]
    if kind is None or method.target in names or all(name in known for name in names):
        return False
    return all(name in kind.fields_by_name for name in names)


def _put_inside(method: Method[Q, R], given: Mapping[str, object]) -> dict[str, object]:
    """Makes the request inside the method's own, as the one field of the latter."""
    name = method.inner or ""
    return {name: build_request(_slots(method.request.DESCRIPTOR)[name].cls, given)}


def _inside(name: str, request: MessageType) -> str:
    """Names the field of a request whose own field has been given in its place, if there is one."""
    for field in request.fields:
        kind = field.message_type
        if kind is not None and not field.is_repeated and name in kind.fields_by_name:
            return f"; it is a field of {field.name}"
    return ""


def build_request(cls: type[Q], fields: Mapping[str, object]) -> Q:
    """Makes a request out of its fields.

    A field that holds turns of a conversation (``Content``) also takes text, parts, and lists
    in which they are mixed.

    Args:
        cls: The class.
        fields: Their values by proto name.

    Raises:
        JsonError: If a value does not fit its field.
        DecodeError: If a message of another class cannot be read back.
    """
    slots = _slots(cls.DESCRIPTOR)
    messages: dict[str, Any] = {}
    others: dict[str, object] = {}
    for name, value in fields.items():
        slot = slots.get(name)
        if slot is None:
            others[name] = value
        else:
            messages[name] = slot.read(value)
    request = cls(**messages)
    if others:
        request.MergeFrom(from_dict(cls, others))
    return request


@dataclass(frozen=True, slots=True)
class _Slot:
    """A field that holds messages of ours, as opposed to scalars, maps and well-known types."""

    cls: type[Message]
    path: str
    is_turn: bool
    is_repeated: bool

    def read(self, value: object) -> object:
        if self.is_turn:
            return (to_turns if self.is_repeated else to_turn)(self.cls, value, self.path)
        if not self.is_repeated:
            return to_message(self.cls, value, self.path)
        if is_single(value) or not isinstance(value, Iterable):
            hint = "; put it into one" if is_single(value) else ""
            raise JsonError(f"expected a list, found {describe(value)}{hint}", path=self.path)
        items = enumerate(cast("Iterable[object]", value))
        return [to_message(self.cls, item, f"{self.path}[{index}]") for index, item in items]


@cache
def _slots(kind: MessageType) -> dict[str, _Slot]:
    found = ((field.name, _slot(field)) for field in kind.fields)
    return {name: slot for name, slot in found if slot is not None}


def _slot(field: FieldType) -> _Slot | None:
    kind = field.message_type
    if kind is None or kind.file.package == "google.protobuf" or kind.GetOptions().map_entry:
        return None
    cls = GetMessageClass(cast("Descriptor", kind))
    return _Slot(cls, field.json_name, kind.name == _TURN, field.is_repeated)
