"""A refusal as ``google.rpc.Status``, small enough for the trailers of a call.

It uses the default pool's ``google.rpc``, as grpc's own helpers do.
"""

# googleapis-common-protos has no types: this is the one module of the server that imports it.
# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from google.rpc import code_pb2, error_details_pb2, status_pb2

if TYPE_CHECKING:
    from toolwire._findings import Violation
    from toolwire.testing._refusal import Refusal

# A call whose trailers are larger than 8 KB may reach the client as RESOURCE_EXHAUSTED instead.
# Trailers carry the details in base64 and the message percent-encoded.
_MOST_BYTES = 6500
_LONGEST_MESSAGE = 400
_LONGEST_FIELD = 300
_BASE64 = 4 / 3


def message_of(refusal: Refusal) -> str:
    """Returns the message of a refusal, with the number of violations if there are several."""
    text = _cut(refusal.message, _LONGEST_MESSAGE)
    more = len(refusal.violations) - 1
    if more > 0:
        text += f" (and {more} more{'' if refusal.is_complete else ' or so'})"
    return text


def status_of(refusal: Refusal) -> bytes:
    """Returns a refusal as the bytes of a ``google.rpc.Status``.

    Each violation is a field violation of a ``BadRequest``. Those that do not fit are counted in a
    last one.
    """
    status = status_pb2.Status(code=_number(refusal.code), message=message_of(refusal))
    if not refusal.violations:
        return bytes(status.SerializeToString())
    room = _MOST_BYTES - len(quote(message_of(refusal)))
    bad = error_details_pb2.BadRequest()
    left = 0
    for position, violation in enumerate(refusal.violations):
        entry = _field_violation(violation)
        if _BASE64 * (status.ByteSize() + bad.ByteSize() + entry.ByteSize() + 300) > room:
            left = len(refusal.violations) - position
            break
        bad.field_violations.append(entry)
    if left or not refusal.is_complete:
        least = "" if refusal.is_complete else "at least "
        count = left if refusal.is_complete else max(1, left)
        bad.field_violations.add(description=f"{least}{count} more violations are not listed")
    status.details.add().Pack(bad)
    return bytes(status.SerializeToString())


def _field_violation(violation: Violation) -> error_details_pb2.BadRequest.FieldViolation:
    return error_details_pb2.BadRequest.FieldViolation(
        field=_cut(violation.path, _LONGEST_FIELD),
        description=_cut(violation.message, _LONGEST_MESSAGE),
        reason=violation.rule.upper().replace(".", "_").replace("-", "_"),
    )


def _number(code: str) -> int:
    return int(code_pb2.Code.Value(code))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}..."
