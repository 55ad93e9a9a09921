"""Resource names: what the schema, its HTTP routes and its comments say they look like."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from toolwire._annotations import referenced_resource, resource
from toolwire._errors import UsageError
from toolwire._message_fields import MissingField, get, short_name
from toolwire._resource_names import read_name
from toolwire._rpc import VARIABLE, routing
from toolwire._rules._fields import required_fields
from toolwire._rules._methods import methods, routed
from toolwire._rules._profile import PROFILES
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._paths import Step
    from toolwire._rules._profile import Profile
    from toolwire._rules._rule import Context

# The fields whose form only a comment states, in whichever API: (message, field).
COMMENTS = frozenset(key for profile in PROFILES.values() for key in profile.resources)

_LEFT_OUT = ("models/", "publishers/google/models/", "cachedContents/")
_WILDCARD = re.compile(r"(\*\*|\*|\{[^{}]*\})")


SHORT_NAME = "resource.short-name"
"""The rule that a server has and a client keeps for its user."""


class Form(NamedTuple):
    """The form of the name in one field.

    Attributes:
        fields: The way to the field.
        patterns: Alternatives; ``*`` or a name in braces stands for one segment.
        source: Where they come from.
        needed: Whether an empty name is a fault that no other rule reports.
        completed: The patterns by which toolwire's client makes a short name a full one; none
            where it leaves the field alone.
    """

    fields: tuple[FieldType, ...]
    patterns: tuple[str, ...]
    source: str
    needed: bool = False
    completed: tuple[str, ...] = ()


def resource_names(message: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for every field whose value is not the resource name it should be.

    The form is that of the HTTP route of the method, else that of google.api.resource, else that
    of the comment on the field.
    """
    for at, name, form in _unlike(message, context):
        if not _is_completed(name, form):
            found = shown(name) if name else "is missing"
            fault = f"{found}, but expected {_choice(form)}{_meant(name, form.patterns)}"
            yield Finding(at, fault, form.source)


def short_names(message: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for every resource name in a short form, which toolwire's client completes.

    The client does so by the routes of the methods and by google.api.resource.
    """
    for at, name, form in _unlike(message, context):
        if _is_completed(name, form):
            fault = f"{shown(name)} is short: toolwire's client completes it, a server takes"
            yield Finding(at, f"{fault} {_choice(form)}", form.source)


def _unlike(message: Message, context: Context) -> Iterator[tuple[tuple[Step, ...], str, Form]]:
    """Yields every name that has not the form it should have, and where it is."""
    for form in forms(message.DESCRIPTOR, context.profile):
        value = _value(message, form.fields)
        steps: tuple[Step, ...] = tuple(field.json_name for field in form.fields)
        for position, name in enumerate(value if isinstance(value, list) else [value]):
            if not name and not form.needed:
                continue
            if not any(matches(pattern, name) for pattern in form.patterns):
                yield (*steps, position) if isinstance(value, list) else steps, name, form


def _choice(form: Form) -> str:
    return " or ".join(form.patterns)


def _is_completed(name: str, form: Form) -> bool:
    """Tells whether the client makes of a short name one that has the form it should have."""
    if not name or not form.completed:
        return False
    try:
        found = read_name(form.fields[-1].name, name, form.completed).name
    except UsageError:
        return False
    made = (found, f"projects/-/locations/-/{found}")
    return any(matches(pattern, each) for pattern in form.patterns for each in made)


def _meant(name: str, patterns: tuple[str, ...]) -> str:
    """Suggests the whole name of which a short one, as clients complete it, is the end."""
    for prefix in _LEFT_OUT if name and "/" not in name else ():
        if any(matches(pattern, f"{prefix}{name}") for pattern in patterns):
            return f"; did you mean {shown(f'{prefix}{name}')}?"
    return ""


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
        stated = profile.resources.get((short_name(kind), field.name))
        if stated is not None:
            source = f"comment on {short_name(kind)}.{field.name}"
            completed = _models(kind, profile) if field.name == "model" else ()
            found[(field.name,)] = Form((field,), stated, source, completed=completed)
        referenced = _referenced_patterns(field, kind)
        if referenced:
            source = "google.api.resource_reference"
            stars = tuple(VARIABLE.sub("*", pattern) for pattern in referenced)
            completed = stars if _is_request(kind, profile) and not field.is_repeated else ()
            found[(field.name,)] = Form((field,), referenced, source, completed=completed)
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
    for path, patterns in routed(kind, profile).items():
        fields = tuple(_fields(kind, path))
        reported = len(fields) == 1 and fields[0] in required_fields(kind)
        yield Form(fields, patterns, "google.api.http", not reported, completed=patterns)


def _is_request(kind: MessageType, profile: Profile) -> bool:
    known = methods(kind, profile)
    return any(method.input_type.full_name == kind.full_name for method in known)


def _models(kind: MessageType, profile: Profile) -> tuple[str, ...]:
    """Returns the patterns of models, for what a request stores or begins a session with."""
    known = methods(kind, profile)
    types = [field.message_type for method in known for field in method.input_type.fields]
    if all(each is None or each.full_name != kind.full_name for each in types):
        return ()
    generate = next((method for method in known if method.name == "GenerateContent"), None)
    return () if generate is None else routing(generate).get("model", ())


def _fields(kind: MessageType | None, path: str) -> Iterator[FieldType]:
    for name in path.split("."):
        if kind is None:
            return
        if name not in kind.fields_by_name:
            raise MissingField(kind, name)
        yield kind.fields_by_name[name]
        kind = kind.fields_by_name[name].message_type
