"""Changes of services and their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import ADDITION, SOURCE, WIRE, Finding
from toolwire._schema_diff._options import option_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._schema_diff._index import Method, Service
    from toolwire._schema_diff._types import Types

_STREAMS = {
    (False, False): "one request, one response",
    (True, False): "a stream of requests, one response",
    (False, True): "one request, a stream of responses",
    (True, True): "streams of both",
}


def service_changes(old: Service, new: Service, types: Types) -> Iterator[Finding]:
    """Yields the changes of one service."""
    names = {method.name: method for method in new.methods}
    renamed = _renamed(old, new, types)
    for method in old.methods:
        other = names.get(method.name) or renamed.get(method.name)
        if other is None:
            yield Finding(
                "rpc-removed",
                method.full_name,
                WIRE | SOURCE,
                unanswered(method),
                old=_text(method),
            )
            continue
        if method.name != other.name:
            yield Finding(
                "rpc-renamed",
                method.full_name,
                WIRE | SOURCE,
                unanswered(method),
                method.name,
                other.name,
                other.full_name,
            )
        yield from _kept(method, other, types)
    kept = {method.name for method in (*old.methods, *renamed.values())}
    for method in new.methods:
        if method.name not in kept:
            path, note = (
                method.full_name,
                f"an old server answers UNIMPLEMENTED to {_route(method)}",
            )
            yield Finding("rpc-added", path, ADDITION, note, new=_text(method), new_path=path)
    yield from option_changes(old.full_name, new.full_name, old.options, new.options)


def unanswered(method: Method) -> str:
    """Says what callers of a method see that is not there any more."""
    answer = f"a new server answers UNIMPLEMENTED to {_route(method)}"
    return f"{answer}; in Python the stub has no `{method.name}`"


def _route(method: Method) -> str:
    service, _, name = method.full_name.rpartition(".")
    return f"/{service}/{name}"


def _kept(old: Method, new: Method, types: Types) -> Iterator[Finding]:
    for rule, before, after in (
        ("rpc-request-changed", old.request, new.request),
        ("rpc-response-changed", old.response, new.response),
    ):
        if not types.same(before, after):
            verdict = types.judge(before, after)
            yield Finding(
                rule,
                old.full_name,
                verdict.consequences,
                "; ".join(verdict.notes),
                str(before),
                str(after),
                new.full_name,
            )
    if old.streams != new.streams:
        yield Finding(
            "rpc-streaming-changed",
            old.full_name,
            WIRE | SOURCE,
            "calls between the two sides fail; in Python the method takes or returns another thing",
            _STREAMS[old.streams],
            _STREAMS[new.streams],
            new.full_name,
        )
    yield from option_changes(old.full_name, new.full_name, old.options, new.options)


def _renamed(old: Service, new: Service, types: Types) -> dict[str, Method]:
    """Finds methods with another name: of a form that one is gone of, and one is new of."""
    olds, news = ({method.name for method in one.methods} for one in (old, new))
    gone = [method for method in old.methods if method.name not in news]
    fresh = [method for method in new.methods if method.name not in olds]
    found: dict[str, Method] = {}
    for method in gone:
        alike = [other for other in fresh if _same_form(method, other, types)]
        if (
            len(alike) == 1
            and [_same_form(other, alike[0], types) for other in gone].count(True) == 1
        ):
            found[method.name] = alike[0]
    return found


def _same_form(old: Method, new: Method, types: Types) -> bool:
    return (
        old.streams == new.streams
        and types.same(old.request, new.request)
        and types.same(old.response, new.response)
    )


def _text(method: Method) -> str:
    return f"{method.request} to {method.response}, {_STREAMS[method.streams]}"
