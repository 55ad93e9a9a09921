"""Every method of every API: by name, with its convenience, against the local server."""

# pyright: reportPrivateUsage=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import ast
import asyncio
import contextlib
import gc
import inspect
import weakref
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import grpc
import pytest

import toolwire_pb
from support.apis import SERVED, module
from toolwire import gemini, v1
from toolwire._apis import APIS
from toolwire._client.requests._methods import find_method, method_names
from toolwire._errors import JsonError
from toolwire._rpc import TAKEN, name_methods, python_name
from toolwire.client import (
    AsyncClient,
    AsyncPager,
    AsyncSession,
    AsyncStream,
    CallError,
    Client,
    InvalidArgument,
    NotFound,
    Pager,
    Session,
    Stream,
    UsageError,
)
from toolwire.testing import LocalServer

STUB = Path(toolwire_pb.__file__).parent / "methods.pyi"


@pytest.fixture(scope="module")
def local() -> Iterator[LocalServer]:
    with LocalServer() as server:
        yield server


class Both:
    """A client of either kind, with the same plain methods."""

    def __init__(self, local: LocalServer, api: str, *, is_async: bool) -> None:
        self._is_async = is_async
        self._make: Any = local.async_client if is_async else local.client
        self._api = api

    def __call__(self, name: str, /, *given: Any, **fields: Any) -> Any:
        """Calls a method; a stream or a pager becomes a list."""
        if self._is_async:
            return asyncio.run(self._call(name, given, fields))
        with self._make(api=self._api, retries=0) as client:
            result = getattr(client, name)(*given, **fields)
            return [*result] if hasattr(result, "__iter__") else result

    async def _call(self, name: str, given: Any, fields: Any) -> Any:
        async with self._make(api=self._api, retries=0) as client:
            result = getattr(client, name)(*given, **fields)
            return [each async for each in result] if hasattr(result, "__aiter__") else await result


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def vertex(local: LocalServer, kind: str) -> Both:
    return Both(local, "v1", is_async=kind == "async")


@pytest.fixture
def live(local: LocalServer, kind: str) -> Both:
    return Both(local, "gemini", is_async=kind == "async")


def test_a_client_has_the_methods_of_its_api() -> None:
    for api in SERVED:
        found: Any = api
        with Client(api=found) as client:
            names = {python_name(m.name) for s in APIS[api].services() for m in s.methods}
            assert names <= set(dir(client))
            for name in names:
                call = getattr(client, name)
                assert call is getattr(client, name)
                assert call.__name__ == name
                assert method_names(APIS[api])[name].name in call.__doc__


@pytest.mark.parametrize("api", SERVED)
def test_a_subclass_may_call_what_it_overrides(local: LocalServer, api: str) -> None:
    class Counting(Client):
        calls = 0

        def generate_content(self, *given: Any, **more: Any) -> Any:
            self.calls += 1
            return super().generate_content(*given, **more)

    place = {} if api == "gemini" else {"project": "p", "location": "us-central1"}
    made: Any = Counting
    with made(api=api, api_endpoint=local.target, insecure=True, **place) as client:
        for _ in range(2):
            assert client.generate_content("gemini-2.5-flash", "Hello").candidates
        assert client.calls == 2


def test_a_subclass_may_name_the_class_whose_method_it_overrides(local: LocalServer) -> None:
    class Plain(Client):
        def generate_content(self, *given: Any, **more: Any) -> Any:
            return Client.generate_content(self, *given, **more)

    made: Any = Plain
    place = {"project": "p", "location": "us-central1"}
    with made(api_endpoint=local.target, insecure=True, **place) as client:
        assert client.generate_content("gemini-2.5-flash", "Hello").candidates


def test_methods_of_another_api_hide_nothing_of_a_subclass() -> None:
    class Mixin:
        def batch_embed_contents(self) -> str:
            return "mixed in"

    class Mixed(Client, Mixin):  # type: ignore[misc]  # the types of another API's method
        def bidi_generate_content(self, *given: Any, **more: Any) -> Any:
            return given, more

    made: Any = Mixed
    with Client(api="gemini", api_key="k"), made(project="p") as client:
        assert client.batch_embed_contents() == "mixed in"
        assert client.bidi_generate_content() == ((), {})
        assert "bidi_generate_content" in dir(client)


@pytest.mark.parametrize("make", [Client, AsyncClient])
def test_a_client_is_freed_with_the_last_reference(make: Any) -> None:
    gc.disable()
    try:
        client = make(project="p", location="us-central1")
        assert client.generate_content is not None
        freed = weakref.ref(client)
        del client
        assert freed() is None
    finally:
        gc.enable()


def test_classes_have_the_methods_for_mocks(local: LocalServer) -> None:
    assert mock.Mock(spec=Client).generate_content is not None
    assert mock.create_autospec(Client).generate_content("m", "x") is not None
    other: Any = local.client(api="gemini")
    with local.client() as client, other:
        assert client.count_tokens("gemini-2.5-flash", "x").total_tokens
        with mock.patch.object(Client, "count_tokens", return_value=5):
            for each in (client, other):
                assert each.count_tokens("gemini-2.5-flash", "x") == 5
        assert Client.count_tokens(client, "gemini-2.5-flash", "x").total_tokens
        assert {"predict", "bidi_generate_content"} <= set(dir(Client))
        assert "bidi_generate_content" not in dir(client)
        assert "predict" not in dir(other)
        assert not hasattr(client, "bidi_generate_content")


def test_what_is_awaited_is_told_from_what_is_not(local: LocalServer) -> None:
    client = local.async_client()
    assert inspect.iscoroutinefunction(client.generate_content)
    assert not inspect.iscoroutinefunction(client.stream_generate_content)
    assert not inspect.iscoroutinefunction(client.list_cached_contents)
    assert isinstance(mock.create_autospec(client).generate_content, mock.AsyncMock)
    given = inspect.signature(client.generate_content).parameters
    assert {"timeout", "retries", "metadata"} <= set(given)
    call: Any = client.generate_content("gemini-2.5-flash", "Hello")
    assert call.__qualname__ == "AsyncClient.generate_content"
    call.close()


def test_what_no_api_has_is_no_attribute() -> None:
    with Client(project="p", location="l") as client:
        assert not hasattr(client, "generate_contents")
        with pytest.raises(AttributeError, match="gemini has it"):
            getattr(client, "batch_embed_contents")  # noqa: B009 - which no type checker allows
    with Client(api="gemini") as other, pytest.raises(AttributeError, match="v1beta1 have it"):
        getattr(other, "compute_tokens")  # noqa: B009


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_client_that_was_never_made_has_none(kind: Any) -> None:
    class Early(kind):  # type: ignore[misc]
        def __init__(self) -> None:
            self.generate_content("m", "x")

    for look in (lambda: kind.__new__(kind).generate_content, Early):
        with pytest.raises(AttributeError, match="of a client whose __init__ has not run"):
            look()


def test_methods_of_one_name_in_two_services() -> None:
    services = [*APIS["v1"].services(), *APIS["v1beta1"].services()]
    named = name_methods(services)
    assert named["count_tokens"].containing_service.name == "LlmUtilityService"
    other = named["prediction_service_count_tokens"]
    assert other.containing_service.full_name.endswith("v1beta1.PredictionService")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GenerateContent", "generate_content"),
        ("BidiGenerateContent", "bidi_generate_content"),
        ("GetIAMPolicy", "get_iam_policy"),
        ("Import", "import_"),
    ],
)
def test_python_names(name: str, expected: str) -> None:
    assert python_name(name) == expected


def test_what_is_taken_is_all_that_a_client_has() -> None:
    methods = {name for api in APIS.values() for name in method_names(api)}
    assert not methods & TAKEN
    for kind, expected in ((AsyncClient, TAKEN), (Client, TAKEN - {"aclose"})):
        own = {name for name in vars(kind) if not name.startswith("_")}
        assert own - methods == expected


def test_both_clients_take_the_same_arguments() -> None:
    ours, theirs = inspect.signature(Client), inspect.signature(AsyncClient)
    names = [set(each.parameters) for each in (ours, theirs)]
    assert names[0] == names[1]
    for name in names[0] - {"channel", "interceptors", "on_retry"}:
        assert ours.parameters[name] == theirs.parameters[name]


def test_both_clients_have_the_same_types() -> None:
    """The stubs agree but for what has to be awaited, and for hooks that may be."""
    classes = {
        node.name: node
        for node in ast.parse(STUB.read_text()).body
        if isinstance(node, ast.ClassDef)
    }
    ours, theirs = (
        [
            (
                each.name,
                ast.unparse(each.args).replace("AsyncMethods", "Methods").replace("_Blocking", "_"),
            )
            for each in classes[name].body
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
        for name in ("Methods", "AsyncMethods")
    )
    assert ours == theirs
    names = {name for api in APIS.values() for name in method_names(api)}
    assert {name for name, _ in ours} == names | (TAKEN - {"aclose", "close"})


@pytest.mark.parametrize(
    ("ours", "theirs"), [(Stream, AsyncStream), (Session, AsyncSession), (Pager, AsyncPager)]
)
def test_twins_have_the_same_methods(ours: type, theirs: type) -> None:
    def public(kind: type) -> dict[str, Any]:
        names = (name for name in vars(kind) if not name.startswith("_"))
        return {
            name.replace("aclose", "close"): inspect.signature(getattr(kind, name))
            for name in names
        }

    mine, others = public(ours), public(theirs)
    assert mine.keys() == others.keys()
    for name, signature in mine.items():
        assert signature.parameters == others[name].parameters


@pytest.mark.parametrize("api", SERVED)
def test_embed(local: LocalServer, kind: str, api: str) -> None:
    call = Both(local, api, is_async=kind == "async")
    one = call("embed_content", "m", "red apples")
    assert type(one) is module(api).EmbedContentResponse
    assert len(one.embedding.values) > 1
    assert (
        one.embedding
        == call("embed_content", "m", ["red", module(api).Part(text="apples")]).embedding
    )
    assert one.embedding != call("embed_content", "m", "green apples").embedding


def test_batch_embed(live: Both) -> None:
    items = [
        "a",
        gemini.Part(text="a"),
        {"text": "a"},
        gemini.Content(parts=[{"text": "a"}]),
        {"content": {"parts": [{"text": "a"}]}},
        gemini.EmbedContentRequest(model="models/m", content={"parts": [{"text": "a"}]}),
    ]
    found = live("batch_embed_contents", "m", items).embeddings
    assert len(found) == len(items)
    assert all(each == found[0] for each in found)
    assert found[0] == live("embed_content", "m", "a").embedding


@pytest.mark.parametrize(
    ("item", "path"),
    [
        (5, "requests[1]"),
        (v1.Part(text="a"), "requests[1]"),
        ([gemini.Part(text="a"), 5], "requests[1][1]"),
        ({"contnt": "x"}, "requests[1].contnt"),
        ({"parts": [{"txt": "x"}]}, "requests[1].parts[0].txt"),
        ({"content": {"parts": [{"txt": "x"}]}}, "requests[1].content.parts[0].txt"),
        ({"content": {"parts": []}, "taskType": "NONE"}, "requests[1].taskType"),
    ],
)
def test_a_batch_with_an_item_that_is_none(live: Both, item: Any, path: str) -> None:
    with pytest.raises(JsonError) as caught:
        live("batch_embed_contents", "m", ["a", item])
    assert caught.value.path == path


def test_predict(vertex: Both) -> None:
    answer = vertex("predict", "123", [{"a": [1, None]}, "x"], {"top": 2})
    assert type(answer) is v1.PredictResponse
    assert answer.model == "projects/local-project/locations/us-central1/endpoints/123"
    assert [each.WhichOneof("kind") for each in answer.predictions] == [
        "struct_value",
        "string_value",
    ]
    assert answer == vertex(
        "predict", endpoint="123", instances=answer.predictions, parameters={"top": 2}
    )


@pytest.mark.parametrize(
    "body", ['{"a": 1}', b'{"a": 1}', {"contentType": "application/json", "data": b'{"a": 1}'}]
)
def test_raw_predict(vertex: Both, body: Any) -> None:
    model = "publishers/anthropic/models/claude"
    answer = vertex("raw_predict", model, body)
    assert (answer.content_type, answer.data) == ("application/json", b'{"a": 1}')
    pieces = vertex("stream_raw_predict", model, http_body=body)
    assert b"".join(each.data for each in pieces) == b'{"a": 1}'


@pytest.mark.parametrize("body", [{"instances": []}, {}, [1, 2], 5, True])
def test_a_body_that_is_none_points_to_json(vertex: Both, body: Any) -> None:
    for method in ("raw_predict", "stream_raw_predict"):
        with pytest.raises(JsonError, match=r"^httpBody: expected an HttpBody .* json\.dumps"):
            vertex(method, "m", body)
    with pytest.raises(JsonError, match='did you mean "data"'):
        vertex("raw_predict", "m", {"contentType": "text/plain", "dat": b"x"})
    with pytest.raises(JsonError, match="httpBody: text with a lone surrogate"):
        vertex("raw_predict", "m", '"\ud800"')


def test_large_bodies_come_in_pieces(vertex: Both) -> None:
    pieces = vertex("stream_raw_predict", "m", b"x" * 5000)
    assert len(pieces) > 1
    assert b"".join(each.data for each in pieces) == b"x" * 5000


def test_compute_tokens(vertex: Both) -> None:
    (info,) = vertex("compute_tokens", "m", "two words").tokens_info
    assert list(info.tokens) == [b"two", b"words"]


@pytest.mark.parametrize("api", SERVED)
def test_cached_contents(kind: str, api: str) -> None:
    with LocalServer() as server:
        call = Both(server, api, is_async=kind == "async")
        cached = {
            "model": "m",
            "contents": [{"role": "user", "parts": [{"text": "a b"}]}],
            "ttl": "60s",
        }
        made = [call("create_cached_content", cached_content=cached) for _ in range(5)]
        assert made[0].model.endswith("models/m")
        assert not made[0].contents
        assert made[0].expire_time.seconds - made[0].create_time.seconds == 60
        assert [each.name for each in call("list_cached_contents", page_size=2)] == [
            each.name for each in made
        ]
        short = made[0].name.rpartition("/")[2]
        assert call("get_cached_content", short) == made[0]
        assert call("get_cached_content", name=made[0].name) == made[0]
        changed = call("update_cached_content", cached_content={"name": short, "ttl": "120s"})
        assert changed.expire_time.seconds - changed.update_time.seconds == 120
        call("delete_cached_content", made[0].name)
        with pytest.raises(NotFound):
            call("get_cached_content", made[0].name)
        assert len(call("list_cached_contents")) == 4


def test_pages(local: LocalServer) -> None:
    with LocalServer() as server, server.client() as client:
        for _ in range(5):
            client.create_cached_content(cached_content={"model": "m"})
        pager = client.list_cached_contents(page_size=2)
        assert [len(page.cached_contents) for page in pager.pages()] == [2, 2, 1]
        assert len(list(pager)) == len(list(pager)) == 5
        request = v1.ListCachedContentsRequest(page_size=3)
        assert [
            len(page.cached_contents) for page in client.list_cached_contents(request).pages()
        ] == [3, 2]
        assert request.page_token == ""
    with local.client() as client, pytest.raises(UsageError, match="no field 'page'"):
        client.list_cached_contents(page=2)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]


@contextlib.contextmanager
def listing(*tokens: str) -> Generator[tuple[str, list[Any]]]:
    """A server whose pages are followed by these ones, and what it was asked."""
    asked: list[Any] = []

    def answer(request: Any, context: Any) -> Any:
        asked.append((request.page_token, dict(context.invocation_metadata()).get("x-mine")))
        token = tokens[len(asked) - 1] if len(asked) <= len(tokens) else ""
        return v1.ListCachedContentsResponse(cached_contents=[{"name": "n"}], next_page_token=token)

    handler = grpc.unary_unary_rpc_method_handler(
        answer,
        v1.ListCachedContentsRequest.FromString,
        v1.ListCachedContentsResponse.SerializeToString,
    )
    service = "google.cloud.aiplatform.v1.GenAiCacheService"
    with ThreadPoolExecutor(1) as executor:
        running = grpc.server(executor)
        running.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(service, {"ListCachedContents": handler}),)
        )
        port = running.add_insecure_port("127.0.0.1:0")
        running.start()
        try:
            yield f"127.0.0.1:{port}", asked
        finally:
            running.stop(None).wait()


def all_pages(target: str, kind: str, **fields: Any) -> int:
    """Reads a list to its end, and returns how many items came."""
    place: Any = {"api_endpoint": target, "insecure": True, "project": "p", "location": "l"}

    async def read() -> int:
        async with AsyncClient(**place, timeout=20) as client:
            return len([each async for each in client.list_cached_contents(**fields)])

    if kind == "async":
        return asyncio.run(read())
    with Client(**place, timeout=20) as client:
        return len(list(client.list_cached_contents(**fields)))


def test_every_page_is_asked_for_with_the_same_headers(kind: str) -> None:
    with listing("a", "b") as (target, asked):
        assert all_pages(target, kind, metadata=iter([("x-mine", "1")])) == 3
    assert asked == [("", "1"), ("a", "1"), ("b", "1")]


@pytest.mark.parametrize(
    ("tokens", "fields", "expected"),
    [
        ("abbb", {}, ["", "a", "b"]),
        ("ababab", {}, ["", "a", "b"]),
        ("abcdb", {}, ["", "a", "b", "c", "d"]),
        ("baba", {"page_token": "a"}, ["a", "b"]),
    ],
)
def test_pages_that_would_never_end(
    kind: str, tokens: str, fields: dict[str, Any], expected: list[str]
) -> None:
    with (
        listing(*tokens) as (target, asked),
        pytest.raises(CallError, match="after this one is a page that came before") as caught,
    ):
        all_pages(target, kind, **fields)
    assert caught.value.code == "INTERNAL"
    assert [token for token, _ in asked] == expected


def test_each_walk_over_pages_is_one_of_its_own() -> None:
    with (
        listing("a", "", "a", "") as (target, asked),
        Client(api_endpoint=target, insecure=True, project="p", location="l") as client,
    ):
        pager = client.list_cached_contents()
        assert len(list(pager)) == len(list(pager.pages())) == 2
    assert [token for token, _ in asked] == ["", "a", "", "a"]


@pytest.mark.parametrize("options", [{"timeout": -1}, {"retries": -1}, {"metadata": 5}])
def test_what_is_wrong_with_a_pager_is_said_at_once(local: LocalServer, options: Any) -> None:
    client: Any
    with local.client() as client, pytest.raises(UsageError, match=f"{next(iter(options))} takes"):
        client.list_cached_contents(**options)
    client = local.async_client()
    with pytest.raises(UsageError, match=f"{next(iter(options))} takes"):
        client.list_cached_contents(**options)


@pytest.mark.parametrize(
    "mask",
    [
        None,
        "ttl",
        ["ttl"],
        {"paths": ["ttl"]},
        v1.UpdateCachedContentRequest(update_mask={"paths": ["ttl"]}).update_mask,
    ],
)
def test_masks(local: LocalServer, mask: Any) -> None:
    with local.client() as client:
        made = client.create_cached_content(cached_content={"model": "m"})
        changed = client.update_cached_content(
            cached_content={"name": made.name, "ttl": "5s"}, update_mask=mask
        )
        assert changed.expire_time.seconds - changed.update_time.seconds == 5


def test_a_mask_may_be_spelled_as_in_json(local: LocalServer) -> None:
    with local.client() as client:
        made = client.create_cached_content(cached_content={"model": "m", "display_name": "a"})
        body = {"name": made.name, "displayName": "b"}
        with pytest.raises(InvalidArgument, match=r"display_name.* cannot be changed"):
            client.update_cached_content(cached_content=body, update_mask="displayName")
        with pytest.raises(UsageError, match="has no field 'displayNam'; did you mean"):
            client.update_cached_content(cached_content=body, update_mask=["displayNam"])
        with pytest.raises(UsageError, match="sets no field that can be changed"):
            client.update_cached_content(cached_content={"name": made.name})
        with pytest.raises(UsageError, match=r"the request has no cached_content\.name|no .*name"):
            client.update_cached_content(cached_content={"ttl": "5s"})
        ready = v1.UpdateCachedContentRequest(
            cached_content={"name": made.name, "ttl": {"seconds": 7}}
        )
        assert client.update_cached_content(ready).name == made.name
        assert not ready.update_mask.paths


def test_what_is_made_where_nothing_is_said(local: LocalServer) -> None:
    with local.client(project="other", location="us-east1") as client:
        made = client.create_cached_content(cached_content={"model": "m"})
        assert made.name.startswith("projects/other/locations/us-east1/cachedContents/")
    with local.client() as client:
        elsewhere = client.create_cached_content(
            "projects/x/locations/us-west1", cached_content={"model": "m"}
        )
        assert elsewhere.model == "projects/x/locations/us-west1/publishers/google/models/m"


class Headers(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """Notes what goes out beside a request."""

    def __init__(self) -> None:
        self.last: dict[str, Any] = {}

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        self.last = dict(details.metadata)
        return continuation(details, request)

    def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return self.intercept_unary_unary(continuation, details, request)


@pytest.mark.parametrize("api", SERVED)
def test_every_call_says_where_to_and_from_whom(local: LocalServer, api: str) -> None:
    make: Any = local.client
    headers = Headers()
    with make(api=api, interceptors=[headers], retries=0) as client:
        for name in method_names(APIS[api]):
            method = find_method(APIS[api], name)
            if name == "bidi_generate_content":  # which is no call, and routed by nothing
                continue
            request = method.request()
            full = ""
            if method.target:
                *way, field = method.target.split(".")
                inner: Any = request
                for step in way:
                    inner = getattr(inner, step)
                full = method.routes[method.target][0].replace("**", "x").replace("*", "x")
                setattr(inner, field, full)
            if "update_mask" in request.DESCRIPTOR.fields_by_name:
                request.update_mask.paths.append("ttl")
            headers.last = {}
            with contextlib.suppress(CallError):
                made = getattr(client, name)(request)
                if hasattr(made, "__iter__"):
                    list(made)
            expected = f"{method.target}={full}" if method.target else None
            assert headers.last.get("x-goog-request-params") == expected, name
            assert "toolwire/" in headers.last["x-goog-api-client"]


def test_so_does_a_session() -> None:
    seen: dict[str, Any] = {}

    def talk(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        metadata: Any = context.invocation_metadata()
        seen.update(dict(metadata))
        next(requests)
        yield gemini.BidiGenerateContentServerMessage(setup_complete={}).SerializeToString()

    service = find_method(APIS["gemini"], "bidi_generate_content").path.split("/")[1]
    handlers: dict[str, Any] = {"BidiGenerateContent": grpc.stream_stream_rpc_method_handler(talk)}
    with ThreadPoolExecutor(1) as executor:
        running = grpc.server(executor)
        running.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
        port = running.add_insecure_port("127.0.0.1:0")
        running.start()
        with (
            Client(api="gemini", api_endpoint=f"127.0.0.1:{port}", insecure=True) as client,
            client.bidi_generate_content("m"),
        ):
            pass
        running.stop(None).wait()
    assert "toolwire/" in seen["x-goog-api-client"]
