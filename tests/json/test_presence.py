"""Which fields are written, in which order, and under which keys."""

from __future__ import annotations

import json

from support.kinds import (
    SCALARS,
    Edition,
    Kinds,
    Old,
)
from toolwire._json import from_json, to_dict, to_json


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
