"""Rules of the generation config: what excludes and what needs each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._rules._rule import Finding, shown
from toolwire._rules._schema import get, is_missing, json_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_PLAIN = ("", "text/plain")
_FORMS = ("text/plain", "application/json", "text/x.enum")
_SCHEMAS = ("response_schema", "response_json_schema", "response_json_schema_ordered")
_MOST_STOPS = 5
_SPEAKERS = 2
_SIZES = ("1K", "2K", "4K")
_ASPECT_RATIO = re.compile(r"[1-9][0-9]*:[1-9][0-9]*")
# What a Live session does not take.
_NOT_LIVE = (*_SCHEMAS, "stop_sequences", "response_logprobs", "logprobs")


def stop_sequences(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for too many stop sequences, and for each empty one."""
    stops: list[str] = list(get(config, "stop_sequences"))
    field = json_name(config, "stop_sequences")
    if len(stops) > _MOST_STOPS:
        yield Finding((field,), f"has {len(stops)} entries: at most {_MOST_STOPS} are allowed")
    for index, stop in enumerate(stops):
        if not stop:
            yield Finding((field, index), "is empty: the reply would end before it begins")


def mime_type(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a form of the reply that there is not."""
    wanted: str = get(config, "response_mime_type")
    if wanted and wanted not in _FORMS:
        fault = f"is {shown(wanted)}: use one of {', '.join(_FORMS)}"
        yield Finding((json_name(config, "response_mime_type"),), fault)


def schema_needs_form(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a schema of a reply that is plain text."""
    if get(config, "response_mime_type") in _PLAIN:
        form = json_name(config, "response_mime_type")
        for name in _set(config, _SCHEMAS):
            fault = f'needs {form} "application/json" or "text/x.enum"'
            yield Finding((json_name(config, name),), fault)


def enum_needs_schema(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a choice without a schema that says among what."""
    if get(config, "response_mime_type") != "text/x.enum":
        return
    given = _set(config, _SCHEMAS)
    field = json_name(config, "response_mime_type")
    if not given:
        yield Finding((field,), "is text/x.enum, which needs a schema with an enum")
    elif given[0] == "response_schema" and not len(get(config, "response_schema").enum):
        steps = (json_name(config, "response_schema"), "enum")
        yield Finding(steps, "is empty, but the reply is to be one of its values")


def logprobs_flag(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a number of tokens to list where none are."""
    if config.HasField("logprobs") and not get(config, "response_logprobs"):
        fault = f"works only with {json_name(config, 'response_logprobs')}"
        yield Finding((json_name(config, "logprobs"),), fault)


def one_amount(thinking: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a level of reasoning beside a budget."""
    if len(_set(thinking, ("thinking_level", "thinking_budget"))) > 1:
        fault = f"is set beside {json_name(thinking, 'thinking_budget')}: set only one"
        yield Finding((json_name(thinking, "thinking_level"),), fault)


def one_voice(speech: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for the voices of a dialogue beside a single one."""
    if len(_set(speech, ("voice_config", "multi_speaker_voice_config"))) > 1:
        fault = f"is set beside {json_name(speech, 'voice_config')}: set only one"
        yield Finding((json_name(speech, "multi_speaker_voice_config"),), fault)


def two_speakers(voices: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a dialogue of any number of speakers but two."""
    number = len(get(voices, "speaker_voice_configs"))
    if number not in (0, _SPEAKERS):
        fault = f"has {number} entries: the service asks for exactly {_SPEAKERS}"
        yield Finding((json_name(voices, "speaker_voice_configs"),), fault)


def voice_sample(voice: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a recording in another form than the one supported."""
    given: str = get(voice, "mime_type")
    if given not in ("", "audio/wav"):
        fault = f"is {shown(given)}: only audio/wav is supported"
        yield Finding((json_name(voice, "mime_type"),), fault)


def image_size(image: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a size of pictures that there is not."""
    size: str = get(image, "image_size")
    if size and size not in _SIZES:
        fault = f"is {shown(size)}: use one of {', '.join(_SIZES)}"
        yield Finding((json_name(image, "image_size"),), fault)


def aspect_ratio(image: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a ratio of width to height that is none."""
    ratio: str = get(image, "aspect_ratio")
    if ratio and not _ASPECT_RATIO.fullmatch(ratio):
        fault = f"is {shown(ratio)}: expected width to height, such as 16:9"
        yield Finding((json_name(image, "aspect_ratio"),), fault)


def live(setup: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for each setting that a Live session does not take."""
    config: Message = get(setup, "generation_config")
    for name in _set(config, _NOT_LIVE):
        steps = (json_name(setup, "generation_config"), json_name(config, name))
        yield Finding(steps, "does not work in a Live session")


def _set(message: Message, names: tuple[str, ...]) -> list[str]:
    """Returns those of some fields that a message type has and a message sets."""
    fields = message.DESCRIPTOR.fields_by_name
    return [name for name in names if name in fields and not is_missing(message, fields[name])]
