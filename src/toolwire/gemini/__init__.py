"""The Gemini API, google.ai.generativelanguage.v1beta: every message and enum by its own name.

``gemini.grpc`` has the stubs, servicers and registration functions of the API's services; it is
loaded on first use, so that messages alone need no grpc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._lazy import lazy_attributes
from toolwire_pb.google.ai.generativelanguage import v1beta as _messages
from toolwire_pb.google.ai.generativelanguage.v1beta import *  # noqa: F403

if TYPE_CHECKING:
    from toolwire.gemini import grpc as grpc

__all__: list[str] = []
__all__ += _messages.__all__

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_attributes(__name__, {"grpc": f"{__name__}.grpc"})
