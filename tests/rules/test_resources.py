"""Resource names: where their form comes from, and what fits."""

from __future__ import annotations

from typing import Any, Literal

import grpc
import pytest

from toolwire import UsageError, gemini, v1, v1beta1
from toolwire._rules import violations
from toolwire._rules._profile import PROFILES
from toolwire._rules._resources import COMMENTS, forms, matches
from toolwire.testing import LocalServer

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


@pytest.mark.parametrize("model", [f"{PLACE}/models/gemini", f"{PLACE}", "a/b", "/", " ", "a b"])
def test_no_models(model: str) -> None:
    assert faults(v1.GenerateContentRequest(model=model)) == {"model": "google.api.http"}


def test_names_of_caches() -> None:
    cache = f"{PLACE}/cachedContents/1"
    assert not faults(v1.GenerateContentRequest(cached_content=cache))
    assert faults(v1.GenerateContentRequest(cached_content="a/1")) == {
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
        form
        for form in forms(v1.CountTokensRequest.DESCRIPTOR, PROFILE)
        if [field.name for field in form.fields] == ["endpoint"]
    ]
    assert "projects/*/locations/*/publishers/*/models/*" in form.patterns


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        (
            v1.CountTokensRequest(endpoint="endpoints/1", model="m"),
            '; did you mean "publishers/google/models/m"?',
        ),
        (v1.GenerateContentRequest(model="a/b"), "models/*"),
    ],
    ids=["v1", "no short name"],
)
def test_a_short_name_that_no_client_completes_is_completed_in_words(
    message: object, hint: str
) -> None:
    (found,) = [each for each in violations(message) if each.rule == "resource.name"]
    assert found.message.endswith(hint)


def short(message: object) -> dict[str, str]:
    found = [each for each in violations(message) if each.rule == "resource.short-name"]
    assert all(each.severity == "warning" for each in found)
    return {each.path: each.message for each in found}


USER = {"role": "user", "parts": [{"text": "x"}]}


@pytest.mark.parametrize(
    "model",
    [
        "gemini-2.5-flash",
        "models/gemini-2.5-flash",
        "google/models/gemini-2.5-flash",
        "publishers/google/models/gemini-2.5-flash",
        "publishers/acme/models/m",
        "1234",
        "endpoints/1234",
        "1234/",
        "a b",
        f"{PLACE}/models/gemini",
        f"{PLACE}/publishers/google/models/gemini-2.5-flash",
    ],
)
@pytest.mark.parametrize("api", [v1, v1beta1, gemini], ids=["v1", "v1beta1", "gemini"])
def test_what_the_client_takes_is_no_error(api: Any, model: str) -> None:
    """The rule and the client agree on every name, and so does a server on what is sent."""
    request = api.GenerateContentRequest(model=model, contents=[USER])
    is_error = any(each.severity == "error" for each in violations(request))
    name: Literal["v1", "v1beta1", "gemini"] = api.__name__.rpartition(".")[2]
    with LocalServer() as server:
        client: Any = server.client(api=name)
        if is_error:
            with pytest.raises(UsageError, match="no model: "):
                client.generate_content(request)
        else:
            client.generate_content(request)
        client.close()


@pytest.mark.parametrize(
    ("message", "path"),
    [
        (gemini.GenerateContentRequest(model="m"), "model"),
        (gemini.GenerateContentRequest(model="models/m", cached_content="c"), "cachedContent"),
        (v1.GenerateContentRequest(model="endpoints/1", cached_content="1"), "cachedContent"),
        (v1.CountTokensRequest(endpoint="m"), "endpoint"),
        (v1.CreateCachedContentRequest(cached_content={"model": "m"}), "cachedContent.model"),
        (v1.UpdateCachedContentRequest(cached_content={"name": "1"}), "cachedContent.name"),
        (gemini.BidiGenerateContentClientMessage(setup={"model": "m"}), "setup.model"),
        (
            gemini.CountTokensRequest(
                model="models/m", generate_content_request={"model": "m", "contents": [USER]}
            ),
            "generateContentRequest.model",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_short_name_is_a_warning_wherever_the_client_completes_it(
    message: object, path: str
) -> None:
    assert path in short(message)
    assert path not in faults(message)


def test_a_short_name_is_told_from_what_a_server_takes() -> None:
    found = short(gemini.GenerateContentRequest(model="m"))
    assert found == {
        "model": '"m" is short: toolwire\'s client completes it, a server takes '
        "models/* or tunedModels/* or dynamic/*"
    }


@pytest.mark.parametrize(
    "message",
    [
        v1.CachedContent(model=f"{PLACE}/endpoints/1"),
        v1.CachedContent(model="1234"),
        gemini.CachedContent(model="tunedModels/m"),
    ],
    ids=["endpoint", "short endpoint", "tuned model"],
)
def test_what_is_completed_to_no_such_name_is_a_fault(message: object) -> None:
    assert "model" in faults(message)
    assert short(message) == {}


def test_a_server_takes_no_short_name() -> None:
    with LocalServer() as server, grpc.insecure_channel(server.target) as channel:
        service = v1.grpc.PredictionServiceStub(channel)
        with pytest.raises(grpc.RpcError, match="is short"):
            service.GenerateContent(v1.GenerateContentRequest(model="m", contents=[USER]))


def test_a_saved_body_without_a_model_is_told_where_the_model_is() -> None:
    """Over REST the model stands in the URL."""
    for api in (v1, gemini):
        (found,) = violations(api.GenerateContentRequest(contents=[USER]))
        assert (found.path, found.severity) == ("model", "error")
        assert found.message.endswith("over REST it stands in the URL")
    (other,) = violations(v1.GenerateContentRequest(model="endpoints/1"))
    assert "URL" not in other.message


def test_the_fields_of_the_table_exist() -> None:
    pool = v1.Tool.DESCRIPTOR.file.pool
    for package, profile in PROFILES.items():
        for message, field in profile.resources:
            kind = pool.FindMessageTypeByName(f"{package}.{message}")
            assert field in kind.fields_by_name
            assert (message, field) in COMMENTS
