"""The JSON of published pages, each in the API that it belongs to, reads and writes unchanged.

A file is ``API/PAGE/MESSAGE.json``, or ``API/PAGE/MESSAGE.CASE.json``. The pages are the reference
of Vertex AI as it was in 2024, an early one of the Gemini API, the overview of its tools, that of
Firebase's template tools; and every message of v1's tool.proto of May 2025, with every field set.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

import toolwire

if TYPE_CHECKING:
    from google.protobuf.message import Message

HERE = Path(__file__).parent
FILES = sorted(path.relative_to(HERE) for path in HERE.glob("*/*/*.json"))


def class_of(path: Path) -> type[Message]:
    """The class that a file is for; its name may be nested, with capital letters in each part."""
    found: Any = getattr(toolwire, path.parts[0])
    for name in path.stem.split("."):
        if name[0].isupper():
            found = getattr(found, name)
    return cast("type[Message]", found)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_published_form_reads_and_writes_unchanged(path: Path) -> None:
    text = (HERE / path).read_text(encoding="utf-8")
    message = toolwire.from_json(class_of(path), text)
    assert toolwire.to_json(message, indent=2) + "\n" == text


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_published_form_is_what_travels(path: Path) -> None:
    cls = class_of(path)
    message = toolwire.from_json(cls, (HERE / path).read_bytes())
    assert toolwire.from_binary(cls, message.SerializeToString()) == message
