"""HTTP for google.auth, which fetches tokens with whatever it is handed: here, urllib."""

# google.auth has no annotations here.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.auth import exceptions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from email.message import Message

_MOST_SECONDS = 30.0
_MOST_BYTES = 1 << 20  # of an answer; no token comes near
_LEAST_SECONDS = 0.001  # zero would mean not to wait at all, and fail


class NoAnswerError(exceptions.TransportError):
    """No answer came. What it says holds nothing of what was sent or received."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """What google.auth reads of an answer.

    Attributes:
        status: The status code.
        headers: The headers, found in whatever case.
        data: The body.
    """

    status: int
    headers: Message[str, str]
    data: bytes


@dataclass(slots=True)
class HttpRequest:
    """Makes requests, as google.auth's own adapters for requests and urllib3 do.

    Attributes:
        status: The status code of the last answer; None if there was none.
    """

    status: int | None = None

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **options: object,
    ) -> HttpResponse:
        """Makes one request.

        Args:
            url: Where to.
            method: The HTTP method.
            body: What to send.
            headers: Headers.
            timeout: Seconds to wait for the other side, if less than 30.
            **options: What only the adapter for requests understands, such as ``cert``.

        Raises:
            NoAnswerError: If no answer came, or one of more than a mebibyte, or an option is set.
        """
        if not url.startswith(("https://", "http://")):
            raise NoAnswerError("only https and http addresses are asked for tokens")
        wanted = [name for name, value in options.items() if value is not None]
        if wanted:
            raise NoAnswerError(f"no support for {', '.join(wanted)} here")
        data = body.encode() if isinstance(body, str) else body
        seconds = _MOST_SECONDS if timeout is None else min(_MOST_SECONDS, timeout)
        try:
            request = urllib.request.Request(  # noqa: S310 - google.auth names the address
                url, data=data, headers=dict(headers or {}), method=method
            )
            with _opener(url).open(request, timeout=max(seconds, _LEAST_SECONDS)) as answer:
                response = HttpResponse(answer.status, answer.headers, _read(answer))
        except urllib.error.HTTPError as error:
            with error:
                response = HttpResponse(error.code, error.headers, _read(error))
        except OSError as error:
            raise NoAnswerError(str(error)) from None
        except (http.client.HTTPException, ValueError) as error:  # which show what was received
            raise NoAnswerError(f"no HTTP answer ({type(error).__name__})") from None
        self.status = response.status
        return response


def _read(answer: http.client.HTTPResponse | urllib.error.HTTPError) -> bytes:
    data = answer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise NoAnswerError("the answer of the token server is larger than a mebibyte")
    return data + answer.read()  # nothing, or the error for an answer that broke off


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: what is sent to a token server is meant for nobody else."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Returns no request to go on with, so that the redirect itself is the answer."""


def _opener(url: str) -> urllib.request.OpenerDirector:
    """Returns what opens the address: a metadata server on this host's own link has no proxy."""
    if url.startswith("http://"):
        return urllib.request.build_opener(_StayHere, urllib.request.ProxyHandler({}))
    return urllib.request.build_opener(_StayHere)
