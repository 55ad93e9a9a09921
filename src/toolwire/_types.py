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
    from collections.abc import Iterable, Iterator, Sequence

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from toolwire._descriptor_types import FileType

_SHOWN = 80  # characters of a name in an error


def find_message(
    name: str, files: Sequence[FileType] = (), api: str | None = None
) -> type[Message]:
    """Returns the class of a message, of whichever API has it.

    Args:
        name: Its name, such as ``Tool`` or, nested, ``Tool.GoogleSearch``: that of the first API
            that has it, in the order v1, v1beta1, gemini, firebase. With the name of an API in
            front, as in ``gemini.Tool``, that API's. Or its full name, such as
            ``google.cloud.aiplatform.v1.Tool`` or ``google.protobuf.Struct``.
        files: Files of a user's own, whose messages go by the name in their package first.
        api: The API that a name without one means; by default whichever has it.

    Raises:
        DescriptorError: If there is no such message.
    """
    apis = [each for each in APIS.values() if name.isascii() and api in {None, each.name}]
    for file in files if name.isascii() else ():
        cls = _find(file, f"{file.package}.{name}".lstrip("."))
        if cls is not None:
            return cls
    for each in apis:
        relative = name.removeprefix(f"{each.name}.")
        for full_name in (f"{each.package}.{relative}", name):
            cls = _find(each.files()[0], full_name)
            if cls is not None:
                return cls
    raise DescriptorError(
        f"no message is named {quote(name, longest=_SHOWN)}{near(name, _names(files))}"
    )


def _find(file: FileType, full_name: str) -> type[Message] | None:
    """Returns the class of that full name; what an API uses of other packages counts, too."""
    try:
        kind = cast("Descriptor", file.pool.FindMessageTypeByName(full_name))
    except KeyError:
        return None
    return None if is_map_entry(kind) else GetMessageClass(kind)


def _names(files: Iterable[FileType]) -> Iterator[str]:
    """Yields every name that a message of these files or of an API goes by."""
    for file in files:
        for outer in file.message_types_by_name.values():
            for kind in _with_nested(cast("Descriptor", outer)):
                yield from (kind.full_name.removeprefix(f"{file.package}."), kind.full_name)
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
