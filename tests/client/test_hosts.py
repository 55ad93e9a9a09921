from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from toolwire._client.endpoints._hosts import (
    _TARGETS,  # pyright: ignore[reportPrivateUsage]
    check_location,
    parse_endpoint,
    regional_host,
)
from toolwire.client import Client, UsageError

DEFAULT = "aiplatform.googleapis.com"


# No targets, though they lead to a server that answers.
WRONG = [
    "ipv4:localhost:443",
    "ipv4:127.1:443",
    "ipv4://x/127.0.0.1:443",
    "ipv4:[::1]:443",
    "ipv6:127.0.0.1:443",
    "ipv6:localhost:443",
    "ipv6://x/[::1]:443",
    "dns://127.0.0.1/localhost:443",
    "dns://ns.example:53/localhost:443",
    "dns://a@b/localhost:443",
]


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """A server that has no methods."""
    with ThreadPoolExecutor(1) as pool:
        server = grpc.server(pool)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}"
        server.stop(None).wait()


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
        ("dns://8.8.8.8:53/localhost:80", "localhost:80", False),
        ("dns://[::1]:53/localhost:80", "localhost:80", False),
        ("DNS:localhost:80", "localhost:80", True),
        ("ipv4:///127.0.0.1:80", "127.0.0.1:80", True),
        ("ipv4:127.0.0.1:80,127.0.0.2:81", "127.0.0.1:80", True),
        ("ipv4:127.0.0.1:80,10.0.0.1:81", "10.0.0.1:81", False),
        ("ipv6:[::1]:80", "[::1]:80", True),
        ("unix:/tmp/socket", "localhost:443", True),
        ("unix:///tmp/socket", "localhost:443", True),
        ("unix:443", "localhost:443", True),
        ("unix:a%23b,%41", "localhost:443", True),
        (f"unix:%41{'x' * 106}", "localhost:443", True),
        ("unix-abstract:name", "localhost:443", True),
        ("unix-abstract:00443", "localhost:443", True),
        ("xds:///localhost", "localhost:443", False),
        ("XDS:localhost", "localhost:443", False),
    ],
)
def test_targets_of_grpc_go_to_it_as_they_are(target: str, address: str, *, loopback: bool) -> None:
    endpoint = parse_endpoint("endpoint", target)
    assert (str(endpoint), endpoint.address) == (target, address)
    assert endpoint.is_loopback is loopback
    assert parse_endpoint("endpoint", str(endpoint)) == endpoint


@pytest.mark.parametrize(
    "target",
    [
        "ipv4:",
        "ipv4:10.0.0.1",
        "ipv4:443",
        "ipv4:10.0.0.1:443,10.0.0.2",
        "ipv4:10.0.0.1:https",
        "ipv6:",
        "ipv6:[::1]",
        "ipv6:::1",
        "ipv6:[::1",
        "ipv6:443",
        "dns:",
        "dns:/",
        "dns://",
        "dns::443",
        "dns://8.8.8.8",
        "unix:",
        "unix://",
        "unix://host/path",
        "unix://localhost/path",
        f"unix:{'x' * 108}",
        f"unix:%41{'x' * 107}",
        f"unix:a,{'x' * 108}",
        "unix:a%00b",
        "unix:a?b",
        "unix:a#b",
        "unix-abstract:",
        "unix-abstract://name",
        "unix-abstract://host/name",
        f"unix-abstract:{'x' * 108}",
        "xds:",
        *WRONG,
    ],
)
def test_what_grpc_would_never_take_for_a_target_is_said_at_once(target: str) -> None:
    scheme = target.partition(":")[0]
    with pytest.raises(UsageError) as caught:
        Client(api_endpoint=target, project="p", location="l", api_key="k")
    text = str(caught.value)
    assert text.startswith("api_endpoint takes host or host:port, or a target of gRPC's, found '")
    assert f"; behind {scheme}: gRPC takes a" in text
    assert f": {scheme}:" in text  # what would be right


@pytest.mark.parametrize(
    ("target", "is_right"),
    [
        ("ipv4:127.0.0.1:443", True),
        ("ipv4:///127.0.0.1:443", True),
        ("IPV4:127.0.0.1:443", True),
        ("dns:localhost:443", True),
        ("dns:///localhost:443", True),
        *((target, False) for target in WRONG),
    ],
)
def test_what_is_no_target_to_us_is_none_to_grpc(
    served: str, target: str, *, is_right: bool
) -> None:
    port = served.rpartition(":")[2]
    options = [("grpc.enable_http_proxy", 0)]
    with grpc.insecure_channel(target.replace("443", port), options) as channel:
        made: Any = channel
        method = made.unary_unary("/any/Any")
        call = method.future(b"", timeout=10.0)
        has_answered = call.code() is grpc.StatusCode.UNIMPLEMENTED
    assert has_answered is is_right


def test_examples_in_errors_are_right() -> None:
    for scheme, said in _TARGETS.items():
        examples = re.findall(rf"{scheme}:[^ ,]+(?:,[^ ,]+:[0-9]+)?", said)
        assert examples, scheme
        for example in examples:
            target = example.replace("host:port", "host:443")
            assert str(parse_endpoint("target", target)) == target


@pytest.mark.parametrize("scheme", ["dns", "ipv4", "ipv6", "xds", "DNS"])
def test_a_port_behind_a_scheme_names_no_host(scheme: str) -> None:
    with pytest.raises(UsageError, match=f"a host of that name is dns:///{scheme}:443$"):
        parse_endpoint("target", f"{scheme}:443")


@pytest.mark.parametrize("text", ["dns", "https://dns", "https://dns:443", "https://dns:443/"])
def test_a_host_called_like_a_scheme_goes_to_grpc_as_a_host(text: str) -> None:
    endpoint = parse_endpoint("target", text)
    assert (endpoint.host, endpoint.address) == ("dns", "dns:443")
    assert str(endpoint) == "dns:///dns:443"
    assert parse_endpoint("target", str(endpoint)).host == "dns"


def test_another_target_of_grpc_points_to_a_channel() -> None:
    with pytest.raises(UsageError, match=r"dns, ipv4, ipv6, .* channel= a channel to any other"):
        parse_endpoint("target", "google-c2p:///example.com")


def test_http_points_to_insecure() -> None:
    with pytest.raises(UsageError, match="insecure=True"):
        parse_endpoint("target", "http://localhost:80")


def test_a_name_in_other_letters_points_to_ascii() -> None:
    with pytest.raises(UsageError, match="ASCII form, xn--"):
        parse_endpoint("target", "bücher.example")
