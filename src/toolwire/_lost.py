"""Where a name is that a module does not have."""

from __future__ import annotations

import importlib.util
import sys
from collections import defaultdict
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from toolwire._apis import APIS
from toolwire._habits import ATTRIBUTES
from toolwire._json import near
from toolwire._messages import attribute, is_map_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolwire._descriptor_types import EnumType, MessageType

_ROOT = "toolwire"
_MOST_SHOWN = 4


def where(module: str, name: str) -> str:
    """Returns what an error says behind a name, such as ``; there is toolwire.v1.Tool``.

    Args:
        module: Name of the module, which was asked for it.
        name: The name.
    """
    if not name.isidentifier() or importlib.util.find_spec(f"{module}.{name}") is not None:
        return ""  # Python asks for a submodule so, before it loads it
    found = _places().get(name, ())
    places = [each for each in found if each.startswith(f"{module}.")] or found
    if places:
        more = ", ..." if len(places) > _MOST_SHOWN else ""
        return f"; there is {', '.join(places[:_MOST_SHOWN])}{more}"
    if name in ATTRIBUTES:
        return f"; {ATTRIBUTES[name]}"
    return near(name, sys.modules[module].__all__)


@cache
def _places() -> Mapping[str, list[str]]:
    """Returns where every public name is; what several modules have is told of the first."""
    root = sys.modules[_ROOT]
    values = (attribute(root, name) for name in root.__all__)
    apis = (api.load() for api in APIS.values())  # of which the first is the default
    others = (each for each in values if isinstance(each, ModuleType))
    modules = dict.fromkeys((root, *apis, *others))
    found: defaultdict[str, list[str]] = defaultdict(list)
    seen: set[tuple[str, int]] = set()
    for home in modules:
        for name in home.__all__:
            same = (name, id(attribute(home, name)))
            if same not in seen:
                seen.add(same)
                found[name].append(f"{home.__name__}.{name}")
    for api in APIS.values():
        for cls in api.classes():
            for kind in _nested(cls.DESCRIPTOR):
                place = kind.full_name.removeprefix(api.package)
                found[kind.name].append(f"{api.module}{place}")
    return found


def _nested(kind: MessageType) -> Iterator[MessageType | EnumType]:
    """Yields the messages and enums that stand in a message."""
    yield from kind.enum_types
    for inner in kind.nested_types:
        if not is_map_entry(inner):
            yield inner
            yield from _nested(inner)
