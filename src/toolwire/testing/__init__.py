"""A server to test against: real gRPC on this machine, with a deterministic model behind it.

It needs the extra ``testing``: ``pip install "toolwire[testing]"``.
"""

from __future__ import annotations

from toolwire.testing._server import LocalServer

__all__ = ["LocalServer"]
