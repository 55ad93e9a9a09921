"""Calls whose arguments come in pieces."""

from __future__ import annotations

from typing import Any

import pytest

import toolwire
from support.apis import SERVED, module
from support.work import calls_of
from toolwire import ConversionError, join_chunks

STREAMED = [
    api for api in SERVED if "partial_args" in module(api).FunctionCall.DESCRIPTOR.fields_by_name
]
of_every_streaming_api = pytest.mark.parametrize("api", STREAMED)


def joined(api: str, *calls: Any, outside: Any = ()) -> list[Any]:
    cls = module(api).GenerateContentResponse
    parts = [{"functionCall": call, **dict(outside)} for call in calls]
    whole = join_chunks(
        toolwire.from_dict(cls, {"candidates": [{"content": {"parts": [part]}}]}) for part in parts
    )
    return [toolwire.to_dict(part)["functionCall"] for part in whole.candidates[0].content.parts]


def piece(*arguments: Any, **more: Any) -> Any:
    return {"partialArgs": list(arguments), "willContinue": True, **more}


def value(path: str, **more: Any) -> Any:
    return {"jsonPath": path, **more}


BEGIN: Any = {"name": "f", "willContinue": True}
END: Any = {}


@of_every_streaming_api
def test_pieces_become_the_call_at_once(api: str) -> None:
    found = joined(
        api,
        BEGIN,
        piece(value("$.city", stringValue="Par", willContinue=True)),
        piece(value("$.city", stringValue="is")),
        piece(value("$.days", numberValue=3), value("$.metric", boolValue=True)),
        piece(value("$.note", nullValue=None)),
        piece(value("$.lines[0].text", stringValue="a"), value("$.lines[1]['a b']", numberValue=1)),
        END,
    )
    arguments = {
        "city": "Paris",
        "days": 3,
        "metric": True,
        "note": None,
        "lines": [{"text": "a"}, {"a b": 1}],
    }
    assert found == [{"name": "f", "args": arguments}]


@of_every_streaming_api
def test_calls_one_after_the_other_stay_apart(api: str) -> None:
    text = value("$.a", stringValue="x")
    other = {"name": "g", "args": {"b": 1}}
    assert joined(api, BEGIN, piece(text), END, BEGIN, piece(text), END, other) == [
        {"name": "f", "args": {"a": "x"}},
        {"name": "f", "args": {"a": "x"}},
        other,
    ]


@of_every_streaming_api
def test_a_name_that_is_repeated_with_pieces_goes_on(api: str) -> None:
    one, two = (piece(value("$.a", stringValue=text, willContinue=True), name="f") for text in "xy")
    assert joined(api, one, two, END) == [{"name": "f", "args": {"a": "xy"}}]


def test_calls_with_ids_may_take_turns() -> None:
    found = joined(
        "v1beta1",
        {"id": "1", **BEGIN},
        {"id": "2", **BEGIN},
        piece(value("$.a", stringValue="x"), id="1"),
        piece(value("$.a", stringValue="y"), id="2"),
        {"id": "1"},
        {"id": "2", "args": {"b": 1}},
    )
    assert found == [
        {"id": "1", "name": "f", "args": {"a": "x"}},
        {"id": "2", "name": "f", "args": {"a": "y", "b": 1}},
    ]


def test_a_piece_without_an_id_is_of_the_one_call_that_is_open() -> None:
    found = joined(
        "v1beta1",
        {"id": "1", **BEGIN},
        piece(value("$.a", stringValue="x")),
        {"id": "2", **BEGIN},
        {"id": "1"},
        piece(value("$.a", stringValue="y")),
        END,
    )
    assert found == [
        {"id": "1", "name": "f", "args": {"a": "x"}},
        {"id": "2", "name": "f", "args": {"a": "y"}},
    ]


@of_every_streaming_api
@pytest.mark.parametrize(
    ("unclear", "names"),
    [
        (piece(value("$.a", stringValue="x")), '2 open calls, "f", "g"'),
        (END, '2 open calls, "f", "g"'),
        (piece(value("$.a", stringValue="x"), name="h"), '2 open calls, "h", "h"'),
    ],
    ids=["piece", "end", "name"],
)
def test_a_piece_of_several_open_calls_is_refused(api: str, unclear: Any, names: str) -> None:
    calls = ["h", "h"] if "name" in unclear else ["f", "g"]
    with pytest.raises(ConversionError, match=f"goes on with one of {names}: only an id") as caught:
        joined(api, *({**BEGIN, "name": name} for name in calls), unclear)
    assert caught.value.path == "chunks[2].candidates[0].content.parts[0].functionCall"


@of_every_streaming_api
def test_names_tell_open_calls_apart(api: str) -> None:
    one, two = ({**BEGIN, "name": name} for name in "fg")
    pieces = [piece(value("$.a", stringValue=name), name=name) for name in "fgfg"]
    ends = [{"name": name, "partialArgs": [value("$.b", numberValue=1)]} for name in "fg"]
    assert joined(api, one, two, *pieces, *ends) == [
        {"name": name, "args": {"a": name * 2, "b": 1}} for name in "fg"
    ]


def test_an_id_that_comes_late_tells_calls_of_a_name_apart() -> None:
    text = value("$.a", stringValue="x", willContinue=True)
    found = joined(
        "v1beta1",
        {"id": "1", **BEGIN},
        BEGIN,
        piece(text, id="2", name="f"),  # of the one that has no id yet
        piece(text, id="1"),
        {"id": "2"},
        piece(text),  # of the one that is left
        END,
    )
    assert found == [
        {"id": "1", "name": "f", "args": {"a": "xx"}},
        {"id": "2", "name": "f", "args": {"a": "x"}},
    ]


@of_every_streaming_api
def test_work_grows_as_the_number_of_open_calls_does(api: str) -> None:
    cls = module(api).GenerateContentResponse
    pieces = (
        BEGIN,
        piece(value("$.a", numberValue=1)),
        {"partialArgs": [value("$.b", numberValue=1)]},
    )

    def work(many: int) -> int:
        chunks = [
            toolwire.from_dict(
                cls,
                {
                    "candidates": [
                        {
                            "content": {
                                "parts": [
                                    {"functionCall": {**each, "name": f"f{n}"}} for n in range(many)
                                ]
                            }
                        }
                    ]
                },
            )
            for each in pieces
        ]
        return calls_of(lambda: join_chunks(chunks))

    small, large = work(50), work(200)
    assert small < large < 4.4 * small


@of_every_streaming_api
def test_whole_calls_beside_an_open_one_stay_apart(api: str) -> None:
    whole = [
        {"name": "g", "args": {"b": 1}},
        {"name": "h", "partialArgs": [value("$.b", numberValue=1)]},
    ]
    found = joined(api, BEGIN, *whole, piece(value("$.a", stringValue="x")), END)
    assert found == [
        {"name": "f", "args": {"a": "x"}},
        {"name": "g", "args": {"b": 1}},
        {"name": "h", "args": {"b": 1}},
    ]


@of_every_streaming_api
def test_a_call_that_was_cut_off_says_so(api: str) -> None:
    text = value("$.a", stringValue="x", willContinue=True)
    assert joined(api, BEGIN, piece(text)) == [
        {"name": "f", "args": {"a": "x"}, "willContinue": True}
    ]


@of_every_streaming_api
def test_the_signature_of_a_call_stays(api: str) -> None:
    cls = module(api).GenerateContentResponse
    parts: list[Any] = [
        {"functionCall": BEGIN, "thoughtSignature": "AAH/"},
        {"functionCall": piece(value("$.a", numberValue=1))},
        {"functionCall": END},
    ]
    chunks = [
        toolwire.from_dict(cls, {"candidates": [{"content": {"parts": [part]}}]}) for part in parts
    ]
    (part,) = join_chunks(chunks).candidates[0].content.parts
    assert part.thought_signature == b"\x00\x01\xff"
    chunks[2].candidates[0].content.parts[0].thought_signature = b"other"
    with pytest.raises(ConversionError, match=r"chunks\[2\].*thoughtSignature: contradicts"):
        join_chunks(chunks)


@of_every_streaming_api
def test_text_between_the_pieces_does_not_end_the_call(api: str) -> None:
    cls = module(api).GenerateContentResponse
    parts: list[Any] = [
        {"functionCall": BEGIN},
        {"text": "x"},
        {"functionCall": piece(value("$.a", numberValue=1))},
        {"text": "y"},
        {"functionCall": END},
    ]
    (whole,) = join_chunks(
        [toolwire.from_dict(cls, {"candidates": [{"content": {"parts": parts}}]})]
    ).candidates
    assert [toolwire.to_dict(part) for part in whole.content.parts] == [
        {"functionCall": {"name": "f", "args": {"a": 1}}},
        {"text": "xy"},
    ]


@of_every_streaming_api
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("$.a", "a"),
        ("$['a']", "a"),
        ('$["a"]', "a"),
        ("$['a.b']", "a.b"),
        (r"$['it\'s']", "it's"),
        (r'$["\u00e9\n\\"]', "é\n\\"),
        (r'$["\ud83d\ude00"]', "😀"),
        ("$.größe", "größe"),
        ("$.a-b", "a-b"),
    ],
)
def test_names_are_read_from_jsonpaths(api: str, path: str, name: str) -> None:
    (call,) = joined(api, BEGIN, piece(value(path, numberValue=1)), END)
    assert call["args"] == {name: 1}


@of_every_streaming_api
@pytest.mark.parametrize(
    "path",
    [
        *("", "a", "$", "$[0]", "$..a", "$.*", "$.a[*]", "$.a[-1]", "$.a[", "$.a[0", "$['a]"),
        *("$.a[?(@.x)]", "$.a[0:2]", "$." + "a." * 51 + "b", "$.a b", "$.a[99999999999]"),
    ],
)
def test_what_names_no_one_place_is_refused(api: str, path: str) -> None:
    with pytest.raises(ConversionError, match="expected a JSONPath of an argument") as caught:
        joined(api, BEGIN, piece(value(path, numberValue=1)))
    expected = "chunks[1].candidates[0].content.parts[0].functionCall.partialArgs[0].jsonPath"
    assert caught.value.path == expected


@of_every_streaming_api
@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([value("$.a", numberValue=1), value("$.a", numberValue=2)], "has another value"),
        ([value("$.a", numberValue=1), value("$.a", stringValue="x")], "has another value"),
        ([value("$.a", stringValue="x"), value("$.a", boolValue=True)], "has another value"),
        ([value("$.a", numberValue=1), value("$.a.b", numberValue=1)], "what is no object"),
        ([value("$.a.b", numberValue=1), value("$.a[0]", numberValue=1)], "what is no list"),
        ([value("$.a[1]", numberValue=1)], r"\[1\] leaves a gap in a list of 0"),
        ([value("$.a")], "has no value"),
    ],
)
def test_pieces_that_contradict_are_refused(api: str, pieces: list[Any], message: str) -> None:
    with pytest.raises(ConversionError, match=message) as caught:
        joined(api, BEGIN, piece(*pieces))
    assert f"partialArgs[{len(pieces) - 1}]" in caught.value.path


@of_every_streaming_api
def test_text_goes_on_whether_or_not_it_was_announced(api: str) -> None:
    first, last = value("$.a", stringValue="Par"), value("$.a", stringValue="is")
    for begin in (first, first | {"willContinue": True}):
        (call,) = joined(api, BEGIN, piece(begin), piece(last), END)
        assert call["args"] == {"a": "Paris"}


@of_every_streaming_api
def test_pieces_of_no_call_are_refused(api: str) -> None:
    with pytest.raises(ConversionError, match="none is open") as caught:
        joined(api, {"name": "f"}, piece(value("$.a", numberValue=1)))
    assert caught.value.path == "chunks[1].candidates[0].content.parts[0].functionCall"


@of_every_streaming_api
def test_arguments_that_contradict_are_refused(api: str) -> None:
    with pytest.raises(ConversionError, match=r'args\["a"\]: contradicts'):
        joined(api, {**BEGIN, "args": {"a": 1}}, {"args": {"a": 2}})


@of_every_streaming_api
@pytest.mark.parametrize(
    ("path", "deeper"), [("$.a" + ".a" * 31, ".a"), ("$.a" + "[0]" * 46, "[0]")], ids=["a", "0"]
)
def test_pieces_go_as_deep_as_protobuf_reads(api: str, path: str, deeper: str) -> None:
    cls = module(api).GenerateContentResponse

    def whole(path: str) -> Any:
        call = {**BEGIN, "partialArgs": [value(path, numberValue=1)]}
        content = {"parts": [{"functionCall": call}]}
        return join_chunks([toolwire.from_dict(cls, {"candidates": [{"content": content}]})])

    toolwire.from_binary(cls, whole(path).SerializeToString())
    with pytest.raises(ConversionError, match="leads deeper than 100 levels") as caught:
        whole(path + deeper)
    assert caught.value.path.endswith("parts[0].functionCall.partialArgs[0].jsonPath")
