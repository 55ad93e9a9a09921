"""Which sections of a docstring a model reads."""

from __future__ import annotations

import re
from typing import Any

import pytest

from toolwire import functions


def google_sections(a: int, b: int = 0) -> str:
    """Deletes it.

    For good.

    Warning:
        Ask first.

    Args:
        a: Of a.

            More of a.

    Other Parameters:
        b: Of b.

    Returns:
        What is left: in words.

    Raises:
        If there is none.

    Warns:
        UserWarning: If it is late.

    Notes:
        Never call it twice.

        Nor thrice.

    See Also:
        find: Looks one up.

    Examples:
        google_sections(1)

    Todo:
        Mend it.
    """
    return f"{a} {b}"


def numpy_sections(a: int, b: int = 0) -> str:
    """Deletes it.

    For good.

    Warning
    -------
    Ask first.

    Parameters
    ----------
    a : int
        Of a.

        More of a.

    Other Parameters
    ----------------
    b
        Of b.

    Returns
    -------
    str
        What is left: in words.

    Raises
    ------
    KeyError
        If there is none.

    Warns
    -----
    UserWarning
        If it is late.

    Notes
    -----
    Never call it twice.

    Nor thrice.

    See Also
    --------
    find : Looks one up.

    Examples
    --------
    >>> numpy_sections(1)

    Todo
    ----
    Mend it.
    """
    return f"{a} {b}"


@pytest.mark.parametrize("source", [google_sections, numpy_sections])
def test_sections_that_speak_to_a_model_are_kept_in_either_style(source: Any) -> None:
    made = functions.declare(source)
    words = re.sub(r"(?m)^-+$|:", "", made.description).split()
    assert " ".join(words) == (
        "Deletes it. For good. Warning Ask first. Notes Never call it twice. Nor thrice. "
        "See Also find Looks one up. Todo Mend it."
    )
    texts = [made.parameters.properties[name].description.split() for name in "ab"]
    assert [" ".join(text) for text in texts] == ["Of a. More of a.", "Of b."]


def test_sections_are_kept_as_they_stand() -> None:
    numpy = functions.declare(numpy_sections).description
    assert "Notes\n-----\nNever call it twice.\n\nNor thrice.\n\nSee Also\n--------" in numpy
    google = functions.declare(google_sections).description
    assert "Notes:\n    Never call it twice.\n\n    Nor thrice.\n\nSee Also:" in google


NUMPY = "Deletes it.\n\nNotes\n-----\nNever call it twice."
GOOGLE = "Deletes it.\n\nNotes:\n    Never call it twice."
SPHINX = "Deletes it.\n\n.. note::\n    Never call it twice."
OLD = "Deletes it.\n\n.. deprecated:: 1.2\n    Use erase."


@pytest.mark.parametrize(
    ("kept", "section"),
    [
        *((each, "") for each in (NUMPY, GOOGLE, SPHINX, OLD)),
        (NUMPY, "Returns\n-------\nstr\n    What is left."),
        (OLD, "Returns\n-------\nstr\n    What is left."),
        (GOOGLE, "Returns:\n    What is left."),
        (GOOGLE, "Return:\n    What is left."),
        (GOOGLE, "Raises:\n    In other cases: all."),
        (GOOGLE, "Raises:\n    In all other cases."),
        (GOOGLE, "Example:\n    delete()"),
        (SPHINX, ":returns: What is left."),
    ],
)
def test_sections_are_kept_whichever_others_there_are(kept: str, section: str) -> None:
    def function() -> None: ...

    function.__doc__ = f"{kept}\n\n{section}".strip()
    assert functions.declare(function).description == kept


def test_what_a_section_looks_like_takes_no_parameter_away() -> None:
    def function(a: int, b: int) -> None:
        """Deletes it.

        Args:
            a: Of a.

        Keyword Args:
            b: Of b.

        Raises:
            KeyError: If there is none.
            ValueError: If it is none.
            OSError: If it is late.
        """

    made = functions.declare(function).parameters.properties
    assert [made[name].description for name in "ab"] == ["Of a.", "Of b."]


def test_a_deprecation_stays_in_numpy_style() -> None:
    def function(a: int) -> None:
        """Deletes it.

        .. deprecated:: 1.2
            Use erase.

        Parameters
        ----------
        a : int
            Of a.
        """

    made = functions.declare(function)
    assert made.description == "Deletes it.\n\n.. deprecated:: 1.2\n    Use erase."
    assert made.parameters.properties["a"].description == "Of a."
