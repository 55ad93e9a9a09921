"""The compiled schema that comes with the package, in the hands of buf."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import toolwire
from support.calls import MODEL
from toolwire import gemini, v1
from toolwire.testing import LocalServer

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.tools

BUF = Path(sys.executable).parent / "buf"
SCHEMA = str(files("toolwire_pb") / "descriptors.binpb")
SERVICE = "google.cloud.aiplatform.v1.PredictionService"
# A request with something of every kind of JSON in it: maps, a Struct, an enum, bytes.
REQUEST = {
    "model": MODEL,
    "contents": [{"role": "user", "parts": [{"text": "Weather in Paris?"}]}],
    "labels": {"team": "a"},
    "tools": [
        {
            "functionDeclarations": [
                {
                    "name": "weather",
                    "parameters": {
                        "type": "OBJECT",
                        "properties": {"city": {"type": "STRING"}},
                        "required": ["city"],
                    },
                }
            ]
        }
    ],
}


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with LocalServer() as server:
        yield server.target


def buf(*arguments: str, data: bytes = b"") -> bytes:
    done = subprocess.run(
        [BUF, *arguments], input=data, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def curl(target: str, method: str, *arguments: str) -> list[dict[str, object]]:
    """Calls a method, and returns what came back, one or a stream."""
    url = f"http://{target}/{SERVICE}/{method}"
    options = ("--protocol", "grpc", "--http2-prior-knowledge", "--data", json.dumps(REQUEST))
    text = buf("curl", *arguments, *options, url).decode()
    decoder, found = json.JSONDecoder(), list[dict[str, object]]()
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


@pytest.mark.parametrize("schema", [(), ("--schema", SCHEMA)], ids=["reflection", "descriptors"])
def test_curl_calls_the_local_server(target: str, schema: tuple[str, ...]) -> None:
    (answer,) = curl(target, "GenerateContent", *schema)
    response = toolwire.from_dict(v1.GenerateContentResponse, answer)
    call = response.candidates[0].content.parts[0].function_call
    assert (call.name, call.args["city"]) == ("weather", "Paris")
    chunks = curl(target, "StreamGenerateContent", *schema)
    assert toolwire.from_dict(v1.GenerateContentResponse, chunks[0]).candidates


def test_the_schema_has_every_service() -> None:
    listed = buf("curl", "--schema", SCHEMA, "--list-services").decode().split()
    assert SERVICE in listed
    assert "google.ai.generativelanguage.v1beta.GenerativeService" in listed


@pytest.mark.parametrize("cls", [v1.Tool, gemini.Tool], ids=["v1", "gemini"])
def test_convert_gives_our_bytes(cls: type[v1.Tool | gemini.Tool]) -> None:
    declaration = {"name": "f", "description": "d", "parameters": {"type": "STRING"}}
    text = json.dumps({"functionDeclarations": [declaration], "codeExecution": {}})
    name = cls.DESCRIPTOR.full_name
    made = buf(
        *("convert", SCHEMA, "--type", name, "--from", "-#format=json", "--to", "-#format=binpb"),
        data=text.encode(),
    )
    assert toolwire.from_binary(cls, made) == toolwire.from_json(cls, text)


def test_the_schema_is_a_whole_image() -> None:
    buf("build", SCHEMA, "-o", "/dev/null")
    buf("breaking", SCHEMA, "--against", SCHEMA)
