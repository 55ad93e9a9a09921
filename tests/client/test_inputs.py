"""Requests out of text, dicts, messages of any class, and what is none of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from google.protobuf.struct_pb2 import Struct

from support.foreign import Wrapper, foreign
from support.grpc_servers import Server
from toolwire import gemini, v1
from toolwire._errors import JsonError
from toolwire.client import Client, UsageError
from toolwire.testing import LocalServer

MODEL = "projects/p/locations/l/publishers/google/models/m"
TEXT = v1.Part(text="b")
TURN = v1.Content(role="model", parts=[TEXT])


def user(*texts: str) -> v1.Content:
    return v1.Content(role="user", parts=[v1.Part(text=text) for text in texts])


@pytest.mark.parametrize(
    ("contents", "turns"),
    [
        ("a", [user("a")]),
        ("", [user("")]),
        (TEXT, [user("b")]),
        (TURN, [TURN]),
        ({"text": "b"}, [user("b")]),
        ({"role": "model", "parts": [{"text": "b"}]}, [TURN]),
        ({"parts": [TEXT]}, [v1.Content(parts=[TEXT])]),
        (["a", "b"], [user("a", "b")]),
        (["a", TEXT, {"text": "c"}], [user("a", "b", "c")]),
        (["a", TURN, "b", TEXT, TURN], [user("a"), TURN, user("b", "b"), TURN]),
        ((text for text in ("a", "b")), [user("a", "b")]),
        (v1.GenerateContentRequest(contents=[TURN, TURN]).contents, [TURN, TURN]),
        ([], []),
        (
            {"inlineData": {"mimeType": "image/png", "data": b"\x89"}},
            [
                v1.Content(
                    role="user",
                    parts=[{"inline_data": {"mime_type": "image/png", "data": b"\x89"}}],
                )
            ],
        ),
        (foreign("Part")(text="b"), [user("b")]),
        (foreign("Content")(role="model", parts=[foreign("Part")(text="b")]), [TURN]),
        (Wrapper(foreign("Content")(role="model", parts=[foreign("Part")(text="b")])), [TURN]),
        ([Wrapper(TEXT), "a"], [user("b", "a")]),
    ],
)
def test_contents(server: Server, client: Client, contents: Any, turns: list[v1.Content]) -> None:
    client.generate_content("m", contents)
    assert server.last().request == v1.GenerateContentRequest(model=MODEL, contents=turns)


def test_a_received_turn_goes_back_exactly(server: Server, client: Client) -> None:
    turn = v1.Content(
        role="model",
        parts=[
            v1.Part(text="", thought=True, thought_signature=b"\x00\xff"),
            v1.Part(function_call={"name": "f", "args": {"x": 1}}),
            v1.Part(),
        ],
    )
    turn.MergeFromString(b"\xf2\x3f\x01x")  # a field of the future
    client.generate_content("m", ["question", turn])
    sent = server.last().request.contents[1]
    assert sent == turn
    assert sent.SerializeToString(deterministic=True) == turn.SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    "instruction",
    [
        "a",
        v1.Part(text="a"),
        ["a"],
        {"text": "a"},
        {"parts": [{"text": "a"}]},
        v1.Content(parts=[v1.Part(text="a")]),
        Wrapper(foreign("Content")(parts=[foreign("Part")(text="a")])),
    ],
)
def test_system_instruction(server: Server, client: Client, instruction: Any) -> None:
    client.generate_content("m", "x", system_instruction=instruction)
    assert server.last().request.system_instruction == v1.Content(parts=[v1.Part(text="a")])


TOOL = v1.Tool(function_declarations=[v1.FunctionDeclaration(name="f")])


@pytest.mark.parametrize(
    "tool",
    [
        TOOL,
        {"functionDeclarations": [{"name": "f"}]},
        {"function_declarations": [v1.FunctionDeclaration(name="f")]},
        foreign("Tool").FromString(TOOL.SerializeToString()),
        Wrapper(foreign("Tool").FromString(TOOL.SerializeToString())),
    ],
)
@pytest.mark.parametrize("method", ["generate_content", "count_tokens"])
def test_tools(server: Server, client: Client, tool: Any, method: str) -> None:
    call: Callable[..., Any] = getattr(client, method)
    call("m", "x", tools=[tool, TOOL])
    assert list(server.last().request.tools) == [TOOL, TOOL]
    call("m", "x", tools=(each for each in [tool]))
    assert list(server.last().request.tools) == [TOOL]


def test_every_other_field(server: Server, client: Client) -> None:
    client.generate_content(
        "m",
        "x",
        tool_config={"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
        generation_config=v1.GenerationConfig(temperature=0.0, top_k=0),
        safety_settings=[
            {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"},
            v1.SafetySetting(category="HARM_CATEGORY_HATE_SPEECH"),
        ],
        cached_content="42",
        labels={"team": "a"},
    )
    assert server.last().request == v1.GenerateContentRequest(
        model=MODEL,
        contents=[user("x")],
        tool_config={"function_calling_config": {"mode": "ANY", "allowed_function_names": ["f"]}},
        generation_config={"temperature": 0.0, "top_k": 0},
        safety_settings=[
            {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"},
            {"category": "HARM_CATEGORY_HATE_SPEECH"},
        ],
        cached_content="projects/p/locations/l/cachedContents/42",
        labels={"team": "a"},
    )
    client.count_tokens("m", instances=[{"prompt": "x"}, "y", 3, None])
    assert [value.WhichOneof("kind") for value in server.last().request.instances] == [
        "struct_value",
        "string_value",
        "number_value",
        "null_value",
    ]


def test_every_field_of_the_schema_can_be_passed(server: Server, client: Client) -> None:
    generate: Callable[..., Any] = client.generate_content
    generate("m", "x", model_armor_config={"promptTemplateName": "t"})
    assert server.last().request.model_armor_config.prompt_template_name == "t"


def requests() -> list[Any]:
    full = v1.GenerateContentRequest(model="m", contents=[user("x")], labels={"a": "b"})
    data = full.SerializeToString()
    return [
        full,
        {
            "model": "m",
            "contents": [{"role": "user", "parts": [{"text": "x"}]}],
            "labels": {"a": "b"},
        },
        foreign("GenerateContentRequest").FromString(data),
        Wrapper(foreign("GenerateContentRequest").FromString(data)),
    ]


@pytest.mark.parametrize("request_", requests())
def test_a_ready_request_is_sent_and_stays_as_it_is(
    server: Server, client: Client, request_: Any
) -> None:
    before = str(getattr(request_, "_pb", request_))
    client.generate_content(request_)
    seen = server.last().request
    assert (seen.model, dict(seen.labels)) == (MODEL, {"a": "b"})
    assert list(seen.contents) == [user("x")]
    with client.stream_generate_content(request_) as stream:
        assert len(list(stream)) == 3
    assert server.last().request == seen
    assert str(getattr(request_, "_pb", request_)) == before


def test_a_ready_count(server: Server, client: Client) -> None:
    request = v1.CountTokensRequest(endpoint="5", model="kept", contents=[user("x")])
    assert client.count_tokens(request).total_tokens == 7
    seen = server.last().request
    assert (seen.endpoint, seen.model) == ("projects/p/locations/l/endpoints/5", "kept")


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"contents": 5}, "contents[0]", "expected text, a Part, a Content or a dict of either"),
    ({"contents": ["a", b"x"]}, "contents[1]", "found a Python bytes"),
    ({"contents": ["a", None]}, "contents[1]", "found a Python NoneType"),
    ({"contents": [["a"]]}, "contents[0]", "found a Python list"),
    ({"contents": v1.Part}, "contents[0]", "found the class Part"),
    ({"contents": TOOL}, "contents[0]", "found a google.cloud.aiplatform.v1.Tool"),
    ({"contents": "\ud800"}, "contents[0].text", "lone surrogate"),
    ({"contents": {"txt": "x"}}, "contents[0].txt", 'did you mean "text"?'),
    ({"contents": {}, "tools": [3]}, "tools[0]", "expected a Tool or a dict of one"),
    (
        {"contents": {"role": "user", "parts": [{"text": 1}]}},
        "contents[0].parts[0].text",
        "a string",
    ),
    ({"tools": TOOL}, "tools", "expected a list"),
    ({"tools": {}}, "tools", "expected a list"),
    ({"tools": "f"}, "tools", "expected a list"),
    ({"tools": 3}, "tools", "expected a list"),
    ({"tools": [Client]}, "tools[0]", "found the class Client"),
    ({"tools": [TURN]}, "tools[0]", "expected a google.cloud.aiplatform.v1.Tool"),
    (
        {"tools": [TOOL, {"functionDeclarations": [{"nam": "f"}]}]},
        "tools[1].functionDeclarations[0].nam",
        'did you mean "name"?',
    ),
    ({"tool_config": TOOL}, "toolConfig", "expected a google.cloud.aiplatform.v1.ToolConfig"),
    (
        {"tool_config": {"functionCallingConfig": {"mode": "Any"}}},
        "toolConfig.functionCallingConfig.mode",
        "ANY",
    ),
    ({"generation_config": [1]}, "generationConfig", "found a Python list"),
    (
        {"generation_config": Struct()},
        "generationConfig",
        "expected a google.cloud.aiplatform.v1.GenerationConfig, found a google.protobuf.Struct",
    ),
    ({"generation_config": {"temperature": "hot"}}, "generationConfig.temperature", "hot"),
    ({"system_instruction": 4}, "systemInstruction", "found a Python int"),
    ({"system_instruction": ["a", 4]}, "systemInstruction[1]", "found a Python int"),
    ({"system_instruction": [{"txt": "x"}]}, "systemInstruction[0].txt", 'did you mean "text"?'),
    ({"labels": {"a": 1}}, 'labels["a"]', "expected a string"),
    ({"labels": 1}, "labels", "expected"),
    ({"cached_content": 3}, "cachedContent", "expected a string"),
    ({"safety_settings": [{"category": "X"}]}, "safetySettings[0].category", "X"),
]


@pytest.mark.parametrize(("fields", "path", "reason"), FAULTS, ids=[path for _, path, _ in FAULTS])
def test_what_does_not_fit_is_refused_before_sending(
    server: Server, client: Client, fields: dict[str, Any], path: str, reason: str
) -> None:
    fields = {"contents": "x", **fields}
    call: Callable[..., Any]
    for call in (client.generate_content, client.stream_generate_content):
        with pytest.raises(JsonError) as caught:
            call("m", **fields)
        assert caught.value.path == path
        assert reason in caught.value.reason
    assert server.seen == []


SENSELESS: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("m",), {}, "GenerateContent needs contents"),
    (("m", None), {}, "GenerateContent needs contents"),
    (("m", "x"), {"tool": []}, "no field 'tool'; did you mean \"tools\"?"),
    (("m", "x"), {"toolConfig": {}}, "no field 'toolConfig'; did you mean \"tool_config\"?"),
    ((v1.GenerateContentRequest(model="m"), "x"), {}, "takes no other fields: found contents"),
    (({"model": "m"},), {"tools": []}, "takes no other fields: found tools"),
    ((v1.GenerateContentRequest(),), {}, "the request has no model"),
    (({},), {}, "the request has no model"),
    ((None, "x"), {}, "GenerateContent needs model"),
    (("m", "x"), {"model": "n"}, "model was given twice"),
    (("m", "x", "y"), {}, "takes 2 arguments without a name"),
    ((5,), {}, "expected model as text or a ready GenerateContentRequest, found a Python int"),
    ((5, "x"), {}, "expected model as text or a ready GenerateContentRequest, found a Python int"),
    ((TEXT, "x"), {}, "ready GenerateContentRequest, found a google.cloud.aiplatform.v1.Part"),
    ((5,), {"contents": "x"}, "expected model as text"),
    ((b"m",), {}, "found a Python bytes"),
    ((["m"],), {}, "found a Python list"),
]


@pytest.mark.parametrize(("arguments", "fields", "message"), SENSELESS)
def test_calls_that_make_no_sense(
    server: Server, client: Client, arguments: tuple[Any, ...], fields: dict[str, Any], message: str
) -> None:
    call: Callable[..., Any]
    for call in (client.generate_content, client.stream_generate_content):
        with pytest.raises(UsageError) as caught:
            call(*arguments, **fields)
        assert message in str(caught.value)
    assert server.seen == []


def test_other_requests_are_refused(client: Client) -> None:
    call: Callable[..., Any] = client.generate_content
    with pytest.raises(JsonError, match=r"expected a google\.cloud\.aiplatform\.v1\.GenerateC"):
        call(v1.CountTokensRequest(endpoint="m"))
    with pytest.raises(JsonError, match="modell"):
        call({"modell": "m"})
    call = cast("Callable[..., Any]", client.count_tokens)
    with pytest.raises(UsageError, match="model and endpoint are the same"):
        call("m", "x", endpoint="other")


def nested(levels: int, package: Callable[[str], Any]) -> Any:
    """Returns a turn with so many levels of messages below it."""
    turn = package("Content")(role="user")
    schema = turn.parts.add().function_call.args.fields["a"]
    for _ in range((levels - 5) // 3):
        schema = schema.struct_value.fields["a"]
    return turn


def ours(name: str) -> Any:
    return getattr(v1, name)


@pytest.mark.parametrize("package", [ours, foreign])
@pytest.mark.parametrize("levels", [101, 3000])
def test_what_nests_too_deeply_is_an_error_with_its_path(
    server: Server, client: Client, levels: int, package: Callable[[str], Any]
) -> None:
    turn = nested(levels, package)
    tool = package("Tool")()
    schema = tool.function_declarations.add().parameters
    for _ in range(levels):
        schema = schema.items
    schema.title = "x"
    calls: list[tuple[str, Callable[[], object]]] = [
        ("contents[0]", lambda: client.generate_content("m", turn)),
        ("contents[1]", lambda: client.stream_generate_content("m", [TURN, turn])),
        ("contents[0]", lambda: client.count_tokens("m", turn)),
        ("contents[0]", lambda: client.generate_content("m", turn.parts[0])),
        ("systemInstruction", lambda: client.generate_content("m", "x", system_instruction=turn)),
        ("tools[0]", lambda: client.generate_content("m", "x", tools=[tool])),
    ]
    request = package("GenerateContentRequest")(model=MODEL)
    place = request.contents.add().parts.add().function_call.args.fields["a"]
    for _ in range(levels):
        place = place.struct_value.fields["a"]
    calls.append(("", lambda: client.generate_content(request)))
    for path, call in calls:
        with pytest.raises(JsonError, match="nested deeper than 100 levels") as caught:
            call()
        assert caught.value.path == path
    assert server.seen == []


def test_what_just_fits_goes_out(server: Server, client: Client) -> None:
    deepest = 5 + 3 * 31  # with the request around it, the next one would be over 100
    client.generate_content("m", nested(deepest, ours))
    with pytest.raises(JsonError, match="nested deeper"):
        client.generate_content("m", nested(deepest + 3, ours))
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "timeout", [10**400, -(10**5000), float("nan"), float("inf")], ids=["1", "2", "3", "4"]
)
def test_timeouts_that_no_clock_has(client: Client, timeout: float) -> None:
    with pytest.raises(UsageError, match="positive number of seconds up to 1e9"):
        client.generate_content("m", "x", timeout=timeout)


@pytest.mark.parametrize("model", ["m\udc80", "projects/p/locations/l/endpoints/\ud800"])
def test_a_model_that_utf8_cannot_write(client: Client, model: str) -> None:
    with pytest.raises(UsageError, match="no model"):
        client.generate_content(model, "x")


def test_a_turn_of_another_api_is_pointed_to_convert(server: Server) -> None:
    foreign: list[Any] = [gemini.Content(parts=[{"text": "x"}]), gemini.Part(text="x")]
    options: Any = {"api_endpoint": server.target, "insecure": True, "project": "p"}
    with Client(**options, location="l") as client:
        for value in [*foreign, cast("Any", v1.Tool())]:
            with pytest.raises(JsonError, match="expected text, a Part, a Content") as caught:
                client.generate_content("m", [value])
            assert ("toolwire.convert" in caught.value.reason) == (value in foreign)
            assert caught.value.path == "contents[0]"


def test_a_dict_takes_what_keywords_take(server: Server) -> None:
    options: Any = {"api_endpoint": server.target, "insecure": True, "project": "p"}
    with Client(**options, location="l") as client:
        same: list[dict[str, Any]] = [
            {"model": "m", "contents": "a", "systemInstruction": "b", "tools": None},
            {"model": "m", "contents": ["a"], "system_instruction": ["b"]},
        ]
        for given in same:
            client.generate_content(given)
            sent = server.seen.pop().request
            assert sent.contents == [user("a")]
            assert sent.system_instruction == v1.Content(parts=[{"text": "b"}])
        bad: list[tuple[dict[str, Any], str]] = [
            ({"model": "m", "contents": [{"txt": "a"}]}, "contents[0].txt"),
            ({"model": "m", "contents": "a", "temp": 1}, "temp"),
            ({"model": "m", "contents": "a", "systemInstruction": 5}, "systemInstruction"),
            (
                {"model": "m", "systemInstruction": "b", "system_instruction": "c"},
                "systemInstruction",
            ),
        ]
        for given, path in bad:
            with pytest.raises(JsonError) as caught:
                client.generate_content(given)
            assert caught.value.path == path


def test_so_does_one_inside_another() -> None:
    with LocalServer() as local, local.client(api="gemini") as client:
        cached: Any = {"model": "m", "contents": ["A long…", "text"], "system_instruction": "be"}
        made = client.create_cached_content(cached_content=cached)
        assert made.usage_metadata.total_token_count > 0
        whole = client.create_cached_content({"cachedContent": cached})
        assert whole.usage_metadata.total_token_count == made.usage_metadata.total_token_count
        inside: dict[str, Any] = {
            "model": "m",
            "contents": "How long?",
            "tools": [{"google_search": {}}],
        }
        count = client.count_tokens("m", generate_content_request=inside)
        assert count.total_tokens > 0
        vectors = client.batch_embed_contents({"model": "m", "requests": [{"content": "x"}, "y"]})
        assert len(vectors.embeddings) == 2
        cached["contents"] = [{"txt": "x"}]
        with pytest.raises(JsonError, match=r"^cachedContent\.contents\[0\]\.txt: "):
            client.create_cached_content(cached_content=cached)
