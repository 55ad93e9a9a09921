"""Changes of options: what servers, generators and tools are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import BEHAVIOUR, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._schema_diff._index import Options

_BEHAVIOR = "google.api.field_behavior"
# The options that have a rule of their own, and what changes with them.
_RULES = {
    "deprecated": ("deprecation-changed", "users are told to do without it, or are not any more"),
    "google.api.default_host": ("host-changed", "clients call another host"),
    "google.api.http": ("http-route-changed", "clients that speak REST call another address"),
    "google.api.oauth_scopes": ("scopes-changed", "a token has to be good for other scopes"),
    "google.api.resource": ("resource-changed", "names of this resource have another form"),
    "google.api.resource_reference": (
        "resource-reference-changed",
        "it names a resource of another type",
    ),
    _BEHAVIOR: ("field-behavior-changed", ""),
    "packed": ("packing-changed", "each side still reads both forms"),
    "utf8_validation": ("utf8-validation-changed", "one side refuses text that is no UTF-8"),
}
_INHERITED = {"packed", "utf8_validation"}  # each type has them or not
_GAINED = {
    "REQUIRED": "a new server may refuse requests without it",
    "OUTPUT_ONLY": "a new server ignores it in requests",
    "INPUT_ONLY": "a new server does not send it",
    "IMMUTABLE": "a new server refuses to change it",
}
_LOST = {
    "REQUIRED": "it may be left out now",
    "OUTPUT_ONLY": "requests may set it now",
    "INPUT_ONLY": "a new server may send it",
    "IMMUTABLE": "it may be changed now",
}


def option_changes(path: str, new_path: str, old: Options, new: Options) -> Iterator[Finding]:
    """Yields a finding for each option that differs.

    Args:
        path: Full name of what has the options, in the old schema.
        new_path: The same in the new one.
        old: The old options.
        new: The new ones.
    """
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name, ""), new.get(name, "")
        if before == after or (name in _INHERITED and "" in {before, after}):
            continue
        rule, note = _RULES.get(name, ("option-changed", "tools that read the option see it"))
        if name == _BEHAVIOR:
            olds, news = set(before.split(", ")), set(after.split(", "))
            if olds == news:
                continue
            note = _behaviors(olds, news)
        elif name not in _RULES:
            before, after = (f"{name} = {text}" if text else "" for text in (before, after))
        yield Finding(rule, path, BEHAVIOUR, note, before, after, new_path)


def _behaviors(old: set[str], new: set[str]) -> str:
    notes = [_GAINED[one] for one in _GAINED if one in new - old]
    notes += [_LOST[one] for one in _LOST if one in old - new]
    return "; ".join(notes) or "what is said of it is another thing"
