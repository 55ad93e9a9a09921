"""The command ``toolwire validate``: the rules that a message breaks."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from toolwire import (
    DescriptorError,
    JsonError,
    UnknownFields,
    Violation,
    from_dict,
    violations,
)
from toolwire._apis import APIS
from toolwire._messages import descriptor_of
from toolwire._paths import parse
from toolwire._rpc import argument_of
from toolwire._rules import described
from toolwire._rules._methods import routed
from toolwire._rules._profile import UNKNOWN, profile_of
from toolwire._types import find_message
from toolwire._words import with_article
from toolwire.cli._message import import_option, imported
from toolwire.cli._records import Unreadable, as_text, check_stdin, named, opened
from toolwire.cli._show import echo, style
from toolwire.cli._validate_report import UNREADABLE, Report, write_json
from toolwire.cli._wrap import echo_wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules import Described
    from toolwire.cli._records import Records

_UNKNOWN = "json.unknown"
_EPILOG = """\
Exit codes: 0 nothing was found, or warnings only; 1 the input was bad, or an error was found, with
--strict also a warning; 2 wrong usage.
"""


@click.command("validate", short_help="Tell which rules messages in JSON break.", epilog=_EPILOG)
@click.argument(
    "files",
    nargs=-1,
    type=click.Path(
        exists=True, dir_okay=False, readable=False, allow_dash=True, path_type=Path
    ),  # one that may not be read is told in the report
)
@click.option(
    "--type",
    "name",
    metavar="NAME",
    help="What FILES hold, such as GenerateContentRequest, or with its API in front, as in "
    "gemini.Tool; else that of each is guessed by its keys.",
)
@click.option("--api", type=click.Choice(list(APIS)), help="The API whose rules hold.")
@click.option(
    "--model",
    metavar="NAME",
    help="Model of the requests in FILES: bodies saved from REST have it in the URL.",
)
@import_option
@click.option("--older", is_flag=True, help="Warn of what only older pages refuse, too.")
@click.option("--strict", is_flag=True, help="Let warnings count as errors.")
@click.option("--rules", is_flag=True, help="List the rules, and read nothing.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def validate_command(
    *,
    files: tuple[Path, ...],
    name: str | None,
    api: str | None,
    model: str | None,
    older: bool,
    strict: bool,
    rules: bool,
    as_json: bool,
) -> None:
    """Tell which rules messages in JSON break, to standard output.

    Each of FILES is the JSON of a message, that of a list of messages, or JSON Lines; - is standard
    input. A message without its API in front of its name is one of --api, by default of v1. With
    --json the output is one object with "violations", a list of "file", "path", "rule", "severity",
    "message" and "source"; for a single file of JSON Lines it is one on a line for each record.
    What the schema does not know is an error, too, of the rule json.unknown; a message or a file
    that cannot be read is one of the rule json.unreadable, and the others are still checked.
    """
    if rules:
        if files or name or model or older or strict:
            raise click.UsageError("--rules takes no FILES, and of the options --api and --json")
        _list(api, as_json=as_json)
        return
    if not files:
        raise click.UsageError("missing argument 'FILES'")
    check_stdin(files)
    cls = None if name is None else _class(name, api)
    report = Report(files, as_json=as_json)
    for file in files:
        _check_file(report, file, cls, api, model, older=older)
    report.end()
    if report.count["error"] or (strict and report.count["warning"]):
        sys.exit(1)


def _class(name: str, api: str | None) -> type[Message]:
    """Finds the class that a name means, in an API where it does not say which."""
    try:
        return find_message(name, imported(), api=None if "." in name else api)
    except DescriptorError as error:
        reason = str(error)
    raise click.BadParameter(reason, param_hint="--type")


def _check_file(
    report: Report,
    file: Path,
    cls: type[Message] | None,
    api: str | None,
    model: str | None,
    *,
    older: bool,
) -> None:
    """Tells what is wrong with the messages in a file, whose class is guessed where it is None."""
    is_known = True
    try:
        with opened(file) as records:
            report.begin(records)
            kind = records.guess(api or "v1") if cls is None else cls
            for number, found in enumerate(_check(records, kind, api, model, older=older)):
                report.add(records, number, found)
                is_known = is_known and all(each.rule != _UNKNOWN for each in found)
    except Unreadable as error:
        report.unreadable(file, error.reason)
        return
    if cls is None and not is_known:
        what = with_article(kind.DESCRIPTOR.full_name)
        report.note(file, f"read as {what}: --type names another")


def _check(
    records: Records, cls: type[Message], api: str | None, model: str | None, *, older: bool
) -> Iterator[list[Violation]]:
    """Yields what is wrong with each message, in their order."""
    unknown = UnknownFields()
    unread: deque[JsonError] = deque()  # those right before the message
    target = "" if model is None else _target(cls, records.file)
    for message in records.messages(cls, unknown, unread.append):
        yield from _unreadable(cls, unread)
        if target:
            setattr(message, target, as_text(model, "--model"))
        broken = violations(message, api, older=older)
        # What is not known is not missing as well.
        known = [found for found in broken if found.path not in unknown]
        yield [*_unknown(cls, unknown), *known]
    yield from _unreadable(cls, unread)


def _unreadable(cls: type[Message], errors: deque[JsonError]) -> Iterator[list[Violation]]:
    """Yields what is wrong with messages that are none, and forgets them."""
    source = f"schema of {cls.DESCRIPTOR.full_name}"
    while errors:
        error = errors.popleft()
        is_placed = error.record is None  # a message by itself has its place in the reason
        place = "" if is_placed else f", at line {error.line}, column {error.column}"
        yield [Violation(error.path, UNREADABLE, "error", error.reason + place, source)]


def _target(cls: type[Message], file: Path) -> str:
    """Returns the field of a request that names the model, and stands in the URL over REST."""
    kind = descriptor_of(cls)
    fields = routed(kind, profile_of(kind) or UNKNOWN)
    target = next((field for field in fields if argument_of(field) == "model"), None)
    if target is None:
        what = with_article(cls.DESCRIPTOR.full_name)
        raise click.UsageError(
            f"--model is for a request to a model, and {named(file)} holds {what}"
        )
    return target


def _unknown(cls: type[Message], unknown: UnknownFields) -> Iterator[Violation]:
    """Yields what the schema does not know of a message, each with the reader's own words."""
    for path, value in unknown.items():
        alone: object = value
        for step in reversed(parse(path)):
            alone = [alone] if isinstance(step, int) else {step: alone}
        reason = "is not in the schema"
        try:
            from_dict(cls, cast("dict[str, object]", alone))
        except JsonError as error:
            reason = error.reason
        yield Violation(path, _UNKNOWN, "error", reason, f"schema of {cls.DESCRIPTOR.full_name}")


def _list(api: str | None, *, as_json: bool) -> None:
    """Lists the rules of an API, or all, to standard output."""
    rules = [rule for rule in described() if api is None or api in rule.severities]
    if api is not None:
        rules = [replace(rule, severities={api: rule.severities[api]}) for rule in rules]
    if as_json:
        write_json("rules", map(asdict, rules))
        return
    for rule in rules:
        echo(style(rule.id, bold=True))
        echo_wrapped(f"  {_where(rule)}: {rule.breaks}", hang=2)
        echo_wrapped(f"  {style(rule.source, dim=True)}", hang=2)


def _where(rule: Described) -> str:
    """Says what a violation is in which API."""
    apis: dict[str, list[str]] = {}
    for api, severity in rule.severities.items():
        apis.setdefault(severity, []).append(api)
    parts = [f"{severity} in {', '.join(names)}" for severity, names in apis.items()]
    return "; ".join(parts) + (", on request" if rule.older else "")
