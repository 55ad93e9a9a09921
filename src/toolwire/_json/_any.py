"""``Any``: a message of any type that a pool knows, with the URL of its type beside its fields.

Rules: ProtoJSON specification, "Any".
"""

# ruff: noqa: PLR0917 - a walk hands its state on, by position since that is faster

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._errors import DecodeError
from toolwire._json._build import build
from toolwire._json._copy import taken_as_value
from toolwire._json._faults import fault, too_deep
from toolwire._json._read import read_unknown_field
from toolwire._json._schema import EMPTY
from toolwire._json._tree import as_object
from toolwire._json._unknown import Unwritten, collected, refuse_below
from toolwire._json._write import write_message
from toolwire._messages import DEEPEST, as_message, parse_binary
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._json._options import ReadOptions, WriteOptions
    from toolwire._json._plan import MessagePlan
    from toolwire._paths import Path

_TYPE = "@type"


def read_any(
    plan: MessagePlan, value: object, at: Path, left: int, options: ReadOptions
) -> Message | dict[str, Any]:
    """Reads an ``Any`` from the JSON of its content with the type.

    Raises:
        JsonError: If it has no type, or of one that no pool knows, or the content does not fit.
    """
    source = as_message(value)
    if source is not None:
        return taken_as_value(plan.cls, source, at, left, options)
    body = dict(as_object(value, at))
    if not body:
        return {}
    if _TYPE not in body:
        raise fault('an Any without "@type"', at)
    type_url = body.pop(_TYPE)
    content = plan.of_type_url(type_url, (at, _TYPE))
    if left < 1:
        raise too_deep(options.max_depth, at)
    message = build(content, _read_content(content, body, at, left - 1, options))
    return {"type_url": type_url, "value": message.SerializeToString(deterministic=True)}


def _read_content(
    plan: MessagePlan, body: dict[object, object], at: Path, left: int, options: ReadOptions
) -> Message | dict[str, Any]:
    if not plan.is_special:
        if plan.name == EMPTY and body.get("value") == {}:
            del body["value"]  # older codecs wrote it, as for the special types
        return plan.read(plan, body, at, left, options)
    if "value" not in body:
        raise fault(f'an Any with {with_article(plan.name)} but without "value"', at)
    made = plan.read(plan, body.pop("value"), (at, "value"), left, options)
    for key, item in body.items():
        read_unknown_field(None, key, item, at, options)
    return made


def write_any(
    plan: MessagePlan,
    source: Any,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> dict[str, object]:
    """Writes an ``Any`` as the JSON of its content with the type.

    Raises:
        JsonError: If no pool knows the type, or the content cannot be written.
    """
    type_url: str = source.type_url
    if not type_url and not source.value:
        refuse_below(extra, at)
        return {}
    content = plan.of_type_url(type_url, (at, _TYPE))
    try:
        message = parse_binary(content.cls, source.value)
    except DecodeError as error:
        reason = error.reason
    else:
        if left < 1:
            raise too_deep(DEEPEST, at)
        body = _write_content(content, message, at, left - 1, options, extra)
        return {"@type": type_url, **body}
    raise fault(reason, at)


def _write_content(
    plan: MessagePlan,
    source: Message,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> dict[str, object]:
    if not plan.is_special:
        return write_message(plan, source, at, left, options, extra)
    beside = dict(extra.below) if extra is not None else {}
    inside = beside.pop("value", None)
    written = {"value": plan.write(plan, source, (at, "value"), left, options, inside)}
    for name, node in beside.items():
        written[str(name)] = collected(node, (at, name))
    return written
