"""What the methods of services are called in Python, and how they are called: from descriptors.

The clients follow these rules when they run, and the generator when it writes their types.
"""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING, NamedTuple

from toolwire._annotations import is_required, routes, signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolwire._descriptor_types import FieldType, MessageType, MethodType, ServiceType

TAKEN = frozenset({"aclose", "close", "run_tools"})
"""What a client has beside the methods of its API."""

OPTIONS = ("timeout", "retries", "metadata")
"""Arguments of every method; a field of such a name goes into a ready request."""

VARIABLE = re.compile(r"\{([^}=]+)(?:=([^}]*))?\}")
"""A field in a route, such as ``{name=models/*}``: its path, and the pattern of its value."""

RESPONSE = "GenerateContentResponse"
"""Name of the message that a model's answer comes in."""

CANDIDATE = "Candidate"
"""Name of the message that is one answer of several in a response."""

TURN = "Content"
"""Name of the message that is a turn of a conversation: text and parts stand for one."""

TOOL = "Tool"
"""Name of the message that is a tool: Python functions and toolboxes stand for one in a list."""

SCHEMA = "Schema"
"""Name of the message that is a schema, of a function's parameters or of an answer."""

_PARENT = "projects/*/locations/*"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def python_name(name: str) -> str:
    """Returns a name such as ``GenerateContent`` as Python spells it, ``generate_content``."""
    snake = _HUMP.sub("_", name).lower()
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def name_methods(services: Iterable[ServiceType]) -> dict[str, MethodType]:
    """Gives the methods of an API their Python names.

    A method is called by its own name. Where several services have one of that name, the first
    service keeps it, by the names of the files; the others', and whatever a client has an
    attribute for, have their service in front: ``prediction_service_count_tokens``.

    Args:
        services: The services in their order.
    """
    found: dict[str, MethodType] = {}
    for service in services:
        for method in service.methods:
            name = python_name(method.name)
            if name in found or name in TAKEN:
                name = f"{python_name(service.name)}_{name}"
            found[name] = method
    return found


def routing(method: MethodType) -> dict[str, tuple[str, ...]]:
    """Returns the fields in the HTTP routes of a method, each with the patterns of its value."""
    found: dict[str, dict[str, None]] = {}
    for path in routes(method):
        for match in VARIABLE.finditer(path):
            found.setdefault(match[1], {})[match[2] or "*"] = None
    return {field: tuple(patterns) for field, patterns in found.items()}


def is_parent(patterns: Iterable[str]) -> bool:
    """Tells whether a name is that of a project and location, which a client knows itself."""
    return tuple(patterns) == (_PARENT,)


def positional(method: MethodType) -> tuple[str, ...]:
    """Returns the fields that may be given by position, the one that says who answers first.

    They are those of the method's published signature. A conversation comes before the
    ``instances`` that older models take in its place.
    """
    target = next(iter(routing(method).items()), None)
    if target is None or "." in target[0]:
        return ()
    path, patterns = target
    if is_parent(patterns):
        return (path,)
    known = method.input_type.fields_by_name
    listed = [name for name in signature(method) if name != path and name in known]
    if "contents" in known and "contents" not in listed:
        listed = ["contents"]
    return (path, *listed)


def argument_of(field: str) -> str:
    """Returns the argument for the field that says who answers: a model, whatever it is called."""
    return "model" if field == "endpoint" else field


class Paging(NamedTuple):
    """The fields by which a list comes in pages.

    Attributes:
        items: The field of the response that holds the items.
        asked: The field of the request that says where to go on.
        told: The field of the response that says so.
    """

    items: FieldType
    asked: str
    told: str


def paging(method: MethodType) -> Paging | None:
    """Returns how the method's answer comes in pages, or None if it does not."""
    asked, told = "page_token", "next_page_token"
    answer = method.output_type
    lists = [field for field in answer.fields if field.is_repeated]
    is_paged = asked in method.input_type.fields_by_name and told in answer.fields_by_name
    return Paging(lists[0], asked, told) if is_paged and len(lists) == 1 else None


def opening(method: MethodType) -> FieldType | None:
    """Returns the field of the first message of a session, where the others must wait for it."""
    field = method.input_type.fields_by_name.get("setup") if method.client_streaming else None
    return field if field is not None and field.message_type is not None else None


def inner_requests(request: MessageType, target: str) -> Iterator[FieldType]:
    """Yields the fields that hold whole requests to the same model."""
    for field in request.fields:
        kind = field.message_type
        if kind is not None and kind.name.endswith("Request") and target in kind.fields_by_name:
            yield field


def sole_turn(kind: MessageType) -> FieldType | None:
    """Returns the field of a message that is little else than a turn of a conversation."""
    turns = [
        field
        for field in kind.fields
        if field.message_type is not None and field.message_type.name == TURN
    ]
    is_sole = len(turns) == 1 and is_required(turns[0]) and not turns[0].is_repeated
    return turns[0] if is_sole else None


def inferred_mask(method: MethodType) -> tuple[str, FieldType] | None:
    """Returns the mask field of an update, and the message whose set fields it can name."""
    masks = [field.name for field in method.input_type.fields if is_mask(field)]
    bodies = [
        field
        for field in method.input_type.fields
        if field.message_type is not None and not field.is_repeated and not is_mask(field)
    ]
    return (masks[0], bodies[0]) if len(masks) == len(bodies) == 1 else None


def is_mask(field: FieldType) -> bool:
    """Tells whether a field is a mask: a list of the paths of others."""
    kind = field.message_type
    return kind is not None and kind.full_name == "google.protobuf.FieldMask"
