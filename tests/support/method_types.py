"""Writes a program that calls every method of every API in each of its forms, and asserts types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from support.apis import SERVED
from support.field_types import python_of
from toolwire import _rpc
from toolwire._apis import APIS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._descriptor_types import MethodType

_HEAD = f"""# pyright: reportDeprecated=false
from typing import Literal
from typing_extensions import assert_type
from toolwire import {", ".join(SERVED)}
from toolwire.client import (
    AsyncClient, AsyncPager, AsyncSession, AsyncStream, Client, Pager, Session, Stream
)
"""


def program() -> str:
    """The program; two functions for each method."""
    body = "".join(
        line
        for api in SERVED
        for name, method in _rpc.name_methods(APIS[api].services()).items()
        for line in (*_calls(api, name, method, ""), *_calls(api, name, method, "Async"))
    )
    modules = sorted(set(re.findall(r"toolwire_pb[.\w]+_pb2", body)))
    return _HEAD + "".join(f"import {module}\n" for module in modules) + body


def _calls(api: str, name: str, method: MethodType, twin: str) -> Iterator[str]:
    """One function: the call with a message, with a dict, with every argument, with options."""
    opening = _rpc.opening(method)
    taken = (opening and opening.message_type) or method.input_type
    result = _result(method, twin)
    is_awaited = twin and "[" not in result
    call = f"{'await ' if is_awaited else ''}client.{name}"
    named = {_rpc.argument_of(field.name): field.name for field in taken.fields}
    arguments = ", ".join(f"{argument}=request.{field}" for argument, field in named.items())
    yield f"\n\n{'async ' if is_awaited else ''}def check_{api}_{name}_{twin}(\n"
    yield f'    client: {twin}Client[Literal["{api}"]], request: {python_of(taken)}\n) -> None:\n'
    for given in ("request", "{}", arguments):
        yield f"    assert_type({call}({given}), {result})\n"
    options = 'timeout=1, retries=0, metadata=[("k", "v")]'
    yield f"    assert_type({call}(request, {options}), {result})\n"


def _result(method: MethodType, twin: str) -> str:
    """Returns the type of what a call returns, or of what awaiting it does."""
    response = python_of(method.output_type)
    if method.client_streaming:
        return f"{twin}Session[{python_of(method.input_type)}, {response}]"
    if method.server_streaming:
        return f"{twin}Stream[{response}]"
    paging = _rpc.paging(method)
    if paging is not None and paging.items.message_type is not None:
        return f"{twin}Pager[{python_of(paging.items.message_type)}, {response}]"
    return response
