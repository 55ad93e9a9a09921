"""What the official packages have beside messages: classes of proto-plus, and pydantic models."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import create_model

import toolwire
from support.official import official_class
from toolwire import functions, gemini, oneof, streams, v1, v1beta1
from toolwire.testing import LocalServer


class Retrieval:
    """Stands for a class of proto-plus, which has its message class in ``meta`` and in ``pb``."""

    meta = SimpleNamespace(pb=official_class(v1.Retrieval))


def genai(name: str, **fields: object) -> Any:
    """Returns a model as google-genai has them: one of pydantic, named as a message is."""
    kinds: Any = dict.fromkeys(fields, (object, ...))
    model: Any = create_model(name, __module__="google.genai.types", **kinds)
    return model(**fields)


PART = genai("Part", text="x", thought=None)
TOOL = genai("Tool", google_search={}, retrieval=None)
WAY = "(toolwire.from_dict(cls, it.model_dump(exclude_none=True)) makes a message of it)"


READERS: list[Callable[[Any], object]] = [
    lambda cls: toolwire.from_json(cls, "{}"),
    lambda cls: toolwire.from_dict(cls, {}),
    lambda cls: toolwire.from_binary(cls, b""),
    lambda cls: list(streams.read_json_lines(cls, [b"{}"])),
    lambda cls: toolwire.convert(v1.Retrieval(), to=cls),
]


@pytest.mark.parametrize("read", READERS)
def test_a_class_of_proto_plus_is_refused_with_its_message_class(
    read: Callable[[Any], object],
) -> None:
    with pytest.raises(toolwire.Error) as caught:
        read(Retrieval)
    reason = "expected a message class such as v1.Tool, found the class Retrieval"
    assert str(caught.value).removeprefix("to: ") == f"{reason}, whose own is Retrieval.pb()"
    read(Retrieval.meta.pb)


def test_a_class_of_proto_plus_has_names_of_oneofs() -> None:
    cls: Any = Retrieval
    assert oneof.names(cls) == oneof.names(v1.Retrieval) == ("source",)


CALLS: list[Callable[[], object]] = [
    lambda: toolwire.convert(TOOL, to=v1.Tool),
    lambda: toolwire.to_json(TOOL),
    lambda: toolwire.violations(TOOL),
    lambda: toolwire.split_tool(TOOL),
    lambda: toolwire.from_dict(v1.Tool, TOOL),
    lambda: toolwire.from_dict(v1.GenerateContentRequest, {"tools": [TOOL]}),
    lambda: toolwire.text(TOOL),
    lambda: functions.to_json_schema(TOOL),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_model_of_google_genai_is_refused_with_the_way_in(call: Callable[[], object]) -> None:
    with pytest.raises(toolwire.Error, match=r"found (a )?google\.genai\.types\.Tool ") as caught:
        call()
    assert str(caught.value).endswith(WAY)


def test_such_a_model_is_neither_a_function_nor_a_response() -> None:
    with pytest.raises(toolwire.DeclarationError, match=r"a google\.genai\.types\.Tool") as caught:
        functions.declare(TOOL)
    assert str(caught.value).endswith(WAY)
    with pytest.raises(toolwire.UsageError, match=r"found a google\.genai\.types\.Tool") as other:
        functions.calls(TOOL)
    assert str(other.value).endswith(WAY)


def test_that_way_leads_in() -> None:
    assert toolwire.from_dict(v1.Tool, TOOL.model_dump(exclude_none=True)) == v1.Tool(
        google_search={}
    )


def test_a_client_refuses_them_too_and_takes_none_apart() -> None:
    with LocalServer() as server, server.client() as client:
        for contents, place in ((PART, "contents[0]"), (["a", PART], "contents[1]")):
            with pytest.raises(toolwire.JsonError, match=r"a google\.genai\.types\.Part") as part:
                client.generate_content("m", contents)
            assert part.value.path == place
            assert str(part.value).endswith(WAY)
        with pytest.raises(toolwire.JsonError, match=r"a google\.genai\.types\.Tool") as tool:
            client.generate_content("m", "x", tools=[TOOL])
        assert tool.value.path == "tools[0]"
        given = [each.model_dump(exclude_none=True) for each in (PART, TOOL)]
        assert client.generate_content("m", given[:1], tools=given[1:]).candidates


def test_a_declaration_is_for_a_tool() -> None:
    ready = v1.FunctionDeclaration(name="f", description="d")
    with pytest.raises(toolwire.DeclarationError) as alone:
        functions.declare(ready)
    reason = (
        "found a google.cloud.aiplatform.v1.FunctionDeclaration, which is a declaration: "
        "functions.tool takes those of its api as they are, toolwire.convert makes one API's "
        "another's"
    )
    assert str(alone.value) == reason
    with pytest.raises(toolwire.DeclarationError) as beside:
        functions.tool([ready], api="gemini")
    assert (beside.value.path, beside.value.reason) == ("functionDeclarations[0]", reason)
    assert beside.value.function == "f"
    converted = toolwire.convert(ready, to=gemini.FunctionDeclaration).message
    assert functions.tool([converted], api="gemini") == gemini.Tool(
        function_declarations=[converted]
    )


def test_a_tool_takes_declarations_of_any_pool() -> None:
    declared = official_class(v1beta1.FunctionDeclaration)(name="f", description="d")
    ours = v1beta1.FunctionDeclaration(name="f", description="d")
    assert functions.tool([declared], api="v1beta1") == v1beta1.Tool(function_declarations=[ours])
