"""The Python codec as a whole: what the native core leaves to it, and all where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._errors import JsonError
from toolwire._json._faults import fault, found, shown
from toolwire._json._kinds import is_bytes
from toolwire._json._options import ReadOptions, Unknown, WriteOptions, read_options
from toolwire._json._plans import plan_of
from toolwire._json._quick_text import UNSURE, parse_quickly
from toolwire._json._read import read_root
from toolwire._json._text import STACK_IS_FULL, format_text, parse_text
from toolwire._json._unknown import UnknownFields, unwritten
from toolwire._messages import DEEPEST, M, unwrap
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Mapping


def write_text(
    msg: object,
    indent: int | None,
    unknown: UnknownFields | None,
    *,
    proto_names: bool,
    enums_as_ints: bool,
    include_defaults: bool,
) -> bytes:
    """Returns a message as JSON text in UTF-8."""
    options = WriteOptions(
        proto_names=proto_names, enums_as_ints=enums_as_ints, include_defaults=include_defaults
    )
    return format_text(_write(options, msg, unknown), indent, is_known=not unknown)


def write_dict(
    msg: object,
    unknown: UnknownFields | None,
    *,
    raw_bytes: bool,
    proto_names: bool,
    enums_as_ints: bool,
    include_defaults: bool,
) -> dict[str, object]:
    """Returns a message as a dict.

    Raises:
        JsonError: Also if the JSON of the message is no object.
    """
    options = WriteOptions(
        is_text=False,
        raw_bytes=raw_bytes,
        proto_names=proto_names,
        enums_as_ints=enums_as_ints,
        include_defaults=include_defaults,
    )
    tree = _write(options, msg, unknown)
    if isinstance(tree, dict):
        return cast("dict[str, object]", tree)
    name = with_article(unwrap(msg).DESCRIPTOR.full_name)
    raise JsonError(f"the JSON of {name} is no object; use to_json")


def read_text(
    cls: type[M],
    data: str | bytes | bytearray | memoryview,
    unknown: Unknown,
    max_depth: int,
) -> M:
    """Reads a message from JSON text."""
    options = read_options(unknown, max_depth, is_text=True)
    tree = parse_quickly(data)
    if tree is not UNSURE:
        try:
            message = _read(options, cls, tree)
        except JsonError:
            pass  # the exact parser finds out what is wrong first
        else:
            if isinstance(unknown, str) or not unknown:  # what is collected is exact, too
                return message
    options = read_options(unknown, max_depth, is_text=True)  # with an empty collector again
    tree, repeated = parse_text(data)
    message = _read(options, cls, tree)
    if repeated is not None:  # within something ignored; elsewhere its place is known
        raise fault(f"duplicate key {shown(repeated)}", None)
    return message


def read_dict(cls: type[M], mapping: Mapping[str, object], unknown: Unknown, max_depth: int) -> M:
    """Reads a message from a dict."""
    options = read_options(unknown, max_depth, is_text=False)
    given: object = mapping
    if (isinstance(given, str) or is_bytes(given)) and not plan_of(cls).is_special:
        raise JsonError(f"expected an object, found {found(given, None)}; from_json reads text")
    return _read(options, cls, given)


def _write(options: WriteOptions, msg: object, unknown: UnknownFields | None) -> object:
    source = unwrap(msg)
    try:
        plan = plan_of(type(source))
        return plan.write(plan, source, None, DEEPEST, options, unwritten(unknown))
    except RecursionError:
        pass  # the caller's own stack was nearly full
    raise JsonError(STACK_IS_FULL)


def _read(options: ReadOptions, cls: type[M], tree: object) -> M:
    try:
        message: M = read_root(plan_of(cls), tree, options)
    except RecursionError:
        pass  # a large max_depth, or the caller's own stack was nearly full
    else:
        return message
    raise JsonError(STACK_IS_FULL)
