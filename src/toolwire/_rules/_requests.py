"""Rules of a whole request that are about neither tools nor turns, and of caches."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._message_fields import enum_name, get, is_missing, json_name, set_of
from toolwire._rules._calling import has_cache
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType
    from toolwire._rules._rule import Context

_IN_CACHE = ("system_instruction", "tools", "tool_config")
_COUNTED = ("contents", "instances", "generate_content_request")
_LOCATION = re.compile(r"projects/[^/]+/locations/([^/]+)/")
_LONGEST_LABEL = 63
_LONGEST_DISPLAY_NAME = 128
# The categories of models before Gemini.
_OF_PALM = frozenset(
    f"HARM_CATEGORY_{name}"
    for name in ("DEROGATORY", "TOXICITY", "VIOLENCE", "SEXUAL", "MEDICAL", "DANGEROUS")
)


def cache_excludes(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for whatever a request sets that its cache already has."""
    if not has_cache(request):
        return
    cache = json_name(request, "cached_content")
    for name in set_of(request, _IN_CACHE):
        yield Finding((json_name(request, name),), f"is set beside {cache}: put it in the cache")


def labels(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for labels that are too long or spelled otherwise."""
    given: dict[str, str] = dict(get(request, "labels"))
    field = json_name(request, "labels")
    for key in sorted(given):
        if not _is_label(key) or not key[:1].isalpha():
            fault = "lower-case letters, digits, _ and -, with a letter first"
            yield Finding(
                (field, (key,)), f"is no key of a label: at most {_LONGEST_LABEL} {fault}"
            )
        if not _is_label(given[key]):
            fault = "lower-case letters, digits, _ and -"
            found = shown(given[key])
            yield Finding((field, (key,)), f"{found} is no value: at most {_LONGEST_LABEL} {fault}")


def one_setting_per_category(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each safety setting of a kind of harm that has one already."""
    seen: set[int] = set()
    settings: list[Message] = list(get(request, "safety_settings"))
    for index, setting in enumerate(settings):
        number: int = get(setting, "category")
        if number and number in seen:
            name = enum_name(setting, "category") or number
            steps = (json_name(request, "safety_settings"), index, json_name(setting, "category"))
            yield Finding(
                steps, f"has a setting already, {name}: one at most for each kind of harm"
            )
        seen.add(number)


def palm_category(setting: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a kind of harm that no current model knows."""
    name = enum_name(setting, "category")
    if name in _OF_PALM:
        yield Finding((json_name(setting, "category"),), f"is {name}, which is of PaLM models only")


def model_armor(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for Model Armor beside safety settings."""
    if request.HasField("model_armor_config") and len(get(request, "safety_settings")):
        fault = f"is set beside {json_name(request, 'safety_settings')}: set only one"
        yield Finding((json_name(request, "model_armor_config"),), fault)


def no_input(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a count of nothing."""
    known = _inputs(request)
    if all(is_missing(request, field) for field in known):
        choice = " or ".join(field.json_name for field in known)
        yield Finding((), f"has nothing to count: set {choice}")


def one_input(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a count of something that is given twice."""
    present = [field.json_name for field in _inputs(request) if not is_missing(request, field)]
    if len(present) > 1:
        yield Finding((present[-1],), f"is set beside {present[0]}: set only one")


def same_model(batch: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each request of a batch for another model than the batch's."""
    wanted: str = get(batch, "model")
    requests: list[Message] = list(get(batch, "requests"))
    for index, request in enumerate(requests):
        model: str = get(request, "model")
        if model and wanted and model != wanted:
            steps = (json_name(batch, "requests"), index, json_name(request, "model"))
            yield Finding(steps, f"{shown(model)} is another model than the batch's")


def display_name(cache: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a label of a cache that is too long."""
    length = len(get(cache, "display_name"))
    if length > _LONGEST_DISPLAY_NAME:
        fault = f"has {length} characters: at most {_LONGEST_DISPLAY_NAME} are allowed"
        yield Finding((json_name(cache, "display_name"),), fault)


def time_to_live(cache: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a time to live that is too short."""
    shortest = context.profile.shortest_ttl
    if cache.HasField("ttl") and get(cache, "ttl").seconds < shortest:
        fault = f"is too short: {shortest} seconds or more"
        yield Finding((json_name(cache, "ttl"),), fault)


def key_location(cache: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a key in another location than the cache's."""
    encryption: Message = get(cache, "encryption_spec")
    of_key = _LOCATION.match(get(encryption, "kms_key_name"))
    of_cache = _LOCATION.match(get(cache, "name") or get(cache, "model"))
    if of_key and of_cache and of_key[1] != of_cache[1]:
        steps = (json_name(cache, "encryption_spec"), json_name(encryption, "kms_key_name"))
        fault = f"is in {shown(of_key[1])}, but the cache in {shown(of_cache[1])}: use a key there"
        yield Finding(steps, fault)


def embedded_title(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for the title of what is no document to be found."""
    if get(request, "title") and enum_name(request, "task_type") != "RETRIEVAL_DOCUMENT":
        fault = f"is for {json_name(request, 'task_type')} RETRIEVAL_DOCUMENT only"
        yield Finding((json_name(request, "title"),), fault)


def _inputs(request: Message) -> list[FieldType]:
    fields = request.DESCRIPTOR.fields_by_name
    return [fields[name] for name in _COUNTED if name in fields]


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and all(
        character in "_-" or (character.isalnum() and character == character.lower())
        for character in text
    )
