"""Whatever comes in: a message or a JsonError, and what is accepted is sound."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from support.kinds import Kinds, Old
from support.soundness import check_sound, unknown_of
from toolwire import v1

if TYPE_CHECKING:
    from google.protobuf.message import Message

CLASSES: list[type[Any]] = [Kinds, Old, v1.Tool, v1.Schema, v1.Content]
POLICIES = st.sampled_from(["error", "ignore", "collect"])
FIELDS = sorted(
    {
        name
        for cls in CLASSES
        for field in cls.DESCRIPTOR.fields
        for name in (field.name, field.json_name)
    }
)
ODD = [
    *(0, 1, -1, 2**31, 2**63, 2**64, 10**400, 0.5, 1e39, 1e308, -0.0, True, False, None, "", " "),
    *("1", "1.5", "1e2", "NaN", "-Infinity", "RED", "red", "STRING", "YQ==", "a_b", "é", "\ud800"),
    *("2024-01-01T00:00:00Z", "1.5s", "@type", "x/toolwire.test.Kinds", "x/google.protobuf.Value"),
]
LEAVES: st.SearchStrategy[object] = st.sampled_from(ODD) | st.text(max_size=3) | st.integers()
KEYS = st.sampled_from([*FIELDS, "@type", "value", "", "1", "true", "new"]) | st.text(max_size=3)
TREES: st.SearchStrategy[object] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)
OBJECTS = st.dictionaries(KEYS, TREES, max_size=5)
DAMAGE = ['"', "{", "}", "[", ",", ":", "\\", "\x00", "é", "\ud800", "1e9"]
PYTHON = [b"x", 1j, {1}, object(), Kinds(), float("nan"), float("inf"), range(2), Kinds, len]
ODD_PYTHON: st.SearchStrategy[object] = st.one_of(
    TREES, st.sampled_from(PYTHON), st.lists(st.sampled_from(PYTHON), max_size=2)
)


@given(st.sampled_from(CLASSES), OBJECTS, POLICIES)
def test_random_json(cls: type[Message], tree: dict[str, object], policy: str) -> None:
    check_sound(cls, json.dumps(tree), unknown_of(policy))


@given(st.sampled_from(CLASSES), OBJECTS, POLICIES, KEYS, ODD_PYTHON)
def test_random_dicts(
    cls: type[Message], tree: dict[str, object], policy: str, key: str, odd: object
) -> None:
    check_sound(cls, tree | {key: odd}, unknown_of(policy))


@given(
    st.binary(max_size=30) | st.text(max_size=30).map(lambda text: text.encode("utf-8", "replace"))
)
def test_random_bytes(data: bytes) -> None:
    check_sound(Kinds, data)


@given(OBJECTS, st.integers(0, 10_000), st.sampled_from(DAMAGE))
def test_damaged_text(tree: dict[str, object], where: int, damage: str) -> None:
    text = json.dumps(tree, ensure_ascii=False)
    at = where % (len(text) + 1)
    check_sound(Kinds, text[:at], "ignore")
    check_sound(Kinds, text[:at] + damage + text[at:], "ignore")
    check_sound(Kinds, text[:at] + text[at + 1 :], "ignore")
