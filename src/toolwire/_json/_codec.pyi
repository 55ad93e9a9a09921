# The native core: see native/codec.c.

from collections.abc import Callable
from weakref import ref

from google.protobuf.message import Message
from typing_extensions import Self

from toolwire._messages import M

SOURCES: str

class Enum:
    def __new__(
        cls, values: list[tuple[bytes, int]], names: list[tuple[bytes, int]], is_null: bool, /
    ) -> Self: ...

class Plan:
    def __new__(
        cls,
        form: int,
        fields: list[
            tuple[int, int, int, int, int, bool, bool, bytes, bytes, str, str | Enum | None]
        ],
        names: list[tuple[bytes, int]],
        find: Callable[[str], Plan],
        /,
    ) -> Self: ...

class Codec:
    def __new__(
        cls,
        roots: dict[ref[type[Message]], Plan],
        find_root: Callable[[type], Plan | None],
        base: type,
        /,
    ) -> Self: ...
    def to_bytes(
        self, message: object, proto_names: bool, enums_as_ints: bool, /
    ) -> bytes | None: ...
    def to_text(self, message: object, proto_names: bool, enums_as_ints: bool, /) -> str | None: ...
    def from_text(self, cls: type[M], data: object, max_depth: int, /) -> M | None: ...
