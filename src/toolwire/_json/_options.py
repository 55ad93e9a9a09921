"""The options of the public functions, checked once a call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from toolwire._errors import JsonError
from toolwire._json._schema import names_of
from toolwire._json._unknown import UnknownFields
from toolwire._messages import DEEPEST

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, FieldDescriptor

Unknown: TypeAlias = Literal["error", "ignore"] | UnknownFields
"""What to do with unknown fields and enum names: refuse, skip, or collect them."""


@dataclass
class Names:
    """The tables of field names that one call has needed so far.

    They live as long as the call: a longer life would keep the pools of foreign messages alive.
    """

    tables: dict[Descriptor, dict[str, FieldDescriptor]]

    def of(self, kind: Descriptor) -> dict[str, FieldDescriptor]:
        """Returns the fields of a message type by their JSON names and proto names."""
        table = self.tables.get(kind)
        if table is None:
            table = self.tables[kind] = names_of(kind)
        return table


@dataclass(frozen=True)
class ReadOptions:
    """How to read.

    Attributes:
        unknown: What to do with unknown fields and enum names.
        max_depth: How many levels of messages may lie below the outermost one.
        is_text: Whether the tree comes from a JSON text, where every number is a double.
        names: The tables of field names.
    """

    unknown: Unknown = "error"
    max_depth: int = DEEPEST
    is_text: bool = False
    names: Names = field(default_factory=lambda: Names({}))


@dataclass(frozen=True)
class WriteOptions:
    """How to write.

    Attributes:
        is_text: Whether the tree becomes JSON text: 64-bit integers, NaN and infinities as
            strings.
        raw_bytes: Whether bytes stay bytes.
        proto_names: Whether keys are the names in the proto file.
        enums_as_ints: Whether enum values are written as numbers.
        include_defaults: Whether fields without presence are written at their default, too.
        names: The tables of field names.
    """

    is_text: bool = True
    raw_bytes: bool = False
    proto_names: bool = False
    enums_as_ints: bool = False
    include_defaults: bool = False
    names: Names = field(default_factory=lambda: Names({}))


def read_options(unknown: object, max_depth: object, *, is_text: bool) -> ReadOptions:
    """Checks the arguments of a reading function and empties the collector.

    Raises:
        JsonError: If an argument is not what it should be.
    """
    if isinstance(unknown, UnknownFields):
        unknown.clear()
        policy: Unknown = unknown
    elif unknown == "error":
        policy = "error"
    elif unknown == "ignore":
        policy = "ignore"
    else:
        kind = type(unknown).__name__
        raise JsonError(f'unknown must be "error", "ignore" or an UnknownFields, found {kind}')
    if not isinstance(max_depth, int) or isinstance(max_depth, bool) or max_depth < 0:
        raise JsonError("max_depth must be a whole number from 0")
    return ReadOptions(policy, max_depth, is_text)
