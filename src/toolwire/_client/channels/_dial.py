"""Opening channels, as the settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc

from toolwire._client import _gevent
from toolwire._client.channels._guards import guarded
from toolwire._client.channels._options import NO_PROXY
from toolwire._client.endpoints._hosts import parse_endpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._client.calls._settings import Settings

ChannelOptions = tuple[tuple[str, object], ...]


def dial(
    settings: Settings, options: ChannelOptions, interceptors: Sequence[Any], target: str
) -> grpc.Channel:
    """Opens a channel for threads.

    Args:
        settings: Say how.
        options: Options for gRPC.
        interceptors: Stand around every call.
        target: Where to.

    Raises:
        UsageError: If gRPC was not told of gevent.
    """
    _gevent.check()
    options = _for(settings, options, target)
    if settings.is_plaintext:
        return intercept(grpc.insecure_channel(target, options), interceptors)
    return intercept(grpc.secure_channel(target, _credentials(settings), options), interceptors)


def dial_async(
    settings: Settings, options: ChannelOptions, interceptors: Sequence[Any], target: str
) -> grpc.aio.Channel:
    """Opens one for the running event loop."""
    options = _for(settings, options, target)
    interceptors = guarded(interceptors)
    if settings.is_plaintext:
        return grpc.aio.insecure_channel(target, options, interceptors=interceptors)
    credentials = _credentials(settings)
    return grpc.aio.secure_channel(target, credentials, options, interceptors=interceptors)


def intercept(channel: grpc.Channel, interceptors: Sequence[Any]) -> grpc.Channel:
    """Returns a channel with interceptors around it."""
    return grpc.intercept_channel(channel, *interceptors) if interceptors else channel


def _for(settings: Settings, options: ChannelOptions, target: str) -> ChannelOptions:
    """Returns the options for a target: no proxy for what it would read, or this machine."""
    if settings.is_plaintext or parse_endpoint("target", target).is_loopback:
        return (*options, NO_PROXY)  # the first of two wins, so the user's does
    return options


def _credentials(settings: Settings) -> grpc.ChannelCredentials:
    certificate, key = settings.mtls.pair or (None, None)
    return grpc.ssl_channel_credentials(settings.root_certificates, key, certificate)
