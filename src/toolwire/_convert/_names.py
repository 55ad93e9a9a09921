"""Names of models, which each service writes in its own way."""

from __future__ import annotations

import re

from toolwire._convert._lost import Lost
from toolwire._paths import quote

_VERTEX = re.compile(
    r"(?P<parent>projects/[^/]+/locations/[^/]+/)?publishers/google/models/(?P<model>[^/]+)"
)
_GEMINI = re.compile(r"models/(?P<model>[^/]+)")
_LONGEST = 100


def model_name(name: str, *, to_vertex: bool) -> tuple[str, str | None]:
    """Returns the name of a model for the other service, and what was lost of it.

    A name without a slash is left as it is: the client completes it.

    Args:
        name: The name in its own service.
        to_vertex: Whether the other service is Vertex AI.

    Raises:
        Lost: If it names no model that both services have.
    """
    if "/" not in name:
        return name, None
    short = _GEMINI.fullmatch(name)
    if to_vertex:
        if short is None:
            raise Lost(f"{quote(name, longest=_LONGEST)} is no model that Vertex AI has, too")
        return f"publishers/google/models/{short['model']}", None
    if short is not None:
        return name, "is a short name, and would come back as publishers/google/models/..."
    full = _VERTEX.fullmatch(name)
    if full is None:
        raise Lost(f"{quote(name, longest=_LONGEST)} is no model that the Gemini API has, too")
    change = "becomes models/..., which has no project and location" if full["parent"] else None
    return f"models/{full['model']}", change
