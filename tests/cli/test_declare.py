"""The command ``toolwire declare``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from toolwire.cli import _main

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

SHOP = '''
from typing import Annotated

from pydantic import Field


class Shop:
    def close(self) -> None:
        """Closes it."""


def find(order: str, count: Annotated[int, Field(ge=0)] = 1) -> str:
    """Finds an order."""


def dashed(**more: int) -> None: ...


SCHEMA = {"name": "tool", "inputSchema": {"properties": {"a-b": {"type": "string"}}}}
'''


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop_of_tests.py").write_text(SHOP)
    (tmp_path / "broken_of_tests.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


def run(*arguments: str) -> Result:
    return CliRunner().invoke(_main.toolwire, ["declare", *arguments])


def test_a_function() -> None:
    result = run("shop_of_tests:find")
    assert result.exit_code == 0
    made: dict[str, Any] = json.loads(result.stdout)
    assert made["name"] == "find"
    assert made["parameters"]["properties"]["count"]["default"] == 1
    assert result.stderr == (
        'dropped: properties["count"].minimum: 0 cannot be told from absent in v1: '
        "said in the description\n"
    )


def test_another_api_and_a_name() -> None:
    result = run("shop_of_tests:find", "--api", "gemini", "--name", "look")
    made = json.loads(result.stdout)
    assert (made["name"], result.stderr) == ("look", "")
    assert made["parameters"]["properties"]["count"]["minimum"] == 0.0
    assert json.loads(run("shop_of_tests:Shop.close").stdout)["name"] == "close"


def test_the_report_as_json() -> None:
    found = json.loads(run("shop_of_tests:find", "--json").stdout)
    assert found["declaration"]["name"] == "find"
    assert [change["action"] for change in found["changes"]] == ["dropped"]


def test_strict() -> None:
    result = run("shop_of_tests:find", "--strict")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error: strict mode allows no change" in result.stderr
    result = run("shop_of_tests:find", "--strict", "--json")
    assert (result.exit_code, json.loads(result.stdout)["declaration"]) == (1, None)
    assert run("shop_of_tests:find", "--strict", "--api", "gemini").exit_code == 0


def test_what_cannot_be_declared() -> None:
    result = run("shop_of_tests:dashed")
    assert result.exit_code == 1
    assert 'error: properties["more"]: **more cannot be declared' in result.stderr
    assert run("shop_of_tests:SCHEMA").exit_code == 1
    assert '"a_b"' in run("shop_of_tests:SCHEMA", "--rename").stdout


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("shop_of_tests", "expected MODULE:NAME"),
        ("nowhere_of_tests:f", "No module named"),
        ("shop_of_tests:nothing", "has no attribute"),
        ("broken_of_tests:f", "failed with ZeroDivisionError"),
    ],
)
def test_wrong_usage(source: str, reason: str) -> None:
    result = run(source)
    assert result.exit_code == 2
    assert reason in result.stderr
