"""Which result belongs to which call of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from toolwire._calls._result import Outcome, Result
from toolwire._errors import UsageError
from toolwire._json._faults import found
from toolwire._json._kinds import is_list
from toolwire._message_fields import get, short_name
from toolwire._messages import as_message
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
            _uneven(calls, results)
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
        for name, value in (("name", result.name), ("id", result.id)):
            if not isinstance(cast("object", value), str):
                raise UsageError(f"{name} of a Result is text, found {found(value, None)}")
        key = _Key(result.name, result.id)
    else:
        return None
    return key if key.name or key.id else None


def _by_key(calls: Sequence[Call], results: Sequence[object], keys: list[_Key]) -> list[object]:
    waiting = _waiting(calls)
    chosen: dict[int, object] = {}
    extra: list[_Key] = []
    # Ids go first, so that a result with only a name does not take what an id names.
    for key, result in sorted(zip(keys, results, strict=True), key=lambda pair: not pair[0].id):
        index = next((each for each in waiting.get(key, ()) if each not in chosen), None)
        if index is None:
            extra.append(key)
        else:
            chosen[index] = result
    missing = [call for index, call in enumerate(calls) if index not in chosen]
    if missing or extra:
        _refuse(missing, [str(key) for key in extra])
    return [chosen[index] for index in range(len(calls))]


def _waiting(calls: Sequence[Call]) -> dict[_Key, Iterator[int]]:
    """Returns the positions of the calls in order, by each key that may name them."""
    found: dict[_Key, list[int]] = {}
    for index, call in enumerate(calls):
        name, id_ = call.name, call.id
        for key in {_Key(name, id_, call.position), _Key(name, id_), _Key("", id_), _Key(name)}:
            found.setdefault(key, []).append(index)
    return {key: iter(positions) for key, positions in found.items()}


def _uneven(calls: Sequence[Call], results: Sequence[object]) -> None:
    given = len(results)
    if given < len(calls):
        is_forgotten = given == 1 and is_list(results[0]) and len(results[0]) == len(calls)
        _refuse(calls[given:], [], "; unpack the list of results with *" if is_forgotten else "")
    _refuse([], [f"number {number}" for number in range(len(calls) + 1, given + 1)])


def _refuse(missing: Sequence[Call], extra: Sequence[str], hint: str = "") -> None:
    faults: list[str] = []
    if missing:
        names = ", ".join(str(_Key(call.name, call.id)) for call in missing)
        faults.append(f"no result for the call of {names}")
    if extra:
        faults.append(f"no call for the result {', '.join(extra)}")
    raise UsageError(f"{'; '.join(faults)}{hint}")
