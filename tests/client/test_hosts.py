from __future__ import annotations

import pytest

from toolwire._client._hosts import parse_endpoint, regional_host
from toolwire.client import UsageError

DEFAULT = "aiplatform.googleapis.com"


@pytest.mark.parametrize(
    ("location", "host"),
    [
        ("us-central1", "us-central1-aiplatform.googleapis.com"),
        ("europe-west4", "europe-west4-aiplatform.googleapis.com"),
        ("antarctica-south9", "antarctica-south9-aiplatform.googleapis.com"),
        ("global", "aiplatform.googleapis.com"),
        ("us", "aiplatform.us.rep.googleapis.com"),
        ("eu", "aiplatform.eu.rep.googleapis.com"),
    ],
)
def test_hosts_by_location(location: str, host: str) -> None:
    assert regional_host(DEFAULT, location) == host


@pytest.mark.parametrize(
    "location",
    [
        "",
        "US",
        "us central1",
        "evil.example.com/",
        "evil.com:443#",
        "-",
        "a/b",
        "a\n",
        "é",
        "a" * 64,
    ],
)
def test_what_is_no_location_never_becomes_a_host(location: str) -> None:
    with pytest.raises(UsageError, match="no location"):
        regional_host(DEFAULT, location)


@pytest.mark.parametrize(
    ("text", "target", "loopback"),
    [
        ("example.com", "example.com:443", False),
        ("https://example.com", "example.com:443", False),
        ("https://example.com/", "example.com:443", False),
        ("https://example.com:8443", "example.com:8443", False),
        ("localhost:50051", "localhost:50051", True),
        ("LOCALHOST", "LOCALHOST:443", True),
        ("127.0.0.1:1", "127.0.0.1:1", True),
        ("127.8.8.8:65535", "127.8.8.8:65535", True),
        ("[::1]:50051", "[::1]:50051", True),
        ("[::1]", "[::1]:443", True),
        ("::1", "[::1]:443", True),
        ("[2001:db8::1]:80", "[2001:db8::1]:80", False),
        ("10.0.0.1:80", "10.0.0.1:80", False),
        ("0.0.0.0:80", "0.0.0.0:80", False),
        ("localhost.example.com:80", "localhost.example.com:80", False),
        ("127.0.0.1.example.com", "127.0.0.1.example.com:443", False),
        ("my_service:8080", "my_service:8080", False),
    ],
)
def test_endpoints(text: str, target: str, *, loopback: bool) -> None:
    endpoint = parse_endpoint(text)
    assert str(endpoint) == target
    assert endpoint.is_loopback is loopback


@pytest.mark.parametrize(
    "text",
    [
        "https://",
        "example.com/path",
        "https://example.com/v1",
        "example.com:",
        "example.com:0",
        "example.com:65536",
        "example.com:http",
        "user@example.com",
        "user:pass@example.com",
        "a b",
        "example.com\n",
        "[::1",
        "[not-ip]:1",
        ":443",
        "dns:///example.com",
        "unix:/tmp/socket",
        "example.com?x=1",
        "-example.com",
    ],
)
def test_what_is_no_endpoint(text: str) -> None:
    with pytest.raises(UsageError, match="no endpoint"):
        parse_endpoint(text)


def test_http_points_to_insecure() -> None:
    with pytest.raises(UsageError, match="insecure=True"):
        parse_endpoint("http://localhost:80")
