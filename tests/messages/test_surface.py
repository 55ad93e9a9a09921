"""The module of each API gives every name of the schema, and loads nothing it need not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pool, struct_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

import toolwire
import toolwire_pb
from support.apis import of_every_api, of_every_served_api
from support.processes import run_python
from support.schema import message_classes, qualified
from toolwire import v1
from toolwire._apis import APIS, Api, api_of

PACKAGE = Path(toolwire_pb.__file__).parent
HEAVY = ("grpc", "google.auth", "pydantic", "starlette", "uvicorn", "httpx", "click")

# Each costs as much as dozens of messages: what few programs need, or only some time later.
UNCOMMON = {"dataclasses", "inspect", "orjson", "uuid", "toolwire._json._exact"}


def run(code: str) -> str:
    return run_python("-c", code).strip()


def published() -> FileDescriptorSet:
    return FileDescriptorSet.FromString((PACKAGE / "descriptors.binpb").read_bytes())


@of_every_api
def test_every_top_level_name_of_the_schema_is_there(api: Api) -> None:
    names: set[str] = set()
    services: set[str] = set()
    for file in published().file:
        if file.package == api.package:
            names |= {m.name for m in file.message_type} | {e.name for e in file.enum_type}
            services |= {s.name for s in file.service}
    module = api.load()
    assert set(module.__all__) == names
    for name in names:
        assert getattr(module, name).DESCRIPTOR.full_name == f"{api.package}.{name}"
        assert name in dir(module)
    assert {service.name for service in api.services()} == services
    assert hasattr(module, "grpc") == bool(services)
    for name in services:
        for thing in (f"{name}Stub", f"{name}Servicer", f"add_{name}Servicer_to_server"):
            assert thing in module.grpc.__all__
            assert callable(getattr(module.grpc, thing))


def test_every_package_of_ours_is_an_api() -> None:
    """But for what an API imports, such as long-running operations, which is a package apart."""
    files = [file for file in published().file if file.name in stamped()]
    imported = {name for file in files for name in file.dependency}
    apis = {api.package for api in APIS.values()}
    assert apis <= {file.package for file in files}
    assert all(file.package in apis or file.name in imported for file in files)


def stamped() -> set[str]:
    return set(json.loads((PACKAGE / "stamp.json").read_text())["sources"])


def test_descriptors_are_self_contained_and_carry_comments() -> None:
    files = published().file
    pool = descriptor_pool.DescriptorPool()
    for file in files:  # in order: an import that is missing, or comes later, would fail here
        pool.Add(file)
    tool = next(file for file in files if file.name.endswith("v1/tool.proto"))
    comments = [place.leading_comments for place in tool.source_code_info.location]
    assert any("exactly" in comment and "one type of Tool" in comment for comment in comments)


@pytest.mark.parametrize(
    "module",
    ["toolwire", *(api.module for api in APIS.values()), "toolwire.oneof", "toolwire.retrieval"],
)
def test_an_import_loads_nothing_heavy(module: str) -> None:
    loaded = run(f"import sys, {module}; print(' '.join(sys.modules))").split()
    assert [name for name in loaded if name.startswith(HEAVY)] == []


@pytest.mark.parametrize("module", ["toolwire", *(api.module for api in APIS.values())])
def test_an_import_loads_only_what_every_program_needs(module: str) -> None:
    loaded = run(f"import sys, {module}; print(' '.join(sys.modules))").split()
    assert UNCOMMON.isdisjoint(loaded)


@of_every_served_api
def test_services_are_loaded_on_first_use(api: str) -> None:
    code = (
        f"import sys\nfrom toolwire import {api}\nassert 'grpc' not in sys.modules\n"
        f"{api}.grpc.__all__\nassert 'grpc' in sys.modules\nprint('grpc' in dir({api}))"
    )
    assert run(code) == "True"


@of_every_api
def test_one_api_loads_no_other(api: Api) -> None:
    loaded = run(f"import sys, {api.module}; print(' '.join(sys.modules))").split()
    others = {other.module for other in APIS.values()} - {api.module}
    assert others.isdisjoint(loaded)


@of_every_api
def test_a_name_that_is_not_there(api: Api) -> None:
    with pytest.raises(AttributeError, match="no attribute 'Tol'"):
        _ = api.load().Tol


def test_a_misspelt_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Tol'"):
        v1.Tol  # type: ignore[attr-defined]  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


@of_every_api
def test_our_messages_stay_out_of_the_default_pool(api: Api) -> None:
    for file in api.files():
        with pytest.raises(KeyError):
            descriptor_pool.Default().FindFileByName(file.name)


def test_nor_are_the_common_ones_those_of_protobuf() -> None:
    assert not isinstance(v1.FunctionCall().args, struct_pb2.Struct)


@pytest.mark.parametrize("cls", message_classes(), ids=qualified)
def test_a_class_knows_where_it_lives(cls: type[Message]) -> None:
    module = sys.modules[cls.__module__]
    found: object = module
    for part in cls.__qualname__.split("."):
        found = getattr(found, part)
    assert found is cls
    assert api_of(cls.DESCRIPTOR.file.package) is not None
    assert cls.__module__.startswith(f"toolwire_pb.{cls.DESCRIPTOR.file.package}.")


def test_enums_work_in_annotations_at_run_time() -> None:
    def of(kind: v1.Type.ValueType) -> v1.Type.ValueType:
        return kind

    assert of(v1.Type.STRING) == v1.Type.Value("STRING") == 1
    assert v1.Type.Name(v1.Type.OBJECT) == "OBJECT"


def test_constructors_take_plain_python() -> None:
    call = v1.FunctionCall(name="f", args={"list": [1, "x", None], "nested": {"deep": True}})
    assert toolwire.to_dict(call)["args"] == {"list": [1, "x", None], "nested": {"deep": True}}
    schema = v1.Schema(type="OBJECT", properties={"id": {"type": "STRING", "enum": ["a"]}})
    assert schema.properties["id"].type == v1.Type.STRING
    schema.type = "ARRAY"
    assert schema.type == v1.Type.ARRAY
    tool = v1.Tool(retrieval={"vertex_ai_search": {"datastore": "d"}})
    assert tool.retrieval.vertex_ai_search.datastore == "d"


@pytest.mark.parametrize("cls", message_classes(), ids=qualified)
def test_messages_are_plain_protobuf(cls: type[Message]) -> None:
    """Nothing stands between a program and an attribute."""
    plain = FileDescriptorSet
    assert type(cls) is type(plain)
    assert cls.__mro__[1:] == plain.__mro__[1:]
    assert {"__getattr__", "__getattribute__", "__setattr__"}.isdisjoint(vars(cls))
