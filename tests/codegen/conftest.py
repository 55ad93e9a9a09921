"""The compiler's environment, and a schema of every kind of field."""

from __future__ import annotations

import pytest

from generate import CODEGEN_PYTHON
from toolwire.codegen import Toolchain


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    """The environment that `make generate` uses."""
    return Toolchain.of(CODEGEN_PYTHON)
