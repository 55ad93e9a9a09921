"""The command ``toolwire call``: one call of a model, its answer written as it comes."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolwire import Error
from toolwire._apis import APIS
from toolwire.cli._call_output import Writer, telling
from toolwire.cli._call_request import (
    Target,
    build_request,
    target_of,
)
from toolwire.cli._call_tools import given_tools, is_code, to_tools
from toolwire.cli._records import check_stdin
from toolwire.cli._show import check_output, echo
from toolwire.cli._spelled import on_command_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
Exit codes: 0 answered; 1 the call failed, or there is no answer; 2 wrong usage; 3 the answer
was cut off, and why stands on standard error.
"""
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_CUT_OFF = 3
_CALLED = [name for name, api in APIS.items() if api.services()]
_ELSEWHERE = {"api_key": "--api-key-file", "api_endpoint": "--endpoint"}


@click.command("call", short_help="Call a model, and write its answer as it comes.", epilog=_EPILOG)
@click.argument("model", required=False)
@click.argument("prompt", required=False)
@click.option(
    "--request",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    help="JSON file with the whole request, in place of PROMPT.",
)
@click.option(
    "--tool",
    "--tools",
    "tools",
    metavar="FILE|MODULE:NAME",
    multiple=True,
    help="JSON file with tools, or a Python function or Toolbox to run, or a tool in Python; "
    "repeatable.",
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
@click.option(
    "--api", default="v1", show_default=True, type=click.Choice(_CALLED), help="The API to call."
)
@click.option("--project", help="Project; else GOOGLE_CLOUD_PROJECT.")
@click.option("--location", help="Location; else GOOGLE_CLOUD_LOCATION.")
@click.option("--endpoint", metavar="HOST[:PORT]", help="Call this server.")
@click.option("--api-key-file", type=_FILE, help="File with an API key; else GOOGLE_API_KEY.")
@click.option("--root-certificates", type=_FILE, help="PEM file of the authorities to trust.")
@click.option("--insecure", is_flag=True, help="Call without TLS and a credential.")
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

    A PROMPT of - is read from standard input, and so is a FILE. A file for --tool holds a Tool,
    the declaration of a function as "toolwire declare" writes it, a tool as MCP, OpenAI or
    Anthropic write it, the JSON Schema of its parameters with its name as "title", a list of
    these, or what MCP answers to tools/list: calls of these functions are shown, and not carried
    out. MODULE:NAME, such as shop.tools:find_order, is the same in Python, or a function or a
    Toolbox, looked for in the current folder, too: calls of the latter are run, and the model
    goes on with the results.
    """
    if (prompt is None) == (request is None):
        raise click.UsageError("expected either a PROMPT or --request")
    if as_json and json_lines:
        raise click.UsageError("--json and --json-lines exclude each other")
    if request is not None and system is not None:
        raise click.UsageError("--system goes with a PROMPT; put it into the request")
    check_stdin([prompt, request, *tools])
    built = build_request(where["api"], model, prompt, request, system)
    target = target_of(built, **where)
    found = [given_tools(each, "--tool") for each in tools]
    for several in found:
        built.tools.extend(to_tools(target.api, several))
    code = [each.found for several in found for each in several if is_code(each.found)]
    check_output()  # before anything is paid for
    writer = Writer(as_json=as_json, json_lines=json_lines)
    with telling(writer) if verbose else contextlib.nullcontext():
        try:
            if code:
                _loop(target, built, code, max_turns, writer)
            else:
                _run(target, built, writer)
        except Error as error:
            command = click.get_current_context().command
            raise Error(on_command_line(str(error), command, **_ELSEWHERE)) from error
        finally:
            writer.line()  # before an error is told
    if writer.ending:
        echo(f"cut off: {writer.ending}", err=True)
        sys.exit(_CUT_OFF)


def _connect(target: Target) -> Any:
    from toolwire import Client  # noqa: PLC0415 - loads grpc

    make: Any = Client
    return make(api=target.api, **target.options)


def _run(target: Target, request: Any, writer: Writer) -> None:
    """Makes the call, and writes what comes."""
    with _connect(target) as client:
        if writer.as_json:
            writer.whole(client.generate_content(request))
            return
        with client.stream_generate_content(request) as chunks:
            for chunk in chunks:
                writer.chunk(chunk)


def _loop(
    target: Target, request: Any, code: Sequence[object], max_turns: int, writer: Writer
) -> None:
    """Calls the model, and runs what it calls, until it is done."""
    fields = {field.name: value for field, value in request.ListFields()}
    with _connect(target) as client:
        run = client.run_tools(
            fields.pop("model"),
            fields.pop("contents", ()),
            tools=[*fields.pop("tools", ()), *code],
            max_turns=max_turns,
            on_chunk=None if writer.as_json else writer.chunk,
            before=writer.before,
            after=writer.outcome,
            timeout=target.options["timeout"],
            **fields,
        )
    if writer.as_json:
        writer.whole(run.response)
