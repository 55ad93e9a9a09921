"""Texts made from patterns match them, and no pattern takes for ever."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolwire.testing._model._patterns import read

GOOD = [
    "", "abc", "^abc$", "a|b", "a|b|", "(a|b)c", "(?:ab)+", "(?P<n>x)", "[a-z]", "[^a-z]", "[]a]",
    "[a-]", "[-a]", r"[\d_]", r"[\]]", r"\d{2,}", r"\d{3}", r"\w{2,4}", "a*", "a+?", "a??",
    ".", "..", r"\.", r"\\", r"\bx\b", r"\Aab\Z", r"\D\W\S", r"\s", r"\t\n", "^$", "a{0}",
    "(a(b(c)))", "x{2}y",
    "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,4}$", "^(?:[01]\\d|2[0-3]):[0-5]\\d$",
]  # fmt: skip
BAD = [
    "(", ")", "[", "[]", "a{", "*", "+a", "a**", "(?=a)", "(?!a)", "(?<=a)b", r"(a)\1", r"\p{L}",
    "(?i)a", "(?<n>x)", "[z-a]", "[[a]", "[a--b]", "a{3,2}", r"[\d-z]", r"\q", "\\", "a{9999}",
    "x" * 501, "(" * 30 + ")" * 30, "[^\x00-\x7f]",
]  # fmt: skip
SLOW = [
    "(a+)+$", "(a|aa)+$", "(a|a)*b", "^(a*)*$", "a*a*a*a*b", "(?:a?b?){30,}$", "(x+x+)+y",
    "^((a{1,10}){1,10}){1,10}$", "^(a{0,20}){0,20}$", "^(a|a|a){0,20}(a|a|a){0,20}b$",
    "((((){1000}){1000}){1000}){1000}b", "((a?){1000}){1000}b", "a?" * 30 + "a" * 30 + "c",
]  # fmt: skip
PIECES = [
    "a", "b", "(", "(", ")", ")", "|", "*", "+", "?", "{0,2}", "{2}", "{1,}", "??", "^", "$", ".",
    "[ab]", "[^a]", "\\d", "\\W", "\\n", "\\b", "\\Z",
]  # fmt: skip


@pytest.mark.parametrize("pattern", GOOD)
@pytest.mark.parametrize("extra", [0, 1, 5])
def test_a_sample_matches(pattern: str, extra: int) -> None:
    found = read(pattern)
    assert found is not None
    for turn in range(4):
        text = found.sample(extra, turn)
        assert re.search(pattern, text), text
        assert found.match(text)[0]


@pytest.mark.parametrize("pattern", BAD)
def test_what_is_not_read(pattern: str) -> None:
    assert read(pattern) is None


@pytest.mark.parametrize("pattern", SLOW)
def test_slow_patterns_are_matched_all_the_same(pattern: str) -> None:
    found = read(pattern)
    assert found is not None
    assert found.match(found.sample(1))[0]
    assert not found.match("a" * 5000 + "!")[0]
    assert len(found.sample(64)) < 100_000


def test_steps_run_out() -> None:
    found = read("^a*$")
    assert found is not None
    is_match, left = found.match("aaa", 100)
    assert is_match
    assert 0 < left < 100
    is_match, left = found.match("a" * 200, 100)
    assert not is_match
    assert left < 0


@settings(max_examples=1000, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=10).map("".join),
    st.lists(st.text(st.sampled_from("ab1 \n\u00e9"), max_size=7), max_size=5),
)
def test_any_text_matches_as_it_does_in_python(pattern: str, texts: list[str]) -> None:
    found = read(pattern)
    if found is not None:
        for text in (*texts, found.sample(1)):
            assert found.match(text)[0] == bool(re.search(pattern, text))


@settings(max_examples=400, deadline=None)
@given(st.text(st.sampled_from("ab()[]{}|*+?^$.\\dwsD-,:12P<>=!"), max_size=12))
def test_any_pattern_is_read_or_not(pattern: str) -> None:
    found = read(pattern)
    if found is not None:
        text = found.sample(1)
        assert found.match(text)[0] == bool(re.search(pattern, text))
