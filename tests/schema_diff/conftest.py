"""The compiler, and the pairs of schemas compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generate import CODEGEN_PYTHON
from support.field_pairs import FIELD_PAIRS
from support.other_pairs import OTHER_PAIRS
from support.schema_pairs import compiled
from toolwire.codegen import Toolchain

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    """The environment that `make generate` uses."""
    return Toolchain.of(CODEGEN_PYTHON)


@pytest.fixture(scope="session")
def sides(toolchain: Toolchain) -> dict[str, tuple[FileDescriptorSet, FileDescriptorSet]]:
    """Both sides of each pair, by its name."""
    return compiled([*FIELD_PAIRS, *OTHER_PAIRS], toolchain)
