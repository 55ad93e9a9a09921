"""Structured output: the schema of an answer, and the answer as a value."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
from typing import Annotated, Any, Literal, NewType

import pytest
from pydantic import BaseModel
from typing_extensions import TypeAliasType

import toolwire
from support.processes import run_python
from toolwire import DeclarationError, JsonError, functions, gemini, v1


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Item(BaseModel):
    """An item."""

    name: str
    colour: Colour = Colour.RED


@dataclasses.dataclass
class Pair:
    a: int
    b: list[Item]


def response(*texts: str, **fields: Any) -> v1.GenerateContentResponse:
    parts: list[dict[str, Any]] = [{"text": text} for text in texts]
    content = {"parts": [*parts, {"text": "hm", "thought": True}]}
    return v1.GenerateContentResponse(candidates=[{"content": content, **fields}])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (int, {"type": "INTEGER"}),
        (list[int], {"type": "ARRAY", "items": {"type": "INTEGER"}}),
        (Colour, {"type": "STRING", "enum": ["red", "blue"]}),
        ({"type": "string"}, {"type": "STRING"}),
        (v1.Schema(type="STRING", nullable=True), {"type": "STRING", "nullable": True}),
        (int | str, {"anyOf": [{"type": "INTEGER"}, {"type": "STRING"}]}),
    ],
)
def test_schemas_of_answers(source: object, expected: object) -> None:
    assert toolwire.to_dict(functions.response_schema(source, strict=True)) == expected


def test_schema_of_a_model() -> None:
    schema = functions.response_schema(Item)
    assert schema.description == "An item."
    assert list(schema.property_ordering) == ["name", "colour"]
    assert not schema.title
    config = v1.GenerationConfig(response_mime_type="application/json", response_schema=schema)
    assert config.response_schema.required == ["name"]
    assert isinstance(functions.response_schema(Item, api="gemini"), gemini.Schema)
    with pytest.raises(DeclarationError, match="firebase has no Schema"):
        functions.response_schema(Item, api="firebase")


def test_a_report_of_a_response_schema() -> None:
    schema = {"type": "number", "multipleOf": 2}
    message, changes = functions.response_schema(schema, report=True)
    assert (message.type, [change.path for change in changes]) == (v1.Type.NUMBER, ["multipleOf"])
    with pytest.raises(DeclarationError, match="strict"):
        functions.response_schema(schema, strict=True)


def test_answers() -> None:
    item = Item(name="a", colour=Colour.BLUE)
    assert functions.parse(response('{"name": "a", ', '"colour": "blue"}'), Item) == item
    text = '{"a": 1, "b": [{"name": "x"}]}'
    assert functions.parse(text, Pair) == Pair(1, [Item(name="x")])
    assert functions.parse("[1, 2]", list[int]) == [1, 2]
    assert functions.parse('{"a": [1, 2.5]}', {"type": "object"}) == {"a": [1, 2.5]}


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "a"}\n```',
        'Here it is:\n```\n{"name": "a"}\n```\nBye',
        'Tried:\n```python\nname = 1\n```\nGot:\n```JSON\n{"name": "a"}\n```',
        'Tried:\n```c++\nchar q = \'"\';\n```\nGot:\n```json\n{"name": "a"}\n```',
        'With ```parse```\nor ``` by hand\n```json\n{"name": "a"}\n``` of "x" and ```y```',
        'Here: ```json title="x.json"\n{"name": "a"}\n```',
        '"x" is this:\n```json\n{"name": "a"}\n```',
        '[1] says:\n- so\n  ```json\n  {"name": "a"}\n  ```',
        'So:\n~~~\n{"name": "a"}\n~~~\nBye',
        '````json\n{"name": "a"}\n````',
        'So:\r\n```json\r\n{"name": "a"}\r\n```\r\nBye',
        'So:\n```json\n{"name": "a"}',
        ' {"name": "a"} ',
    ],
)
def test_answers_beside_tools_come_in_prose(text: str) -> None:
    assert functions.parse(response(text), Item) == Item(name="a")


@pytest.mark.parametrize(
    "name",
    [
        "Run ```ls``` now",
        "```json\n[1]\n```",
        'say "```" or "~~~"',
        "```",
        "~~~\\",
        "a\n````json\n",
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "So:\n```\n{}```",
        "```json\n{}``` Bye.",
        "~~~json\n{}\n~~~\nBye",
        "```json\n{}",
    ],
)
def test_fences_in_an_answer_are_its_own(around: str, indent: int | None, name: str) -> None:
    text = around.replace("{}", json.dumps({"name": name, "colour": "red"}, indent=indent))
    assert functions.parse(response(text), Item) == Item(name=name)


@pytest.mark.parametrize(
    "text",
    [
        "Sure~~~\n{}",
        "{}\nHope it helps~~~\nBye",
        "Answer\n~~~~~~\n\n{}",
        "~~~~~~\n{}\n~~~~~~\nBye",
        "Answer\n   ~~~~~~\n1. So:\n{}",
        "~~~So\n{}",
        "    ~~~\n{}",
        "{}\n~~~\n\nBye",
    ],
)
@pytest.mark.parametrize("language", ["json", ""])
def test_tildes_in_prose_are_no_fence(text: str, language: str) -> None:
    block = f'```{language}\n{{"name": "a"}}\n```'
    assert functions.parse(response(text.replace("{}", block)), Item) == Item(name="a")


@pytest.mark.parametrize(
    "text",
    [
        'Run:\n```\nls\n```\n```json\n{"name": "a"}\n```',
        'From:\n```\n{"nam": "a"}\n```\nto:\n```json\n{"name": "a"}\n```',
        '```json\n{"name": "a"}\n```\nNow run\n```\nls\n```',
        '~~~\nls\n~~~\n~~~json\n{"name": "a"}\n~~~',
    ],
)
def test_a_block_without_a_label_does_not_count_beside_one_of_json(text: str) -> None:
    assert functions.parse(response(text), Item) == Item(name="a")


def test_a_block_may_begin_behind_its_label() -> None:
    assert functions.parse('```json {"name": "a"}\n```', Item) == Item(name="a")
    assert functions.parse('So: ```json {"name":\n"a"}\n```\nBye', Item) == Item(name="a")
    assert functions.parse("```json [1]\n```", list[int]) == [1]


def test_an_empty_block_is_not_all_that_an_error_shows() -> None:
    with pytest.raises(JsonError, match=r'no JSON: .*: "Well:\\n```json\\n```"'):
        functions.parse("Well:\n```json\n```", Item)


@pytest.mark.parametrize(("one", "two"), [("```", "```"), ("```", "~~~"), ("~~~", "~~~")])
@pytest.mark.parametrize("language", ["json", ""])
def test_of_several_blocks_none_is_chosen(one: str, two: str, language: str) -> None:
    blocks = [f'{each}{language}\n{{"name": "a"}}\n{each}' for each in (one, two)]
    with pytest.raises(JsonError, match="no JSON"):
        functions.parse("\n".join(blocks), Item)


def test_answers_beside_calls() -> None:
    message = response('{"name": "a"}')
    message.candidates[0].content.parts.add(function_call={"name": "f"})
    assert functions.parse(message, Item).name == "a"


def test_answers_of_an_enum() -> None:
    assert functions.parse("blue", Colour) is Colour.BLUE
    assert functions.parse('"blue"', Colour) is Colour.BLUE
    assert functions.parse("plain words", str) == "plain words"


Choice = TypeAliasType("Choice", Literal["red", "blue"])


class Rating(enum.Enum):
    NONE = "null"
    ONE = "1"
    YES = "true"


@pytest.mark.parametrize(
    ("text", "model", "expected"),
    [
        ("blue", Literal["red", "blue"], "blue"),
        ("blue", Colour | None, Colour.BLUE),
        ("null", Colour | None, None),
        ("blue", Annotated[Colour | Literal["other"], "What."], Colour.BLUE),
        ("words", NewType("Words", str), "words"),
        ("blue", Choice, "blue"),
        ("1", Rating, Rating.ONE),
        ("true", Rating, Rating.YES),
        ("null", Rating, Rating.NONE),
        ('"1"', Rating, Rating.ONE),
        ("1", Literal[1, "1"], 1),
        ("12", str, "12"),
    ],
)
def test_bare_answers_are_read_by_what_may_be_text(text: str, model: Any, expected: Any) -> None:
    assert functions.parse(text, model) == expected


def test_text_alone_is_no_answer_where_an_object_is_one() -> None:
    with pytest.raises(JsonError, match="is no JSON"):
        functions.parse('{"name": ', Item | str)
    with pytest.raises(JsonError, match="does not fit: Input should be 'red'"):
        functions.parse("green", Literal["red"])


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("", "", "the answer has no text"),
        ("words", "", "the answer is no JSON"),
        ("[" * 100_000, "", "the answer is no JSON"),
        ('{"a": "x", "b": []}', "a", "the answer does not fit"),
        ('{"a": 1, "b": [{"name": "x"}, {}]}', "b[1].name", "Field required"),
    ],
)
def test_answers_that_do_not_fit(text: str, path: str, reason: str) -> None:
    with pytest.raises(JsonError, match=reason) as caught:
        functions.parse(text, Pair)
    assert caught.value.path == path


class Day(BaseModel):
    when: datetime.date


def test_paths_through_a_union_are_those_of_the_answer() -> None:
    for text, path in (('[{"when": "x"}]', "[0].when"), ("[{}]", "[0].when"), ("{}", "")):
        with pytest.raises(JsonError, match="does not fit") as caught:
            functions.parse(text, list[Day | Item])
        assert caught.value.path == path


@pytest.mark.parametrize(
    "text", ['{"name": "20', '{"name": ', '```json\n{"name": "```2', "```json", "[]", " "]
)
def test_an_answer_that_was_cut_off_says_so(text: str) -> None:
    with pytest.raises(JsonError, match="the answer, ended by MAX_TOKENS,"):
        functions.parse(response(text, finish_reason="MAX_TOKENS"), Item)
    with pytest.raises(JsonError, match=r"the answer (is|has|does)"):
        functions.parse(response(text, finish_reason="STOP"), Item)


def test_no_answer_at_all() -> None:
    with pytest.raises(toolwire.Error, match="SAFETY"):
        functions.parse(v1.GenerateContentResponse(candidates=[{"finish_reason": "SAFETY"}]), Item)
    with pytest.raises(toolwire.Error):
        functions.parse(v1.Tool(), Item)


def test_json_schema_needs_no_pydantic() -> None:
    code = (
        "import sys, toolwire\n"
        "from toolwire import functions\n"
        "assert not {'pydantic', 'docstring_parser', 'grpc'} & set(sys.modules)\n"
        "sys.modules['pydantic'] = sys.modules['docstring_parser'] = None\n"
        "schema = {'type': 'object', 'properties': {'a': {'type': 'string'}}}\n"
        "functions.declare(schema, name='f')\n"
        "functions.declare({'name': 'f', 'inputSchema': schema}, api='gemini')\n"
        "functions.response_schema(schema)\n"
        "print(functions.parse('{}', schema))\n"
        "for ask in (lambda: functions.declare(lambda x: x, name='f'),\n"
        "            lambda: functions.response_schema(int), lambda: functions.parse('1', int)):\n"
        "    try:\n"
        "        ask()\n"
        "    except toolwire.MissingExtraError as error:\n"
        "        print(error)\n"
        "    except toolwire.DeclarationError as error:\n"
        "        print(error)\n"
    )
    lines = run_python("-c", code).splitlines()
    assert lines[0] == "{}"
    needs = 'reading Python types needs pydantic: pip install "toolwire[functions]"'
    assert lines[2:] == [needs, needs]


@pytest.mark.parametrize(
    "text",
    [
        "```\n" + " \n" * 50_000,
        "```json" + " " * 50_000,
        "```json\n" + " " * 50_000 + "x",
        "```\n" * 50_001,
        "`" * 50_000 + "x\n" + "~" * 50_000 + "\n",
        '```\n"' + '\\"' * 50_000,
        "```\n" + '"' * 50_001,
    ],
    ids=["lines", "no line", "spaces", "fences", "one fence", "escapes", "quotes"],
)
def test_a_fence_that_never_ends(text: str) -> None:
    """Read in one go: each of these took hours once."""
    with pytest.raises(JsonError, match="no JSON"):
        functions.parse(text, int)


@pytest.mark.parametrize("text", ["```json  \r\n\n [1] \n\n```", "So:\n```\n[1]```\nDone."])
def test_white_space_in_a_fence(text: str) -> None:
    assert functions.parse(text, list[int]) == [1]
