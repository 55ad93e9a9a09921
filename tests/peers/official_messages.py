"""Run in a fresh process: an official package's messages in our functions.

Usage: python official_messages.py MODULE
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import toolwire
from toolwire import firebase, functions, gemini, v1, v1beta1

sys.path.insert(0, str(Path(__file__).parent.parent))
from support.rule_examples import EXAMPLES
from support.samples import SAMPLES

RENAMED = {"type", "format", "license"}  # as in tests/support/official.py, which needs pytest
OURS: dict[str, Any] = {
    "google.cloud.aiplatform_v1": v1,
    "google.cloud.aiplatform_v1beta1": v1beta1,
    "google.ai.generativelanguage_v1beta": gemini,
}


def main(module: str) -> None:
    """Holds every rule to its example, and converts every sample there and back."""
    official = importlib.import_module(module)
    if module == "google.genai":
        take_models(official)
        print("ok, a tool, a part and a declaration")
        return
    names = renamed_fields(OURS[module], official)
    assert names == RENAMED, names
    rules = hold_rules(OURS[module], official)
    crossed = convert_samples(OURS[module], official)
    print(f"ok, {rules} examples of rules and {crossed} conversions")


def renamed_fields(ours: Any, official: ModuleType) -> set[str]:
    """Returns the fields that have another name there, of the messages that both have."""
    found: set[str] = set()
    for name in ours.__all__:
        wrapper: Any = getattr(official, name, None)
        if hasattr(getattr(ours, name), "DESCRIPTOR") and hasattr(wrapper, "pb"):
            theirs = {field.number: field.name for field in wrapper.pb().DESCRIPTOR.fields}
            for field in getattr(ours, name).DESCRIPTOR.fields:
                if theirs.get(field.number, field.name) != field.name:
                    assert theirs[field.number] == f"{field.name}_"
                    found.add(field.name)
    return found


def hold_rules(ours: Any, official: ModuleType) -> int:
    """Compares what is wrong with their messages and with ours."""
    count = 0
    for example in EXAMPLES:
        for message in (example.bad, example.good):
            kind = message.DESCRIPTOR
            wrapper: Any = getattr(official, kind.name, None)
            is_shared = kind.containing_type is None and hasattr(wrapper, "pb")
            if example.rule == "message.depth" or not is_shared:
                continue
            if kind.file.package != ours.Tool.DESCRIPTOR.file.package:
                continue
            theirs = wrapper.deserialize(message.SerializeToString())
            found = toolwire.violations(theirs, older=True)
            assert found == toolwire.violations(message, older=True), (message, found)
            count += 1
    return count


def convert_samples(ours: Any, official: ModuleType) -> int:
    """Converts their messages as ours are, and into theirs what other APIs have."""
    count = 0
    for sample, value in SAMPLES.values():
        own = toolwire.from_dict(getattr(ours, sample.__name__), value, unknown="ignore")
        wrapper: Any = getattr(official, sample.__name__)
        theirs = wrapper.deserialize(own.SerializeToString())
        for other in (v1, v1beta1, gemini, firebase):
            target: Any = getattr(other, sample.__name__, None)
            if target is None:
                continue
            there = toolwire.convert(own, to=target)
            assert toolwire.convert(theirs, to=target) == there
            back = toolwire.convert(there.message, to=wrapper.pb())
            again = toolwire.convert(there.message, to=type(own))
            assert data(back.message) == data(again.message)
            assert len(back.losses) == len(again.losses)
            if not there.losses:
                assert back.message == wrapper.pb(theirs)
            count += 1
    return count


def data(message: Any) -> bytes:
    """Returns the binary form of a message, which is the same for equal ones."""
    return bytes(message.SerializeToString(deterministic=True))


def take_models(genai: Any) -> None:
    """Takes google-genai's models the way that the errors name."""
    types: Any = genai.types
    schema = types.Schema(type="OBJECT", properties={"city": types.Schema(type="STRING")})
    function = types.FunctionDeclaration(name="f", description="d", parameters=schema)
    models = (
        (v1.Tool, types.Tool(google_search=types.GoogleSearch())),
        (v1.Part, types.Part.from_bytes(data=b"\xff", mime_type="image/png")),
        (v1.FunctionDeclaration, function),
    )
    for cls, model in models:
        reason = refusal(model, cls)
        assert f"google.genai.types.{cls.__name__} (" in reason
        assert "it.model_dump(exclude_none=True)" in reason
        made: Any = toolwire.from_dict(cls, model.model_dump(exclude_none=True))
        toolwire.validate(made)
    assert functions.tool([made]).function_declarations[0].parameters.type == v1.Type.OBJECT


def refusal(model: object, cls: Any) -> str:
    """Returns what is said where a model stands for a message."""
    try:
        toolwire.convert(model, to=cls)
    except toolwire.ConversionError as error:
        return str(error)
    raise AssertionError("a pydantic model is no message")


if __name__ == "__main__":
    main(sys.argv[1])
