"""Masks of updates: which fields of a stored thing to change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from google.protobuf.message import Message

from toolwire._annotations import behaviors
from toolwire._client.requests._copies import describe, is_dict, to_message
from toolwire._errors import JsonError, UsageError
from toolwire._json import near
from toolwire._messages import as_message

if TYPE_CHECKING:
    from toolwire._descriptor_types import FieldType, MessageType

M = TypeVar("M", bound=Message)

_FIXED = frozenset({"OUTPUT_ONLY", "IDENTIFIER", "IMMUTABLE"})


def to_mask(cls: type[M], value: object, *, path: str) -> M:
    """Returns a mask out of paths: a list of them, or a text with commas between them.

    Args:
        cls: The class of the mask.
        value: The paths, a mask, or a dict of one.
        path: Where it stands, for the error.

    Raises:
        JsonError: If it is none of these.
    """
    if as_message(value) is not None:
        return to_message(cls, value, path)
    if is_dict(value) and set(value) == {"paths"}:
        value = value["paths"]
    paths = _split(value)
    if not paths or not all(isinstance(each, str) and each for each in paths):
        raise JsonError(f"expected paths of fields, found {describe(value)}", path=path)
    made: Any = cls
    mask: M = made(paths=paths)
    return mask


def _split(value: object) -> list[object]:
    if isinstance(value, str):
        return [*value.split(",")]
    is_list = isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray))
    return [*cast("Iterable[object]", value)] if is_list else []


def complete_mask(request: Message, mask: str, body: str) -> None:
    """Checks the mask of a request, and fills it in where there is none.

    Paths may be spelled as in JSON; they become the names of the proto. Without any, they are
    those of the fields that are set and can be changed.

    Args:
        request: The request, which is changed.
        mask: The field with the mask.
        body: The field that the paths lead into.

    Raises:
        UsageError: If a path leads nowhere, or nothing is set.
    """
    changed: Message = getattr(request, body)
    found: Any = getattr(request, mask)
    paths = [_resolve(mask, path, changed.DESCRIPTOR) for path in found.paths]
    if not paths:
        paths = [field.name for field, _ in changed.ListFields() if _may_change(field)]
    if not paths:
        raise UsageError(f"{body} sets no field that can be changed: name one in {mask}")
    del found.paths[:]
    found.paths.extend(paths)


def _may_change(field: FieldType) -> bool:
    return _FIXED.isdisjoint(behaviors(field))


def _resolve(mask: str, path: str, kind: MessageType) -> str:
    """Returns a path in the names of the proto."""
    if path == "*":
        return path
    names: list[str] = []
    inside: MessageType | None = kind
    for part in path.split("."):
        if inside is None:
            names.append(part)  # below a map or a Struct: for the server to judge
            continue
        known = {name: field for field in inside.fields for name in (field.name, field.json_name)}
        field = known.get(part)
        if field is None:
            raise UsageError(f"{mask}: {inside.name} has no field {part!r}{near(part, known)}")
        names.append(field.name)
        below = field.message_type
        is_open = below is None or field.is_repeated or below.file.package == "google.protobuf"
        inside = None if is_open else below
    return ".".join(names)
