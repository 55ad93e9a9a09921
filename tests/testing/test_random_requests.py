"""No request crashes the server: it answers, or refuses with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.calls import MODEL
from support.messages import messages
from toolwire import v1

if TYPE_CHECKING:
    from google.protobuf.message import Message

EXPECTED = {"OK", "INVALID_ARGUMENT", "NOT_FOUND"}
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
RANDOM = settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
FUNCTIONS = messages(v1.FunctionDeclaration, depth=6)
REQUESTS = messages(v1.GenerateContentRequest, depth=6)


def outcome(call: Any) -> str:
    try:
        answer: Any = call()
        if hasattr(answer, "__iter__"):
            list(answer)
    except grpc.RpcError as error:
        failed: Any = error
        return str(failed.code().name)
    return "OK"


def usable(draw: Any, request: v1.GenerateContentRequest) -> None:
    """Gives a random request what it needs to get past the checks, most of the time."""
    request.model = MODEL
    functions: list[v1.FunctionDeclaration] = draw(st.lists(FUNCTIONS, max_size=2))
    for number, function in enumerate(functions):
        function.name = f"function_{number}"
    request.ClearField("tools")
    if functions:
        request.tools.add(function_declarations=functions)
    request.ClearField("tool_config")
    request.ClearField("contents")
    request.ClearField("safety_settings")
    request.ClearField("cached_content")
    request.contents.add(parts=[{"text": draw(st.text(max_size=30)) or "x"}])


@RANDOM
@given(REQUESTS)
def test_any_request(stub: v1.grpc.PredictionServiceStub, request_: Message) -> None:
    assert isinstance(request_, v1.GenerateContentRequest)
    assert outcome(lambda: stub.GenerateContent(request_)) in EXPECTED
    assert outcome(lambda: stub.StreamGenerateContent(request_)) in EXPECTED


@RANDOM
@given(REQUESTS, st.data())
def test_a_request_that_reaches_the_model(
    stub: v1.grpc.PredictionServiceStub, request_: Message, data: st.DataObject
) -> None:
    assert isinstance(request_, v1.GenerateContentRequest)
    usable(data.draw, request_)
    assert outcome(lambda: stub.GenerateContent(request_)) in EXPECTED
    assert outcome(lambda: stub.StreamGenerateContent(request_)) in EXPECTED


@RANDOM
@given(messages(v1.CountTokensRequest, depth=5), messages(v1.ComputeTokensRequest, depth=5))
def test_any_counting(
    utility: v1.grpc.LlmUtilityServiceStub, count: Message, compute: Message
) -> None:
    assert isinstance(count, v1.CountTokensRequest)
    assert isinstance(compute, v1.ComputeTokensRequest)
    count.endpoint = compute.endpoint = MODEL
    assert outcome(lambda: utility.CountTokens(count)) in EXPECTED
    assert outcome(lambda: utility.ComputeTokens(compute)) in EXPECTED


@RANDOM
@given(st.binary(max_size=60))
def test_any_bytes(channel: grpc.Channel, data: bytes) -> None:
    path = "/google.cloud.aiplatform.v1.PredictionService/GenerateContent"
    method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
    assert outcome(lambda: method(data)) in EXPECTED


def test_hypothesis_gets_past_the_checks(stub: v1.grpc.PredictionServiceStub) -> None:
    found: set[str] = set()

    @settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
    @given(REQUESTS, st.data())
    def run(request_: Message, data: st.DataObject) -> None:
        assert isinstance(request_, v1.GenerateContentRequest)
        usable(data.draw, request_)
        found.add(outcome(lambda: stub.GenerateContent(request_)))

    run()
    assert "OK" in found
