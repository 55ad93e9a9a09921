"""Which result belongs to which call of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolwire._calls._result import Outcome, Result
from toolwire._errors import UsageError
from toolwire._messages import as_message
from toolwire._paths import quote
from toolwire._rules._schema import get, short_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.protobuf.message import Message

    from toolwire._calls._call import Call


class _Key(NamedTuple):
    """What a result says of the call that it belongs to."""

    name: str = ""
    id: str = ""
    position: int | None = None

    def __str__(self) -> str:
        by_id = f"id {quote(self.id)}" if self.id else ""
        return " with ".join(filter(None, (quote(self.name) if self.name else "", by_id)))


def pair(calls: Sequence[Call], results: Sequence[object]) -> list[object]:
    """Returns the results in the order of the calls, one each.

    A result that names its call is paired by id where it has one, else with the first call of
    its name that has no result yet. Results that name nothing are those of the calls in order.

    Raises:
        UsageError: If results are missing, extra, or only some of them name their call.
    """
    keys = [_key(result) for result in results]
    if not any(keys):
        if len(results) != len(calls):
            _uneven(calls, len(results))
        return list(results)
    if not all(keys):
        first = next(index for index, key in enumerate(keys) if not key)
        raise UsageError(
            f"result {first + 1} does not say which call it belongs to, others do: "
            "give each result its name or id, or none"
        )
    return _by_key(calls, results, [key for key in keys if key is not None])


def response_message(result: object) -> Message | None:
    """Returns the FunctionResponse that a result is, None for anything else."""
    message = as_message(result)
    if message is None or short_name(message.DESCRIPTOR) != "FunctionResponse":
        return None
    return message


def _key(result: object) -> _Key | None:
    """Returns what a result says of its call; None if nothing."""
    if isinstance(result, Outcome):
        call = result.call
        return _Key(call.name, call.id, call.position)
    message = response_message(result)
    if message is not None:
        has_id = "id" in message.DESCRIPTOR.fields_by_name
        key = _Key(get(message, "name"), get(message, "id") if has_id else "")
    elif isinstance(result, Result):
        key = _Key(result.name, result.id)
    else:
        return None
    return key if key.name or key.id else None


def _by_key(calls: Sequence[Call], results: Sequence[object], keys: list[_Key]) -> list[object]:
    found: dict[int, object] = {}
    extra: list[_Key] = []
    # Ids go first, so that a result with only a name does not take what an id names.
    for key, result in sorted(zip(keys, results, strict=True), key=lambda pair: not pair[0].id):
        index = _find(calls, key, found.__contains__)
        if index is None:
            extra.append(key)
        else:
            found[index] = result
    missing = [call for index, call in enumerate(calls) if index not in found]
    if missing or extra:
        _refuse(missing, [str(key) for key in extra])
    return [found[index] for index in range(len(calls))]


def _find(calls: Sequence[Call], key: _Key, is_taken: Callable[[int], bool]) -> int | None:
    for index, call in enumerate(calls):
        if is_taken(index):
            continue
        if key.position is not None:
            if (call.name, call.id, call.position) == key:
                return index
        elif key.id:
            if call.id == key.id and key.name in ("", call.name):
                return index
        elif call.name == key.name:
            return index
    return None


def _uneven(calls: Sequence[Call], given: int) -> None:
    if given < len(calls):
        _refuse(calls[given:], [])
    _refuse([], [f"number {number}" for number in range(len(calls) + 1, given + 1)])


def _refuse(missing: Sequence[Call], extra: Sequence[str]) -> None:
    faults: list[str] = []
    if missing:
        names = ", ".join(str(_Key(call.name, call.id)) for call in missing)
        faults.append(f"no result for the call of {names}")
    if extra:
        faults.append(f"no call for the result {', '.join(extra)}")
    raise UsageError("; ".join(faults))
