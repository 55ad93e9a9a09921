"""Where streams are read from, and what stays open."""

from __future__ import annotations

import gzip
import io
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

import toolwire
from support.samples import SAMPLES
from support.streams import ARRAY, DELIMITED, FORMATS, LINES, Format, cut, is_open, written
from toolwire import streams, v1

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOOLS = [toolwire.from_dict(v1.Tool, value) for cls, value in SAMPLES.values() if cls is v1.Tool]


class Minimal:
    """A file with nothing but ``read``, which gives less than it is asked for."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def read(self, size: int, /) -> Any:
        piece, self._data = self._data[: min(size, 10)], self._data[min(size, 10) :]
        return piece


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_bytes_come_from_anywhere(form: Format, tmp_path: Path) -> None:
    data = written(form, TOOLS)
    path = tmp_path / "stream"
    path.write_bytes(data)
    with path.open("rb") as file, path.open("rb", buffering=0) as raw:
        sources: list[Any] = [
            *(path, str(path), file, raw, io.BytesIO(data), Minimal(data), [data]),
            *(cut(data, 5), [b"", data, b""], iter([bytearray(data)]), [memoryview(data)]),
        ]
        for source in sources:
            assert list(form.read(v1.Tool, source)) == TOOLS
        assert not file.closed
        assert not raw.closed
    packed = io.BytesIO(gzip.compress(data))
    with gzip.open(packed) as unpacked:
        assert list(form.read(v1.Tool, unpacked)) == TOOLS


@pytest.mark.parametrize("form", [LINES, ARRAY], ids=str)
def test_text_comes_from_anywhere(form: Format, tmp_path: Path) -> None:
    data = written(form, TOOLS)
    text = data.decode()
    path = tmp_path / "stream"
    path.write_bytes(data)
    with path.open(encoding="utf-8") as file:
        for source in (file, io.StringIO(text), Minimal(text), [text], cut(text, 3), ["", text]):
            assert list(form.read(v1.Tool, source)) == TOOLS
        assert not file.closed
    with path.open(encoding="utf-8") as file:
        assert list(form.read(v1.Tool, (line for line in file))) == TOOLS
    path.write_bytes(text.encode("latin-1", "replace"))
    with path.open(encoding="latin-1") as file:
        assert len(list(form.read(v1.Tool, file))) == len(TOOLS)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_a_path_is_open_only_while_it_is_read(form: Format, tmp_path: Path) -> None:
    path = tmp_path / "stream"
    path.write_bytes(written(form, TOOLS))
    ended = form.read(v1.Tool, path)
    assert not is_open(path)
    assert next(ended) == TOOLS[0]
    assert is_open(path)
    assert list(ended) == TOOLS[1:]
    assert not is_open(path)

    closed = form.read(v1.Tool, path)
    next(closed)
    closed.close()
    assert not is_open(path)

    abandoned = form.read(v1.Tool, path)
    next(abandoned)
    assert is_open(path)
    del abandoned
    assert not is_open(path)

    form.read(v1.Tool, path)  # never started
    assert not is_open(path)

    path.write_bytes(b"\x01x" if form is DELIMITED else b"[x]")
    with pytest.raises(toolwire.Error):
        list(form.read(v1.Tool, path))
    assert not is_open(path)


@pytest.mark.parametrize("form", [LINES, DELIMITED], ids=str)
def test_a_pipe_gives_what_has_come(form: Format) -> None:
    receiver, sender = os.pipe()
    with open(receiver, "rb") as source, open(sender, "wb", buffering=0) as pipe:  # noqa: PTH123
        reader = form.read(v1.Tool, source)
        for tool in TOOLS:
            pipe.write(written(form, [tool]))
            assert next(reader) == tool
        pipe.close()
        assert list(reader) == []


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_what_a_file_raises_passes_unchanged(form: Format) -> None:
    packed = gzip.compress(written(form, TOOLS))
    with (
        gzip.open(io.BytesIO(packed[:-9])) as cut,
        pytest.raises(EOFError, match="ended before the end-of-stream marker"),
    ):
        list(form.read(v1.Tool, cut))


def test_a_named_pipe_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=streams.write_json_lines, args=(TOOLS, path))
    writer.start()
    assert list(streams.read_json_lines(v1.Tool, path)) == TOOLS
    writer.join()
    assert not path.is_file()  # it was not replaced by a file


@pytest.mark.parametrize("form", FORMATS, ids=str)
@pytest.mark.parametrize(
    "source", [b"{}", bytearray(b"{}"), memoryview(b"{}"), None, 5, v1.Tool()], ids=type
)
def test_what_is_no_source_is_refused_at_once(form: Format, source: object) -> None:
    with pytest.raises(toolwire.UsageError, match="expected a path, a file or an iterable"):
        form.read(v1.Tool, source)


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_chunks_are_bytes_or_text(form: Format, tmp_path: Path) -> None:
    sources: list[Any] = [[5], [None], [b"", [b""]], Minimal([5])]
    if form is DELIMITED:
        sources += [["text"], io.StringIO("text")]
    for source in sources:
        with pytest.raises(toolwire.UsageError, match="from the source, found "):
            list(form.read(v1.Tool, source))
    with pytest.raises(OSError, match="No such file"):
        list(form.read(v1.Tool, tmp_path / "none"))
    with pytest.raises(OSError, match="directory"):
        list(form.read(v1.Tool, tmp_path))


@pytest.mark.parametrize("cls", [v1.Tool(), int, "Tool", None, v1.Type])
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_what_is_no_message_class_is_refused_at_once(form: Format, cls: object) -> None:
    with pytest.raises(toolwire.UsageError, match="expected a message class"):
        form.read(cls, [])


@pytest.mark.parametrize("form", [LINES, ARRAY], ids=str)
def test_text_that_is_none_is_our_error(form: Format, tmp_path: Path) -> None:
    with pytest.raises(toolwire.JsonError, match="lone surrogate"):
        list(form.read(v1.Tool, ["[\ud800]"]))
    path = tmp_path / "stream"
    path.write_bytes(b"[\xff]")
    with path.open(encoding="utf-8") as file, pytest.raises(toolwire.JsonError, match="not utf-8"):
        list(form.read(v1.Tool, file))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_errors_of_the_caller_pass_through(form: Format) -> None:
    def failing() -> Any:
        yield written(form, TOOLS)[:-1]
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        list(form.read(v1.Tool, failing()))

    def stop(error: Exception) -> None:
        raise KeyError("enough") from error

    bad: Callable[[], bytes] = lambda: b"\x01x" if form is DELIMITED else b"[x]"  # noqa: E731
    with pytest.raises(KeyError, match="enough"):
        list(form.read(v1.Tool, [bad()], on_error=stop))
