"""Requests out of the arguments of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.message import Message

from toolwire import _rpc
from toolwire._annotations import is_required
from toolwire._client.requests._copies import describe, is_dict, is_whole, too_deep
from toolwire._client.requests._fields import build_request, to_whole
from toolwire._client.requests._methods import class_of
from toolwire._errors import DecodeError, UsageError
from toolwire._habits import hint_to_argument
from toolwire._json import near
from toolwire._messages import DEEPEST, as_message, parse_binary
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolwire._client.requests._methods import Method
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
    if not method.takes_fields:
        return _ready(method, given[0], ())
    if given and not isinstance(given[0], str) and given[0] is not None:
        if len(given) == 1 and not fields:  # the usual case, in which every microsecond counts
            return _ready(method, given[0], ())
        names = method.positional[1:] or ("a second argument",)
        beside = (*fields.items(), *zip(names, given[1:], strict=False))
        return _ready(method, given[0], [name for name, value in beside if value is not None])
    named = _by_name(method, given, fields)
    name = _take_target(method, named)
    set_ = {key: value for key, value in named.items() if value is not None}
    if _belong_inside(method, named, set_):
        named = set_ = _put_inside(method, set_)
    _check_fields(method, named, set_)
    request = build_request(method.request, set_)
    if not name and "." in method.target:
        name = read_path(request, method.target)
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
            hint = hint_to_field(key, method.request.DESCRIPTOR)
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
        return to_whole(method.request, first or set_, "", DEEPEST)
    if is_whole(method.request.DESCRIPTOR, first):
        made = to_whole(method.request, first, "", DEEPEST)
    else:
        if isinstance(first, str):
            set_["model"] = first
        for key in set_:
            if key not in kind.fields_by_name:
                hint = hint_to_field(key, kind)
                raise UsageError(f"{kind.name} has no field {key!r}{hint}")
        opening = build_request(class_of(kind), set_) if first is None or set_ else first
        made = build_request(method.request, {method.opening: opening})
    opened: Message = getattr(made, method.opening)
    found = {field.name for field, _ in opened.ListFields()}
    for field in kind.fields:
        if is_required(field) and field.name not in found:
            raise UsageError(f"{method.name} needs {field.name}")
    return made


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
        argument = _argument(method, name)
        if value is not None and named.get(argument) is not None:
            raise UsageError(f"{argument} was given twice")
        named[argument] = value
    target = _rpc.argument_of(method.target)
    if target != method.target and target in named:
        if named.get(method.target) is not None:
            raise UsageError(f"{target} and {method.target} are the same: give one of them")
        named[method.target] = named.pop(target)
    return named


def _ready(method: Method[Q, R], first: object, others: Sequence[str]) -> Draft[Q]:
    if isinstance(first, method.request) and not others:
        return Draft(_target_of(method, first), first, False, _encode(method.request, first))
    kind = method.request.DESCRIPTOR
    message = as_message(first)
    is_request = is_dict(first) if message is None else message.DESCRIPTOR.name == kind.name
    if not is_request and (others or message is None):
        raise UsageError(f"{_wanted(method)}, found {describe(first)}")
    if others:
        raise UsageError(f"a ready request takes no other fields: found {', '.join(others)}")
    request = to_whole(method.request, first, "", DEEPEST)
    return Draft(_target_of(method, request), request, is_ours=True)


def _wanted(method: Method[Q, R]) -> str:
    """Returns what goes where a ready request may stand."""
    kind = method.request.DESCRIPTOR.name
    if not method.takes_fields:
        return f"{method.name} takes {with_article(kind)}, as a message or a dict"
    names = method.positional
    what = f"{_argument(method, names[0])} as text" if names else "keywords"
    return f"expected {what} or a ready {kind}"


def _argument(method: Method[Q, R], name: str) -> str:
    """Returns what the argument for a field is called."""
    return _rpc.argument_of(name) if name == method.target else name


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
    if not name and not _is_known(method):
        raise UsageError(f"the request has no {method.target}")
    return name


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


def hint_to_field(name: str, kind: MessageType, options: Iterable[str] = ()) -> str:
    """Returns what may be meant by a keyword that is no field.

    Args:
        name: The keyword.
        kind: The request, or whatever has the fields.
        options: What else may be given as a keyword.
    """
    known = [*options, *(field.name for field in kind.fields)]
    return hint_to_argument(name, known) or near(name, known) or _inside(name, kind)


def _inside(name: str, request: MessageType) -> str:
    """Names the field of a request whose own field has been given in its place, if there is one."""
    for field in request.fields:
        kind = field.message_type
        if kind is not None and not field.is_repeated and name in kind.fields_by_name:
            return f"; it is a field of {field.name}"
    return ""
