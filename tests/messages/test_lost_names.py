"""Names that a module does not have: the error says where they are, or which is near."""

from __future__ import annotations

from types import ModuleType

import pytest

import toolwire
from support.processes import run_python
from toolwire import gemini, v1


def fault(module: ModuleType, name: str) -> AttributeError:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
        getattr(module, name)
    return caught.value


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        (
            toolwire,
            "Tool",
            "there is toolwire.v1.Tool, toolwire.v1beta1.Tool, toolwire.gemini.Tool, toolwire.fi",
        ),
        (toolwire, "declare", "there is toolwire.functions.declare"),
        (toolwire, "ToolLoopError", "there is toolwire.client.ToolLoopError"),
        (toolwire, "LocalServer", "there is toolwire.testing.LocalServer"),
        (toolwire, "gemni", 'did you mean "gemini"?'),
        (toolwire, "types", "the messages are in toolwire.v1, v1beta1 and gemini"),
        (toolwire, "GenerativeModel", "toolwire.Client(...) calls models"),
        (v1, "GoogleSearch", "there is toolwire.v1.Tool.GoogleSearch"),
        (v1, "Tools", 'did you mean "Tool"?'),
        (v1, "Client", "there is toolwire.Client"),
        (v1, "BidiGenerateContentSetup", "there is toolwire.gemini.BidiGenerateContentSetup"),
        (gemini, "ComputeTokensRequest", "there is toolwire.v1.ComputeTokensRequest, toolwire.v1b"),
    ],
)
def test_a_name_that_is_elsewhere(module: ModuleType, name: str, hint: str) -> None:
    error = fault(module, name)
    assert f"; {hint}" in str(error)
    assert error.name == name
    assert error.obj is None  # or Python would add a suggestion of its own


def test_every_public_name_is_found() -> None:
    values = (getattr(toolwire, name) for name in toolwire.__all__)
    for home in [each for each in values if isinstance(each, ModuleType)]:
        for name in sorted(set(home.__all__) - set(toolwire.__all__)):
            assert f"{home.__name__}.{name}" in str(fault(toolwire, name))


@pytest.mark.parametrize("name", ["zzz", "_Tool", "__wrapped__", "a.b", ""])
def test_python_may_suggest_where_we_do_not(name: str) -> None:
    error = fault(toolwire, name)
    assert str(error) == f"module 'toolwire' has no attribute '{name}'"
    assert (error.name, error.obj) == (name, toolwire)


def test_what_tools_ask_for_loads_nothing() -> None:
    code = (
        "import sys, toolwire\n"
        "from toolwire import v1\n"
        "before = set(sys.modules)\n"
        "for module in (toolwire, v1):\n"
        "    assert not any(hasattr(module, name) for name in ('__wrapped__', '_x', '__file'))\n"
        "print(sorted(set(sys.modules) - before))\n"
        "from toolwire import codegen\n"  # which Python first asks the package for
        "print('grpc' in sys.modules, 'toolwire.functions' in sys.modules)\n"
    )
    assert run_python("-c", code) == "[]\nFalse False\n"
