"""The table of rules: one row a rule, each with a function of its own."""

# ruff: noqa: E501  a table reads best with a row on each line

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolwire._rules import _calling, _fields, _resources, _retrieval, _tools, _turns
from toolwire._rules._rule import Rule

if TYPE_CHECKING:
    from toolwire._descriptor_types import MessageType

_BOTH = ("datastore", "engine")
_SPECS = (*_BOTH, "data_store_specs")
_NAMES = "comment on FunctionCallingConfig.allowed_function_names"

# fmt: off
RULES = (
    # id, message, function, source, fields that the message must have, severity
    Rule("field.required", "*", _fields.required, "google.api.field_behavior"),
    Rule("resource.name", "*", _resources.resource_names, "google.api.http"),
    Rule("tool.no-kind", "Tool", _tools.some_kind, "comment on Tool"),
    Rule("tool.one-kind", "Tool", _tools.one_kind, "comment on Tool"),
    Rule("function.name", "FunctionDeclaration", _tools.function_name, "comment on FunctionDeclaration.name", ("name",)),
    Rule("function.one-schema", "FunctionDeclaration", _tools.one_schema, "comments on the json_schema fields"),
    Rule("calling.allowed-mode", "FunctionCallingConfig", _calling.allowed_mode, _NAMES, ("mode", "allowed_function_names")),
    Rule("calling.allowed-declared", "*", _calling.allowed_declared, _NAMES, ("tools", "tool_config")),
    Rule("turns.paired", "GenerateContentRequest", _turns.paired, "comment on FunctionResponse", ("contents",)),
    Rule("retrieval.source", "Retrieval", _retrieval.some_source, "comment on Retrieval.source", (), "warning"),
    Rule("retrieval.datastore-or-engine", "VertexAISearch", _retrieval.datastore_or_engine, "comment on VertexAISearch", _BOTH),
    Rule("retrieval.nothing-to-search", "VertexAISearch", _retrieval.something_to_search, "comment on VertexAISearch", _BOTH, "warning"),
    Rule("retrieval.specs-need-engine", "VertexAISearch", _retrieval.specs_need_engine, "comment on VertexAISearch.data_store_specs", _SPECS),
    Rule("retrieval.max-results", "VertexAISearch", _retrieval.max_results, "comment on VertexAISearch.max_results", ("max_results",)),
    Rule("retrieval.one-corpus", "VertexRagStore", _retrieval.one_corpus, "comment on VertexRagStore.rag_resources", ("rag_resources",)),
)
# fmt: on


@lru_cache(maxsize=4096)
def rules_of(kind: MessageType) -> tuple[Rule, ...]:
    """Returns the rules that concern messages of a type."""
    return tuple(rule for rule in RULES if rule.concerns(kind))
