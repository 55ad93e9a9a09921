"""The options of the public functions, checked once a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolwire._errors import JsonError
from toolwire._json._unknown import UnknownFields
from toolwire._messages import DEEPEST

Unknown: TypeAlias = Literal["error", "ignore"] | UnknownFields
"""What to do with unknown fields and enum names: refuse, skip, or collect them."""


@dataclass(slots=True)
class ReadOptions:
    """How to read.

    Attributes:
        unknown: What to do with unknown fields and enum names.
        max_depth: How many levels of messages may lie below the outermost one.
        is_text: Whether the tree comes from a JSON text, where every number is a double.
    """

    unknown: Unknown = "error"
    max_depth: int = DEEPEST
    is_text: bool = False


@dataclass(slots=True)
class WriteOptions:
    """How to write.

    Attributes:
        is_text: Whether the tree becomes JSON text: 64-bit integers, NaN and infinities as
            strings.
        raw_bytes: Whether bytes stay bytes.
        proto_names: Whether keys are the names in the proto file.
        enums_as_ints: Whether enum values are written as numbers.
        include_defaults: Whether fields without presence are written at their default, too.
    """

    is_text: bool = True
    raw_bytes: bool = False
    proto_names: bool = False
    enums_as_ints: bool = False
    include_defaults: bool = False


def read_options(unknown: object, max_depth: object, *, is_text: bool) -> ReadOptions:
    """Checks the arguments of a reading function and empties the collector.

    Raises:
        JsonError: If an argument is not what it should be.
    """
    policy: Unknown
    if unknown == "error":
        policy = "error"
    elif unknown == "ignore":
        policy = "ignore"
    elif isinstance(unknown, UnknownFields):
        unknown.clear()
        policy = unknown
    else:
        kind = type(unknown).__name__
        raise JsonError(f'unknown must be "error", "ignore" or an UnknownFields, found {kind}')
    if not isinstance(max_depth, int) or isinstance(max_depth, bool) or max_depth < 0:
        raise JsonError("max_depth must be a whole number from 0")
    return ReadOptions(policy, max_depth, is_text)
