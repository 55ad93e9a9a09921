"""What ``toolwire call`` sends, and to whom: options and files made into a request."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import click

from toolwire import Error, from_dict, from_json
from toolwire._apis import APIS
from toolwire._functions._declare import declare
from toolwire._json._kinds import is_object
from toolwire._resource_names import location_of
from toolwire.cli._guess import is_tool_of_others, listed
from toolwire.cli._load import is_code
from toolwire.cli._records import as_text, read_stdin, reading
from toolwire.cli._show import echo, style
from toolwire.cli._sources import read_tree

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from google.protobuf.message import Message

    from toolwire.functions import Declared


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to call.

    Attributes:
        api: Name of the API.
        options: Arguments of the client.
    """

    api: str
    options: dict[str, Any]


def target_of(  # noqa: PLR0917 - click passes them by name
    request: Any,
    api: str,
    project: str | None,
    location: str | None,
    endpoint: str | None,
    api_key_file: Path | None,
    root_certificates: Path | None,
    insecure: bool,
    timeout: float,
) -> Target:
    """Returns whom to call with a request."""
    if insecure and APIS[api].is_regional:  # a local server takes any
        named = filter(None, map(location_of, (request.model, request.cached_content)))
        location = location or next(named, "us-central1")
        project = project or "local-project"
    return Target(
        api,
        {
            "project": project,
            "location": location,
            "api_endpoint": endpoint,
            "api_key": _read_key(api_key_file) if api_key_file else None,
            "root_certificates": root_certificates.read_bytes() if root_certificates else None,
            "insecure": insecure,
            "timeout": timeout,
        },
    )


def _read_key(file: Path) -> str:
    key = file.read_text("utf-8-sig", errors="replace").strip()
    if not key.isascii() or len(key.split()) != 1:
        raise click.BadParameter(f"'{file}' holds no API key", param_hint="--api-key-file")
    return key


def build_request(
    api: str, model: str | None, prompt: str | None, file: Path | None, system: str | None
) -> Any:
    """Returns the request, without the tools that files hold."""
    messages: Any = APIS[api].load()
    kind: type[Message] = messages.GenerateContentRequest
    if file is not None:
        with reading(file) as data:
            built: Any = from_json(kind, data)
    else:
        said = (
            as_text(read_stdin(), "standard input") if prompt == "-" else as_text(prompt, "PROMPT")
        )
        built = kind(contents=[{"role": "user", "parts": [{"text": said}]}])
        if system is not None:
            built.system_instruction.parts.add(text=as_text(system, "--system"))
    if model:
        built.model = as_text(model, "MODEL")
    if not built.model:
        raise click.UsageError("expected a MODEL, or a request that names one")
    return built


def read_tools(api: str, file: Path) -> list[Message]:
    """Returns the tools in a file.

    Raises:
        Error: If there are none.
    """
    return to_tools(api, read_tree(file), str(file))


def to_tools(api: str, given: object, name: str) -> list[Message]:
    """Returns tools, and declarations of functions as one tool behind them.

    Args:
        api: Name of the API.
        given: One of these as JSON, a message or an object of MCP's, a list of them, or what MCP
            answers to whoever asks for its tools; what can be run is left out.
        name: Where they stand, for errors and for what is told of changes.

    Raises:
        Error: If it is none of these.
    """
    messages: Any = APIS[api].load()
    several = listed(given)
    tools: list[Message] = []
    functions: list[Message] = []
    for index, item in enumerate([given] if several is None else several):
        with _named(name if several is None else f"{name}: [{index}]"):
            if is_code(item):
                continue  # it is run, and declared then
            if isinstance(item, messages.Tool):
                tools.append(cast("Message", item))
            elif is_tool_of_others(item):
                functions.append(_declared(api, item, name))
            elif isinstance(item, messages.FunctionDeclaration):
                functions.append(cast("Message", item))
            elif is_object(item) and "name" in item:  # which no Tool has
                functions.append(
                    from_dict(messages.FunctionDeclaration, cast("Mapping[str, object]", item))
                )
            else:
                tools.append(from_dict(messages.Tool, cast("Mapping[str, object]", item)))
    if functions:
        tools.append(messages.Tool(function_declarations=functions))
    return tools


def _declared(api: str, item: object, name: str) -> Message:
    made = cast("Declared[Message]", declare(item, api=api, report=True))
    for change in made.changes:
        echo(f"{name}: {style(change.action, fg='yellow')}: {change}", err=True)
    return made.message


@contextlib.contextmanager
def _named(name: object) -> Generator[None]:
    """Says in an error what is at fault."""
    try:
        yield
    except Error as error:
        raise Error(f"{name}: {error}") from error
