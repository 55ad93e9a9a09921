"""What errors say to those who come with the habits of other packages."""

from __future__ import annotations

import re
from typing import Any

import google.auth.credentials
import pytest
from pydantic import BaseModel

from support.grpc_servers import Server
from toolwire import functions, gemini, v1
from toolwire._errors import JsonError
from toolwire.client import AsyncClient, Client, Unauthenticated, UsageError
from toolwire.testing import LocalServer

MODEL = "projects/p/locations/l/publishers/google/models/m"
CACHE = "projects/p/locations/elsewhere/cachedContents/1"
RESPONSE = v1.GenerateContentResponse(candidates=[{"content": {"role": "model", "parts": []}}])
CONVERT = "; toolwire.convert makes one API's messages into another's"


class City(BaseModel):
    """A city."""

    name: str


@pytest.mark.parametrize(
    ("keyword", "hint", "in_a_loop"),
    [
        ("config", "settings of the model go into generation_config; tools, ", ""),
        ("stream", "stream_generate_content gives the chunks", "on_chunk= gets each chunk"),
        ("http_options", "timeout=, retries= and metadata= are keywords of every method", ""),
        ("messages", 'did you mean "contents"?', ""),
        ("system_instructions", 'did you mean "system_instruction"?', ""),
    ],
)
def test_keywords_of_other_packages(
    client: Client, keyword: str, hint: str, in_a_loop: str
) -> None:
    given: Any = {keyword: {}}
    with pytest.raises(UsageError, match=f"has no field '{keyword}'; {re.escape(hint)}"):
        client.generate_content(MODEL, "hi", **given)
    hint = re.escape(in_a_loop or hint)
    with pytest.raises(UsageError, match=f"run_tools takes no '{keyword}'; {hint}"):
        client.run_tools(MODEL, "hi", tools=[], **given)


def test_keywords_are_told_by_what_the_method_has(client: Client) -> None:
    given: Any = {"config": {}}
    with pytest.raises(UsageError, match=r"has no field 'config'$"):
        client.get_cached_content("1", **given)
    with Client(api="gemini") as other, pytest.raises(UsageError, match="into generation_config"):
        other.bidi_generate_content("m", **given).close()


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("generate_contents", 'did you mean "generate_content"?'),
        ("generate_content_stream", "it is stream_generate_content"),
        ("models", "its methods are the client's own, such as generate_content"),
        ("aio", "toolwire.AsyncClient has the same methods"),
        ("chats", "give generate_content a list of turns"),
        ("caches", "create_cached_content, "),
        ("live", 'Client(api="gemini") has bidi_generate_content'),
        ("bidi_generate_content", "gemini has it"),
    ],
)
def test_attributes_of_other_packages_clients(kind: Any, name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=f"{kind.__name__} of v1 has no method") as caught:
        getattr(kind(project="p", location="l"), name)
    assert f"; {hint}" in str(caught.value)
    assert (caught.value.name, caught.value.obj) == (name, None)


@pytest.mark.parametrize("name", ["_bnid", "zzz"])
def test_python_may_suggest_where_we_do_not(name: str) -> None:
    with Client(project="p", location="l") as client:
        with pytest.raises(AttributeError, match=f"has no method '{name}'$") as caught:
            getattr(client, name)
        assert (caught.value.name, caught.value.obj) == (name, client)


@pytest.mark.parametrize("schema", [City, City.model_json_schema()], ids=["class", "JSON Schema"])
def test_a_schema_of_another_form_is_made_by_functions(client: Client, schema: Any) -> None:
    config = {"response_schema": schema}
    with pytest.raises(JsonError, match=r"; functions.response_schema\(...\) takes") as caught:
        client.generate_content(MODEL, "hi", generation_config=config)
    assert caught.value.path.startswith("generationConfig.responseSchema")
    assert isinstance(schema, dict) or "found the class City" in str(caught.value)
    declaration: dict[str, Any] = {"name": "f", "parameters": schema}
    tool = {"function_declarations": [declaration]}
    with pytest.raises(JsonError, match=r"; functions.declare\(...\) takes") as caught:
        client.generate_content(MODEL, "hi", tools=[tool])
    assert caught.value.path.startswith("tools[0].functionDeclarations[0].parameters")
    with LocalServer() as server, server.client(api="gemini") as other:
        hint = r"; functions.response_schema\(..., api='gemini'\) takes"
        with pytest.raises(JsonError, match=hint):
            other.generate_content("m", "hi", generation_config=config)


def test_other_faults_have_no_hint_to_schemas(client: Client) -> None:
    with pytest.raises(JsonError) as caught:
        client.generate_content(MODEL, "hi", generation_config={"temperature": City})
    assert str(caught.value).endswith(", found the class City")
    with LocalServer() as server, server.client() as other:
        config = {
            "response_mime_type": "application/json",
            "response_schema": functions.response_schema(City),
        }
        assert other.generate_content("m", "hi", generation_config=config)


@pytest.mark.parametrize(
    ("contents", "path", "hint"),
    [
        ([RESPONSE, "more"], "contents[0]", "; give its candidates[0].content"),
        ([RESPONSE.candidates[0], "more"], "contents[0]", "; give its content"),
        (["a", v1.FunctionCall(name="f")], "contents[1]", "; Part(function_call=...) takes it"),
        (["a", b"png"], "contents[1]", '; for bytes give {"inline_data": {"mime_type": ..., '),
        ([{"role": "user", "content": "hi"}], "contents[0].content", '; did you mean "parts"?'),
        ([gemini.Content()], "contents[0]", CONVERT),
        ([gemini.Part()], "contents[0]", CONVERT),
        ([gemini.Tool()], "contents[0]", "found a google.ai.generativelanguage.v1beta.Tool"),
        ([v1.Tool()], "contents[0]", "found a google.cloud.aiplatform.v1.Tool"),
    ],
)
def test_what_is_no_content(client: Client, contents: Any, path: str, hint: str) -> None:
    with pytest.raises(JsonError) as caught:
        client.generate_content(MODEL, contents)
    assert caught.value.path == path
    assert hint in str(caught.value)
    if "found" in hint:
        assert str(caught.value).endswith(hint)


@pytest.mark.parametrize(
    ("tool", "hint"),
    [
        (v1.FunctionDeclaration(name="f"), "; Tool(function_declarations=[...]) takes it"),
        (v1.Tool.GoogleSearch(), "; Tool(google_search=...) takes it"),
        (gemini.Tool(), CONVERT),
        (gemini.Content(), "found a google.ai.generativelanguage.v1beta.Content"),
    ],
)
def test_what_is_no_tool(client: Client, tool: Any, hint: str) -> None:
    for call in (client.generate_content, client.run_tools):
        with pytest.raises(JsonError, match=r"tools\[0\]: expected") as caught:
            call(MODEL, "hi", tools=[tool])
        assert str(caught.value).endswith(hint)


@pytest.mark.parametrize(
    "turn",
    [
        {"role": "user", "parts": ["a", {"text": "b"}, v1.Part(text="c")]},
        {"role": "user", "parts": ("a", "b", "c")},
    ],
)
def test_text_stands_for_a_part_in_a_dict_of_a_turn(
    client: Client, server: Server, turn: Any
) -> None:
    texts = {"role": "user", "parts": [{"text": each} for each in "abc"]}
    client.generate_content(MODEL, [turn])
    client.generate_content({"model": MODEL, "contents": [turn]})
    client.generate_content(MODEL, [{"role": "user", "parts": "a"}], system_instruction=turn)
    first, second, third = (seen.request for seen in server.seen)
    assert first.contents[0] == second.contents[0] == v1.Content(**texts)  # type: ignore[arg-type]
    assert third.system_instruction == first.contents[0]
    assert third.contents[0] == v1.Content(role="user", parts=[v1.Part(text="a")])


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ([5], "parts[0]"),
        (5, "parts"),
        (["\ud800"], "parts[0].text"),
        ([{"txt": ""}], "parts[0].txt"),
    ],
)
def test_what_is_no_part_in_a_dict_of_a_turn(client: Client, parts: Any, path: str) -> None:
    with pytest.raises(JsonError) as caught:
        client.generate_content(MODEL, [{"role": "user", "parts": parts}])
    assert caught.value.path == f"contents[0].{path}"


@pytest.mark.parametrize("origin", ["location=", "GOOGLE_CLOUD_LOCATION", "the model"])
def test_another_location_says_where_it_comes_from(
    origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"location": "l"} if origin == "location=" else {}
    if origin == "GOOGLE_CLOUD_LOCATION":
        monkeypatch.setenv(origin, "l")
    credentials = google.auth.credentials.AnonymousCredentials()  # type: ignore[no-untyped-call]
    model = MODEL if origin == "the model" else "m"
    with Client(project="p", credentials=credentials, **options) as client:
        expected = f"in 'elsewhere', and the call would go to 'l', as {origin} says"
        with pytest.raises(UsageError, match=expected):
            client.generate_content(model, "hi", cached_content=CACHE)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
@pytest.mark.parametrize("api", ["v1", "gemini"])
def test_a_server_on_this_machine_mostly_is_insecure(host: str, api: Any) -> None:
    options: dict[str, Any] = {"project": "p", "location": "l"} if api == "v1" else {}
    with (
        Client(api=api, api_endpoint=f"{host}:1", **options) as client,
        pytest.raises(Unauthenticated) as caught,
    ):
        client.generate_content("m", "hi")
    assert caught.value.message.startswith("a server on this machine mostly wants no credential: ")
    text = str(caught.value)
    assert text.index("insecure=True") < text.index("default credentials were not found")
    assert ".;" not in text


@pytest.mark.parametrize(
    ("message", "text"),
    [("No such key.", "No such key; "), ("It was cut...", "It was cut...; "), ("No", "No; ")],
)
def test_a_hint_follows_no_full_stop(message: str, text: str) -> None:
    assert f": {text}wait" in str(Unauthenticated(message, code="UNAUTHENTICATED", hint="wait."))
    error = Unauthenticated(message, code="UNAUTHENTICATED")
    assert str(error).endswith(message)
