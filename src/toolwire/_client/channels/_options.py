"""The options of a channel: ours, and the user's over them."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolwire._errors import UsageError
from toolwire._version import __version__
from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MEBIBYTE = 1 << 20
_SURROGATE = re.compile("[\ud800-\udfff]")
_INTEGERS = range(-(1 << 31), 1 << 31)

DEFAULT_OPTIONS: Mapping[str, object] = MappingProxyType(
    {
        "grpc.primary_user_agent": f"toolwire/{__version__}",
        # Requests with images and responses with many candidates are larger than 4 MiB.
        "grpc.max_receive_message_length": -1,
        "grpc.max_send_message_length": -1,
        # Trailers beyond gRPC's 8 KiB turn a detailed INVALID_ARGUMENT into RESOURCE_EXHAUSTED.
        "grpc.max_metadata_size": _MEBIBYTE,
        "grpc.absolute_max_metadata_size": _MEBIBYTE,
        # Retry policies of service configs are off; transparent retries of what was never
        # sent are not (grpc.enable_retries=0 would switch off those as well).
        "grpc.service_config_disable_resolution": 1,
        # Servers allow one ping in five minutes, and none while there is no call. An idle
        # connection is closed before a firewall forgets it, and opened again by the next call.
        "grpc.keepalive_time_ms": 330_000,
        "grpc.keepalive_timeout_ms": 20_000,
        "grpc.keepalive_permit_without_calls": 0,
        "grpc.client_idle_timeout_ms": 240_000,
        # After a restart of the server the next call finds it again soon.
        "grpc.initial_reconnect_backoff_ms": 200,
        "grpc.max_reconnect_backoff_ms": 10_000,
        # gRPC's SingleThreadedUnaryStream would save a tenth of the time for a chunk, and stays
        # off: with it, every stream that is left early costs 20 KB until its channel is closed.
    }
)
"""Options of every channel; the user's own go over them."""

NO_PROXY = ("grpc.enable_http_proxy", 0)
"""Option of a channel to this machine or without TLS: a proxy would read what it carries."""


def is_direct(options: Iterable[tuple[str, object]]) -> bool:
    """Tells whether options of a channel rule out the proxy of the environment."""
    return NO_PROXY in options


def merge_options(options: Iterable[tuple[str, object]]) -> tuple[tuple[str, object], ...]:
    """Returns the options of a channel.

    Args:
        options: The user's, which win.

    Raises:
        UsageError: If they are no pairs of a name and a value that gRPC takes.
    """
    try:
        own: dict[object, object] = dict(options)
    except (TypeError, ValueError):
        found = shown(options)
        raise UsageError(
            f"channel_options takes pairs of a name and a value, found {found}"
        ) from None
    merged = dict(DEFAULT_OPTIONS)
    for name, value in own.items():
        is_value = value in _INTEGERS if isinstance(value, int) else _is_text(value)
        if not isinstance(name, str) or not _is_text(name) or not is_value:
            raise UsageError(
                "channel_options takes pairs of a name and a value: a text, and a text or an "
                f"integer of 32 bits; found {name!r}"
            )
        merged[name] = value
    return tuple(merged.items())


def _is_text(value: object) -> bool:
    """Tells whether a value is bytes, or text that UTF-8 can write."""
    if isinstance(value, str):
        return _SURROGATE.search(value) is None
    return isinstance(value, bytes)
