"""``from toolwire import v1`` gives every name of the schema, and loads nothing it need not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pool, struct_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet

import toolwire
import toolwire_pb
from support.processes import run_python
from support.schema import message_classes, qualified
from toolwire import v1

PACKAGE = Path(toolwire_pb.__file__).parent
HEAVY = ("grpc", "google.auth", "pydantic", "starlette", "uvicorn", "httpx", "click")


def run(code: str) -> str:
    return run_python("-c", code).strip()


def published() -> FileDescriptorSet:
    return FileDescriptorSet.FromString((PACKAGE / "descriptors.binpb").read_bytes())


def test_every_top_level_name_of_the_schema_is_there() -> None:
    names: set[str] = set()
    services: set[str] = set()
    for file in published().file:
        if file.package == "google.cloud.aiplatform.v1":
            names |= {m.name for m in file.message_type} | {e.name for e in file.enum_type}
            services |= {s.name for s in file.service}
    assert set(v1.__all__) == names
    assert {name.removesuffix("Stub") for name in dir(v1.grpc) if name.endswith("Stub")} == services
    for name in names:
        assert getattr(v1, name).DESCRIPTOR.name == name


def test_descriptors_are_self_contained_and_carry_comments() -> None:
    files = published().file
    pool = descriptor_pool.DescriptorPool()
    for file in files:  # in order: an import that is missing, or comes later, would fail here
        pool.Add(file)
    tool = next(file for file in files if file.name.endswith("v1/tool.proto"))
    comments = [place.leading_comments for place in tool.source_code_info.location]
    assert any("exactly" in comment and "one type of Tool" in comment for comment in comments)


@pytest.mark.parametrize(
    "module", ["toolwire", "toolwire.v1", "toolwire.oneof", "toolwire.retrieval"]
)
def test_an_import_loads_nothing_heavy(module: str) -> None:
    loaded = run(f"import sys, {module}; print(' '.join(sys.modules))").split()
    assert [name for name in loaded if name.startswith(HEAVY)] == []


def test_services_are_loaded_on_first_use() -> None:
    code = (
        "import sys\nfrom toolwire import v1\nassert 'grpc' not in sys.modules\n"
        "v1.grpc.PredictionServiceStub\nassert 'grpc' in sys.modules\nprint('grpc' in dir(v1))"
    )
    assert run(code) == "True"


def test_a_misspelt_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Tol'"):
        v1.Tol  # type: ignore[attr-defined]  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_our_messages_stay_out_of_the_default_pool() -> None:
    with pytest.raises(KeyError):
        descriptor_pool.Default().FindFileByName("google/cloud/aiplatform/v1/tool.proto")
    assert not isinstance(v1.FunctionCall().args, struct_pb2.Struct)


@pytest.mark.parametrize("cls", message_classes(), ids=qualified)
def test_a_class_knows_where_it_lives(cls: type) -> None:
    module = sys.modules[cls.__module__]
    found: object = module
    for part in cls.__qualname__.split("."):
        found = getattr(found, part)
    assert found is cls
    assert cls.__module__.startswith("toolwire_pb.google.cloud.aiplatform.v1.")


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
