"""Messages out of schemas that were read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from toolwire._apis import find_api
from toolwire._errors import DeclarationError, JsonError
from toolwire._functions._report import fault
from toolwire._functions.schema._context import Context, Place
from toolwire._functions.schema._refs import References
from toolwire._functions.schema._walk import convert_document
from toolwire._json import from_dict
from toolwire._paths import render
from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from toolwire._functions._keywords import Json, Node
    from toolwire._functions._report import Report
    from toolwire._paths import Path
    from toolwire._rules._profile import Profile

_NO_PLACES: Mapping[str, Path] = {}
_UNTYPED = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "OBJECT")


@dataclass(frozen=True, slots=True)
class Options:
    """How to convert a schema.

    Attributes:
        profile: The API.
        titles: Whether titles that tools make are kept.
        refs: Whether references are carried instead of resolved.
        untyped: Type for what may hold anything; None refuses it.
    """

    profile: Profile
    titles: bool = False
    refs: bool = False
    untyped: str | None = None


def message_class(api: str, *names: str) -> type[Message]:
    """Returns the first class of those names that an API has.

    Raises:
        DescriptorError: If no API has the name.
        DeclarationError: If the API has no such message.
    """
    module = find_api(api).load()
    for name in names:
        cls: type[Message] | None = getattr(module, name, None)
        if cls is not None:
            return cls
    raise DeclarationError(f"{api} has no {' or '.join(names)}")


def converted(
    document: Json, options: Options, report: Report, at: Path = None, *, arguments: bool = False
) -> Node:
    """Converts a JSON Schema to the dict form of an API's Schema.

    Raises:
        DeclarationError: If it cannot be expressed, or the API has no Schema.
    """
    kind = message_class(options.profile.api, "Schema").DESCRIPTOR
    untyped = options.untyped
    if untyped is not None:
        untyped = untyped.upper() if isinstance(cast("object", untyped), str) else None
        if untyped not in _UNTYPED:
            reason = f"takes one of {', '.join(_UNTYPED)}, found {shown(options.untyped)}"
            raise DeclarationError(f"untyped= {reason}")
    context = Context(
        kind=kind,
        profile=options.profile,
        references=References(document),
        report=report,
        untyped=untyped,
        titles=options.titles,
        refs=options.refs and "ref" in kind.fields_by_name and "defs" in kind.fields_by_name,
        object_root=arguments,
    )
    try:
        return convert_document(context, document, Place(at))
    except RecursionError:  # whoever calls has left little of the stack
        raise fault("nested too deeply for the stack", at) from None


def build(
    cls: type[Message], fields: Mapping[str, object], places: Mapping[str, Path] = _NO_PLACES
) -> Message:
    """Makes a message of fields that were converted.

    Args:
        cls: Its class.
        fields: The fields.
        places: Where the schemas in some of them stand in the source, for the path of an error.

    Raises:
        DeclarationError: If they do not fit after all, as where a default nests too deeply.
    """
    try:
        return from_dict(cls, fields)
    except JsonError as error:
        field, dot, rest = error.path.partition(".")
        if field not in places:
            raise DeclarationError(error.reason, path=error.path) from None
        outer = render(places[field])
        path = f"{outer}{dot}{rest}" if outer else rest
        raise DeclarationError(error.reason, path=path) from None
