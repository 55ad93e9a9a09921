"""The codecs that the benchmark compares, each behind the same two calls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format

import toolwire
import toolwire_pb
from toolwire import v1

Call = Callable[[], object]
PACKAGE = "google.cloud.aiplatform.v1"
TRIES = 3  # of each measure


@dataclass(frozen=True, slots=True)
class Sample:
    """One message in the forms that the codecs start from."""

    kind: str
    value: Any
    text: str

    @property
    def cls(self) -> Any:
        """Our class of the message."""
        return getattr(v1, self.kind)


def timed(call: Call, repeats: int) -> float:
    """Seconds that one call takes, where so many were made in a row."""
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def best(call: Call, repeats: int) -> float:
    """The least of a few such measures, since whatever else the machine does only adds."""
    return min(timed(call, repeats) for _ in range(TRIES))


def own(sample: Sample) -> tuple[Call, Call]:
    """toolwire, with the codec that this process has."""
    cls, text = sample.cls, sample.text.encode()
    message = toolwire.from_json(cls, text)
    return lambda: toolwire.to_json_bytes(message), lambda: toolwire.from_json(cls, text)


def google_json_format(sample: Sample) -> tuple[Call, Call]:
    """protobuf's own, over the same messages."""
    cls, text = sample.cls, sample.text
    message = json_format.Parse(text, cls())
    return lambda: json_format.MessageToJson(message), lambda: json_format.Parse(text, cls())


def proto_plus(sample: Sample) -> tuple[Call, Call]:
    """google-cloud-aiplatform's classes."""
    from google.cloud import aiplatform_v1  # noqa: PLC0415

    cls = getattr(aiplatform_v1, sample.kind)
    message = cls.from_json(sample.text)
    return lambda: cls.to_json(message), lambda: cls.from_json(sample.text)


def genai(sample: Sample) -> tuple[Call, Call] | None:
    """google-genai's pydantic models, where there is one of that name."""
    from google.genai import types  # noqa: PLC0415

    cls = getattr(types, sample.kind, None)
    if cls is None:
        return None
    model = cls.model_validate_json(sample.text)
    return (
        lambda: model.model_dump_json(by_alias=True, exclude_none=True),
        lambda: cls.model_validate_json(sample.text),
    )


def protobuf_py(sample: Sample) -> tuple[Call, Call]:
    """buf's protobuf-py, in Rust, with classes made from our descriptors."""
    import protobuf  # noqa: PLC0415
    from protobuf import wkt  # noqa: PLC0415
    from protobuf._file_registry import add_file  # noqa: PLC0415

    data = Path(toolwire_pb.__file__).with_name("descriptors.binpb").read_bytes()
    registry = protobuf.Registry()
    for file in wkt.FileDescriptorSet.from_binary(data).file:
        add_file(registry, file, None)
    description: Any = registry.message(f"{PACKAGE}.{sample.kind}")
    cls = description.type
    message = cls.from_json(sample.text)
    to_json = message.to_json  # called within a function, as the others are
    return lambda: to_json(), lambda: cls.from_json(sample.text)  # noqa: PLW0108


def floor(sample: Sample) -> tuple[Call, Call]:
    """What no codec can go below: orjson on the plain value, and upb on the bytes."""
    import orjson  # noqa: PLC0415

    cls, text = sample.cls, sample.text.encode()
    message = toolwire.from_json(cls, text)
    wire = message.SerializeToString()
    return (
        lambda: (orjson.dumps(sample.value), message.SerializeToString()),
        lambda: (orjson.loads(text), cls.FromString(wire)),
    )


class Pure:
    """toolwire's Python codec: in a process of its own, since a process has one codec."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TOOLWIRE_PURE": "1"},
        )

    def timed(self, name: str, direction: str, repeats: int) -> float:
        """Seconds of one call, measured over there."""
        source, target = self._process.stdout, self._process.stdin
        assert source is not None
        assert target is not None
        target.write(json.dumps([name, direction, repeats]) + "\n")
        target.flush()
        return float(source.readline())

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def serve() -> None:
    """Answers ``Pure`` until it closes its end."""
    from corpus import CORPUS  # noqa: PLC0415

    calls = {
        name: own(Sample(kind, value, json.dumps(value))) for name, (kind, value) in CORPUS.items()
    }
    for line in sys.stdin:
        name, direction, repeats = json.loads(line)
        print(best(calls[name][direction == "from"], repeats), flush=True)


if __name__ == "__main__":
    serve()
