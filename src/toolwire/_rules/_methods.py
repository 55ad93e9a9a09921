"""Which messages an API's methods take and give: what is sent, what is received, what is both."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolwire._messages import reached
from toolwire._rpc import routing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolwire._descriptor_types import MessageType, MethodType
    from toolwire._rules._profile import Profile
    from toolwire._rules._rule import Side


@lru_cache(maxsize=4096)
def side_of(kind: MessageType, profile: Profile) -> Side:
    """Returns which way messages of a type go.

    What a method takes is a request; what can be reached from responses only, a response.
    """
    known = methods(kind, profile)
    inputs = tuple(method.input_type for method in known)
    if any(each.full_name == kind.full_name for each in inputs):
        return "request"
    if kind.full_name in _reached(inputs):
        return "either"
    outputs = tuple(method.output_type for method in known)
    return "response" if kind.full_name in _reached(outputs) else "either"


@lru_cache(maxsize=256)
def methods(kind: MessageType, profile: Profile) -> tuple[MethodType, ...]:
    """Returns the methods of a message's API, as far as its pool has them."""
    found: list[MethodType] = []
    for name in profile.services:
        with suppress(KeyError):  # a file that this pool has not got
            service = kind.file.pool.FindServiceByName(f"{kind.file.package}.{name}")
            found += service.methods
    return tuple(found)


@lru_cache(maxsize=1024)
def routed(kind: MessageType, profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Returns the fields of a request that stand in the URL over REST, with the forms they have."""
    found: dict[str, dict[str, None]] = {}
    for method in methods(kind, profile):
        if method.input_type.full_name == kind.full_name:
            for path, patterns in routing(method).items():
                found.setdefault(path, {}).update(dict.fromkeys(patterns))
    return MappingProxyType({path: tuple(patterns) for path, patterns in found.items()})


@lru_cache(maxsize=64)
def _reached(kinds: Iterable[MessageType]) -> frozenset[str]:
    """Returns the names of message types and of all that lie in them."""
    return frozenset(kind.full_name for kind in reached(kinds))
