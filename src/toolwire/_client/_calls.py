"""Calls over gRPC that block: none of gRPC's own errors gets out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client._identity import About, IdentityError
from toolwire._client._interceptors import as_stream
from toolwire._client._prepared import Prepared
from toolwire._client._rpc_errors import CLOSED, UNDER_WAY, explain, is_closed
from toolwire._client._stream import Stream
from toolwire._errors import UsageError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from toolwire._call_errors import CallError
    from toolwire._client._core import Core
    from toolwire._client._lines import Line, Lines
    from toolwire._client._methods import Method
    from toolwire._client._prepared import Options
    from toolwire._client._retry import Retrying
    from toolwire._client._stream import RawStream

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)


class Caller:
    """Makes the calls of one client."""

    def __init__(self, core: Core, lines: Lines[grpc.Channel], retrying: Retrying) -> None:
        """Binds what decides about calls to what carries them.

        Args:
            core: Decides where they go and what they carry.
            lines: Has the channels.
            retrying: Decides whether they are made again.
        """
        self._core = core
        self._lines = lines
        self.retrying = retrying
        self.sleep: Callable[[float], object] | None = None  # in place of a real wait

    def call(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> R:
        """Makes a call with one response and waits for it.

        Args:
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the call fails.
        """
        prepared, line = self.prepare(method, given, fields, options)
        while True:
            try:
                data = line.call(prepared.data, timeout=prepared.left(), metadata=prepared.headers)
            except grpc.RpcError as error:
                failure = explain(prepared, error)
            except ValueError as error:  # all that gRPC raises once its headers are good
                if not is_closed(error):
                    raise  # of an interceptor
                raise UsageError(CLOSED) from None
            else:
                response = prepared.decode(data)
                prepared.end()
                return response
            try:
                self.go_on(prepared, failure)
            finally:
                del failure  # which refers to this frame

    def prepare(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> tuple[Prepared[Q, R], Line]:
        """Returns a call that is ready to be made, and what to make it with.

        Args:
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the credential cannot be had.
        """
        prepared = Prepared(self._core, self.retrying, method, given, fields, options=options)
        line = self._lines.find(method, prepared.name)
        if line is None:
            route = self._core.route(method, prepared.name, self._about(prepared))
            line = self._lines.connect(method, prepared.name, route)
        prepared.aim(line.route)
        self._sign(prepared)
        return prepared, line

    def start(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> Stream[R]:
        """Begins a call with a stream of responses.

        Args:
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the credential cannot be had.
        """
        prepared, line = self.prepare(method, given, fields, options)

        def begin() -> RawStream:
            try:
                call: RawStream = as_stream(
                    line.call(prepared.data, timeout=prepared.left(), metadata=prepared.headers)
                )
            except ValueError as error:
                if not is_closed(error):
                    raise
            else:
                return call
            raise UsageError(CLOSED)

        return Stream(begin, prepared, self.go_on)

    def go_on(
        self,
        prepared: Prepared[Any, Any],
        failure: CallError,
        left: threading.Event | None = None,
    ) -> None:
        """Returns when it is time to try again; where there is no use, raises the failure.

        Args:
            prepared: The call.
            failure: What became of it.
            left: Is set if the call is given up meanwhile.

        Raises:
            CallError: The failure, or another one from preparing the next try.
        """
        try:
            if prepared.wants_new_token(failure):
                identity, route = self._core.settings.identity, prepared.route
                if not identity.renew(prepared.headers, route.url, prepared.left()):
                    raise prepared.ended(failure)
            else:
                delay = prepared.again(failure)
                if delay < 0.0:
                    raise prepared.ended(failure)
                if self._wait(delay, left):
                    raise prepared.cancelled(UNDER_WAY)
        finally:
            del failure  # which refers to this frame
        self._sign(prepared)

    def _wait(self, seconds: float, left: threading.Event | None) -> bool:
        """Waits, and tells whether the call was given up meanwhile, or the client closed."""
        if self.sleep is not None:
            self.sleep(seconds)
            return False
        return self._lines.wait(seconds, left)

    def _about(self, prepared: Prepared[Q, R]) -> About:
        if not self._core.wants_about(prepared.method, prepared.name):
            return About()
        try:
            return self._core.settings.identity.about(prepared.left())
        except IdentityError as error:
            failure = prepared.refuse(error)
        raise failure

    def _sign(self, prepared: Prepared[Q, R]) -> None:
        route = prepared.route
        identity = self._core.settings.identity
        try:
            prepared.sign(identity.sign(route.headers, route.url, prepared.left()))
        except IdentityError as error:
            failure = prepared.refuse(error)
        else:
            return
        raise failure
