"""Calls over gRPC that block: none of gRPC's own errors gets out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client.calls._prepared import Prepared
from toolwire._client.channels._interceptors import LEFT, as_stream
from toolwire._client.channels._rpc_errors import (
    CLOSED,
    FAULTS,
    NO_THREAD,
    UNDER_WAY,
    explain,
    is_closed,
    is_threadless,
    read_fault,
)
from toolwire._client.credentials._identity import About, IdentityError
from toolwire._client.errors._retry import check_told
from toolwire._errors import UsageError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from toolwire._call_errors import CallError
    from toolwire._client.calls._core import Core
    from toolwire._client.calls._prepared import Options
    from toolwire._client.channels._interceptors import RawStream
    from toolwire._client.channels._lines import Line, Lines
    from toolwire._client.errors._retry import Retrying
    from toolwire._client.requests._methods import Method

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
        return prepared.finish(self._answer(prepared, line.call))

    def call_with(self, method: Method[Q, R], request: object, options: Options) -> tuple[R, Any]:
        """Returns the response and the call of gRPC's that gave it; all else is as for ``call``."""
        prepared, line = self.prepare(method, (request,), {}, options)
        data, call = self._answer(prepared, line.call.with_call)
        return prepared.finish(data), call

    def _answer(self, prepared: Prepared[Any, Any], make: Callable[..., Any]) -> Any:
        """Makes a call until there is an answer, and returns that."""
        try:
            while True:
                try:
                    return make(prepared.data, timeout=prepared.left(), metadata=prepared.headers)
                except grpc.RpcError as error:
                    failure = explain(prepared, error)
                except FAULTS as error:
                    failure = explain(prepared, read_fault(error))
                try:
                    self.go_on(prepared, failure)
                finally:
                    del failure  # which refers to this frame
        except BaseException:  # an interrupt, or an interceptor's own: it is given up here
            prepared.end("CANCELLED")
            raise

    def prepare(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> tuple[Prepared[Q, R], Line]:
        """Returns a call that is ready to be made, and what to make it with.

        The arguments are those of ``call``.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the credential cannot be had.
        """
        prepared = Prepared(self._core, self.retrying, method, given, fields, options=options)
        line = self._lines.find(method, prepared.name)
        if line is None:
            line = self._connect(prepared)
        prepared.aim(line.route)
        self._sign(prepared)
        return prepared, line

    def begin(self, line: Line, prepared: Prepared[Any, Any], sent: Any) -> RawStream:
        """Begins a call whose messages are read one by one.

        Args:
            line: What to make it with.
            prepared: The call.
            sent: The request, or what gives them.

        Raises:
            UsageError: If the client is closed.
        """
        if prepared.method.sends_many:
            sent = map(prepared.send, sent)
        try:
            call = as_stream(line.call(sent, timeout=prepared.left(), metadata=prepared.headers))
        except ValueError as error:
            if not is_closed(error):
                raise
        except RuntimeError as error:
            if not is_threadless(error):
                raise
            raise self.abandon(prepared) from None
        else:
            return call
        raise UsageError(CLOSED)

    def abandon(self, prepared: Prepared[Any, Any]) -> CallError:
        """Returns what a stream ends with for which there was no thread, and has no other wait."""
        self._lines.abandon(prepared.route)
        return prepared.ended(prepared.site().fail("UNAVAILABLE", NO_THREAD))

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
                retry = prepared.again(failure)
                if retry is None:
                    raise prepared.ended(failure)
                try:
                    check_told(self.retrying.tell(retry))
                except BaseException:
                    prepared.end(failure.code)
                    raise
                delay = min(retry.delay, prepared.left())  # of which on_retry may have left little
                if self._wait(delay, left):
                    raise prepared.cancelled(UNDER_WAY if self._lines.is_closed else LEFT)
        finally:
            del failure  # which refers to this frame
        self._sign(prepared)

    def _wait(self, seconds: float, left: threading.Event | None) -> bool:
        """Waits, and tells whether the call was given up meanwhile, or the client closed."""
        if self.sleep is not None:
            self.sleep(seconds)
            return False
        return self._lines.wait(seconds, left)

    def _connect(self, prepared: Prepared[Q, R]) -> Line:
        core, method, name = self._core, prepared.method, prepared.name
        about = About()
        self._lines.check_open()
        try:
            if core.wants_about(method, name):
                about = core.settings.identity.about(prepared.left())
            route = core.route(method, name, about)
            if not self._lines.has_channel(route):
                core.settings.mtls.load(prepared.left())
        except IdentityError as error:
            failure = prepared.refuse(error)
        else:
            self._check_meanwhile(prepared)
            return self._lines.connect(method, name, route)
        raise failure

    def _sign(self, prepared: Prepared[Q, R]) -> None:
        route = prepared.route
        identity = self._core.settings.identity
        try:
            prepared.sign(identity.sign(route.headers, route.url, prepared.left()))
        except IdentityError as error:
            failure = prepared.refuse(error)
        else:
            self._check_meanwhile(prepared)
            return
        raise failure

    def _check_meanwhile(self, prepared: Prepared[Any, Any]) -> None:
        """Sees to it that the client was not closed while a credential was waited for."""
        if self._lines.is_closed:
            raise prepared.cancelled(UNDER_WAY)
