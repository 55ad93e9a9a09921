from __future__ import annotations

import pytest

from toolwire._client.endpoints._hosts import check_location, parse_endpoint, regional_host
from toolwire.client import UsageError

DEFAULT = "aiplatform.googleapis.com"


@pytest.mark.parametrize(
    ("location", "host"),
    [
        ("us-central1", "us-central1-aiplatform.googleapis.com"),
        ("europe-west4", "europe-west4-aiplatform.googleapis.com"),
        ("antarctica-south9", "antarctica-south9-aiplatform.googleapis.com"),
        ("a" * 50, f"{'a' * 50}-aiplatform.googleapis.com"),
        ("global", "aiplatform.googleapis.com"),
        ("us", "aiplatform.us.rep.googleapis.com"),
        ("eu", "aiplatform.eu.rep.googleapis.com"),
    ],
)
def test_hosts_by_location(location: str, host: str) -> None:
    assert regional_host(DEFAULT, check_location("region", location)) == host
    assert parse_endpoint("target", host).host == host


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
        "us-",
        "a" * 51,
    ],
)
def test_what_is_no_location_never_becomes_a_host(location: str) -> None:
    with pytest.raises(UsageError, match="region takes a location such as"):
        check_location("region", location)


@pytest.mark.parametrize(
    ("text", "target", "loopback"),
    [
        ("example.com", "example.com:443", False),
        ("https://example.com", "example.com:443", False),
        ("https://example.com/", "example.com:443", False),
        ("https://example.com:8443", "example.com:8443", False),
        ("HTTPS://example.com.", "example.com.:443", False),
        ("xn--bcher-kva.example", "xn--bcher-kva.example:443", False),
        ("[fe80::1%eth0]:80", "[fe80::1%eth0]:80", False),
        ("https://[::1]:8/", "[::1]:8", True),
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
    endpoint = parse_endpoint("endpoint", text)
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
        "dns:///example.com/path",
        "dns:///one.example,two.example",
        "dns://8.8.8\n/example.com",
        "ipv4:10.0.0.1,",
        "unix:",
        "unix:/a\0b",
        "example.com?x=1",
        "-example.com",
        "example.com-",
        "a..b",
        "a.-b",
        "bücher.example",
        f"{'a' * 64}.example",
        "a." * 128,
        "h/x",
        "\t",
        "h:00443000",
        "[fe80::1%]:80",
        "[fe80::1%a b]:80",
        "[127.0.0.1]:80",
        "https://https://example.com",
    ],
)
def test_what_is_no_endpoint(text: str) -> None:
    with pytest.raises(UsageError, match="target takes host or host:port"):
        parse_endpoint("target", text)


@pytest.mark.parametrize(
    ("target", "address", "loopback"),
    [
        ("dns:///example.com:80", "example.com:80", False),
        ("dns:localhost", "localhost:443", True),
        ("dns://8.8.8.8/localhost:80", "localhost:80", False),
        ("ipv4:127.0.0.1:80,127.0.0.2:81", "127.0.0.1:80", True),
        ("ipv4:127.0.0.1:80,10.0.0.1:81", "10.0.0.1:81", False),
        ("ipv6:[::1]:80", "[::1]:80", True),
        ("unix:/tmp/socket", "localhost:443", True),
        ("unix:///tmp/socket", "localhost:443", True),
        ("unix-abstract:name", "localhost:443", True),
        ("xds:///localhost", "localhost:443", False),
    ],
)
def test_targets_of_grpc_go_to_it_as_they_are(target: str, address: str, *, loopback: bool) -> None:
    endpoint = parse_endpoint("endpoint", target)
    assert (str(endpoint), endpoint.address) == (target, address)
    assert endpoint.is_loopback is loopback
    assert parse_endpoint("endpoint", str(endpoint)) == endpoint


def test_another_target_of_grpc_points_to_a_channel() -> None:
    with pytest.raises(UsageError, match=r"dns, ipv4, ipv6, .* channel= a channel to any other"):
        parse_endpoint("target", "google-c2p:///example.com")


def test_http_points_to_insecure() -> None:
    with pytest.raises(UsageError, match="insecure=True"):
        parse_endpoint("target", "http://localhost:80")


def test_a_name_in_other_letters_points_to_ascii() -> None:
    with pytest.raises(UsageError, match="ASCII form, xn--"):
        parse_endpoint("target", "bücher.example")
