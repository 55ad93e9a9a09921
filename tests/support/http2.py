"""A server that speaks just enough HTTP/2 to answer a gRPC call in ways that no library would."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Generator, Iterable

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY = 0, 1, 3, 4, 6, 7
END_STREAM = ACK = 1
END_HEADERS = 4

OK = ((":status", "200"), ("content-type", "application/grpc"))


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    """Returns one frame."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def headers(
    stream: int, pairs: Iterable[tuple[str, str | bytes]], *, is_last: bool = False
) -> bytes:
    """Returns headers, or trailers, each a literal that nobody has to remember."""
    block = b""
    for name, value in pairs:
        raw = value if isinstance(value, bytes) else value.encode()
        block += b"\x00" + _text(name.encode()) + _text(raw)
    return frame(HEADERS, END_HEADERS | (END_STREAM if is_last else 0), stream, block)


def message(stream: int, data: bytes, *, is_last: bool = False) -> bytes:
    """Returns one gRPC message."""
    body = struct.pack(">BI", 0, len(data)) + data
    return frame(DATA, END_STREAM if is_last else 0, stream, body)


def goaway(last: int, code: int = 0) -> bytes:
    """Returns what a server says before it leaves."""
    return frame(GOAWAY, payload=struct.pack(">II", last, code))


def _text(data: bytes) -> bytes:
    if len(data) < 127:
        return bytes((len(data),)) + data
    rest, length = len(data) - 127, b"\x7f"
    while rest >= 128:
        length += bytes((rest % 128 | 128,))
        rest //= 128
    return length + bytes((rest,)) + data


Answer = Callable[[int], bytes | None]
"""From the number of a stream to what is sent when its request is complete; None hangs up."""


class Http2Server:
    """Answers every request with the bytes that a test wants.

    Attributes:
        answer: Makes them.
        calls: How many requests came.
        port: Where it listens.
    """

    def __init__(self) -> None:
        self.answer: Answer = lambda _stream: None
        self.calls = 0
        self.port = 0

    @property
    def target(self) -> str:
        """Where to connect."""
        return f"127.0.0.1:{self.port}"

    def serve(self, connection: socket.socket) -> None:
        """Speaks with one client until it leaves."""
        with contextlib.suppress(OSError, struct.error), connection:
            reader = connection.makefile("rb")
            if reader.read(len(PREFACE)) != PREFACE:
                return
            connection.sendall(frame(SETTINGS))
            while head := reader.read(9):
                length = int.from_bytes(head[:3], "big")
                kind, flags, stream = struct.unpack(">BBI", head[3:])
                payload = reader.read(length)
                if kind in {SETTINGS, PING} and not flags & ACK:
                    connection.sendall(frame(kind, ACK, 0, payload if kind == PING else b""))
                elif kind in {DATA, HEADERS} and flags & END_STREAM:
                    self.calls += 1
                    data = self.answer(stream)
                    if data is None:
                        return
                    connection.sendall(data)


@contextlib.contextmanager
def http2_server() -> Generator[Http2Server]:
    """Runs such a server on loopback."""
    running = Http2Server()
    open_ones: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running.port = listener.getsockname()[1]

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection = listener.accept()[0]
                    open_ones.append(connection)
                    threading.Thread(target=running.serve, args=(connection,), daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield running
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)
            for connection in open_ones:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()
