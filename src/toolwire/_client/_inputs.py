"""Requests out of the arguments of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.message import Message

from toolwire import _rpc
from toolwire._client._copies import describe, is_dict, to_message, too_deep
from toolwire._client._fields import build_request
from toolwire._client._methods import class_of
from toolwire._errors import DecodeError, UsageError
from toolwire._json import near
from toolwire._messages import DEEPEST, as_message, parse_binary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolwire._client._methods import Method
    from toolwire._descriptor_types import MessageType

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

_DEEPEST_BYTES = 2 * DEEPEST  # a level takes two bytes at least


@dataclass(slots=True)
class Draft(Generic[Q]):
    """A request whose names are still as the caller wrote them.

    Attributes:
        name: Who answers, mostly a model. Empty where the client knows, or the method does not.
        request: The request.
        is_ours: Whether it was made here, and may be changed.
        data: The caller's own request, encoded.
    """

    name: str
    request: Q
    is_ours: bool
    data: bytes | None = None


def draft(method: Method[Q, R], given: Sequence[object], fields: Mapping[str, object]) -> Draft[Q]:
    """Makes the request of a call.

    Args:
        method: The method.
        given: The arguments without a name: a ready request, which is a message of that name from
            any pool, or a mapping; or the name of the model and what follows it.
        fields: The others, by proto name; None stands for nothing.

    Raises:
        UsageError: If a field is missing or unknown, or stands beside a ready request.
        JsonError: If a value does not fit its field.
    """
    if method.sends_many:
        return Draft("", _first_message(method, given, fields), is_ours=True)
    if given and not isinstance(given[0], str) and given[0] is not None:
        others: list[str] = []
        if fields or len(given) > 1:
            others = [name for name, value in fields.items() if value is not None]
            names = method.positional[1:] or ("a second argument",)
            others += [
                name for name, value in zip(names, given[1:], strict=False) if value is not None
            ]
        return _ready(method, given[0], others)
    named = _by_name(method, given, fields)
    name = _take_target(method, named)
    set_ = {key: value for key, value in named.items() if value is not None}
    if _belong_inside(method, named, set_):
        named = set_ = _put_inside(method, set_)
    _check_fields(method, named, set_)
    request = build_request(method.request, set_)
    if not name and "." in method.target:
        name = read_path(request, method.target)
        _check_named(method, name)
    return Draft(name, request, is_ours=True)


def _take_target(method: Method[Q, R], named: dict[str, Any]) -> str:
    """Takes the name of who answers out of the arguments."""
    name: object = named.pop(method.target, None) if method.target else None
    if name is None and method.target and not _is_known(method):
        raise UsageError(f"{method.name} needs {_rpc.argument_of(method.target)}")
    if name is not None and not isinstance(name, str):
        raise UsageError(f"{method.target} takes a text, found {describe(name)}")
    return name or ""


def _check_fields(method: Method[Q, R], named: Iterable[str], given: Mapping[str, object]) -> None:
    known = method.request.DESCRIPTOR.fields_by_name
    for key in named:
        if key not in known:
            hint = near(key, known) or _inside(key, method.request.DESCRIPTOR)
            raise UsageError(f"{method.name} has no field {key!r}{hint}")
    for key in method.required:
        if key not in given:
            raise UsageError(f"{method.name} needs {key}")


def _first_message(
    method: Method[Q, R], given: Sequence[object], fields: Mapping[str, object]
) -> Q:
    """Makes the message that a session begins with."""
    set_ = {key: value for key, value in fields.items() if value is not None}
    known = method.request.DESCRIPTOR.fields_by_name
    kind = known[method.opening].message_type if method.opening is not None else None
    if len(given) > 1 or (given and set_ and not isinstance(given[0], str)):
        raise UsageError(f"{method.name} takes a ready message, or a model and keywords")
    first = given[0] if given else None
    if kind is None or method.opening is None:
        return to_message(method.request, first or set_, "", DEEPEST)
    message = as_message(first)
    if message is not None and message.DESCRIPTOR.full_name == method.request.DESCRIPTOR.full_name:
        return to_message(method.request, first, "", DEEPEST)
    if isinstance(first, str):
        set_["model"] = first
    for key in set_:
        if key not in kind.fields_by_name:
            raise UsageError(f"{kind.name} has no field {key!r}{near(key, kind.fields_by_name)}")
    opening = build_request(class_of(kind), set_) if first is None or set_ else first
    return build_request(method.request, {method.opening: opening})


def _by_name(
    method: Method[Q, R], given: Sequence[object], fields: Mapping[str, object]
) -> dict[str, Any]:
    """Gives the arguments without a name theirs, and the target its own."""
    named = dict(fields)
    if len(given) > len(method.positional):
        if given and not method.positional:
            raise UsageError(
                f"{method.name} takes a ready {method.request.DESCRIPTOR.name} or keywords, "
                f"found {describe(given[0])}"
            )
        raise UsageError(f"{method.name} takes {len(method.positional)} arguments without a name")
    for name, value in zip(method.positional, given, strict=False):
        argument = _rpc.argument_of(name) if name == method.target else name
        if value is not None and named.get(argument) is not None:
            raise UsageError(f"{argument} was given twice")
        named[argument] = value
    target = _rpc.argument_of(method.target)
    if target != method.target and target in named:
        if named.get(method.target) is not None:
            raise UsageError(f"{target} and {method.target} are the same: give one of them")
        named[method.target] = named.pop(target)
    return named


def _ready(method: Method[Q, R], first: object, others: list[str]) -> Draft[Q]:
    if others:
        raise UsageError(f"a ready request takes no other fields: found {', '.join(others)}")
    if isinstance(first, method.request):
        return Draft(_target_of(method, first), first, False, _encode(method.request, first))
    if as_message(first) is None and not is_dict(first):
        what = "the name of a model" if method.positional else "keywords"
        raise UsageError(
            f"expected {what} or a ready {method.request.DESCRIPTOR.name}, found {describe(first)}"
        )
    request = to_message(method.request, first, "", DEEPEST)
    return Draft(_target_of(method, request), request, is_ours=True)


def _encode(cls: type[Q], request: Q) -> bytes:
    """Encodes a request, which a server would refuse to read if it nested too deeply."""
    data = request.SerializeToString()
    if len(data) > _DEEPEST_BYTES:
        try:
            parse_binary(cls, data)  # a tenth of the cost of counting levels here
        except DecodeError:
            raise too_deep("") from None
    return data


def _target_of(method: Method[Q, R], request: Message) -> str:
    target = method.target
    if not target:
        return ""
    name: str = getattr(request, target) if "." not in target else read_path(request, target)
    if not name:
        _check_named(method, name)
    return name


def _check_named(method: Method[Q, R], name: str) -> None:
    if not name and not _is_known(method):
        raise UsageError(f"the request has no {method.target}")


def _is_known(method: Method[Q, R]) -> bool:
    """Tells whether the client knows the target itself, or a message in the request names it."""
    return "." in method.target or _rpc.is_parent(method.routes[method.target])


def read_path(message: Message, path: str) -> str:
    """Returns a text inside other messages, such as that of ``cached_content.name``."""
    value: Any = message
    for part in path.split("."):
        value = getattr(value, part)
    return str(value)


def _belong_inside(
    method: Method[Q, R], fields: Iterable[str], given: Mapping[str, object]
) -> bool:
    """Tells whether the fields are only understood by the request inside the method's own."""
    known = method.request.DESCRIPTOR.fields_by_name
    field = known[method.inner[0]] if len(method.inner) == 1 else None
    kind = field.message_type if field is not None and not field.is_repeated else None
    names = [name for name in fields if name in given or name not in known]
    if kind is None or all(name in known for name in names):
        return False
    return all(name in kind.fields_by_name for name in names)


def _put_inside(method: Method[Q, R], given: Mapping[str, object]) -> dict[str, object]:
    """Makes the request inside the method's own, as the one field of the latter."""
    (name,) = method.inner
    kind = method.request.DESCRIPTOR.fields_by_name[name].message_type
    return {} if kind is None else {name: build_request(class_of(kind), given)}


def _inside(name: str, request: MessageType) -> str:
    """Names the field of a request whose own field has been given in its place, if there is one."""
    for field in request.fields:
        kind = field.message_type
        if kind is not None and not field.is_repeated and name in kind.fields_by_name:
            return f"; it is a field of {field.name}"
    return ""
