"""The schema that is vendored, beside the one that today's servers have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire._schema_diff import Buf, Finding, compare, cross_check, load

if TYPE_CHECKING:
    from toolwire.codegen import Toolchain

HERE = Path(__file__).parent
PACKAGE = "google.cloud.aiplatform.v1"


@pytest.fixture(scope="module")
def years(
    toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> list[FileDescriptorSet]:
    """Both states of the schema, at the same path."""
    found: list[FileDescriptorSet] = []
    for name in ("tool_2025_05", "tool_2026_11"):
        folder = tmp_path_factory.mktemp(name)
        (folder / "tool.proto").write_text((HERE / f"{name}.proto").read_text())
        found.append(load(str(folder), toolchain))
    return found


def breaking(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.consequences & {"wire", "json", "source"}]


def test_url_context_moved_and_breaks_the_wire_alone(years: list[FileDescriptorSet]) -> None:
    findings = compare(*years)
    [finding] = breaking(findings)
    assert finding == Finding(
        rule="field-renumbered",
        path=f"{PACKAGE}.Tool.url_context",
        consequences=frozenset({"wire"}),
        explanation="a new peer reads field 8 as unknown (8 is reserved); "
        "an old peer reads field 10 as unknown",
        old="8",
        new="10",
        new_path=f"{PACKAGE}.Tool.url_context",
    )
    behaviour = [one for one in findings if "behaviour" in one.consequences]
    assert [(one.rule, one.path.removeprefix(f"{PACKAGE}.")) for one in behaviour] == [
        ("field-behavior-changed", "FunctionCall.name"),
        ("reserved-added", "Tool"),
    ]
    assert {one.path.removeprefix(f"{PACKAGE}.") for one in findings[3:]} == {
        "EnterpriseWebSearch.exclude_domains",
        "FunctionCall.will_continue",
        "FunctionCallingConfig.Mode.VALIDATED",
        "FunctionCallingConfig.stream_function_call_arguments",
        "FunctionDeclaration.parameters_json_schema",
        "GoogleMaps",
        "Tool.GoogleSearch.blocking_confidence",
        "Tool.GoogleSearch.exclude_domains",
        "Tool.PhishBlockThreshold",
        "Tool.google_maps",
    }


@pytest.mark.tools
def test_buf_takes_the_move_for_a_deletion(years: list[FileDescriptorSet]) -> None:
    buf = Buf.find()
    assert buf is not None
    findings = cross_check(compare(*years), buf.breaking(*years))
    assert [one.buf for one in findings if one.buf] == [
        ("FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NAME_RESERVED")
    ]
    assert findings[0].rule == "field-renumbered"


def test_the_built_in_schema_with_a_field_moved() -> None:
    old, new = load("builtin:v1"), load("builtin:v1")
    [tool] = [
        message for file in new.file for message in file.message_type if message.name == "Tool"
    ]
    [moved] = [field for field in tool.field if field.name == "url_context"]
    before, moved.number = moved.number, 99
    [finding] = compare(old, new)
    assert (finding.rule, finding.old, finding.new) == ("field-renumbered", str(before), "99")
