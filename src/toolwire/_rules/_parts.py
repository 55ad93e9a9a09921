"""Rules of the parts of a turn: that there are some, what they hold, and of files."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from google.protobuf import unknown_fields

from toolwire._message_fields import enum_name, get, json_name
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_MIME_TYPE = re.compile(r"[A-Za-z0-9][\w!#$&^.+-]*/[A-Za-z0-9][\w!#$&^.+-]*( *;.*)?", re.ASCII)
_MEDIA_RANGE = re.compile(r"[a-z]+/\*")
_CLOUD_STORAGE = re.compile(r"gs://[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]/[^\r\n]+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_NO_TIME = (0, 0)
_FINEST = "MEDIA_RESOLUTION_ULTRA_HIGH"


def no_parts(turn: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a turn without parts."""
    if not len(get(turn, "parts")):
        yield Finding((json_name(turn, "parts"),), "is empty: a turn needs at least one part")


def no_data(part: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a part that holds nothing, not even a signature."""
    data = part.DESCRIPTOR.oneofs_by_name.get("data")
    if data is None or part.WhichOneof("data") is not None:
        return
    if getattr(part, "thought_signature", b"") or len(unknown_fields.UnknownFieldSet(part)):
        return  # a field that this schema does not know may be what the part holds
    names = ", ".join(field.json_name for field in data.fields)
    yield Finding((), f"holds nothing: set one of {names}")


def empty_text(part: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a part whose text is empty."""
    is_signed = bool(getattr(part, "thought_signature", b""))
    if part.HasField("text") and not get(part, "text") and not is_signed:
        yield Finding((json_name(part, "text"),), "is empty: leave the part out")


def text_only(instruction: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each part of a system instruction that is no text."""
    if context.field is None or context.field.name != "system_instruction":
        return
    parts: list[Message] = list(get(instruction, "parts"))
    for index, part in enumerate(parts):
        found = part.WhichOneof("data")
        if found not in (None, "text"):
            steps = (json_name(instruction, "parts"), index, json_name(part, str(found)))
            yield Finding(steps, "stands in a system instruction, which takes text only")


def mime_type(file: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a media type that is none."""
    value: str = get(file, "mime_type")
    # Of what lies at an address, such as a film on YouTube, one may know no more than the kind.
    is_range = "file_uri" in file.DESCRIPTOR.fields_by_name and _MEDIA_RANGE.fullmatch(value)
    if value and not is_range and not _MIME_TYPE.fullmatch(value):
        fault = f"is {shown(value)}: expected a media type such as image/png"
        yield Finding((json_name(file, "mime_type"),), fault)


def file_uri(file: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for an address that is none."""
    uri: str = get(file, "file_uri")
    if not uri:
        return
    if uri.lower().startswith("gs:"):
        if not _CLOUD_STORAGE.fullmatch(uri):
            fault = f"is {shown(uri)}: expected gs://{{bucket}}/{{object}}"
            yield Finding((json_name(file, "file_uri"),), fault)
    # An upload to the Gemini API also goes by its bare name.
    elif context.profile.api != "gemini" and not _SCHEME.fullmatch(uri):
        fault = f"is {shown(uri)}: expected a URI such as gs://{{bucket}}/{{object}}"
        yield Finding((json_name(file, "file_uri"),), fault)


def display_names(response: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each file of a function's response with an earlier one's name."""
    seen: set[str] = set()
    parts: list[Message] = list(get(response, "parts"))
    for index, part in enumerate(parts):
        kind = part.WhichOneof("data")
        file: Message | None = get(part, kind) if kind else None
        name: str = getattr(file, "display_name", "")
        if file is not None and name and name in seen:
            steps = (json_name(response, "parts"), index, json_name(part, str(kind)))
            fault = f"{shown(name)} is the name of an earlier file: use each once"
            yield Finding((*steps, json_name(file, "display_name")), fault)
        seen.add(name)


def video_only(part: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a stretch of video in a part whose file is no video."""
    found = _other_than(part, "video") if part.HasField("video_metadata") else ""
    if found:
        yield Finding((json_name(part, "video_metadata"),), f"is set, but the part {found}")


def finest_image(part: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for the finest resolution of a file that is no picture."""
    resolution: Message = get(part, "media_resolution")
    found = _other_than(part, "image") if enum_name(resolution, "level") == _FINEST else ""
    if found:
        steps = (json_name(part, "media_resolution"), json_name(resolution, "level"))
        yield Finding(steps, f"is {_FINEST}, which is for pictures, but the part {found}")


def code_result(turn: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for the result of a program in a turn without a program before it."""
    parts: list[Message] = list(get(turn, "parts"))
    has_code = context.side != "request"  # the chunk of a stream need not have it
    for index, part in enumerate(parts):
        kind = part.WhichOneof("data")
        if kind == "code_execution_result" and not has_code:
            steps = (json_name(turn, "parts"), index, json_name(part, kind))
            yield Finding(steps, "follows no program: send all parts back as they came")
        has_code = has_code or kind == "executable_code"


def json_path(piece: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for the place of a piece of arguments that is no JSONPath."""
    place: str = get(piece, "json_path")
    if place and not place.startswith("$"):
        fault = f"is {shown(place)}: expected a JSONPath such as $.address.lines[0]"
        yield Finding((json_name(piece, "json_path"),), fault)


def video_offsets(video: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a stretch of video that does not end after its start."""
    start, end = (
        _time(video, name) if video.HasField(name) else None
        for name in ("start_offset", "end_offset")
    )
    for name, time in (("start_offset", start), ("end_offset", end)):
        if time is not None and time < _NO_TIME:
            yield Finding((json_name(video, name),), "lies before the beginning of the video")
    if end is not None and (start or _NO_TIME) >= end >= _NO_TIME:
        fault = f"is not after {json_name(video, 'start_offset')}"
        yield Finding((json_name(video, "end_offset"),), fault)


def _other_than(part: Message, wanted: str) -> str:
    """Says what a part holds, if that is known to be no file of the media type wanted."""
    kind = part.WhichOneof("data")
    held: str | None = getattr(get(part, kind), "mime_type", None) if kind else None
    if held is None:
        return f"has no {wanted}"
    return f"is {shown(held)}" if held and not held.startswith(f"{wanted}/") else ""


def _time(video: Message, name: str) -> tuple[int, int]:
    offset = get(video, name)
    return offset.seconds, offset.nanos
