"""Rules of the function calling config."""

from __future__ import annotations

from typing import Any

import pytest

from support.calls import MODEL, TIME, ask
from toolwire import v1
from toolwire._rules import violations

NAMES = "toolConfig.functionCallingConfig.allowedFunctionNames"


def told(mode: object, *allowed: str, **fields: Any) -> list[tuple[str, str]]:
    config = {"function_calling_config": {"mode": mode, "allowed_function_names": allowed}}
    found = violations(ask("x", TIME, tool_config=config, **fields))
    return [(entry.path, entry.rule) for entry in found]


@pytest.mark.parametrize("mode", ["ANY", 99])
def test_allowed_names_restrict(mode: object) -> None:
    assert told(mode, "get_time") == []
    assert told(mode) == []


@pytest.mark.parametrize("mode", ["AUTO", "NONE", "MODE_UNSPECIFIED"])
def test_a_mode_that_does_not_restrict(mode: str) -> None:
    assert told(mode, "get_time") == [(NAMES, "calling.allowed-mode")]
    assert told(mode) == []


def test_names_must_be_declared() -> None:
    assert told("ANY", "get_time", "other") == [(f"{NAMES}[1]", "calling.allowed-declared")]


def test_a_cache_has_tools_of_its_own() -> None:
    cache = MODEL.partition("/publishers")[0] + "/cachedContents/1"
    assert told("ANY", "other", cached_content=cache) == [
        ("tools", "request.cache-excludes"),
        ("toolConfig", "request.cache-excludes"),
    ]


def test_the_message_lists_what_is_declared() -> None:
    functions = [{"name": f"f{number}"} for number in range(20)]
    config = {"function_calling_config": {"mode": "ANY", "allowed_function_names": ["x"]}}
    (found,) = violations(ask("x", *functions, tool_config=config))
    assert found.message.startswith('"x" is not declared: declared are "f0", "f1", ')
    assert found.message.endswith(" and 12 more")
    found, needs = violations(ask("x", tool_config=config))
    assert needs.rule == "calling.needs-functions"
    assert found.message == '"x" is not declared: the tools declare no function'


def test_a_bare_config() -> None:
    config = v1.FunctionCallingConfig(allowed_function_names=["f"])
    (found,) = violations(config)
    assert found.path == "allowedFunctionNames"
    assert found.message.startswith("is set in mode MODE_UNSPECIFIED: it takes mode ANY")
    assert [entry.path for entry in violations(v1.ToolConfig(function_calling_config=config))] == [
        "functionCallingConfig.allowedFunctionNames"
    ]
