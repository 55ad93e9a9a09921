"""Callables: signatures, annotations and docstrings."""

from __future__ import annotations

import inspect
import types
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from toolwire._functions._document import read
from toolwire._functions._report import fault
from toolwire._functions._source import Source
from toolwire._functions.python._callables import (
    hints_of,
    is_field,
    metadata_of,
    own_metadata,
    place_of,
    refuse_generator,
    routine_of,
    text_of,
    unbound,
)
from toolwire._functions.python._defaults import written
from toolwire._functions.python._docs import own_docstring, parse
from toolwire._functions.python._models import CONFIG, adapter_of, schema_of, schemas_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from toolwire._functions._keywords import Json, Node
    from toolwire._functions._report import Report
    from toolwire._functions.python._docs import Doc

_ABSENT: object = inspect.Parameter.empty
_MANY: Mapping[object, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
# Methods that are written in C, such as str.upper.
_UNBOUND = (
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.WrapperDescriptorType,
)


def read_callable(
    source: Callable[..., object], report: Report, *, response: bool = False
) -> Source:
    """Reads a function of any kind: its parameters are the declaration's.

    Args:
        source: The function.
        report: Collects what gets lost.
        response: Reads the annotation of the result, too.

    Raises:
        DeclarationError: If a parameter, or the result, cannot be declared.
        MissingExtraError: If the extra is not installed.
    """
    target, bound = unbound(source)
    if isinstance(target, type):
        raise fault(f"calls the class {target.__name__}: declare a function that does", None)
    function = routine_of(target)
    refuse_generator(function)
    name = str(getattr(target, "__name__", type(target).__name__))
    doc = parse(_docstring_of(function, target))
    parameters = list(_parameters(source, bound))
    hints = hints_of(function, [parameter.name for parameter in parameters])
    read_all = [_read(parameter, hints, report) for parameter in parameters]
    schema = read(_schema(read_all, doc, report)) if read_all else None
    result = _result(function, report) if response else None
    return Source(name, doc.text, schema, result, owns_titles=True, response_at=place_of("return"))


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
        raise fault("has no annotation, so its type is not known", place_of(name))
    default: Any = parameter.default
    _refuse_alias(hints[name], default, name)
    if is_field(default):
        return _Read(name, Annotated[hints[name], default], bool(default.is_required()), {})
    if default is _ABSENT or default is ...:  # as pydantic reads it
        given = any(map(_has_default, own_metadata(hints[name])))
        return _Read(name, hints[name], required=not given, default={})
    shown = _as_json(name, hints[name], default, report)
    return _Read(name, hints[name], required=False, default=shown)


def _has_default(entry: Any) -> bool:
    """Tells whether what is annotated to a type gives it a default."""
    return is_field(entry) and not entry.is_required()


def _refuse_alias(kind: object, default: object, name: str) -> None:
    """Refuses another name for a parameter: pydantic has them for the fields of a class only."""
    for field in filter(is_field, (*metadata_of(kind), default)):
        for attribute in ("validation_alias", "serialization_alias"):
            if getattr(field, attribute) is not None:
                reason = f"a parameter has no {attribute}: give it that name itself"
                raise fault(reason, place_of(name))


def _schema(parameters: list[_Read], doc: Doc, report: Report) -> Node:
    """Returns the JSON Schema of all parameters; what the annotation says of one wins."""
    schemas = schemas_of({each.name: each.kind for each in parameters}, report)
    properties: Node = {}
    for name, kind, _, default in parameters:
        properties[name] = node = {**schemas.by_name[name], **default}
        text = text_of(kind) or doc.parameters.get(name, "")
        if text:
            node["description"] = text
    required: list[Json] = [each.name for each in parameters if each.required]
    made: Node = {"type": "object", "properties": properties, "required": required}
    return {**made, "$defs": schemas.definitions} if schemas.definitions else made


def _parameters(source: Callable[..., object], bound: set[str]) -> Iterator[inspect.Parameter]:
    """Yields the parameters that a call has to name."""
    if isinstance(source, _UNBOUND):
        raise fault("is a method without its object: give a bound one", None)
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
                place_of(parameter.name),
            )
        yield parameter


def _result(function: Any, report: Report) -> Json:
    """Returns the schema of what a function returns; None if that is nothing, or is not told."""
    at = place_of("return")
    hints = hints_of(function, ["return"])
    if not hints:
        report.dropped(at, "there is no annotation of the result")
        return None
    kind = hints["return"]
    return None if kind is type(None) else read(schema_of(kind, report, "return"), at)


def _as_json(name: str, kind: object, default: object, report: Report) -> Node:
    adapter = adapter_of(kind, name)
    from pydantic_core import to_jsonable_python  # noqa: PLC0415 - of the extra

    from toolwire._functions.python._trials import Trial  # noqa: PLC0415 - likewise

    by_value = partial(to_jsonable_python, bytes_mode="base64")
    by_type = partial(adapter.dump_python, mode="json", by_alias=True, warnings=False)
    schema: Any = adapter.core_schema
    definitions = {each["ref"]: each for each in schema.get("definitions", ())}
    trial = Trial(schema["schema"] if definitions else schema, definitions, CONFIG)
    found = written(default, (by_value, by_type), trial)
    if not found.lost:
        return {"default": found.value}
    report.dropped((place_of(name), "default"), found.lost)
    return {}


def _docstring_of(function: Any, target: object) -> str | None:
    """Returns the docstring of a function; a callable object may have that of its class."""
    text = inspect.getdoc(function)
    if getattr(function, "__name__", "") != "__call__":
        return text
    if text and text != type.__call__.__doc__:  # which every class inherits
        return text
    owner: object = getattr(function, "__self__", target)
    return own_docstring(type(owner))
