"""Message classes by the names that people type."""

from __future__ import annotations

import pytest
from google.protobuf import descriptor_pb2

from support.processes import run_python
from support.schema import message_classes
from toolwire import DescriptorError, v1
from toolwire._apis import APIS, Api
from toolwire._types import find_message

PACKAGE = "google.cloud.aiplatform.v1"


def test_every_message_has_its_names() -> None:
    for cls in message_classes():
        full_name = cls.DESCRIPTOR.full_name
        relative = full_name.removeprefix(f"{PACKAGE}.")
        for name in (full_name, relative, f"v1.{relative}"):
            assert find_message(name) is cls


def test_what_an_api_uses_of_other_packages_has_its_full_name() -> None:
    assert find_message("google.protobuf.Struct") is type(v1.FunctionCall().args)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Tol", "Tool"),
        ("tool", "Tool"),
        ("GoogleSearch", "Tool.GoogleSearch"),
        ("Tool.GoogleSerch", "Tool.GoogleSearch"),
        ("function_declaration", "FunctionDeclaration"),
        (f"{PACKAGE}.Tols", f"{PACKAGE}.Tool"),
        ("Wagon", None),
        ("", None),
        ("Type", None),  # an enum
        ("v1", None),
        ("Schema.PropertiesEntry", None),  # hidden behind a map
        ("é\ud800", None),
        ("x" * 5000, None),
    ],
)
def test_an_unknown_name_is_an_error_with_the_nearest(name: str, hint: str | None) -> None:
    with pytest.raises(DescriptorError) as caught:
        find_message(name)
    text = str(caught.value)
    assert len(text) < 200
    if hint is None:
        assert "did you mean" not in text or name == "Type"
    else:
        assert text.endswith(f'; did you mean "{hint}"?')


def test_a_name_in_two_apis_is_ambiguous(monkeypatch: pytest.MonkeyPatch) -> None:
    other = descriptor_pb2.FileDescriptorProto(name="toolwire/test/two.proto", syntax="proto3")
    other.package = "toolwire.test.two"
    other.message_type.add(name="Tool")
    other.message_type.add(name="Wagon")
    v1.Tool.DESCRIPTOR.file.pool.Add(other)
    two = Api("two", other.package, "toolwire.v1", is_regional=False)
    monkeypatch.setattr("toolwire._types.APIS", {**APIS, "two": two})
    with pytest.raises(DescriptorError) as caught:
        find_message("Tool")
    assert str(caught.value) == (
        f'message "Tool" is ambiguous: choose one of {PACKAGE}.Tool, toolwire.test.two.Tool'
    )
    assert find_message("v1.Tool") is v1.Tool
    assert find_message("two.Tool").DESCRIPTOR.full_name == "toolwire.test.two.Tool"
    assert find_message("Wagon").DESCRIPTOR.full_name == "toolwire.test.two.Wagon"
    assert find_message("Content") is v1.Content


def test_it_needs_no_grpc() -> None:
    code = (
        "import sys\n"
        "from toolwire._types import find_message\n"
        "find_message('Tool')\n"
        "print('grpc' in sys.modules)"
    )
    assert run_python("-c", code) == "False\n"
