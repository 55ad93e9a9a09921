"""Run beside the official packages: compares their descriptors with ours, and prints JSON.

Usage: python drift.py ROOT ...

The roots are full names of our services and messages. The official packages are built on
proto-plus, which registers messages and enums in the default pool, but no services.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import FileDescriptorSet

import toolwire_pb

MODULES = {
    "google.cloud.aiplatform.v1": "google.cloud.aiplatform_v1",
    "google.cloud.aiplatform.v1beta1": "google.cloud.aiplatform_v1beta1",
    "google.ai.generativelanguage.v1beta": "google.ai.generativelanguage_v1beta",
}


def main(roots: list[str]) -> None:
    """Compares the closure of each root, and prints what was found in each API."""
    pool = our_pool()
    print(json.dumps({package: compare(pool, package, roots) for package in MODULES}))


def our_pool() -> Any:
    """A pool of nothing but our schema."""
    data = Path(toolwire_pb.__file__).with_name("descriptors.binpb").read_bytes()
    pool: Any = descriptor_pool.DescriptorPool()
    for file in FileDescriptorSet.FromString(data).file:
        pool.Add(file)
    return pool


def compare(pool: Any, package: str, roots: list[str]) -> dict[str, Any]:
    """Compares one API: its messages, and the enums of their fields, each once."""
    importlib.import_module(MODULES[package])
    found: dict[str, Any] = {"fields": 0, "values": 0, "mismatches": [], "missing": {}}
    found["declared JSON names"] = []
    seen: set[str] = set()
    for root in (root for root in roots if root.rpartition(".")[0] == package):
        for kind in reached(pool, root):
            if kind.full_name in seen or not kind.full_name.startswith(f"{package}."):
                continue
            seen.add(kind.full_name)
            extra = compare_enum(found, kind) if is_enum(kind) else compare_message(found, kind)
            found["missing"].setdefault(root, []).extend(extra)
    found["messages"] = len(seen)
    return found


def reached(pool: Any, root: str) -> Iterator[Any]:
    """Yields the messages and enums that a service or message refers to, itself included."""
    try:
        service = pool.FindServiceByName(root)
        pending = [kind for m in service.methods for kind in (m.input_type, m.output_type)]
    except KeyError:
        pending = [pool.FindMessageTypeByName(root)]
    seen: set[str] = set()
    while pending:
        kind = pending.pop(0)
        if kind is None or kind.full_name in seen:
            continue
        seen.add(kind.full_name)
        yield kind
        if not is_enum(kind):
            pending += [part for f in kind.fields for part in (f.message_type, f.enum_type)]


def is_enum(kind: Any) -> bool:
    """Tells enums from messages."""
    return hasattr(kind, "values")


def compare_message(found: dict[str, Any], ours: Any) -> Iterator[str]:
    """Notes mismatches, and yields the fields that only they have."""
    try:
        theirs = descriptor_pool.Default().FindMessageTypeByName(ours.full_name)
    except KeyError:
        found["mismatches"].append(f"{ours.full_name}: they have no such message")
        return
    others = {field.number: field for field in theirs.fields}
    for field in ours.fields:
        found["fields"] += 1
        other = others.pop(field.number, None)
        if other is None:
            found["mismatches"].append(
                f"{field.full_name} = {field.number}: they have no such field"
            )
            continue
        own, their = field_facts(field), field_facts(other)
        if field.json_name != json_name(field.name):  # proto-plus does not keep a declared one
            own["JSON name"] = their["JSON name"]
            found["declared JSON names"].append(f"{field.full_name}: {field.json_name!r}")
        found["mismatches"] += [
            f"{field.full_name} = {field.number}: {fact} is {own[fact]!r}, theirs {their[fact]!r}"
            for fact in own
            if own[fact] != their.get(fact)
        ]
    yield from (f"{ours.full_name}.{python_name(o)} = {o.number}" for o in others.values())


def compare_enum(found: dict[str, Any], ours: Any) -> Iterator[str]:
    """Notes mismatches, and yields the values that only they have."""
    try:
        theirs = descriptor_pool.Default().FindEnumTypeByName(ours.full_name)
    except KeyError:
        found["mismatches"].append(f"{ours.full_name}: they have no such enum")
        return
    own, their = ({value.name: value.number for value in kind.values} for kind in (ours, theirs))
    found["values"] += len(own)
    for name, number in own.items():
        if their.get(name) != number:
            found["mismatches"].append(
                f"{ours.full_name}.{name} = {number}: theirs {their.get(name)}"
            )
    yield from (f"{ours.full_name}.{name} = {their[name]}" for name in their.keys() - own.keys())


def field_facts(field: Any) -> dict[str, object]:
    """What must be the same on both sides."""
    oneof = field.containing_oneof
    kind = field.message_type or field.enum_type
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    facts: dict[str, object] = {
        "name": python_name(field),
        "JSON name": field.json_name.removesuffix("_"),
        "type": field.type,
        "kind": None if kind is None or is_map else kind.full_name,
        "repeated": field.is_repeated,
        "presence": field.has_presence,
        "oneof": oneof.name if oneof is not None and len(oneof.fields) > 1 else None,
    }
    if is_map:
        facts |= {
            f"map {part.name} {what}": fact
            for part in kind.fields
            for what, fact in field_facts(part).items()
        }
    return facts


def json_name(name: str) -> str:
    """The JSON name of a field that declares none."""
    first, *others = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def python_name(field: Any) -> str:
    """The name of a field; their generator puts a line behind names that Python keeps."""
    return str(field.name.removesuffix("_"))


if __name__ == "__main__":
    main(sys.argv[1:])
