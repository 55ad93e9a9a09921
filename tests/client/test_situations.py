"""Forks, threads, signals, event loops and the end of a program: what the caller sees of each."""

from __future__ import annotations

import os

import pytest

from support.grpc_servers import Server
from support.situations import SITUATIONS, Situation, see


@pytest.mark.parametrize("situation", SITUATIONS, ids=str)
def test_situation(situation: Situation, server: Server) -> None:
    if situation.needs == "fork" and not hasattr(os, "fork"):
        pytest.skip("needs os.fork")
    if situation.needs not in {"", "fork"}:
        pytest.importorskip(situation.needs)
    assert see(situation, server) == situation.sees
