"""Small gRPC servers on loopback that do what a test tells them, and remember what they saw."""

from __future__ import annotations

import contextlib
import datetime as dt
import ipaddress
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from toolwire import v1

PACKAGE = "google.cloud.aiplatform.v1"


class Pair(NamedTuple):
    """A self-signed certificate and its key, as PEM."""

    certificate: bytes
    key: bytes


def make_certificate(host: str = "localhost", *, is_expired: bool = False) -> Pair:
    """Makes a certificate for a host; for localhost also for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = dt.datetime.now(dt.timezone.utc) - dt.timedelta(days=2 if is_expired else 0)
    names: list[x509.GeneralName] = [x509.DNSName(host)]
    if host == "localhost":
        names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    return Pair(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )


@dataclass(frozen=True)
class Seen:
    """One call as the server saw it."""

    method: str
    request: Any
    headers: Sequence[tuple[str, str | bytes]]
    seconds: float

    def header(self, name: str) -> str | bytes | None:
        """Returns a header's value if it stands there once, and None if it is not there."""
        values = [value for key, value in self.headers if key == name]
        assert len(values) <= 1
        return values[0] if values else None


Context = grpc.ServicerContext
Respond = Callable[[Any, Context], bytes]
RespondAll = Callable[[Any, Context], Iterable[bytes]]


def chunk(text: str = "ok") -> bytes:
    """Returns an encoded response with a text."""
    return v1.GenerateContentResponse(
        candidates=[{"content": {"role": "model", "parts": [{"text": text}]}}]
    ).SerializeToString()


def text_of(response: v1.GenerateContentResponse) -> str:
    """Returns the text of a response."""
    return "".join(part.text for part in response.candidates[0].content.parts)


@dataclass
class Server:
    """What a test server does, and what it saw. A test replaces the functions."""

    generate: Respond = lambda _request, _context: chunk()
    stream: RespondAll = lambda _request, _context: [chunk("a"), chunk("b"), chunk("c")]
    count: Respond = lambda _request, _context: v1.CountTokensResponse(
        total_tokens=7
    ).SerializeToString()
    seen: list[Seen] = field(default_factory=list[Seen])
    peers: set[str] = field(default_factory=set[str])
    target: str = ""

    def last(self) -> Seen:
        """Returns the last call."""
        return self.seen[-1]

    def _note(self, method: str, request: Any, context: Context) -> None:
        metadata: Any = context.invocation_metadata()
        headers = tuple((key, value) for key, value in metadata)
        self.seen.append(Seen(method, request, headers, context.time_remaining() or 0.0))
        self.peers.add(context.peer())

    def handlers(self) -> tuple[grpc.GenericRpcHandler, ...]:
        """Returns what a gRPC server needs to know; responses are bytes, so they may be bad."""

        def generate(request: v1.GenerateContentRequest, context: Context) -> bytes:
            self._note("GenerateContent", request, context)
            return self.generate(request, context)

        def stream(request: v1.GenerateContentRequest, context: Context) -> Iterator[bytes]:
            self._note("StreamGenerateContent", request, context)
            yield from self.stream(request, context)

        def count(request: v1.CountTokensRequest, context: Context) -> bytes:
            self._note("CountTokens", request, context)
            return self.count(request, context)

        read = v1.GenerateContentRequest.FromString
        return (
            grpc.method_handlers_generic_handler(
                f"{PACKAGE}.PredictionService",
                {
                    "GenerateContent": grpc.unary_unary_rpc_method_handler(generate, read),
                    "StreamGenerateContent": grpc.unary_stream_rpc_method_handler(stream, read),
                },
            ),
            grpc.method_handlers_generic_handler(
                f"{PACKAGE}.LlmUtilityService",
                {
                    "CountTokens": grpc.unary_unary_rpc_method_handler(
                        count, v1.CountTokensRequest.FromString
                    )
                },
            ),
        )


@contextlib.contextmanager
def serve(
    pair: Pair | None = None, port: int = 0, clients: bytes | None = None
) -> Generator[Server]:
    """Runs a server on loopback, with TLS if it gets a certificate.

    Args:
        pair: The certificate.
        port: Where to listen.
        clients: Who has to have signed the certificate that a client must show then.
    """
    told = Server()
    options = (
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", -1),
        ("grpc.server.max_pending_requests", 10_000),  # beyond 1,000 it begins to cancel some
        ("grpc.server.max_pending_requests_hard_limit", 10_000),
        ("grpc.max_metadata_size", 1 << 20),
        ("grpc.absolute_max_metadata_size", 1 << 20),
    )
    with ThreadPoolExecutor(8) as executor:
        server = grpc.server(executor, options=options)
        server.add_generic_rpc_handlers(told.handlers())
        address = f"127.0.0.1:{port}"
        if pair is None:
            bound = server.add_insecure_port(address)
        else:
            credentials = grpc.ssl_server_credentials(
                [(pair.key, pair.certificate)], clients, clients is not None
            )
            bound = server.add_secure_port(address, credentials)
        told.target = f"127.0.0.1:{bound}"
        server.start()
        try:
            yield told
        finally:
            server.stop(None).wait()
