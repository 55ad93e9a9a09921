"""What a tool of an MCP server answers, handed on by a function: a model or its JSON."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, Field

from support.calling import content, error_of
from toolwire import functions, to_dict, v1

# The shapes of the protocol's own package, which need not be installed.


class Item(BaseModel):
    type: str
    text: str | None = None
    data: str | None = None
    mimeType: str | None = None  # noqa: N815 - as the protocol spells it
    annotations: dict[str, Any] | None = None
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)


class CallToolResult(BaseModel):
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    content: list[Item]
    structuredContent: dict[str, Any] | None = None  # noqa: N815 - likewise
    isError: bool = False  # noqa: N815 - likewise


def words(*texts: str) -> list[Item]:
    return [Item(type="text", text=text) for text in texts]


IMAGE = Item(type="image", data="aGk=", mimeType="image/png")
PICTURE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}

ANSWERS: dict[str, tuple[CallToolResult, object]] = {
    "text": (CallToolResult(content=words("12 degrees")), {"output": "12 degrees"}),
    "texts": (CallToolResult(content=words("a", "b")), {"output": "a\nb"}),
    "nothing": (CallToolResult(content=[]), {"output": ""}),
    "structured": (
        CallToolResult(content=words('{"t": 12}'), structuredContent={"t": 12}),
        {"t": 12},
    ),
    "picture": (CallToolResult(content=[IMAGE]), {"output": [PICTURE]}),
    "words and a picture": (
        CallToolResult(content=[*words("look"), IMAGE]),
        {"output": ["look", PICTURE]},
    ),
    "structured and a picture": (
        CallToolResult(content=[*words("{}"), IMAGE], structuredContent={"t": 12}),
        {"output": [{"t": 12}, PICTURE]},
    ),
}


def forms(result: CallToolResult) -> list[object]:
    """The result as the package has it, and as JSON with and without what is not there."""
    dumps = [result.model_dump(by_alias=True), result.model_dump()]
    short = result.model_dump(by_alias=True, exclude_none=True)
    return [result, *dumps, short]


@pytest.mark.parametrize(("result", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_goes_back_as_what_it_says(result: CallToolResult, expected: object) -> None:
    for given in forms(result):

        def ask() -> object:
            """Asks a server."""
            return given  # noqa: B023 - called at once

        turn = content("ask")
        (outcome,) = functions.Toolbox([ask]).run(turn)
        assert (outcome.response, outcome.error) == (expected, None)
        assert outcome.value is given
        for reply in (functions.respond(turn, outcome), functions.respond(turn, given)):
            assert to_dict(reply.parts[0].function_response.response) == expected


@pytest.mark.parametrize(
    ("items", "message"),
    [(words("no such city"), "no such city"), ([], "the tool gave no reason in words")],
    ids=["words", "none"],
)
def test_an_error_of_a_tool_is_an_error(items: list[Item], message: str) -> None:
    for given in forms(CallToolResult(content=items, isError=True)):

        def ask() -> object:
            """Asks a server."""
            return given  # noqa: B023 - called at once

        turn = content("ask")
        (outcome,) = functions.Toolbox([ask]).run(turn)
        assert error_of(outcome) == {"type": "ToolFailed", "message": message}
        assert isinstance(outcome.error, functions.ToolError)
        assert outcome.error.kind == "ToolFailed"
        assert functions.respond(turn, given) == functions.respond(turn, outcome)


@pytest.mark.parametrize(
    "own",
    [
        {"content": [{"type": "text", "text": "x"}]},
        {"content": "text", "isError": False},
        {"content": ["text"], "isError": False},
        {"content": [{"type": 1}], "isError": False},
        {"content": [{"type": "text", "text": "x"}], "isError": False, "page": 2},
        {"isError": True},
        {"content": [{"type": "text", "text": "x"}], "isError": "unknown"},
        {"content": [{"type": "text", "text": 5}], "isError": False},
        {"content": [{"type": "text", "runs": [1]}], "isError": False},
    ],
    ids=lambda _: "",
)
def test_what_only_looks_like_it_stays_as_it_is(own: dict[str, object]) -> None:
    reply = functions.respond(v1.Content(parts=[functions.call_part("ask")]), own)
    assert to_dict(reply.parts[0].function_response.response) == own
