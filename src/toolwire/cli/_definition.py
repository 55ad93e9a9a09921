"""Prints a definition of the schema for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._definitions import Enum, Message
from toolwire.cli._show import style
from toolwire.cli._wrap import columns, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolwire._definitions import Definition, Field, Method, Service

_STEP = 2  # spaces of one level
_REFERENCE = re.compile(r"\[([^]\n]+)\]\s?\[([\w.]+)\]")
_STYLES: dict[str, dict[str, str | bool]] = {
    "kind": {"fg": "green"},
    "name": {"bold": True},
    "type": {"fg": "cyan"},
    "fact": {"dim": True},
    "warning": {"fg": "yellow"},
}


class Page:
    """The lines of one definition.

    Args:
        definition: What to print.
        also: What other APIs have by the same name.
    """

    def __init__(self, definition: Definition, also: Sequence[str]) -> None:
        self._definition = definition
        self._also = also
        self._width = columns()
        self._package = f"{definition.name.rpartition('.')[0]}."

    def lines(self) -> Iterator[str]:
        """Yields the lines."""
        definition = self._definition
        kind = type(definition).__name__.lower()
        yield f"{_mark(kind, 'kind')} {_mark(definition.name, 'name')}"
        yield from self._facts(0, definition.python, definition.file)
        yield from self._facts(0, f"also: {', '.join(self._also)}" if self._also else "")
        yield from self._doc(definition.doc, 0, deprecated=definition.deprecated, gap=True)
        if isinstance(definition, Message):
            yield from self._message(definition)
        elif isinstance(definition, Enum):
            yield from self._enum(definition)
        else:
            yield from self._service(definition)

    def _message(self, message: Message) -> Iterator[str]:
        oneofs = {oneof.name: oneof for oneof in message.oneofs}
        for field in message.fields:
            oneof = oneofs.pop(field.oneof, None)
            if oneof:
                yield ""
                members = f"one of {', '.join(oneof.fields)}"
                yield f"{_mark('oneof', 'kind')} {_mark(oneof.name, 'name')}"
                yield from self._facts(_STEP, members)
                yield from self._doc(oneof.doc, _STEP)
            yield from self._field(field)
        if not message.fields:
            yield ""
            yield "no fields"
        yield from self._reserved(message.reserved, message.reserved_names)
        if message.nested:
            yield ""
            names = ", ".join(map(self._short, message.nested))
            yield from wrap(f"nested: {names}", 0, self._width)

    def _field(self, field: Field) -> Iterator[str]:
        indent = _STEP if field.oneof else 0
        kind = self._short(field.type)
        if field.label == "map":
            kind = f"map<{field.key_type}, {kind}>"
        elif field.label == "repeated":
            kind = f"repeated {kind}"
        name = _mark(field.name, "name")
        yield ""
        yield f"{' ' * indent}{name} = {field.number}: {_mark(kind, 'type')}"
        presence = {True: "has presence", False: "no presence", None: ""}[field.has_presence]
        yield from self._facts(
            indent + _STEP,
            *field.behaviors,
            presence,
            f"JSON {field.json_name}" if field.json_name != field.name else "",
            f"default {field.default}" if field.default else "",
            f"names a {field.resource}" if field.resource else "",
        )
        yield from self._doc(field.doc, indent + _STEP, deprecated=field.deprecated)

    def _enum(self, enum: Enum) -> Iterator[str]:
        for value in enum.values:
            yield ""
            yield f"{_mark(value.name, 'name')} = {value.number}"
            yield from self._doc(value.doc, _STEP, deprecated=value.deprecated)
        yield from self._reserved(enum.reserved, enum.reserved_names)

    def _service(self, service: Service) -> Iterator[str]:
        yield ""
        yield f"host: {service.host or 'not in the schema'}"
        for scope in service.scopes:
            yield f"scope: {scope}"
        for method in service.methods:
            yield from self._method(method)

    def _method(self, method: Method) -> Iterator[str]:
        request = "stream " * method.client_streaming + self._short(method.request)
        response = "stream " * method.server_streaming + self._short(method.response)
        yield ""
        yield (
            f"{_mark(method.name, 'name')}({_mark(request, 'type')}) "
            f"returns ({_mark(response, 'type')})"
        )
        yield from self._doc(method.doc, _STEP, deprecated=method.deprecated)
        for route in method.routes:
            # On one line each, to be copied. That a POST sends the whole request needs no word.
            body = f", body {route.body}" if route.body.strip("*") else ""
            yield f"{' ' * _STEP}{_mark(f'{route.verb} {route.path}{body}', 'fact')}"

    def _reserved(self, numbers: Sequence[tuple[int, int]], names: Sequence[str]) -> Iterator[str]:
        parts = [f"{start}" if start == end else f"{start} to {end}" for start, end in numbers]
        parts += [f'"{name}"' for name in names]
        if parts:
            yield ""
            yield f"reserved: {', '.join(parts)}"

    def _facts(self, indent: int, *facts: str) -> Iterator[str]:
        for line in wrap(", ".join(filter(None, facts)), indent, self._width):
            yield _mark(line, "fact")

    def _doc(
        self, doc: str, indent: int, *, deprecated: bool = False, gap: bool = False
    ) -> Iterator[str]:
        if deprecated:
            yield f"{' ' * indent}{_mark('deprecated', 'warning')}"
        if doc and gap:
            yield ""
        yield from wrap(_REFERENCE.sub(self._reference, doc), indent, self._width)

    def _reference(self, match: re.Match[str]) -> str:
        """Spells a reference, such as ``[a call][google.cloud.aiplatform.v1.FunctionCall]``."""
        label, target = match[1], self._short(match[2])
        return label if target.endswith(label) else f"{label} ({target})"

    def _short(self, name: str) -> str:
        """A name as it reads in the definition's own package."""
        return name.removeprefix(self._package)


def _mark(text: str, role: str) -> str:
    return style(text, **_STYLES[role])
