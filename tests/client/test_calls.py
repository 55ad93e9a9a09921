"""What a server sees of a call, and what comes back."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import platform
from typing import Any

import grpc
import pytest

from support.grpc_servers import Server, chunk, text_of
from toolwire import __version__, v1
from toolwire.client import Client, UsageError

FULL = "projects/p/locations/l/publishers/google/models/m"


def test_unary_stream_and_count(server: Server, client: Client) -> None:
    response = client.generate_content("m", "hi")
    assert type(response) is v1.GenerateContentResponse
    assert text_of(response) == "ok"
    assert [text_of(each) for each in client.stream_generate_content("m", "hi")] == ["a", "b", "c"]
    counted = client.count_tokens("m", "hi")
    assert type(counted) is v1.CountTokensResponse
    assert counted.total_tokens == 7
    assert [seen.method for seen in server.seen] == [
        "GenerateContent",
        "StreamGenerateContent",
        "CountTokens",
    ]


def test_headers_on_every_call(server: Server, client: Client) -> None:
    client.generate_content("m", "hi")
    list(client.stream_generate_content("m", "hi"))
    client.count_tokens("m", "hi")
    routed = [seen.header("x-goog-request-params") for seen in server.seen]
    assert routed == [f"model={FULL}", f"model={FULL}", f"endpoint={FULL}"]
    for seen in server.seen:
        assert seen.header("x-goog-api-client") == (
            f"gl-python/{platform.python_version()} toolwire/{__version__} grpc/{grpc.__version__}"
        )
        agent = seen.header("user-agent")
        assert isinstance(agent, str)
        assert agent.startswith(f"toolwire/{__version__} ")
        for secret in ("authorization", "x-goog-api-key", "x-goog-user-project"):
            assert seen.header(secret) is None


def test_the_users_headers_come_along(server: Server, client: Client) -> None:
    own: list[tuple[str, str | bytes]] = [
        ("X-Trace", "1 2"),
        ("x-trace", ""),
        ("x-data-bin", b"\x00\xff"),
    ]
    client.generate_content("m", "hi", metadata=own)
    list(client.stream_generate_content("m", "hi", metadata=tuple(own)))
    client.count_tokens("m", "hi", metadata=iter(own))
    mapping: dict[str, str | bytes] = {"x-one": "1", "X-Data-Bin": b"\x00"}
    client.generate_content("m", "hi", metadata=mapping)
    one = server.seen.pop()
    assert (one.header("x-one"), one.header("x-data-bin")) == ("1", b"\x00")
    for seen in server.seen:
        assert [pair for pair in seen.headers if pair[0].startswith("x-trace")] == [
            ("x-trace", "1 2"),
            ("x-trace", ""),
        ]
        assert seen.header("x-data-bin") == b"\x00\xff"
        assert seen.header("x-goog-api-client") is not None


@pytest.mark.parametrize(
    "metadata",
    [
        [("a b", "x")],
        [("", "x")],
        [(":path", "x")],
        [("grpc-timeout", "1S")],
        [("ä", "x")],
        [(b"a", "x")],
        [("a", "hid\nden")],
        [("a", "hidden-ä")],
        [("a", b"hidden")],
        [("a", None)],
        [("a-bin", "hidden")],
        ["ab"],
        [("a",)],
        [("a", "hidden", "c")],
        {"a": b"hidden"},
        {"a b": "hidden"},
        {b"a": "hidden"},
        {"a: hidden": "x"},
        "ab",
        5,
        None,
    ],
)
def test_bad_headers_are_refused_without_showing_a_value(
    server: Server, client: Client, metadata: Any
) -> None:
    with pytest.raises(UsageError, match="metadata") as caught:
        client.generate_content("m", "hi", metadata=metadata)
    assert "hid" not in str(caught.value)
    assert server.seen == []


def test_quota_project(server: Server) -> None:
    with Client(
        api_endpoint=server.target, insecure=True, project="p", location="l", quota_project="pays"
    ) as client:
        client.generate_content("m", "hi")
        assert "quota_project='pays'" in repr(client)
    assert server.last().header("x-goog-user-project") == "pays"


def test_large_messages_pass_both_ways(server: Server, client: Client) -> None:
    text = "x" * (6 << 20)
    server.generate = lambda request, _: chunk(request.contents[0].parts[0].text)
    server.stream = lambda _request, _context: [chunk(text)]
    assert len(text_of(client.generate_content("m", text))) == len(text)
    assert len(text_of(next(client.stream_generate_content("m", "x")))) == len(text)


def test_what_a_newer_server_says_is_kept(server: Server, client: Client) -> None:
    answer = v1.GenerateContentResponse(candidates=[{"finish_reason": 99}]).SerializeToString()
    answer += b"\xf2\x3f\x01x"
    server.generate = lambda _request, _context: answer
    server.stream = lambda _request, _context: [answer]
    stream = client.stream_generate_content("m", "x")
    for response in (client.generate_content("m", "x"), next(stream)):
        assert response.candidates[0].finish_reason == 99
        assert response.SerializeToString() == answer
    stream.close()


def test_a_call_ends_at_its_own_timeout_or_the_clients(server: Server) -> None:
    # gRPC rounds a timeout up when it sends it.
    with Client(
        api_endpoint=server.target, insecure=True, project="p", location="l", timeout=500
    ) as client:
        client.generate_content("m", "x")
        assert 400 < server.last().seconds < 510
        client.generate_content("m", "x", timeout=50)
        assert 40 < server.last().seconds < 52
        list(client.stream_generate_content("m", "x", timeout=60.5))
        assert 55 < server.last().seconds < 62
        client.count_tokens("m", "x", timeout=30)
        assert 20 < server.last().seconds < 32


@pytest.mark.parametrize(
    "timeout", [0, -1, float("nan"), float("inf"), 1e10, True, "5", b"5", (1, 2)]
)
def test_a_timeout_is_a_positive_number(client: Client, timeout: Any) -> None:
    with pytest.raises(UsageError, match="timeout takes a positive number of seconds"):
        client.generate_content("m", "x", timeout=timeout)
    with pytest.raises(UsageError, match="timeout takes a positive number of seconds"):
        Client(project="p", location="l", timeout=timeout)


def test_models_and_methods_share_one_connection(server: Server, client: Client) -> None:
    for model in ("a", "b", "projects/p/locations/l/endpoints/7"):
        client.generate_content(model, "x")
        client.count_tokens(model, "x")
        list(client.stream_generate_content(model, "x"))
    assert len(server.peers) == 1


def test_many_models_do_not_pile_up(server: Server, client: Client) -> None:
    for number in range(1100):
        client.count_tokens(f"model-{number}", "x")
    assert len(client._lines._lines) <= 1000
    assert len(server.peers) == 1


@pytest.mark.parametrize(
    ("metadata", "text"),
    [
        ([("X My", "1")], "found one that begins with 'X'"),
        ({"grpc-timeout": "1S"}, "found 'grpc-timeout'"),
        ([(5, "1")], "found an int"),
        ([("Bearer secret", "Authorization")], "the wrong way round"),
    ],
)
def test_a_bad_header_is_named(client: Client, metadata: Any, text: str) -> None:
    with pytest.raises(UsageError, match=text) as caught:
        client.generate_content("m", "hi", metadata=metadata)
    assert "ecret" not in str(caught.value)
