"""A TCP proxy on loopback that cuts, delays, corrupts and swallows what passes through it."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

_CHUNK = 1 << 16
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends RST


def _pass(data: bytes) -> bytes:
    return data


@dataclass
class Proxy:
    """What the proxy does. A test changes it while connections are open.

    Attributes:
        upstream: The port that it leads to.
        port: Its own port.
        delay: Seconds that each piece of the answer is held back.
        change: Changes each piece of the answer.
        quota: Bytes of the answer that still pass before all connections are cut; None for all.
        is_swallowing: Whether everything disappears in both directions.
    """

    upstream: int
    port: int = 0
    delay: float = 0.0
    change: Callable[[bytes], bytes] = _pass
    quota: int | None = None
    is_swallowing: bool = False
    passed: int = 0
    accepted: int = 0
    _pairs: list[tuple[socket.socket, socket.socket]] = field(
        default_factory=list[tuple[socket.socket, socket.socket]]
    )

    @property
    def target(self) -> str:
        """Where to connect."""
        return f"127.0.0.1:{self.port}"

    def cut(self, *, reset: bool = True) -> None:
        """Ends every connection, by RST as a killed program does, or by FIN."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for side in pair:
                with contextlib.suppress(OSError):
                    if reset:
                        side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                    side.shutdown(socket.SHUT_RD)  # wakes the thread that reads it
                with contextlib.suppress(OSError):
                    side.close()

    def stop_answering(self) -> None:
        """Closes the answer's direction, and goes on taking what comes: half-open."""
        for client, _ in self._pairs:
            client.shutdown(socket.SHUT_WR)

    def serve(self, client: socket.socket) -> None:
        """Joins a new connection to one upstream."""
        try:
            server = socket.create_connection(("127.0.0.1", self.upstream), timeout=10)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        self.accepted += 1
        self._pairs.append((client, server))
        for source, sink, is_answer in ((client, server, False), (server, client, True)):
            threading.Thread(target=self._pump, args=(source, sink, is_answer), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                if self.is_swallowing:
                    continue
                if is_answer:
                    time.sleep(self.delay)
                    data = self.change(data)
                    if self.quota is not None and len(data) >= self.quota:
                        sink.sendall(data[: self.quota])
                        self.quota = None
                        time.sleep(0.02)  # what was sent is to arrive before the RST
                        self.cut()
                        return
                    if self.quota is not None:
                        self.quota -= len(data)
                    self.passed += len(data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def proxy(target: str) -> Generator[Proxy]:
    """Runs a proxy to a target on loopback."""
    running = Proxy(int(target.rpartition(":")[2]))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running.port = listener.getsockname()[1]

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    running.serve(listener.accept()[0])

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield running
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)
            running.cut()
