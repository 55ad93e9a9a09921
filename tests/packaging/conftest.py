"""The built wheel, and environments that it is installed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from environments import Environment, build_wheel

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Without any extra."""
    environment = Environment.create(tmp_path_factory.mktemp("bare") / "env")
    environment.install(wheel)
    return environment


@pytest.fixture(scope="session")
def full(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """With the extras of the demonstration."""
    environment = Environment.create(tmp_path_factory.mktemp("full") / "env")
    environment.install(f"{wheel}[testing,cli]")
    return environment
