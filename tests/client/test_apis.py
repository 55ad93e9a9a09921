"""What differs between the APIs: names, hosts, who calls, and which messages go out."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import Any

import pytest

from support.apis import module, of_every_served_api
from toolwire import gemini, v1, v1beta1
from toolwire._apis import APIS
from toolwire._client.requests._inputs import draft
from toolwire._client.requests._methods import api_scopes, find_method
from toolwire._errors import JsonError
from toolwire.client import AsyncClient, Client, Unauthenticated, UsageError

KEY = "a-key-of-letters"
TOOLS: list[dict[str, Any]] = [{"google_search": {}}]
USER: dict[str, Any] = {"role": "user", "parts": [{"text": "x"}]}


def request(api: Any, method: str, name: object, **fields: object) -> Any:
    """Returns the request that a client would send."""
    options: dict[str, Any] = {} if api == "gemini" else {"project": "p", "location": "l"}
    with Client(api=api, **options) as client:
        found = find_method(client._api, method)
        drafted = draft(found, (name,), fields)
        return client._core.prepare(found, client._core.route(found, drafted.name), drafted)


@of_every_served_api
def test_a_client_speaks_the_messages_of_its_api(api: Any) -> None:
    sent = request(api, "generate_content", "m", contents="x", tools=TOOLS)
    assert type(sent) is module(api).GenerateContentRequest
    assert sent.contents[0] == module(api).Content(**USER)
    assert sent.tools[0].HasField("google_search")
    with Client(api=api) as client:
        assert (
            find_method(client._api, "generate_content").response
            is module(api).GenerateContentResponse
        )
        assert find_method(client._api, "count_tokens").response is module(api).CountTokensResponse


@pytest.mark.parametrize(
    ("api", "message"),
    [("gemini", v1.Tool()), ("v1", gemini.Tool()), ("v1", v1beta1.Tool()), ("v1beta1", v1.Tool())],
)
def test_a_message_of_another_api_is_refused(api: str, message: Any) -> None:
    with pytest.raises(JsonError, match=r"expected a .*, found a ") as caught:
        request(api, "generate_content", "m", contents="x", tools=[message])
    assert caught.value.path == "tools[0]"


def test_v1beta1_goes_where_v1_goes() -> None:
    with Client(api="v1beta1", project="p", location="us-east1") as client:
        generate = find_method(client._api, "generate_content")
        count = find_method(client._api, "count_tokens")
        route = client._core.route(generate, "m")
    assert route.name == "projects/p/locations/us-east1/publishers/google/models/m"
    assert str(route.endpoint) == "us-east1-aiplatform.googleapis.com:443"
    assert generate.path.startswith("/google.cloud.aiplatform.v1beta1.PredictionService/")
    assert count.path == "/google.cloud.aiplatform.v1beta1.PredictionService/CountTokens"


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("gemini-2.5-flash", "models/gemini-2.5-flash"),
        ("models/gemini-2.5-flash", "models/gemini-2.5-flash"),
        ("tunedModels/mine", "tunedModels/mine"),
        ("dynamic/x", "dynamic/x"),
    ],
)
def test_names_of_gemini(written: str, full: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "l")
    with Client(api="gemini") as client:
        route = client._core.route(find_method(client._api, "generate_content"), written)
    assert route.name == full
    assert str(route.endpoint) == "generativelanguage.googleapis.com:443"
    assert dict(route.headers)["x-goog-request-params"] == f"model={full}"


@pytest.mark.parametrize(
    "name", ["publishers/google/models/m", "projects/p/locations/l/x", "", "7"]
)
def test_what_is_no_name_of_gemini(name: str) -> None:
    with pytest.raises(UsageError, match=r"expected a short name or models/\*[^,]*$|no model$"):
        request("gemini", "generate_content", name, contents="x")


def test_caches_of_gemini() -> None:
    sent = request("gemini", "generate_content", "m", contents="x", cached_content="abc")
    assert sent.cached_content == "cachedContents/abc"


@pytest.mark.parametrize("option", ["project", "location"])
def test_gemini_has_neither_projects_nor_locations(option: str) -> None:
    options: Any = {option: "p"}
    with pytest.raises(UsageError, match=f"{option} was given, and the API 'gemini' has none"):
        Client(api="gemini", **options)


def test_a_key_of_the_environment_is_how_one_calls_gemini(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/no/such/file")
    with Client(api="gemini") as client, Client(project="p") as other:
        assert "api key of GEMINI_API_KEY" in repr(client)
        assert "application default credentials" in repr(other)
        assert "api='gemini'" in repr(client)
        assert "'p'" not in repr(client)


def test_scopes_where_the_schema_names_none() -> None:
    assert api_scopes(APIS["gemini"]) == ("https://www.googleapis.com/auth/cloud-platform",)


def test_an_api_without_services_has_no_client() -> None:
    api: Any = "firebase"
    for kind in (Client, AsyncClient):
        with pytest.raises(
            UsageError,
            match="api: 'firebase' is JSON alone, and cannot be called;",
        ):
            kind(api=api)
    api = "v7"
    for kind in (Client, AsyncClient):
        with pytest.raises(
            UsageError, match=r"'v7' is no API .*; choose one of v1, v1beta1, gemini$"
        ):
            kind(api=api)


def test_gemini_counts_a_conversation_as_it_is() -> None:
    sent = request("gemini", "count_tokens", "m", contents="x")
    assert sent == gemini.CountTokensRequest(model="models/m", contents=[USER])


def test_gemini_counts_what_goes_with_it_in_a_whole_request() -> None:
    sent = request(
        "gemini", "count_tokens", "m", contents="x", tools=TOOLS, system_instruction="be kind"
    )
    assert sent == gemini.CountTokensRequest(
        model="models/m",
        generate_content_request={
            "model": "models/m",
            "contents": [USER],
            "tools": TOOLS,
            "system_instruction": {"parts": [{"text": "be kind"}]},
        },
    )


@pytest.mark.parametrize("model", ["", "m", "models/m"])
def test_a_request_inside_gets_the_models_name(model: str) -> None:
    inner = gemini.GenerateContentRequest(model=model, contents=[USER])
    expected = gemini.CountTokensRequest(
        model="models/m", generate_content_request={"model": "models/m", "contents": [USER]}
    )
    ready = gemini.CountTokensRequest(model="m", generate_content_request=inner)
    for sent in (
        request("gemini", "count_tokens", "m", generate_content_request=inner),
        request("gemini", "count_tokens", ready),
    ):
        assert sent == expected
    assert ready.model == "m"  # not changed
    assert ready.generate_content_request.model == model
    assert inner.model == model


def test_another_model_inside_is_left_to_the_server() -> None:
    sent = request(
        "gemini", "count_tokens", "m", generate_content_request={"model": "models/other"}
    )
    assert sent.generate_content_request.model == "models/other"


def test_none_stands_for_nothing() -> None:
    nothing: dict[str, None] = dict.fromkeys(("tools", "generate_content_request"))
    plain = request("gemini", "count_tokens", "m", contents="x")
    inside = request(
        "gemini", "count_tokens", "m", contents="x", tools=None, system_instruction="s"
    )
    assert (
        request("gemini", "count_tokens", "m", contents="x", generate_content_request=None) == plain
    )
    assert inside.generate_content_request.contents == plain.contents
    full = request("gemini", "count_tokens", "m", contents="x", system_instruction="s", **nothing)
    assert full == inside


def test_what_nests_too_deeply_inside_is_refused() -> None:
    schema = inner = gemini.Schema(type="ARRAY")
    for _ in range(97):
        inner = inner.items
        inner.type = gemini.Type.ARRAY
    tool = gemini.Tool(function_declarations=[{"name": "f"}])
    tool.function_declarations[0].parameters.CopyFrom(schema.items)
    request("gemini", "generate_content", "m", contents="x", tools=[tool])
    request("gemini", "count_tokens", "m", contents="x", tools=[tool])
    tool.function_declarations[0].parameters.CopyFrom(schema)
    request("gemini", "generate_content", "m", contents="x", tools=[tool])
    with pytest.raises(JsonError, match="generateContentRequest: nested deeper than 100 levels"):
        request("gemini", "count_tokens", "m", contents="x", tools=[tool])


@pytest.mark.parametrize("field", ["tool", "temperature", "instances"])
def test_a_field_that_nobody_has_is_refused(field: str) -> None:
    fields: dict[str, object] = {"contents": "x", field: 1}
    with pytest.raises(UsageError, match=f"CountTokens has no field '{field}'"):
        request("gemini", "count_tokens", "m", **fields)


def test_without_any_credential_the_key_is_what_is_missing() -> None:
    with Client(api="gemini") as client, pytest.raises(Unauthenticated) as caught:
        client.generate_content("m", "x", retries=0)
    text = str(caught.value)
    hint = "no API key: pass api_key= or set GOOGLE_API_KEY or GEMINI_API_KEY"
    assert text.index(hint) < text.index("default credentials were not found")
    with Client(project="p", location="l") as other, pytest.raises(Unauthenticated) as caught:
        other.generate_content("m", "x", retries=0)
    assert "api_key" not in str(caught.value)
