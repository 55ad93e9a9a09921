"""pydantic's generator of JSON Schema, made ours. Importing this imports pydantic."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

from pydantic.json_schema import GenerateJsonSchema, JsonRef, JsonSchemaValue
from pydantic_core import (
    PydanticSerializationError,
    SchemaSerializer,
    SchemaValidator,
    to_jsonable_python,
)

from toolwire._functions._document import Refused, why_no_value
from toolwire._functions.python._checks import (
    by_pydantic,
    checks_itself,
    members_by_text,
    reads_more,
    reads_text,
    whole,
)
from toolwire._functions.python._defaults import written
from toolwire._functions.python._described import describe
from toolwire._functions.python._fields import fields_in, names_in
from toolwire._functions.python._trials import Trial, takes_empty
from toolwire._functions.python._unhashable import is_unhashable
from toolwire._functions.schema._refs import refs_in

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping

    from toolwire._functions._report import Report

_EXACT = 2**53
_LENGTHS = {"minLength", "maxLength"}
_NUMBER = r"^[-+]?[0-9]+(\.[0-9]+)?$"
# The text that stands for a key, which JSON has as text only.
_KEYS: dict[str, JsonSchemaValue] = {
    "int": {"pattern": "^-?[0-9]+$"},
    "float": {"pattern": _NUMBER},
    "decimal": {"pattern": _NUMBER},
    "bool": {"enum": ["true", "false"]},
}
_NO_MEMBERS = (
    "no call can give such a key: names of members are text, of which pydantic makes a member of "
    "an IntEnum, but not of another enum of numbers"
)
_NO_KEYS = {"list", "set", "frozenset", "dict", "tuple", "typed-dict", "none"}


def generator_of(report: Report, config: Mapping[str, Any]) -> type[GenerateJsonSchema]:
    """Returns a generator that makes up no titles, and reports where it would warn.

    What no call could give a value for is ``Refused`` where it stands.

    Args:
        report: Collects what gets lost.
        config: How values are read where no class decides that.
    """
    reading = _Reading(config["val_json_bytes"], config)
    return type("Generator", (_Generator,), {"report": report, "_reading": reading})


class _Reading(NamedTuple):
    """How what stands at a place is read, or written where it is of a result.

    Attributes:
        bytes_mode: What bytes are in JSON.
        config: What pydantic checks it by.
        is_own: Whether a class of pydantic's checks it, by itself.
        fields: Names of the fields of the class, each by the identity of its core schema.
    """

    bytes_mode: str
    config: Mapping[str, Any]
    is_own: bool = False
    fields: Mapping[int, str] = MappingProxyType({})


class _Generator(GenerateJsonSchema):
    report: ClassVar[Report]
    _core: Mapping[str, Any] = MappingProxyType({})  # definitions of the type that is read
    _reading: _Reading

    def emit_warning(self, kind: str, detail: str) -> None:
        self.report.dropped(None, f"pydantic says: {detail} ({kind})")

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def bytes_schema(self, schema: Any) -> JsonSchemaValue:
        made = super().bytes_schema(schema)
        del made["format"]
        if self._reading.bytes_mode == "utf8":
            return made
        if self._reading.bytes_mode == "hex":
            lengths = {name: 2 * made[name] for name in _LENGTHS & made.keys()}
            return made | lengths | {"contentEncoding": "base16"}
        if "minLength" in made:  # 4 characters stand for 3 bytes, and padding may be left out
            made["minLength"] = math.ceil(made["minLength"] * 4 / 3)
        if "maxLength" in made:
            made["maxLength"] = math.ceil(made["maxLength"] / 3) * 4
        return made | {"format": "byte"}

    def function_after_schema(self, schema: Any) -> JsonSchemaValue:
        before = self._reading
        if reads_text(schema):
            self._reading = before._replace(bytes_mode="utf8")
        try:
            return super().function_after_schema(schema)
        finally:
            self._reading = before

    def default_schema(self, schema: Any) -> JsonSchemaValue:
        if self.mode != "validation" or schema.get("default") is None:  # null is told of later
            return super().default_schema(schema)
        inner: Any = schema["schema"]
        made = self.generate_inner(inner)
        if takes_empty(inner, schema["default"]):
            return {**made, "default": {} if isinstance(schema["default"], dict) else []}
        reading = self._reading
        mode: Any = reading.bytes_mode
        by_value = partial(to_jsonable_python, bytes_mode=mode)

        def by_type(value: Any) -> Any:
            serializer = SchemaSerializer(whole(inner, self._core))
            return serializer.to_python(value, mode="json", warnings=False)

        is_checked = schema.get("validate_default", reading.config.get("validate_default", False))
        trial = Trial(inner, self._core, reading.config, is_own=reading.is_own)
        found = written(schema["default"], (by_value, by_type), trial, is_checked=is_checked)
        if not found.lost:
            return {**made, "default": found.value}
        name = reading.fields.get(id(schema), "a field")
        self.report.dropped(None, f"the default of {name}: {found.lost}")
        return made

    def encode_default(self, dft: Any) -> Any:
        """Writes the default of a result."""
        found: Any = super().encode_default(dft)
        reason = why_no_value(found)
        if reason:
            raise PydanticSerializationError(reason)  # which leaves it out with a warning
        return found

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        if self.mode == "validation" and _imports(schema.get("function")):
            return {"enum": Refused("a call would import what the model names: take a str")}
        made = super().generate_inner(schema)
        if "cls" in schema:  # whose name is no title that a user wrote
            ref = made.get("$ref", "")
            is_known = ref in self.json_to_defs_refs
            node = self.get_schema_from_definitions(ref) if is_known else made
            if node and node.get("title") == schema["cls"].__name__:
                del node["title"]
            if node and isinstance(node.get("properties"), dict):
                fields = fields_in(schema, self._core)
                names = {name: names_in(field, self.mode) for name, field in fields.items()}
                describe(node, schema["cls"], names)
        return made

    def generate_definitions(self, inputs: Any) -> Any:
        """Raises what pydantic keeps to itself here: why a definition that is needed is none."""
        schemas, definitions = super().generate_definitions(inputs)
        for node in (*schemas.values(), *definitions.values()):
            for ref in map(JsonRef, refs_in(node)):
                if ref in self.json_to_defs_refs:
                    self.get_schema_from_definitions(ref)
        return schemas, definitions

    def definitions_schema(self, schema: Any) -> JsonSchemaValue:
        self._core = {each["ref"]: each for each in schema["definitions"]}
        return super().definitions_schema(schema)

    def set_schema(self, schema: Any) -> JsonSchemaValue:
        return self._unhashed(schema) or super().set_schema(schema)

    def frozenset_schema(self, schema: Any) -> JsonSchemaValue:
        return self._unhashed(schema) or super().frozenset_schema(schema)

    def dict_schema(self, schema: Any) -> JsonSchemaValue:
        made = super().dict_schema(schema)
        keys = schema.get("keys_schema", {"type": "any"})
        is_text = any(isinstance(each, str) for each in keys.get("expected", [""]))  # of a Literal
        if self.mode == "validation" and (keys["type"] in _NO_KEYS or not is_text):
            return {"enum": Refused("no call can give such a key: names of members are text")}
        members = members_by_text(keys, self._core)
        if self.mode == "validation" and members:
            texts = self._texts_of(keys, members)
            if not texts and not reads_more(keys, self._core):
                return {"enum": Refused(_NO_MEMBERS)}
            made.pop("propertyNames", None)
            if texts:
                made["propertyNames"] = {"enum": texts}
        if keys["type"] in _KEYS:
            made["propertyNames"] = _KEYS[keys["type"]]
        return made

    def decimal_schema(self, schema: Any) -> JsonSchemaValue:
        made = super().decimal_schema(schema)
        for each in made.get("anyOf", [made]):
            if each.get("type") == "string":
                each.setdefault("pattern", _NUMBER)
        return made

    def complex_schema(self, schema: Any) -> JsonSchemaValue:
        return super().complex_schema(schema) | {"pattern": r"^[-+]?[0-9.]+([-+][0-9.]+j)?$"}

    def literal_schema(self, schema: Any) -> JsonSchemaValue:
        return self._without(schema, schema["expected"]) or super().literal_schema(schema)

    def enum_schema(self, schema: Any) -> JsonSchemaValue:
        return self._without(schema, schema["members"]) or super().enum_schema(schema)

    def model_schema(self, schema: Any) -> JsonSchemaValue:
        with self._inside(schema):
            made = super().model_schema(schema)
        if self.mode == "validation" and schema.get("config", {}).get("validate_by_alias") is False:
            hidden = made.get("properties", {}).keys() - schema["cls"].model_fields.keys()
            if hidden:  # fixed in pydantic after 2.11
                names = ", ".join(sorted(hidden))
                return {"enum": Refused(f"takes no alias, and this pydantic describes {names}")}
        return made

    def dataclass_schema(self, schema: Any) -> JsonSchemaValue:
        with self._inside(schema):
            made = super().dataclass_schema(schema)
        if made.get("additionalProperties") and not schema["cls"].__dictoffset__:
            made["additionalProperties"] = False  # an object with slots has no room for others
        return made

    def typed_dict_schema(self, schema: Any) -> JsonSchemaValue:
        with self._inside(schema):
            return super().typed_dict_schema(schema)

    def field_is_present(self, field: Any) -> bool:
        """Leaves out what a dataclass sets itself."""
        is_argument = self.mode != "validation" or field.get("init", True)
        return is_argument and super().field_is_present(field)

    @contextmanager
    def _inside(self, schema: Any) -> Generator[None]:
        """Has values read, or written, as a class has them that decides that for itself."""
        before = self._reading
        is_own = before.is_own or checks_itself(schema)
        # What does not write itself goes back as it comes in.
        option = "ser_json_bytes" if is_own and self.mode != "validation" else "val_json_bytes"
        if "config" in schema:
            config = schema["config"]
            names = {
                id(field["schema"]): f"{_called(schema)}.{name}"
                for name, field in fields_in(schema, self._core).items()
            }
            self._reading = _Reading(config.get(option, "utf8"), config, is_own, names)
        try:
            yield
        finally:
            self._reading = before

    def model_field_schema(self, schema: Any) -> JsonSchemaValue:
        return self._hidden(schema) or super().model_field_schema(schema)

    def dataclass_field_schema(self, schema: Any) -> JsonSchemaValue:
        return self._hidden(schema) or super().dataclass_field_schema(schema)

    def typed_dict_field_schema(self, schema: Any) -> JsonSchemaValue:
        return self._hidden(schema) or super().typed_dict_field_schema(schema)

    def _texts_of(self, keys: Any, members: Mapping[str, Enum]) -> list[str]:
        """Returns the texts that stand for members of an enum as keys."""
        if not self._reading.is_own:
            return [*members]
        read = by_pydantic(keys, self._core)
        return [text for text, member in members.items() if _is_read(read, text, member)]

    def _without(self, schema: Any, members: Iterable[Any]) -> JsonSchemaValue:
        """Refuses members that no JSON value stands for; a result may have any."""
        if self.mode != "validation":
            return {}
        validator = SchemaValidator(schema)
        lost = [_name_of(each) for each in members if not _is_reachable(validator, each)]
        if not lost:
            return {}
        reason = (
            f"no call can give {', '.join(lost)}: in pydantic no JSON value stands for it. Use "
            "values that JSON has; where some members of an enum are meant, derive it from str"
        )
        return {"enum": Refused(reason)}

    def _unhashed(self, schema: Any) -> JsonSchemaValue:
        """Refuses a set of what does not go into one."""
        items = schema.get("items_schema", {"type": "any"})
        if self.mode != "validation" or not is_unhashable(items, self._core):
            return {}
        return {"enum": Refused("no call can give it: its items do not go into a set, use a list")}

    def _hidden(self, schema: Any) -> JsonSchemaValue:
        """Refuses a field that is only read from inside of others."""
        is_aliased = self.mode == "validation" and "validation_alias" in schema
        if not is_aliased or names_in(schema, self.mode):
            return {}
        reason = "its alias is a path into another field: give it a name of its own"
        return {"enum": Refused(reason)}


def _is_reachable(validator: SchemaValidator, member: Any) -> bool:
    """Asks pydantic whether the JSON value that stands for a member gives that member."""
    try:
        value: Any = to_jsonable_python(member)
        if isinstance(value, int) and abs(value) > _EXACT:  # arguments are doubles
            value = float(value)
        found = validator.validate_json(json.dumps(value))
    except Exception:  # noqa: BLE001 - no JSON, or an error of the member's own code
        return False
    return type(found) is type(member) and (found is member or found == member)


def _is_read(read: Callable[[str], object], text: str, member: Enum) -> bool:
    try:
        return read(text) is member
    except Exception:  # noqa: BLE001 - pydantic's, or an error of the enum's own code
        return False


def _imports(function: Any) -> bool:
    """Tells whether the function in a core schema is the one behind pydantic's ImportString."""
    inner: Any = cast("Any", function)["function"] if isinstance(function, dict) else None
    module = str(getattr(inner, "__module__", ""))
    return getattr(inner, "__name__", "") == "import_string" and module.startswith("pydantic.")


def _called(schema: Mapping[str, Any]) -> str:
    return getattr(schema.get("cls"), "__name__", "")


def _name_of(member: Any) -> str:
    if isinstance(member, Enum):
        return f"{type(member).__name__}.{member.name}"
    return repr(member)
