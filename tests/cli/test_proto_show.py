"""``toolwire proto show`` and ``toolwire proto path``, as somebody types them."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from generate import CODEGEN_PYTHON
from toolwire import v1
from toolwire._definitions import Message, describe
from toolwire._definitions._schema import schema
from toolwire.cli._definition import Page
from toolwire.cli._wrap import wrap

TOOLWIRE = Path(sys.executable).parent / "toolwire"


def run(*arguments: str, columns: int = 80) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOLWIRE, "proto", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "COLUMNS": str(columns)},
    )


def test_a_message_reads_well() -> None:
    shown = run("show", "v1.Retrieval")
    assert shown.stderr == ""
    sources = v1.Retrieval.DESCRIPTOR.oneofs_by_name["source"].fields
    others = [field.name for field in sources if not field.name.startswith("vertex_")]
    if others:
        pytest.skip(f"the schema has other sources now: {others}")
    assert shown.stdout == (
        "message google.cloud.aiplatform.v1.Retrieval\n"
        "toolwire.v1.Retrieval, google/cloud/aiplatform/v1/tool.proto\n"
        "\n"
        "Defines a retrieval tool that model can call to access external knowledge.\n"
        "\n"
        "oneof source\n"
        "  one of vertex_ai_search, vertex_rag_store\n"
        "  The source of the retrieval.\n"
        "\n"
        "  vertex_ai_search = 2: VertexAISearch\n"
        "    has presence, JSON vertexAiSearch\n"
        "    Set to use data source powered by Vertex AI Search.\n"
        "\n"
        "  vertex_rag_store = 4: VertexRagStore\n"
        "    has presence, JSON vertexRagStore\n"
        "    Set to use data source powered by Vertex RAG store. User data is uploaded\n"
        "    via the VertexRagDataService.\n"
        "\n"
        "disable_attribution = 3: bool\n"
        "  OPTIONAL, no presence, JSON disableAttribution\n"
        "  deprecated\n"
        "  Optional. Deprecated. This option is no longer supported.\n"
    )


def test_a_service_and_an_enum_read_well() -> None:
    service = run("show", "GenAiCacheService").stdout
    assert "also: v1beta1.GenAiCacheService\n" in service
    assert "host: aiplatform.googleapis.com\nscope: https://" in service
    assert "\nGetCachedContent(GetCachedContentRequest) returns (CachedContent)\n" in service
    assert "  GET /v1/{name=projects/*/locations/*/cachedContents/*}\n" in service
    assert "/cachedContents, body cached_content\n" in service
    enum = run("show", "v1.Type").stdout
    assert enum.startswith("enum google.cloud.aiplatform.v1.Type\ntoolwire.v1.Type, ")
    assert "\n\nSTRING = 1\n  Text. " in enum


def test_json_has_the_same() -> None:
    shown = json.loads(run("show", "v1beta1.Tool", "--json").stdout)
    assert (shown["kind"], shown["python"]) == ("message", "toolwire.v1beta1.Tool")
    assert [8, 8] in shown["reserved"]
    assert {field["name"] for field in shown["fields"]} >= {"retrieval", "url_context"}
    assert all(field["doc"] for field in shown["fields"])


def test_a_name_that_is_not_there_is_wrong_usage() -> None:
    """As it is where --type names it."""
    shown = run("show", "Tol")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.endswith(
        'NAME: no message, enum or service is named "Tol"; did you mean "Tool"?\n'
    )
    assert run("show").returncode == 2


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_every_definition_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    docs = "\n".join(schema().docs.values()).splitlines()
    code = {line.strip() for line in docs if line.startswith(" ")}
    for kind in schema().kinds.values():
        definition = describe(kind)
        lines = [re.sub(r"\x1b\[\d*m", "", line) for line in Page(definition, ()).lines()]
        for line in lines[1:]:
            # A route, a signature and code are not broken, nor is a word.
            kept = re.match(r" *(\w+ = |\w+\(|(scope:|GET|POST|PATCH|DELETE) )", line)
            is_whole = " " not in line.strip() or line.strip() in code
            assert len(line) <= columns or kept or is_whole, line
        if isinstance(definition, Message):
            for field in definition.fields:
                assert any(f"{field.name} = {field.number}: " in line for line in lines)


def test_a_terminal_gets_colour_and_its_own_width() -> None:
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 50, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command: list[str | Path] = [TOOLWIRE, "proto", "show", "v1.FunctionCallingConfig"]
    with subprocess.Popen(
        command, stdout=child, stderr=child, env={**environment, "TERM": "xterm", "NO_COLOR": ""}
    ) as process:
        os.close(child)
        output = b""
        while chunk := _read(parent):
            output += chunk
        assert process.wait(timeout=60) == 0
    os.close(parent)
    text = output.decode()
    assert "\x1b[1m" in text
    lines = re.sub(r"\x1b\[\d*m", "", text).splitlines()
    assert 40 < max(map(len, lines[3:])) <= 50


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the other side is closed
        return b""


def test_lists_and_code_keep_their_shape() -> None:
    text = (
        "First words,\nand more.\n\nA list:\n* one that is\n  long enough\n* two\n"
        "  - nested\n\nCode:\n\n    a = 1\n    b = 2\ndone"
    )
    assert list(wrap(text, 2, 20)) == [
        *("  First words, and", "  more.", "", "  A list:", "  * one that is long", "    enough"),
        *("  * two", "    - nested", "", "  Code:", "", "      a = 1", "      b = 2", "  done"),
    ]


def test_the_path_is_one_for_protoc(tmp_path: Path) -> None:
    folder = run("path").stdout.strip()
    assert Path(folder, "google/cloud/aiplatform/v1/tool.proto").is_file()
    both = run("path", "--all").stdout.strip()
    assert both.split(os.pathsep)[0] == folder
    out = tmp_path / "out.binpb"
    command: list[str | Path] = [CODEGEN_PYTHON, "-m", "grpc_tools.protoc", "-I", both]
    command += [f"-o{out}", "google/cloud/aiplatform/v1/tool.proto"]
    subprocess.run(command, check=True)
    assert out.stat().st_size
