from __future__ import annotations

from support.calls import MODEL, TIME, WEATHER, ask
from toolwire import v1


def test_count_agrees_with_the_usage_of_a_call(
    stub: v1.grpc.PredictionServiceStub, utility: v1.grpc.LlmUtilityServiceStub
) -> None:
    request = ask(
        "How is it in Oslo?", WEATHER, TIME, system_instruction={"parts": [{"text": "Be brief."}]}
    )
    counted = utility.CountTokens(
        v1.CountTokensRequest(
            endpoint=request.model,
            contents=request.contents,
            tools=request.tools,
            system_instruction=request.system_instruction,
        )
    )
    usage = stub.GenerateContent(request).usage_metadata
    assert counted.total_tokens == usage.prompt_token_count
    assert counted.prompt_tokens_details == usage.prompt_tokens_details
    assert counted.total_billable_characters == len("HowisitinOslo?")


def test_count_of_instances(utility: v1.grpc.LlmUtilityServiceStub) -> None:
    request = v1.CountTokensRequest(endpoint=MODEL)
    request.instances.add(struct_value={"prompt": "one two"})
    assert utility.CountTokens(request).total_tokens == 3


def test_compute_lists_tokens_by_part(utility: v1.grpc.LlmUtilityServiceStub) -> None:
    contents = [
        {"role": "user", "parts": [{"text": "Hi, you!"}, {"text": "Hi"}]},
        {"role": "model", "parts": [{"function_call": {"name": "f", "args": {"a": "b"}}}]},
    ]
    request = v1.ComputeTokensRequest(endpoint=MODEL, contents=contents)
    infos = utility.ComputeTokens(request).tokens_info
    assert [(info.role, list(info.tokens)) for info in infos] == [
        ("user", [b"Hi", b",", b"you", b"!"]),
        ("user", [b"Hi"]),
        ("model", [b"f", b"a", b"b"]),
    ]
    assert infos[0].token_ids[0] == infos[1].token_ids[0]
    assert len(set(infos[0].token_ids)) == 4


def test_compute_of_instances(utility: v1.grpc.LlmUtilityServiceStub) -> None:
    request = v1.ComputeTokensRequest(endpoint=MODEL)
    request.instances.add(string_value="one two")
    infos = utility.ComputeTokens(request).tokens_info
    assert [(info.role, list(info.tokens)) for info in infos] == [("", [b"one", b"two"])]
