"""Bad input costs little: it is refused with a short error, and nothing grows faster than it."""

from __future__ import annotations

import json
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from support.kinds import Kinds
from support.native import CODECS, binary, pure
from support.work import calls_of
from toolwire._errors import JsonError
from toolwire._json import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = 1_000_000
BOMBS = {
    "open lists": "[" * MANY,
    "open objects": '{"child":' * (MANY // 9),
    "lists": '{"wkValue":' + "[" * MANY + "]" * MANY + "}",
    "lists where none belongs": '{"oneInt32":' + "[" * MANY + "]" * MANY + "}",
    "unknown": '{"unknown":' + '{"a":' * 50_000 + "1" + "}" * 50_000 + "}",
    "digits": "1" * MANY,
    "digits in a field": '{"oneInt64":' + "1" * MANY + "}",
    "decimals": '{"oneDouble":0.' + "1" * MANY + "}",
    "exponent": '{"oneDouble":1e' + "1" * MANY + "}",
    "zeros": '{"wkValue":-' + "0" * MANY + "}",
    "quoted digits": '{"oneInt64":"' + "1" * MANY + '"}',
    "quoted double": '{"oneDouble":"' + "1" * MANY + '"}',
    "quoted exponent": '{"oneInt64":"1e' + "1" * MANY + '"}',
    "digits as key": '{"byInt64":{"' + "1" * MANY + '":"a"}}',
    "digits as enum": '{"color":"' + "1" * MANY + '"}',
    "duration": '{"wkDuration":"' + "1" * MANY + 's"}',
    "fraction": '{"wkTimestamp":"1970-01-01T00:00:00.' + "1" * MANY + 'Z"}',
    "base64": '{"oneBytes":"' + "=" * MANY + '"}',
    "long name": '{"' + "a" * MANY + '":1}',
    "long enum name": '{"color":"' + "R" * MANY + '"}',
    "long type": '{"wkAny":{"@type":"' + "/" * MANY + '"}}',
    "surrogates": '{"oneString":"' + "\\ud800" * (MANY // 6) + '"}',
    "many keys and a repeated one": (
        "{" + ",".join(f'"{number}":1' for number in range(100_000)) + ',"0":1}'
    ),
}
# A hundred characters or so that ask for much.
SHORT = {
    **{name: text[:100] for name, text in BOMBS.items()},
    "exponent of an integer": '{"oneInt64":"1e999999999"}',
    "exponent of zero": '{"oneInt64":"0e999999999999999999"}',
    "exponent of an enum": '{"color":1e300}',
    "exponent of a key": '{"byInt64":{"1e999999999":""}}',
    "exponent in a Value": '{"wkValue":[1e308,-1e308,1e-308]}',
    "depth": '{"wkValue":' + "[" * 44 + "]" * 44 + "}",
    "depth and one more": '{"wkValue":' + "[" * 55 + "]" * 55 + "}",
    "names": '{"wkFieldmask":"' + "a," * 40 + 'a"}',
    "unknown name": '{"' + "oneInt" * 15 + '":1}',
    "unknown enum name": '{"color":"' + "RED" * 28 + '"}',
    "unknown type": '{"wkAny":{"@type":"x/' + "a." * 38 + '"}}',
}


def peak_of(work: Callable[[], object]) -> int:
    """The memory in bytes that something takes, when it is done for the second time."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def outcome(text: str) -> str:
    try:
        return to_json(from_json(Kinds, text))
    except JsonError as error:
        return str(error)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_in_a_few_words(name: str, codec: str) -> None:
    with CODECS[codec](), pytest.raises(JsonError) as caught:
        from_json(Kinds, BOMBS[name])
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("name", SHORT)
def test_a_short_text_takes_little_memory(name: str, codec: str) -> None:
    text = SHORT[name]
    assert len(text) < 130
    with CODECS[codec]():
        assert peak_of(lambda: outcome(text)) < 100_000


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("name", ["lists", "digits", "quoted digits", "quoted exponent", "base64"])
def test_a_bomb_takes_memory_in_proportion(name: str, codec: str) -> None:
    text = BOMBS[name]
    with CODECS[codec]():
        assert peak_of(lambda: outcome(text)) < 20 * len(text)  # orjson asks for 13 in advance


SHAPES: dict[str, Callable[[int], dict[str, Any]]] = {
    "numbers": lambda size: {"allInt64": [f"{number}" for number in range(size)]},
    "texts": lambda size: {"allString": [f"é{number}" for number in range(size)]},
    "map": lambda size: {"byInt32": {f"{number}": "x" for number in range(size)}},
    "messages": lambda size: {"children": [{"oneInt32": 1, "color": "RED"}] * size},
    "struct": lambda size: {"wkStruct": {f"{number}": [number] for number in range(size)}},
    "times": lambda size: {"wksTimestamp": ["1970-01-01T00:00:01.500Z"] * size},
    "unknown": lambda size: {"children": [{"oneInt32": 1}] * (size - 1) + [{"new": 1}]},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_as_the_input_does(shape: str) -> None:
    """Of the Python codec; what the native core does is no call of a function."""
    small, large = (json.dumps(SHAPES[shape](size)) for size in (500, 2000))
    with pure():
        calls = [calls_of(partial(outcome, text)) for text in (small, large)]
    assert calls[0] < calls[1] < 4.2 * calls[0]


def test_output_takes_memory_in_proportion() -> None:
    message = from_json(Kinds, json.dumps(SHAPES["struct"](5_000)))
    size = len(binary(message)) + len(to_json(message))
    with pure():
        assert peak_of(lambda: to_json(message)) < 20 * size
