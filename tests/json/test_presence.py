"""Presence: what is set is written, what is written is set, and null unsets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.kinds import (
    EXT_CLOSED,
    EXT_INT64,
    EXT_NESTED,
    EXT_OLD,
    EXT_STRINGS,
    SCALARS,
    Edition,
    Kinds,
    Needs,
    Nulls,
    Old,
)
from toolwire._errors import JsonError
from toolwire._json import from_dict, from_json, to_dict, to_json

ZERO = {"float": "0.0", "double": "0.0", "bool": "false", "string": '""', "bytes": '""'}
ZERO.update({kind: '"0"' for kind in SCALARS if kind.endswith("64")})


@pytest.mark.parametrize("kind", SCALARS)
def test_a_default_is_written_where_presence_tells_it_from_unset(kind: str) -> None:
    text = ZERO.get(kind, "0")
    default = Kinds.DESCRIPTOR.fields_by_name[f"one_{kind}"].default_value
    name = f"maybe{kind.title()}"
    set_to_default = Kinds(**{f"one_{kind}": default, f"maybe_{kind}": default})
    assert to_json(set_to_default) == f'{{"{name}":{text}}}'
    again = from_json(Kinds, to_json(set_to_default))
    assert again.HasField(f"maybe_{kind}")
    assert again == set_to_default
    old = Old(**{f"one_{kind}": default})
    assert to_json(old) == f'{{"one{kind.title()}":{text}}}'
    assert from_json(Old, to_json(old)).HasField(f"one_{kind}")


def test_defaults_are_written_on_request_but_never_those_with_presence() -> None:
    made = to_dict(Kinds(), include_defaults=True)
    fields = Kinds.DESCRIPTOR.fields
    assert list(made) == [field.json_name for field in fields if not field.has_presence]
    assert made["oneInt64"] == 0
    assert made["color"] == "COLOR_UNSPECIFIED"
    assert made["allInt32"] == []
    assert made["byString"] == {}
    assert made["nothing"] is None
    assert to_json(Old(), include_defaults=True).count(":[]") == len(SCALARS) + 3
    assert to_json(Edition(), include_defaults=True) == '{"implicit":0,"text":""}'
    assert from_json(Kinds, to_json(Kinds(), include_defaults=True)) == Kinds()


def test_fields_come_in_the_order_of_their_numbers() -> None:
    message = Kinds(color=1, one_bool=True, maybe_int32=0)
    assert list(to_dict(message)) == ["oneBool", "maybeInt32", "color"]
    names = [field.json_name for field in Kinds.DESCRIPTOR.fields]
    made = list(to_dict(message, include_defaults=True))
    assert made == [name for name in names if name in made]
    assert len(made) > 100


@pytest.mark.parametrize("field", [field.json_name for field in Kinds.DESCRIPTOR.fields])
def test_null_unsets_every_field_but_those_it_is_a_value_of(field: str) -> None:
    message = from_json(Kinds, f'{{"{field}": null}}')
    present = [known.json_name for known, _ in message.ListFields()]
    takes_null = {"wkValue", "choiceValue", "choiceNull", "maybeNothing"}
    assert present == ([field] if field in takes_null else [])


@pytest.mark.parametrize("place", ['"allInt32": [%s]', '"children": [%s]', '"byString": {"k": %s}'])
@pytest.mark.parametrize("more", ['"wksStruct": [%s]', '"childrenByName": {"k": %s}'])
def test_null_is_no_item(place: str, more: str) -> None:
    for text in (place % "null", more % "null"):
        with pytest.raises(JsonError, match="null is no item of a list or map"):
            from_json(Kinds, f"{{{text}}}")


def test_an_unknown_number_of_null_value_is_kept() -> None:
    text = '{"nothing":1,"maybeNothing":1}'
    assert to_json(from_json(Kinds, text)) == text


def test_null_is_an_item_where_it_is_a_value() -> None:
    text = '{"all":[null,null],"byName":{"a":null},"values":[null,1]}'
    message = from_json(Nulls, text)
    assert to_json(message) == text
    assert len(message.all) == 2
    assert from_json(Nulls, '{"all":[0,"NULL_VALUE"]}') == from_json(Nulls, '{"all":[null,null]}')


@pytest.mark.parametrize(
    ("text", "member"),
    [
        ('{"choiceString": null, "choiceInt32": 5}', "choice_int32"),
        ('{"choiceInt32": 5, "choiceString": null}', "choice_int32"),
        ('{"choiceInt32": 0}', "choice_int32"),
        ('{"choiceBool": false}', "choice_bool"),
        ('{"choiceString": ""}', "choice_string"),
        ('{"choiceBytes": ""}', "choice_bytes"),
        ('{"choiceColor": 0}', "choice_color"),
        ('{"choiceChild": {}}', "choice_child"),
        ('{"choiceChild": null}', None),
        ('{"choiceWrapper": null}', None),
        ('{"choiceWrapper": 0}', "choice_wrapper"),
        ('{"choiceNull": null}', "choice_null"),
        ('{"choiceValue": null}', "choice_value"),
        ('{"choiceValue": null, "choiceString": null}', "choice_value"),
    ],
)
def test_a_oneof_is_set_by_any_value_of_a_member(text: str, member: str | None) -> None:
    message = from_json(Kinds, text)
    assert message.WhichOneof("choice") == member
    assert from_json(Kinds, to_json(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        '{"choiceString": "", "choiceInt32": 0}',
        '{"choice_string": "", "choiceInt32": 0}',
        '{"choiceString": "", "choiceNull": null}',
        '{"choiceString": "", "choiceValue": null}',
        '{"choiceString": "", "choiceColor": "NEW"}',
    ],
)
@pytest.mark.parametrize("unknown", ["error", "ignore"])
def test_two_members_of_a_oneof_are_refused_naming_both(text: str, unknown: Any) -> None:
    other = "choiceInt32" if "Int32" in text else text.split('"')[-2 if "null" in text else -4]
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, text, unknown=unknown)
    assert caught.value.reason == (
        f'"choiceString" and "{other}" are both set, but "choice" takes one of them'
    )


def test_both_names_of_one_field_are_refused() -> None:
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, '{"children": [{"maybe_int32": 1, "maybeInt32": null}]}')
    assert caught.value.reason == '"maybe_int32" and "maybeInt32" are the same field'
    assert caught.value.path == "children[0].maybeInt32"


def test_json_and_proto_names_are_read_at_every_level() -> None:
    text = '{"children":[{"maybe_int32":1,"a-strange.name":"x"},{"maybeInt32":2,"renamed":"y"}]}'
    message = from_json(Kinds, text)
    assert to_dict(message, proto_names=True) == {
        "children": [{"maybe_int32": 1, "renamed": "x"}, {"maybe_int32": 2, "renamed": "y"}]
    }
    assert to_dict(message)["children"] == [
        {"maybeInt32": 1, "a-strange.name": "x"},
        {"maybeInt32": 2, "a-strange.name": "y"},
    ]


def test_user_keys_are_never_renamed() -> None:
    keys = ["snake_case", "camelCase", "one_int32", "oneInt32", "", "@type", "[x.y]", "é"]
    tree = {key: {key: [{key: None}]} for key in keys}
    text = json.dumps({"byString": dict.fromkeys(keys, "x"), "wkStruct": tree})
    message = from_json(Kinds, text)
    for proto_names in (False, True):
        made = json.loads(to_json(message, proto_names=proto_names))
        by_string, struct = made.values()
        assert set(by_string) == set(keys)
        assert struct == tree


def test_maps_are_written_in_the_order_of_their_keys() -> None:
    text = to_json(
        Kinds(
            by_int32={10: "", 9: "", -1: ""},
            by_bool={True: "", False: ""},
            by_string={"b": "", "B": "", "é": "", "a": ""},
        )
    )
    assert text == (
        '{"byInt32":{"-1":"","9":"","10":""},"byBool":{"false":"","true":""},'
        '"byString":{"B":"","a":"","b":"","é":""}}'
    )


@pytest.mark.parametrize(
    ("field", "key"),
    [
        ("byInt32", "01"),
        ("byInt32", "1.0"),
        ("byInt32", " 1"),
        ("byInt32", ""),
        ("byInt32", "2147483648"),
        ("byUint64", "-1"),
        ("byBool", "True"),
        ("byBool", "1"),
        ("byBool", ""),
    ],
)
def test_a_key_that_the_map_cannot_have_is_refused(field: str, key: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, f'{{"{field}": {{"{key}": "x"}}}}')
    assert caught.value.path == field


def test_groups_and_extensions_have_json_names() -> None:
    old: Any = Old(one_int32=1)
    old.data.number = 3
    old.item.add().text = "x"
    old.Extensions[EXT_INT64] = 5
    old.Extensions[EXT_STRINGS].extend(["a", ""])
    old.Extensions[EXT_OLD].one_bool = False
    old.Extensions[EXT_CLOSED] = 2
    old.Extensions[EXT_NESTED] = "in Outer"
    assert to_dict(old) == {
        "oneInt32": 1,
        "data": {"number": 3},
        "item": [{"text": "x"}],
        "[toolwire.test.ext_int64]": 5,
        "[toolwire.test.ext_strings]": ["a", ""],
        "[toolwire.test.ext_old]": {"oneBool": False},
        "[toolwire.test.ext_closed]": "SECOND",
        "[toolwire.test.Outer.nested_text]": "in Outer",
    }
    assert from_json(Old, to_json(old)) == old
    assert from_json(Old, to_json(old, proto_names=True)) == old
    assert from_dict(Old, to_dict(old)) == old


@pytest.mark.parametrize(
    "key", ["[toolwire.test.ext_none]", "[]", "[toolwire.test.Old]", "[toolwire.test.ext_int64"]
)
def test_an_unknown_extension_is_an_unknown_field(key: str) -> None:
    with pytest.raises(JsonError, match="unknown field"):
        from_json(Old, f'{{"{key}": 1}}')
    assert from_json(Old, f'{{"{key}": 1}}', unknown="ignore") == Old()
    with pytest.raises(JsonError, match="unknown field"):
        from_json(Kinds, '{"[toolwire.test.ext_int64]": 1}')


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{}", "idNumber"),
        ('{"note": "x"}', "idNumber"),
        ('{"idNumber": null}', "idNumber"),
    ],
)
def test_a_missing_required_field_is_refused(text: str, path: str) -> None:
    with pytest.raises(JsonError, match="required field is missing") as caught:
        from_json(Needs, text)
    assert caught.value.path == path
    with pytest.raises(JsonError) as caught:
        from_json(Old, f'{{"allNeeds": [{{"idNumber": 0}}, {text}]}}')
    assert caught.value.path == f"allNeeds[1].{path}"
    assert from_json(Needs, '{"idNumber": 0}') == Needs(id_number=0)


def test_closed_enums_take_known_numbers_only() -> None:
    assert from_json(Old, '{"closed": 1, "allClosed": ["SECOND"]}') == Old(closed=1, all_closed=[2])
    text = '{"closed": 9, "allClosed": [1, 9, 2], "closedByName": {"a": 9, "b": 1}}'
    with pytest.raises(JsonError, match=r"the number 9 is no value of toolwire\.test\.Closed"):
        from_json(Old, text)
    lenient: Any = from_json(Old, text, unknown="ignore")
    assert to_json(lenient) == '{"allClosed":["FIRST","SECOND"],"closedByName":{"b":"FIRST"}}'
    assert not lenient.HasField("closed")


def test_editions_have_presence_by_field() -> None:
    message: Any = Edition(explicit=0, implicit=0, needed=0, text="", narrow=0)
    message.part.needed = 1
    assert to_json(message) == '{"explicit":0,"needed":0,"part":{"needed":1},"narrow":"NARROW"}'
    assert from_json(Edition, to_json(message)) == message
    with pytest.raises(JsonError, match="needed: required field is missing"):
        from_json(Edition, "{}")
    with pytest.raises(JsonError, match="the number 5 is no value"):
        from_json(Edition, '{"needed":1,"narrow":5}')


def test_text_that_is_not_utf8_is_refused_when_written() -> None:
    """Proto2 messages let it through in binary."""
    message = Old.FromString(b"\x72\x01\xff")  # one_string
    with pytest.raises(JsonError, match="oneString: text that is not UTF-8"):
        to_json(message)
