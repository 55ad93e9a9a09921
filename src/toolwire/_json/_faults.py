"""Error messages about JSON: what was found, what would be right, and the nearest known name.

No message ever holds a whole document, and none shows what stands under a name that looks like
a credential.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._errors import JsonError
from toolwire._json._kinds import is_bytes, is_list, is_object
from toolwire._messages import as_message
from toolwire._paths import Path, quote, render, steps_up
from toolwire._words import is_genai, kind_spoken, with_article

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN = 40  # characters of a value or name in a message
_LONGEST_NAME = 100  # difflib takes quadratic time
_CUTOFF = 0.7
_SECRET = re.compile(
    r"apikey|passw|passphrase|secret|credential|privatekey|authorization|cookie|token$"
)


def fault(reason: str, at: Path) -> JsonError:
    """Returns the error for a faulty place, ready to be raised."""
    return JsonError(reason, path=render(at, longest=_SHOWN))


def expected(what: str, value: object, at: Path) -> JsonError:
    """Returns the error for a value that is not what belongs there."""
    return fault(f"expected {what}, found {found(value, at)}", at)


def too_deep(limit: int, at: Path) -> JsonError:
    """Returns the error for a message that stands too deep."""
    return fault(f"nested deeper than {limit} levels of messages", at)


def found(value: object, at: Path) -> str:  # noqa: PLR0911 - one answer a kind
    """Describes a value in a few words; a credential only by its kind."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a string" if is_secret(at) else f"the string {shown(value)}"
    if isinstance(value, (int, float)):
        return "a number" if is_secret(at) else f"the number {_shown_number(value)}"
    if is_bytes(value):
        return "bytes"
    message = as_message(value)
    if message is not None:
        return f"{with_article(message.DESCRIPTOR.full_name)} message"
    if is_object(value):
        return "an object"
    if is_list(value):
        return "a list"
    is_told = isinstance(value, type) or is_genai(value)
    return kind_spoken(value) if is_told else f"a Python {type(value).__name__}"


def shown(text: str) -> str:
    """Returns a name or text in quotes, cut to a length that fits into a message."""
    return quote(text, longest=_SHOWN)


def near(name: str, names: Iterable[str]) -> str:
    """Returns ``; did you mean "x"?`` for the known name nearest to ``name``, or nothing."""
    if len(name) > _LONGEST_NAME:
        return ""
    import difflib  # noqa: PLC0415 - costs an import, and most inputs have no fault

    by_fold = {_fold(known): known for known in names}
    matches = difflib.get_close_matches(_fold(name), by_fold, n=1, cutoff=_CUTOFF)
    nearest = by_fold[matches[0]] if matches else _longer(name, by_fold.values())
    return f"; did you mean {shown(nearest)}?" if nearest else ""


def _longer(name: str, names: Iterable[str]) -> str:
    """Returns the name that has one in it as whole words, where all others with it go on from it.

    So ``QUERY`` is short for ``RETRIEVAL_QUERY``, beside which there is ``CODE_RETRIEVAL_QUERY``.
    """
    words = f"_{name.lower()}_"
    found = sorted((each for each in names if words in f"_{each.lower()}_"), key=len)
    is_one = bool(name and found) and all(found[0] in each for each in found)
    return found[0] if is_one else ""


def _fold(name: str) -> str:
    """Spells a name without what people get wrong first: case and underscores."""
    return name.replace("_", "").replace("-", "").lower()


def _shown_number(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return f"of about {value.bit_length() * 3 // 10} digits"
    text = str(int(value)) if isinstance(value, int) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def is_secret(at: Path) -> bool:
    """Tells whether something stands under a name that looks like that of a credential."""
    for step in steps_up(at):
        name = step[0] if isinstance(step, tuple) else step
        if isinstance(name, str) and _SECRET.search(_fold(name)):
            return True
    return False
