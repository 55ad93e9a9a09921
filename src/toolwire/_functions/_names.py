"""Names of functions and of their parameters: checked, and on request made to fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._report import SHOWN, fault
from toolwire._paths import quote
from toolwire._rules._names import fault_of

if TYPE_CHECKING:
    from toolwire._functions._keywords import Node
    from toolwire._functions._report import Report
    from toolwire._paths import Path
    from toolwire._rules._names import NameRule
    from toolwire._rules._profile import Profile

_WAY_OUT = "pass name=, or rename=True"


def checked_function_name(
    name: str, profile: Profile, report: Report, *, rename: bool, older: bool
) -> str:
    """Returns a function's name, made to fit where that was asked for.

    Raises:
        DeclarationError: If the API does not take it.
    """
    rule = profile.function_name
    if rule is None:
        return name
    if fault_of(name, rule) and rename and name:
        fitting = _fitted(name, rule)
        report.changed((None, "name"), f"{quote(name, longest=SHOWN)} became {quote(fitting)}")
        name = fitting
    wrong = fault_of(name, rule)
    if wrong:
        raise fault(f"{quote(name, longest=SHOWN)} {wrong}; {_WAY_OUT}", (None, "name"))
    for page in profile.older_names if older else ():
        wrong = fault_of(name, page)
        if wrong:
            report.changed(
                (None, "name"), f"older pages refuse {quote(name, longest=SHOWN)}: it {wrong}"
            )
    return name


def check_parameters(
    parameters: Node, rule: NameRule | None, report: Report, at: Path, *, rename: bool
) -> dict[str, str]:
    """Checks the names of parameters in a converted schema, and renames them where asked to.

    Returns:
        New names to old ones.

    Raises:
        DeclarationError: If the API does not take a name.
    """
    properties = parameters.get("properties")
    if rule is None or not isinstance(properties, dict):
        return {}
    new: dict[str, str] = {}
    for name in properties:
        wrong = fault_of(name, rule)
        if not wrong:
            continue
        here: Path = ((at, "properties"), (name,))
        if not rename:
            raise fault(f"the parameter's name {wrong}; rename it, or pass rename=True", here)
        fitting = _free(_fitted(name, rule), {*properties, *new.values()}, rule)
        new[name] = fitting
        report.changed(here, f"renamed to {quote(fitting)}")
    if new:
        parameters["properties"] = {new.get(key, key): each for key, each in properties.items()}
        for field in ("required", "property_ordering"):
            names = parameters.get(field)
            if isinstance(names, list):
                parameters[field] = [new.get(str(each), each) for each in names]
    return {fitting: name for name, fitting in new.items()}


def _fitted(name: str, rule: NameRule) -> str:
    """Returns the nearest name that fits."""
    made = "".join(each if rule.rest.match(each) else "_" for each in name)
    if not rule.first.match(made):
        made = f"_{made}"
    return made[: rule.longest]


def _free(name: str, taken: set[str], rule: NameRule) -> str:
    found, number = name, 1
    while found in taken:
        number += 1
        suffix = f"_{number}"
        found = name[: rule.longest - len(suffix)] + suffix
    return found
