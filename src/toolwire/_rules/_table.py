"""The table of rules: one row a rule, each with a function of its own."""

# ruff: noqa: E501  a table reads best with a row on each line

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolwire._rules import (
    _calling,
    _declarations,
    _fields,
    _generation,
    _parts,
    _requests,
    _resources,
    _responses,
    _retrieval,
    _roles,
    _schema_values,
    _schemas,
    _tools,
    _turns,
)
from toolwire._rules._ranges import RANGES
from toolwire._rules._rule import Rule

if TYPE_CHECKING:
    from toolwire._descriptor_types import MessageType
    from toolwire._rules._profile import Profile

_BEHAVIOR = "google.api.field_behavior"
_BOTH = ("datastore", "engine")
_SPECS = (*_BOTH, "data_store_specs")
_NAMES = "comment on FunctionCallingConfig.allowed_function_names"
_CALLING = ("tools", "tool_config")
_DECLARED = ("tools", "contents")
_SCHEMAS = ("type", "any_of")
_FORM = "comments on GenerationConfig's schemas"
_REFUSED = "the servers' own refusal"

DEPTH = Rule("message.depth", "*", _fields.depth, "limit of protobuf's binary reader")
"""Not looked for by its function: the walk finds it."""

# fmt: off
_ROWS = (
    # id, message, function, source, fields that the message must have, severity
    Rule("field.required", "*", _fields.required, _BEHAVIOR),
    Rule("field.output-only", "*", _fields.output_only, _BEHAVIOR, (), "warning"),
    Rule("field.immutable", "*", _fields.immutable, _BEHAVIOR, ("update_mask",)),
    Rule("field.deprecated", "*", _fields.deprecated, "option deprecated of the field or value", (), "warning"),
    Rule("resource.name", "*", _resources.resource_names, "google.api.http, google.api.resource, or the comment on the field"),

    Rule("tool.no-kind", "Tool", _tools.some_kind, "comment on Tool"),
    Rule("tool.one-kind", "Tool", _tools.one_kind, "comment on Tool"),
    Rule("tools.two-searches", "*", _tools.two_searches, "comment on Tool.google_search_retrieval", ("tools",), "warning"),
    Rule("tools.json-output", "*", _tools.json_output, _REFUSED, ("tools", "generation_config", "contents"), "warning"),
    Rule("tools.function-count", "*", _tools.count_in_request, "published limit of declarations", ("tools",)),
    Rule("tools.duplicate-function", "*", _tools.duplicates_in_request, _REFUSED, ("tools",)),
    Rule("function.count", "Tool", _tools.count, "published limit of declarations"),
    Rule("function.count-older", "Tool", _tools.older_count, "comment on Tool.function_declarations, and older pages", (), "warning", limit="older_counts", older=True),
    Rule("function.duplicate", "Tool", _tools.duplicate_names, _REFUSED),
    Rule("function.name", "FunctionDeclaration TemplateFunction", _declarations.function_name, "comment on FunctionDeclaration.name", ("name",), limit="function_name"),
    Rule("function.name-older", "FunctionDeclaration", _declarations.older_name, "older pages on FunctionDeclaration.name", ("name",), "warning", limit="older_names", older=True),
    Rule("function.one-schema", "FunctionDeclaration", _declarations.one_schema, "comments on the json_schema fields"),
    Rule("function.parameters-object", "FunctionDeclaration", _declarations.parameters_object, "comment on FunctionDeclaration.parameters", ("parameters",)),
    Rule("function.no-parameters", "FunctionDeclaration", _declarations.no_parameters, "comment on FunctionDeclaration.parameters", ("parameters",), "warning"),
    Rule("function.json-schema", "FunctionDeclaration TemplateFunction", _declarations.json_schema, "comments on FunctionDeclaration.parameters_json_schema and TemplateFunction.input_schema"),
    Rule("function.live-behavior", "FunctionDeclaration", _declarations.behavior, "comment on FunctionDeclaration.behavior", ("behavior",), "warning"),
    Rule("function.parameter-name", "FunctionDeclaration", _declarations.parameter_names, "comment on FunctionDeclaration.parameters", ("parameters",), limit="parameter_name"),

    Rule("calling.allowed-mode", "FunctionCallingConfig", _calling.allowed_mode, _NAMES, ("mode", "allowed_function_names")),
    Rule("calling.allowed-names", "FunctionCallingConfig", _calling.allowed_names, _NAMES, ("allowed_function_names",)),
    Rule("calling.allowed-declared", "*", _calling.allowed_declared, _NAMES, _CALLING),
    Rule("calling.needs-functions", "*", _calling.needs_functions, "comment on FunctionCallingConfig.Mode.ANY", _CALLING),

    Rule("turns.paired", "GenerateContentRequest", _turns.paired, "comment on FunctionResponse", ("contents",)),
    Rule("turns.declared", "*", _roles.declared_calls, "comment on FunctionCall.name", _DECLARED, "warning"),
    Rule("turns.call-ids", "Content", _roles.call_ids, "comment on FunctionCall.id", ("parts",)),
    Rule("turns.role", "Content", _roles.role, "comment on Content.role", ("role",)),
    Rule("turns.role-missing", "*", _roles.role_missing, "comment on Content.role", ("contents",), "warning"),
    Rule("turns.call-role", "Content", _roles.call_role, "comment on Content.role", ("role", "parts")),
    Rule("turns.response-role", "Content", _roles.response_role, "comment on Content.role", ("role", "parts"), "warning"),
    Rule("turns.order", "GenerateContentRequest", _roles.order, "comment on GenerateContentRequest.contents", ("contents",), "warning"),
    Rule("turns.call-order", "GenerateContentRequest", _roles.call_order, _REFUSED, ("contents",)),
    Rule("turns.signature-lost", "GenerateContentRequest", _roles.signature_lost, "comment on Part.thought_signature", ("contents",), "warning"),
    Rule("turns.signature-of-user", "Content", _roles.signature_of_user, "comment on Part.thought_signature", ("role", "parts"), "warning"),
    Rule("turns.no-parts", "Content", _parts.no_parts, _REFUSED, ("parts",), optional="parts"),
    Rule("turns.system-text", "Content", _parts.text_only, "comment on GenerateContentRequest.system_instruction", ("parts",)),
    Rule("part.no-data", "Part", _parts.no_data, "comment on Part.data"),
    Rule("part.empty-text", "Part", _parts.empty_text, _REFUSED, ("text",), "warning"),
    Rule("file.mime-type", "*", _parts.mime_type, "comment on Blob.mime_type", ("mime_type",)),
    Rule("file.uri", "*", _parts.file_uri, "comment on FileData.file_uri", ("file_uri",)),
    Rule("file.display-name", "FunctionResponse", _parts.display_names, "comment on FunctionResponseBlob.display_name", ("parts",)),
    Rule("video.only-video", "Part", _parts.video_only, "comment on Part.video_metadata", ("video_metadata",), "warning"),
    Rule("video.offsets", "VideoMetadata", _parts.video_offsets, "comment on VideoMetadata", ("start_offset", "end_offset")),

    Rule("request.cache-excludes", "GenerateContentRequest", _requests.cache_excludes, _REFUSED, ("cached_content",)),
    Rule("request.labels", "*", _requests.labels, "published form of labels", ("labels",)),
    Rule("request.one-input", "CountTokensRequest ComputeTokensRequest", _requests.one_input, "comments on CountTokensRequest and ComputeTokensRequest"),
    Rule("request.no-input", "CountTokensRequest ComputeTokensRequest", _requests.no_input, "comments on CountTokensRequest and ComputeTokensRequest", (), "warning"),
    Rule("request.same-model", "BatchEmbedContentsRequest", _requests.same_model, "comment on BatchEmbedContentsRequest.requests", ("requests",)),
    Rule("request.model-armor", "*", _requests.model_armor, "comment on GenerateContentRequest.model_armor_config", ("model_armor_config", "safety_settings")),
    Rule("safety.one-setting", "*", _requests.one_setting_per_category, "comment on GenerateContentRequest.safety_settings", ("safety_settings",)),
    Rule("safety.palm-category", "SafetySetting", _requests.palm_category, "comments on HarmCategory", ("category",), "warning"),
    Rule("cache.display-name", "CachedContent", _requests.display_name, "comment on CachedContent.display_name", ("display_name",)),
    Rule("cache.ttl", "CachedContent", _requests.time_to_live, "comment on CachedContent.ttl", ("ttl",)),

    Rule("retrieval.source", "Retrieval", _retrieval.some_source, "comment on Retrieval.source", (), "warning"),
    Rule("retrieval.datastore-or-engine", "VertexAISearch", _retrieval.datastore_or_engine, "comment on VertexAISearch", _BOTH),
    Rule("retrieval.nothing-to-search", "VertexAISearch", _retrieval.something_to_search, "comment on VertexAISearch", _BOTH, "warning"),
    Rule("retrieval.specs-need-engine", "VertexAISearch", _retrieval.specs_need_engine, "comment on VertexAISearch.data_store_specs", _SPECS),
    Rule("retrieval.max-results", "VertexAISearch", _retrieval.max_results, "comment on VertexAISearch.max_results", ("max_results",)),
    Rule("retrieval.one-corpus", "VertexRagStore", _retrieval.one_corpus, "comment on VertexRagStore.rag_resources", ("rag_resources",)),
    Rule("retrieval.files-need-corpus", "VertexRagStore.RagResource", _retrieval.files_need_corpus, "comment on RagResource.rag_file_ids", ("rag_corpus", "rag_file_ids"), "warning"),
    Rule("retrieval.whole-period", "Tool.GoogleSearch", _retrieval.whole_period, "comment on GoogleSearch.time_range_filter", ("time_range_filter",)),

    Rule("generation.stop-sequences", "GenerationConfig", _generation.stop_sequences, "published limit of stop sequences", ("stop_sequences",)),
    Rule("generation.mime-type", "GenerationConfig", _generation.mime_type, "comment on GenerationConfig.response_mime_type", ("response_mime_type",)),
    Rule("generation.one-schema", "GenerationConfig", _declarations.one_schema, _FORM),
    Rule("generation.schema-needs-form", "GenerationConfig", _generation.schema_needs_form, _FORM, ("response_mime_type",)),
    Rule("generation.enum-needs-schema", "GenerationConfig", _generation.enum_needs_schema, "comment on GenerationConfig.response_mime_type", ("response_mime_type", "response_schema")),
    Rule("generation.logprobs-flag", "GenerationConfig", _generation.logprobs_flag, "comment on GenerationConfig.logprobs", ("logprobs", "response_logprobs")),
    Rule("generation.one-amount", "GenerationConfig.ThinkingConfig", _generation.one_amount, "comment on ThinkingConfig.thinking_level", ("thinking_level", "thinking_budget")),
    Rule("generation.live", "BidiGenerateContentSetup", _generation.live, "comment on BidiGenerateContentSetup.generation_config", ("generation_config",)),
    Rule("speech.one-voice", "SpeechConfig", _generation.one_voice, "comment on SpeechConfig.multi_speaker_voice_config", ("multi_speaker_voice_config",)),
    Rule("speech.two-speakers", "MultiSpeakerVoiceConfig", _generation.two_speakers, "comment on MultiSpeakerVoiceConfig", ("speaker_voice_configs",)),
    Rule("speech.voice-sample", "ReplicatedVoiceConfig", _generation.voice_sample, "comment on ReplicatedVoiceConfig.mime_type", ("mime_type",)),
    Rule("image.size", "ImageConfig", _generation.image_size, "comment on ImageConfig.image_size", ("image_size",)),
    Rule("image.aspect-ratio", "ImageConfig", _generation.aspect_ratio, "comment on ImageConfig.aspect_ratio", ("aspect_ratio",)),

    Rule("schema.type", "Schema", _schemas.has_type, "comment on Type", _SCHEMAS, optional="type"),
    Rule("schema.items", "Schema", _schemas.has_items, "comment on Schema.items", _SCHEMAS),
    Rule("schema.structure", "Schema", _schemas.structure, "comments on Schema.items, properties and required", _SCHEMAS),
    Rule("schema.keyword", "Schema", _schemas.keywords, "comments on Schema's limits", _SCHEMAS, "warning"),
    Rule("schema.required", "Schema", _schemas.required_names, "comment on Schema.required", _SCHEMAS),
    Rule("schema.ordering", "Schema", _schemas.ordered_names, "comment on Schema.property_ordering", (*_SCHEMAS, "property_ordering")),
    Rule("schema.any-of", "Schema", _schemas.alternatives, "comment on Schema.any_of", _SCHEMAS),
    Rule("schema.additional-properties", "Schema", _schemas.additional_properties, "comment on Schema.additional_properties", ("additional_properties",)),
    Rule("schema.definitions", "Schema", _schemas.inner_definitions, "comment on Schema.defs", ("ref", "defs")),
    Rule("schema.reference", "Schema", _schemas.references, "comment on Schema.ref", ("ref", "defs")),
    Rule("schema.example", "Schema", _schemas.inner_example, "comment on Schema.example", ("example",), "warning"),
    Rule("schema.enum", "Schema", _schema_values.enum_values, "comment on Schema.enum", _SCHEMAS),
    Rule("schema.enum-format", "Schema", _schema_values.enum_format, "comment on Schema.enum", _SCHEMAS),
    Rule("schema.format", "Schema", _schema_values.known_format, "comment on Schema.format", _SCHEMAS, "warning", limit="formats"),
    Rule("schema.bounds", "Schema", _schema_values.bounds, "comments on Schema's limits", _SCHEMAS),
    Rule("schema.default", "Schema", _schema_values.default, "comment on Schema.default", (*_SCHEMAS, "default"), "warning"),

    Rule("response.input-only", "*", _fields.input_only, _BEHAVIOR, (), "warning", side="received"),
    Rule("response.grounding-chunks", "GroundingMetadata", _responses.grounding_chunks, "comment on GroundingSupport.grounding_chunk_indices", ("grounding_chunks", "grounding_supports"), "warning", side="received"),
    Rule("response.grounding-scores", "GroundingSupport", _responses.grounding_scores, "comment on GroundingSupport.confidence_scores", ("confidence_scores",), "warning", side="received"),
    Rule("response.segment", "Segment", _responses.segment, "comment on Segment", ("start_index", "end_index"), "warning", side="received"),
)
# fmt: on

RULES = (DEPTH, *_ROWS, *RANGES)
"""Every rule there is."""


@lru_cache(maxsize=4096)
def rules_of(kind: MessageType, profile: Profile) -> tuple[Rule, ...]:
    """Returns the rules that concern messages of a type in an API."""
    return tuple(rule for rule in RULES if rule is not DEPTH and rule.concerns(kind, profile))
