"""Numbers that have to lie in a range, as a table: each row is a rule."""

# ruff: noqa: E501  a table reads best with a row on each line

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._rules._rule import Finding, Rule
from toolwire._rules._schema import get, json_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that a field takes.

    Attributes:
        field: Name of the field.
        low: Smallest number allowed.
        high: Largest one; None for no limit.
        is_open: Whether the largest one itself is no longer allowed.
        is_whole: Whether the number must be whole though the field could hold a fraction.
    """

    field: str
    low: float
    high: float | None = None
    is_open: bool = False
    is_whole: bool = False

    def __call__(self, message: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG002
        """Yields a finding for a number that is set and lies outside."""
        field = message.DESCRIPTOR.fields_by_name[self.field]
        value: float = get(message, self.field)
        if (field.has_presence and not message.HasField(self.field)) or value in self:
            return
        yield Finding((json_name(message, self.field),), f"is {value:.7g}: {self.words()}")

    def __contains__(self, value: float) -> bool:
        """Tells whether a number lies in the range; NaN lies in none."""
        if self.is_whole and value % 1 != 0:
            return False
        above = value >= self.low
        if self.high is None:
            return above
        return above and (value < self.high if self.is_open else value <= self.high)

    def words(self) -> str:
        """Says which numbers are allowed."""
        whole = "a whole number, " if self.is_whole else ""
        if self.high is None:
            return f"{whole}at least {self.low:g}"
        end = f"below {self.high:g}" if self.is_open else f"at most {self.high:g}"
        return f"{whole}at least {self.low:g} and {end}"


def _rule(id_: str, on: str, allowed: Range, source: str) -> Rule:
    return Rule(id_, on, allowed, source, needs=(allowed.field,))


_DOCS = "range published for GenerationConfig."
_COMMENT = "comment on "

RANGES = (
    _rule("generation.temperature", "GenerationConfig", Range("temperature", 0, 2), f"{_DOCS}temperature"),
    _rule("generation.top-p", "GenerationConfig", Range("top_p", 0, 1), f"{_COMMENT}GenerationConfig.top_p"),
    _rule("generation.top-k", "GenerationConfig", Range("top_k", 1, is_whole=True), f"{_COMMENT}GenerationConfig.top_k"),
    _rule("generation.candidate-count", "GenerationConfig", Range("candidate_count", 1, 8), f"{_DOCS}candidate_count"),
    _rule("generation.max-output-tokens", "GenerationConfig", Range("max_output_tokens", 1), f"{_COMMENT}GenerationConfig.max_output_tokens"),
    _rule("generation.presence-penalty", "GenerationConfig", Range("presence_penalty", -2, 2, is_open=True), f"{_DOCS}presence_penalty"),
    _rule("generation.frequency-penalty", "GenerationConfig", Range("frequency_penalty", -2, 2, is_open=True), f"{_DOCS}frequency_penalty"),
    _rule("generation.logprobs", "GenerationConfig", Range("logprobs", 0, 20), f"{_DOCS}logprobs"),
    _rule("generation.thinking-budget", "ThinkingConfig GenerationConfig.ThinkingConfig", Range("thinking_budget", -1), f"{_COMMENT}ThinkingConfig.thinking_budget"),
    _rule("retrieval.threshold", "DynamicRetrievalConfig", Range("dynamic_threshold", 0, 1), f"{_COMMENT}DynamicRetrievalConfig.dynamic_threshold"),
    _rule("retrieval.hybrid-alpha", "RagRetrievalConfig.HybridSearch", Range("alpha", 0, 1), f"{_COMMENT}HybridSearch.alpha"),
    _rule("retrieval.top-k", "RagRetrievalConfig", Range("top_k", 0), f"{_COMMENT}RagRetrievalConfig.top_k"),
    _rule("video.fps", "VideoMetadata", Range("fps", 0, 24), f"{_COMMENT}VideoMetadata.fps"),
)  # fmt: skip
