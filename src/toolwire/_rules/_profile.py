"""What differs between the APIs, as data: one profile for each proto package."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._descriptor_types import MessageType
    from toolwire._errors import Severity


@dataclass(frozen=True, slots=True)
class NameRule:
    """The published form of a name.

    Attributes:
        first: Characters that the name may start with, as a regular expression.
        rest: Characters that may follow, likewise.
        longest: Most characters in all.
        words: The same in words.
    """

    first: re.Pattern[str]
    rest: re.Pattern[str]
    longest: int
    words: str


_REST = re.compile(r"[A-Za-z0-9_.:-]")

# Newest published text on FunctionDeclaration.name; older texts allow 64 or 63 and no colon.
VERTEX_NAME = NameRule(
    first=re.compile(r"[A-Za-z_]"),
    rest=_REST,
    longest=128,
    words="a letter or underscore first, then letters, digits, or any of _ . : -",
)
GEMINI_NAME = NameRule(
    first=_REST, rest=_REST, longest=128, words="letters, digits, or any of _ . : -"
)


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """One API, as far as its rules differ from the others'.

    Attributes:
        api: Name of the API, such as ``v1``.
        services: Services of the package; their HTTP routes say what a resource name looks like.
        function_name: The form of a function's name, where one is published.
        severities: Severity of a rule where it is not the table's.
    """

    api: str
    services: tuple[str, ...] = ()
    function_name: NameRule | None = None
    severities: Mapping[str, Severity] = field(default_factory=dict[str, "Severity"])


_VERTEX_SERVICES = ("PredictionService", "LlmUtilityService", "GenAiCacheService")

PROFILES: Mapping[str, Profile] = {
    "google.cloud.aiplatform.v1": Profile("v1", _VERTEX_SERVICES, VERTEX_NAME),
    "google.cloud.aiplatform.v1beta1": Profile("v1beta1", _VERTEX_SERVICES, VERTEX_NAME),
    "google.ai.generativelanguage.v1beta": Profile(
        "gemini",
        ("GenerativeService", "CacheService"),
        GEMINI_NAME,
        severities={"tool.one-kind": "warning"},
    ),
    "toolwire.firebase.v1beta": Profile("firebase"),
}

# Messages of other packages keep the rules that the schema itself states, and no more.
UNKNOWN = Profile("")


def profile_of(kind: MessageType, api: str | None) -> Profile:
    """Returns the profile that an API's name gives, else the one of the message's package.

    Raises:
        DescriptorError: If no API has the name.
    """
    if api is None:
        return PROFILES.get(kind.file.package, UNKNOWN)
    for profile in PROFILES.values():
        if profile.api == api:
            return profile
    known = ", ".join(profile.api for profile in PROFILES.values())
    raise DescriptorError(f"no API is named {api!r}; there are {known}")
