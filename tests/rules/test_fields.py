from __future__ import annotations

import pytest

from toolwire import gemini, v1
from toolwire._rules import violations
from toolwire._rules._fields import required_fields


def missing(message: object) -> list[str]:
    return [found.path for found in violations(message) if found.rule == "field.required"]


@pytest.mark.parametrize(
    ("message", "paths"),
    [
        (v1.FunctionDeclaration(), ["name"]),
        (v1.FunctionDeclaration(name="f"), []),
        (v1.Content(), ["parts"]),
        (v1.Blob(mime_type="image/png"), ["data"]),
        (v1.Blob(mime_type="image/png", data=b"\0"), []),
        (v1.FunctionResponse(name="f"), ["response"]),
        (v1.FunctionResponse(name="f", response={}), []),
        (v1.ExecutableCode(code="x"), ["language"]),
        (v1.SafetySetting(), ["category", "threshold"]),
        (v1.SafetySetting(category=99, threshold=99), []),
        (v1.UpdateCachedContentRequest(), ["cachedContent", "updateMask"]),
        (v1.SpeakerVoiceConfig(speaker="s", voice_config={}), []),
        (
            v1.GenerationConfig(speech_config={"multi_speaker_voice_config": {}}),
            ["speechConfig.multiSpeakerVoiceConfig.speakerVoiceConfigs"],
        ),
        (v1.Content(parts=[{"function_response": {}}]), [
            "parts[0].functionResponse.name", "parts[0].functionResponse.response",
        ]),
    ],
)  # fmt: skip
def test_required_fields(message: object, paths: list[str]) -> None:
    assert missing(message) == paths


def test_the_message_says_what_is_right() -> None:
    found = violations(v1.SafetySetting(category=v1.HarmCategory.HARM_CATEGORY_HARASSMENT))
    assert found[0].message.startswith("is required and unset: use one of BLOCK_LOW_AND_ABOVE, ")
    assert violations(v1.Content())[0].message == (
        "is required and empty: it needs at least one item"
    )
    assert violations(v1.Content())[0].source == "google.api.field_behavior"


def test_a_schema_of_alternatives_has_no_type_of_its_own() -> None:
    assert missing(gemini.Schema()) == ["type"]
    assert missing(gemini.Schema(any_of=[{"type": "STRING"}])) == []
    assert missing(gemini.Schema(any_of=[{}])) == ["anyOf[0].type"]
    assert missing(v1.Schema()) == []


def test_required_fields_are_read_off_the_schema() -> None:
    names = [field.name for field in required_fields(v1.GenerateContentRequest.DESCRIPTOR)]
    assert names == ["model", "contents"]
