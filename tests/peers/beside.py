"""Run in a fresh process: toolwire beside one official module, imported before or after it.

Usage: python beside.py MODULE before|after
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

# The class of each sample in the official package, for those that are built on protobuf.
OFFICIAL = ("google.cloud.aiplatform_v1", "google.cloud.aiplatform_v1beta1")


def main(module: str, order: str) -> None:
    """Imports both in the given order, and compares what they serialise."""
    if order == "before":
        import toolwire.v1  # noqa: PLC0415

        official = importlib.import_module(module)
    else:
        official = importlib.import_module(module)
        import toolwire.v1  # noqa: PLC0415

    tool = toolwire.from_dict(toolwire.v1.Tool, {"retrieval": {"vertexRagStore": {}}})
    assert toolwire.v1.Tool.FromString(tool.SerializeToString()) == tool
    compared = compare(official) if module in OFFICIAL else 0
    print(f"ok, {compared} messages equal" if compared else "ok")


def compare(official: ModuleType) -> int:
    """Builds every sample with both packages, and compares bytes and JSON."""
    import toolwire  # noqa: PLC0415

    sys.path.insert(0, str(Path(__file__).parent.parent))
    from support.samples import SAMPLES  # noqa: PLC0415

    for cls, value in SAMPLES.values():
        ours = toolwire.from_dict(cls, value)
        wrapper: Any = getattr(official, cls.__name__)
        theirs = wrapper.from_json(toolwire.to_json(ours))
        wire = wrapper.pb(theirs).SerializeToString(deterministic=True)
        assert ours.SerializeToString(deterministic=True) == wire
        # Their message, in a class of another pool and wrapped, goes through our functions.
        assert toolwire.to_json(theirs) == toolwire.to_json(ours)
        same_api = wrapper.pb(theirs).DESCRIPTOR.full_name == cls.DESCRIPTOR.full_name
        if same_api and cls.__name__ == "Tool":
            request = {"tools": [theirs]}
            copied = toolwire.from_dict(toolwire.v1.GenerateContentRequest, request)
            assert copied.tools[0] == ours
    return len(SAMPLES)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
