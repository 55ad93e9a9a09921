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
from support.baseline import baseline_classes, broken

if TYPE_CHECKING:
    from google.protobuf.message import Message

HERE = Path(__file__).parent
BASELINE = "tool_proto_2025_05"
FILES = sorted(path.relative_to(HERE) for path in HERE.glob("*/*/*.json"))


def class_of(path: Path) -> type[Message]:
    """The class that a file is for; its name may be nested, with capital letters in each part."""
    found: Any = getattr(toolwire, path.parts[0])
    for name in path.stem.split("."):
        if name[0].isupper():
            found = getattr(found, name)
    return cast("type[Message]", found)


def skip_if_upstream_broke_it(path: Path, text: str) -> None:
    """Leaves out what a later schema reads differently, as `toolwire proto diff` says."""
    old = baseline_classes().get(path.stem) if path.parts[1] == BASELINE else None
    if old is not None and broken(toolwire.from_json(old, text)) & {"json"}:
        pytest.skip("upstream changed it since")


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_published_form_reads_and_writes_unchanged(path: Path) -> None:
    text = (HERE / path).read_text(encoding="utf-8")
    skip_if_upstream_broke_it(path, text)
    message = toolwire.from_json(class_of(path), text)
    assert toolwire.to_json(message, indent=2) + "\n" == text


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_published_form_is_what_travels(path: Path) -> None:
    text = (HERE / path).read_text(encoding="utf-8")
    skip_if_upstream_broke_it(path, text)
    cls = class_of(path)
    message = toolwire.from_json(cls, text)
    assert toolwire.from_binary(cls, message.SerializeToString()) == message
