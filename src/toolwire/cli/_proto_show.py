"""The commands ``toolwire proto show`` and ``toolwire proto path``."""

from __future__ import annotations

import dataclasses
import json
import os
from importlib.resources import files

import click

from toolwire import DescriptorError, codegen
from toolwire._definitions import describe, find
from toolwire.cli._definition import Page
from toolwire.cli._show import echo


@click.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def show_command(name: str, as_json: bool) -> None:
    """Show a message, enum or service with its documentation.

    NAME is a full name or the end of one, such as Tool, Tool.GoogleSearch, PredictionService or
    google.protobuf.Struct. Of several APIs the first one counts, in the order v1, v1beta1, gemini,
    firebase; the name of an API in front, as in gemini.Tool, chooses another.
    """
    try:
        found = find(name)
    except DescriptorError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from error
    definition = describe(found.kind)
    if as_json:
        kind = type(definition).__name__.lower()
        echo(json.dumps({"kind": kind, **dataclasses.asdict(definition)}, indent=2))
        return
    echo("\n".join(Page(definition, found.also).lines()))


@click.command("path")
@click.option(
    "--all", "everything", is_flag=True, help="Add the folder with google/api, type and rpc."
)
@click.option(
    "--descriptors", is_flag=True, help="Print the file with the compiled schema instead."
)
def path_command(everything: bool, descriptors: bool) -> None:
    """Print the folder with toolwire's .proto files, for protoc's -I.

    With --all also the folder that they import from, in one line as protoc takes it:
    protoc -I "$(toolwire proto path --all)" ...
    """
    if everything and descriptors:
        raise click.UsageError("--all and --descriptors exclude each other")
    if descriptors:
        echo(str(files("toolwire_pb") / "descriptors.binpb"))
        return
    folders = [codegen.proto_folder()]
    if everything:
        folders.append(codegen.common_protos())
    echo(os.pathsep.join(map(str, folders)))
