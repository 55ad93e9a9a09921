"""Unknown fields and enum names: refused, ignored, or collected and written back."""

from __future__ import annotations

import copy
import json
import pickle
from enum import Enum
from typing import Any, cast

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from support.kinds import Kinds
from toolwire import v1
from toolwire._errors import JsonError
from toolwire._json import UnknownFields, from_dict, from_json, to_dict, to_json, to_json_bytes

# Documents of a newer server, and what is unknown in them.
NEWER: dict[str, dict[str, object]] = {
    '{"new":1}': {"new": 1},
    '{"color":"NEW"}': {"color": "NEW"},
    '{"maybeColor":"NEW"}': {"maybeColor": "NEW"},
    '{"oneInt32":1,"color":"NEW","maybeColor":"RED"}': {"color": "NEW"},
    '{"colors":["NEW"]}': {"colors[0]": "NEW"},
    '{"colors":["A","RED","B","C","RED","D"]}': {
        "colors[0]": "A",
        "colors[2]": "B",
        "colors[3]": "C",
        "colors[5]": "D",
    },
    '{"colorsByName":{"a":"NEW","b":"RED","c":"NEWER"}}': {
        'colorsByName["a"]': "NEW",
        'colorsByName["c"]': "NEWER",
    },
    '{"child":{"child":{"a b":[{"x":null}]}}}': {'child.child["a b"]': [{"x": None}]},
    '{"children":[{},{"new":1},{"color":"NEW"}]}': {
        "children[1].new": 1,
        "children[2].color": "NEW",
    },
    '{"childrenByName":{"a.b":{"new":{}},"é\\"":{"new":[]}}}': {
        'childrenByName["a.b"].new': {},
        'childrenByName["é\\""].new': [],
    },
    '{"childrenByNumber":{"-5":{"new":1},"10":{}}}': {'childrenByNumber["-5"].new': 1},
    '{"wkAny":{"@type":"x/toolwire.test.Kinds","color":"NEW","new":1}}': {
        "wkAny.color": "NEW",
        "wkAny.new": 1,
    },
    '{"wkAny":{"@type":"x/google.protobuf.Duration","value":"1s","new":1}}': {"wkAny.new": 1},
    '{"wkAny":{"@type":"x/google.protobuf.Any","value":{"@type":"x/toolwire.test.Kinds","n":1}}}': {
        "wkAny.value.n": 1
    },
    '{"":1,"[x.y]":2,"[0]":3,"a.b":4,"toolConfig":5}': {
        '[""]': 1,
        "[x.y]": 2,
        '["[0]"]': 3,
        '["a.b"]': 4,
        "toolConfig": 5,
    },
    '{"big":12345678901234567890123,"float":1.5,"deep":[[[["é",true,null]]]]}': {
        "big": 12345678901234567890123,
        "float": 1.5,
        "deep": [[[["é", True, None]]]],
    },
}
PARTS = [
    {"text": "a"},
    {"toolCall": {"id": "c1", "args": {"x": [1, 2.5, None]}}},
    {"toolResponse": {"id": "c1"}},
    {"text": "b"},
]


def same(first: str, second: str) -> bool:
    """Compares documents, with the order of list items but not of keys."""
    return bool(json.loads(first) == json.loads(second))


@pytest.mark.parametrize("text", NEWER)
def test_what_is_unknown_is_refused_by_default(text: str) -> None:
    with pytest.raises(JsonError, match=r"unknown field|is no value of toolwire") as caught:
        from_json(Kinds, text)
    assert caught.value.path == next(iter(NEWER[text]))


@pytest.mark.parametrize("text", NEWER)
def test_what_is_unknown_can_be_ignored(text: str) -> None:
    message = from_json(Kinds, text, unknown="ignore")
    collected = UnknownFields()
    assert from_json(Kinds, text, unknown=collected) == message
    assert from_json(Kinds, to_json(message)) == message
    assert not same(to_json(message), text)


@pytest.mark.parametrize("text", NEWER)
def test_what_is_unknown_is_collected_by_path_and_written_back(text: str) -> None:
    unknown = UnknownFields()
    message = from_json(Kinds, text, unknown=unknown)
    assert dict(unknown) == NEWER[text]
    assert to_json(message, unknown=unknown) == text
    assert to_json_bytes(message, unknown=unknown) == text.encode()
    assert to_dict(message, unknown=unknown) == json.loads(text)
    from_dict(Kinds, json.loads(text), unknown=unknown)
    assert to_json(message, unknown=unknown) == text
    again = UnknownFields()
    for proto_names, defaults in ((False, False), (True, False), (False, True)):
        written = to_json(
            message, unknown=unknown, proto_names=proto_names, include_defaults=defaults
        )
        assert from_json(Kinds, written, unknown=again) == message
        assert again == unknown


def test_parts_that_only_a_newer_schema_has_keep_their_places() -> None:
    text = json.dumps({"role": "model", "parts": PARTS}, separators=(",", ":"))
    unknown = UnknownFields()
    content = from_json(v1.Content, text, unknown=unknown)
    assert list(unknown) == ["parts[1].toolCall", "parts[2].toolResponse"]
    assert to_json(content, unknown=unknown) == text
    request = v1.GenerateContentRequest(model="m", contents=[content])
    moved = UnknownFields({f"contents[0].{path}": value for path, value in unknown.items()})
    assert to_dict(request, unknown=moved)["contents"] == [json.loads(text)]


def test_a_message_value_wins_over_a_collected_one() -> None:
    unknown = UnknownFields()
    message = from_json(Kinds, '{"color":"NEW","colorsByName":{"a":"NEW"}}', unknown=unknown)
    message.color = 1
    message.colors_by_name["a"] = 2
    assert to_json(message, unknown=unknown) == '{"color":"RED","colorsByName":{"a":"DARK_GREEN"}}'


def test_a_oneof_that_was_set_since_wins_over_a_collected_member() -> None:
    unknown = UnknownFields()
    message = from_json(Kinds, '{"choiceColor":"NEW"}', unknown=unknown)
    assert to_json(message, unknown=unknown) == '{"choiceColor":"NEW"}'
    message.choice_int32 = 0
    assert to_json(message, unknown=unknown) == '{"choiceInt32":0}'


def test_items_that_are_gone_leave_the_collected_ones_in_order() -> None:
    unknown = UnknownFields()
    message = from_json(Kinds, '{"colors":["A","RED","B","RED","C"]}', unknown=unknown)
    del message.colors[:]
    assert to_json(message, unknown=unknown) == '{"colors":["A","B","C"]}'


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("child.new", "child"),
        ("children[0].new", "children[0]"),
        ("children[1].new", "children[1]"),
        ('childrenByName["a"].new', 'childrenByName["a"]'),
        ("oneInt32.new", "oneInt32"),
        ("wkStruct.new", "wkStruct"),
        ('wkStruct["new"]', "wkStruct"),
        ("wkAny.new", "wkAny"),
        ('byString["a"].new', 'byString["a"]'),
        ("new.newer", "new"),
    ],
)
def test_what_has_no_place_any_more_is_refused(path: str, place: str) -> None:
    message = Kinds(one_int32=1, by_string={"a": ""}, wk_struct={}, wk_any={})
    with pytest.raises(JsonError, match="an unknown field was collected below") as caught:
        to_json(message, unknown=UnknownFields({path: 1}))
    assert caught.value.path == place


@pytest.mark.parametrize(
    "path", ["", "a[1]b", "a..b", ".a", "a.", "a[b", "a[-1]", "a b", 'a["\\ud800"]', "é"]
)
def test_what_is_no_path_is_refused(path: str) -> None:
    unknown = UnknownFields()
    with pytest.raises(JsonError):
        unknown[path] = 1
    with pytest.raises(JsonError):
        UnknownFields({path: 1})
    assert not unknown


@pytest.mark.parametrize("value", [object(), b"x", {1: 2}, float("nan"), "\ud800", {"\ud800": 1}])
def test_what_json_cannot_say_is_neither_collected_nor_written(value: object) -> None:
    with pytest.raises(JsonError) as caught:
        from_dict(Kinds, {"new": value}, unknown=UnknownFields())
    assert caught.value.path.startswith("new")
    with pytest.raises(JsonError):
        to_json(Kinds(), unknown=UnknownFields({"new": value}))
    assert from_dict(Kinds, {"new": value}, unknown="ignore") == Kinds()


def test_a_deep_unknown_value_is_refused() -> None:
    text = '{"new":' + "[" * 300 + "]" * 300 + "}"
    with pytest.raises(JsonError, match="more than 200 levels of lists and objects"):
        from_json(Kinds, text, unknown=UnknownFields())
    assert from_json(Kinds, text, unknown="ignore") == Kinds()


def test_what_was_collected_is_a_copy() -> None:
    given = {"new": {"a": [1]}}
    unknown = UnknownFields()
    message = from_dict(Kinds, given, unknown=unknown)
    given["new"]["a"].append(2)
    written = to_dict(message, unknown=unknown)
    assert written == {"new": {"a": [1]}}
    cast("Any", written)["new"]["a"].append(3)
    assert unknown == {"new": {"a": [1]}}


def test_a_collector_is_a_mapping_that_each_reading_fills_anew() -> None:
    unknown = UnknownFields()
    from_json(Kinds, '{"a":1,"b":{"secret":"s3cret"}}', unknown=unknown)
    assert unknown["b"] == {"secret": "s3cret"}
    assert len(unknown) == 2
    assert "s3cret" not in repr(unknown)
    assert pickle.loads(pickle.dumps(unknown)) == unknown == copy.deepcopy(unknown)
    del unknown["a"]
    unknown["c.d"] = 1
    assert list(unknown) == ["b", "c.d"]
    from_json(Kinds, "{}", unknown=unknown)
    assert dict(unknown) == {}


def test_a_copy_keeps_what_the_next_reading_empties() -> None:
    unknown = UnknownFields()
    from_json(Kinds, '{"new":1}', unknown=unknown)
    kept = copy.copy(unknown)
    from_json(Kinds, "{}", unknown=unknown)
    assert (type(kept), dict(kept), dict(unknown)) == (UnknownFields, {"new": 1}, {})


class Name(str, Enum):
    """Names that are text and enum members, as many a code base has them."""

    NEW = "new"
    CHILD = "child"


def test_a_name_that_is_an_enum_member_is_its_text() -> None:
    unknown = UnknownFields()
    from_dict(Kinds, {Name.CHILD: {Name.NEW: Name.NEW}}, unknown=unknown)
    assert dict(unknown) == {"child.new": "new"}
    with pytest.raises(JsonError) as caught:
        from_dict(Kinds, {Name.NEW: 1})
    assert caught.value.path == "new"


@pytest.mark.parametrize("unknown", ["skip", None, 1, UnknownFields])
def test_the_option_is_checked(unknown: Any) -> None:
    with pytest.raises(JsonError, match="unknown must be"):
        from_json(Kinds, "{}", unknown=unknown)
    if unknown is not None:
        with pytest.raises(JsonError, match="unknown must be an UnknownFields when writing"):
            to_json(Kinds(), unknown=unknown)


KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
JSON_VALUES: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e300, 1e300) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def nested(inner: st.SearchStrategy[dict[str, object]]) -> st.SearchStrategy[dict[str, object]]:
    known: dict[str, st.SearchStrategy[object]] = {
        "child": inner,
        "children": st.lists(inner, max_size=3),
        "childrenByName": st.dictionaries(KEYS, inner, max_size=3),
        "colors": st.lists(st.sampled_from(["RED", "NEW", "NEWER"]), max_size=4),
        "new": JSON_VALUES,
    }
    return st.fixed_dictionaries({}, optional=known)


DOCUMENTS = st.recursive(st.dictionaries(KEYS, JSON_VALUES, max_size=3), nested, max_leaves=10)


@given(DOCUMENTS)
def test_every_document_comes_back(document: dict[str, object]) -> None:
    unknown = UnknownFields()
    message = from_dict(Kinds, document, unknown=unknown)
    written = to_dict(message, unknown=unknown)
    texts = [json.dumps(_without_empty(tree), sort_keys=True) for tree in (written, document)]
    assert texts[0] == texts[1]


def _without_empty(value: object) -> object:
    """Drops what a message cannot tell from absent: empty lists and maps of known fields."""
    if isinstance(value, list):
        return [_without_empty(item) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    entries = cast("dict[str, object]", value)
    droppable = {"children", "childrenByName", "colors"}
    return {
        key: _without_empty(item)
        for key, item in entries.items()
        if not (key in droppable and item in ([], {}))
    }


@pytest.mark.parametrize(
    ("cls", "collected"),
    [
        pytest.param(v1.Tool, {"functionDeclarations": [{"name": "f"}]}, id="list"),
        pytest.param(v1.Schema, {"properties": {"a": {"type": "STRING"}}}, id="map"),
        pytest.param(v1.Tool, {"googleSearch": {}}, id="message"),
    ],
)
def test_what_an_older_schema_collected_is_written_by_one_that_knows_it(
    cls: type[Message], collected: dict[str, object]
) -> None:
    unknown = UnknownFields(collected)
    assert json.loads(to_json(cls(), unknown=unknown)) == collected


def test_a_path_that_is_no_text_is_refused() -> None:
    with pytest.raises(JsonError, match="expected a path as text, found int"):
        UnknownFields(cast("dict[str, object]", {5: 1}))


def test_a_name_in_what_is_a_list_is_refused() -> None:
    with pytest.raises(JsonError, match="in what is a list here"):
        to_json(v1.Tool(), unknown=UnknownFields({"functionDeclarations.foo": 1}))


@pytest.mark.parametrize("indent", [1.5, -1, "  "])
def test_an_indent_that_is_none_is_refused(indent: object) -> None:
    with pytest.raises(JsonError, match="indent must be"):
        to_json(v1.Tool(), indent=cast("int", indent))
