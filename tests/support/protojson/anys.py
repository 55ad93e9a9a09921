"""Any: the JSON of a message with the URL of its type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf import any_pb2, api_pb2, duration_pb2
from google.protobuf.message_factory import GetMessageClass

from support.differences import Row
from support.kinds import POOL, Kinds
from support.messages import pack
from support.protojson.case import Case, Rule, cannot_write, reads, refuses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

URL = "type.googleapis.com/google.protobuf"


def packed(content: Message, url: str | None = None) -> Any:
    """Returns ``Kinds`` with an ``Any`` of that content."""
    message = Kinds()
    pack(message.wk_any, content)
    if url is not None:
        message.wk_any.type_url = url
    return message


def known(name: str, **fields: Any) -> Message:
    """Returns a well-known message of the pool of ``Kinds``."""
    return GetMessageClass(POOL.FindMessageTypeByName(f"google.protobuf.{name}"))(**fields)


def cases() -> Iterator[Case]:
    """Yields the cases of ``Any``."""
    yield from _contents()
    yield from _spellings()
    yield from _no_anys()
    yield from _unwritable()


def _contents() -> Iterator[Case]:
    yield reads(Rule.ANY, '{"wkAny":{}}', Kinds(wk_any={}))
    yield reads(Rule.ANY, "{}", any_pb2.Any())
    special = {
        f'{{"@type":"{URL}.Duration","value":"3.100s"}}': known("Duration", seconds=3, nanos=10**8),
        f'{{"@type":"{URL}.Timestamp","value":"1970-01-01T00:00:00Z"}}': known("Timestamp"),
        f'{{"@type":"{URL}.Struct","value":{{"value":0.5}}}}': known(
            "Struct", fields={"value": {"number_value": 0.5}}
        ),
        f'{{"@type":"{URL}.Value","value":null}}': known("Value", null_value=0),
        f'{{"@type":"{URL}.ListValue","value":[]}}': known("ListValue"),
        f'{{"@type":"{URL}.FieldMask","value":"aB"}}': known("FieldMask", paths=["a_b"]),
        f'{{"@type":"{URL}.Int64Value","value":"0"}}': known("Int64Value"),
        f'{{"@type":"{URL}.BoolValue","value":true}}': known("BoolValue", value=True),
        f'{{"@type":"{URL}.BytesValue","value":"/w=="}}': known("BytesValue", value=b"\xff"),
        f'{{"@type":"{URL}.Empty"}}': known("Empty"),
    }
    for text, content in special.items():
        yield reads(Rule.ANY, f'{{"wkAny":{text}}}', packed(content))
        nested = f'{{"wkAny":{{"@type":"{URL}.Any","value":{text}}}}}'
        yield reads(Rule.ANY, nested, packed(packed(content).wk_any))
    kinds = Kinds(one_int32=1, color=1, wk_duration={})
    text = '{"wkAny":{"@type":"type.googleapis.com/toolwire.test.Kinds",%s}}'
    fields = '"oneInt32":1,"wkDuration":"0s","color":"RED"'
    yield reads(Rule.ANY, text % fields, packed(kinds))
    inner = f'"oneInt32":1,"wkAny":{{"@type":"{URL}.Duration","value":"0s"}}'
    with_any = packed(known("Duration"))
    with_any.one_int32 = 1
    yield reads(Rule.ANY, text % inner, packed(with_any))
    only_there = any_pb2.Any()
    pack(only_there, api_pb2.Api(name="x"))
    yield reads(Rule.ANY, f'{{"@type":"{URL}.Api","name":"x"}}', only_there)


def _spellings() -> Iterator[Case]:
    content = duration_pb2.Duration(seconds=1)
    duration = any_pb2.Any()
    pack(duration, content)
    written = f'{{"@type":"{URL}.Duration","value":"1s"}}'
    last = f'{{"value":"1s","@type":"{URL}.Duration"}}'
    yield reads(Rule.ANY, last, duration, written, name="with its type last")
    for host in ("", "a/b/c", "https://x.y"):
        url = f"{host}/google.protobuf.Duration"
        message = any_pb2.Any(type_url=url, value=duration.value)
        yield reads(Rule.ANY_PROTO, f'{{"@type":"{url}","value":"1s"}}', message)
    text = f'{{"@type":"{URL}.Empty","value":{{}}}}'
    written = f'{{"@type":"{URL}.Empty"}}'
    empty = any_pb2.Any(type_url=f"{URL}.Empty")
    yield reads(Rule.ANY, text, empty, written, differs=Row.ANY_EMPTY)
    text = f'{{"wkAny":{{"@type":"{URL}.Api","name":"x"}}}}'
    yield reads(Rule.ANY, text, packed(api_pb2.Api(name="x")), differs=Row.ANY_POOL)
    text = '{"wkAny":{"@type":"type.googleapis.com/toolwire.test.Kinds","%s":"x"}}'
    renamed = packed(Kinds(renamed="x"))
    yield reads(Rule.NAMES, text % "renamed", renamed, text % "a-strange.name")
    text = f'{{"wkAny":{{"@type":"{URL}.Duration","value":"1s"%s}}}}'
    second = packed(known("Duration", seconds=1))
    yield reads(Rule.OPTIONS, text % ',"a":1', second, text % "", lenient=True)


def _no_anys() -> Iterator[Case]:
    type_path = 'wkAny["@type"]'
    for text, path, reason in (
        ('{"value":1}', "wkAny", 'an Any without "@type"'),
        ('{"@type":1}', type_path, "expected a type URL such as"),
        ('{"@type":null}', type_path, "expected a type URL such as"),
        ('{"@type":""}', type_path, "expected a type URL such as"),
        ('{"@type":"x/no.Such"}', type_path, 'unknown message type "no.Such"'),
        ('{"@type":"x/"}', type_path, 'unknown message type ""'),
        (f'{{"@type":"{URL}.Duration"}}', "wkAny", 'but without "value"'),
        (f'{{"@type":"{URL}.Duration","value":1}}', "wkAny.value", "expected seconds"),
        (f'{{"@type":"{URL}.Int32Value","value":1.5}}', "wkAny.value", "expected a whole number"),
        (f'{{"@type":"{URL}.Empty","value":{{"a":1}}}}', "wkAny.value", 'unknown field "value"'),
        ('{"@type":"x/toolwire.test.Kinds","a":1}', "wkAny.a", 'unknown field "a"'),
        ('{"@type":"x/toolwire.test.Kinds","@type":"x/y"}', "wkAny", 'duplicate key "@type"'),
        ('{"@type":"x/toolwire.test.Needs"}', "wkAny.idNumber", "required field is missing"),
        ("[]", "wkAny", "expected an object, found a list"),
        ('"x"', "wkAny", "expected an object, found the string"),
    ):
        yield refuses(Rule.ANY, f'{{"wkAny":{text}}}', path, reason)
    no_slash, reason = '{"wkAny":{"@type":"google.protobuf.Empty"}}', "expected a type URL such as"
    yield refuses(Rule.ANY_PROTO, no_slash, type_path, reason, differs=Row.TYPE_URL)
    beside = f'{{"wkAny":{{"@type":"{URL}.Duration","value":"1s","a":1}}}}'
    yield refuses(Rule.ANY, beside, "wkAny.a", 'unknown field "a"', differs=Row.ANY_BESIDE)
    yield refuses(Rule.NULL, "null", "", "expected an object, found null", cls=any_pb2.Any)
    other_pool, reason = '{"@type":"x/toolwire.test.Kinds"}', "unknown message type"
    yield refuses(Rule.ANY, other_pool, '["@type"]', reason, cls=any_pb2.Any)


def _unwritable() -> Iterator[Case]:
    at, no_url = '["@type"]', "expected a type URL such as"
    yield cannot_write(Rule.ANY_PROTO, "no type", any_pb2.Any(value=b"x"), at, no_url)
    unknown, reason = any_pb2.Any(type_url="x/no.Such"), 'unknown message type "no.Such"'
    yield cannot_write(Rule.ANY_PROTO, "no known type", unknown, at, reason)
    no_slash = any_pb2.Any(type_url="google.protobuf.Empty")
    yield cannot_write(Rule.ANY_PROTO, "no slash", no_slash, at, no_url, differs=Row.TYPE_URL)
    broken = any_pb2.Any(type_url=f"{URL}.Empty", value=b"\xff")
    reason = "not a valid google.protobuf.Empty"
    yield cannot_write(Rule.ANY_PROTO, "broken content", broken, "", reason)
    early = packed(known("Timestamp", seconds=-(10**12)))
    yield cannot_write(Rule.ANY, "a bad time", early, "wkAny.value", "timestamp out of range")
