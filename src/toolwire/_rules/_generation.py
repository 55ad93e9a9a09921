"""Rules of the generation config: what excludes and what needs each other."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name, set_of
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_PLAIN = ("", "text/plain")
_FORMS = ("text/plain", "application/json", "application/xml", "application/yaml", "text/x.enum")
_SCHEMAS = ("response_schema", "response_json_schema", "response_json_schema_ordered")
_MOST_STOPS = 5
_SPEAKERS = 2
_SIZES = ("1K", "2K", "4K")
_ASPECT_RATIO = re.compile(r"[1-9][0-9]*:[1-9][0-9]*")
# BCP 47: a language, then scripts, regions and whatever else; or a private tag.
_LANGUAGE = re.compile(r"([A-Za-z]{2,8}|[xi])(-[A-Za-z0-9]{1,8})*")


def stop_sequences(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for too many stop sequences."""
    number = len(get(config, "stop_sequences"))
    if number > _MOST_STOPS:
        fault = f"has {number} entries: at most {_MOST_STOPS} are allowed"
        yield Finding((json_name(config, "stop_sequences"),), fault)


def empty_stop(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each stop sequence that is empty."""
    for index, stop in enumerate(get(config, "stop_sequences")):
        if not stop:
            steps = (json_name(config, "stop_sequences"), index)
            yield Finding(steps, "is empty: the reply would end before it begins")


def mime_type(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a form of the reply that there is not."""
    wanted: str = get(config, "response_mime_type")
    if wanted and wanted not in _FORMS:
        fault = f"is {shown(wanted)}: use one of {', '.join(_FORMS)}"
        yield Finding((json_name(config, "response_mime_type"),), fault)


def schema_needs_form(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a schema of a reply that is plain text."""
    if get(config, "response_mime_type") in _PLAIN:
        form = json_name(config, "response_mime_type")
        for name in set_of(config, _SCHEMAS):
            fault = f'needs {form} "application/json" or "text/x.enum"'
            yield Finding((json_name(config, name),), fault)


def enum_needs_schema(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a choice without a schema that says among what."""
    if get(config, "response_mime_type") != "text/x.enum":
        return
    given = set_of(config, _SCHEMAS)
    field = json_name(config, "response_mime_type")
    if not given:
        yield Finding((field,), "is text/x.enum, which needs a schema with an enum")
    elif given[0] == "response_schema" and not len(get(get(config, "response_schema"), "enum")):
        steps = (json_name(config, "response_schema"), "enum")
        yield Finding(steps, "is empty, but the reply is to be one of its values")


def logprobs_flag(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a number of tokens to list where none are."""
    if config.HasField("logprobs") and not get(config, "response_logprobs"):
        fault = f"works only with {json_name(config, 'response_logprobs')}"
        yield Finding((json_name(config, "logprobs"),), fault)


def one_amount(thinking: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a level of reasoning beside a budget."""
    if len(set_of(thinking, ("thinking_level", "thinking_budget"))) > 1:
        fault = f"is set beside {json_name(thinking, 'thinking_budget')}: set only one"
        yield Finding((json_name(thinking, "thinking_level"),), fault)


def one_voice(speech: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for the voices of a dialogue beside a single one."""
    if len(set_of(speech, ("voice_config", "multi_speaker_voice_config"))) > 1:
        fault = f"is set beside {json_name(speech, 'voice_config')}: set only one"
        yield Finding((json_name(speech, "multi_speaker_voice_config"),), fault)


def two_speakers(voices: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a dialogue of any number of speakers but two."""
    number = len(get(voices, "speaker_voice_configs"))
    if number not in (0, _SPEAKERS):
        fault = f"has {number} entries: the service asks for exactly {_SPEAKERS}"
        yield Finding((json_name(voices, "speaker_voice_configs"),), fault)
    seen: set[str] = set()
    for index, voice in enumerate(get(voices, "speaker_voice_configs")):
        name: str = get(voice, "speaker")
        if name and name in seen:
            steps = (json_name(voices, "speaker_voice_configs"), index, json_name(voice, "speaker"))
            yield Finding(steps, f"{shown(name)} has a voice already: one entry for each speaker")
        seen.add(name)


def voice_sample(voice: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a recording in another form than the one supported."""
    given: str = get(voice, "mime_type")
    if given not in ("", "audio/wav"):
        fault = f"is {shown(given)}: only audio/wav is supported"
        yield Finding((json_name(voice, "mime_type"),), fault)


def image_size(image: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a size of pictures that there is not."""
    size: str = get(image, "image_size")
    if size and size not in _SIZES:
        fault = f"is {shown(size)}: use one of {', '.join(_SIZES)}"
        yield Finding((json_name(image, "image_size"),), fault)


def aspect_ratio(image: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a ratio of width to height that is none."""
    ratio: str = get(image, "aspect_ratio")
    if ratio and not _ASPECT_RATIO.fullmatch(ratio):
        fault = f"is {shown(ratio)}: expected width to height, such as 16:9"
        yield Finding((json_name(image, "aspect_ratio"),), fault)


def known_ratio(image: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a ratio of width to height that not every model takes."""
    ratio: str = get(image, "aspect_ratio")
    known = context.profile.aspect_ratios
    if _ASPECT_RATIO.fullmatch(ratio) and ratio not in known:
        fault = f"is {shown(ratio)}, which few models take: others take {', '.join(known)}"
        yield Finding((json_name(image, "aspect_ratio"),), fault)


def language(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a language that is no tag of BCP 47."""
    code: str = get(config, "language_code")
    if code and not _LANGUAGE.fullmatch(code):
        fault = f"is {shown(code)}: expected a language tag such as en-US"
        yield Finding((json_name(config, "language_code"),), fault)
