"""Stubs, servicers and registration functions of Vertex AI, google.cloud.aiplatform.v1beta1."""

from __future__ import annotations

import toolwire_pb.google.cloud.aiplatform.v1beta1.grpc as _services
from toolwire_pb.google.cloud.aiplatform.v1beta1.grpc import *  # noqa: F403

__all__: list[str] = []
__all__ += _services.__all__
