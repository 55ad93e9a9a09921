"""Everything that breaks on the way: the right error in time, the next call fine, nothing left."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.fault_runs import held, is_released, run_async, run_sync
from support.faults import AMPLE, FAULTS, Fault, plain
from support.grpc_servers import Server, chunk, text_of
from toolwire.client import AsyncClient, Client

BOTH = {"sync": run_sync, "async": run_async}


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """What gRPC keeps for the process is there before anything is counted."""
    for run in BOTH.values():
        run(FAULTS[0])


@pytest.mark.parametrize("how", BOTH)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault(fault: Fault, how: str) -> None:
    before = held()
    seen = BOTH[how](fault)
    assert seen.chunks == fault.chunks, seen
    if not fault.older or seen.code != fault.older:
        assert seen.code == fault.code, seen
        assert fault.says in seen.text
    assert seen.seconds < AMPLE / 2
    assert seen.following in {"ok", ""}
    assert is_released(before), (before, held())


def test_two_thousand_calls_at_once(server: Server) -> None:
    async def many() -> list[str]:
        async with AsyncClient(api="v1", **plain(server.target)) as client:
            calls = (client.generate_content("m", "x", timeout=60) for _ in range(2000))
            return [text_of(each) for each in await asyncio.gather(*calls)]

    assert asyncio.run(many()) == ["ok"] * 2000
    with Client(api="v1", **plain(server.target)) as client, ThreadPoolExecutor(200) as executor:
        made = [executor.submit(client.generate_content, "m", "x", timeout=60) for _ in range(2000)]
        assert [text_of(each.result()) for each in made] == ["ok"] * 2000


def test_40_megabytes_in_the_place_of_300(server: Server, client: Client) -> None:
    # 300 MB take 2 GB of memory and a minute on a small machine; scripts/client_faults.py has them.
    server.generate = lambda request, _context: chunk(request.contents[0].parts[0].text)
    text = "x" * 40_000_000
    assert text_of(client.generate_content("m", text, timeout=120)) == text
