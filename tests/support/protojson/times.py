"""Timestamp and Duration: grammar, range, and how many digits are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from support.differences import Row
from support.kinds import Kinds
from support.protojson.case import Case, Rule, cannot_write, reads, refuses

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST, LAST = -62_135_596_800, 253_402_300_799
LONGEST = 315_576_000_000
NO_TIME = 'expected a time of the years 1 to 9999 such as "2025-01-31T09:30:00Z"'
NO_DURATION = 'expected seconds up to 315576000000 such as "3.5s"'


def cases() -> Iterator[Case]:
    """Yields the cases of both types."""
    yield from _timestamps()
    yield from _other_timestamps()
    yield from _no_timestamps()
    yield from _durations()
    yield from _no_durations()
    yield from _unwritable()
    yield from _in_fields()


def _timestamps() -> Iterator[Case]:
    written = {
        "1970-01-01T00:00:00Z": (0, 0),
        "1970-01-01T00:00:01.500Z": (1, 500_000_000),
        "1970-01-01T00:00:01.010Z": (1, 10_000_000),
        "1970-01-01T00:00:01.000001Z": (1, 1_000),
        "1970-01-01T00:00:01.000000001Z": (1, 1),
        "1969-12-31T23:59:59.999999999Z": (-1, 999_999_999),
        "0001-01-01T00:00:00Z": (FIRST, 0),
        "9999-12-31T23:59:59.999999999Z": (LAST, 999_999_999),
        "2000-02-29T00:00:00Z": (951_782_400, 0),
        "1900-03-01T00:00:00Z": (-2_203_891_200, 0),
    }
    for text, (seconds, nanos) in written.items():
        message = Timestamp(seconds=seconds, nanos=nanos)
        yield reads(Rule.WELL_KNOWN, f'"{text}"', message)


def _other_timestamps() -> Iterator[Case]:
    others = {
        "1970-01-01T01:30:00+01:30": "1970-01-01T00:00:00Z",
        "1969-12-31T16:00:00-08:00": "1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00+00:00": "1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00-00:00": "1970-01-01T00:00:00Z",
        "0001-01-01T23:59:00+23:59": "0001-01-01T00:00:00Z",
        "9999-12-31T00:00:59.5-23:59": "9999-12-31T23:59:59.500Z",
        **{
            f"1970-01-01T00:00:00.{'0' * digits}Z": "1970-01-01T00:00:00Z"
            for digits in range(1, 10)
        },
    }
    seconds = {
        "1970-01-01T00:00:00Z": Timestamp(),
        "0001-01-01T00:00:00Z": Timestamp(seconds=FIRST),
        "9999-12-31T23:59:59.500Z": Timestamp(seconds=LAST, nanos=500_000_000),
    }
    for text, written in others.items():
        yield reads(Rule.TIMES, f'"{text}"', seconds[written], f'"{written}"')
    for digits in range(1, 10):
        fraction = "123456789"[:digits]
        message = Timestamp(nanos=int(fraction.ljust(9, "0")))
        padded = fraction.ljust(-(-digits // 3) * 3, "0")
        text = f'"1970-01-01T00:00:00.{fraction}Z"'
        yield reads(Rule.WELL_KNOWN, text, message, f'"1970-01-01T00:00:00.{padded}Z"')


def _no_timestamps() -> Iterator[Case]:
    days = ["1970-02-30", "1970-13-01", "1969-02-29", "1900-02-29", "1970-00-01", "1970-01-00"]
    forms = ["1970-001", "1970-W01-1", "19700101", "70-01-01", "10000-01-01", "-0001-01-01"]
    hours = ["24:00:00", "00:60:00", "00:00:60", "00:00", "000000", "00:00:00,5"]
    for text in (
        *(f"{day}T00:00:00Z" for day in [*days, *forms, "+1970-01-01", "0000-01-01"]),
        *(f"1970-01-01T{hour}Z" for hour in [*hours, "00:00:00.1234567890", "00:00:00 "]),
        *(f"1970-01-01T00:00:00{zone}" for zone in ("", "z", "+0100", "+01", "ZZ", "Z+01:00")),
        *("0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"),
        *("1970-01-01t00:00:00Z", "1970-01-01 00:00:00Z", "1970-01-01", "", "now", "0"),
        *("1970-01-01T00:00:00Z ", " 1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z\\n"),
    ):
        yield refuses(Rule.TIMES, f'"{text}"', "", NO_TIME, cls=Timestamp)
    for text in (
        *(f"{day}T00:00:00Z" for day in ("1970-1-1", "197\\u0660-01-01")),
        *(f"1970-01-01T{hour}Z" for hour in ("0:0:0", "00:00:00.", "00:00:00.1_0")),
        *(f"1970-01-01T00:00:00{zone}" for zone in ("+1:00", "+24:00", "+01:60", "+-1:00")),
    ):
        yield refuses(Rule.TIMES, f'"{text}"', "", NO_TIME, cls=Timestamp, differs=Row.TIMES)
    for text in ("0", "1.5", "{}", "[]", "null", "true", '{"seconds":1}'):
        yield refuses(Rule.WELL_KNOWN, text, "", NO_TIME, cls=Timestamp)


def _durations() -> Iterator[Case]:
    written = {
        "0s": (0, 0),
        "3s": (3, 0),
        "-3s": (-3, 0),
        "3.500s": (3, 500_000_000),
        "1.000340012s": (1, 340_012),
        "0.000001s": (0, 1_000),
        "0.000000001s": (0, 1),
        "-0.500s": (0, -500_000_000),
        "-3.100s": (-3, -100_000_000),
        "315576000000s": (LONGEST, 0),
        "-315576000000s": (-LONGEST, 0),
        "315576000000.999999999s": (LONGEST, 999_999_999),
        "-315576000000.999999999s": (-LONGEST, -999_999_999),
    }
    for text, (seconds, nanos) in written.items():
        yield reads(Rule.WELL_KNOWN, f'"{text}"', Duration(seconds=seconds, nanos=nanos))
    others = {
        "1.0s": ("1s", 1, 0),
        "1.5s": ("1.500s", 1, 500_000_000),
        "1.500000000s": ("1.500s", 1, 500_000_000),
        "1.0001s": ("1.000100s", 1, 100_000),
        "-0s": ("0s", 0, 0),
        "-0.0s": ("0s", 0, 0),
        "007s": ("7s", 7, 0),
        "-1.05s": ("-1.050s", -1, -50_000_000),
    }
    for text, (canonical, seconds, nanos) in others.items():
        message = Duration(seconds=seconds, nanos=nanos)
        yield reads(Rule.WELL_KNOWN, f'"{text}"', message, f'"{canonical}"')
    for digits in range(1, 10):
        fraction = "123456789"[:digits]
        message = Duration(nanos=-int(fraction.ljust(9, "0")))
        padded = fraction.ljust(-(-digits // 3) * 3, "0")
        yield reads(Rule.WELL_KNOWN, f'"-0.{fraction}s"', message, f'"-0.{padded}s"')


def _no_durations() -> Iterator[Case]:
    for text in (
        *("1", "s", "", ".5s", "1S", "1e3s", "--1s", "1,5s", "1.-5s", "1. 5s", "1h", "1m0s"),
        *("PT1S", "NaNs", "1.5", "1ss", "0x1s", "1s\\n"),
        *("315576000001s", "-315576000001s", "315576000001.5s", "9999999999999s"),
    ):
        yield refuses(Rule.DURATION_PROTO, f'"{text}"', "", NO_DURATION, cls=Duration)
    for text in (
        *("1.s", "+1s", " 1s", "1 s", "\\u0661s", "1_0s", "1.5e-3s"),
        *("1.1234567891s", "1.0000000000s"),
    ):
        rule, row = Rule.WELL_KNOWN, Row.TIMES
        yield refuses(rule, f'"{text}"', "", NO_DURATION, cls=Duration, differs=row)
    for text in ("1", "1.5", "{}", "[]", "null", "true", '{"seconds":1}'):
        yield refuses(Rule.WELL_KNOWN, text, "", NO_DURATION, cls=Duration)


def _unwritable() -> Iterator[Case]:
    for seconds, nanos in (
        *((FIRST - 1, 0), (LAST + 1, 0), (0, -1), (0, 1_000_000_000)),
        *((-(2**63), 0), (2**63 - 1, 999_999_999)),
    ):
        yield cannot_write(
            Rule.TIMESTAMP_PROTO,
            f"{seconds} s {nanos} ns",
            Timestamp(seconds=seconds, nanos=nanos),
            "",
            f"timestamp out of range: {seconds} seconds and {nanos} nanoseconds",
        )
    for seconds, nanos in (
        *((LONGEST + 1, 0), (-LONGEST - 1, 0), (0, 1_000_000_000), (0, -1_000_000_000)),
        *((1, -1), (-1, 1)),
    ):
        yield cannot_write(
            Rule.DURATION_PROTO,
            f"{seconds} s {nanos} ns",
            Duration(seconds=seconds, nanos=nanos),
            "",
            f"no valid duration: {seconds} seconds and {nanos} nanoseconds",
        )


def _in_fields() -> Iterator[Case]:
    yield reads(
        Rule.WELL_KNOWN,
        '{"wkTimestamp":"1970-01-01T00:00:00Z","wkDuration":"0s","wksDuration":["1s","-1s"],'
        '"wkmTimestamp":{"a":"1970-01-01T00:00:01Z"}}',
        Kinds(
            wk_timestamp={},
            wk_duration={},
            wks_duration=[{"seconds": 1}, {"seconds": -1}],
            wkm_timestamp={"a": {"seconds": 1}},
        ),
    )
    text = '{"wksTimestamp":["1970-01-01T00:00:00Z","1970-01-01"]}'
    yield refuses(Rule.WELL_KNOWN, text, "wksTimestamp[1]", NO_TIME)
    text = '{"wkmDuration":{"a b":"1h"}}'
    yield refuses(Rule.WELL_KNOWN, text, 'wkmDuration["a b"]', NO_DURATION)
    out = Kinds(children=[{}, {"wk_timestamp": {"nanos": -1}}])
    yield cannot_write(
        Rule.TIMESTAMP_PROTO, "below", out, "children[1].wkTimestamp", "timestamp out of range"
    )
