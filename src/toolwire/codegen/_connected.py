"""Types stubs as ``toolwire.client.stub`` and ``async_stub`` connect them.

Their methods take more than gRPC's own, and have less. Which stub a channel makes is told as
mypy-protobuf tells it for the two of gRPC: by an overload, which a type checker alone reads.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

_ANCHOR = "import grpc as _grpc\n"
_IMPORTS = """\
from toolwire._client.aio import _stubs as _aio_stubs
from toolwire._client.blocking import _stubs as _blocking_stubs
"""
_STUB = re.compile(
    r"^class (?P<name>\w+)Stub:\n"
    r"(?P<doc>(?:(?: {4}.*)?\n)*?)"
    r"(?P<new>(?: {4}@_typing\.overload\n {4}def __new__\(.*\n)+)"
    r"(?P<body>(?:(?: {4}.*)?\n)*)",
    re.MULTILINE,
)
_METHOD = re.compile(
    r"^(?P<start> {4}(?:def )?(?P<name>\w+)(?:\(self\) ->|:) )_grpc\.(?P<kind>\w+)MultiCallable\[",
    re.MULTILINE,
)
_OVERLOAD = (
    "    @_typing.overload\n"
    "    def __new__(cls, channel: {channel}) -> {made}: ...  # type: ignore[misc]\n"
)
_CLASS = '''@_typing.type_check_only
class {made}:
    """``{name}Stub`` as ``toolwire.client.{function}`` connects it."""
'''
_WAYS = (
    ("Connected", "stub", "_blocking_stubs", "StubChannel"),
    ("AsyncConnected", "async_stub", "_aio_stubs", "AsyncStubChannel"),
)


def connect(text: str, file: FileDescriptorProto) -> str:
    """Adds the types of connected stubs to a ``_pb2_grpc.pyi`` stub.

    Args:
        text: The stub as mypy-protobuf wrote it.
        file: The file it was made from.

    Returns:
        The stub, with two more overloads and two more classes for each service.

    Raises:
        DescriptorError: mypy-protobuf has written something else.
    """
    stubs = {stub["name"]: stub["body"] for stub in _STUB.finditer(text)}
    typed = {(name, each["name"]) for name in stubs for each in _METHOD.finditer(stubs[name])}
    wanted = {(each.name, method.name) for each in file.service for method in each.method}
    names = {service.name for service in file.service}
    if stubs.keys() != names or not typed >= wanted or text.count(_ANCHOR) != 1:
        raise DescriptorError(
            f"{file.name}: the types of its gRPC stubs are written in another way: "
            "this version of mypy-protobuf is not known"
        )
    return _STUB.sub(_connected, text).replace(_ANCHOR, _ANCHOR + _IMPORTS)


def _connected(stub: re.Match[str]) -> str:
    name, doc, new, body = stub.group("name", "doc", "new", "body")
    overloads = classes = ""
    methods = f"\n{body.rstrip()}\n" if body.strip() else ""
    for suffix, function, module, channel in _WAYS:
        made = name + suffix
        overloads += _OVERLOAD.format(channel=f"{module}.{channel}", made=made)
        classes += _CLASS.format(name=name, made=made, function=function)
        classes += _METHOD.sub(rf"\g<start>{module}.\g<kind>[", methods) + "\n"
    return f"class {name}Stub:\n{doc}{overloads}{new}{body}{classes}"
