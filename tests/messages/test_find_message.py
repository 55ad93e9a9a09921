"""Message classes by the names that people type."""

from __future__ import annotations

import pytest

from support.processes import run_python
from support.schema import message_classes
from toolwire import DescriptorError, firebase, gemini, v1, v1beta1
from toolwire._apis import api_of
from toolwire._types import find_message

PACKAGE = "google.cloud.aiplatform.v1"


def test_every_message_has_its_names() -> None:
    firsts: dict[str, object] = {}
    for cls in message_classes():
        api = api_of(cls.DESCRIPTOR.file.package)
        assert api is not None
        relative = cls.DESCRIPTOR.full_name.removeprefix(f"{api.package}.")
        for name in (cls.DESCRIPTOR.full_name, f"{api.name}.{relative}"):
            assert find_message(name) is cls
        assert find_message(relative) is firsts.setdefault(relative, cls)


@pytest.mark.parametrize(
    ("name", "cls"),
    [
        ("Tool", v1.Tool),
        ("FunctionCall", v1.FunctionCall),
        ("FileSearch", gemini.FileSearch),
        ("Tool.GoogleSearch", v1.Tool.GoogleSearch),
        ("TemplateFunction", firebase.TemplateFunction),
        ("v1.Tool", v1.Tool),
        ("v1beta1.Tool", v1beta1.Tool),
        ("gemini.Tool", gemini.Tool),
        ("gemini.Tool.GoogleSearch", gemini.Tool.GoogleSearch),
        ("firebase.Tool", firebase.Tool),
        ("toolwire.firebase.v1beta.Tool", firebase.Tool),
    ],
)
def test_of_several_the_first_api_wins(name: str, cls: type) -> None:
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
        ("gemini.FileSerch", "gemini.FileSearch"),
        ("v1.FileSearch", "FileSearch"),
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


def test_it_needs_no_grpc() -> None:
    code = (
        "import sys\n"
        "from toolwire._types import find_message\n"
        "find_message('Tool')\n"
        "print('grpc' in sys.modules)"
    )
    assert run_python("-c", code) == "False\n"
