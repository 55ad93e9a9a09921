"""Writes the types of the clients' methods: one overload for each way to call each of an API.

The clients find their methods in descriptors when they run. Only a type checker needs to be told
what each takes and returns, so the stub written here is never imported at run time.
"""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, NamedTuple, cast

from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from toolwire import _rpc
from toolwire._annotations import is_required
from toolwire._apis import api_of
from toolwire.codegen._names import HEADER
from toolwire.codegen._oneofs import SCALARS
from toolwire.codegen._spelling import import_lines, python_names
from toolwire.codegen._widen import constructor_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    from toolwire._descriptor_types import FieldType, MessageType, MethodType, ServiceType

_PREAMBLE = '''"""The methods of toolwire's clients, typed; for type checkers only."""

import builtins as _builtins
import datetime as _datetime
import typing as _typing
from collections import abc as _abc

from typing_extensions import TypeVar as _TypeVar

from toolwire._calls import Toolbox as _Toolbox
from toolwire._calls._declared import Item as _Item
from toolwire._calls._hooks import After as _After
from toolwire._calls._hooks import Before as _Before
from toolwire._calls._hooks import BlockingAfter as _BlockingAfter
from toolwire._calls._hooks import BlockingBefore as _BlockingBefore
from toolwire._client.aio._pager import AsyncPager as _AsyncPager
from toolwire._client.aio._session import AsyncSession as _AsyncSession
from toolwire._client.aio._stream import AsyncStream as _AsyncStream
from toolwire._client.blocking._pager import Pager as _Pager
from toolwire._client.blocking._session import Session as _Session
from toolwire._client.blocking._stream import Stream as _Stream
from toolwire._client.tool_loop._transcript import Transcript as _Transcript
from toolwire._client.calls._types import Metadata as _Metadata
'''
_DICT = "_abc.Mapping[_builtins.str, _builtins.object]"
_OPTIONS = (
    "timeout: _builtins.float | None = ...",
    "retries: _builtins.int | None = ...",
    "metadata: _Metadata = ...",
)
_LOOP = "run_tools"  # a method of the clients' own, with the request of this one:
_GENERATE = "generate_content"
_LOOP_OPTIONS = (
    "max_turns: _builtins.int = ...",
    "tool_timeout: _builtins.float | None = ...",
    "threads: _builtins.int = ...",
    "before: _BlockingBefore | None = ...",
    "after: _BlockingAfter | None = ...",
)
# What the readers of requests take beside a message or a mapping of it.
_LOOSE = {
    "google.protobuf.Value": "_builtins.object",
    "google.protobuf.ListValue": "_abc.Iterable[_builtins.object]",
    "google.protobuf.FieldMask": "_builtins.str | _abc.Iterable[_builtins.str]",
    "google.protobuf.Timestamp": "_builtins.str",
    "google.protobuf.Duration": "_builtins.str",
    "google.api.HttpBody": "_builtins.str | _builtins.bytes",
}


class _Call(NamedTuple):
    """One way to call a method."""

    api: str
    parameters: tuple[str, ...]
    method: MethodType


class _Types:
    """What descriptors are in terms of Python types."""

    def __init__(self, files: Iterable[FileDescriptorProto]) -> None:
        self._names = python_names(files)

    def message(self, kind: MessageType) -> str:
        return self._names[kind.full_name]

    def taken(self, field: FieldType) -> str:
        """Returns what a keyword for a field takes."""
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            key, value = kind.fields_by_name["key"], kind.fields_by_name["value"]
            return f"_abc.Mapping[{self._one(key)}, {self._one(value)}]"
        if kind is not None and kind.name == _rpc.TURN:
            return self._turns(kind) if field.is_repeated else self._turn(kind)
        one = self._one(field)
        if not field.is_repeated:
            return one
        turn = _rpc.sole_turn(kind) if kind is not None else None
        if turn is not None and turn.message_type is not None:
            one = f"{one} | {self._piece(turn.message_type)}"
        if kind is not None and kind.name == _rpc.TOOL:
            one = f"{one} | _Item | _Toolbox[{self.message(kind)}]"
        return f"_abc.Iterable[{one}]"

    def _one(self, field: FieldType) -> str:
        proto = FieldDescriptorProto(type=cast("FieldDescriptorProto.Type.ValueType", field.type))
        if field.enum_type is not None:
            return (
                f"{self._names[field.enum_type.full_name]}.ValueType | {constructor_input(proto)}"
            )
        kind = field.message_type
        if kind is None:
            return SCALARS.get(proto.type, "_builtins.int")
        loose = _LOOSE.get(kind.full_name)
        if loose == "_builtins.object":
            return loose
        proto.type_name = f".{kind.full_name}"
        known = (self.message(kind), constructor_input(proto), loose)
        return " | ".join(filter(None, known))

    def _piece(self, kind: MessageType) -> str:
        part = kind.fields_by_name["parts"].message_type
        parts = [self.message(part)] if part is not None else []
        return " | ".join([*parts, self.message(kind), _DICT, "_builtins.str"])

    def _turns(self, kind: MessageType) -> str:
        return f"{self._piece(kind)} | _abc.Iterable[{self._piece(kind)}]"

    def _turn(self, kind: MessageType) -> str:
        part = kind.fields_by_name["parts"].message_type
        parts = [self.message(part)] if part is not None else []
        items = " | ".join([*parts, _DICT, "_builtins.str"])
        return f"{self._piece(kind)} | _abc.Iterable[{items}]"

    def result(self, method: MethodType, prefix: str) -> str:
        """Returns what a method gives, but for what an awaited one adds."""
        response = self.message(method.output_type)
        if method.client_streaming:
            return f"_{prefix}Session[{self.message(method.input_type)}, {response}]"
        if method.server_streaming:
            return f"_{prefix}Stream[{response}]"
        paging = _rpc.paging(method)
        item = paging.items.message_type if paging is not None else None
        return response if item is None else f"_{prefix}Pager[{self.message(item)}, {response}]"

    def transcript(self, method: MethodType) -> str:
        """Returns what a loop over a method gives."""
        turn = method.input_type.fields_by_name["contents"].message_type
        said = self.message(turn) if turn is not None else "_typing.Any"
        return f"_Transcript[{self.message(method.output_type)}, {said}]"


def method_types(
    root: str,
    files: Sequence[FileDescriptorProto],
    own: Sequence[FileDescriptorProto],
    known: Iterable[FileDescriptorProto],
) -> str:
    """Makes the stub that types the clients' methods.

    Args:
        root: The import root, such as ``toolwire_pb``.
        files: Every file that is generated below the root.
        own: Those whose services the clients call.
        known: All that these import, too, each behind what it imports itself.

    Returns:
        The text of the stub.
    """
    types = _Types(files)
    calls = _calls(types, own, known)
    body = '\n_A = _TypeVar("_A", bound=_builtins.str, default=_typing.Literal["v1"])\n'
    body += _class(types, "Methods", "", calls) + _class(types, "AsyncMethods", "Async", calls)
    return HEADER + _PREAMBLE + import_lines(root, files, body) + body


def _services(
    own: Iterable[FileDescriptorProto], known: Iterable[FileDescriptorProto]
) -> Iterator[tuple[str, list[ServiceType]]]:
    """Yields the services of each API, in the order in which a client looks through them."""
    pool = descriptor_pool.DescriptorPool()
    for proto in known:
        pool.Add(proto)
    by_api: dict[str, list[ServiceType]] = {}
    for name in sorted(file.name for file in own):
        file = pool.FindFileByName(name)
        api = api_of(file.package)
        if api is not None:
            by_api.setdefault(api.name, []).extend(file.services_by_name.values())
    yield from by_api.items()


def _calls(
    types: _Types, own: Iterable[FileDescriptorProto], known: Iterable[FileDescriptorProto]
) -> dict[str, list[_Call]]:
    """Returns the ways to call each method, by its name."""
    found: dict[str, list[_Call]] = {}
    for api, services in _services(own, known):
        for name, method in _rpc.name_methods(services).items():
            if name.isidentifier():
                ways = (_ready(types, method), _in_fields(types, method))
                found.setdefault(name, []).extend(_Call(api, way, method) for way in ways)
            if name == _GENERATE:
                loops = (_Call(api, way, method) for way in _loop(types, method))
                found.setdefault(_LOOP, []).extend(loops)
    return dict(sorted(found.items()))


def _loop(types: _Types, method: MethodType) -> Iterator[tuple[str, ...]]:
    """Yields the ways to begin a loop: with a ready request beside the tools, and in fields."""
    chunk = f"_abc.Callable[[{types.message(method.output_type)}], _builtins.object]"
    own = (*_LOOP_OPTIONS, f"on_chunk: {chunk} | None = ...")
    tools = f"tools: {types.taken(method.input_type.fields_by_name['tools'])}"
    for way in (_ready(types, method), _in_fields(types, method)):
        taken = [each for each in way if not each.startswith("tools: ")]
        where = taken.index("*") + 1
        end = len(taken) - len(_OPTIONS)
        yield (*taken[:where], tools, *taken[where:end], *own, *taken[end:])


def _ready(types: _Types, method: MethodType) -> tuple[str, ...]:
    taken = types.message(method.input_type)
    opening = _rpc.opening(method)
    if opening is not None and opening.message_type is not None:
        taken = f"{taken} | {types.message(opening.message_type)}"
    return (f"request: {taken} | {_DICT}", "/", "*", *_OPTIONS)


def _in_fields(types: _Types, method: MethodType) -> tuple[str, ...]:
    opening = _rpc.opening(method)
    if opening is not None and opening.message_type is not None:
        fields = {field.name: field for field in opening.message_type.fields}
        return _parameters(types, fields, ("model",), "model", may_omit=False)
    fields = {field.name: field for field in method.input_type.fields}
    positional = _rpc.positional(method)
    target, patterns = next(iter(_rpc.routing(method).items()), ("", ()))
    for field in _rpc.inner_requests(method.input_type, target):
        if not field.is_repeated and field.message_type is not None:
            inside = {each.name: each for each in field.message_type.fields}
            fields = {**inside, **fields}
    return _parameters(types, fields, positional, target, may_omit=_rpc.is_parent(patterns))


def _parameters(
    types: _Types,
    fields: Mapping[str, FieldType],
    positional: Sequence[str],
    target: str,
    *,
    may_omit: bool,
) -> tuple[str, ...]:
    name = _rpc.argument_of(target)
    first = [name] if target in positional else []
    listed = [each for each in positional if each != target]
    named = [*listed, *(each for each in fields if each not in listed)]
    rest: list[str] = []
    keywords: list[str] = []
    is_open = bool(first) and not may_omit  # parameters without a default come first
    for each in named:
        if each in {target, name, *_rpc.OPTIONS} or keyword.iskeyword(each):
            continue
        field = fields[each]
        needed = is_required(field) and not _rpc.is_mask(field)  # what is set says what to change
        text = f"{each}: {types.taken(field)}" + ("" if needed else " | None = ...")
        if each in listed and (is_open or not needed):
            is_open = is_open and needed
            rest.append(text)
        else:
            keywords.append(text)
    suffix = " | None = ..." if may_omit else ""
    return (*(f"{each}: _builtins.str{suffix}" for each in first), *rest, "*", *keywords, *_OPTIONS)


def _class(types: _Types, name: str, prefix: str, calls: Mapping[str, list[_Call]]) -> str:
    """A class with every method, each for the client of an API that has it."""
    lines = [f"\nclass {name}(_typing.Generic[_A]):\n"]
    for called, ways in calls.items():
        for way in ways:
            result = types.result(way.method, prefix)
            if called == _LOOP:
                result = types.transcript(way.method)
            is_awaited = prefix and (
                called == _LOOP or result == types.message(way.method.output_type)
            )
            parameters = ", ".join((f"self: {name}[_typing.Literal[{way.api!r}]]", *way.parameters))
            if prefix:  # whose hooks may be async
                parameters = parameters.replace("_Blocking", "_")
            lines.append("    @_typing.overload\n")
            lines.append(
                f"    {'async ' if is_awaited else ''}def {called}({parameters}) -> {result}:\n"
                f'        """Calls ``{way.method.full_name}``."""\n'
            )
    return "".join(lines) + ("" if calls else "    ...\n")
