"""The example of docs/own-protos.md, put together and run as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.processes import run_python
from toolwire.codegen import compile_protos

PAGE = Path(__file__).parent.parent.parent / "docs" / "own-protos.md"
BLOCKS: list[str] = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
TARGET = "127.0.0.1:50051"
_ANY_PORT = 'port = server.add_insecure_port("127.0.0.1:0")'
_FOREVER = "server.wait_for_termination()\n"


def block(sign: str) -> str:
    return next(each for each in BLOCKS if sign in each)


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    """A folder with the page's message and service, compiled into ``gen``."""
    proto = block("package acme.agent.v1;")
    path = tmp_path / proto.split(maxsplit=2)[1]
    path.parent.mkdir(parents=True)
    path.write_text(proto)
    protos = tmp_path / "protos"
    compile_protos([protos], tmp_path / "gen", include=[protos])
    return tmp_path


def test_the_example_does_what_it_says(compiled: Path) -> None:
    server, client = block("server.start()"), block("client.stub")
    program = compiled / "gen" / "program.py"
    assert f'server.add_insecure_port("{TARGET}")' in server
    assert f'"{TARGET}"' in client
    program.write_text(
        server.replace(f'server.add_insecure_port("{TARGET}")', _ANY_PORT).replace(_FOREVER, "")
        + client.replace(f'"{TARGET}"', 'f"127.0.0.1:{port}"')
    )
    assert run_python(program) == (
        '{"tools":[{"functionDeclarations":[{"name":"weather"}]}],"text":"Paris"}\nweather\n'
    )


@pytest.mark.tools
def test_its_client_type_checks_with_the_settings_shown(compiled: Path) -> None:
    (compiled / "client.py").write_text(block("client.stub"))
    settings = block("[tool.mypy]") + 'typeCheckingMode = "strict"\n'  # of pyright, which is last
    (compiled / "pyproject.toml").write_text(settings)
    # Pyright reads no settings where it is given a file.
    for checker in (["mypy", "--strict", "client.py"], ["pyright", "--pythonpath", sys.executable]):
        checked = subprocess.run(
            [Path(sys.executable).parent / checker[0], *checker[1:]],
            cwd=compiled,
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stdout
