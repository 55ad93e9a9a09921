"""The rooms of the client: imports go one way, and gRPC is known in the last of them alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import toolwire
from support.processes import run_python

PACKAGE = Path(toolwire.__file__).parent / "_client"
# A module may import from its own room, or from those before it; "" is the package itself.
PURE = ["", "endpoints", "credentials", "errors", "requests", "calls", "tool_loop"]
ROOMS = [*PURE, "channels", "blocking", "aio"]
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return "/".join(path.relative_to(PACKAGE).parts[:-1])


def test_every_room_has_its_place() -> None:
    assert {room_of(path) for path in MODULES} == set(ROOMS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    allowed = ROOMS[: ROOMS.index(room_of(path)) + 1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("toolwire._client."):
            room, *module = str(node.module).split(".")[2:]
            # `from toolwire._client.room import _module` has no module behind the room.
            assert (room if module or room in ROOMS else "") in allowed, f"line {node.lineno}"


def test_what_every_transport_shares_loads_no_grpc() -> None:
    names = [
        ".".join(["toolwire", *path.relative_to(PACKAGE.parent).with_suffix("").parts])
        for path in MODULES
        if room_of(path) in PURE and path.stem != "__init__"
    ]
    code = f"import importlib, sys\nfor name in {names}:\n    importlib.import_module(name)\n"
    code += "print(sorted(name for name in sys.modules if name.split('.')[0] == 'grpc'))\n"
    assert run_python("-c", code) == "[]\n"
