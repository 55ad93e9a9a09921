"""Names of models, which each service writes in its own way."""

from __future__ import annotations

import re

_MODEL = r"(?P<model>(?!\d+$)[^/]+)"  # what is a number is an endpoint
_VERTEX = re.compile(
    rf"(?:(?:(?P<parent>projects/[^/]+/locations/[^/]+)/)?publishers/google/models/|models/)?{_MODEL}"
)
_GEMINI = re.compile(rf"(?:models/)?{_MODEL}")


def model_name(name: str, *, to_vertex: bool, prefix: str) -> tuple[str, str | None]:
    """Returns the name of a model for the other service, and what was lost of it.

    ``M`` in Vertex AI is ``models/M`` in the Gemini API. What else names that model comes back so.
    A name of anything else stays as it is.

    Args:
        name: The name in its own service.
        to_vertex: Whether the other service is Vertex AI.
        prefix: What Vertex AI needs in front of ``M`` there.
    """
    found = (_GEMINI if to_vertex else _VERTEX).fullmatch(name)
    if found is None:
        other = "Vertex AI" if to_vertex else "the Gemini API"
        return name, f"names nothing that {other} has, too: stays as it is"
    vertex, gemini = f"{prefix}{found['model']}", f"models/{found['model']}"
    there, back = (vertex, gemini) if to_vertex else (gemini, vertex)
    if not to_vertex and found["parent"]:
        return there, f"becomes {there}: {found['parent']} is lost"
    return there, None if back == name else f"would come back as {back}"
