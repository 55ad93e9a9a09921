"""What ``toolwire call`` sends, and to whom: options and files made into a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from toolwire import from_json
from toolwire._apis import APIS
from toolwire._resource_names import location_of
from toolwire.cli._records import as_text, blaming, read_optional, read_stdin, reading

if TYPE_CHECKING:
    from pathlib import Path

    from google.protobuf.message import Message


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
    if insecure and endpoint is None:
        raise click.UsageError("--insecure needs --endpoint: no public host takes plaintext")
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
            "root_certificates": read_optional(root_certificates),
            "insecure": insecure,
            "timeout": timeout,
        },
    )


def _read_key(file: Path) -> str:
    with blaming(file):
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
