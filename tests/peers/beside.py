"""Run in a fresh process: toolwire beside one official module, imported before or after it.

Usage: python beside.py MODULE before|after
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

# Our module of the same API. The messages of google.genai are no protobuf.
OURS = {
    "google.cloud.aiplatform_v1": "toolwire.v1",
    "google.cloud.aiplatform_v1beta1": "toolwire.v1beta1",
    "google.ai.generativelanguage_v1beta": "toolwire.gemini",
    "google.genai": "toolwire.gemini",
}


def main(module: str, order: str) -> None:
    """Imports both in the given order, and compares what they serialise."""
    names = (OURS[module], module) if order == "before" else (module, OURS[module])
    loaded = {name: importlib.import_module(name) for name in names}
    ours = loaded[OURS[module]]
    tool = ours.Tool(function_declarations=[{"name": "f", "parameters": {"type": "OBJECT"}}])
    assert ours.Tool.FromString(tool.SerializeToString()) == tool
    compared = compare(ours, loaded[module]) if module != "google.genai" else 0
    print(f"ok, {compared} messages equal" if compared else "ok")


def compare(module: ModuleType, official: ModuleType) -> int:
    """Builds every sample with both packages, and compares bytes and JSON."""
    import toolwire  # noqa: PLC0415

    sys.path.insert(0, str(Path(__file__).parent.parent))
    from support.samples import SAMPLES  # noqa: PLC0415

    for sample, value in SAMPLES.values():
        cls: Any = getattr(module, sample.__name__)
        ours = toolwire.from_dict(cls, value, unknown="ignore")  # a sample has what v1 has
        wrapper: Any = getattr(official, cls.__name__)
        theirs = wrapper.from_json(toolwire.to_json(ours))
        wire = wrapper.pb(theirs).SerializeToString(deterministic=True)
        assert ours.SerializeToString(deterministic=True) == wire
        # Their message, in a class of another pool and wrapped, goes through our functions.
        assert toolwire.to_json(theirs) == toolwire.to_json(ours)
        if cls.__name__ == "Tool":
            copied = toolwire.from_dict(module.GenerateContentRequest, {"tools": [theirs]})
            assert copied.tools[0] == ours
    return len(SAMPLES)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
