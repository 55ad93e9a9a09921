"""Where a call goes and what it carries: the part that every transport shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from google.protobuf.message import Message

from toolwire._client._headers import api_client, request_params
from toolwire._client._secrets import secrets_in
from toolwire._client.calls._settings import (
    LOCATION_VARIABLE,
    PROJECT_VARIABLE,
    UNIVERSE_VARIABLE,
    check_plaintext,
    check_project,
)
from toolwire._client.credentials._identity import About, Fixed
from toolwire._client.endpoints._hosts import (
    DEFAULT_UNIVERSE,
    Endpoint,
    check_location,
    check_universe,
    regional_host,
    universal_host,
)
from toolwire._client.endpoints._proxy import describe_proxy
from toolwire._client.errors._failures import MAY_WANT_CERTIFICATE, MAY_WANT_TLS, Site
from toolwire._client.requests._inputs import read_path
from toolwire._client.requests._masks import complete_mask
from toolwire._errors import UsageError
from toolwire._resource_names import Spelled, location_of, parent_of, read_name
from toolwire._rpc import is_parent

if TYPE_CHECKING:
    from toolwire._client._headers import Header, Headers
    from toolwire._client.calls._settings import Settings
    from toolwire._client.requests._inputs import Draft
    from toolwire._client.requests._methods import Method

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)


_SOME = About(project="some")  # stands for whatever a credential may say


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """Where a method's calls for one model go.

    Attributes:
        name: Full resource name of the model.
        endpoint: Where the calls go; None with a ready channel, which alone knows.
        url: The service there, for tokens that are made out to one.
        headers: What every call carries, but for the credential.
    """

    name: str
    endpoint: Endpoint | None
    url: str
    headers: Headers


class Core:
    """Decides where calls go, and makes up what they carry."""

    def __init__(
        self, settings: Settings, transport: str, *, has_channel: bool, is_direct: bool
    ) -> None:
        """Takes the settings over.

        Args:
            settings: What the client was told.
            transport: Name and version of what carries the calls, such as ``grpc/1.76.0``.
            has_channel: Whether a ready channel decides where they go.
            is_direct: Whether no proxy of the environment is used.
        """
        self.settings = settings
        self.has_worked = False  # whether a server has ever answered
        self._has_channel = has_channel
        self._is_direct = is_direct
        self._headers: Headers = (("x-goog-api-client", api_client(transport)),)
        if settings.quota_project is not None:
            self._headers += (("x-goog-user-project", settings.quota_project),)

    def describe(self) -> str:
        """Returns where and as whom calls are made, for a repr; nothing is looked up for it."""
        settings = self.settings
        where: dict[str, object] = {
            "api": settings.api.name,
            "project": settings.project,
            "location": settings.location or settings.default_location,
            "endpoint": "a ready channel" if self._has_channel else _text(settings.endpoint),
            "insecure": settings.is_plaintext,
            "universe_domain": settings.universe,
            "client_certificate": settings.mtls.source is not None,
            "quota_project": settings.quota_project,
            "credential": settings.identity.describe(),
        }
        return ", ".join(f"{key}={value!r}" for key, value in where.items() if value)

    def wants_about(self, method: Method[Q, R], name: str) -> bool:
        """Tells whether a route depends on what the credential says of itself.

        To look may take long, so that what is wrong with it in any case is said before.

        Args:
            method: The method.
            name: Whatever the method's first routing field holds, full or short.

        Raises:
            UsageError: If the name is none, or lacks a location, or lies elsewhere.
        """
        settings = self.settings
        if not isinstance(settings.identity, Fixed):
            self.route(method, name, _SOME)
        spelled = _read(method, name) if method.target else None
        if not self._has_channel and settings.endpoint is None:
            return True  # its universe decides about the host
        if spelled is None or spelled.is_full or settings.project is not None:
            return False
        return spelled.needs_parent or not settings.may_omit_project

    def route(self, method: Method[Q, R], name: str, about: About = About()) -> Route:  # noqa: B008
        """Finds out where calls for a model go.

        Args:
            method: The method.
            name: The model, or whatever the method's first routing field holds, full or short.
            about: What the credential says of itself, where that is wanted.

        Raises:
            UsageError: If the name is none, or lacks a project or location, or lies elsewhere.
        """
        headers = self._headers
        full = ""
        if method.target:
            spelled = _read(method, name)
            full = (
                spelled.name if spelled.is_full else self._complete(method, spelled, about.project)
            )
            routing: Header = ("x-goog-request-params", request_params([(method.target, full)]))
            headers = (routing, *headers)
        endpoint = self._endpoint(method, full, about.universe)
        host = "localhost" if endpoint is None else endpoint.address.removesuffix(":443")
        return Route(full, endpoint, f"https://{host}/{method.service}", headers)

    def prepare(self, method: Method[Q, R], route: Route, draft: Draft[Q]) -> Q:
        """Returns a request with full resource names in it.

        Args:
            method: The method.
            route: The route of the request.
            draft: The request. One of the caller's is copied if it has to be changed.

        Raises:
            UsageError: If another resource's name is none, or lies in another location.
        """
        request = draft.request
        changes = self._changes(method, route, draft)
        inner = [field for field in method.inner if _is_set(request, field)]
        if not changes and not inner and method.mask is None:
            return request
        if not draft.is_ours:
            copy = method.request()
            copy.CopyFrom(request)
            request = copy
        for path, name in changes:
            _write(request, path, name)
        for field in inner:
            value = getattr(request, field)
            for each in (value,) if isinstance(value, Message) else value:
                self._name_inner(method, each, route)
        if method.mask is not None:
            complete_mask(request, *method.mask)
        return request

    def encode(self, method: Method[Q, R], route: Route, draft: Draft[Q]) -> bytes:
        """Returns a request with full resource names in it, encoded.

        Args:
            method: The method.
            route: The route of the request.
            draft: The request.

        Raises:
            UsageError: If another resource's name is none, or lies in another location.
        """
        data = draft.data
        if data is not None and draft.name == route.name and not method.is_intricate:
            for read in method.named:
                if read(draft.request):
                    break
            else:
                return data  # which is most often so, and should cost nothing
        return self.prepare(method, route, draft).SerializeToString()

    def _changes(
        self, method: Method[Q, R], route: Route, draft: Draft[Q]
    ) -> list[tuple[str, str]]:
        """Returns the fields whose names are not the full ones, with these."""
        request = draft.request
        changes: list[tuple[str, str]] = []
        if method.target and (draft.is_ours or draft.name != route.name):
            changes.append((method.target, route.name))
        for path, patterns in method.references.items():
            name = read_path(request, path)
            if name:
                full = self._refer(read_name(path, name, patterns), path, route)
                if full != name:
                    changes.append((path, full))
        return changes

    def _name_inner(self, method: Method[Q, R], inner: Message, route: Route) -> None:
        """Names the target in the request inside another: the same one, if it names none."""
        name: str = getattr(inner, method.target)
        if name:
            name = self._refer(_read(method, name), method.target, route)
        setattr(inner, method.target, name or route.name)

    def check_headers(self, metadata: Headers) -> None:
        """Sees to it that the user's headers show no credential to everyone on the way.

        Raises:
            UsageError: If they hold one, and go to another machine without TLS.
        """
        if metadata and self.settings.is_plaintext and secrets_in(metadata, None):
            check_plaintext(self.settings.endpoint)

    def site(
        self, method: Method[Q, R], route: Route | None, seconds: float, attempts: int = 1
    ) -> Site:
        """Returns the circumstances of a call, for its error."""
        endpoint = None if route is None else route.endpoint
        is_new = not self.has_worked and not self._has_channel
        may_want = MAY_WANT_TLS if self.settings.is_plaintext else MAY_WANT_CERTIFICATE
        return Site(
            method=method.full_name,
            endpoint="a ready channel" if self._has_channel else _text(endpoint),
            credential=self.settings.identity.describe(),
            may_want=may_want if is_new else "",
            proxy=self._proxy(endpoint) if is_new and endpoint is not None else "",
            seconds=seconds,
            attempts=attempts,
        )

    def _proxy(self, endpoint: Endpoint) -> str:
        """Returns the proxy that gRPC uses on the way to an endpoint, for an error."""
        is_direct = self._is_direct or self.settings.is_plaintext or endpoint.is_loopback
        return "" if is_direct else describe_proxy(endpoint.host)

    def _complete(self, method: Method[Q, R], spelled: Spelled, project: str | None) -> str:
        settings = self.settings
        if settings.may_omit_project and not spelled.needs_parent:
            return spelled.name
        project = settings.project or check_project("the credential's project", project)
        location = settings.location or settings.default_location
        missing = [
            f"no {what}: pass {what}= or set {variable}"
            for what, value, variable in (
                ("project", project, PROJECT_VARIABLE),
                ("location", location, LOCATION_VARIABLE),
            )
            if value is None
        ]
        if project is None or location is None:
            raise UsageError(f"{'; '.join(missing)}; or give the full name of the {method.target}")
        parent = f"projects/{project}/locations/{location}"
        return f"{parent}/{spelled.name}" if spelled.name else parent

    def _endpoint(self, method: Method[Q, R], full: str, own: str | None) -> Endpoint | None:
        settings = self.settings
        if self._has_channel or settings.endpoint is not None:
            self._check_said(full, method.target)
            return settings.endpoint
        host = method.default_host
        location = settings.location or location_of(full)
        if not method.target:
            location = location or settings.default_location
        if location is not None and settings.api.is_regional:
            self._check_same(location, full, method.target)
            host = regional_host(host, check_location(f"the name in {method.target}", location))
        universe = self._universe(own)
        if universe != DEFAULT_UNIVERSE:
            host = universal_host(host, universe)
        return Endpoint(settings.mtls.choose(host))

    def _universe(self, own: str | None) -> str:
        """Returns the cloud that is called; a credential for another one must not get there."""
        wanted = self.settings.universe
        if own is not None:
            check_universe("the credential's universe_domain", own)
        if wanted is not None and own is not None and own != wanted:
            raise UsageError(
                f"the credential is for {own!r}, and the client calls {wanted!r}: "
                f"pass universe_domain= or set {UNIVERSE_VARIABLE}"
            )
        return wanted or own or DEFAULT_UNIVERSE

    def _refer(self, spelled: Spelled, field: str, route: Route) -> str:
        if not spelled.is_full:
            parent = parent_of(route.name)
            if parent is None:
                raise UsageError(f"{field} needs its full name, with a project and a location")
            return f"{parent}/{spelled.name}"
        location = location_of(route.name)
        if self.settings.endpoint is not None or self._has_channel:
            self._check_said(spelled.name, field)
        elif location is not None:
            self._check_same(location, spelled.name, field)
        return spelled.name

    def _check_said(self, name: str, field: str) -> None:
        """Refuses a name in another location than was given, wherever the call goes."""
        said, other = self.settings.location, location_of(name)
        if said is not None and other is not None and other != said:
            raise UsageError(
                f"{field} is in {other!r}, and location= says {said!r}: leave it out, or call a "
                "client of that location"
            )

    def _origin(self, location: str) -> str:
        """Returns what says that a call goes to a location."""
        if location == self.settings.location:
            return "location="
        return LOCATION_VARIABLE if location == self.settings.default_location else "the model"

    def _check_same(self, location: str, name: str, field: str) -> None:
        other = location_of(name)
        if other is not None and other != location:
            raise UsageError(
                f"{field} is in {other!r}, and the call would go to {location!r}, as "
                f"{self._origin(location)} says: a location's host knows only what is there"
            )


def _text(endpoint: Endpoint | None) -> str:
    return "" if endpoint is None else str(endpoint)


def _read(method: Method[Q, R], name: str) -> Spelled:
    """Reads the name of who answers; without one it is the client's own project and location."""
    patterns = method.routes[method.target]
    if not name and is_parent(patterns):
        return Spelled("", is_full=False, needs_parent=True)
    return read_name(method.target, name, patterns)


def _is_set(message: Message, field: str) -> bool:
    value = getattr(message, field)
    return message.HasField(field) if isinstance(value, Message) else bool(value)


def _write(message: Message, path: str, name: str) -> None:
    *outer, last = path.split(".")
    for part in outer:
        message = getattr(message, part)
    setattr(message, last, name)
