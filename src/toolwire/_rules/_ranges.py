"""Numbers that have to lie in a range, as a table: each row is a rule."""

# ruff: noqa: E501  a table reads best with a row on each line

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name
from toolwire._rules._rule import Finding, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._findings import Severity
    from toolwire._rules._rule import Context


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that a field takes.

    Attributes:
        field: Name of the field.
        low: Smallest number allowed.
        high: Largest one; None for no limit.
    """

    field: str
    low: float
    high: float | None = None

    def __call__(self, message: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG002
        """Yields a finding for a number that is set and lies outside."""
        field = message.DESCRIPTOR.fields_by_name[self.field]
        value: float = get(message, self.field)
        if (field.has_presence and not message.HasField(self.field)) or value in self:
            return
        yield Finding((json_name(message, self.field),), f"is {value:.7g}: {self.words()}")

    def __contains__(self, value: float) -> bool:
        """Tells whether a number lies in the range; NaN lies in none."""
        return value >= self.low and (self.high is None or value <= self.high)

    def words(self) -> str:
        """Says which numbers are allowed."""
        end = "" if self.high is None else f" and at most {self.high:g}"
        return f"at least {self.low:g}{end}"


def _rule(id_: str, on: str, allowed: Range, source: str, severity: Severity = "error") -> Rule:
    return Rule(id_, on, allowed, source, needs=(allowed.field,), severity=severity)


_CONFIG = "comment on GenerationConfig."
_COMMENT = "comment on "
_REST = "REST reference, GenerationConfig."
_REFUSED = "the servers' own refusal: range of "

RANGES = (
    _rule("generation.temperature", "GenerationConfig", Range("temperature", 0, 2), f"{_CONFIG}temperature; {_REST}temperature"),
    _rule("generation.top-p", "GenerationConfig", Range("top_p", 0, 1), f"{_CONFIG}top_p: a share of the probability"),
    _rule("generation.top-k", "GenerationConfig", Range("top_k", 1), f"{_REFUSED}topK"),
    _rule("generation.candidate-count", "GenerationConfig", Range("candidate_count", 1, 8), f"older {_CONFIG}candidate_count", "warning"),
    _rule("generation.max-output-tokens", "GenerationConfig", Range("max_output_tokens", 1), f"{_REFUSED}maxOutputTokens"),
    _rule("generation.presence-penalty", "GenerationConfig", Range("presence_penalty", -2, 2), f"{_REST}presencePenalty"),
    _rule("generation.frequency-penalty", "GenerationConfig", Range("frequency_penalty", -2, 2), f"{_REST}frequencyPenalty"),
    _rule("generation.logprobs", "GenerationConfig", Range("logprobs", 0, 20), f"{_CONFIG}logprobs"),
    _rule("generation.thinking-budget", "ThinkingConfig GenerationConfig.ThinkingConfig", Range("thinking_budget", -1), f"{_COMMENT}ThinkingConfig.thinking_budget"),
    _rule("place.latitude", "LatLng", Range("latitude", -90, 90), f"{_COMMENT}google.type.LatLng.latitude"),
    _rule("place.longitude", "LatLng", Range("longitude", -180, 180), f"{_COMMENT}google.type.LatLng.longitude"),
    _rule("retrieval.threshold", "DynamicRetrievalConfig", Range("dynamic_threshold", 0, 1), f"{_COMMENT}RetrievalMetadata's score, which the threshold is held against", "warning"),
    _rule("retrieval.hybrid-alpha", "RagRetrievalConfig.HybridSearch", Range("alpha", 0, 1), f"{_COMMENT}HybridSearch.alpha"),
    _rule("retrieval.top-k", "RagRetrievalConfig", Range("top_k", 0), f"{_COMMENT}RagRetrievalConfig.top_k: a number of results", "warning"),
    _rule("video.fps", "VideoMetadata", Range("fps", 0, 24), f"{_COMMENT}VideoMetadata.fps"),
)  # fmt: skip
