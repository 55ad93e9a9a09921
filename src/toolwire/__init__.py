"""Typed Python bindings for the Tool part of Google's generative APIs.

``from toolwire import v1`` gives the messages; the functions here turn them into JSON and back
and help with oneofs; ``Client`` calls the services. What needs grpc is loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._lazy import lazy_attributes
from toolwire._version import __version__

if TYPE_CHECKING:
    from toolwire import oneof as oneof
    from toolwire import retrieval as retrieval
    from toolwire import v1 as v1

__all__ = ["__version__"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "oneof": "toolwire.oneof",
            "retrieval": "toolwire.retrieval",
            "v1": "toolwire.v1",
        },
    )
