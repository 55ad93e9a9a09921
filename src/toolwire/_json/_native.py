"""The native core of the codec: whether it is there.

It does the common path only and answers None for the rest; the Python codec is the reference.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from google.protobuf.internal import api_implementation

if TYPE_CHECKING:
    from toolwire._json._codec import Codec


def _load() -> Codec | None:
    """Returns the native core, unless it is not there, not wanted, or not of use.

    It relies on the binary form that upb writes, the implementation of all protobuf's wheels.
    """
    is_wanted = os.environ.get("TOOLWIRE_PURE", "") in {"", "0"}
    if not is_wanted or api_implementation.Type() != "upb":
        return None
    try:
        from toolwire._json._native_plans import make_codec  # noqa: PLC0415 - it may not be there
    except ModuleNotFoundError:
        return None
    return make_codec()


def _not_mine(*_: object) -> None:
    """Stands for each function of a core that is not there."""


CODEC = _load()
JSON_CODEC = "pure" if CODEC is None else "compiled"

# Looking a method up costs a good part of a small conversion, so it is done once.
to_text = _not_mine if CODEC is None else CODEC.to_text
to_bytes = _not_mine if CODEC is None else CODEC.to_bytes
from_text = _not_mine if CODEC is None else CODEC.from_text
