"""What differs between the APIs' schemas and no descriptor says, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolwire._rules._profile import GEMINI_NAME, VERTEX_NAME, NameRule

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Profile:
    """One API, as far as its declarations differ from the others'.

    Attributes:
        formats: The formats that each type takes; any other one is dropped.
        function_name: The form of a function's name.
        parameter_name: The form of a parameter's name, where one is published.
        older_names: Forms that older pages state, for who must run against older servers.
        most_functions: Most declarations in one tool.
        older_counts: The same on older pages.
        is_json_schema: Whether declarations hold JSON Schema and nothing else.
    """

    formats: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    function_name: NameRule | None = None
    parameter_name: NameRule | None = None
    older_names: tuple[NameRule, ...] = ()
    most_functions: int = 512
    older_counts: tuple[int, ...] = (128, 64)
    is_json_schema: bool = False


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
# The server's own words for any other: only 'enum' and 'date-time' are supported.
_GEMINI_FORMATS = {**_NUMBERS, "STRING": frozenset({"enum", "date-time"})}

# The comment on FunctionDeclaration.parameters.
_VERTEX_PARAMETER = NameRule(
    first=re.compile(r"[A-Za-z_]"),
    rest=re.compile(r"[A-Za-z0-9_]"),
    longest=64,
    words="a letter or underscore first, then letters, digits, or underscores",
)
_OLDER_NAMES = (
    NameRule(re.compile(r"[A-Za-z_]"), re.compile(r"[A-Za-z0-9_.-]"), 64, "no colon"),
    NameRule(re.compile(r"[A-Za-z0-9_-]"), re.compile(r"[A-Za-z0-9_-]"), 63, "only _ and -"),
)

_VERTEX = Profile(_VERTEX_FORMATS, VERTEX_NAME, _VERTEX_PARAMETER, _OLDER_NAMES)

PROFILES: Mapping[str, Profile] = {
    "v1": _VERTEX,
    "v1beta1": _VERTEX,
    "gemini": Profile(_GEMINI_FORMATS, GEMINI_NAME, None, _OLDER_NAMES),
    "firebase": Profile(function_name=GEMINI_NAME, is_json_schema=True),
}
