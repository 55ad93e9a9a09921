"""An OAuth token server on loopback, and credentials of google.auth that ask it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

EMAIL = "robot@some-project.iam.gserviceaccount.com"


@dataclass
class TokenServer:
    """What the server answers, and what it was asked. A test changes the answer."""

    status: int = 200
    answer: dict[str, Any] = field(
        default_factory=lambda: {
            "access_token": "token-of-the-server",
            "expires_in": 3600,
            "token_type": "Bearer",
        }
    )
    headers: dict[str, str] = field(default_factory=dict[str, str])
    asked: list[str] = field(default_factory=list[str])
    may_answer: threading.Event = field(default_factory=threading.Event)
    url: str = ""


@contextlib.contextmanager
def token_server() -> Generator[TokenServer]:
    """Runs a token server; it answers at once unless a test clears ``may_answer``."""
    told = TokenServer()
    told.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            told.may_answer.wait(30)
            body = json.dumps(told.answer).encode()
            with contextlib.suppress(OSError):  # the client may have left
                self.send_response(told.status)
                self.send_header("Content-Length", str(len(body)))
                for name, value in told.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        told.url = f"http://127.0.0.1:{server.server_port}/token"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield told
        finally:
            told.may_answer.set()
            server.shutdown()
            thread.join()


def service_account_file(folder: Path, server: TokenServer) -> Path:
    """Writes the file of a service account whose tokens the server gives out."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    path = folder / "service-account.json"
    path.write_text(
        json.dumps(
            {
                "type": "service_account",
                "project_id": "some-project",
                "private_key_id": "id",
                "private_key": key.private_bytes(
                    serialization.Encoding.PEM,
                    serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption(),
                ).decode(),
                "client_email": EMAIL,
                "token_uri": server.url,
            }
        )
    )
    return path
