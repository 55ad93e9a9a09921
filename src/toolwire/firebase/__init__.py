"""Firebase AI Logic's template tools, toolwire.firebase.v1beta: every message by its own name.

Google publishes their JSON only, and so the proto package and its field numbers are toolwire's
own: exchange these messages as JSON, or as binary among programs that use toolwire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._lazy import lazy_attributes
from toolwire_pb.toolwire.firebase import v1beta as _messages
from toolwire_pb.toolwire.firebase.v1beta import *  # noqa: F403

__all__: list[str] = []
__all__ += _messages.__all__

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_attributes(__name__, {})
