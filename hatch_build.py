"""Build hook: puts the native core of the JSON codec into the wheel where a compiler is there.

Else the wheel is one for every platform, and the Python codec does all the work. The environment
decides: ``TOOLWIRE_PURE=1`` asks for that wheel, ``TOOLWIRE_REQUIRE_COMPILED=1`` refuses it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "scripts"))

import build_native

PLACE = "toolwire/_json"


class NativeCore(BuildHookInterface[Any]):
    """Compiles the core before the wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles into the checkout for an editable install, else into the wheel."""
        if _is_set("TOOLWIRE_PURE"):
            return
        obstacle = build_native.obstacle()
        if obstacle:
            if _is_set("TOOLWIRE_REQUIRE_COMPILED"):
                raise RuntimeError(obstacle)
            self.app.display_warning(f"toolwire without its native core: {obstacle}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version == "editable":
            build_native.build(Path(self.root, "src", PLACE))
            return
        module = build_native.build(Path(tempfile.mkdtemp()))
        build_data["force_include"][str(module)] = f"{PLACE}/{module.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what was compiled, now that it is in the wheel."""
        del version, artifact_path
        for module in map(Path, build_data["force_include"]):
            module.unlink(missing_ok=True)
            module.parent.rmdir()


def _is_set(name: str) -> bool:
    return os.environ.get(name, "") not in {"", "0"}
