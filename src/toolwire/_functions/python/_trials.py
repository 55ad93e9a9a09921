"""What a type's own check makes of its default. Importing this imports pydantic."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import SchemaValidator

from toolwire._functions.python._checks import amended, whole
from toolwire._functions.python._defaults import Untold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_RAISED = {"value_error", "assertion_error"}  # what pydantic makes of an error of a validator
_AROUND = {"function-after", "function-before", "function-wrap"}
_LISTS = {"list", "set", "frozenset"}
_EMPTY = {dict, list, tuple, set, frozenset}  # of others not even the truth is asked


class Trial:
    """The check of a type, which a default is read by.

    A validator of the user's may ask for other fields, and raise since there are none here. It is
    then left out, if it is around the type; where it is inside, or the type says something else
    without it, nothing is known.
    """

    def __init__(
        self,
        schema: Any,
        definitions: Mapping[str, Any],
        config: Mapping[str, Any],
        *,
        is_own: bool = False,
    ) -> None:
        """Prepares the check.

        Args:
            schema: The core schema of the type.
            definitions: What it refers to, by name.
            config: What pydantic checks it by.
            is_own: Whether a class of pydantic's checks it, by itself.
        """
        self._schema = schema
        self._definitions = definitions
        self._config: Any = config
        self._is_own = is_own

    def json(self, text: str) -> object:
        """Reads JSON."""
        return self._asked(lambda validator: validator.validate_json(text))

    def python(self, value: object) -> object:
        """Reads a value of Python."""
        return self._asked(lambda validator: validator.validate_python(value))

    def _asked(self, ask: Callable[[SchemaValidator], object]) -> object:
        try:
            return ask(self._whole)
        except Exception as error:  # whatever a validator of the user's raises
            if _is_of_type(error):
                raise
        for validator in self._inner():
            with suppress(Exception):  # likewise
                return ask(validator)
        raise Untold

    def _inner(self) -> Iterator[SchemaValidator]:
        schema = self._behind(self._schema)
        while schema["type"] in _AROUND:
            schema = self._behind(schema["schema"])
            yield self._validator(schema)

    @cached_property
    def _whole(self) -> SchemaValidator:
        return self._validator(self._schema)

    def _validator(self, schema: Any) -> SchemaValidator:
        known: Any = whole(schema, self._definitions)
        return SchemaValidator(known if self._is_own else amended(known), self._config)

    def _behind(self, schema: Any) -> Any:
        return self._definitions.get(schema.get("schema_ref", ""), schema)


def takes_empty(schema: Any, default: object) -> bool:
    """Tells whether a default holds nothing, and is of a type that takes that, whatever it holds.

    That is so common, and its type at times so large, that it is not tried.
    """
    while schema["type"] == "nullable":
        schema = schema["schema"]
    if type(default) not in _EMPTY or default or "min_length" in schema:
        return False
    kind: str = schema["type"]
    if type(default) is dict:
        return kind == "dict"
    is_tuple = kind == "tuple" and len(schema["items_schema"]) == 1
    is_any: bool = is_tuple and schema.get("variadic_item_index") == 0
    return is_any or kind in _LISTS


def _is_of_type(error: Exception) -> bool:
    """Tells whether an error is pydantic's own, of what does not fit the type."""
    if not isinstance(error, ValidationError):
        return False
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return all(each["type"] not in _RAISED for each in details)
