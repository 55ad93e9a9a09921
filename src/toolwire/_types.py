"""Finds a message class by the name that somebody typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from google.protobuf.message_factory import GetMessageClass

from toolwire._apis import APIS
from toolwire._errors import DescriptorError
from toolwire._json import near
from toolwire._messages import descriptor_of, is_map_entry
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
        name: Its name, such as ``Tool`` or, nested, ``Tool.GoogleSearch``: that of the first API
            that has it, in the order v1, v1beta1, gemini, firebase. With the name of an API in
            front, as in ``gemini.Tool``, that API's. Or its full name, such as
            ``google.cloud.aiplatform.v1.Tool`` or ``google.protobuf.Struct``.

    Raises:
        DescriptorError: If there is no such message.
    """
    for api in APIS.values() if name.isascii() else ():
        relative = name.removeprefix(f"{api.name}.")
        for full_name in (f"{api.package}.{relative}", name):
            cls = _find(api, full_name)
            if cls is not None:
                return cls
    raise DescriptorError(
        f"no message is named {quote(name, longest=_SHOWN)}{near(name, _names())}"
    )


def _find(api: Api, full_name: str) -> type[Message] | None:
    """Returns the class of that full name; what an API uses of other packages counts, too."""
    pool = api.files()[0].pool
    try:
        kind = cast("Descriptor", pool.FindMessageTypeByName(full_name))
    except KeyError:
        return None
    return None if is_map_entry(kind) else GetMessageClass(kind)


def _names() -> Iterator[str]:
    """Yields every name that a message of an API goes by."""
    for api in APIS.values():
        for cls in api.classes():
            for kind in _with_nested(descriptor_of(cls)):
                relative = kind.full_name.removeprefix(f"{api.package}.")
                yield from (relative, f"{api.name}.{relative}", kind.full_name)


def _with_nested(kind: Descriptor) -> Iterator[Descriptor]:
    yield kind
    for nested in cast("list[Descriptor]", kind.nested_types):
        if not is_map_entry(nested):
            yield from _with_nested(nested)
