"""The command ``toolwire json``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolwire._streams._record import LARGEST
from toolwire.cli._formats import FORMATS, JSON, JSON_LINES, Format, Reading, guess
from toolwire.cli._message import import_option, message_class
from toolwire.cli._output import Output
from toolwire.cli._progress import Progress
from toolwire.cli._records import check_stdin
from toolwire.cli._reformat import Conversion, Input, Writing
from toolwire.cli._show import show_error

if TYPE_CHECKING:
    from google.protobuf.message import Message

_EPILOG = """\b
Formats, and the names of files that they are guessed from:
  json        one message (.json; standard input without --from)
  jsonl       JSON Lines, a message a line (.jsonl, .ndjson)
  json-array  one array of messages
  binary      one message (.binpb, .pb)
  delimited   binary messages, each with its length before it (.delim)
  text        one message in protobuf's text format (.txtpb)

Without --to, one message becomes json, and a stream or several files jsonl. Bytes flow as they
come: memory holds one message.

Exit codes: 0 all is converted; 1 something was bad, or with --keep-going at least one message;
2 wrong usage; 141 nobody reads the output any more.
"""


@click.command("json", short_help="Convert messages between JSON, binary and text.", epilog=_EPILOG)
@click.argument(
    "files",
    nargs=-1,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option(
    "--type",
    "cls",
    metavar="NAME",
    callback=message_class,
    help="Message, such as Tool, Tool.GoogleSearch, gemini.Tool, or a full name; else one of v1, "
    "guessed by the keys of JSON.",
)
@import_option
@click.option("--from", "source", type=click.Choice(list(FORMATS)), help="Format of the input.")
@click.option("--to", "target", type=click.Choice(list(FORMATS)), help="Format of the output.")
@click.option("--indent", type=click.IntRange(min=0, max=16), help="Spaces for each level.")
@click.option("--proto-names", is_flag=True, help="Write snake_case names.")
@click.option("--enums-as-ints", is_flag=True, help="Write numbers of enum values.")
@click.option("--include-defaults", is_flag=True, help="Write unset fields without presence.")
@click.option(
    "--ignore-unknown", is_flag=True, help="Leave out fields that the schema does not know."
)
@click.option("--keep-going", is_flag=True, help="Report bad messages, and leave them out.")
@click.option(
    "--max-record",
    type=click.IntRange(min=1),
    default=LARGEST,
    show_default=True,
    metavar="BYTES",
    help="Refuse longer messages.",
)
def json_command(
    *,
    files: tuple[Path, ...],
    cls: type[Message] | None,
    source: str | None,
    target: str | None,
    indent: int | None,
    proto_names: bool,
    enums_as_ints: bool,
    include_defaults: bool,
    ignore_unknown: bool,
    keep_going: bool,
    max_record: int,
) -> None:
    """Convert messages between JSON, JSON Lines, binary and text, to standard output.

    Reads FILES one after the other, or standard input, as - or where there are none.
    """
    paths = files or (Path("-"),)
    inputs = [_input(path, source) for path in paths]
    if cls is None and not all(one.form.is_json for one in inputs):
        raise click.UsageError("--type is needed for what is no JSON")
    writing = Writing(
        form=_output_form(inputs, target),
        indent=indent,
        proto_names=proto_names,
        enums_as_ints=enums_as_ints,
        include_defaults=include_defaults,
    )
    _check_options(writing)
    check_stdin(paths)
    output = Output()
    if writing.form.is_binary and output.is_terminal():
        raise click.UsageError(f"{writing.form.name} goes to a file or a pipe, not to a terminal")
    progress = Progress(paths)

    def complain(text: str) -> None:
        progress.clear()
        show_error(text)

    conversion = Conversion(
        cls=cls,
        reading=Reading(ignore_unknown, max_record),
        writing=writing,
        output=output,
        progress=progress,
        complain=complain if keep_going else None,
    )
    try:
        conversion.run(inputs)
    finally:
        progress.clear()
    if conversion.bad:
        click.echo(f"{conversion.bad} bad, {conversion.good} converted", err=True)
        sys.exit(1)


def _input(path: Path, source: str | None) -> Input:
    """Finds the format of an input."""
    if str(path) == "-":
        return Input(None, FORMATS[source] if source else JSON)
    form = FORMATS[source] if source else guess(path)
    if form is None:
        raise click.UsageError(f"the name {path.name} does not tell its format: use --from")
    return Input(path, form)


def _output_form(inputs: list[Input], target: str | None) -> Format:
    """Finds the format of the output, and refuses one that cannot hold it."""
    is_stream = len(inputs) > 1 or inputs[0].form.is_stream
    if target is None:
        return JSON_LINES if is_stream else JSON
    form = FORMATS[target]
    if is_stream and not form.is_stream:
        many = ", ".join(name for name, other in FORMATS.items() if other.is_stream)
        raise click.UsageError(f"{form.name} holds one message: for several use --to {many}")
    return form


def _check_options(writing: Writing) -> None:
    """Refuses options that would do nothing."""
    form = writing.form
    if writing.indent is not None and (not form.is_json or form is JSON_LINES):
        raise click.UsageError("--indent is for --to json and json-array")
    if not form.is_json:
        for name in ("proto_names", "enums_as_ints", "include_defaults"):
            if getattr(writing, name):
                raise click.UsageError(f"--{name.replace('_', '-')} is for JSON output")
