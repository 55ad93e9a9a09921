"""Makes the type stubs say what the messages accept at run time.

mypy-protobuf types a message argument as the message class alone. Protobuf takes more: a dict
for a message, a name or a number for an enum, plain Python for Struct, ListValue, Timestamp
and Duration, in constructors and, but for plain messages, in assignments too. What a field is
comes from its descriptor; the syntax tree only says where to write.
"""

from __future__ import annotations

import ast
import io
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from toolwire.codegen._containers import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

_MAPPING = "_abc.Mapping[_builtins.str, _builtins.object]"
_ENUM = "_builtins.str | _builtins.int"

# Messages that are made from plain Python, in a constructor and in an assignment. A tuple for
# a ListValue fails in protobuf itself: hence list, not Sequence.
_PLAIN = {
    ".google.protobuf.Struct": _MAPPING,
    ".google.protobuf.ListValue": "_builtins.list[_typing.Any]",
    ".google.protobuf.Timestamp": "_datetime.datetime",
    ".google.protobuf.Duration": "_datetime.timedelta",
}
_IMPORTS = {
    "_abc.": "from collections import abc as _abc\n",
    "_datetime.": "import datetime as _datetime\n",
}


def widen(text: str, file: FileDescriptorProto) -> str:
    """Widens one ``_pb2.pyi`` stub.

    Args:
        text: The stub as mypy-protobuf wrote it.
        file: The file it was made from.

    Returns:
        The stub with wider constructor arguments and setters.
    """
    edits = _Stub(text).edits(file)
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    anchor = "import builtins as _builtins\n"
    added = "".join(line for use, line in _IMPORTS.items() if use in text and line not in text)
    return text.replace(anchor, added + anchor, 1)


@dataclass(frozen=True, slots=True)
class _Edit:
    """Text to put in place of a range of characters."""

    start: int
    end: int
    text: str


class _Stub:
    """A stub and the places to edit in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = list(io.StringIO(text))  # at line feeds only, as the syntax tree counts
        self._offsets = [0]
        for line in self._lines:
            self._offsets.append(self._offsets[-1] + len(line))

    def edits(self, file: FileDescriptorProto) -> Iterator[_Edit]:
        body = ast.parse(self._text).body
        yield from self._classes(body, file.message_type)
        for node in body:
            if isinstance(node, ast.ClassDef):
                end = self._offsets[node.end_lineno or node.lineno]
                methods = METHODS.get(f"{file.package}.{node.name}", ())
                lines = (f"    {method}  # type: ignore[override]\n" for method in methods)
                yield _Edit(end, end, "".join(lines))

    def _classes(
        self, body: Sequence[ast.stmt], messages: Iterable[DescriptorProto]
    ) -> Iterator[_Edit]:
        by_name = {message.name: message for message in messages}
        for node in body:
            if isinstance(node, ast.ClassDef) and node.name in by_name:
                yield from self._message(node.body, by_name[node.name])

    def _message(self, body: Sequence[ast.stmt], message: DescriptorProto) -> Iterator[_Edit]:
        entries = {entry.name: entry for entry in message.nested_type if entry.options.map_entry}
        yield from self._classes(
            body, (nested for nested in message.nested_type if nested.name not in entries)
        )
        fields = {field.name: field for field in message.field}
        for node, following in zip(body, [*body[1:], None], strict=True):
            match node:
                case ast.FunctionDef(name="__init__"):
                    for argument in node.args.kwonlyargs:
                        yield from self._argument(argument, fields[argument.arg], entries)
                case ast.AnnAssign(target=ast.Name(id=name)) if name in fields:
                    if _is_enum(fields[name]):
                        yield self._enum_property(node, name, following)
                case ast.FunctionDef(name=name) if name in fields and not _repeated(fields[name]):
                    yield from self._accessor(node, fields[name])
                case _:
                    pass

    def _argument(
        self, argument: ast.arg, field: FieldDescriptorProto, entries: dict[str, DescriptorProto]
    ) -> Iterator[_Edit]:
        """Widens one constructor argument, or what its list or map holds."""
        entry = entries.get(field.type_name.rpartition(".")[2]) if _repeated(field) else None
        accepted = constructor_input(entry.field[1] if entry else field)
        if accepted is None or argument.annotation is None:
            return
        element = argument.annotation
        if isinstance(element, ast.BinOp):  # X | None
            element = element.left
        if _repeated(field) and isinstance(element, ast.Subscript):  # Iterable[X], Mapping[K, X]
            element = element.slice
            if isinstance(element, ast.Tuple):
                element = element.elts[-1]
        end = self._offset(element.end_lineno, element.end_col_offset)
        yield _Edit(end, end, f" | {accepted}")

    def _enum_property(self, node: ast.AnnAssign, name: str, following: ast.stmt | None) -> _Edit:
        """Turns an enum attribute into a property whose setter takes names and numbers."""
        indent = " " * node.col_offset
        last: ast.stmt = node
        doc = " ..."
        match following:
            case ast.Expr(value=ast.Constant(value=str())):
                last = following
                text = "".join(self._lines[following.lineno - 1 : following.end_lineno])
                doc = "\n" + textwrap.indent(text, "    ").rstrip("\n") + "\n"
            case _:
                pass
        kind = ast.unparse(node.annotation)
        return _Edit(
            self._offsets[node.lineno - 1],
            self._offsets[last.end_lineno or last.lineno],
            f"{indent}@_builtins.property\n"
            f"{indent}def {name}(self) -> {kind}:{doc}\n"
            f"{indent}@{name}.setter\n"
            f"{indent}def {name}(self, value: {kind} | {_ENUM}) -> None: ...\n",
        )

    def _accessor(self, node: ast.FunctionDef, field: FieldDescriptorProto) -> Iterator[_Edit]:
        """Gives a plain-Python message its setter, and widens the one of a deprecated enum."""
        plain = _PLAIN.get(field.type_name)
        if plain is not None:
            indent = " " * node.col_offset
            end = self._offsets[node.end_lineno or node.lineno]
            yield _Edit(
                end,
                end,
                f"{indent}@{node.name}.setter\n"
                f"{indent}def {node.name}(self, value: {plain}) -> None: ...\n",
            )
        elif _is_enum(field) and len(node.args.args) > 1:
            kind = node.args.args[1].annotation
            if kind is not None:
                end = self._offset(kind.end_lineno, kind.end_col_offset)
                yield _Edit(end, end, f" | {_ENUM}")

    def _offset(self, line: int | None, column: int | None) -> int:
        """Turns a line from 1 and a column in UTF-8 bytes into an index of the text."""
        row = (line or 1) - 1
        return self._offsets[row] + len(self._lines[row].encode()[:column].decode())


def _repeated(field: FieldDescriptorProto) -> bool:
    return field.label == FieldDescriptorProto.LABEL_REPEATED


def _is_enum(field: FieldDescriptorProto) -> bool:
    return field.type == FieldDescriptorProto.TYPE_ENUM


def constructor_input(field: FieldDescriptorProto) -> str | None:
    """Names what a constructor takes for one value of a field beside the value's own type.

    Args:
        field: The field, or the value field of a map's entry.

    Returns:
        A union of types in the stubs' terms, or None where there is nothing else.
    """
    if _is_enum(field):
        return _ENUM
    if field.type not in (FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_GROUP):
        return None
    plain = _PLAIN.get(field.type_name, _MAPPING)
    return plain if plain == _MAPPING else f"{plain} | {_MAPPING}"
