"""The commands; each is thin over a function of the library."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolwire import Error, __version__
from toolwire.cli._group import LazyGroup
from toolwire.cli._show import echo
from toolwire.cli._spelled import on_command_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    F = TypeVar("F", bound=Callable[..., object])


_COMMANDS = {
    "call": "_call:call_command",
    "convert": "_convert:convert_command",
    "declare": "_declare:declare_command",
    "json": "_json:json_command",
    "protoc": "_protoc:protoc_command",
    "validate": "_validate:validate_command",
}
_PROTO_COMMANDS = {
    "diff": "_proto_diff:diff_command",
    "path": "_proto_show:path_command",
    "show": "_proto_show:show_command",
}
_PATIENCE = 0.1  # seconds until somebody looks whether the server is to end
_SETTINGS = {"help_option_names": ["-h", "--help"]}


@click.group(cls=LazyGroup, lazy=_COMMANDS, context_settings=_SETTINGS)
@click.version_option(__version__)
def toolwire() -> None:
    """Work with the Tool part of Google's generative APIs."""


def _connection(command: F) -> F:
    """Adds the options that say which server to call."""
    options = (
        click.option("--target", metavar="HOST:PORT", help="Call this server."),
        click.option(
            "--root-certificates",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="PEM file of the authority that signed the server's certificate.",
        ),
        click.option("--insecure", is_flag=True, help="Call without TLS."),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            default=20.0,
            show_default=True,
            help="Deadline of each call in seconds.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@toolwire.command(short_help="Hold a tool-calling conversation with a server.")
@_connection
def demo(
    target: str | None, root_certificates: Path | None, insecure: bool, timeout: float
) -> None:
    """Hold a tool-calling conversation, by default with a local server over TLS."""
    from toolwire.cli import _demo  # noqa: PLC0415 - slow to load
    from toolwire.cli._records import read_optional  # noqa: PLC0415 - slow to load

    if target is None:
        if insecure or root_certificates:
            raise click.UsageError("--insecure and --root-certificates go with --target")
        _demo.run_local(timeout=timeout)
        return
    from google.auth.credentials import AnonymousCredentials  # noqa: PLC0415 - slow to load

    from toolwire import Client  # noqa: PLC0415 - loads grpc

    try:
        # No credential goes to whichever server somebody names here.
        with Client(
            project="demo",
            location="us-central1",
            api_endpoint=target,
            credentials=None if insecure else AnonymousCredentials(),  # type: ignore[no-untyped-call]
            root_certificates=read_optional(root_certificates),
            insecure=insecure,
            timeout=timeout,
        ) as client:
            _demo.run(client)
    except Error as error:
        command = click.get_current_context().command
        raise Error(on_command_line(str(error), command, api_endpoint="--target")) from error


@toolwire.command()
@click.option("--tls", is_flag=True, help="Serve with TLS, and print the certificate.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port; a free one by default."
)
def serve(tls: bool, port: int) -> None:
    """Serve a deterministic model on this machine until interrupted."""
    from toolwire.testing import LocalServer  # noqa: PLC0415 - loads grpc

    # An exception would be lost if it came while gRPC calls Python; so each only leaves a note.
    ended: list[int] = []
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda number, _: ended.append(number))
    with LocalServer(tls=tls, port=port) as server:
        echo(server.target)
        if server.root_certificates:
            echo(server.root_certificates.decode())
        while not ended:
            time.sleep(_PATIENCE)
    click.echo("stopped", err=True)


@toolwire.group(cls=LazyGroup, lazy=_PROTO_COMMANDS)
def proto() -> None:
    """Look at schemas, and compare them."""
