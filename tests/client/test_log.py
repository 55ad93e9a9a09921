"""The logger ``toolwire``: one line a call, contents on request, secrets never."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from support.grpc_servers import Context, Server, chunk
from toolwire import v1
from toolwire._client._log import Report
from toolwire.client import AsyncClient, Client, NotFound, Unavailable, UsageError

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
    assert line.startswith(f"StreamGenerateContent at {server.target}: OK after 0.")
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
    assert received.startswith('GenerateContent received {"candidates":')
    assert f"your key is {'*' * len(SECRET)}, projects/p" in received
    assert sent.startswith('GenerateContent sent {"')
    assert "my key is *********, you know" in sent
    assert '"apiKey":"*********"' in sent
    assert "OK after" in line
    assert SECRET not in caplog.text
    assert "hush-hush" not in caplog.text


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


def test_a_setting_that_is_none(server: Server) -> None:
    with pytest.raises(UsageError, match="log_contents takes True or False"):
        Client(**options(server, log_contents="yes"))
