"""The arguments in docs/client.md are those of the constructors, and of stubs."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from toolwire import client
from toolwire._client.calls._types import AsyncStubOptions, StubOptions

PAGE = Path(__file__).parent.parent.parent / "docs" / "client.md"


@pytest.mark.parametrize("kind", [client.Client, client.AsyncClient])
def test_the_table_of_arguments_is_complete(kind: type) -> None:
    text = PAGE.read_text(encoding="utf-8").split("\n## Arguments\n")[1].split("\n\n## ")[0]
    rows = [line.split(" |") for line in text.split("\n") if line.startswith("| `")]
    told = [(row[0].strip("|` "), row[2].strip("` ")) for row in rows]
    arguments = list(inspect.signature(kind).parameters.values())
    assert [name for name, _ in told] == [each.name for each in arguments]
    for (name, shown), each in zip(told, arguments, strict=True):
        default = '"v1"' if name == "api" else repr(each.default)
        assert default in {"None", shown}


@pytest.mark.parametrize("kind", [StubOptions, AsyncStubOptions])
def test_the_options_of_stubs_are_all_there(kind: type) -> None:
    told = PAGE.read_text(encoding="utf-8").partition("\n- The options are those")[2]
    names = re.findall(r"`([a-z_]+)`", told.partition("\n- ")[0])
    arguments = inspect.signature(client.Client).parameters
    assert set(names) == set(kind.__annotations__) <= set(arguments)
