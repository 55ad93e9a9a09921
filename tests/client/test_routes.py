"""Where calls go: the full resource name, the host, the routing header, conflicts."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import Any

import pytest

from toolwire import v1
from toolwire._apis import APIS
from toolwire._client.calls._core import Route
from toolwire._client.requests._methods import api_scopes, find_method
from toolwire.client import Client, UsageError

PUBLISHED = "publishers/google/models/gemini-2.5-flash"
EAST = "projects/q/locations/us-east1"
KEY = "a-key-of-letters"


def route(model: str, *, method: str = "generate_content", **options: Any) -> Route:
    if "credentials" not in options and "api_key" not in options:
        options.setdefault("project", "p")
    with Client(**options) as client:
        return client._core.route(find_method(client._api, method), model)


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("gemini-2.5-flash", f"projects/p/locations/l/{PUBLISHED}"),
        ("models/gemini-2.5-flash", f"projects/p/locations/l/{PUBLISHED}"),
        ("publishers/google/models/gemini-2.5-flash", f"projects/p/locations/l/{PUBLISHED}"),
        ("publishers/meta/models/x@2", "projects/p/locations/l/publishers/meta/models/x@2"),
        ("1234567890", "projects/p/locations/l/endpoints/1234567890"),
        ("endpoints/1234567890", "projects/p/locations/l/endpoints/1234567890"),
        ("endpoints/by-name", "projects/p/locations/l/endpoints/by-name"),
        ("projects/p/locations/l/endpoints/7", "projects/p/locations/l/endpoints/7"),
        (f"projects/q/locations/l/{PUBLISHED}", f"projects/q/locations/l/{PUBLISHED}"),
    ],
)
@pytest.mark.parametrize("method", ["generate_content", "stream_generate_content", "count_tokens"])
def test_names_are_completed(written: str, full: str, method: str) -> None:
    found = route(written, method=method, location="l")
    assert found.name == full
    field = "endpoint" if method == "count_tokens" else "model"
    assert dict(found.headers)["x-goog-request-params"] == f"{field}={full}".replace("@", "%40")


@pytest.mark.parametrize(
    "model",
    [
        "",
        "a b",
        "/",
        "models/",
        "a/b/c",
        "publishers/google",
        "projects/p/locations/l",
        "projects/p/models/m",
        "projects/p/locations/l/models/m",
        "projects/p/locations/l/publishers/google/models/m/extra",
        "gemini\n",
        "x" * 500 + "/y",
    ],
)
def test_what_is_no_name_is_refused_with_what_would_be_one(model: str) -> None:
    with pytest.raises(UsageError, match=r"no model: .*endpoints/\* or publishers/") as caught:
        route(model, location="l")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("options", "model", "host"),
    [
        ({"location": "us-central1"}, "m", "us-central1-aiplatform.googleapis.com:443"),
        ({"location": "global"}, "m", "aiplatform.googleapis.com:443"),
        ({"location": "eu"}, "m", "aiplatform.eu.rep.googleapis.com:443"),
        ({}, f"{EAST}/endpoints/1", "us-east1-aiplatform.googleapis.com:443"),
        ({"location": "us-east1"}, f"{EAST}/endpoints/1", "us-east1-aiplatform.googleapis.com:443"),
        ({"api_endpoint": "proxy.test:8080"}, f"{EAST}/endpoints/1", "proxy.test:8080"),
        ({"api_endpoint": "https://x.test", "location": "l"}, "m", "x.test:443"),
    ],
)
def test_hosts(options: dict[str, Any], model: str, host: str) -> None:
    assert str(route(model, **options).endpoint) == host


def test_another_location_than_the_clients_is_refused_before_sending() -> None:
    with pytest.raises(UsageError, match=r"model is in 'us-east1'.*'us-central1'"):
        route(f"{EAST}/endpoints/1", location="us-central1")
    with pytest.raises(UsageError, match=r"model is in 'us-east1'.*location= says 'us-central1'"):
        route(f"{EAST}/endpoints/1", location="us-central1", api_endpoint="localhost:1")


def test_a_location_in_a_name_cannot_choose_a_foreign_host() -> None:
    for location in ("evil.test", "evil.test:443#", "-", "Us"):
        with pytest.raises(UsageError, match="name in model takes a location"):
            route(f"projects/p/locations/{location}/endpoints/1")


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({}, ["no project: pass project= or set GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"]),
        ({"project": "p"}, ["no location: pass location= or set GOOGLE_CLOUD_LOCATION"]),
        ({"location": "l"}, ["no project: pass project= or set GOOGLE_CLOUD_PROJECT"]),
    ],
)
def test_what_is_missing_is_named(options: dict[str, Any], missing: list[str]) -> None:
    with (
        Client(api_endpoint="localhost:1", insecure=True, **options) as client,
        pytest.raises(UsageError) as caught,
    ):
        client.generate_content("m", "hello")
    for text in missing:
        assert text in str(caught.value)
    assert str(caught.value).count("no project") == ("project" not in options)
    assert str(caught.value).count("no location") == ("location" not in options)
    assert "full name of the model" in str(caught.value)


def test_the_environment_fills_in_what_was_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "env-p")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "env-l")
    assert route("m", project=None).name.startswith("projects/env-p/locations/env-l/")
    assert str(route("m").endpoint) == "env-l-aiplatform.googleapis.com:443"
    assert route("m", project="p", location="l").name.startswith("projects/p/locations/l/")
    # A full name says more than the environment does.
    assert str(route(f"{EAST}/endpoints/1").endpoint) == "us-east1-aiplatform.googleapis.com:443"


def test_empty_variables_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "")
    with pytest.raises(UsageError, match="no project"):
        route("m", project=None, api_endpoint="localhost:1", insecure=True)


@pytest.mark.parametrize(
    "variables", [{}, {"GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_CLOUD_LOCATION": "l"}]
)
def test_a_key_needs_no_project(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    found = route("gemini-2.5-flash", api_key=KEY)
    assert found.name == PUBLISHED
    assert str(found.endpoint) == "aiplatform.googleapis.com:443"
    assert route("123", api_key=KEY).name == "endpoints/123"
    assert str(route("m", api_key=KEY, location="us").endpoint) == (
        "aiplatform.us.rep.googleapis.com:443"
    )
    assert route("m", api_key=KEY, project="p", location="l").name == (
        "projects/p/locations/l/publishers/google/models/m"
    )


def test_routing_values_are_percent_encoded_but_for_slashes() -> None:
    found = route("publishers/ü/models/a&b=c+d%", location="l")
    assert dict(found.headers)["x-goog-request-params"] == (
        "model=projects/p/locations/l/publishers/%C3%BC/models/a%26b%3Dc%2Bd%25"
    )


def test_routes_come_from_the_descriptors() -> None:
    api = APIS["v1"]
    generate, count = find_method(api, "generate_content"), find_method(api, "count_tokens")
    assert generate.path == "/google.cloud.aiplatform.v1.PredictionService/GenerateContent"
    assert count.path == "/google.cloud.aiplatform.v1.LlmUtilityService/CountTokens"
    assert generate.default_host == "aiplatform.googleapis.com"
    assert "https://www.googleapis.com/auth/cloud-platform" in api_scopes(api)
    assert list(generate.routes) == ["model"]
    assert list(count.routes) == ["endpoint"]
    assert generate.required == ("contents",)
    assert count.required == ()
    assert generate.references == {"cached_content": ("projects/*/locations/*/cachedContents/*",)}
    assert generate.request is v1.GenerateContentRequest


def cached(value: str, model: str = "m", **options: Any) -> str:
    from toolwire._client.requests._inputs import Draft  # noqa: PLC0415

    options = {"project": "p", "location": "us-east1", **options}
    with Client(**options) as client:
        method = find_method(client._api, "generate_content")
        request = v1.GenerateContentRequest(cached_content=value)
        found = client._core.route(method, model)
        drafted = Draft(model, request, is_ours=True)
        sent: v1.GenerateContentRequest = client._core.prepare(method, found, drafted)
        return sent.cached_content


def test_cached_content_is_completed_like_the_model() -> None:
    full = "projects/p/locations/us-east1/cachedContents/42"
    assert cached("42") == cached("cachedContents/42") == cached(full) == full
    assert cached(full, model=f"{EAST}/endpoints/1", project=None, location=None) == full
    with pytest.raises(UsageError, match="no cached_content"):
        cached("models/42")
    with pytest.raises(UsageError, match=r"cached_content is in 'eu'.*'us-east1'"):
        cached("projects/p/locations/eu/cachedContents/42")
    other = "projects/p/locations/eu/cachedContents/42"
    with pytest.raises(UsageError, match=r"cached_content is in 'eu'.*says 'us-east1'"):
        cached(other, api_endpoint="localhost:1")
    assert cached(other, model=f"{EAST}/endpoints/1", location=None, api_endpoint="a:1") == other
    with pytest.raises(UsageError, match="cached_content needs its full name"):
        cached("42", project=None, location=None, api_key=KEY)
