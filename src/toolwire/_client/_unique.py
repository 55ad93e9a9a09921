"""What stays in its process, and stays one: a client, and all that is under way."""

from __future__ import annotations

from typing import NoReturn

from toolwire._errors import UsageError
from toolwire._words import kind_spoken


class Unique:
    """Neither pickles nor copies: a copy would share a connection, and end its calls."""

    def __reduce__(self) -> NoReturn:
        what = kind_spoken(self)
        raise UsageError(f"{what} cannot be pickled or copied: make one in each process")
