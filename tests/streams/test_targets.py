"""Where streams are written to, and what is there after an error."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
import stat
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import toolwire
from support.foreign import Wrapper, foreign
from support.samples import SAMPLES
from support.streams import ARRAY, DELIMITED, FORMATS, LINES, Format, written
from toolwire import streams, v1

if TYPE_CHECKING:
    from collections.abc import Iterator

TOOLS = [toolwire.from_dict(v1.Tool, value) for cls, value in SAMPLES.values() if cls is v1.Tool]


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_paths_and_files(form: Format, tmp_path: Path) -> None:
    data = written(form, TOOLS)
    path = tmp_path / "stream"
    for target in (path, str(path)):
        assert form.write(iter(TOOLS), target) == len(TOOLS)
        assert path.read_bytes() == data
    with path.open("wb") as file:
        form.write(TOOLS[:1], file)
        assert not file.closed
    assert path.read_bytes() == written(form, TOOLS[:1])
    with gzip.open(path, "wb") as packed:
        form.write(TOOLS, packed)
    assert gzip.decompress(path.read_bytes()) == data
    with tempfile.TemporaryFile() as file:
        form.write(TOOLS, file)
        file.seek(0)
        assert file.read() == data
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("form", [LINES, ARRAY], ids=str)
def test_text_files(form: Format, tmp_path: Path) -> None:
    data = written(form, TOOLS)
    text = io.StringIO()
    assert form.write(TOOLS, text) == len(TOOLS)
    assert text.getvalue() == data.decode()
    path = tmp_path / "stream"
    with path.open("w", encoding="utf-16") as file:
        form.write(TOOLS, file)
    assert path.read_text(encoding="utf-16") == data.decode()
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as temporary:
        form.write(TOOLS, temporary)
        temporary.seek(0)
        assert temporary.read() == data.decode()


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_after_an_error_a_path_has_what_it_had(form: Format, tmp_path: Path) -> None:
    def failing() -> Iterator[object]:
        yield from TOOLS
        yield "no message"

    path = tmp_path / "stream"
    with pytest.raises(toolwire.JsonError) as caught:
        form.write(failing(), path)
    assert caught.value.record == len(TOOLS) + 1
    assert str(caught.value) == f"record {len(TOOLS) + 1}: expected a protobuf message, found str"
    assert list(tmp_path.iterdir()) == []
    path.write_text("before")
    with pytest.raises(toolwire.JsonError):
        form.write(failing(), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_a_stream_can_be_written_over_what_it_is_read_from(form: Format, tmp_path: Path) -> None:
    path = tmp_path / "stream"
    many = TOOLS * 500
    assert form.write(many, path) == len(many)
    assert path.stat().st_size > 1 << 17
    assert form.write(form.read(v1.Tool, path), path) == len(many)
    assert list(form.read(v1.Tool, path)) == many


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "stream", tmp_path / "link"
    path.touch(mode=0o640)
    path.chmod(0o640)
    link.symlink_to(path)
    streams.write_json_lines(TOOLS, link)
    assert link.is_symlink()
    assert path.read_bytes() == written(LINES, TOOLS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    mask = os.umask(0o027)
    try:
        streams.write_json_lines(TOOLS, tmp_path / "new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert streams.write_json_lines(TOOLS, os.devnull) == len(TOOLS)
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("form", FORMATS, ids=str)
@pytest.mark.parametrize("target", [None, 5, b"path", [], TOOLS[0]], ids=lambda t: type(t).__name__)
def test_what_is_no_target_is_refused(form: Format, target: object) -> None:
    with pytest.raises(toolwire.UsageError, match="expected a path or a file"):
        form.write(TOOLS, target)


def test_binary_does_not_go_to_text_files() -> None:
    with pytest.raises(toolwire.UsageError, match="expected a binary file"):
        streams.write_delimited(TOOLS, io.StringIO())  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_what_is_no_stream_of_messages_is_refused(form: Format, tmp_path: Path) -> None:
    for wrong in (TOOLS[0], None, 5):
        with pytest.raises(toolwire.UsageError, match="expected an iterable of messages"):
            form.write(wrong, tmp_path / "stream")
    with pytest.raises(toolwire.JsonError, match="record 1: expected a protobuf message"):
        form.write("text", io.BytesIO())
    with pytest.raises(OSError, match="No such file"):
        form.write(TOOLS, tmp_path / "none" / "stream")


def test_json_cannot_express_everything() -> None:
    infinite = v1.FunctionCall(args={"x": float("inf")})
    for write in (streams.write_json_lines, streams.write_json_array):
        with pytest.raises(toolwire.JsonError) as caught:
            write([v1.FunctionCall(), infinite], io.BytesIO())
        assert (caught.value.record, caught.value.path) == (2, 'args["x"]')
        assert str(caught.value).startswith('record 2: args["x"]: ')


@pytest.mark.parametrize("form", [LINES, ARRAY], ids=str)
def test_the_options_of_to_json(form: Format) -> None:
    schema = v1.Schema(type="STRING", min_length=3)
    for options in (
        {},
        {"proto_names": True},
        {"enums_as_ints": True},
        {"include_defaults": True},
    ):
        text = written(form, [schema], **options).decode()
        assert text.strip("[]\n") == toolwire.to_json(schema, **options)  # type: ignore[arg-type]


def test_an_array_has_a_line_for_each_message() -> None:
    assert written(ARRAY, []) == b"[]\n"
    search = v1.Tool(google_search={})
    assert written(ARRAY, [search, search]) == b'[\n{"googleSearch":{}},\n{"googleSearch":{}}\n]\n'
    tools = [*TOOLS, v1.Tool(function_declarations=[{"name": 'a\n  "b"\n'}])]
    trees = [json.loads(toolwire.to_json(tool)) for tool in tools]
    for indent in (0, 1, 4):
        text = written(ARRAY, tools, indent=indent).decode()
        assert json.loads(text) == trees
        if indent:
            assert text == json.dumps(trees, indent=indent, ensure_ascii=False) + "\n"


def test_unknown_fields_cross_from_reader_to_writer(tmp_path: Path) -> None:
    text = '{"functionDeclarations":[{"name":"f","new":1}]}\n{}\n{"newer":{"a":[true]}}\n'
    collector = toolwire.UnknownFields()
    messages = streams.read_json_lines(v1.Tool, [text], unknown=collector)
    assert streams.write_json_lines(messages, tmp_path / "stream", unknown=collector) == 3
    assert (tmp_path / "stream").read_text() == text


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_messages_of_other_pools_and_wrappers(form: Format) -> None:
    theirs = foreign("Tool")
    messages = [theirs.FromString(tool.SerializeToString()) for tool in TOOLS]
    data = written(form, messages)
    assert data == written(form, TOOLS)
    assert written(form, [Wrapper(message) for message in messages]) == data
    read = list(form.read(theirs, [data]))
    assert read == messages
    assert all(type(message) is theirs for message in read)


def test_a_file_that_takes_less_than_it_is_given_gets_all() -> None:
    """As a socket with a timeout does, which nothing buffers."""
    tools = [v1.Tool(function_declarations=[{"name": "f", "description": "x" * 1_000_000}])] * 3
    here, there = socket.socketpair()
    received: list[bytes] = []

    def receive() -> None:
        while piece := there.recv(1 << 16):
            received.append(piece)

    with here, there, here.makefile("wb", buffering=0) as file:
        here.settimeout(60)
        receiver = threading.Thread(target=receive)
        receiver.start()
        assert streams.write_json_lines(tools, file) == 3
        here.shutdown(socket.SHUT_WR)
        receiver.join()
    assert b"".join(received) == written(LINES, tools)


def test_a_file_that_takes_nothing_now_is_an_error() -> None:
    receiver, sender = os.pipe()
    os.set_blocking(sender, False)
    with (
        open(receiver, "rb"),  # noqa: PTH123
        open(sender, "wb", buffering=0) as pipe,  # noqa: PTH123
        pytest.raises(BlockingIOError, match="give it a buffer"),
    ):
        streams.write_json_lines([v1.Tool(google_search={})] * 100_000, pipe)


def test_messages_are_written_as_they_come() -> None:
    file = io.BytesIO()
    sizes: list[int] = []

    def watched() -> Iterator[v1.Tool]:
        for tool in TOOLS:
            sizes.append(len(file.getvalue()))
            yield tool

    streams.write_delimited(watched(), file)
    assert sizes[0] == 0
    assert sizes == sorted(set(sizes))
    assert DELIMITED.read(v1.Tool, [file.getvalue()])
