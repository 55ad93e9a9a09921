"""What the APIs name or mean differently, as data. What descriptors tell is not repeated here."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Same(NamedTuple):
    """One thing under its name in each API; empty where the API does not have it.

    Attributes:
        vertex: Its name in v1 and v1beta1.
        gemini: Its name in gemini.
        firebase: Its name in firebase.
    """

    vertex: str = ""
    gemini: str = ""
    firebase: str = ""

    def named(self, api: str) -> str:
        """Returns the name in an API."""
        names = {"gemini": self.gemini, "firebase": self.firebase}
        return names.get(api, self.vertex)


MESSAGES = (
    Same("Tool.CodeExecution", "CodeExecution"),
    Same("GenerationConfig.ThinkingConfig", "ThinkingConfig"),
    Same("Citation", "CitationSource"),
    Same("EmbedContentResponse.Embedding", "ContentEmbedding"),
    Same("FunctionDeclaration", "FunctionDeclaration", "TemplateFunction"),
)
"""Messages with other names. Below, each goes by its first name here."""

FIELDS: Mapping[str, tuple[Same, ...]] = MappingProxyType(
    {
        "CitationMetadata": (Same("citations", "citation_sources"),),
        # The number, type and JSON name are the same; Gemini's other field has an internal name.
        "GenerationConfig": (Same("response_json_schema", "response_json_schema_ordered"),),
        "Tool": (Same("function_declarations", "function_declarations", "template_functions"),),
        "FunctionDeclaration": (
            Same("parameters_json_schema", "parameters_json_schema", "input_schema"),
            Same("response_json_schema", "response_json_schema", "output_schema"),
        ),
        "UsageMetadata": (
            Same("candidates_token_count", "response_token_count"),
            Same("candidates_tokens_details", "response_tokens_details"),
        ),
    }
)
"""Fields with other names, by message."""


class Near(NamedTuple):
    """A field that becomes another one, of which it does not come back.

    Attributes:
        source: Its name.
        target: Name of the other.
        change: What happens, for the report.
    """

    source: str
    target: str
    change: str


NEAR: Mapping[str, tuple[Near, ...]] = MappingProxyType(
    {
        "GenerationConfig": (
            Near(
                "response_json_schema",
                "response_json_schema",
                "becomes the other API's responseJsonSchema, which is responseJsonSchema here too",
            ),
        ),
        "FunctionDeclaration": (
            Near(
                "parameters",
                "input_schema",
                "becomes a JSON Schema in inputSchema, which has no order",
            ),
            Near(
                "response",
                "output_schema",
                "becomes a JSON Schema in outputSchema, which has no order",
            ),
        ),
    }
)
"""Fields that are kept in another form, which is reported, by message."""

FOLDED: Mapping[str, str] = MappingProxyType({"CountTokensRequest": "generate_content_request"})
"""A message, and the field with a whole request that one API has in place of further fields."""

FALLBACKS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("Candidate", "finish_reason"): "OTHER",
        ("GenerateContentResponse.PromptFeedback", "block_reason"): "OTHER",
        ("UrlMetadata", "url_retrieval_status"): "URL_RETRIEVAL_STATUS_ERROR",
    }
)
"""Enum fields that must not look unset: what stands in, reported, for a value that is missing."""

NEEDED: Mapping[str, str] = MappingProxyType(
    {"Tool": "", "SafetySetting": "category", "SafetyRating": "category"}
)
"""Items of lists that are left out if this field of them is lost; the empty name is any field."""

ZERO_IS_UNSET = frozenset({("Candidate", "index")})
"""Fields whose zero says the same as being unset, though one API tells the two apart."""

MODELS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("GenerateContentRequest", "model"): "",
        ("CountTokensRequest", "model"): "publishers/google/models/",  # no client completes it
        ("EmbedContentRequest", "model"): "",
        ("CachedContent", "model"): "",
    }
)
"""Fields that hold the name of a model, with what Vertex AI needs in front of it there."""

STORED = frozenset(
    {
        ("GenerateContentRequest", "cached_content"),
        ("CachedContent", "name"),
        ("GetCachedContentRequest", "name"),
        ("DeleteCachedContentRequest", "name"),
    }
)
"""Fields that hold the name of something that a service keeps, and no other service has."""


def concept(name: str, api: str) -> str:
    """Returns the name by which these tables know a message of an API."""
    for row in MESSAGES:
        if row.named(api) == name:
            return row.vertex
    return name


def name_in(message: str, api: str) -> str:
    """Returns the name in an API of a message that these tables know; empty if it has none."""
    return next((row.named(api) for row in MESSAGES if row.vertex == message), message)


def renamed(message: str, field: str, source: str, target: str) -> str | None:
    """Returns the name of a field in another API, or None if no row of the table says it.

    Args:
        message: The message, as these tables know it.
        field: Name of the field.
        source: The field's API.
        target: The other API.
    """
    for row in FIELDS.get(message, ()):
        if row.named(source) == field:
            return row.named(target)
    return None


def claimed(message: str, field: str, source: str, target: str) -> bool:
    """Tells whether a field of the target API stands for another name of the source API."""
    return any(
        row.named(target) == field and row.named(source) not in ("", field)
        for row in FIELDS.get(message, ())
    )
