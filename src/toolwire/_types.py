"""Finds a message class by the name that somebody typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from google.protobuf.message_factory import GetMessageClass

from toolwire._apis import APIS
from toolwire._errors import DescriptorError
from toolwire._json import near
from toolwire._messages import descriptor_of, is_map_entry, is_message_class
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from toolwire._apis import Api

_SHOWN = 80  # characters of a name in an error


def find_message(name: str) -> type[Message]:
    """Returns the class of a message, of whichever API has it.

    Args:
        name: Its name, such as ``Tool`` or, nested, ``Tool.GoogleSearch``; with the name of the
            API in front where several have it, as in ``v1.Tool``; or its full name, such as
            ``google.cloud.aiplatform.v1.Tool`` or ``google.protobuf.Struct``.

    Raises:
        DescriptorError: If there is no such message, or several.
    """
    found: dict[str, type[Message]] = {}
    for api in APIS.values() if name.isascii() else ():
        relative = name.removeprefix(f"{api.name}.")
        for full_name in (f"{api.package}.{relative}", name):
            cls = _find(api, full_name)
            if cls is not None:
                found.setdefault(cls.DESCRIPTOR.full_name, cls)
    if len(found) == 1:
        return found.popitem()[1]
    shown = quote(name, longest=_SHOWN)
    if found:
        raise DescriptorError(f"message {shown} is ambiguous: choose one of {', '.join(found)}")
    raise DescriptorError(f"no message is named {shown}{near(name, _names())}")


def _find(api: Api, full_name: str) -> type[Message] | None:
    """Returns the class of that full name; what an API uses of other packages counts, too."""
    pool = descriptor_of(next(_classes(api))).file.pool
    try:
        kind = pool.FindMessageTypeByName(full_name)
    except KeyError:
        return None
    return None if is_map_entry(kind) else GetMessageClass(kind)


def _names() -> Iterator[str]:
    """Yields every name that a message of an API goes by."""
    for api in APIS.values():
        for cls in _classes(api):
            for kind in _with_nested(descriptor_of(cls)):
                yield kind.full_name.removeprefix(f"{api.package}.")
                yield kind.full_name


def _classes(api: Api) -> Iterator[type[Message]]:
    for value in vars(api.load()).values():
        if is_message_class(value):
            yield value


def _with_nested(kind: Descriptor) -> Iterator[Descriptor]:
    yield kind
    for nested in cast("list[Descriptor]", kind.nested_types):
        if not is_map_entry(nested):
            yield from _with_nested(nested)
