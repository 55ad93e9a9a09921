"""No request of any API crashes the server: it answers, or refuses with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.apis import SERVED, module
from support.messages import messages
from support.schema import class_of
from toolwire._apis import APIS

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import MethodType

EXPECTED = {"OK", "INVALID_ARGUMENT", "NOT_FOUND"}
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
RANDOM = settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
MODELS = {
    "v1": "publishers/google/models/gemini-2.5-flash",
    "v1beta1": "publishers/google/models/gemini-2.5-flash",
    "gemini": "models/gemini-2.5-flash",
}
ANY_REQUEST = st.sampled_from(SERVED).flatmap(
    lambda api: st.tuples(st.just(api), messages(module(api).GenerateContentRequest, depth=6))
)
COUNTING = [
    (api, method)
    for api in SERVED
    for service in APIS[api].services()
    for method in service.methods
    if method.name in {"CountTokens", "ComputeTokens"}
]


def path_of(api: str, name: str) -> str:
    for service in APIS[api].services():
        if name in service.methods_by_name:
            return f"/{service.full_name}/{name}"
    raise AssertionError(name)


def outcome(channel: grpc.Channel, path: str, data: bytes) -> str:
    """Makes a call, whose answers are as many as there are, and returns its code."""
    call: grpc.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(path)
    try:
        list(call(data))
    except grpc.RpcError as error:
        failed: Any = error
        return str(failed.code().name)
    return "OK"


def both(channel: grpc.Channel, api: str, request: Message) -> set[str]:
    data = request.SerializeToString()
    names = ("GenerateContent", "StreamGenerateContent")
    return {outcome(channel, path_of(api, name), data) for name in names}


def usable(draw: Any, api: str, request: Any) -> None:
    """Gives a random request what it needs to get past the checks, most of the time."""
    request.model = MODELS[api]
    function = messages(module(api).FunctionDeclaration, depth=6)
    functions: list[Any] = draw(st.lists(function, max_size=2))
    for number, each in enumerate(functions):
        each.name = f"function_{number}"
        each.description = "does something"
    request.ClearField("tools")
    if functions:
        request.tools.add(function_declarations=functions)
    for field in ("tool_config", "contents", "safety_settings", "cached_content"):
        request.ClearField(field)
    request.contents.add(parts=[{"text": draw(st.text(max_size=30)) or "x"}])


@RANDOM
@given(ANY_REQUEST)
def test_any_request(channel: grpc.Channel, made: tuple[str, Message]) -> None:
    assert both(channel, *made) <= EXPECTED


@RANDOM
@given(ANY_REQUEST, st.data())
def test_a_request_that_reaches_the_model(
    channel: grpc.Channel, made: tuple[str, Message], data: st.DataObject
) -> None:
    usable(data.draw, *made)
    assert both(channel, *made) <= EXPECTED


@pytest.mark.parametrize(("api", "method"), COUNTING, ids=lambda each: getattr(each, "name", each))
@RANDOM
@given(st.data())
def test_any_counting(
    channel: grpc.Channel, api: str, method: MethodType, data: st.DataObject
) -> None:
    request: Any = data.draw(messages(class_of(method.input_type), depth=5))
    target = "endpoint" if "endpoint" in request.DESCRIPTOR.fields_by_name else "model"
    setattr(request, target, MODELS[api])
    path = path_of(api, method.name)
    assert outcome(channel, path, request.SerializeToString()) in EXPECTED


@RANDOM
@given(st.sampled_from(SERVED), st.binary(max_size=60))
def test_any_bytes(channel: grpc.Channel, api: str, data: bytes) -> None:
    assert outcome(channel, path_of(api, "GenerateContent"), data) in EXPECTED


@pytest.mark.parametrize("api", SERVED)
def test_hypothesis_gets_past_the_checks(channel: grpc.Channel, api: str) -> None:
    found: set[str] = set()

    @settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
    @given(messages(module(api).GenerateContentRequest, depth=6), st.data())
    def run(request: Message, data: st.DataObject) -> None:
        usable(data.draw, api, request)
        found.update(both(channel, api, request))

    run()
    assert "OK" in found
