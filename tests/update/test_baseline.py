"""What was valid under the file that this project began with is still read.

Later updates may break more; then `toolwire proto diff` must have said so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

import toolwire
from support.baseline import baseline_classes, baseline_files
from support.fill import filled
from toolwire import v1
from toolwire._schema_diff import compare, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

PACKAGE = "google.cloud.aiplatform.v1"


@pytest.fixture(scope="module")
def broken() -> dict[str, frozenset[str]]:
    """Full name of each message or field that changed since, to what that breaks."""
    found = compare(baseline_files(), load("builtin:v1"))
    return {finding.path: finding.consequences for finding in found}


def today_class(name: str) -> type[Message] | None:
    found: Any = v1
    for part in name.split("."):
        found = getattr(found, part, None)
    return cast("type[Message] | None", found)


def parts(cls: type[Message]) -> Iterator[Message]:
    """A message with every field set, and one for each field."""
    whole = filled(cls)
    yield whole
    for field, _ in whole.ListFields():
        part = cls()
        part.CopyFrom(whole)
        for other, _ in whole.ListFields():
            if other.name != field.name:
                part.ClearField(other.name)
        yield part


@pytest.mark.parametrize("name", baseline_classes())
def test_what_was_valid_is_still_read(name: str, broken: dict[str, frozenset[str]]) -> None:
    old, new = baseline_classes()[name], today_class(name)
    if new is None:
        assert f"{PACKAGE}.{name}" in broken
        return
    for message in parts(old):
        touched = {kind for field in fields(message) for kind in broken.get(field, ())}
        text, wire = toolwire.to_json(message), message.SerializeToString(deterministic=True)
        if "json" not in touched:
            assert toolwire.to_json(toolwire.from_json(new, text)) == text
        read = toolwire.from_binary(new, wire)
        assert old.FromString(read.SerializeToString()) == message  # an unknown field stays
        if not touched & {"wire", "json"}:
            assert toolwire.to_json(read) == text


def fields(message: Message) -> Iterator[str]:
    """Full names of all fields that are set, at any level."""
    for field, value in message.ListFields():
        yield field.full_name
        if field.message_type is not None and not field.is_repeated:
            yield from fields(value)
        elif field.message_type is not None:
            items = value.values() if hasattr(value, "values") else value
            for item in items:
                if hasattr(item, "ListFields"):
                    yield from fields(item)
