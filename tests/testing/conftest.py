from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from toolwire import v1
from toolwire.testing import LocalServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    import grpc


@pytest.fixture(scope="session")
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture(scope="session")
def channel(server: LocalServer) -> Iterator[grpc.Channel]:
    with server.channel() as opened:
        yield opened


@pytest.fixture(scope="session")
def stub(channel: grpc.Channel) -> v1.grpc.PredictionServiceStub:
    return v1.grpc.PredictionServiceStub(channel)


@pytest.fixture(scope="session")
def utility(channel: grpc.Channel) -> v1.grpc.LlmUtilityServiceStub:
    return v1.grpc.LlmUtilityServiceStub(channel)
