"""``toolwire json`` as somebody types it: files, pipes and terminals."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import text_format

import toolwire
from support.samples import SAMPLES
from support.streams import ARRAY, DELIMITED, LINES, written
from toolwire import streams, v1

if TYPE_CHECKING:
    from google.protobuf.message import Message

TOOLWIRE = str(Path(sys.executable).parent / "toolwire")
TOOLS: list[Message] = [
    toolwire.from_dict(cls, value) for cls, value in SAMPLES.values() if cls is v1.Tool
]
SEARCH = '{"googleSearch":{}}'


def run(*arguments: str | Path, data: bytes | str = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [TOOLWIRE, "json", *arguments],
        input=data.encode() if isinstance(data, str) else data,
        capture_output=True,
        check=False,
        timeout=60,
    )


def convert(*arguments: str | Path, data: bytes | str = b"") -> bytes:
    result = run("--type", "Tool", *arguments, data=data)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout


def text_of(message: Message) -> bytes:
    pool: Any = message.DESCRIPTOR.file.pool
    text = text_format.MessageToString(message, as_utf8=True, descriptor_pool=pool)
    return text.encode()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file of every format."""
    data = {
        "one.json": toolwire.to_json_bytes(TOOLS[0], indent=3),
        "one.binpb": TOOLS[0].SerializeToString(),
        "one.pb": TOOLS[0].SerializeToString(),
        "one.txtpb": text_of(TOOLS[0]),
        "many.NDJSON": written(LINES, TOOLS),
        "many.array": written(ARRAY, TOOLS, indent=2),
        "many.delim": written(DELIMITED, TOOLS),
    }
    for name, content in data.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in data}


def test_one_message_goes_from_every_format_to_every_format(files: dict[str, Path]) -> None:
    tool = TOOLS[0]
    expected = {
        "json": toolwire.to_json_bytes(tool) + b"\n",
        "jsonl": toolwire.to_json_bytes(tool) + b"\n",
        "json-array": written(ARRAY, [tool]),
        "binary": tool.SerializeToString(deterministic=True),
        "delimited": written(DELIMITED, [tool]),
        "text": text_of(tool),
    }
    for name in ("one.json", "one.txtpb"):
        assert convert(files[name]) == expected["json"]
    for target, output in expected.items():
        assert convert(files["one.json"], "--to", target) == output
    data = files["one.binpb"].read_bytes()
    assert convert("--from", "binary", data=data) == expected["json"]


def test_streams_go_from_every_format_to_every_format(files: dict[str, Path]) -> None:
    lines = written(LINES, TOOLS)
    assert convert(files["many.NDJSON"]) == lines
    assert convert(files["many.delim"]) == lines
    assert convert(files["many.array"], "--from", "json-array") == lines
    assert convert("-", "--from", "delimited", data=written(DELIMITED, TOOLS)) == lines
    assert convert(files["many.NDJSON"], "--to", "delimited") == written(DELIMITED, TOOLS)
    assert convert(files["many.delim"], "--to", "json-array") == written(ARRAY, TOOLS)
    indented = convert(files["many.delim"], "--to", "json-array", "--indent", "2")
    assert indented == written(ARRAY, TOOLS, indent=2)
    assert convert("--from", "jsonl") == b""


def test_several_files_become_one_stream(files: dict[str, Path]) -> None:
    names = ("one.json", "many.NDJSON", "one.txtpb", "many.delim", "one.pb")
    tools = [TOOLS[0], *TOOLS, TOOLS[0], *TOOLS, TOOLS[0]]
    assert convert(*(files[name] for name in names)) == written(LINES, tools)


def test_the_options_of_to_json() -> None:
    data = '{"functionDeclarations":[{"name":"f","parameters":{"type":"STRING","minLength":"3"}}]}'
    tool = toolwire.from_json(v1.Tool, data)
    options: dict[str, dict[str, Any]] = {
        "--proto-names": {"proto_names": True},
        "--enums-as-ints": {"enums_as_ints": True},
        "--include-defaults": {"include_defaults": True},
        "--indent=4": {"indent": 4},
    }
    for argument, option in options.items():
        assert convert(argument, data=data).decode() == toolwire.to_json(tool, **option) + "\n"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Tool.GoogleSearch", "{}"),
        ("v1.Tool", SEARCH),
        ("google.cloud.aiplatform.v1.Tool", SEARCH),
        ("v1beta1.FunctionCall", '{"name":"f","id":"1"}'),
        ("gemini.Tool", '{"fileSearch":{"retrievalResources":[{"ragStoreName":"s"}]}}'),
        ("firebase.Tool", '{"googleMaps":{"enableWidget":true}}'),
        ("TemplateFunction", '{"name":"f","inputSchema":{"type":"object"}}'),
        ("google.protobuf.Value", '[1,"a"]'),
        ("google.protobuf.Timestamp", '"2026-01-02T03:04:05Z"'),
    ],
)
def test_messages_are_named_in_short_or_in_full(name: str, data: str) -> None:
    assert run("--type", name, data=data).stdout.decode() == f"{data}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--from", "text"], "--type"),
        (["--type", "Tol"], 'no message is named "Tol"; did you mean "Tool"?'),
        (["--type", "Tool", "none.json"], "does not exist"),
        (["--type", "Tool", "."], "is a directory"),
        (["--type", "Tool", "tools.dat"], "use --from"),
        (["--type", "Tool", "--to", "yaml"], "yaml"),
        (["--type", "Tool", "--from", "jsonl", "--to", "json"], "json holds one message"),
        (["--type", "Tool", "--from", "json", "-", "-", "--to", "binary"], "binary holds one"),
        (["--type", "Tool", "-", "-"], "- stands twice"),
        (["--type", "Tool", "--to", "jsonl", "--indent", "2"], "--indent"),
        (["--type", "Tool", "--to", "text", "--indent", "2"], "--indent"),
        (["--type", "Tool", "--to", "binary", "--proto-names"], "--proto-names"),
        (["--type", "Tool", "--max-record", "0"], "--max-record"),
    ],
)
def test_wrong_usage_exits_with_2(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.dat").write_text(SEARCH)
    result = run(*arguments)
    assert result.returncode == 2
    assert said in result.stderr.decode()
    assert "Traceback" not in result.stderr.decode()
    assert result.stdout == b""


BAD = f'{SEARCH}\n\n{{"functionDeclarations":[{{"name":5}}]}}\n{{"x":1}}\n{SEARCH}'
NAME = "functionDeclarations[0].name: expected a string, found the number 5"
PLACES = [
    f"record 2 at line 3, column 1: {NAME}",
    'record 3 at line 4, column 1: x: unknown field "x"',
]


def test_the_first_bad_record_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(BAD)
    result = run("--type", "Tool", path)
    assert result.returncode == 1
    assert result.stdout.decode() == f"{SEARCH}\n"  # what was good before it
    assert result.stderr.decode() == f"error: {path}: {PLACES[0]}\n"


def test_keep_going_leaves_bad_records_out(tmp_path: Path) -> None:
    path, other = tmp_path / "bad.jsonl", tmp_path / "other.json"
    path.write_text(BAD)
    other.write_text("{")
    result = run("--type", "Tool", "--keep-going", path, other, path)
    assert result.returncode == 1
    assert result.stdout.decode() == f"{SEARCH}\n" * 4
    lines = result.stderr.decode().splitlines()
    in_path = [f"error: {path}: {place}" for place in PLACES]
    assert lines[:2] == lines[3:5] == in_path
    assert lines[2].startswith(f"error: {other}: not JSON: ")
    assert lines[5:] == ["5 bad, 4 converted"]
    assert run("--type", "Tool", "--keep-going", data=SEARCH).returncode == 0
    array = run("--type", "Tool", "--from=jsonl", "--to=json-array", "--keep-going", data=BAD)
    assert json.loads(array.stdout) == [{"googleSearch": {}}] * 2
    assert array.stderr.decode().splitlines()[0] == f"error: standard input: {PLACES[0]}"


@pytest.mark.parametrize(
    ("source", "data", "said"),
    [
        ("json", b"", "not JSON: "),
        ("json", b'{"\xff"}', "not UTF-8"),
        ("json", f"[{SEARCH}]".encode(), "use --from json-array"),
        ("json-array", f"[{SEARCH}".encode(), "record 1 at line 1, column 2: the input ends"),
        ("json-array", SEARCH.encode(), "expected an array"),
        ("binary", b"\xff", "not a valid google.cloud.aiplatform.v1.Tool"),
        ("delimited", b"\0\x05\0", "record 2 at byte 1: the input ends after 1 of 5 bytes"),
        ("text", b"nope: 1", 'has no field named "nope" (line 1, column 1)'),
        ("text", b"retrieval {\n disable_attribution: 5 }", "(line 2, column 23)"),
        ("text", b'function_declarations { name: "\xff" }', "not UTF-8: byte 0xff"),
        ("text", b"function_declarations { name: 5 }", "expected string (line 1, column 31)"),
        ("text", b"function_declarations { parameters { type: X } }", "no value named X"),
        ("text", b"retrieval {" * 3000, "not the text format of "),
        (
            "text",
            b"function_declarations { parameters {" + b"items {" * 150 + b"}" * 152,
            "nested more than 100 levels",
        ),
    ],
)
def test_bad_input_is_one_line_and_exits_with_1(source: str, data: bytes, said: str) -> None:
    result = run("--type", "Tool", "--from", source, data=data)
    assert result.returncode == 1
    line = result.stderr.decode()
    assert line.startswith("error: ")
    assert said in line
    assert line.count("\n") == 1


def test_standard_input_is_named_as_a_file_is() -> None:
    for arguments, data in (((), "{"), (("--from", "jsonl"), "[]\n")):
        result = run("--type", "Tool", *arguments, data=data)
        assert result.returncode == 1
        assert result.stderr.startswith(b"error: standard input: ")


def test_marks_of_windows_are_skipped() -> None:
    mark = "\ufeff"
    assert convert(data=mark + SEARCH).decode() == f"{SEARCH}\n"
    lines = f"{mark}{SEARCH}\r\n{SEARCH}\r\n"
    assert convert("--from", "jsonl", data=lines).decode() == f"{SEARCH}\n" * 2
    assert (
        convert("--from", "text", data=f"{mark}google_search {{}}\r\n") == b'{"googleSearch":{}}\n'
    )


def test_unknown_fields_are_not_lost_in_silence() -> None:
    tool = v1.Tool(function_declarations=[{"name": "f", "parameters": {"properties": {"a": {}}}}])
    schema = tool.function_declarations[0].parameters.properties["a"]
    schema.MergeFromString(b"\x98\xbb\x01\x01")
    data = tool.SerializeToString(deterministic=True)
    place = 'functionDeclarations[0].parameters.properties["a"]: field number 2995 is not one of'
    for arguments in (["--from=binary"], ["--from=binary", "--to=text"]):
        result = run("--type", "Tool", *arguments, data=data)
        assert result.returncode == 1
        assert place in result.stderr.decode()
        assert run("--type", "Tool", *arguments, "--ignore-unknown", data=data).returncode == 0
    assert convert("--from=binary", "--to=binary", data=data) == data
    stream = b"\0" + bytes([len(data)]) + data + b"\0"
    result = run("--type", "Tool", "--from=delimited", "--keep-going", data=stream)
    assert result.stdout == b"{}\n{}\n"
    assert result.stderr.decode().startswith(f"error: standard input: record 2: {place}")
    assert convert("--ignore-unknown", data='{"new":1}') == b"{}\n"
    text = "new: 1 google_search {}"
    assert convert("--from=text", "--ignore-unknown", data=text).decode() == f"{SEARCH}\n"


def test_secrets_are_in_the_output_and_in_no_error(tmp_path: Path) -> None:
    secret = b"sk-4f3a9c"
    metadata = v1.GroundingMetadata(google_maps_widget_context_token=secret.decode())
    good, text = toolwire.to_json_bytes(metadata), text_of(metadata)
    named = ("--type", "GroundingMetadata")
    assert secret in run(*named, "--from=text", data=text).stdout
    assert secret in run(*named, "--to=text", data=good).stdout
    quoted = b'"' + secret + b'"'
    assert quoted in good
    assert quoted in text
    bad: dict[str, list[bytes]] = {
        "json": [
            good.replace(quoted, b"[" + quoted + b"]"),
            good.replace(quoted, quoted + secret),
        ],
        "jsonl": [good.replace(quoted, b"{" + quoted + b":1}")],
        "json-array": [b"[" + good[:-3]],
        "binary": [metadata.SerializeToString()[:-1]],
        "delimited": [b"\x7f" + metadata.SerializeToString()],
        "text": [
            text.replace(quoted, other)
            for other in (
                *(secret, b"0x" + secret, b"'" + secret, b'"' + secret + b'\\xff"'),
                *(quoted + b' "\': Enum type " 5', b"[" + quoted + b"]"),
            )
        ],
    }
    for source, documents in bad.items():
        paths = [tmp_path / f"{source}{number}" for number in range(len(documents))]
        for path, document in zip(paths, documents, strict=True):
            path.write_bytes(document)
        result = run(*named, "--from", source, "--keep-going", *paths)
        assert result.returncode == 1
        assert result.stderr.splitlines()[-1] == f"{len(paths)} bad, 0 converted".encode()
        assert secret not in result.stderr


def test_a_record_may_not_be_larger_than_the_limit() -> None:
    for source in ("json", "jsonl", "binary", "text"):
        result = run("--type=Tool", "--from", source, "--max-record=10", data=b" " * 11)
        assert result.returncode == 1
        assert "longer than --max-record, which is 10 bytes" in result.stderr.decode()


def test_a_pipe_that_nobody_reads_ends_it_quietly(tmp_path: Path) -> None:
    path = tmp_path / "many.NDJSON"
    path.write_text(f"{SEARCH}\n" * 100_000)
    for target in ("jsonl", "delimited", "json-array"):
        command = [TOOLWIRE, "json", "--type", "Tool", "--to", target, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.read(1)
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(timeout=60) == 141


def test_a_message_goes_out_when_it_has_come_in() -> None:
    command = [TOOLWIRE, "json", "--type", "Tool", "--from", "jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(f"{SEARCH}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline().decode() == f"{SEARCH}\n"
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_output_that_fails_is_an_error() -> None:
    command = [TOOLWIRE, "json", "--type", "Tool"]
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        result = subprocess.run(
            command, input=SEARCH.encode(), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert result.returncode == 1
    assert result.stderr == b"error: standard output: No space left on device\n"
    closed = f"{TOOLWIRE} json --type Tool"
    for redirection in (">&-", "<&-"):
        result = subprocess.run(
            ["/bin/sh", "-c", f"{closed} {redirection}"],
            input=SEARCH.encode(),
            capture_output=True,
            check=False,
        )
        assert result.returncode == 1
        assert result.stderr.startswith(b"error: standard ")


def test_a_file_is_not_read_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "same.jsonl"
    path.write_text(f"{SEARCH}\n")
    with path.open("ab") as file:
        result = subprocess.run(
            [TOOLWIRE, "json", "--type", "Tool", str(path)],
            stdout=file,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr.decode() == f"error: {path}: the input is the output, too\n"
    assert path.read_text() == f"{SEARCH}\n"


def on_terminal(
    command: list[str], *, stdout: int | None = None, source: Path | None = None
) -> tuple[int, str]:
    """Runs a command with a terminal as standard error, and as output unless there is one."""
    parent, child = pty.openpty()
    with (
        (source or Path(os.devnull)).open("rb") as file,
        subprocess.Popen(
            command, stdin=file, stdout=child if stdout is None else stdout, stderr=child
        ) as process,
    ):
        os.close(child)
        shown = b""
        while True:
            try:
                piece = os.read(parent, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not piece:
                break
            shown += piece
        code = process.wait(timeout=60)
    os.close(parent)
    return code, shown.decode()


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stream that is long enough for a progress bar; a bad record is in it."""
    path = tmp_path_factory.mktemp("long") / "long.delim"
    tool = v1.Tool(function_declarations=[{"name": "f", "description": "x" * 20_000}])
    streams.write_delimited([tool] * 2000, path)
    with path.open("ab") as file:
        file.write(b"\x01\xff")
    return path


def test_progress_is_shown_on_a_terminal(long_file: Path) -> None:
    command: list[str] = [TOOLWIRE, "json", "--type", "Tool", "--from", "delimited"]
    command += ["--to", "delimited", "--keep-going"]
    with Path(os.devnull).open("wb") as nowhere:
        code, shown = on_terminal([*command, str(long_file)], stdout=nowhere.fileno())
        assert code == 1
        assert re.match(r"\r\[[#.]{24}\] +\d+% of 40.0 MB, ", shown)
        # The bar is gone where a message stands, and at the end.
        last = shown.replace("\r\n", "\n").rpartition("\r")[2]
        assert "#" not in last
        assert last.endswith("1 bad, 2000 converted\n")
        redirected = on_terminal(command, stdout=nowhere.fileno(), source=long_file)[1]
        assert "% of 40.0 MB" in redirected


def test_progress_of_a_pipe_has_no_end(long_file: Path) -> None:
    command = [
        *("/bin/sh", "-c", f"cat {long_file} | {TOOLWIRE} json --type Tool --from delimited"),
    ]
    with Path(os.devnull).open("wb") as nowhere:
        shown = on_terminal(command, stdout=nowhere.fileno())[1]
    assert " MB/s" in shown
    assert "%" not in shown


def test_nothing_is_shown_where_nobody_looks(long_file: Path, tmp_path: Path) -> None:
    result = run("--type", "Tool", "--to", "delimited", "--keep-going", long_file)
    assert result.stderr.decode().splitlines()[1:] == ["1 bad, 2000 converted"]
    short = tmp_path / "short.jsonl"
    short.write_text(f"{SEARCH}\n")
    with Path(os.devnull).open("wb") as nowhere:
        command: list[str] = [TOOLWIRE, "json", "--type", "Tool", str(short)]
        assert on_terminal(command, stdout=nowhere.fileno()) == (0, "")
    code, shown = on_terminal(command)
    assert (code, shown) == (0, f"{SEARCH}\r\n")


def test_bytes_do_not_go_to_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(SEARCH)
    for target in ("binary", "delimited"):
        code, shown = on_terminal([TOOLWIRE, "json", "--type", "Tool", "--to", target, str(path)])
        assert code == 2
        assert f"{target} goes to a file or a pipe, not to a terminal" in " ".join(shown.split())


def test_an_interrupt_ends_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    command = [TOOLWIRE, "json", "--type", "Tool", str(pipe)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        with pipe.open("wb", buffering=0) as writer:
            writer.write(f"{SEARCH}\n".encode())
            assert process.stdout.readline().decode() == f"{SEARCH}\n"
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(BrokenPipeError):  # it ended at once
                # Python does not notice a signal that comes just before it reads, but then.
                writer.write(f"{SEARCH}\n".encode())
            assert process.wait(timeout=60) == 1
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize("form", ["json", "jsonl", "json-array"])
def test_what_json_holds_is_guessed(form: str) -> None:
    body = '{"contents":[{"parts":[{"text":"x"}]}]}'
    data = f"[{body}]" if form == "json-array" else body
    result = run("--from", form, data=data)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode() == f"{body}\n"


def test_another_message_is_said_to_look_like_one() -> None:
    result = run("--type", "Tool", data='{"contents":[{"parts":[{"text":"x"}]}]}')
    assert result.returncode == 1
    reason = 'contents: unknown field "contents"; it looks like a GenerateContentRequest'
    assert result.stderr.decode() == f"error: standard input: {reason}\n"
    result = run("--type", "gemini.Content", data='{"googleSearch":{}}')
    assert result.stderr.decode().endswith("; it looks like a Tool\n")
    result = run("--type", "Tool", data='{"googleSearch":1}')
    assert b"looks like" not in result.stderr


def test_memory_does_not_grow_with_the_input() -> None:
    """The most memory of a run over 60 MB is that of a run over one record, and a little."""
    code = (
        "import resource, sys\n"
        "from toolwire.cli import main\n"
        "sys.argv[:] = ['toolwire', 'json', '--type', 'Tool', '--from', 'jsonl', '--to', "
        "'delimited']\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )
    line = toolwire.to_json_bytes(
        v1.Tool(function_declarations=[{"name": "f", "description": "x" * 60_000}])
    )

    def kilobytes(count: int) -> int:
        with subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdin is not None
            assert process.stderr is not None
            for _ in range(count):
                process.stdin.write(line + b"\n")
            process.stdin.close()
            said = process.stderr.read()
            assert process.wait(timeout=60) == 0
        return int(said)

    assert kilobytes(1000) < kilobytes(1) + 10_000


def test_many_processes_may_share_a_pipe(tmp_path: Path) -> None:
    """As in a shell: what one writes in binary the next reads."""
    path = tmp_path / "many.NDJSON"
    path.write_bytes(written(LINES, TOOLS * 200))
    first = subprocess.Popen(
        [TOOLWIRE, "json", "--type", "Tool", "--to", "delimited", str(path)], stdout=subprocess.PIPE
    )
    with first:
        second = subprocess.run(
            [TOOLWIRE, "json", "--type", "Tool", "--from", "delimited"],
            stdin=first.stdout,
            capture_output=True,
            check=False,
            timeout=60,
        )
    assert (first.returncode, second.returncode) == (0, 0)
    assert second.stdout == path.read_bytes()
