"""The methods of an API on the classes of clients: ordinary ones, to whoever looks there."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import functools
import inspect
import pydoc
import typing
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from support.apis import SERVED
from toolwire._apis import APIS
from toolwire._client.requests._methods import method_names
from toolwire.client import AsyncClient, Client, UsageError
from toolwire.testing import LocalServer

KINDS = pytest.mark.parametrize("kind", [Client, AsyncClient])
AWAITED = ("generate_content", "count_tokens", "predict", "batch_embed_contents")
OTHERS = ("stream_generate_content", "list_cached_contents", "bidi_generate_content")
EACH = pytest.mark.parametrize("name", [*AWAITED, *OTHERS])


@pytest.fixture(scope="module", autouse=True)
def local() -> Iterator[LocalServer]:
    for kind in (Client, AsyncClient):
        for api in SERVED:
            kind(api=api, api_key="k")  # type: ignore[call-overload]
    with LocalServer() as server:
        yield server


@KINDS
@EACH
def test_a_method_on_the_class_is_a_function_that_takes_the_client_first(
    kind: type, name: str
) -> None:
    function = getattr(kind, name)
    assert function is getattr(kind, name)
    assert inspect.isfunction(function)
    assert inspect.iscoroutinefunction(function) is (kind is AsyncClient and name in AWAITED)
    assert (function.__name__, function.__qualname__) == (name, f"{kind.__name__}.{name}")
    first, *others = inspect.signature(function).parameters.values()
    assert (first.name, first.kind) == ("self", first.POSITIONAL_ONLY)
    assert [each.name for each in others] == ["given", "timeout", "retries", "metadata", "fields"]
    static = inspect.getattr_static(kind, name)
    assert inspect.isfunction(static)
    assert inspect.signature(static) == inspect.signature(function)


@KINDS
@pytest.mark.parametrize("api", SERVED)
def test_a_method_of_a_client_differs_from_that_of_its_class_by_the_client(
    kind: Any, api: str
) -> None:
    client = kind(api=api, api_key="k")
    for name in method_names(APIS[api]):
        on_class, own = getattr(kind, name), getattr(client, name)
        _, *others = inspect.signature(on_class).parameters.values()
        assert list(inspect.signature(own).parameters.values()) == others
        assert inspect.iscoroutinefunction(on_class) is inspect.iscoroutinefunction(own)
        for function in (on_class, own):
            assert typing.get_type_hints(function)["timeout"] == typing.Optional[float]  # noqa: UP045


@KINDS
@EACH
def test_help_and_wrappers_find_what_they_want(kind: Any, name: str) -> None:
    function = getattr(kind, name)
    assert (inspect.getdoc(function) or "").startswith("Calls ``google.")
    assert name in pydoc.plain(pydoc.render_doc(function))
    assert f"{name}(" in pydoc.plain(pydoc.render_doc(kind))
    assert name in dict(inspect.getmembers(kind, inspect.isfunction))

    @functools.wraps(function)
    def wrapped(*given: Any, **more: Any) -> Any:
        return function(*given, **more)

    assert wrapped.__name__ == name
    assert inspect.signature(wrapped) == inspect.signature(function)


def test_a_double_of_the_class_is_called_as_clients_are() -> None:
    double = mock.create_autospec(Client)()
    double.generate_content.return_value = "answered"
    assert double.generate_content("m", "x", tools=[]) == "answered"
    double.generate_content.assert_called_once_with("m", "x", tools=[])
    assert double.list_cached_contents() is not None  # and no client is missing
    double.bidi_generate_content.assert_not_called()
    with pytest.raises(AttributeError):
        double.generate_contents("m", "x")


@pytest.mark.parametrize(
    "make",
    [
        mock.create_autospec(AsyncClient),
        lambda: mock.create_autospec(AsyncClient(api_key="k")),
        lambda: mock.Mock(spec=AsyncClient),
        lambda: mock.Mock(spec=AsyncClient(api_key="k")),
    ],
)
def test_a_double_of_the_class_for_event_loops_is_awaited(make: Any) -> None:
    double = make()
    double.generate_content.return_value = "answered"
    assert asyncio.run(double.generate_content("m", "x")) == "answered"
    double.generate_content.assert_awaited_once_with("m", "x")
    assert not inspect.isawaitable(double.list_cached_contents())


def test_a_patch_of_the_class_gets_the_client(local: LocalServer) -> None:
    with local.client() as client, local.client(api="gemini") as other:
        for each in (client, other):
            found: Any = each
            with mock.patch.object(Client, "count_tokens", autospec=True) as patched:
                patched.return_value = 5
                assert found.count_tokens("m", "x", timeout=1) == 5
                patched.assert_called_once_with(found, "m", "x", timeout=1)
            assert found.count_tokens("gemini-2.5-flash", "x").total_tokens


def test_a_patch_of_the_class_for_event_loops_is_awaited(local: LocalServer) -> None:
    async def main() -> None:
        async with local.async_client() as client:
            with mock.patch.object(AsyncClient, "count_tokens", autospec=True) as patched:
                patched.return_value = 5
                assert await client.count_tokens("m", "x") == 5
                patched.assert_awaited_once_with(client, "m", "x")
            assert (await client.count_tokens("gemini-2.5-flash", "x")).total_tokens
            assert (await AsyncClient.count_tokens(client, "gemini-2.5-flash", "x")).total_tokens

    asyncio.run(main())


def test_a_method_on_the_class_is_that_of_the_clients_own_api(local: LocalServer) -> None:
    for api in SERVED:
        given: Any = api
        found: Any = Client.generate_content
        make: Any = local.client
        with make(api=given) as client:
            response = found(client, "gemini-2.5-flash", "Hello")
            assert response.DESCRIPTOR.file.package == APIS[api].package


@KINDS
def test_a_method_of_another_api_is_said_to_be_one(kind: Any) -> None:
    client = kind(api="v1", api_key="k")
    assert not hasattr(client, "bidi_generate_content")
    found = "of v1 has no method 'bidi_generate_content'; gemini has it"
    with pytest.raises(AttributeError, match=found):
        _ = client.bidi_generate_content
    with pytest.raises(AttributeError, match=found):
        kind.bidi_generate_content(client, "m")

    class Own(kind):  # type: ignore[misc]
        def bidi_generate_content(self) -> Any:
            other: Any = super()
            return other.bidi_generate_content()

    with pytest.raises(AttributeError, match=found):
        Own(api="v1", api_key="k").bidi_generate_content()


def test_a_class_beside_the_client_may_take_options_of_its_own() -> None:
    class Mixin:
        kept = ""

        def __init_subclass__(cls, *, kept: str) -> None:
            cls.kept = kept

    class Mixed(Client, Mixin, kept="here"):
        pass

    assert Mixed.kept == "here"
    assert not {"generate_content", "predict"} & set(vars(Mixed))


@pytest.mark.parametrize("given", ["gemini-2.5-flash", None, AsyncClient(api_key="k")])
def test_a_method_on_the_class_wants_a_client(given: Any) -> None:
    function: Any = Client.generate_content
    with pytest.raises(UsageError, match=r"^Client.generate_content is called on a client, as in "):
        function(given, "Hello")
