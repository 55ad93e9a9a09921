"""Proto2 and editions: presence, required fields, groups, extensions, closed enums; depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.differences import Row
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
    Old,
    Struct,
    Value,
)
from support.protojson.case import Case, Rule, cannot_write, reads, refuses, writes
from support.protojson.fields import ZERO

if TYPE_CHECKING:
    from collections.abc import Iterator


TOO_DEEP = "nested deeper than 100 levels of messages"


def cases() -> Iterator[Case]:
    """Yields the cases of these."""
    yield from _presence()
    yield from _required()
    yield from _groups()
    yield from _extensions()
    yield from _no_extensions()
    yield from _closed_enums()
    yield from _editions()
    yield from _depth()
    broken = Old.FromString(b"\x72\x01\xff")  # one_string
    at, reason = "oneString", "text that is not UTF-8; JSON cannot carry it"
    yield cannot_write(Rule.LANGUAGE, "other bytes", broken, at, reason, differs=Row.NOT_UTF8)


def _presence() -> Iterator[Case]:
    for kind in SCALARS:
        default = Old.DESCRIPTOR.fields_by_name[f"one_{kind}"].default_value
        yield reads(
            Rule.PRESENCE,
            f'{{"one{kind.title()}":{ZERO[kind]}}}',
            Old(**{f"one_{kind}": default}),
            name=f"one_{kind}: set to its default",
        )
        yield reads(Rule.NULL, f'{{"one{kind.title()}":null}}', Old(), "{}")
    yield reads(Rule.PRESENCE, '{"withDefault":7}', Old(with_default=7))
    yield reads(Rule.NULL, '{"withDefault":null}', Old(), "{}")


def _required() -> Iterator[Case]:
    yield reads(Rule.LANGUAGE, '{"idNumber":0}', Needs(id_number=0))
    for cls, text, path in (
        (Needs, "{}", "idNumber"),
        (Needs, '{"note":"x"}', "idNumber"),
        (Needs, '{"idNumber":null}', "idNumber"),
        (Old, '{"needs":{}}', "needs.idNumber"),
        (Old, '{"allNeeds":[{"idNumber":0},{}]}', "allNeeds[1].idNumber"),
        (Edition, "{}", "needed"),
    ):
        reason = "required field is missing"
        yield refuses(Rule.LANGUAGE, text, path, reason, cls=cls, differs=Row.REQUIRED)


def _groups() -> Iterator[Case]:
    old: Any = Old()
    old.data.number = 3
    old.item.add().text = "x"
    old.item.add()
    yield reads(Rule.TYPES, '{"data":{"number":3},"item":[{"text":"x"},{}]}', old)
    text = '{"Data":{"number":3}}'
    yield refuses(Rule.NAMES, text, "Data", 'unknown field "Data"', cls=Old)
    yield refuses(Rule.TYPES, '{"data":1}', "data", "expected an object", cls=Old)


def _extensions() -> Iterator[Case]:
    old: Any = Old(one_int32=1)
    old.Extensions[EXT_INT64] = 5
    old.Extensions[EXT_STRINGS].extend(["a", ""])
    old.Extensions[EXT_OLD].one_bool = False
    old.Extensions[EXT_CLOSED] = 2
    old.Extensions[EXT_NESTED] = "in Outer"
    text = (
        '{"oneInt32":1,"[toolwire.test.ext_int64]":"5","[toolwire.test.ext_strings]":["a",""],'
        '"[toolwire.test.ext_old]":{"oneBool":false},"[toolwire.test.ext_closed]":"SECOND",'
        '"[toolwire.test.Outer.nested_text]":"in Outer"}'
    )
    yield reads(Rule.DESCRIPTOR_PROTO, text, old, name="extensions of every kind")
    yield writes(
        Rule.DESCRIPTOR_PROTO,
        "extensions by proto names",
        old,
        text.replace("oneInt32", "one_int32").replace("oneBool", "one_bool"),
        proto_names=True,
    )
    zero: Any = Old()
    zero.Extensions[EXT_INT64] = 0
    yield reads(Rule.PRESENCE, '{"[toolwire.test.ext_int64]":"0"}', zero)
    yield reads(Rule.NULL, '{"[toolwire.test.ext_int64]":null}', Old(), "{}")
    empty: Any = Old()
    empty.Extensions[EXT_OLD].SetInParent()
    yield reads(Rule.PRESENCE, '{"[toolwire.test.ext_old]":{}}', empty)


def _no_extensions() -> Iterator[Case]:
    rule, good = Rule.DESCRIPTOR_PROTO, "[toolwire.test.ext_int64]"
    for name in ("[toolwire.test.ext_none]", "[toolwire.test.Old]"):
        yield refuses(rule, f'{{"{name}":1}}', name, f'unknown field "{name}"', cls=Old)
    for name in ("[]", good[:-1]):
        yield refuses(rule, f'{{"{name}":1}}', f'["{name}"]', f'unknown field "{name}"', cls=Old)
    yield refuses(rule, f'{{"{good}":1}}', good, f'unknown field "{good}"')
    unknown = '{"[toolwire.test.ext_none]":1}'
    yield reads(Rule.OPTIONS, unknown, Old(), "{}", lenient=True)
    yield refuses(rule, f'{{"{good}":"x"}}', good, "expected a whole number", cls=Old)
    longer = "[toolwire.test.ext_int64.more]"
    text, reason = f'{{"{longer}":1}}', f'unknown field "{longer}"'
    yield refuses(rule, text, longer, reason, cls=Old, differs=Row.EXTENSION)


def _closed_enums() -> Iterator[Case]:
    yield reads(
        Rule.TYPES,
        '{"closed":"FIRST","allClosed":["SECOND",0],"closedByName":{"a":1.0}}',
        Old(closed=1, all_closed=[2, 0], closed_by_name={"a": 1}),
        '{"closed":"FIRST","allClosed":["SECOND","ZEROTH"],"closedByName":{"a":"FIRST"}}',
    )
    reason = "the number 9 is no value of toolwire.test.Closed"
    for text, path in (
        ('{"closed":9}', "closed"),
        ('{"allClosed":[1,9]}', "allClosed[1]"),
        ('{"closedByName":{"a":9}}', 'closedByName["a"]'),
    ):
        yield refuses(Rule.LANGUAGE, text, path, reason, cls=Old)
    yield reads(
        Rule.OPTIONS,
        '{"closed":"NEW","allClosed":[1,"NEW",2]}',
        Old(all_closed=[1, 2]),
        '{"allClosed":["FIRST","SECOND"]}',
        lenient=True,
    )
    yield reads(
        Rule.OPTIONS,
        '{"closed":9,"allClosed":[1,9,2],"closedByName":{"a":9,"b":1}}',
        Old(all_closed=[1, 2], closed_by_name={"b": 1}),
        '{"allClosed":["FIRST","SECOND"],"closedByName":{"b":"FIRST"}}',
        lenient=True,
        differs=Row.CLOSED,
    )


def _editions() -> Iterator[Case]:
    message: Any = Edition(explicit=0, implicit=0, needed=0, text="", narrow=0)
    message.part.needed = 1
    yield reads(
        Rule.PRESENCE,
        '{"explicit":0,"implicit":0,"needed":0,"part":{"needed":1},"narrow":"NARROW","text":""}',
        message,
        '{"explicit":0,"needed":0,"part":{"needed":1},"narrow":"NARROW"}',
    )
    closed = '{"needed":1,"narrow":5}'
    yield refuses(Rule.LANGUAGE, closed, "narrow", "the number 5 is no value", cls=Edition)


def _depth() -> Iterator[Case]:
    """As many levels as protobuf's binary reader takes, counted as there."""
    rule = Rule.LANGUAGE
    text, message = "{}", Kinds()
    for _ in range(100):
        text, message = f'{{"child":{text}}}', Kinds(child=message)
    yield reads(rule, text, message, name="100 levels of fields", differs=Row.DEPTH)
    deeper, at = f'{{"child":{text}}}', ".".join(["child"] * 101)
    yield refuses(rule, deeper, at, TOO_DEEP, name="101 levels of fields")

    text, message = "{}", Kinds()
    for _ in range(50):
        text = f'{{"childrenByName":{{"a":{text}}}}}'
        message = Kinds(children_by_name={"a": message})
    yield reads(rule, text, message, name="50 levels of maps")
    deeper = f'{{"childrenByName":{{"a":{text}}}}}'
    at = ".".join(['childrenByName["a"]'] * 51)
    yield refuses(rule, deeper, at, TOO_DEEP, name="51 levels of maps", differs=Row.DEPTH)

    text, struct = "{}", Struct()
    for _ in range(33):
        text, struct = f'{{"a":{text}}}', Struct(fields={"a": Value(struct_value=struct)})
    yield reads(rule, text, struct, name="33 levels of objects")
    deeper, at, name = f'{{"a":{text}}}', '["a"]' * 33, "34 levels of objects"
    yield refuses(rule, deeper, at, TOO_DEEP, cls=Struct, name=name, differs=Row.DEPTH)
