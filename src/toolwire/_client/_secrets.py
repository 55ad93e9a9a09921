"""Keeping credentials out of what is shown: a server may echo what it was sent.

It may do so in another spelling: with percent signs as in an address, with the escapes of JSON
or of a repr, in base64, alone or with something in front as a proxy's log has it, or in
hexadecimal digits.
"""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolwire._messages import is_map_entry, messages_in, reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType


_SECRET_HEADERS = re.compile(
    r".*(auth(?!or)|authorization|cookie|(api|access)-?key|assertion|credential|jwt|passw|secret"
    r"|session|signature|token).*"
)
_SECRET_FIELDS = re.compile(r"(.*_)?(api_key|password|private_key|secret)(_string)?")
_HEADERS = "headers"
_SHORTEST = 4  # characters; less is no secret, and could stand in any word
_ATTRIBUTE = "_toolwire_may_hold_secrets"

# A run of backslashes matches as a whole, whatever is behind it: to try each of them anew would
# take a time that grows with the square of their number.
_ESCAPE = re.compile(rb"%(?:25)*([0-9A-Fa-f]{2})|\\+(?:(?:u00|x)([0-9A-Fa-f]{2})|([/\"'])|)")
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_BITS = 6  # of a character of base64


def is_secret(header: str) -> bool:
    """Tells whether the header of that name, in lower case, holds what must not be shown."""
    return _SECRET_HEADERS.fullmatch(header) is not None


def may_hold_secrets(kind: type[Message]) -> bool:
    """Tells whether a message of that class may hold a secret; the class keeps the answer."""
    known: bool | None = vars(kind).get(_ATTRIBUTE)
    if known is None:
        known = any(
            each.is_extendable or any(map(_is_secret_field, each.fields))
            for each in reached([kind.DESCRIPTOR])
        )
        setattr(kind, _ATTRIBUTE, known)
    return known


def secrets_in(
    headers: Iterable[tuple[str, str | bytes]],
    request: Message | None,
    others: Iterable[str] = (),
) -> tuple[str, ...]:
    """Returns what must not be shown of a call, longest first.

    Args:
        headers: The headers of the call.
        request: Its request, whose fields may hold a secret, such as the key of a search tool.
        others: Those of its other requests.
    """
    found = set(others)
    if request is not None:
        found.update(_walk(request))
    for name, value in headers:
        text = value if isinstance(value, str) else value.decode(errors="surrogateescape")
        found.update(_in_header(name, text))
    return tuple(sorted((text for text in found if len(text) >= _SHORTEST), key=len, reverse=True))


def _in_header(name: str, text: str) -> Iterator[str]:
    if is_secret(name):
        kind, _, last = text.strip().rpartition(" ")
        yield from (text, text.strip(), last)
        if kind.lower() == "basic":
            yield _password(last)
        if "cookie" in name:
            yield from (pair.partition("=")[2].strip(' "') for pair in text.split(";"))


def _password(encoded: str) -> str:
    """Returns the password of basic authentication; nothing if there is none."""
    try:
        pair = base64.b64decode(f"{encoded}==")  # more padding than is needed does no harm
    except ValueError:
        return ""
    return pair.decode(errors="surrogateescape").partition(":")[2]


def _is_secret_field(field: FieldType) -> bool:
    if field.type == field.TYPE_STRING:
        return _SECRET_FIELDS.fullmatch(field.name) is not None
    return _holds_headers(field)


def _holds_headers(field: FieldType) -> bool:
    """Tells whether a field is a map of headers to be sent to somebody else."""
    kind = field.message_type
    if field.name != _HEADERS or kind is None or not is_map_entry(kind):
        return False
    return all(each.type == each.TYPE_STRING for each in kind.fields)


def _walk(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if _holds_headers(field):
            pairs: Any = value
            for name, text in pairs.items():
                yield from _in_header(name.lower(), text)
        elif field.message_type is not None:
            for _, inner in messages_in(field, value):
                yield from _walk(inner)
        elif _is_secret_field(field):
            yield from value if field.is_repeated else (value,)


def hide(text: str, secrets: Iterable[str]) -> str:
    """Returns the text with asterisks for every secret, however it is spelled there."""
    return hide_in_bytes(text.encode(errors="surrogatepass"), secrets).decode(errors="replace")


def hide_in_bytes(data: bytes, secrets: Iterable[str]) -> bytes:
    """Does so in encoded messages, which stay valid since no length changes."""
    raws = [secret.encode(errors="surrogateescape") for secret in secrets]
    for raw in raws:
        data = data.replace(raw, b"*" * len(raw))
    hidden = bytearray(data)
    plain = _unescape(data)
    standard = plain.data.translate(_TO_STANDARD)
    lower = plain.data.lower()
    for raw in raws:
        literal = _unescape(raw).data  # a secret that looks like an escape is read like one
        for needle in {raw, literal, raw.replace(b" ", b"+")}:
            _cover(hidden, plain, _places(plain.data, needle))
        _cover(hidden, plain, _places(lower, raw.hex().encode()))
        for before in range(3):
            _cover(hidden, plain, _places(standard, *_in_base64(raw, before)))
    return bytes(hidden)


@dataclass(frozen=True, slots=True)
class _Plain:
    """Data without escapes, and where it stood.

    Attributes:
        data: The data.
        starts: Where stretches of it begin, none of which holds an escape.
        origins: Where these stood, escapes and all.
    """

    data: bytes
    starts: list[int]
    origins: list[int]

    def origin(self, index: int) -> int:
        """Returns where a byte stood."""
        stretch = bisect_right(self.starts, index) - 1
        return self.origins[stretch] + index - self.starts[stretch]


def _unescape(data: bytes) -> _Plain:
    pieces: list[bytes] = []
    starts, origins = [0], [0]
    for escape in _ESCAPE.finditer(data):
        before = data[origins[-1] : escape.start()]
        digits = escape[1] or escape[2]
        pieces += (before, bytes.fromhex(digits.decode()) if digits else escape[3] or b"\\")
        starts.append(starts[-1] + len(before) + 1)
        origins.append(escape.end())
    pieces.append(data[origins[-1] :])
    return _Plain(b"".join(pieces), starts, origins)


def _in_base64(raw: bytes, before: int) -> tuple[bytes, int, int]:
    """Returns the characters that spell a secret behind so many bytes of a group of three.

    Returns:
        Those that hold nothing else, and how many next to them do so in part, at either end.
    """
    first, rest = divmod(8 * before, _BITS)
    last, more = divmod(8 * (before + len(raw)), _BITS)
    spelled = base64.b64encode(bytes(before) + raw)
    return spelled[first + bool(rest) : last], int(bool(rest)), int(bool(more))


def _places(data: bytes, needle: bytes, before: int = 0, after: int = 0) -> Iterator[slice]:
    """Yields where a needle stands, with so many characters more at its ends."""
    at = data.find(needle) if len(needle) >= _SHORTEST else -1
    while at >= 0:
        end = at + len(needle)
        yield slice(max(at - before, 0), min(end + after, len(data)))
        at = data.find(needle, end)


def _cover(hidden: bytearray, plain: _Plain, places: Iterable[slice]) -> None:
    """Puts asterisks over what stands in places of the plain data."""
    for place in places:
        start, stop = plain.origin(place.start), plain.origin(place.stop)
        hidden[start:stop] = b"*" * (stop - start)
