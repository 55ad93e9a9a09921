"""What differs between the APIs and no descriptor says, as data: one profile for each package."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from toolwire._errors import DescriptorError
from toolwire._rules._names import GEMINI_NAME, OLDER_NAMES, VERTEX_NAME, VERTEX_PARAMETER
from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._descriptor_types import MessageType
    from toolwire._findings import Severity
    from toolwire._rules._names import NameRule


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """One API, as far as its rules differ from the others'.

    Attributes:
        api: Name of the API, such as ``v1``.
        services: Services of the package; their HTTP routes say what a resource name looks like.
        function_name: The form of a function's name.
        parameter_name: The form of a parameter's name, where one is published.
        older_names: Forms of a function's name that older pages state.
        most_functions: Most declarations in one tool, and in one request.
        older_counts: The same on older pages.
        formats: The formats that each type of a Schema takes; empty where none is published.
        resources: Forms of resource names that a comment states: (message, field) to the forms.
        enum_types: The types that take an enum; empty where it is any that is written as text.
        aspect_ratios: The ratios of width to height that a comment lists.
        shortest_ttl: The shortest time to live of a cache, in seconds.
        is_json_schema: Whether declarations hold JSON Schema and nothing else.
        severities: Severity of a rule where it is not the table's.
    """

    api: str
    services: tuple[str, ...] = ()
    function_name: NameRule | None = None
    parameter_name: NameRule | None = None
    older_names: tuple[NameRule, ...] = ()
    most_functions: int = 512
    older_counts: tuple[int, ...] = ()
    formats: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    resources: Mapping[tuple[str, str], tuple[str, ...]] = field(
        default_factory=dict[tuple[str, str], "tuple[str, ...]"]
    )
    enum_types: tuple[str, ...] = ()
    aspect_ratios: tuple[str, ...] = ()
    shortest_ttl: int = 1
    is_json_schema: bool = False
    severities: Mapping[str, Severity] = field(default_factory=dict[str, "Severity"])


_OLDER_COUNTS = (128, 64)

_NUMBERS = {
    "INTEGER": frozenset({"int32", "int64"}),
    "NUMBER": frozenset({"float", "double"}),
}

# Vertex names "email", "byte", etc.; these are the ones that its pages and schema show.
_VERTEX_FORMATS = {
    **_NUMBERS,
    "STRING": frozenset(
        {
            *("enum", "date-time", "date", "time", "duration", "email", "byte"),
            *("uri", "uuid", "hostname", "ipv4", "ipv6"),
        }
    ),
}
# The servers' own words for any other: only 'enum' and 'date-time' are supported. Since then the
# comment says that any is taken, and most mean nothing.
_GEMINI_FORMATS = {**_NUMBERS, "STRING": frozenset({"enum", "date-time"})}

# What the comments on ImageConfig.aspect_ratio list.
_RATIOS = ("1:1", "2:3", "3:2", "3:4", "4:3", "9:16", "16:9", "21:9")

_VERTEX_PLACE = "projects/{project}/locations/{location}"
_DATA_STORE = (f"{_VERTEX_PLACE}/collections/{{collection}}/dataStores/{{dataStore}}",)
_TEMPLATE = (f"{_VERTEX_PLACE}/templates/{{template}}",)
_PUBLISHED = (
    f"{_VERTEX_PLACE}/publishers/{{publisher}}/models/{{model}}",
    "publishers/{publisher}/models/{model}",
)
_VERTEX_RESOURCES = {
    ("VertexAISearch", "datastore"): _DATA_STORE,
    ("VertexAISearch", "engine"): (
        f"{_VERTEX_PLACE}/collections/{{collection}}/engines/{{engine}}",
    ),
    ("VertexAISearch.DataStoreSpec", "data_store"): _DATA_STORE,
    ("VertexRagStore.RagResource", "rag_corpus"): (f"{_VERTEX_PLACE}/ragCorpora/{{rag_corpus}}",),
    ("CachedContent", "model"): _PUBLISHED[:1],
    ("CountTokensRequest", "model"): _PUBLISHED,
    ("ComputeTokensRequest", "model"): _PUBLISHED,
    ("EncryptionSpec", "kms_key_name"): (f"{_VERTEX_PLACE}/keyRings/{{ring}}/cryptoKeys/{{key}}",),
    ("ModelArmorConfig", "prompt_template_name"): _TEMPLATE,
    ("ModelArmorConfig", "response_template_name"): _TEMPLATE,
}
_MODEL = ("models/{model}",)
_GEMINI_RESOURCES = {
    ("CachedContent", "model"): _MODEL,
    ("BidiGenerateContentSetup", "model"): _MODEL,
    ("EmbedContentRequest", "model"): _MODEL,
    # The comment and the pages call the same thing by two names.
    ("FileSearch.RetrievalResource", "rag_store_name"): ("fileSearchStores/{id}", "ragStores/{id}"),
}
# Vertex has no word on these where the Gemini API has.
_VERTEX_SEVERITIES: Mapping[str, Severity] = {
    "cache.display-name": "warning",
    "generation.logprobs": "warning",
    "request.one-input": "warning",
    "safety.one-setting": "warning",
}
# And the other way round.
_GEMINI_SEVERITIES: Mapping[str, Severity] = {
    "calling.without-functions": "error",
    "generation.frequency-penalty": "warning",
    "generation.presence-penalty": "warning",
    "schema.any-of": "warning",
    "speech.two-speakers": "warning",
    "tool.one-kind": "warning",
}


def _vertex(api: str) -> Profile:
    return Profile(
        api,
        ("PredictionService", "LlmUtilityService", "GenAiCacheService"),
        VERTEX_NAME,
        VERTEX_PARAMETER,
        OLDER_NAMES,
        older_counts=_OLDER_COUNTS,
        formats=_VERTEX_FORMATS,
        resources=_VERTEX_RESOURCES,
        aspect_ratios=(*_RATIOS, "4:5", "5:4"),
        shortest_ttl=60,
        severities=_VERTEX_SEVERITIES,
    )


PROFILES: Mapping[str, Profile] = {
    "google.cloud.aiplatform.v1": _vertex("v1"),
    "google.cloud.aiplatform.v1beta1": _vertex("v1beta1"),
    "google.ai.generativelanguage.v1beta": Profile(
        "gemini",
        ("GenerativeService", "CacheService"),
        GEMINI_NAME,
        None,
        OLDER_NAMES,
        older_counts=_OLDER_COUNTS,
        formats=_GEMINI_FORMATS,
        resources=_GEMINI_RESOURCES,
        enum_types=("STRING",),
        aspect_ratios=_RATIOS,
        severities=_GEMINI_SEVERITIES,
    ),
    "toolwire.firebase.v1beta": Profile("firebase", function_name=GEMINI_NAME, is_json_schema=True),
}

# Messages of other packages keep the rules that the schema itself states, and no more.
UNKNOWN = Profile("")


def profile_of(kind: MessageType) -> Profile | None:
    """Returns the profile of a message's package, or None if it belongs to no API."""
    return PROFILES.get(kind.file.package)


def find_profile(api: str) -> Profile:
    """Returns the profile of an API.

    Raises:
        DescriptorError: If none has the name.
    """
    given = api if isinstance(cast("object", api), str) else None  # of untyped callers
    for profile in PROFILES.values():
        if profile.api == given:
            return profile
    known = ", ".join(profile.api for profile in PROFILES.values())
    raise DescriptorError(f"no API is named {shown(api)}; there are {known}")
