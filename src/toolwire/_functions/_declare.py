"""Declarations, one by one and as a whole tool."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from toolwire._annotations import is_required
from toolwire._errors import DeclarationError
from toolwire._findings import Change
from toolwire._functions._keywords import ANNOTATIONS, canonical
from toolwire._functions._names import check_parameters, checked_function_name
from toolwire._functions._read_source import BESIDE, name_of, read_source
from toolwire._functions._report import SHOWN, Declared, Report, fault, guarded, mistyped, unwrap
from toolwire._functions.schema._build import Options, build, converted, message_class
from toolwire._functions.schema._refs import opened
from toolwire._json._kinds import is_object
from toolwire._message_fields import get
from toolwire._messages import as_message
from toolwire._paths import quote, render
from toolwire._rules._profile import find_profile
from toolwire._rules._tools import function_field

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._functions._keywords import Json, Node
    from toolwire._functions._source import Source
    from toolwire._paths import Path

# Fields for the parameters and for the result, as JSON Schema: the first that an API has.
_JSON_FIELDS = (
    ("parameters_json_schema", "response_json_schema"),
    ("input_schema", "output_schema"),
)
_NOTHING = frozenset({"type", "title", "description", "nullable", "additional_properties"})


def declare(
    source: object,
    *,
    api: str = "v1",
    name: str | None = None,
    description: str | None = None,
    report: bool = False,
    strict: bool = False,
    as_json_schema: bool = False,
    refs: bool = False,
    titles: bool = False,
    untyped: str | None = None,
    rename: bool = False,
    older: bool = False,
    response: bool = False,
) -> Message | Declared[Message]:
    """Declares a function to an API: from Python, pydantic, JSON Schema or a tool of others.

    Args:
        source: A function, bound method, partial or callable object; a pydantic model, dataclass
            or TypedDict, whose fields are the parameters; a JSON Schema of the parameters, as a
            mapping or a Schema message; an MCP tool, as a mapping or an object; or a tool as OpenAI
            or Anthropic write it, as a mapping.
        api: The API to declare it to: ``v1``, ``v1beta1``, ``gemini`` or ``firebase``.
        name: Name of the function, in place of the source's own.
        description: What the function does, in place of the source's own.
        report: Returns a ``Declared``: the declaration, and the list of changes.
        strict: Refuses what would have to be changed.
        as_json_schema: Declares the JSON Schema itself, unchanged, in the fields for it.
        refs: Carries references as ``ref`` and ``defs``, where the API has them, instead of
            resolving them: the way for schemas that contain themselves.
        titles: Keeps titles that tools make of names, too.
        untyped: Type for what may hold anything, such as ``"STRING"``, and for the items of an
            array that do not say it; without it the former is refused, the latter are STRING.
        rename: Makes names fit that the API does not take; ``Declared.original`` undoes it.
        older: Reports names, too, that only older pages refuse.
        response: Declares what a Python function returns, too, by its annotation. What an MCP
            tool says of its output is always declared.

    Returns:
        A FunctionDeclaration, for Firebase a TemplateFunction; with ``report`` a ``Declared``.

    Raises:
        DeclarationError: The source cannot be declared; the error has the path.
        DescriptorError: No API has the name.
        MissingExtraError: The source is Python, and the extra ``functions`` is not installed.
    """
    log = Report()
    cls = message_class(api, "FunctionDeclaration", "TemplateFunction")
    profile = find_profile(api)
    as_json_schema = as_json_schema or profile.is_json_schema
    found = read_source(source, log, as_json_schema=as_json_schema, response=response)
    called = _text(found.name if name is None else name, "name")
    if not called:
        if _is_tool(found.parameters, api):
            raise fault(f"found a Tool, {BESIDE}", None)
        raise fault("has no name: pass name=", (None, "name"))
    fields: dict[str, object] = {
        "name": checked_function_name(called, profile, log, rename=rename, older=older)
    }
    text = _text(found.description if description is None else description, "description")
    _put_description(fields, text, found, cls, log)
    names: dict[str, str] = {}
    if as_json_schema:
        _put_json_schemas(fields, found, cls.DESCRIPTOR, api)
    else:
        options = Options(profile, titles or found.owns_titles, refs, untyped)
        names = _put_schemas(fields, found, options, log, rename=rename)
    message = build(cls, fields, {"parameters": found.parameters_at, "response": found.response_at})
    missing = missing_description(message)
    if missing:
        log.dropped((None, "description"), missing)
    if strict:
        log.refuse()
    return unwrap(Declared(message, log.changes(), names), report)


def tool(
    sources: Iterable[object],
    *,
    api: str = "v1",
    report: bool = False,
    strict: bool = False,
    older: bool = False,
    **options: object,
) -> Message | Declared[Message]:
    """Declares several functions, as one Tool.

    Args:
        sources: What ``declare`` takes, or declarations that are ready.
        api: As in ``declare``.
        report: As in ``declare``; paths begin with the place in the list.
        strict: As in ``declare``.
        older: As in ``declare``; older limits of the count are reported as well.
        **options: The other options of ``declare``, for each of the sources.

    Returns:
        A Tool; with ``report`` a ``Declared``.

    Raises:
        DeclarationError: One cannot be declared, two have one name, or there are too many, or none.
        DescriptorError: No API has the name.
        MissingExtraError: A source is Python, and the extra ``functions`` is not installed.
    """
    cls = message_class(api, "Tool")
    field = _declarations_field(cls.DESCRIPTOR)
    log = Report()
    made: list[Message] = []
    seen: dict[str, int] = {}
    for index, source in enumerate(_listed(sources)):
        at: Path = ((None, field.json_name), index)
        one = _declare_at(source, at, log, api=api, older=older, **options)
        name: str = get(one, "name")
        first = seen.setdefault(name, index)
        if first != index:
            where = render(((None, field.json_name), first))
            raise fault(
                f"{quote(name, longest=SHOWN)} is declared already, by {where}", (at, "name")
            )
        made.append(one)
    if not made:
        raise fault("a tool needs at least one function", (None, field.json_name))
    profile = find_profile(api)
    if len(made) > profile.most_functions:
        raise fault(
            f"has {len(made)} functions: at most {profile.most_functions} are allowed",
            (None, field.json_name),
        )
    for most in profile.older_counts if older else ():
        if len(made) > most:
            log.changed((None, field.json_name), f"older pages allow {most} functions at most")
    if strict:
        log.refuse()
    return unwrap(Declared(build(cls, {field.name: made}), log.changes()), report)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise mistyped("text", value, (None, name))
    return value


def _listed(sources: Iterable[object]) -> list[object]:
    """Returns the sources of a tool."""
    given = cast("object", sources)  # of untyped callers
    with guarded():
        is_one = (
            isinstance(given, (str, bytes)) or is_object(given) or as_message(given) is not None
        )
        if not is_one and isinstance(given, Iterable):
            return [*cast("Iterable[object]", given)]
    raise mistyped("a list of functions", given)


def _declare_at(source: object, at: Path, log: Report, **options: Any) -> Message:
    """Declares one of a list, its place in front of every path."""
    cls = message_class(str(options["api"]), "FunctionDeclaration", "TemplateFunction")
    ready = as_message(source)
    if ready is not None and ready.DESCRIPTOR.full_name == cls.DESCRIPTOR.full_name:
        return ready
    try:
        declared = cast("Declared[Message]", declare(source, report=True, **options))
    except DeclarationError as error:
        path = _joined(at, error.path)
        raise DeclarationError(
            error.reason, path=path, changes=error.changes, function=name_of(source)
        ) from error
    for change in declared.changes:
        log.add(Change(_joined(at, change.path), change.action, change.message))
    return declared.message


def _joined(at: Path, path: str) -> str:
    outer = render(at)
    return f"{outer}{path}" if path.startswith("[") else f"{outer}.{path}".rstrip(".")


def _declarations_field(kind: MessageType) -> FieldType:
    field = function_field(kind)
    if field is None:
        raise DeclarationError(f"{kind.full_name} declares no functions")
    return field


def _is_tool(schema: Json, api: str) -> bool:
    """Tells whether what was given for a schema has nothing but fields of a Tool."""
    fields = message_class(api, "Tool").DESCRIPTOR.fields
    names = {name for field in fields for name in (field.name, field.json_name)}
    return isinstance(schema, dict) and bool(schema) and schema.keys() <= names


def _put_description(
    fields: dict[str, object], text: str, found: Source, cls: type[Message], log: Report
) -> None:
    if not text:
        return
    if "description" in cls.DESCRIPTOR.fields_by_name:
        fields["description"] = text
    elif all(each.get("description") != text for each in opened(found.parameters)):
        log.dropped((None, "description"), f"a {cls.DESCRIPTOR.name} has no description")


def missing_description(declaration: Message) -> str:
    """Says what a declaration lacks where its API demands a description; else returns ""."""
    field = declaration.DESCRIPTOR.fields_by_name.get("description")
    if field is None or not is_required(field) or get(declaration, "description"):
        return ""
    name = quote(str(get(declaration, "name")), longest=SHOWN)
    return (
        f"{name} has none, and the API marks it as required: write a docstring, of a schema or a "
        'tool its "description", or pass description='
    )


def _put_schemas(
    fields: dict[str, object], found: Source, options: Options, log: Report, *, rename: bool
) -> dict[str, str]:
    """Converts the parameters and the result; returns which parameters were renamed."""
    names: dict[str, str] = {}
    if found.parameters is not None and not _is_empty(found.parameters):
        made = converted(found.parameters, options, log, found.parameters_at, arguments=True)
        _check_object(made, found.parameters_at)
        rule = options.profile.parameter_name
        names = check_parameters(made, rule, log, found.parameters_at, rename=rename)
        if made.get("description") == fields.get("description"):
            made.pop("description", None)  # said of the function already
        if made.keys() <= _NOTHING and not made.get("additional_properties"):
            if "description" in made:
                log.dropped(
                    (found.parameters_at, "description"),
                    "there are no parameters that it could stand on",
                )
        else:
            fields["parameters"] = made
    if found.response == {} and options.untyped is None:
        log.dropped(found.response_at, "nothing tells what the result is, so it is left out")
    elif found.response is not None:
        fields["response"] = converted(found.response, options, log, found.response_at)
    return names


def _check_object(made: Node, at: Path) -> None:
    """Refuses parameters that are no object."""
    branches = made.get("any_of")
    for each in branches if isinstance(branches, list) else [made]:
        kind = each.get("type", "OBJECT") if isinstance(each, dict) else "OBJECT"
        if kind != "OBJECT":
            raise fault(f"the parameters are an object, found {str(kind).lower()}", at)


def _put_json_schemas(
    fields: dict[str, object], found: Source, kind: MessageType, api: str
) -> None:
    """Puts the schemas as they are into the fields for JSON Schema."""
    given = (found.parameters, found.response)
    known = kind.fields_by_name
    for pair in _JSON_FIELDS:
        if pair[0] in known:
            fields |= {
                field: schema
                for field, schema in zip(pair, given, strict=True)
                if schema is not None and not (field == "input_schema" and _is_empty(schema))
            }
            return
    raise DeclarationError(f"{api} has no field for JSON Schema: leave as_json_schema out")


def _is_empty(schema: Json) -> bool:
    """Tells whether a schema of parameters is one of the spellings of "none"."""
    if not isinstance(schema, dict):
        return False
    node = {name: value for name, value in canonical(schema).items() if name not in ANNOTATIONS}
    if str(node.pop("type", "object")).lower() != "object" or node.pop("properties", {}) != {}:
        return False
    return node.pop("required", []) == [] and node in ({}, {"additionalProperties": False})
