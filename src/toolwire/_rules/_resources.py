"""Resource names: what the schema, its HTTP routes and its comments say they look like."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from toolwire._annotations import referenced_resource, resource, routes
from toolwire._rules._fields import required_fields
from toolwire._rules._methods import methods
from toolwire._rules._profile import PROFILES
from toolwire._rules._rule import Finding, shown
from toolwire._rules._schema import get, short_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._paths import Step
    from toolwire._rules._profile import Profile
    from toolwire._rules._rule import Context

# The fields whose form only a comment states, in whichever API: (message, field).
COMMENTS = frozenset(key for profile in PROFILES.values() for key in profile.resources)

_ROUTE_VARIABLE = re.compile(r"\{([a-z0-9_.]+)=([^{}]+)\}")
_WILDCARD = re.compile(r"(\*\*|\*|\{[^{}]*\})")


class Form(NamedTuple):
    """The form of the name in one field.

    Attributes:
        fields: The way to the field.
        patterns: Alternatives; ``*`` or a name in braces stands for one segment.
        source: Where they come from.
        needed: Whether an empty name is a fault that no other rule reports.
    """

    fields: tuple[FieldType, ...]
    patterns: tuple[str, ...]
    source: str
    needed: bool = False


def resource_names(message: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for every field whose value is not the resource name it should be.

    The form is that of the HTTP route of the method, else that of google.api.resource, else that
    of the comment on the field.
    """
    for form in forms(message.DESCRIPTOR, context.profile):
        value = _value(message, form.fields)
        steps: tuple[Step, ...] = tuple(field.json_name for field in form.fields)
        choice = " or ".join(form.patterns)
        for position, name in enumerate(value if isinstance(value, list) else [value]):
            if not name and not form.needed:
                continue
            if not any(matches(pattern, name) for pattern in form.patterns):
                at = (*steps, position) if isinstance(value, list) else steps
                found = shown(name) if name else "is missing"
                fault = f"{found}, but expected {choice}"
                yield Finding(at, fault, form.source)


def matches(pattern: str, name: str) -> bool:
    """Tells whether a resource name has the form of a pattern."""
    return _expression(pattern).fullmatch(name) is not None


@lru_cache(maxsize=4096)
def forms(kind: MessageType, profile: Profile) -> tuple[Form, ...]:
    """Returns what is known about the resource names in a message type.

    A route beats a reference, and that a comment: the route of a method is what the server
    matches, and takes forms that a reference to one type of resource does not name.
    """
    found: dict[tuple[str, ...], Form] = {}
    for field in kind.fields:
        if field.type != field.TYPE_STRING:
            continue
        format_ = profile.resources.get((short_name(kind), field.name))
        if format_ is not None:
            found[(field.name,)] = Form((field,), (format_,), "comment on the field")
        referenced = _referenced_patterns(field, kind)
        if referenced:
            found[(field.name,)] = Form((field,), referenced, "google.api.resource_reference")
    for form in _route_forms(kind, profile):
        found[tuple(field.name for field in form.fields)] = form
    return tuple(found.values())


def _value(message: Message, fields: tuple[FieldType, ...]) -> str | list[str]:
    *parents, last = fields
    for parent in parents:
        message = get(message, parent.name)
    value = get(message, last.name)
    return list(value) if last.is_repeated else str(value)


@lru_cache(maxsize=1024)
def _expression(pattern: str) -> re.Pattern[str]:
    parts = (
        re.escape(part) if not _WILDCARD.fullmatch(part) else ".+" if part == "**" else r"[^/\s]+"
        for part in _WILDCARD.split(pattern)
    )
    return re.compile("".join(parts))


def _referenced_patterns(field: FieldType, kind: MessageType) -> tuple[str, ...]:
    """Returns the patterns of the resource that a field refers to, if the schema has it.

    A resource of type ``x.googleapis.com/Thing`` is by custom declared on the message ``Thing``.
    """
    wanted = referenced_resource(field)
    if not wanted:
        return ()
    name = f"{kind.file.package}.{wanted.rpartition('/')[2]}"
    try:
        declared = kind.file.pool.FindMessageTypeByName(name)
    except KeyError:
        return ()
    found, patterns = resource(declared)
    return patterns if found == wanted else ()


def _route_forms(kind: MessageType, profile: Profile) -> Iterator[Form]:
    patterns: dict[str, dict[str, None]] = {}
    for method in methods(kind, profile):
        if method.input_type.full_name != kind.full_name:
            continue
        for route in routes(method):
            for path, pattern in _ROUTE_VARIABLE.findall(route):
                patterns.setdefault(path, {})[pattern] = None
    for path, known in patterns.items():
        fields = tuple(_fields(kind, path))
        reported = len(fields) == 1 and fields[0] in required_fields(kind)
        yield Form(fields, tuple(known), "google.api.http", needed=not reported)


def _fields(kind: MessageType | None, path: str) -> Iterator[FieldType]:
    for name in path.split("."):
        if kind is None:
            return
        field = kind.fields_by_name[name]
        yield field
        kind = field.message_type
