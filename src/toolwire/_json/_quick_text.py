"""JSON text to a tree by orjson, where that is sure to be the tree of the exact parser.

orjson is several times as fast, and differs: of two equal keys it keeps one, integers beyond
64 bits become floats, -0 loses its sign, and numbers may be of any length.
"""

from __future__ import annotations

import re

import orjson

from toolwire._json._kinds import is_bytes

UNSURE = object()
"""Says that the exact parser must decide."""

_MINUS_ZERO = re.compile(rb"-0(?:[\s,\]}]|$)")
_LEAST_LONG = b"-922337203685477"  # begins the numbers that round to the least of 64 bits
_LONGEST_NUMBER = 4000  # characters, for the exact parser
_STRIDE = 100
_LONG_NUMBER = re.compile(rb"[0-9]{13}")  # 1,300 digits in a row, seen in every 100th byte


def parse_quickly(data: object) -> object:
    """Returns the tree of a JSON document, or ``UNSURE``.

    The tree may differ from that of the exact parser in one way: whole numbers beyond 64 bits
    are floats. No integer field has room for those, but a collector of unknown fields has.
    """
    try:
        raw = data if type(data) is bytes else _encode(data)
        tree: object = orjson.loads(raw)
        again = orjson.dumps(tree)
    except (ValueError, TypeError):  # bad text, or one for the exact parser: nested deeply
        return UNSURE
    return tree if raw == again or _is_same(raw, again) else UNSURE


def _encode(data: object) -> bytes:
    if isinstance(data, str):
        return data.encode()
    return bytes(data) if is_bytes(data) else b""


def _is_same(raw: bytes, again: bytes) -> bool:
    """Tells whether nothing was lost between a text and what its tree is written as.

    Every key brings a colon, and all others stand within strings. Colons are written as they
    are; so, unless the text has escapes for them, the numbers differ if and only if keys were
    dropped.
    """
    if raw.count(b":") != again.count(b":") or (b"\\" in raw and b"\\u003" in raw):
        return False
    if b"-" in raw and (_MINUS_ZERO.search(raw) or _LEAST_LONG in raw):
        return False
    return len(raw) <= _LONGEST_NUMBER or not _LONG_NUMBER.search(raw[::_STRIDE])
