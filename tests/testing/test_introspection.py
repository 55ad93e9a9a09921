"""What tools ask a server: health, and reflection through ``buf curl``."""

# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import descriptor_pool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from support.apis import SERVED, module
from support.calls import MODEL
from toolwire import v1
from toolwire._apis import APIS
from toolwire.testing import LocalServer
from toolwire.testing._introspection import UnionOfPools

if TYPE_CHECKING:
    import grpc

BUF = Path(sys.executable).parent / "buf"
SERVICES = [service.full_name for api in APIS.values() for service in api.services()]
PREDICTION = "google.cloud.aiplatform.v1.PredictionService"
UTILITY = "google.cloud.aiplatform.v1.LlmUtilityService"
OWN = ["grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"]


@pytest.mark.parametrize("service", ["", *SERVICES])
def test_health(channel: grpc.Channel, service: str) -> None:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = stub.Check(health_pb2.HealthCheckRequest(service=service))
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_gives_every_file(channel: grpc.Channel) -> None:
    database: Any = ProtoReflectionDescriptorDatabase(channel)
    assert sorted(database.get_services()) == sorted([*SERVICES, *OWN])
    pool = descriptor_pool.DescriptorPool(database)
    for api in SERVED:
        for service in APIS[api].services():
            theirs = pool.FindServiceByName(service.full_name)
            assert theirs.methods_by_name.keys() == service.methods_by_name.keys()
        ours = module(api).Tool.DESCRIPTOR
        found = pool.FindMessageTypeByName(ours.full_name)
        assert [field.name for field in found.fields] == [field.name for field in ours.fields]


def test_union_of_pools() -> None:
    union = UnionOfPools(v1.Tool.DESCRIPTOR.file.pool, descriptor_pool.Default())
    tool = "google.cloud.aiplatform.v1.Tool"
    assert union.FindMessageTypeByName(tool) is v1.Tool.DESCRIPTOR
    assert union.FindFileContainingSymbol("grpc.health.v1.Health").package == "grpc.health.v1"
    assert union.FindFileByName("google/cloud/aiplatform/v1/tool.proto").package.endswith("v1")
    with pytest.raises(KeyError):
        union.FindFileByName("no/such.proto")
    kind: Any = union.FindMessageTypeByName("google.protobuf.FieldOptions")
    assert union.FindExtensionByNumber(kind, 1052).full_name == "google.api.field_behavior"
    assert union.FindAllExtensions(kind)


@pytest.mark.tools
class TestBufCurl:
    def curl(self, *arguments: str) -> str:
        done = subprocess.run(
            [str(BUF), "curl", *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=50,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def test_lists_methods(self, server: LocalServer) -> None:
        listed = self.curl(
            *("--protocol", "grpc", "--http2-prior-knowledge", "--list-methods"),
            f"http://{server.target}",
        )
        assert "google.cloud.aiplatform.v1.PredictionService/GenerateContent" in listed
        assert "google.cloud.aiplatform.v1.LlmUtilityService/CountTokens" in listed

    def test_calls(self, server: LocalServer) -> None:
        request = {"model": MODEL, "contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}
        answer = self.curl(
            *("--protocol", "grpc", "--http2-prior-knowledge", "--data", json.dumps(request)),
            f"http://{server.target}/{PREDICTION}/GenerateContent",
        )
        parts = json.loads(answer)["candidates"][0]["content"]["parts"]
        assert parts == [{"text": "You said: Hello"}]

    def test_calls_over_tls(self, tmp_path: Path) -> None:
        with LocalServer(tls=True) as server:
            authority = tmp_path / "ca.pem"
            authority.write_bytes(server.root_certificates or b"")
            request = json.dumps({"endpoint": MODEL})
            answer = self.curl(
                *("--protocol", "grpc", "--cacert", str(authority), "--data", request),
                f"https://{server.target}/{UTILITY}/CountTokens",
            )
        assert json.loads(answer) == {}
