"""JSON Schema of Python types, by pydantic."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, NewType, cast

from toolwire._errors import Error
from toolwire._functions._extras import require
from toolwire._functions._report import fault, words_of
from toolwire._functions.python._callables import place_of
from toolwire._functions.python._typed_dicts import readable
from toolwire._functions.schema._context import described

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from pydantic import ConfigDict, TypeAdapter

    from toolwire._functions._keywords import Node
    from toolwire._functions._report import Report


# JSON has neither NaN nor infinity, and bytes are base64 in it.
CONFIG: ConfigDict = {"allow_inf_nan": False, "val_json_bytes": "base64"}


class Schemas(NamedTuple):
    """Schemas of several types.

    Attributes:
        by_name: Each schema.
        definitions: What they refer to, as ``#/$defs/...``.
    """

    by_name: Mapping[str, Node]
    definitions: Node


def schema_of(kind: object, report: Report, name: str = "") -> Node:
    """Returns the JSON Schema of a type.

    Args:
        kind: The type.
        report: Collects what pydantic would warn of.
        name: Where it stands, as for ``adapter_of``; a result is described as it is written.

    Raises:
        DeclarationError: If pydantic has no schema for it.
        MissingExtraError: If pydantic is not installed.
    """
    adapter = adapter_of(kind, name)
    from toolwire._functions.python._generator import generator_of  # noqa: PLC0415 - imports pydantic

    with _reading(name):
        found: Node = adapter.json_schema(
            schema_generator=generator_of(report, CONFIG),
            mode="serialization" if name == "return" else "validation",
        )
    return found


def schemas_of(kinds: Mapping[str, object], report: Report) -> Schemas:
    """Returns the JSON Schemas of types, by name.

    Raises:
        DeclarationError: If pydantic has no schema for one of them.
        MissingExtraError: If pydantic is not installed.
    """
    pydantic = require("pydantic")
    inputs: list[Any] = [
        (name, "validation", adapter_of(kind, name)) for name, kind in kinds.items()
    ]
    from toolwire._functions.python._generator import generator_of  # noqa: PLC0415 - likewise

    generator = generator_of(report, CONFIG)
    with _reading(""):
        try:
            found, rest = pydantic.TypeAdapter.json_schemas(inputs, schema_generator=generator)
        except Exception:
            for name, mode, adapter in inputs:  # finds out which one it is
                with _reading(name):
                    adapter.json_schema(schema_generator=generator, mode=mode)
            raise
    definitions: Node = rest.get("$defs", {})
    return Schemas({name: found[name, mode] for name, mode, _ in inputs}, definitions)


def adapter_of(kind: object, name: str = "") -> TypeAdapter[Any]:
    """Returns what checks and describes values of a type.

    Args:
        kind: The type.
        name: The parameter that has it, or ``return``, for the path of an error.

    Raises:
        DeclarationError: If pydantic cannot handle it.
        MissingExtraError: If pydantic is not installed.
    """
    pydantic = require("pydantic")
    at = place_of(name) if name else None
    if isinstance(kind, str):
        raise fault(f"expected a type, found {described(kind)}", at)
    adapter: TypeAdapter[Any]
    with _reading(name):
        kind = readable(kind)
        try:
            adapter = pydantic.TypeAdapter(kind, config=CONFIG)
        except pydantic.PydanticUserError:  # a class, which may decide this for itself
            renamed: Any = cast("Any", NewType)("Itself", kind)
            adapter = pydantic.TypeAdapter(renamed, config=CONFIG)
    if not adapter.pydantic_complete:
        raise fault("a type that it names is not defined", at)
    from toolwire._functions.python._checks import mend  # noqa: PLC0415 - imports pydantic

    with _reading(name):
        mend(adapter, CONFIG)
    return adapter


@contextmanager
def _reading(name: str) -> Generator[None]:
    """Turns whatever pydantic raises over a type into our error."""
    try:
        yield
    except Error:
        raise
    except Exception as error:
        reason = f"pydantic cannot describe it: {words_of(error)}"
        if type(error).__name__ == "PydanticOmit":
            reason = "SkipJsonSchema hides fields of a class only: bind it with functools.partial"
        raise fault(reason, place_of(name) if name else None) from error
