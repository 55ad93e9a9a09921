"""Errors: the path in JSON names, what was found, what would be right, and no secrets."""

from __future__ import annotations

import pickle
import types
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import any_pb2, timestamp_pb2
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

import toolwire
from support.kinds import Kinds
from support.protos import file, message
from toolwire import gemini, v1
from toolwire._errors import JsonError
from toolwire._json import from_binary, from_dict, from_json, to_dict, to_json

LONG = "x" * 5000


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"function_declarations":[{},1]}', "functionDeclarations[1]"),
        (
            '{"functionDeclarations":[{"parameters":{"properties":{"order_id":{"type":1.5}}}}]}',
            'functionDeclarations[0].parameters.properties["order_id"].type',
        ),
        (
            '{"functionDeclarations":[{"response":{"properties":{"a\\"b\\n é":{"any_of":[[]]}}}}]}',
            'functionDeclarations[0].response.properties["a\\"b\\n é"].anyOf[0]',
        ),
        (
            '{"retrieval":{"vertexAiSearch":{"max_results":"x"}}}',
            "retrieval.vertexAiSearch.maxResults",
        ),
        ("[]", ""),
    ],
)
def test_paths_are_in_json_names(text: str, path: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(v1.Tool, text)
    assert caught.value.path == path
    assert str(caught.value) == (f"{path}: " if path else "") + caught.value.reason
    assert (caught.value.line, caught.value.column) == (None, None)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"wkStruct": {"a.b": {"": [0, b""]}}}, 'wkStruct["a.b"][""][1]'),
        ({"childrenByNumber": {5: {"renamed": 1}}}, 'childrenByNumber["5"]["a-strange.name"]'),
        ({"childrenByName": {"x": {"_under__score_1": 1}}}, 'childrenByName["x"].Under_score1'),
        ({"children": [{}, {"wksValue": [[b""]]}]}, "children[1].wksValue[0][0]"),
        ({"wkListvalue": [[1, [b""]]]}, "wkListvalue[0][1][0]"),
    ],
)
def test_paths_show_keys_as_json_strings(fields: dict[str, object], path: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_dict(Kinds, fields)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("functionDeclaration", '; did you mean "functionDeclarations"?'),
        ("function-declarations", '; did you mean "functionDeclarations"?'),
        ("FUNCTION_DECLARATIONS", '; did you mean "functionDeclarations"?'),
        ("googelSearch", '; did you mean "googleSearch"?'),
        ("name", '; did you mean "functionDeclarations[].name"?'),
        ("parameters", '; did you mean "functionDeclarations[].parameters"?'),
        ("excludeDomains", ""),  # of two kinds of tools
        ("additionalProperties", ""),  # two levels down
        ("entirely_different", ""),
        ("", ""),
    ],
)
def test_an_unknown_field_names_the_nearest_known_one_or_its_place(name: str, hint: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(v1.Tool, f'{{"{name}":1}}')
    assert caught.value.reason == f'unknown field "{name}"{hint}'


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("red", '; did you mean "RED"? It has '),
        ("DarkGreen", '; did you mean "DARK_GREEN"? It has '),
        ("date-time", "; it has "),
    ],
)
def test_an_unknown_enum_name_names_the_nearest_known_one_and_all_if_few(
    value: str, hint: str
) -> None:
    values = '"COLOR_UNSPECIFIED", "RED", "CRIMSON", "DARK_GREEN", "NEGATIVE"'
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, f'{{"color":"{value}"}}')
    assert caught.value.reason == (
        f'the string "{value}" is no value of toolwire.test.Color{hint}{values}'
    )


def test_the_values_of_an_enum_with_many_are_not_listed() -> None:
    assert len(v1.Candidate.FinishReason.keys()) > 8
    with pytest.raises(JsonError) as caught:
        from_json(v1.Candidate, '{"finishReason":"stop"}')
    assert caught.value.reason.endswith('FinishReason; did you mean "STOP"?')


def test_what_the_other_function_reads_is_said() -> None:
    mapping: dict[str, object] = {"functionDeclarations": []}
    mappings: list[Any] = [mapping, types.MappingProxyType(mapping)]
    for other in mappings:
        with pytest.raises(JsonError, match=r"found (dict|mappingproxy); from_dict reads mappings"):
            from_json(v1.Tool, other)
    texts: list[Any] = ['{"functionDeclarations":[]}', b"{}"]
    for other in texts:
        with pytest.raises(JsonError, match=r"expected an object, found .*; from_json reads text"):
            from_dict(v1.Tool, other)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("", 'the string ""'),
        ("tab\tand é", 'the string "tab\\tand é"'),
        (LONG, 'the string "' + "x" * 40 + '..."'),
        (1.5, "the number 1.5"),
        (10**45, "the number 1" + "0" * 39 + "..."),
        pytest.param(10**5000, "the number of about 4983 digits", id="huge"),
        (b"abc", "bytes"),
        ([1], "a list"),
        ({}, "an object"),
        (object(), "a Python object"),
        (Kinds(), "a toolwire.test.Kinds message"),
    ],
)
def test_errors_say_what_was_found(value: object, found: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_dict(Kinds, {"allUint32": [0, value]})
    if value is None:
        assert caught.value.reason == "null is no item of a list or map"
    else:
        assert caught.value.reason == f"expected a whole number from 0 to 4294967295, found {found}"


def test_errors_never_hold_a_document() -> None:
    cases: list[dict[str, object]] = [
        {LONG: 1},
        {"color": LONG},
        {"oneInt32": LONG},
        {"byInt32": {LONG: ""}},
        {"wkTimestamp": LONG},
        {"wkFieldmask": LONG + "_"},
        {"wkAny": {"@type": LONG}},
        {"wkAny": {"@type": "x/" + LONG}},
        {"wkStruct": {LONG: b""}},
        {"childrenByName": {LONG: 1}},
        {"oneInt32": {"a": LONG}},
        {"oneInt32": [LONG]},
    ]
    for case in cases:
        with pytest.raises(JsonError) as caught:
            from_dict(Kinds, case)
        assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "name",
    [
        *("apiKey", "api_key", "API-Key", "password", "clientSecret", "access_token"),
        *("x-goog-api-key", "Authorization", "credentials", "privateKey", "cookie"),
    ],
)
@pytest.mark.parametrize("value", ["s3cret", ["s3cret"], 53.25, 5325])
def test_what_looks_like_a_credential_is_not_shown(name: str, value: Any) -> None:
    """Neither in a field, nor in a map or Struct, nor below."""
    cases: list[dict[str, object]] = [
        {"secrets": {name: [value]}},
        {"secrets": {name: value if isinstance(value, str) else 5325 << 32}},
        {"childrenByName": {name: {"inner": value}}},
        {"childrenByName": {name: {"color": value if isinstance(value, str) else 532.5}}},
        {"childrenByName": {name: {"oneBool": value}}},
        {"childrenByName": {name: {"wkTimestamp": value}}},
        {"childrenByName": {name: {"wkDuration": value}}},
        {"wkStruct": {name: [value, 2**60 + 1]}},
        {name: [value]},
    ]
    for case in cases:
        with pytest.raises(JsonError) as caught:
            from_dict(Kinds, case)
        assert "s3cret" not in str(caught.value)
        assert str(5325 << 32) not in str(caught.value)
        assert "53" not in str(caught.value)
        assert str(2**60) not in str(caught.value)
        assert caught.value.__cause__ is None


@pytest.mark.parametrize("name", ["api_key", "apiKey"])
def test_a_wrong_api_key_is_not_shown(name: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, f'{{"{name}": 12345}}')
    assert str(caught.value) == "apiKey: expected a string, found a number"


@pytest.mark.parametrize("text", ['{"apiKey": "s3cret"', '{"apiKey": s3cret}', '{"apiKey":1e999}'])
def test_a_fault_in_the_text_shows_nothing_of_it(text: str) -> None:
    """Nor does an exception behind it hold the document."""
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, text)
    assert "s3cret" not in str(caught.value)
    assert "999" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_errors_cross_processes() -> None:
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, '{"child":{"oneInt32":"x"}}')
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.path, again.reason) == (caught.value.path, caught.value.reason)
    assert str(again) == str(caught.value)
    assert isinstance(again, ValueError)


@pytest.mark.parametrize("message", [None, {}, "x", Kinds, 1])
def test_what_is_no_message_is_refused(message: object) -> None:
    with pytest.raises(JsonError, match="expected a protobuf message, found"):
        to_json(message)


@pytest.mark.parametrize("cls", [None, Kinds(), dict, type, "x"])
def test_what_is_no_message_class_is_refused(cls: Any) -> None:
    with pytest.raises(JsonError, match="expected a message class such as"):
        from_json(cls, "{}")
    with pytest.raises(JsonError, match="expected a message class such as"):
        from_dict(cls, {})


def test_a_type_is_told_with_the_article_that_it_is_spoken_with() -> None:
    described = file("owl.proto", message("Owl", "required int32 eyes = 1", proto3=False))
    described.syntax, described.package = "proto2", "acme"
    pool = DescriptorPool()
    pool.Add(described)
    owl: Any = GetMessageClass(pool.FindMessageTypeByName("acme.Owl"))
    text = '{"@type":"x/google.protobuf.Int32Value"}'
    text_for_bytes: Any = "x"
    said: list[tuple[Callable[[], object], str]] = [
        (lambda: from_dict(Kinds, {"child": owl(eyes=2)}), "found an acme.Owl message"),
        (lambda: from_dict(owl, Kinds()), "expected an acme.Owl, found a toolwire.test.Kinds"),
        (lambda: from_dict(owl, owl()), "an acme.Owl that lacks a required field"),
        (lambda: from_binary(owl, text_for_bytes), "expected bytes for an acme.Owl, found str"),
        (lambda: from_json(any_pb2.Any, text), "an Any with a google.protobuf.Int32Value but"),
        (lambda: to_dict(timestamp_pb2.Timestamp()), "the JSON of a google.protobuf.Timestamp is"),
    ]
    for call, words in said:
        with pytest.raises(toolwire.Error, match=words):
            call()


@pytest.mark.parametrize("max_depth", [-1, 1.0, True, None, "5"])
def test_a_wrong_depth_is_refused(max_depth: Any) -> None:
    with pytest.raises(JsonError, match="max_depth must be a whole number from 0"):
        from_json(Kinds, "{}", max_depth=max_depth)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("QUERY", ' did you mean "RETRIEVAL_QUERY"'),
        ("DOCUMENT", ' did you mean "RETRIEVAL_DOCUMENT"'),
        ("ANSWERING", ' did you mean "QUESTION_ANSWERING"'),
        ("NOTHING_LIKE_IT", ""),
    ],
)
def test_a_word_of_a_name_leads_to_it(name: str, hint: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_dict(gemini.EmbedContentRequest, {"taskType": name})
    assert caught.value.reason.partition(";")[2].partition("?")[0] == hint
