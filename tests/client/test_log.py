"""The logger ``toolwire``: one line a call, contents on request, secrets never."""

# pyright: reportPrivateUsage=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import asyncio
import gc
import logging
import traceback
from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import grpc
import pytest

import toolwire
from support.grpc_servers import Context, Server, chunk
from toolwire import gemini, v1
from toolwire._client.calls._log import Report
from toolwire.client import AsyncClient, Client, InvalidArgument, NotFound, Unavailable, UsageError
from toolwire.testing import LocalServer

SECRET = "AIza-very-secret"  # noqa: S105


def options(server: Server, **more: Any) -> dict[str, Any]:
    place = {"api_endpoint": server.target, "insecure": True, "project": "p", "location": "l"}
    return {**place, "timeout": 20.0, **more}


@pytest.fixture(autouse=True)
def debug(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.DEBUG, logger="toolwire"):
        yield


def reports(caplog: pytest.LogCaptureFixture) -> list[Report]:
    found = [getattr(record, "call", None) for record in caplog.records]
    return [each for each in found if isinstance(each, Report)]


def test_one_line_a_call(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with Client(**options(server)) as client:
        client.generate_content("m", "Hello")
        list(client.stream_generate_content("m", "Hello"))
    assert len(caplog.records) == 2
    unary, stream = reports(caplog)
    assert unary.method == "google.cloud.aiplatform.v1.PredictionService.GenerateContent"
    assert (unary.code, unary.attempts, unary.chunks) == ("OK", 1, 1)
    assert (unary.endpoint, unary.received) == (server.target, len(chunk()))
    assert unary.sent > len("Hello")
    assert 0 < unary.seconds < 20
    assert (stream.code, stream.chunks, stream.received) == ("OK", 3, 3 * len(chunk("a")))
    line = caplog.records[1].getMessage()
    assert line.startswith(
        f"PredictionService.StreamGenerateContent at {server.target}: OK after 0."
    )
    assert line.endswith(
        f"1 attempt, {stream.sent} bytes out, {stream.received} bytes in (3 messages)"
    )
    assert "Hello" not in caplog.text


def test_the_async_client_logs_alike(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    async def calls() -> None:
        async with AsyncClient(**options(server)) as client:
            await client.generate_content("m", "Hello")
            async for _ in client.stream_generate_content("m", "Hello"):
                pass
            async with client.stream_generate_content("m", "Hello") as left:
                await left.__anext__()
            with pytest.raises(NotFound):
                await client.generate_content("missing", "Hello")

    def generate(request: Any, context: Context) -> bytes:
        if request.model.endswith("missing"):
            context.abort(grpc.StatusCode.NOT_FOUND, "no")
        return chunk()

    server.generate = generate
    asyncio.run(calls())
    found = [(each.code, each.chunks) for each in reports(caplog)]
    assert found == [("OK", 1), ("OK", 3), ("CANCELLED", 1), ("NOT_FOUND", 0)]


def test_failures_and_attempts(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    def abort(_request: Any, context: Context) -> Any:
        context.abort(grpc.StatusCode.UNAVAILABLE, "later")

    server.generate = abort
    with Client(**options(server)) as client:
        client._caller.sleep = lambda _seconds: None
        with pytest.raises(Unavailable):
            client.generate_content("m", "x", retries=2)
    (report,) = reports(caplog)
    assert (report.code, report.attempts, report.received) == ("UNAVAILABLE", 3, 0)


@pytest.mark.parametrize("how", ["close", "drop"])
def test_a_stream_that_is_left(server: Server, caplog: pytest.LogCaptureFixture, how: str) -> None:
    with Client(**options(server)) as client:
        stream = client.stream_generate_content("m", "x")
        next(stream)
        if how == "close":
            stream.close()
        del stream
        gc.collect()
        assert [(each.code, each.chunks) for each in reports(caplog)] == [("CANCELLED", 1)]


def test_contents_on_request_without_secrets(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server.generate = lambda request, _context: chunk(f"your key is {SECRET}, {request.model}")
    tool = v1.Tool(parallel_ai_search={"api_key": "hush-hush"})
    with Client(**options(server, api_key=SECRET, log_contents=True)) as client:
        client.generate_content("m", "my key is hush-hush, you know", tools=[tool])
    sent, received, line = (record.getMessage() for record in caplog.records)
    assert received.startswith('PredictionService.GenerateContent received {"candidates":')
    assert f"your key is {'*' * len(SECRET)}, projects/p" in received
    assert sent.startswith('PredictionService.GenerateContent sent {"')
    assert "my key is *********, you know" in sent
    assert '"apiKey":"*********"' in sent
    assert "OK after" in line
    assert SECRET not in caplog.text
    assert "hush-hush" not in caplog.text


def test_contents_without_secrets_in_other_spellings(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    spelled = (quote("odd/key+=", safe=""), b64encode(b"user:odd/key+=").decode())
    server.generate = lambda _request, _context: chunk(" and ".join(spelled))
    with Client(**options(server, api_key="odd/key+=", log_contents=True)) as client:
        client.generate_content("m", "x")
    assert " received " in caplog.text
    for text in spelled:
        assert text not in caplog.text


@pytest.mark.parametrize("kind", ["parallel_ai_search", "exa_ai_search"])
def test_keys_inside_tools_are_masked(
    server: Server, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    def refuse(_request: Any, context: Context) -> bytes:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"{SECRET} is no key")

    server.generate = refuse
    tool = toolwire.from_dict(v1.Tool, {kind: {"api_key": SECRET}})
    with (
        Client(**options(server, log_contents=True)) as client,
        pytest.raises(InvalidArgument, match=r"\*+ is no key") as caught,
    ):
        client.generate_content("m", "x", tools=[tool])
    assert server.last().request.tools[0] == tool
    losses = toolwire.convert(tool, to=gemini.Tool).losses
    assert losses
    for shown in (
        caplog.text,
        "".join(traceback.format_exception(caught.value)),
        repr(vars(caught.value)),
        str(toolwire.violations(tool)),
        repr(losses),
    ):
        assert SECRET not in shown
    assert SECRET in toolwire.to_json(tool)  # which is for whoever needs it


def test_large_contents_are_cut(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with Client(**options(server, log_contents=True)) as client:
        client.generate_content("m", "x" * 50_000)
    (sent,) = (r.getMessage() for r in caplog.records if " sent " in r.getMessage())
    assert len(sent) < 21_000
    assert sent.endswith(" characters)")


def test_nothing_is_kept_where_nobody_listens(server: Server) -> None:
    logging.getLogger("toolwire").setLevel(logging.INFO)
    with Client(**options(server)) as client:
        stream = client.stream_generate_content("m", "x")
        assert stream._prepared.log is None
        stream.close()


def test_a_session_counts_all_that_it_sends(caplog: pytest.LogCaptureFixture) -> None:
    with LocalServer() as server:

        async def main() -> None:
            async with (
                server.async_client(api="gemini", log_contents=True) as client,
                client.bidi_generate_content("live") as session,
            ):
                await session.send("Hello")
                assert await session.receive()

        with (
            server.client(api="gemini", log_contents=True) as client,
            client.bidi_generate_content("live") as session,
        ):
            session.send("Hello")
            assert session.receive()
        asyncio.run(main())
    setup, sent = reports(caplog)[0], [each.sent for each in reports(caplog) if each.code]
    assert len(sent) == 2
    assert min(sent) > setup.sent + len("Hello") > len("Hello")
    assert caplog.text.count(" sent {") == 2


def test_a_setting_that_is_none(server: Server) -> None:
    with pytest.raises(UsageError, match="log_contents takes True or False"):
        Client(**options(server, log_contents="yes"))


def test_every_record_tells_of_its_call(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with AsyncClient(**options(server, log_contents=True)) as client:
            await client.generate_content("m", "Hello")

    with Client(**options(server, log_contents=True)) as client:
        client.generate_content("m", "Hello")
    asyncio.run(main())
    assert len(caplog.records) == len(reports(caplog)) == 6
    assert [each.code for each in reports(caplog)] == ["", "", "OK"] * 2
    assert {each.endpoint for each in reports(caplog)} == {server.target}
    assert {each.method.rpartition(".")[2] for each in reports(caplog)} == {"GenerateContent"}


def test_a_call_that_an_interceptor_breaks_off_has_its_line(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    class Breaking(grpc.UnaryUnaryClientInterceptor):
        def intercept_unary_unary(self, *_: object) -> Any:
            raise OSError("mine")

    class AsyncBreaking(grpc.aio.UnaryUnaryClientInterceptor):
        async def intercept_unary_unary(self, *_: object) -> Any:
            raise OSError("mine")

    async def main() -> None:
        async with AsyncClient(**options(server, interceptors=[AsyncBreaking()])) as client:
            with pytest.raises(OSError, match="mine"):
                await client.generate_content("m", "Hello")

    with (
        Client(**options(server, interceptors=[Breaking()])) as client,
        pytest.raises(OSError, match="mine"),
    ):
        client.generate_content("m", "Hello")
    asyncio.run(main())
    assert [each.code for each in reports(caplog)] == ["CANCELLED", "CANCELLED"]
