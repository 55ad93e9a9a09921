"""What a failed call says: code, details, place, credential; and what it never says."""

from __future__ import annotations

import copy
import itertools
import json
import logging
import pickle
import traceback
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote, unquote

import grpc
import pytest

import toolwire.client
from support.grpc_servers import Context, Server, chunk
from support.kinds import Kinds
from support.programs import run_code
from toolwire import details, v1
from toolwire._client._secrets import hide, hide_in_bytes, secrets_in
from toolwire._errors import DecodeError, Error
from toolwire.client import (
    CallError,
    Cancelled,
    Client,
    DeadlineExceeded,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    Unauthenticated,
    Unavailable,
)
from toolwire_pb.google.rpc.status_pb2 import Status

CLASSES: dict[str, type[CallError]] = {
    "CANCELLED": Cancelled,
    "UNKNOWN": CallError,
    "INVALID_ARGUMENT": InvalidArgument,
    "DEADLINE_EXCEEDED": DeadlineExceeded,
    "NOT_FOUND": NotFound,
    "ALREADY_EXISTS": CallError,
    "PERMISSION_DENIED": PermissionDenied,
    "RESOURCE_EXHAUSTED": ResourceExhausted,
    "FAILED_PRECONDITION": CallError,
    "ABORTED": CallError,
    "OUT_OF_RANGE": CallError,
    "UNIMPLEMENTED": CallError,
    "INTERNAL": CallError,
    "UNAVAILABLE": Unavailable,
    "DATA_LOSS": CallError,
    "UNAUTHENTICATED": Unauthenticated,
}
METHOD = "google.cloud.aiplatform.v1.PredictionService.GenerateContent"


def refuse(
    server: Server, code: str, message: str = "", *packed: Any, raw: bytes | None = None
) -> None:
    """Has the server refuse every call."""
    status = Status(code=grpc.StatusCode[code].value[0], message=message)
    for detail in packed:
        status.details.add().Pack(detail)
    trailer = status.SerializeToString() if raw is None else raw

    def abort(_request: Any, context: Context) -> Any:
        if packed or raw is not None:
            context.set_trailing_metadata((("grpc-status-details-bin", trailer),))
        context.abort(grpc.StatusCode[code], message)

    server.generate = abort
    server.stream = abort
    server.count = abort


def caught(call: Callable[[], object]) -> CallError:
    with pytest.raises(CallError) as info:
        call()
    return info.value


@pytest.mark.parametrize("code", [code.name for code in grpc.StatusCode if code.value[0]])
def test_every_code_has_its_class(server: Server, client: Client, code: str) -> None:
    refuse(server, code, "no")
    for error in (
        caught(lambda: client.generate_content("m", "x")),
        caught(lambda: client.count_tokens("m", "x")),
        caught(lambda: list(client.stream_generate_content("m", "x"))),
    ):
        assert type(error) is CLASSES[code]
        assert (error.code, error.message, error.details) == (code, "no", ())
        assert error.endpoint == server.target
        assert error.credential == "no credential"
        assert isinstance(error.__cause__, grpc.RpcError)
        assert not isinstance(error, grpc.RpcError)
        assert f"at {server.target} failed with {code}: no" in str(error)


def test_an_error_without_a_message(server: Server, client: Client) -> None:
    refuse(server, "NOT_FOUND")
    error = caught(lambda: client.generate_content("m", "x"))
    assert error.method == METHOD
    assert str(error) == (
        f"call of PredictionService.GenerateContent at {server.target} failed with NOT_FOUND: "
        "no message"
    )


DETAILS: list[Any] = [
    details.BadRequest(
        field_violations=[
            {"field": "contents[0].parts", "description": "must have one"},
            {"field": "tools", "description": "too many"},
        ]
    ),
    details.RetryInfo(retry_delay={"seconds": 3, "nanos": 500_000_000}),
    details.ErrorInfo(reason="R", domain="d", metadata={"a": "b"}),
    details.QuotaFailure(violations=[{"subject": "s"}]),
    details.Help(links=[{"url": "https://example.com"}]),
    details.LocalizedMessage(locale="de", message="nein"),
    details.PreconditionFailure(violations=[{"type": "t"}]),
    details.RequestInfo(request_id="id"),
    details.ResourceInfo(resource_name="n"),
    details.DebugInfo(detail="d"),
]


def test_details(server: Server, client: Client) -> None:
    refuse(server, "INVALID_ARGUMENT", "bad", *DETAILS)
    error = caught(lambda: client.generate_content("m", "x"))
    assert list(error.details) == DETAILS
    assert [type(detail) for detail in error.details] == [type(detail) for detail in DETAILS]
    assert error.retry_after == 3.5
    assert str(error).endswith(
        "failed with INVALID_ARGUMENT: bad; contents[0].parts: must have one; tools: too many; s; "
        "request id id"
    )
    found = error.detail(details.BadRequest)
    assert found is not None
    assert found.field_violations[1].field == "tools"
    assert error.detail(details.Any) is None
    assert error.request_id == "id"


def test_other_lists_of_violations(server: Server, client: Client) -> None:
    quota = details.QuotaFailure(violations=[{"subject": "p", "description": "60 a minute"}])
    terms = details.PreconditionFailure(violations=[{"type": "TOS", "description": "not signed"}])
    refuse(server, "FAILED_PRECONDITION", "no", quota, terms)
    error = caught(lambda: client.generate_content("m", "x"))
    assert str(error).endswith("no; p: 60 a minute; not signed")


def test_many_violations_are_not_all_looked_at() -> None:
    code = """
        import toolwire
        from toolwire import details

        number = 60_000
        wrong = [{"field": f"f[{index}]", "description": "no"} for index in range(number)]
        said = "; ".join(f"f[{index}]: NO" for index in range(number))
        error = toolwire.CallError(
            said, code="INVALID_ARGUMENT", details=[details.BadRequest(field_violations=wrong)]
        )
        assert str(error).endswith("; f[7]: no; and 59992 more violations"), str(error)[-200:]
    """
    run_code(code)


@pytest.mark.parametrize("name", ["x-request-id", "request-id", "x-goog-request-id"])
@pytest.mark.parametrize("where", ["headers", "trailers"])
def test_the_request_id_of_a_header(server: Server, client: Client, name: str, where: str) -> None:
    def abort(_request: Any, context: Context) -> bytes:
        if where == "headers":
            context.send_initial_metadata(((name, "r-1"),))
        else:
            context.set_trailing_metadata(((name, "r-1"),))
        context.abort(grpc.StatusCode.INTERNAL, "oops")

    server.generate = abort
    error = caught(lambda: client.generate_content("m", "x"))
    assert error.request_id == "r-1"
    assert str(error).endswith("oops; request id r-1")


@pytest.mark.parametrize(
    ("delay", "seconds"),
    [
        ({}, 0.0),
        ({"seconds": -5}, 0.0),
        ({"seconds": 10**12}, 1e12),
        ({"nanos": 250_000_000}, 0.25),
    ],
)
def test_retry_after(server: Server, client: Client, delay: dict[str, int], seconds: float) -> None:
    refuse(server, "UNAVAILABLE", "", details.RetryInfo(retry_delay=delay))
    assert caught(lambda: client.generate_content("m", "x")).retry_after == seconds


def test_no_retry_after(server: Server, client: Client) -> None:
    refuse(server, "UNAVAILABLE", "", details.Help())
    assert caught(lambda: client.generate_content("m", "x")).retry_after is None


def test_what_is_unknown_or_corrupt_stays_raw(server: Server, client: Client) -> None:
    kept = [
        details.Any(type_url="type.googleapis.com/google.rpc.OfTheFuture", value=b"\x00\xff"),
        details.Any(type_url="type.googleapis.com/google.rpc.BadRequest", value=b"\xff\xff"),
        details.Any(),
    ]
    status = Status(details=[*kept, details.Any()])
    status.details[-1].Pack(DETAILS[1])
    refuse(server, "INTERNAL", "x", raw=status.SerializeToString())
    error = caught(lambda: client.generate_content("m", "x"))
    assert list(error.details) == [*kept, DETAILS[1]]
    assert error.retry_after == 3.5


@pytest.mark.parametrize("raw", [b"\xff\xff\xff", b"\x1a\x7f"])
def test_unreadable_details_are_said_to_be(server: Server, client: Client, raw: bytes) -> None:
    refuse(server, "NOT_FOUND", "gone", raw=raw)
    error = caught(lambda: client.generate_content("m", "x"))
    assert isinstance(error, NotFound)
    assert (error.message, error.details) == ("gone", ())
    assert "its error details cannot be read" in str(error)


def test_large_details_arrive(server: Server, client: Client) -> None:
    big = details.BadRequest(
        field_violations=[{"field": f"f{number}", "description": "d" * 60} for number in range(900)]
    )
    refuse(server, "INVALID_ARGUMENT", "bad", big)
    error = caught(lambda: client.generate_content("m", "x"))
    assert isinstance(error, InvalidArgument)
    assert list(error.details) == [big]
    assert str(error).endswith("; and 892 more violations")


def test_errors_survive_copies_and_pickle(server: Server, client: Client) -> None:
    raw = details.Any(type_url="x/y", value=b"z")
    refuse(server, "INVALID_ARGUMENT", "bad", *DETAILS, raw)
    error = caught(lambda: client.generate_content("m", "x"))
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is InvalidArgument
        assert str(twin) == str(error)
        assert vars(twin) == vars(error)
        assert twin.args == error.args
        assert twin.__cause__ is None
    for name in toolwire.client.__all__:
        cls = getattr(toolwire.client, name)
        if isinstance(cls, type) and issubclass(cls, CallError):
            plain = cls("m", code="C")
            assert isinstance(plain, Error)
            twin = pickle.loads(pickle.dumps(plain))
            assert (type(twin), str(twin)) == (cls, "call failed with C: m")


def test_a_stream_that_breaks_in_the_middle(server: Server, client: Client) -> None:
    def stream(_request: Any, context: Context) -> Iterator[bytes]:
        yield chunk("a")
        context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "enough")

    server.stream = stream
    chunks = client.stream_generate_content("m", "x")
    assert next(chunks)
    for _ in range(2):  # and stays broken
        error = caught(lambda: next(chunks))
        assert isinstance(error, ResourceExhausted)
        assert error.message == "enough"


@pytest.mark.parametrize("data", [b"\xff", b"\x12\x05ab", b"<html>not found</html>"])
def test_a_response_that_is_none(server: Server, client: Client, data: bytes) -> None:
    server.generate = lambda _request, _context: data
    server.stream = lambda _request, _context: [chunk("a"), data]
    chunks = client.stream_generate_content("m", "x")
    assert next(chunks)
    for call in (lambda: client.generate_content("m", "x"), lambda: next(chunks)):
        error = caught(call)
        assert error.code == "INTERNAL"
        assert "the response is not a valid google.cloud.aiplatform.v1.Gener" in str(error)
        assert isinstance(error.__cause__, DecodeError)
    chunks.close()


def test_the_server_raises(server: Server, client: Client) -> None:
    def fail(_request: Any, _context: Context) -> bytes:
        raise ValueError("oops")

    server.generate = fail
    logging.getLogger("grpc._server").disabled = True
    try:
        error = caught(lambda: client.generate_content("m", "x"))
    finally:
        logging.getLogger("grpc._server").disabled = False
    assert (error.code, error.message) == ("UNKNOWN", "Exception calling application: oops")


SECRETS: list[tuple[str, dict[str, Any], tuple[tuple[str, str], ...], str]] = [
    ("api_key", {"api_key": "AIza-very-secret"}, (), "AIza-very-secret"),
    ("header", {}, (("authorization", "Bearer hush-hush"),), "hush-hush"),
    ("cookie", {}, (("Cookie", "session=hush"),), "session=hush"),
]


@pytest.mark.parametrize(
    ("options", "metadata", "secret"), [row[1:] for row in SECRETS], ids=[row[0] for row in SECRETS]
)
@pytest.mark.parametrize("code", ["UNAUTHENTICATED", "PERMISSION_DENIED", "INVALID_ARGUMENT"])
def test_an_echoed_credential_is_hidden(  # noqa: PLR0917
    server: Server,
    caplog: pytest.LogCaptureFixture,
    options: dict[str, Any],
    metadata: tuple[tuple[str, str], ...],
    secret: str,
    code: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    refuse(
        server,
        code,
        f"{secret} is wrong",
        details.ErrorInfo(metadata={"key": secret}),
        details.BadRequest(field_violations=[{"field": "key", "description": secret}]),
    )
    with Client(
        api_endpoint=server.target, insecure=True, project="p", location="l", **options
    ) as client:
        errors = [
            caught(lambda: client.generate_content("m", "x", metadata=metadata)),
            caught(lambda: list(client.stream_generate_content("m", "x", metadata=metadata))),
        ]
        shown = [repr(client), str(client), repr(vars(client)), caplog.text]
    for error in errors:
        assert error.message.endswith(" is wrong")
        assert len(error.details) == 2
        shown += [
            str(error),
            repr(error),
            repr(error.args),
            repr(vars(error)),
            "".join(traceback.format_exception(error)),
        ]
    for text in shown:
        assert secret not in text


ODD_SECRET = "AIza+very/o\"d\\d='%41&~key?"  # noqa: S105
SPELLINGS: dict[str, Callable[[str], str]] = {
    "percent": lambda secret: quote(secret, safe=""),
    "percent, but for slashes": quote,
    "percent in lower case": lambda secret: quote(secret, safe="").replace("%2F", "%2f"),
    "percent, every letter": lambda secret: "".join(f"%{byte:02x}" for byte in secret.encode()),
    "percent twice": lambda secret: quote(quote(secret, safe=""), safe=""),
    "json": json.dumps,
    "json in json": lambda secret: json.dumps(json.dumps(secret)),
    "json for pages": lambda secret: json.dumps(secret).replace("=", "\\u003d"),
    "json with slashes": lambda secret: json.dumps(secret).replace("/", "\\/"),
    "json, every letter": lambda secret: "".join(f"\\u{ord(each):04X}" for each in secret),
    "repr": repr,
    "repr, every letter": lambda secret: "".join(f"\\x{byte:02x}" for byte in secret.encode()),
    "base64": lambda secret: b64encode(secret.encode()).decode(),
    "base64 without padding": lambda secret: b64encode(secret.encode()).decode().rstrip("="),
    "base64 for addresses": lambda secret: urlsafe_b64encode(secret.encode()).decode(),
    "base64 behind a byte": lambda secret: b64encode(f":{secret}".encode()).decode(),
    "base64 amid others": lambda secret: b64encode(f"me:{secret}!".encode()).decode(),
    "base64 in an address": lambda secret: quote(b64encode(f"{secret}>>".encode())),
    "hexadecimal": lambda secret: secret.encode().hex(),
    "hexadecimal in both cases": lambda secret: secret.encode().hex().replace("a", "A"),
}


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("where", ["api_key", "header", "bytes", "field"])
def test_an_echoed_credential_is_hidden_however_it_is_spelled(
    server: Server, spell: Callable[[str], str], where: str
) -> None:
    spelled = spell(ODD_SECRET)
    refuse(
        server,
        "INVALID_ARGUMENT",
        f"the key {spelled} is wrong",
        details.ErrorInfo(reason="R", metadata={"key": spelled}),
        details.DebugInfo(detail=f"got {spelled}"),
        details.RequestInfo(request_id=f"r-{spelled}"),
    )
    abort = server.generate

    def echo(request: Any, context: Context) -> Any:
        context.send_initial_metadata((("x-echo", f"key={spelled}"),))
        return abort(request, context)

    server.generate = echo
    headers: dict[str, Any] = {
        "header": [("authorization", f"Bearer {ODD_SECRET}")],
        "bytes": [("x-token-bin", ODD_SECRET.encode())],
    }
    tool = v1.Tool(parallel_ai_search={"api_key": ODD_SECRET})
    key = ODD_SECRET if where == "api_key" else None
    with Client(
        api_endpoint=server.target, insecure=True, project="p", location="l", api_key=key
    ) as client:
        error = caught(
            lambda: client.generate_content(
                "m",
                "x",
                tools=[tool] if where == "field" else (),
                metadata=headers.get(where, ()),
            )
        )
    assert error.message.startswith("the key ")
    assert error.message.endswith(" is wrong")
    assert "*" * len(ODD_SECRET) in error.message
    assert len(error.message) == len(f"the key {spelled} is wrong")
    assert len(error.details) == 3
    assert "*" * len(ODD_SECRET) in error.request_id
    assert error.__cause__ is None
    shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
    for text in shown:
        assert spelled not in text
        assert ODD_SECRET not in unquote(text)


def test_base64_shows_nothing_of_a_secret_next_to_what_is_hidden() -> None:
    for before, after in itertools.product(("", "a", "ab"), repeat=2):
        shown = {
            hide(b64encode(f"{before}{secret}{after}".encode()).decode(), [secret])
            for secret in ("hush-hush", "secret/42", "~~~~~~~~~", "\x01\x02\x03" * 3)
        }
        assert len(shown) == 1


def test_what_is_no_secret_stays() -> None:
    text = "a%20b \\u003d \\/ aHVzaA== 100% \ud800 ké"
    assert hide(text, ["hush-hush"]) == text.replace("\ud800", "\ufffd" * 3)
    data = bytes(range(256)) * 3
    assert hide_in_bytes(data, ["hush-hush", "%41%42"]) == data
    assert hide("%41%42", ["%41%42"]) == "******"


def test_secrets_inside_messages_are_found() -> None:
    message = Kinds(
        api_key="key-1",
        one_string="no-secret",
        child={"api_key": "key-2-is-longer", "children": [{"api_key": "key-3"}, {"api_key": "k"}]},
        children_by_name={"api_key": {"api_key": "key-4"}},
        secrets={"not-a-field": 5},
        colors_by_name={"x": 1},
    )
    found = secrets_in((("cookie", "biscuit"), ("other", "shown")), message)
    assert found[:2] == ("key-2-is-longer", "biscuit")
    assert sorted(found[2:]) == ["key-1", "key-3", "key-4"]
    shown = hide_in_bytes(message.SerializeToString(), [*found, "no-secret"])
    assert b"key-" not in shown
    assert Kinds.FromString(shown).one_string == "*********"


def test_an_error_names_the_kind_of_credential(server: Server) -> None:
    refuse(server, "UNAUTHENTICATED", "who are you?")
    with Client(
        api_endpoint=server.target, insecure=True, project="p", location="l", api_key="AIza-key"
    ) as client:
        error = caught(lambda: client.generate_content("m", "x"))
    assert error.credential == "api key"
    assert str(error).endswith("who are you?; the credential: api key")


def test_an_error_never_shows_the_request(server: Server, client: Client) -> None:
    deep: dict[str, Any] = {}
    for _ in range(30):
        deep = {"a": deep}
    refuse(server, "INTERNAL", "x")
    error = caught(
        lambda: client.generate_content(
            v1.GenerateContentRequest(
                model="m",
                contents=[{"parts": [{"function_call": {"name": "private", "args": deep}}]}],
            )
        )
    )
    assert "private" not in str(error) + repr(error) + repr(vars(error))


def test_a_good_end_without_a_response() -> None:
    def nothing(_request: bytes, _context: Context) -> Iterator[bytes]:
        return iter(())

    methods: dict[str, Any] = {"GenerateContent": grpc.unary_stream_rpc_method_handler(nothing)}
    service = METHOD.rpartition(".")[0]
    with ThreadPoolExecutor(1) as executor:
        running = grpc.server(executor)
        running.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
        port = running.add_insecure_port("127.0.0.1:0")
        running.start()
        with Client(
            api_endpoint=f"127.0.0.1:{port}", insecure=True, project="p", location="l", timeout=20
        ) as client:
            error = caught(lambda: client.generate_content("m", "x"))
        running.stop(None).wait()
    assert (error.code, error.message) == (
        "INTERNAL",
        "the server ended the call without a response",
    )


def test_a_secret_in_the_trailers_drops_the_cause(server: Server, client: Client) -> None:
    def abort(_request: Any, context: Context) -> Any:
        context.set_trailing_metadata((("x-echo", "Bearer hush-hush"),))
        context.abort(grpc.StatusCode.NOT_FOUND, "gone")

    server.generate = abort
    metadata = [("authorization", "Bearer hush-hush")]
    assert caught(lambda: client.generate_content("m", "x", metadata=metadata)).__cause__ is None
    assert caught(lambda: client.generate_content("m", "x")).__cause__ is not None


@pytest.mark.parametrize(
    "name",
    [
        "authorization",
        "proxy-authorization",
        "x-serverless-authorization",
        "x-goog-iap-jwt-assertion",
        "x-goog-iam-authorization-token",
        "x-goog-api-key",
        "x-api-key",
        "x-auth-token",
        "cookie",
        "set-cookie",
        "x-auth",
        "x-authentication",
        "x-goog-iap-jwt",
        "x-access-key",
        "x-session-id",
        "x-credential",
        "x-passwd",
        "x-signature",
        "x-client-secret",
        "x-tokens",
    ],
)
def test_headers_that_are_credentials(name: str) -> None:
    assert secrets_in(((name, "Bearer hush-hush "),), None)[-1] == "hush-hush"


@pytest.mark.parametrize("name", ["x-author", "x-request-id", "x-goog-user-project", "accept"])
def test_headers_that_are_none(name: str) -> None:
    assert secrets_in(((name, "shown"),), None) == ()


def test_each_value_of_a_cookie_is_a_secret() -> None:
    found = secrets_in((("cookie", 'a=b; session=hush-hush; c="quoted"'),), None)
    assert {"hush-hush", "quoted"} <= set(found)
    assert "b" not in found


def test_so_is_the_password_of_basic_authentication() -> None:
    pair = b64encode(b"user:hush:hush").decode()
    for header in (f"Basic {pair}", f"basic {pair.rstrip('=')}"):
        assert {"hush:hush", header.rpartition(" ")[2]} <= set(
            secrets_in((("authorization", header),), None)
        )
    for header in ("Basic \xe9", "Basic", "Basic A", f"Basic {b64encode(b'user').decode()}"):
        assert "" not in secrets_in((("authorization", header),), None)


@pytest.mark.parametrize("text", ["\\", "\\u00", "%25", "%", "\\x", '\\"', "%2525%"])
def test_a_megabyte_of_escapes_is_read_in_no_time(text: str) -> None:
    code = f"""
        from toolwire._client._secrets import hide

        text = {text!r} * 1_000_000
        assert hide(text, ["hush-hush"]) == text
    """
    run_code(code)  # which gives up long before a square of that is done
