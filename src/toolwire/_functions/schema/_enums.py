"""Closed sets of values, and formats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolwire._functions._report import SHOWN, Unfit, fault
from toolwire._functions.schema._context import described, say
from toolwire._functions.schema._infer import check_list, fits
from toolwire._functions.schema._merge import same
from toolwire._functions.schema._said import format_sentence
from toolwire._paths import quote

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node
    from toolwire._functions.schema._context import Context, Place

_SPELLED = ("STRING", "INTEGER", "NUMBER", "BOOLEAN")
_LONGEST = 400  # characters of values in a description


def put_values(context: Context, node: Node, made: Node, place: Place) -> None:
    """Writes ``enum`` and ``const``: the proto has text only, for values of every type."""
    kind = str(made["type"]).lower()
    if "enum" in node:
        members = check_list(node["enum"], place, "enum")
        if "const" in node and members and not any(same(each, node["const"]) for each in members):
            raise Unfit("is none of the values of the enum beside it", (place.path, "const"))
        _put_enum(context, members, made, place)
        if "const" in node and len(members) != 1:
            context.report.dropped((place.path, "const"), "the enum beside it is kept")
    elif "const" in node:
        value = node["const"]
        if not fits(value, kind):
            raise Unfit(f"{described(value)} is no {kind}", (place.path, "const"))
        if isinstance(value, str) and value:
            made["enum"] = [value]
        else:
            say(made, f"Always {_text(value)}.")
            context.report.changed((place.path, "const"), "said in the description")


def put_format(context: Context, node: Node, made: Node, place: Place) -> None:
    """Writes the format if the API takes it."""
    given = node.get("format")
    at = (place.path, "format")
    if given is None or given == "":
        return
    if not isinstance(given, str):
        raise fault(f"expected text, found {described(given)}", at)
    if given == "enum" and not made.get("enum"):
        context.report.dropped(at, "there are no values for it")
    elif given in context.profile.formats.get(str(made["type"]), ()):
        made["format"] = given
    else:
        say(made, format_sentence(given))
        context.report.dropped(
            at,
            f"{context.api} takes no format {quote(given, longest=SHOWN)} here: "
            "said in the description",
        )


def _put_enum(context: Context, members: list[Json], made: Node, place: Place) -> None:
    at = (place.path, "enum")
    kind = str(made["type"])
    if not members:
        context.report.dropped(at, "there are no values in it")
        return
    if kind not in _SPELLED:
        say(made, f"One of: {', '.join(map(_text, members))[:_LONGEST]}.")
        context.report.changed(at, "said in the description")
        return
    texts: list[Json] = []
    for index, member in enumerate(members):
        if fits(member, kind.lower()):
            texts.append(_text(member, bare=True))
        else:
            context.report.dropped((at, index), f"{described(member)} is no {kind.lower()}")
    if not texts:
        raise Unfit(f"none of the values is of type {kind.lower()}", at)
    if "" in texts:  # servers refuse an empty value
        texts = [text for text in texts if text != ""]
        say(made, "May be empty." if texts else "Always empty.")
        context.report.dropped(at, "the API takes no empty value: said in the description")
    if texts:
        made["enum"] = list(dict.fromkeys(texts))


def _text(value: Json, *, bare: bool = False) -> str:
    """Spells a value as JSON; bare text stands for itself."""
    if bare and isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False)
