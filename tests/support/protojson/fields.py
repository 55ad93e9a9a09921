"""Objects: names, presence, null, duplicates, oneofs, lists and maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.differences import Row
from support.kinds import KEYS, SCALARS, Kinds
from support.protojson.case import Case, Rule, no_value, reads, refuses, value, writes

if TYPE_CHECKING:
    from collections.abc import Iterator

_OTHER = {"float": "0.0", "double": "0.0", "bool": "false", "string": '""', "bytes": '""'}
ZERO = {kind: _OTHER.get(kind, '"0"' if kind.endswith("64") else "0") for kind in SCALARS}
TAKES_NULL = {"wk_value", "choice_value", "choice_null", "maybe_nothing"}


def cases() -> Iterator[Case]:
    """Yields the cases of what stands in objects."""
    yield from _names()
    yield from _presence()
    yield from _null()
    yield from _duplicates()
    yield from _oneofs()
    yield from _lists()
    yield from _maps()
    yield from _no_maps()
    yield from _messages()


def _names() -> Iterator[Case]:
    spelling: Any = {
        "oneInt32": ("one_int32", "oneInt32", 1),
        "one_int32": ("one_int32", "oneInt32", 1),
        "a-strange.name": ("renamed", "a-strange.name", "x"),
        "renamed": ("renamed", "a-strange.name", "x"),
        "Under_score1": ("_under__score_1", "Under_score1", "x"),
        "_under__score_1": ("_under__score_1", "Under_score1", "x"),
    }
    for key, (field, json_name, content) in spelling.items():
        text = f'"{content}"' if isinstance(content, str) else content
        message = Kinds(**{field: content})
        yield reads(Rule.NAMES, f'{{"{key}":{text}}}', message, f'{{"{json_name}":{text}}}')
    yield reads(
        Rule.NAMES,
        '{"children":[{"maybe_int32":1,"renamed":"x"},{"maybeInt32":2}],"one_bool":true}',
        Kinds(children=[{"maybe_int32": 1, "renamed": "x"}, {"maybe_int32": 2}], one_bool=True),
        '{"oneBool":true,"children":[{"maybeInt32":1,"a-strange.name":"x"},{"maybeInt32":2}]}',
        name="both spellings, mixed, and fields in the order of their numbers",
    )
    escaped = '{"one\\u0049nt32":1}'
    yield reads(Rule.TEXT, escaped, Kinds(one_int32=1), '{"oneInt32":1}')
    user = (
        '{"byString":{"one_int32":"","oneInt32":"","snake_case":""},"wkStruct":{"one_int32":0.5}}'
    )
    yield reads(
        Rule.NAMES,
        user,
        Kinds(
            by_string={"one_int32": "", "oneInt32": "", "snake_case": ""},
            wk_struct={"one_int32": 0.5},
        ),
        '{"byString":{"oneInt32":"","one_int32":"","snake_case":""},"wkStruct":{"one_int32":0.5}}',
        name="keys of the user stay as they are",
    )
    for key in ("OneInt32", "oneint32", "ONE_INT32", "new"):
        yield refuses(Rule.NAMES, f'{{"{key}":1}}', key, f'unknown field "{key}"')
    for key in ("one-int32", "oneInt32 ", "", "1", "@type"):
        yield refuses(Rule.NAMES, f'{{"{key}":1}}', f'["{key}"]', f'unknown field "{key}"')
    yield refuses(Rule.NULL, '{"new":null}', "new", 'unknown field "new"')
    yield reads(
        Rule.OPTIONS,
        '{"new":{"a":[1,null]},"oneInt32":1,"child":{"newer":null}}',
        Kinds(one_int32=1, child={}),
        '{"oneInt32":1,"child":{}}',
        lenient=True,
    )
    strange = Kinds(renamed="x", maybe_int32=1, children=[{"_under__score_1": "y"}])
    yield writes(
        Rule.OPTIONS,
        "proto names",
        strange,
        '{"maybe_int32":1,"children":[{"_under__score_1":"y"}],"renamed":"x"}',
        proto_names=True,
    )


def _presence() -> Iterator[Case]:
    for kind in SCALARS:
        default = Kinds.DESCRIPTOR.fields_by_name[f"one_{kind}"].default_value
        key = f"maybe{kind.title()}"
        yield reads(
            Rule.PRESENCE,
            f'{{"{key}":{ZERO[kind]}}}',
            Kinds(**{f"maybe_{kind}": default}),
            name=f"maybe_{kind}: set to its default",
        )
        yield reads(
            Rule.PRESENCE,
            f'{{"one{kind.title()}":{ZERO[kind]}}}',
            Kinds(),
            "{}",
            name=f"one_{kind}: its default, without presence",
        )
    unset = '{"allInt32":[],"byString":{},"colors":[],"children":[],"color":"COLOR_UNSPECIFIED"}'
    yield reads(Rule.PRESENCE, unset, Kinds(), "{}")
    messages = {"child": "{}", "wk_struct": "{}", "wk_listvalue": "[]", "wk_fieldmask": '""'}
    for field, text in messages.items():
        yield value(Rule.PRESENCE, field, text, {})


def _null() -> Iterator[Case]:
    """For every field: null leaves it unset, but where null is a value of its type."""
    for field in Kinds.DESCRIPTOR.fields:
        if field.name not in TAKES_NULL:
            row = Row.NULL_ITEMS if field.name == "wks_value" else None
            yield reads(Rule.NULL, f'{{"{field.json_name}":null}}', Kinds(), "{}", differs=row)
    yield reads(Rule.NULL, '{"wkValue":null}', Kinds(wk_value={"null_value": 0}))
    text = '{"one_int32":null,"oneInt64":"1"}'
    yield reads(Rule.NULL, text, Kinds(one_int64=1), '{"oneInt64":"1"}')
    reason = "null is no item of a list or map"
    for field, text, below in (
        *(("all_int32", "[1,null]", "[1]"), ("all_string", "[null]", "[0]")),
        *(("children", "[{},null]", "[1]"), ("colors", "[null]", "[0]")),
        *(("wks_int64value", "[null]", "[0]"), ("wks_struct", "[null]", "[0]")),
        *(("by_string", '{"a":null}', '["a"]'), ("map_double", '{"a":null}', '["a"]')),
        *(("children_by_name", '{"a":null}', '["a"]'), ("wkm_boolvalue", '{"a":null}', '["a"]')),
        *(("by_int32", '{"1":null}', '["1"]'), ("colors_by_name", '{"a":null}', '["a"]')),
    ):
        yield no_value(Rule.NULL, field, text, reason, below=below)
    yield reads(
        Rule.NULL,
        '{"wksValue":[null],"wkmValue":{"a":null}}',
        Kinds(wks_value=[{"null_value": 0}], wkm_value={"a": {"null_value": 0}}),
    )
    yield refuses(Rule.NULL, "null", "", "expected an object, found null")


def _duplicates() -> Iterator[Case]:
    """The page would rather have the last one, and lets a parser refuse all: we refuse."""
    for text, path, key in (
        ('{"oneInt32":1,"oneInt32":1}', "", "oneInt32"),
        ('{"oneInt32":1,"one\\u0049nt32":1}', "", "oneInt32"),
        ('{"oneInt32":null,"oneInt32":1}', "", "oneInt32"),
        ('{"child":{"child":{"a":1,"b":2,"a":1}}}', "child.child", "a"),
        ('{"children":[{},{"color":1,"color":1}]}', "children[1]", "color"),
        ('{"byString":{"x":"1","x":"2"}}', "byString", "x"),
        ('{"byInt32":{"1":"1","1":"2"}}', "byInt32", "1"),
        ('{"wkStruct":{"a b":{"x":1,"x":1}}}', 'wkStruct["a b"]', "x"),
        ('{"wkValue":[{"":1,"":1}]}', "wkValue[0]", ""),
    ):
        yield refuses(Rule.DUPLICATES, text, path, f'duplicate key "{key}"')
    ignored = '{"nowhere":{"x":1,"x":1}}'
    yield refuses(Rule.DUPLICATES, ignored, "", 'duplicate key "x"', lenient=True)
    both = "are the same field"
    for text, path in (
        ('{"oneInt32":1,"one_int32":1}', "oneInt32"),
        ('{"one_int32":1,"oneInt32":null}', "oneInt32"),
        ('{"children":[{"renamed":"","a-strange.name":""}]}', 'children[0]["a-strange.name"]'),
    ):
        yield refuses(Rule.DUPLICATES, text, path, both, differs=Row.BOTH_NAMES)
    text, at = '{"byInt32":{"0":"","-0":""}}', 'byInt32["-0"]'
    yield refuses(Rule.DUPLICATES, text, at, "duplicate key", differs=Row.SAME_KEYS)


def _oneofs() -> Iterator[Case]:
    members: dict[str, tuple[str, Any]] = {
        "choice_int32": ("0", 0),
        "choice_bool": ("false", False),
        "choice_string": ('""', ""),
        "choice_bytes": ('""', b""),
        "choice_color": ('"COLOR_UNSPECIFIED"', 0),
        "choice_child": ("{}", {}),
        "choice_null": ("null", 0),
        "choice_value": ("null", {"null_value": 0}),
        "choice_wrapper": ('"0"', {}),
    }
    for field, (text, content) in members.items():
        yield value(Rule.PRESENCE, field, text, content)
    for text, message, written in (
        ('{"choiceString":null,"choiceInt32":5}', Kinds(choice_int32=5), '{"choiceInt32":5}'),
        ('{"choiceInt32":5,"choiceString":null}', Kinds(choice_int32=5), '{"choiceInt32":5}'),
        ('{"choiceChild":null,"choiceWrapper":null}', Kinds(), "{}"),
        (
            '{"choiceValue":null,"choiceString":null}',
            Kinds(choice_value={"null_value": 0}),
            '{"choiceValue":null}',
        ),
    ):
        yield reads(Rule.NULL, text, message, written)
    reason = '"choiceString" and "%s" are both set, but "choice" takes one of them'
    for other, text in {"choiceInt32": "0", "choiceBool": "true", "choiceChild": "{}"}.items():
        given = f'{{"choiceString":"","{other}":{text}}}'
        yield refuses(Rule.DUPLICATES, given, "", reason % other)
    given = '{"children":[{"choice_string":"","choice_int32":0}]}'
    yield refuses(Rule.DUPLICATES, given, "children[0]", reason % "choiceInt32")
    for other in ("choiceNull", "choiceValue"):
        given = f'{{"choiceString":"","{other}":null}}'
        yield refuses(Rule.NULL, given, "", reason % other, differs=Row.NULL_SIBLING)
    given = '{"choiceString":"","choiceColor":"NEW"}'
    yield refuses(Rule.DUPLICATES, given, "", reason % "choiceColor", lenient=True)


def _lists() -> Iterator[Case]:
    yield reads(
        Rule.TYPES,
        '{"allInt32":[1,"2",3.0],"allString":["","a"],"allBool":[true,false]}',
        Kinds(all_int32=[1, 2, 3], all_string=["", "a"], all_bool=[True, False]),
        '{"allInt32":[1,2,3],"allBool":[true,false],"allString":["","a"]}',
    )
    yield value(Rule.TYPES, "children", '[{},{"oneInt32":1},{}]', [{}, {"one_int32": 1}, {}])
    for field, text in (("all_int32", "1"), ("all_string", '"a"'), ("children", "{}")):
        yield no_value(Rule.TYPES, field, text, "expected a list, found")
    yield no_value(Rule.TYPES, "all_int32", '{"0":1}', "expected a list, found an object")
    yield no_value(Rule.TYPES, "all_int32", "[1,[2]]", "expected a whole number", below="[1]")
    yield no_value(Rule.TYPES, "all_string", '["a",1]', "expected a string", below="[1]")


def _maps() -> Iterator[Case]:
    """Keys of every type, in the order in which they are written."""
    keys: dict[str, list[Any]] = {
        "bool": [False, True],
        "string": ["", "-", "10", "9", "A", "a", "é", "😀"],
    }
    for kind in KEYS:
        bits = 64 if kind.endswith("64") else 32
        is_signed = kind in {"int32", "int64", "sint32", "sint64", "sfixed32", "sfixed64"}
        low = [-(2 ** (bits - 1)), -1] if is_signed else []
        high = 2 ** (bits - 1) - 1 if is_signed else 2**bits - 1
        ordered = keys.get(kind, [*low, 0, 9, 10, high])
        texts = [str(key).lower() if isinstance(key, bool) else str(key) for key in ordered]
        field = f"by_{kind}"
        written = ",".join(f'"{key}":"{key}"' for key in texts)
        given = ",".join(f'"{key}":"{key}"' for key in reversed(texts))
        content = dict(zip(ordered, texts, strict=True))
        name = "keys of every size, from the last to the first"
        yield value(Rule.TYPES, field, f"{{{given}}}", content, f"{{{written}}}", name=name)
    for kind in SCALARS:
        default = Kinds.DESCRIPTOR.fields_by_name[f"one_{kind}"].default_value
        yield value(Rule.TYPES, f"map_{kind}", f'{{"a":{ZERO[kind]}}}', {"a": default})
    children = {"2": {"one_int32": 2}, "10": {}}
    yield value(
        Rule.TYPES,
        "children_by_number",
        '{"10":{},"2":{"oneInt32":2}}',
        {int(key): child for key, child in children.items()},
        '{"2":{"oneInt32":2},"10":{}}',
    )


def _no_maps() -> Iterator[Case]:
    for text in ("[]", "1", '"a"', "true", "[1]"):
        yield no_value(Rule.TYPES, "by_string", text, "expected an object, found")
        yield no_value(Rule.TYPES, "children_by_name", text, "expected an object, found")
    whole = "expected a whole number as key, found"
    for key in ("", " 1", "1 ", "x", "1.5", "true", "0x1", "NaN"):
        yield no_value(Rule.TYPES, "by_int32", f'{{"{key}":""}}', whole)
    for key in ("01", "+1", "1_0", "\\u0661"):
        text, row = f'{{"{key}":""}}', Row.LOOSE_NUMBERS
        yield no_value(Rule.TYPES, "by_int32", text, whole, differs=row)
    for key in ("1.0", "1e2"):
        text, row = f'{{"{key}":""}}', Row.NUMBER_KEYS
        yield no_value(Rule.TYPES, "by_int32", text, whole, differs=row)
    beyond = {"by_int32": "2147483648", "by_uint64": "-1", "by_fixed32": "4294967296"}
    for field, key in beyond.items():
        yield no_value(Rule.RANGE, field, f'{{"{key}":""}}', "expected a whole number from")
    for key in ("True", "TRUE", "1", "0", "", "yes", " true"):
        reason = 'expected the key "true" or "false", found'
        yield no_value(Rule.TYPES, "by_bool", f'{{"{key}":""}}', reason)
    bad = '{"a":1,"b":"x"}'
    yield no_value(Rule.TYPES, "map_int32", bad, "expected a whole number", below='["b"]')


def _messages() -> Iterator[Case]:
    reason = "expected an object, found"
    for text in ("1", "1.5", "true", '"a"', "[1]", "[{}]"):
        yield no_value(Rule.TYPES, "child", text, reason)
        yield refuses(Rule.TYPES, text, "", reason)
    for text in ("[]", '""'):
        yield no_value(Rule.TYPES, "child", text, reason, differs=Row.NO_OBJECT)
        yield refuses(Rule.TYPES, text, "", reason, differs=Row.NO_OBJECT)
    yield no_value(Rule.TYPES, "children", "[{},1]", reason, below="[1]")
