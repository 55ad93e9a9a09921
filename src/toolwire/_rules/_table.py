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
    _live,
    _parts,
    _reply_schemas,
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
_RESOURCES = "google.api.http, google.api.resource, or a comment"
_BOTH = ("datastore", "engine")
_SPECS = (*_BOTH, "data_store_specs")
_NAMES = "comment on FunctionCallingConfig.allowed_function_names"
_CALLING = ("tools", "tool_config")
_DECLARED = ("tools", "contents")
_SCHEMAS = ("type",)
_FORM = "comments on GenerationConfig's schemas"
_JSON_SCHEMA = "comment on GenerationConfig.response_json_schema"
_REFUSED = "the servers' own refusal"
_PLAIN_SENSE = "nothing published: what is written cannot be meant"

DEPTH = Rule("message.depth", "*", _fields.depth, "limit of protobuf's binary reader")
"""Not looked for by its function: the walk finds it."""

# fmt: off
_ROWS = (
    # id, message, function, source, fields that the message must have, severity
    Rule("field.required", "*", _fields.required, _BEHAVIOR),
    Rule("field.output-only", "*", _fields.output_only, _BEHAVIOR, (), "warning"),
    Rule("field.immutable", "*", _fields.immutable, _BEHAVIOR, ("update_mask",)),
    Rule("field.deprecated", "*", _fields.deprecated, "option deprecated of the field or value", (), "warning"),
    Rule("resource.name", "*", _resources.resource_names, _RESOURCES),
    Rule(_resources.SHORT_NAME, "*", _resources.short_names, _RESOURCES, (), "warning"),

    Rule("tool.no-kind", "Tool", _tools.some_kind, "comment on Tool"),
    Rule("tool.one-kind", "Tool", _tools.one_kind, "comment on Tool"),
    Rule("tools.two-searches", "*", _tools.two_searches, "page 'Grounding with Google Search'", ("tools",), "warning"),
    Rule("tools.json-output", "*", _tools.json_output, _REFUSED, ("tools", "generation_config", "contents"), "warning"),
    Rule("tools.function-count", "*", _tools.count_in_request, "comment on Tool.function_declarations, newest", ("tools",)),
    Rule("tools.duplicate-function", "*", _tools.duplicates_in_request, _REFUSED, ("tools",)),
    Rule("function.count", "Tool", _tools.count, "comment on Tool.function_declarations, newest"),
    Rule("function.count-older", "Tool", _tools.older_count, "comment on Tool.function_declarations, older, and older pages", (), "warning", limit="older_counts", older=True),
    Rule("function.duplicate", "Tool", _tools.duplicate_names, _REFUSED),
    Rule("function.name", "FunctionDeclaration TemplateFunction", _declarations.function_name, "comment on FunctionDeclaration.name, newest", ("name",), limit="function_name"),
    Rule("function.name-older", "FunctionDeclaration", _declarations.older_name, "comment on FunctionDeclaration.name, older, and older pages", ("name",), "warning", limit="older_names", older=True),
    Rule("function.one-schema", "FunctionDeclaration", _declarations.one_schema, "comments on FunctionDeclaration.parameters_json_schema and response_json_schema"),
    Rule("function.parameters-object", "FunctionDeclaration", _declarations.parameters_object, "comment on FunctionDeclaration.parameters", ("parameters",)),
    Rule("function.no-parameters", "FunctionDeclaration", _declarations.no_parameters, "comment on FunctionDeclaration.parameters", ("parameters",), "warning"),
    Rule("function.json-schema", "FunctionDeclaration TemplateFunction", _declarations.json_schema, "comments on FunctionDeclaration.parameters_json_schema and TemplateFunction.input_schema"),
    Rule("function.live-behavior", "FunctionDeclaration", _live.behavior, "comment on FunctionDeclaration.behavior", ("behavior",), "warning"),
    Rule("function.parameter-name", "FunctionDeclaration", _declarations.parameter_names, "comment on FunctionDeclaration.parameters", ("parameters",), limit="parameter_name"),

    Rule("calling.allowed-mode", "FunctionCallingConfig", _calling.allowed_mode, _NAMES, ("mode", "allowed_function_names")),
    Rule("calling.allowed-names", "FunctionCallingConfig", _calling.allowed_names, _NAMES, ("allowed_function_names",)),
    Rule("calling.allowed-twice", "FunctionCallingConfig", _calling.allowed_twice, f"{_NAMES}: a set of names", ("allowed_function_names",), "warning"),
    Rule("calling.allowed-declared", "*", _calling.allowed_declared, _NAMES, _CALLING),
    Rule("calling.needs-functions", "*", _calling.needs_functions, f"comment on FunctionCallingConfig.Mode.ANY; {_REFUSED}", _CALLING),
    Rule("calling.without-functions", "*", _calling.without_functions, _REFUSED, _CALLING, "warning"),

    Rule("turns.paired", "GenerateContentRequest", _turns.paired, f"comment on Tool.function_declarations; {_REFUSED}", ("contents",)),
    Rule("turns.response-order", "GenerateContentRequest", _turns.response_order, "nothing published: without ids only the order tells responses apart", ("contents",), "warning"),
    Rule("turns.name", "FunctionCall FunctionResponse", _declarations.called_name, "comments on FunctionCall.name and FunctionResponse.name", ("name",), limit="function_name"),
    Rule("turns.live-response", "FunctionResponse", _live.response, "comments on FunctionResponse.scheduling and will_continue", ("scheduling",), "warning"),
    Rule("turns.code-result", "Content", _parts.code_result, "comment on CodeExecutionResult", ("parts",), "warning"),
    Rule("turns.declared", "*", _roles.declared_calls, "comment on FunctionCall.name", _DECLARED, "warning"),
    Rule("turns.call-ids", "Content", _roles.call_ids, "comment on FunctionCall.id", ("parts",)),
    Rule("turns.role", "Content", _roles.role, "comment on Content.role", ("role",)),
    Rule("turns.role-missing", "*", _roles.role_missing, "comment on Content.role", ("contents",), "warning"),
    Rule("turns.call-role", "Content", _roles.call_role, "comment on FunctionCall: what the model predicts", ("role", "parts"), "warning"),
    Rule("turns.response-role", "Content", _roles.response_role, "comment on Content.role", ("role", "parts"), "warning"),
    Rule("turns.order", "GenerateContentRequest", _roles.order, "comment on GenerateContentRequest.contents", ("contents",), "warning"),
    Rule("turns.call-order", "GenerateContentRequest", _roles.call_order, _REFUSED, ("contents",)),
    Rule("turns.signature-lost", "GenerateContentRequest", _roles.signature_lost, "page 'Thought signatures'", ("contents",), "warning"),
    Rule("turns.signature-of-user", "Content", _roles.signature_of_user, "page 'Thought signatures'", ("role", "parts"), "warning"),
    Rule("turns.no-parts", "Content", _parts.no_parts, _REFUSED, ("parts",), optional="parts"),
    Rule("turns.system-text", "Content", _parts.text_only, "comment on GenerateContentRequest.system_instruction", ("parts",)),
    Rule("part.no-data", "Part", _parts.no_data, f"comment on Part; {_REFUSED}"),
    Rule("part.empty-text", "Part", _parts.empty_text, _REFUSED, ("text",), "warning"),
    Rule("part.finest-image", "Part", _parts.finest_image, "comment on Part.MediaResolution.Level.MEDIA_RESOLUTION_ULTRA_HIGH", ("media_resolution",), "warning"),
    Rule("part.json-path", "PartialArg", _parts.json_path, "comment on PartialArg.json_path", ("json_path",), "warning"),
    Rule("file.mime-type", "*", _parts.mime_type, "comment on Blob.mime_type", ("mime_type",)),
    Rule("file.uri", "*", _parts.file_uri, "comment on FileData.file_uri", ("file_uri",)),
    Rule("file.display-name", "FunctionResponse", _parts.display_names, "comment on FunctionResponseBlob.display_name", ("parts",), "warning"),
    Rule("video.only-video", "Part", _parts.video_only, "comment on Part.video_metadata", ("video_metadata",), "warning"),
    Rule("video.offsets", "VideoMetadata", _parts.video_offsets, _PLAIN_SENSE, ("start_offset", "end_offset"), "warning"),

    Rule("request.cache-excludes", "GenerateContentRequest", _requests.cache_excludes, _REFUSED, ("cached_content",)),
    Rule("request.labels", "*", _requests.labels, "comment on GenerateContentRequest.labels", ("labels",)),
    Rule("request.one-input", "CountTokensRequest ComputeTokensRequest", _requests.one_input, "comment on CountTokensRequest.generate_content_request"),
    Rule("request.no-input", "CountTokensRequest ComputeTokensRequest", _requests.no_input, _PLAIN_SENSE, (), "warning"),
    Rule("request.same-model", "BatchEmbedContentsRequest", _requests.same_model, "comment on BatchEmbedContentsRequest.requests", ("requests",)),
    Rule("request.embedded-title", "EmbedContentRequest", _requests.embedded_title, "comment on EmbedContentRequest.title", ("title", "task_type"), "warning"),
    Rule("request.model-armor", "*", _requests.model_armor, "comment on GenerateContentRequest.model_armor_config", ("model_armor_config", "safety_settings")),
    Rule("safety.one-setting", "*", _requests.one_setting_per_category, "comment on GenerateContentRequest.safety_settings", ("safety_settings",)),
    Rule("safety.palm-category", "SafetySetting", _requests.palm_category, "comments on HarmCategory", ("category",), "warning"),
    Rule("cache.display-name", "CachedContent", _requests.display_name, "comment on CachedContent.display_name", ("display_name",)),
    Rule("cache.key-location", "CachedContent", _requests.key_location, "comment on EncryptionSpec.kms_key_name", ("encryption_spec",)),
    Rule("cache.ttl", "CachedContent", _requests.time_to_live, "page 'Create a context cache', limits", ("ttl",), "warning"),

    Rule("retrieval.source", "Retrieval", _retrieval.some_source, "comment on Retrieval.source", (), "warning"),
    Rule("retrieval.datastore-or-engine", "VertexAISearch", _retrieval.datastore_or_engine, "comment on VertexAISearch", _BOTH),
    Rule("retrieval.nothing-to-search", "VertexAISearch", _retrieval.something_to_search, "comment on VertexAISearch", _BOTH, "warning"),
    Rule("retrieval.specs-need-engine", "VertexAISearch", _retrieval.specs_need_engine, "comment on VertexAISearch.data_store_specs", _SPECS),
    Rule("retrieval.max-results", "VertexAISearch", _retrieval.max_results, "comment on VertexAISearch.max_results", ("max_results",)),
    Rule("retrieval.one-corpus", "VertexRagStore", _retrieval.one_corpus, "comment on VertexRagStore.rag_resources", ("rag_resources",)),
    Rule("retrieval.files-need-corpus", "VertexRagStore.RagResource", _retrieval.files_need_corpus, "comment on RagResource.rag_file_ids", ("rag_corpus", "rag_file_ids"), "warning"),
    Rule("retrieval.whole-period", "Tool.GoogleSearch", _retrieval.whole_period, "comment on GoogleSearch.time_range_filter", ("time_range_filter",)),
    Rule("retrieval.period-order", "Interval", _retrieval.period_order, "comment on google.type.Interval", ("start_time", "end_time")),
    Rule("retrieval.excluded-domains", "*", _retrieval.excluded_domains, "comment on GoogleSearch.exclude_domains", ("exclude_domains",), "warning"),
    Rule("retrieval.parallel-settings", "Tool.ParallelAiSearch", _retrieval.parallel_settings, "comment on ParallelAiSearch.custom_configs", ("custom_configs",), "warning"),
    Rule("retrieval.one-store", "FileSearch", _retrieval.one_store, "comment on FileSearch.retrieval_resources", ("retrieval_resources",), "warning"),

    Rule("generation.stop-sequences", "GenerationConfig", _generation.stop_sequences, f"comment on GenerationConfig.stop_sequences; {_REFUSED}", ("stop_sequences",)),
    Rule("generation.empty-stop", "GenerationConfig", _generation.empty_stop, _PLAIN_SENSE, ("stop_sequences",), "warning"),
    Rule("generation.mime-type", "GenerationConfig", _generation.mime_type, f"comment on GenerationConfig.response_mime_type; {_REFUSED}", ("response_mime_type",)),
    Rule("generation.one-schema", "GenerationConfig", _declarations.one_schema, _FORM),
    Rule("generation.schema-needs-form", "GenerationConfig", _generation.schema_needs_form, _FORM, ("response_mime_type",)),
    Rule("generation.enum-needs-schema", "GenerationConfig", _generation.enum_needs_schema, "comment on GenerationConfig.response_mime_type: a value of an enum", ("response_mime_type", "response_schema"), "warning"),
    Rule("generation.logprobs-flag", "GenerationConfig", _generation.logprobs_flag, f"comment on GenerationConfig.logprobs; {_REFUSED}", ("logprobs", "response_logprobs")),
    Rule("generation.one-amount", "GenerationConfig.ThinkingConfig", _generation.one_amount, _REFUSED, ("thinking_level", "thinking_budget")),
    Rule("generation.live", "BidiGenerateContentSetup", _live.config, "comment on BidiGenerateContentSetup.generation_config", ("generation_config",)),
    Rule("generation.json-schema", "GenerationConfig", _reply_schemas.keywords, _JSON_SCHEMA, ("response_json_schema",), "warning"),
    Rule("generation.json-reference", "GenerationConfig", _reply_schemas.references, _JSON_SCHEMA, ("response_json_schema",), "warning"),
    Rule("live.response-id", "BidiGenerateContentToolResponse", _live.response_id, "comment on BidiGenerateContentToolResponse", ("function_responses",), "warning"),
    Rule("live.one-chunk", "BidiGenerateContentRealtimeInput", _live.one_chunk, "comment on BidiGenerateContentRealtimeInput.media_chunks", ("media_chunks",), "warning"),
    Rule("speech.one-voice", "SpeechConfig", _generation.one_voice, "comment on SpeechConfig.multi_speaker_voice_config", ("multi_speaker_voice_config",)),
    Rule("speech.two-speakers", "MultiSpeakerVoiceConfig", _generation.two_speakers, "comment on MultiSpeakerVoiceConfig.speaker_voice_configs", ("speaker_voice_configs",)),
    Rule("speech.voice-sample", "ReplicatedVoiceConfig", _generation.voice_sample, "comment on ReplicatedVoiceConfig.mime_type", ("mime_type",)),
    Rule("language.tag", "SpeechConfig RetrievalConfig", _generation.language, "comment on RetrievalConfig.language_code", ("language_code",), "warning"),
    Rule("image.size", "ImageConfig", _generation.image_size, "comment on ImageConfig.image_size", ("image_size",), "warning"),
    Rule("image.aspect-ratio", "ImageConfig", _generation.aspect_ratio, "comment on ImageConfig.aspect_ratio", ("aspect_ratio",)),
    Rule("image.known-ratio", "ImageConfig", _generation.known_ratio, "comment on ImageConfig.aspect_ratio", ("aspect_ratio",), "warning", limit="aspect_ratios"),

    Rule("schema.type", "Schema", _schemas.has_type, "comment on Type.TYPE_UNSPECIFIED", _SCHEMAS, optional="type"),
    Rule("schema.items", "Schema", _schemas.has_items, _REFUSED, _SCHEMAS),
    Rule("schema.structure", "Schema", _schemas.structure, f"comments on Schema.items, properties and required; {_REFUSED}", _SCHEMAS),
    Rule("schema.keyword", "Schema", _schemas.keywords, "comments on Schema's limits", _SCHEMAS, "warning"),
    Rule("schema.required", "Schema", _schemas.required_names, f"comment on Schema.required; {_REFUSED}", _SCHEMAS),
    Rule("schema.ordering", "Schema", _schemas.ordered_names, "comment on Schema.property_ordering", (*_SCHEMAS, "property_ordering"), "warning"),
    Rule("schema.twice", "Schema", _schemas.twice, _PLAIN_SENSE, _SCHEMAS, "warning"),
    Rule("schema.any-of", "Schema", _schemas.alternatives, _REFUSED, ("any_of",)),
    Rule("schema.additional-properties", "Schema", _schemas.additional_properties, "comment on Schema.additional_properties", ("additional_properties",)),
    Rule("schema.definitions", "Schema", _schemas.inner_definitions, "comment on Schema.defs", ("ref", "defs")),
    Rule("schema.reference", "Schema", _schemas.references, "comment on Schema.ref", ("ref", "defs")),
    Rule("schema.example", "Schema", _schemas.inner_example, "comment on Schema.example", ("example",), "warning"),
    Rule("schema.enum", "Schema", _schema_values.enum_values, "comment on Schema.enum", _SCHEMAS, "warning"),
    Rule("schema.enum-empty", "Schema", _schema_values.empty_value, _REFUSED, _SCHEMAS),
    Rule("schema.enum-type", "Schema", _schema_values.enum_type, f"comment on Schema.enum; {_REFUSED}", _SCHEMAS, "warning", limit="enum_types"),
    Rule("schema.enum-format", "Schema", _schema_values.enum_format, "comment on Schema.enum", _SCHEMAS),
    Rule("schema.format", "Schema", _schema_values.known_format, "comment on Schema.format", _SCHEMAS, "warning", limit="formats"),
    Rule("schema.bounds", "Schema", _schema_values.bounds, _PLAIN_SENSE, _SCHEMAS, "warning"),
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
