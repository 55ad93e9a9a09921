"""The table of the specification's rules: what it says, case by case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.protojson import (
    anys,
    dialects,
    fields,
    numbers,
    scalars,
    text,
    times,
    well_known,
)

if TYPE_CHECKING:
    from support.protojson.case import Case

CASES: list[Case] = [
    *numbers.cases(),
    *scalars.cases(),
    *times.cases(),
    *well_known.cases(),
    *anys.cases(),
    *fields.cases(),
    *dialects.cases(),
    *text.cases(),
]
"""All cases."""
