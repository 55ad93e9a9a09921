"""Which proxy gRPC goes through, as its own rules say: so that an error can name it."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

_VARIABLES = ("grpc_proxy", "https_proxy", "http_proxy")
"""In gRPC's order. It reads them in lower case alone; the first that is set decides."""

_EXCEPTIONS = ("no_grpc_proxy", "no_proxy")


def describe_proxy(host: str) -> str:
    """Returns the variable that sends calls to a host through a proxy, and where; empty for none.

    What else the variable holds, such as a password, is not shown.

    Args:
        host: A name or an IP address.
    """
    variable = next((name for name in _VARIABLES if name in os.environ), "")
    listed = next((os.environ[name] for name in _EXCEPTIONS if name in os.environ), "")
    try:
        proxy = urlsplit(os.environ.get(variable, ""))
        port = proxy.port
    except ValueError:
        return ""
    is_exception = any(_is_in(host, entry.strip()) for entry in listed.split(","))
    if proxy.scheme != "http" or not proxy.hostname or is_exception:  # gRPC takes no other
        return ""
    where = f"[{proxy.hostname}]" if ":" in proxy.hostname else proxy.hostname
    return f"{variable}, {where}" if port is None else f"{variable}, {where}:{port}"


def _is_in(host: str, entry: str) -> bool:
    """Tells whether an entry means a host: by the end of its name, or as a range of addresses."""
    if entry and host.endswith(entry):
        return True
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False
