"""The command ``toolwire protoc``."""

from __future__ import annotations

from pathlib import Path

import click

from toolwire._words import counted
from toolwire.codegen import compile_protos

_EPILOG = """\b
FILES are paths, import paths, or folders that stand for all .proto files in
them. They may import
  - the files of toolwire, such as google/cloud/aiplatform/v1/tool.proto,
  - the well-known and common ones: google/protobuf, google/api, google/type
    and google/rpc,
  - one another, and files that Python modules are installed of.

Exit codes: 0 all is compiled; 1 something was bad, and nothing was written; 2 wrong usage.
"""


@click.command("protoc", short_help="Compile .proto files of your own.", epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-I",
    "--proto-path",
    "--proto_path",
    "include",
    multiple=True,
    default=[Path()],
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder that import paths start from, by default this one; repeatable.",
)
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder that goes on Python's path.",
)
@click.option(
    "--root",
    default="",
    metavar="NAME",
    help="Package below --out to put all modules in, such as acme_pb; by default "
    "there is none, and the import path of a file is the name of its module.",
)
def protoc_command(
    files: tuple[Path, ...], include: tuple[Path, ...], out: Path, root: str
) -> None:
    """Compile .proto files of your own, which may import those of toolwire.

    Writes messages, gRPC stubs and type stubs. The folder they are in is replaced as a whole, and
    may hold nothing else: it is --out, or with --root the package below it.
    """
    made = compile_protos(files, out, include=include, root=root)
    if made.warnings:
        click.echo(made.warnings, err=True)
    kinds = {"message": made.messages, "service": made.services}
    found = [counted(number, noun) for noun, number in kinds.items() if number]
    click.echo(
        f"{_relative(made.folder)}: {counted(made.files, 'file')} "
        f"from {counted(len(made.sources), '.proto file')} ({', '.join(found) or 'options only'})"
    )


def _relative(folder: Path) -> Path:
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
