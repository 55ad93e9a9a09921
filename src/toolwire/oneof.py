"""Helpers for the oneofs of any message: which member is set, its value, setting, clearing.

    from toolwire import oneof, v1

    retrieval = v1.Retrieval(vertex_ai_search={"datastore": "..."})
    oneof.which(retrieval, "source")                    # "vertex_ai_search"
    oneof.assign(retrieval, "vertex_rag_store", {})     # and clears the other
    oneof.names(v1.Retrieval)                           # ("source",)

A type checker knows the members of every oneof of toolwire's messages; on messages of other
packages the helpers work as well, typed as text and object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire import _oneofs
from toolwire._oneofs import clear, names

if TYPE_CHECKING:
    from toolwire_pb.oneofs import Assign, Get, Which

__all__ = ["assign", "clear", "get", "names", "which"]

which = cast("Which", _oneofs.which)
get = cast("Get", _oneofs.get)
assign = cast("Assign", _oneofs.assign)
