"""Every method of every API: by name, with its convenience, against the local server."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import toolwire_pb
from support.apis import SERVED, module
from toolwire import gemini, v1
from toolwire._apis import APIS
from toolwire._client._methods import method_names
from toolwire._errors import JsonError
from toolwire._rpc import TAKEN, name_methods, python_name
from toolwire.client import (
    AsyncClient,
    AsyncPager,
    AsyncSession,
    AsyncStream,
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


def test_what_no_api_has_is_no_attribute() -> None:
    with Client(project="p", location="l") as client:
        assert not hasattr(client, "generate_contents")
        with pytest.raises(AttributeError, match="gemini have it"):
            getattr(client, "batch_embed_contents")  # noqa: B009 - which no type checker allows


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
    for client in (Client, AsyncClient):
        assert {name for name in vars(client) if not name.startswith("_")} == TAKEN


def test_both_clients_take_the_same_arguments() -> None:
    ours, theirs = inspect.signature(Client), inspect.signature(AsyncClient)
    names = [set(each.parameters) for each in (ours, theirs)]
    assert names[0] == names[1]
    for name in names[0] - {"channel", "interceptors"}:
        assert ours.parameters[name] == theirs.parameters[name]


def test_both_clients_have_the_same_types() -> None:
    """The stubs agree but for what has to be awaited."""
    classes = {
        node.name: node
        for node in ast.parse(STUB.read_text()).body
        if isinstance(node, ast.ClassDef)
    }
    ours, theirs = (
        [
            (each.name, ast.unparse(each.args).replace("AsyncMethods", "Methods"))
            for each in classes[name].body
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
        for name in ("Methods", "AsyncMethods")
    )
    assert ours == theirs
    names = {name for api in APIS.values() for name in method_names(api)}
    assert {name for name, _ in ours} == names | (TAKEN - {"close"})


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
    with pytest.raises(JsonError) as caught:
        live("batch_embed_contents", "m", ["a", 5])
    assert caught.value.path.startswith("requests[1]") or "content" in caught.value.path


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
        elsewhere = client.create_cached_content(
            "projects/x/locations/us-west1", cached_content={"model": "m"}
        )
        assert elsewhere.model == "projects/x/locations/us-west1/publishers/google/models/m"
