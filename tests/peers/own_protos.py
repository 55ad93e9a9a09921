"""Run in a fresh process: a service of somebody's own protos beside google-cloud-aiplatform.

Usage: python own_protos.py before|after
"""

from __future__ import annotations

import importlib
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent.parent / "own_protos"
OFFICIAL = "google.cloud.aiplatform_v1"
GENERATED = "acme.agent.v1.agent_pb2_grpc"


def main(order: str) -> None:
    """Compiles, imports both in the given order, and runs the user's program."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "toolwire", "protoc", "-I", OWN / "protos"]
        subprocess.run([*command, OWN / "protos", "--out", folder], check=True)
        sys.path.insert(0, folder)
        for module in (GENERATED, OFFICIAL) if order == "before" else (OFFICIAL, GENERATED):
            importlib.import_module(module)
        runpy.run_path(str(OWN / "program.py"))
        carry()
    print("ok, served, called, and their Tool in our request")


def carry() -> None:
    """Puts the official package's message into one of the user's."""
    import toolwire  # noqa: PLC0415

    official: Any = importlib.import_module(OFFICIAL)
    own: Any = importlib.import_module("acme.agent.v1.agent_pb2")
    theirs = official.Tool(google_search={})
    request = toolwire.from_dict(own.ChooseRequest, {"tools": [theirs], "text": "Paris"})
    assert request.tools[0].HasField("google_search")


if __name__ == "__main__":
    main(sys.argv[1])
