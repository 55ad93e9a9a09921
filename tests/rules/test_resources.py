"""Resource names: where their form comes from, and what fits."""

from __future__ import annotations

import pytest

from toolwire import v1
from toolwire._rules import violations
from toolwire._rules._profile import PROFILES
from toolwire._rules._resources import COMMENTS, forms, matches

PROFILE = PROFILES["google.cloud.aiplatform.v1"]
PLACE = "projects/p/locations/us-central1"


def faults(message: object) -> dict[str, str]:
    found = violations(message)
    return {entry.path: entry.source for entry in found if entry.rule == "resource.name"}


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("projects/*/locations/*", PLACE, True),
        ("projects/*/locations/*", f"{PLACE}/x", False),
        ("projects/*/locations/*", "projects//locations/l", False),
        ("a/{thing}", "a/b", True),
        ("a/{thing}", "a/b/c", False),
        ("a/**", "a/b/c", True),
        ("a.b/*", "aXb/c", False),
    ],
)
def test_patterns(pattern: str, name: str, fits: bool) -> None:
    assert matches(pattern, name) is fits


@pytest.mark.parametrize(
    "model",
    [
        f"{PLACE}/publishers/google/models/gemini-2.5-flash",
        f"{PLACE}/endpoints/123",
        "publishers/google/models/gemini-2.5-flash",
        "endpoints/123",
    ],
)
def test_models(model: str) -> None:
    assert not faults(v1.GenerateContentRequest(model=model))
    assert not faults(v1.CountTokensRequest(endpoint=model))


@pytest.mark.parametrize("model", ["gemini", "models/gemini", f"{PLACE}/models/gemini", "/", " "])
def test_no_models(model: str) -> None:
    assert faults(v1.GenerateContentRequest(model=model)) == {"model": "google.api.http"}


def test_names_of_caches() -> None:
    cache = f"{PLACE}/cachedContents/1"
    assert not faults(v1.GenerateContentRequest(cached_content=cache))
    assert faults(v1.GenerateContentRequest(cached_content="1")) == {
        "cachedContent": "google.api.resource_reference"
    }
    assert not faults(v1.GetCachedContentRequest(name=cache))
    assert not faults(v1.ListCachedContentsRequest(parent=PLACE))
    assert faults(v1.ListCachedContentsRequest(parent=cache))
    assert not faults(v1.UpdateCachedContentRequest(cached_content={"name": cache}))
    assert faults(v1.UpdateCachedContentRequest()) == {"cachedContent.name": "google.api.http"}


def test_an_empty_required_name_is_told_once() -> None:
    assert not faults(v1.GenerateContentRequest())
    assert [found.rule for found in violations(v1.CountTokensRequest())] == [
        "field.required",
        "request.no-input",
    ]


def test_routes_come_first() -> None:
    (form,) = [
        form for form in forms(v1.CountTokensRequest.DESCRIPTOR, PROFILE) if len(form.patterns) > 1
    ]
    assert [field.name for field in form.fields] == ["endpoint"]
    assert "projects/*/locations/*/publishers/*/models/*" in form.patterns


def test_the_fields_of_the_table_exist() -> None:
    pool = v1.Tool.DESCRIPTOR.file.pool
    for package, profile in PROFILES.items():
        for message, field in profile.resources:
            kind = pool.FindMessageTypeByName(f"{package}.{message}")
            assert field in kind.fields_by_name
            assert (message, field) in COMMENTS
