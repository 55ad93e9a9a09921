"""What the stubs of Struct and ListValue add: their Python methods, in terms of our classes.

The published stubs give those methods the classes of protobuf's default pool; run time gives
the classes of the pool that the message is from.
"""

from __future__ import annotations

_VALUE = "Global___Struct | Global___ListValue | _builtins.str | _builtins.float | _builtins.bool"
_READ = f"{_VALUE} | None"
_WRITTEN = f"{_READ} | _abc.Mapping[_builtins.str, _builtins.object] | _builtins.list[_typing.Any]"

METHODS = {
    "google.protobuf.Struct": (
        f"def __getitem__(self, key: _builtins.str) -> {_READ}: ...",
        f"def __setitem__(self, key: _builtins.str, value: {_WRITTEN}) -> None: ...",
        f"def values(self) -> _builtins.list[{_READ}]: ...",
        f"def items(self) -> _builtins.list[_builtins.tuple[_builtins.str, {_READ}]]: ...",
        "def get_or_create_list(self, key: _builtins.str) -> Global___ListValue: ...",
        "def get_or_create_struct(self, key: _builtins.str) -> Global___Struct: ...",
        "def update(self, dictionary: _abc.Mapping[_builtins.str, _builtins.object]) -> None: ...",
    ),
    "google.protobuf.ListValue": (
        f"def __getitem__(self, index: _builtins.int) -> {_READ}: ...",
        f"def __setitem__(self, index: _builtins.int, value: {_WRITTEN}) -> None: ...",
        f"def __iter__(self) -> _abc.Iterator[{_READ}]: ...",
        f"def items(self) -> _abc.Iterator[{_READ}]: ...",
        f"def append(self, value: {_WRITTEN}) -> None: ...",
        f"def extend(self, elem_seq: _abc.Iterable[{_WRITTEN}]) -> None: ...",
        "def add_struct(self) -> Global___Struct: ...",
        "def add_list(self) -> Global___ListValue: ...",
    ),
}
"""Full name of a message to the methods of its stub, each ready to be indented."""
