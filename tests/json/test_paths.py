"""Paths: rendered from steps, and read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolwire._paths import Path, Step, parse, quote, render

STEPS = st.one_of(
    st.integers(0, 10**6),
    st.text(max_size=6),
    st.sampled_from(["a", "[a.b]", "[0]", '["x"]', "a.b", "_x1"]),
    st.text(max_size=6).map(lambda key: (key,)),
)


def chain(*steps: Step) -> Path:
    path: Path = None
    for step in steps:
        path = (path, step)
    return path


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ((), ""),
        (("tools",), "tools"),
        (("tools", 0, "functionDeclarations", 12), "tools[0].functionDeclarations[12]"),
        (("properties", ("order_id",), "type"), 'properties["order_id"].type'),
        ((("a",), 1), '["a"][1]'),
        (("a", ('quo"te\n é',)), 'a["quo\\"te\\n é"]'),
        (("a", ("\ud800",)), 'a["\\ud800"]'),
        (("[pkg.ext]", "a"), "[pkg.ext].a"),
        (("a", "[pkg.ext]"), "a[pkg.ext]"),
        (("a", "a-strange.name"), 'a["a-strange.name"]'),
        (("a", "[0]"), 'a["[0]"]'),
    ],
)
def test_a_path_is_rendered_and_read_back(steps: tuple[Step, ...], text: str) -> None:
    assert render(chain(*steps)) == text
    assert parse(text) == tuple(step[0] if isinstance(step, tuple) else step for step in steps)


@given(st.lists(STEPS, max_size=5))
def test_every_path_comes_back(steps: list[Step]) -> None:
    plain = tuple(step[0] if isinstance(step, tuple) else step for step in steps)
    assert parse(render(chain(*steps))) == plain


@pytest.mark.parametrize(
    "text", [".a", "a.", "a..b", "a[", "a[-1]", "a b", "a[b", "[0]a", "é", "."]
)
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no path: "):
        parse(text)


def test_long_names_can_be_cut() -> None:
    path = chain("x" * 50, ("y" * 50,), "z")
    assert render(path, longest=3) == '["xxx..."]["yyy..."].z'
    assert quote("abcdef", longest=3) == '"abc..."'
    assert quote("abc", longest=3) == '"abc"'
