"""Calls whose arguments come in pieces (``partial_args``, ``will_continue``)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from toolwire._answers._arguments import Arguments
from toolwire._answers._merge import fault, merge, same, shown
from toolwire._message_fields import get

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._paths import Path

_NAMED = 3  # calls that an error names


@dataclass(slots=True, eq=False)
class _Open:
    """A call of which more is to come.

    Attributes:
        part: The part it stands in, which is in the answer already.
        arguments: What came of its arguments.
    """

    part: Message
    arguments: Arguments = field(init=False)

    def __post_init__(self) -> None:
        self.arguments = Arguments(self.call)

    @property
    def call(self) -> Any:
        return get(self.part, "function_call")


class _ByName:
    """Open calls, in order: those of a name, and with an empty one all."""

    def __init__(self) -> None:
        # Unlike a dict, this has its first entry at once where many in front of it are gone.
        self._calls: dict[str, OrderedDict[_Open, None]] = {}

    def __getitem__(self, name: str) -> OrderedDict[_Open, None]:
        return self._calls.get(name, OrderedDict())

    def add(self, one: _Open) -> None:
        """Takes in a call."""
        for name in ("", one.call.name):
            self._calls.setdefault(name, OrderedDict())[one] = None

    def discard(self, one: _Open) -> None:
        """Takes out a call, if it is there."""
        for name in ("", one.call.name):
            self[name].pop(one, None)


class Calls:
    """The calls of a candidate that are not complete yet."""

    def __init__(self) -> None:
        self._open = _ByName()
        self._without_id = _ByName()
        self._by_id: dict[str, _Open] = {}

    def take(self, part: Message, at: Path) -> Message | None:
        """Takes in a part with a call or with a piece of one.

        Returns:
            A part for the answer, if a call begins; None if one goes on.

        Raises:
            ConversionError: If it contradicts what came of the call, or there is no such call.
        """
        here: Path = (at, "functionCall")
        piece: Any = get(part, "function_call")
        going_on = self._find(piece, here)
        if going_on is None:
            if not piece.name and (_pieces(piece) or _will_continue(piece)):
                raise fault(here, "goes on with a call, but none is open")
            begun = type(part)()
            begun.CopyFrom(part)
            if not (_pieces(piece) or _will_continue(piece)):
                return begun
            begun.ClearField("function_call")
            get(begun, "function_call").SetInParent()
            going_on = _Open(begun)
            self._merge(going_on, part, piece, at)
            return begun
        self._merge(going_on, part, piece, at)
        return None

    def finish(self) -> None:
        """Puts the texts of calls together that the stream has left open."""
        for one in self._open[""]:
            one.arguments.finish()

    def _find(self, piece: Any, at: Path) -> _Open | None:
        """Finds the open call that a piece belongs to: by id, else the only one that it may be of.

        Raises:
            ConversionError: If it may be of several, or has another name than its call.
        """
        identifier = _id(piece)
        if identifier in self._by_id:
            one = self._by_id[identifier]
            same(one.call.name, piece.name, (at, "name"))
            return one
        # A name begins a call, unless it only repeats what the pieces belong to.
        if piece.name and not _pieces(piece):
            return None
        may_be = (self._without_id if identifier else self._open)[piece.name]
        if len(may_be) > 1:
            names = ", ".join(shown(one.call.name) for one in islice(may_be, _NAMED))
            count = f"one of {len(may_be)} open calls"
            raise fault(at, f"goes on with {count}, {names}: only an id would tell with which")
        return next(iter(may_be), None)

    def _merge(self, one: _Open, part: Message, piece: Any, at: Path) -> None:
        here: Path = (at, "functionCall")
        before: bytes = get(one.part, "thought_signature")
        signature: bytes = get(part, "thought_signature")
        if before and signature and before != signature:
            raise fault((at, "thoughtSignature"), "contradicts that of the call in chunks before")
        merge(one.part, part, at, skip=("function_call",))
        one.arguments.merge(piece, (here, "args"))
        merge(one.call, piece, here, skip=("args", "partial_args", "will_continue"))
        for number, argument in enumerate(_pieces(piece)):
            one.arguments.add(argument, ((here, "partialArgs"), number))
        identifier = _id(one.call)
        if _will_continue(piece):
            one.call.will_continue = True
            self._open.add(one)
            if identifier:
                self._by_id[identifier] = one
                self._without_id.discard(one)
            else:
                self._without_id.add(one)
        else:
            one.arguments.finish()
            one.call.ClearField("will_continue")
            self._open.discard(one)
            self._without_id.discard(one)
            self._by_id.pop(identifier, None)


def _pieces(call: Any) -> list[Any]:
    return list(call.partial_args) if "partial_args" in call.DESCRIPTOR.fields_by_name else []


def _will_continue(call: Any) -> bool:
    known = "will_continue" in call.DESCRIPTOR.fields_by_name
    return bool(call.will_continue) if known else False


def _id(call: Any) -> str:
    return str(call.id) if "id" in call.DESCRIPTOR.fields_by_name else ""
