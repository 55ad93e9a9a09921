"""The command ``toolwire call``: one call of a model, its answer written as it comes."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolwire import Error, from_dict, from_json, text, to_json
from toolwire._apis import APIS
from toolwire.cli._load import load
from toolwire.cli._show import echo, style

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from google.protobuf.message import Message

    from toolwire.functions import Call, Outcome

_EPILOG = """\b
Exit codes: 0 answered; 1 the call failed, or there is no answer; 2 wrong usage; 3 the answer
was cut off, and why stands on standard error.
"""
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # a terminal would obey these
_WHOLE = frozenset({"STOP", "FINISH_REASON_UNSPECIFIED"})
_CUT_OFF = 3


@dataclass(frozen=True, slots=True)
class _Target:
    """Whom to call, as the options say."""

    api: str
    options: dict[str, Any]


@click.command("call", epilog=_EPILOG)
@click.argument("model", required=False)
@click.argument("prompt", required=False)
@click.option("--request", type=_FILE, help="JSON file with the whole request, in place of PROMPT.")
@click.option(
    "--tool",
    "--tools",
    "tools",
    metavar="FILE|MODULE:NAME",
    multiple=True,
    help="JSON file with tools, or a Python function or Toolbox to run; repeatable.",
)
@click.option(
    "--max-turns",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How often the model may be called, where functions run.",
)
@click.option("--system", metavar="TEXT", help="Instruction for the model.")
@click.option("--json", "as_json", is_flag=True, help="Write the whole response as JSON.")
@click.option("--json-lines", is_flag=True, help="Write each chunk as a line of JSON, as it comes.")
@click.option("--api", default="v1", show_default=True, type=click.Choice(list(APIS)))
@click.option("--project", help="Project; else GOOGLE_CLOUD_PROJECT.")
@click.option("--location", help="Location; else GOOGLE_CLOUD_LOCATION.")
@click.option("--endpoint", metavar="HOST[:PORT]", help="Call this server.")
@click.option("--api-key-file", type=_FILE, help="File with an API key; else GOOGLE_API_KEY.")
@click.option("--root-certificates", type=_FILE, help="PEM file of the authorities to trust.")
@click.option("--insecure", is_flag=True, help="Call without TLS and without a credential.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    help="Seconds that it may last, all in all.",
)
@click.option("--verbose", "-v", is_flag=True, help="Tell of the call on standard error.")
def call_command(
    *,
    model: str | None,
    prompt: str | None,
    request: Path | None,
    tools: Sequence[str],
    max_turns: int,
    system: str | None,
    as_json: bool,
    json_lines: bool,
    verbose: bool,
    **where: Any,
) -> None:
    """Call MODEL with PROMPT, and write its answer as it comes.

    A PROMPT of - is read from standard input. A file for --tool holds a Tool, the declaration of
    a function as "toolwire declare" writes it, or a list of these: calls of these functions are
    shown, and not carried out. MODULE:NAME, such as shop.tools:find_order, is a function or a
    Toolbox, looked for in the current folder, too: its calls are run, and the model goes on with
    the results.
    """
    if (prompt is None) == (request is None):
        raise click.UsageError("expected either a PROMPT or --request")
    if as_json and json_lines:
        raise click.UsageError("--json and --json-lines exclude each other")
    if request is not None and system is not None:
        raise click.UsageError("--system goes with a PROMPT; put it into the request")
    if verbose:
        logging.basicConfig(format="%(message)s")
        logging.getLogger("toolwire").setLevel(logging.DEBUG)
    target = _target(**where)
    built = _build(target, model, prompt, request, system)
    python = [each for each in tools if ":" in each and not Path(each).exists()]
    files = [_file(each) for each in tools if each not in python]
    built.tools.extend(_read_tools(target.api, files))
    code = [load(each, "--tool") for each in python]
    writer = _Writer(as_json=as_json, json_lines=json_lines)
    sys.exit(_loop(target, built, code, max_turns, writer) if code else _run(target, built, writer))


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        what = f"{name!r} is neither a file nor MODULE:NAME"
        raise click.BadParameter(what, param_hint="--tool")
    return path


def _target(  # noqa: PLR0917 - click passes them by name
    api: str,
    project: str | None,
    location: str | None,
    endpoint: str | None,
    api_key_file: Path | None,
    root_certificates: Path | None,
    insecure: bool,
    timeout: float,
) -> _Target:
    if insecure and APIS[api].is_regional:  # a local server takes any
        project, location = project or "local-project", location or "us-central1"
    return _Target(
        api,
        {
            "project": project,
            "location": location,
            "api_endpoint": endpoint,
            "api_key": api_key_file.read_text(errors="replace").strip() if api_key_file else None,
            "root_certificates": root_certificates.read_bytes() if root_certificates else None,
            "insecure": insecure,
            "timeout": timeout,
        },
    )


def _build(
    target: _Target, model: str | None, prompt: str | None, file: Path | None, system: str | None
) -> Any:
    """Makes the request."""
    messages: Any = APIS[target.api].load()
    kind: type[Message] = getattr(messages, "GenerateContentRequest", None) or _no_calls(target.api)
    if file is not None:
        with _named(file):
            built: Any = from_json(kind, file.read_bytes())
    else:
        said = sys.stdin.read() if prompt == "-" else prompt
        built = kind(contents=[{"role": "user", "parts": [{"text": said}]}])
        if system is not None:
            built.system_instruction.parts.add(text=system)
    if model:
        built.model = model
    if not built.model:
        raise click.UsageError("expected a MODEL, or a request that names one")
    return built


def _no_calls(api: str) -> type[Message]:
    raise click.UsageError(f"the API {api} cannot be called")


def _read_tools(api: str, files: Iterable[Path]) -> Iterator[Message]:
    """Yields the tools in files; declarations of functions make up one tool for each file."""
    messages: Any = APIS[api].load()
    for file in files:
        with _named(file):
            try:
                read: Any = json.loads(file.read_bytes())
            except ValueError as error:
                raise Error(f"no JSON: {error}") from None
            items = list[Any](read) if isinstance(read, list) else [read]  # pyright: ignore[reportUnknownArgumentType]
            functions = [item for item in items if _is_declaration(item)]
            yield from (from_dict(messages.Tool, x) for x in items if not _is_declaration(x))
            if functions:
                yield from_dict(messages.Tool, {"functionDeclarations": functions})


def _is_declaration(item: object) -> bool:
    return isinstance(item, dict) and "name" in item  # which no Tool has


@contextlib.contextmanager
def _named(file: Path) -> Generator[None]:
    """Says in an error which file is at fault."""
    try:
        yield
    except Error as error:
        raise Error(f"{file}: {error}") from error


class _Writer:
    """Writes what comes, as the options say."""

    def __init__(self, *, as_json: bool, json_lines: bool) -> None:
        self.as_json = as_json
        self.ending = 0
        self._json_lines = json_lines
        self._written = 0

    def chunk(self, chunk: Any) -> None:
        """Writes a chunk as it comes."""
        if self._json_lines:
            echo(to_json(chunk))
        else:
            self._written += _write(chunk, is_first=not self._written)
        self.ending = _ending(chunk) or self.ending

    def outcome(self, call: Call, outcome: Outcome) -> None:
        """Writes what came of a call."""
        if not self._json_lines and not self.as_json:
            self.line()
            shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", json.dumps(outcome.response))
            echo(f"{style('result', fg='green')}: {call.name} {shown}")

    def whole(self, response: Any) -> None:
        """Writes a whole response as JSON."""
        echo(to_json(response, indent=2))
        self.ending = _ending(response)

    def line(self) -> None:
        """Ends the line that has been begun."""
        if self._written:
            echo("")
        self._written = 0


def _connect(target: _Target) -> Any:
    from toolwire import Client  # noqa: PLC0415 - loads grpc

    make: Any = Client
    return make(api=target.api, **target.options)


def _run(target: _Target, request: Any, writer: _Writer) -> int:
    """Makes the call, writes what comes, and returns the exit code."""
    with _connect(target) as client:
        if writer.as_json:
            writer.whole(client.generate_content(request))
            return writer.ending
        with client.stream_generate_content(request) as chunks:
            for chunk in chunks:
                writer.chunk(chunk)
        writer.line()
    return writer.ending


def _loop(
    target: _Target, request: Any, code: Sequence[object], max_turns: int, writer: _Writer
) -> int:
    """Calls the model, and runs what it calls, until it is done; returns the exit code."""
    fields = {field.name: value for field, value in request.ListFields()}
    with _connect(target) as client:
        run = client.run_tools(
            fields.pop("model"),
            fields.pop("contents", ()),
            tools=[*fields.pop("tools", ()), *code],
            max_turns=max_turns,
            on_chunk=None if writer.as_json else writer.chunk,
            after=writer.outcome,
            timeout=target.options["timeout"],
            **fields,
        )
    if writer.as_json:
        writer.whole(run.response)
    else:
        writer.line()
    return writer.ending


def _write(chunk: Any, *, is_first: bool) -> int:
    """Writes what a chunk adds to the answer, and returns how much that was."""
    parts = [part for each in chunk.candidates[:1] for part in each.content.parts]
    said = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text(chunk)) if parts or is_first else ""
    echo(said, end="")
    calls = [part.function_call for part in parts if part.HasField("function_call")]
    for call in calls:
        arguments = to_json(call.args) if call.HasField("args") else "{}"
        before = "" if is_first and not said else "\n"
        echo(f"{before}{style('call', fg='green')}: {call.name} {arguments}", end="")
        is_first = False
    return len(said) + len(calls)


def _ending(response: Any) -> int:
    """Tells on standard error why an answer was cut off."""
    for candidate in response.candidates[:1]:
        field = candidate.DESCRIPTOR.fields_by_name["finish_reason"]
        known = field.enum_type.values_by_number.get(candidate.finish_reason)
        name = known.name if known else str(candidate.finish_reason)
        if name not in _WHOLE:
            echo(f"cut off: {name}", err=True)
            return _CUT_OFF
    return 0
