"""Callables and classes: signatures, annotations and docstrings."""

from __future__ import annotations

import functools
import inspect
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from toolwire._functions._docs import parse
from toolwire._functions._extras import require
from toolwire._functions._models import schema_of, schemas_of
from toolwire._functions._report import SHOWN, fault
from toolwire._functions._sources import Source
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from toolwire._functions._docs import Doc
    from toolwire._functions._keywords import Json, Node
    from toolwire._functions._report import Report

_ABSENT: object = inspect.Parameter.empty
_MANY: Mapping[object, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def read_type(source: type, report: Report) -> Source:
    """Reads a pydantic model, a dataclass or a TypedDict: its fields are the parameters.

    Raises:
        DeclarationError: If it cannot be described.
        MissingExtraError: If the extra is not installed.
    """
    schema = schema_of(source, report)
    node = _own_node(schema)
    doc = parse(_own_docstring(source))
    text = node.pop("description", "")
    described = inspect.cleandoc(source.__doc__ or "")
    _fill_descriptions(node, doc)
    description = doc.text if text in {"", described} else str(text)
    return Source(source.__name__, description, schema, owns_titles=True)


def read_callable(source: Callable[..., object], report: Report) -> Source:
    """Reads a function of any kind: its parameters are the declaration's.

    Raises:
        DeclarationError: If a parameter cannot be declared.
        MissingExtraError: If the extra is not installed.
    """
    target: Any = source
    bound: set[str] = set()
    while isinstance(target, functools.partial):
        part = cast("functools.partial[object]", target)
        bound |= set(part.keywords)
        target = part.func
    function = target if inspect.isroutine(target) else type(target).__call__
    name = str(getattr(target, "__name__", type(target).__name__))
    doc = parse(inspect.getdoc(function) if function is target else _docstring_of(target))
    hints = _hints(function)
    read = [_read(parameter, hints, report) for parameter in _parameters(source, bound)]
    schema = _schema(read, doc, report) if read else None
    return Source(name, doc.text, schema, owns_titles=True)


class _Read(NamedTuple):
    """A parameter.

    Attributes:
        name: Its name.
        kind: Its annotation, together with a Field that is its default.
        required: Whether a call must have it.
        default: Its default, as part of the schema.
    """

    name: str
    kind: object
    required: bool
    default: Node


def _read(parameter: inspect.Parameter, hints: Mapping[str, Any], report: Report) -> _Read:
    name = parameter.name
    if name not in hints:
        raise fault("has no annotation, so its type is not known", _at(name))
    default: Any = parameter.default
    if type(default).__name__ == "FieldInfo" and hasattr(default, "is_required"):
        return _Read(name, Annotated[hints[name], default], bool(default.is_required()), {})
    if default is _ABSENT:
        return _Read(name, hints[name], required=True, default={})
    return _Read(name, hints[name], required=False, default=_as_json(name, default, report))


def _schema(parameters: list[_Read], doc: Doc, report: Report) -> Node:
    """Returns the JSON Schema of all parameters; what the annotation says of one wins."""
    schemas = schemas_of({each.name: each.kind for each in parameters}, report)
    properties: Node = {}
    for name, kind, _, default in parameters:
        properties[name] = node = {**schemas.by_name[name], **default}
        text = _annotated_description(kind) or doc.parameters.get(name, "")
        if text:
            node["description"] = text
    required: list[Json] = [each.name for each in parameters if each.required]
    made: Node = {"type": "object", "properties": properties, "required": required}
    return {**made, "$defs": schemas.definitions} if schemas.definitions else made


def _parameters(source: Callable[..., object], bound: set[str]) -> Iterator[inspect.Parameter]:
    """Yields the parameters that a call has to name."""
    try:
        signature = inspect.signature(source)
    except (TypeError, ValueError):
        raise fault("has no signature that can be read", None) from None
    for index, parameter in enumerate(signature.parameters.values()):
        is_self = index == 0 and parameter.name in {"self", "cls"}
        if parameter.name in bound or (is_self and parameter.annotation is _ABSENT):
            continue
        stars = _MANY.get(parameter.kind)
        if stars:
            raise fault(
                f"{stars}{parameter.name} cannot be declared: a call names each of its arguments",
                _at(parameter.name),
            )
        yield parameter


def _hints(function: Any) -> dict[str, Any]:
    """Returns the annotations of a function, postponed ones resolved where it was written."""
    plain = inspect.unwrap(getattr(function, "__func__", function))
    try:
        return get_type_hints(plain, include_extras=True)
    except NameError as error:
        raise fault(
            f"an annotation names {quote(str(error.name), longest=SHOWN)}, which its module "
            "does not have",
            None,
        ) from None
    except (TypeError, AttributeError, SyntaxError) as error:
        raise fault(f"an annotation cannot be read: {error}", None) from None


def _as_json(name: str, default: object, report: Report) -> Node:
    require("pydantic_core")
    from pydantic_core import PydanticSerializationError, to_jsonable_python  # noqa: PLC0415

    try:
        return {"default": to_jsonable_python(default)}
    except (PydanticSerializationError, ValueError):
        report.dropped((_at(name), "default"), f"a {type(default).__name__} is no JSON")
        return {}


def _annotated_description(kind: object) -> str:
    """Returns what the annotation says: a Field's description, a Doc, or plain text."""
    if get_origin(kind) is not Annotated:
        return ""
    found = ""
    for entry in get_args(kind)[1:]:
        for attribute in ("description", "documentation"):  # of a Field, of a Doc
            text = entry if isinstance(entry, str) else getattr(entry, attribute, None)
            if isinstance(text, str) and text:
                found = text
    return found


def _docstring_of(target: object) -> str | None:
    """Returns the docstring of a callable object: that of its call, else that of its class."""
    call = type(target).__call__
    return inspect.getdoc(call) or inspect.getdoc(type(target))


def _own_docstring(source: type) -> str | None:
    """Returns what somebody wrote; a dataclass without a docstring gets its signature as one."""
    text = source.__dict__.get("__doc__")
    if not isinstance(text, str) or text.startswith(f"{source.__name__}("):
        return None
    return text


def _own_node(schema: Node) -> Node:
    """Returns the schema of the type itself, which stands among the definitions if recursive."""
    ref = schema.get("$ref")
    definitions = schema.get("$defs")
    if isinstance(ref, str) and isinstance(definitions, dict):
        found = definitions.get(ref.rpartition("/")[2])
        if isinstance(found, dict):
            return found
    return schema


def _fill_descriptions(node: Node, doc: Doc) -> None:
    properties = node.get("properties")
    if isinstance(properties, dict):
        for name, text in doc.parameters.items():
            member = properties.get(name)
            if isinstance(member, dict):
                member.setdefault("description", text)


def _at(name: str) -> tuple[object, tuple[str]]:
    return ((None, "properties"), (name,))
