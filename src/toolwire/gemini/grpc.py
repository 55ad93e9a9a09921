"""Stubs, servicers and registration functions of google.ai.generativelanguage.v1beta."""

from __future__ import annotations

import toolwire_pb.google.ai.generativelanguage.v1beta.grpc as _services
from toolwire_pb.google.ai.generativelanguage.v1beta.grpc import *  # noqa: F403

__all__: list[str] = []
__all__ += _services.__all__
