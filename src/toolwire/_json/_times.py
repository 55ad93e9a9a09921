"""``Timestamp`` and ``Duration``: seconds and nanoseconds to JSON text and back.

Rules: ProtoJSON specification, "Well-Known Types" and "RFC 3339 Clarifications"; the ranges are
those in the comments of timestamp.proto and duration.proto.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from toolwire._json._faults import expected, fault

if TYPE_CHECKING:
    from toolwire._paths import Path

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_FIRST = -62_135_596_800  # 0001-01-01T00:00:00Z
_LAST = 253_402_300_799  # 9999-12-31T23:59:59Z
_LONGEST = 315_576_000_000  # seconds of about 10,000 years
_SECOND = 1_000_000_000  # nanoseconds
_DAY = 86_400  # seconds
_TIMESTAMP = re.compile(
    r"(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?:\.(?P<fraction>[0-9]{1,9}))?"
    r"(?:Z|(?P<sign>[-+])(?P<hours>[01][0-9]|2[0-3]):(?P<minutes>[0-5][0-9]))"
)
_DURATION = re.compile(r"(?P<sign>-?)(?P<seconds>[0-9]{1,12})(?:\.(?P<fraction>[0-9]{1,9}))?s")


def write_timestamp(source: Any, at: Path) -> str:
    """Writes a timestamp, in UTC, with 0, 3, 6 or 9 digits of a second.

    Raises:
        JsonError: If it is outside the years 1 to 9999.
    """
    seconds, nanos = source.seconds, source.nanos
    if not (_FIRST <= seconds <= _LAST and 0 <= nanos < _SECOND):
        raise fault(f"timestamp out of range: {seconds} seconds and {nanos} nanoseconds", at)
    moment = _EPOCH + timedelta(days=seconds // _DAY, seconds=seconds % _DAY)
    return moment.replace(tzinfo=None).isoformat() + _fraction(nanos) + "Z"


def read_timestamp(value: object, at: Path) -> dict[str, int]:
    """Reads a timestamp: text of RFC 3339, or a datetime, which without a zone is UTC.

    Raises:
        JsonError: If it is anything else, or outside the years 1 to 9999.
    """
    seconds = _LAST + 1
    nanos = 0
    match = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if isinstance(value, datetime):
        is_aware = value.utcoffset() is not None
        since = (value if is_aware else value.replace(tzinfo=timezone.utc)) - _EPOCH
        seconds = since.days * _DAY + since.seconds
        nanos = since.microseconds * 1000
    elif match is not None:
        try:
            since = datetime.fromisoformat(match["time"] + "+00:00") - _EPOCH
        except ValueError:  # a day or an hour that does not exist
            pass
        else:
            seconds = since.days * _DAY + since.seconds - _offset(match)
            nanos = _nanos(match)
    if _FIRST <= seconds <= _LAST:
        return {"seconds": seconds, "nanos": nanos}
    what = 'a time of the years 1 to 9999 such as "2025-01-31T09:30:00Z"'
    raise expected(what, value, at)


def write_duration(source: Any, at: Path) -> str:
    """Writes a duration in seconds, with 0, 3, 6 or 9 digits of a second.

    Raises:
        JsonError: If it is out of range, or its parts have different signs.
    """
    seconds, nanos = source.seconds, source.nanos
    is_good = abs(seconds) <= _LONGEST and abs(nanos) < _SECOND
    if not is_good or seconds * nanos < 0:
        raise fault(f"no valid duration: {seconds} seconds and {nanos} nanoseconds", at)
    sign = "-" if seconds < 0 or nanos < 0 else ""
    return f"{sign}{abs(seconds)}{_fraction(abs(nanos))}s"


def read_duration(value: object, at: Path) -> dict[str, int]:
    """Reads a duration: seconds as text that ends with "s", or a timedelta.

    Raises:
        JsonError: If it is anything else, or out of range.
    """
    seconds = _LONGEST + 1
    nanos = 0
    if isinstance(value, timedelta):
        seconds = value.days * _DAY + value.seconds
        nanos = value.microseconds * 1000
        if seconds < 0 < nanos:
            seconds, nanos = seconds + 1, nanos - _SECOND
    elif isinstance(value, str):
        match = _DURATION.fullmatch(value)
        if match is not None:
            sign = -1 if match["sign"] else 1
            seconds, nanos = sign * int(match["seconds"]), sign * _nanos(match)
    if abs(seconds) > _LONGEST:
        what = f'seconds up to {_LONGEST} such as "3.5s"'
        raise expected(what, value, at)
    return {"seconds": seconds, "nanos": nanos}


def _fraction(nanos: int) -> str:
    if nanos == 0:
        return ""
    digits = f"{nanos:09d}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f".{digits}"


def _nanos(match: re.Match[str]) -> int:
    fraction = match["fraction"]
    return int(fraction.ljust(9, "0")) if fraction else 0


def _offset(match: re.Match[str]) -> int:
    if match["sign"] is None:
        return 0
    offset = int(match["hours"]) * 3600 + int(match["minutes"]) * 60
    return offset if match["sign"] == "+" else -offset
