"""What was valid under the file that this project began with is still read.

Later updates may break more; then `toolwire proto diff` must have said so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

import toolwire
from support.baseline import baseline_classes, broken, changed_since
from support.fill import filled
from toolwire import v1

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

PACKAGE = "google.cloud.aiplatform.v1"


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
def test_what_was_valid_is_still_read(name: str) -> None:
    old, new = baseline_classes()[name], today_class(name)
    if new is None:
        assert f"{PACKAGE}.{name}" in changed_since()
        return
    for message in parts(old):
        touched = broken(message)
        text, wire = toolwire.to_json(message), message.SerializeToString(deterministic=True)
        if "json" not in touched:
            assert toolwire.to_json(toolwire.from_json(new, text)) == text
        read = toolwire.from_binary(new, wire)
        assert old.FromString(read.SerializeToString()) == message  # an unknown field stays
        if not touched & {"wire", "json"}:
            assert toolwire.to_json(read) == text
