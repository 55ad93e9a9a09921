"""Where a call goes and what it carries: the part that every transport shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from google.protobuf.message import Message

from toolwire._client._failures import Site
from toolwire._client._headers import api_client, request_params
from toolwire._client._hosts import Endpoint, check_location, regional_host
from toolwire._client._identity import IdentityError
from toolwire._client._names import location_of, parent_of, read_name
from toolwire._client._secrets import secrets_in
from toolwire._client._settings import LOCATION_VARIABLE, PROJECT_VARIABLE, check_plaintext
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from toolwire._client._headers import Header, Headers
    from toolwire._client._inputs import Draft
    from toolwire._client._methods import Method
    from toolwire._client._names import Spelled
    from toolwire._client._settings import Settings

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)


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

    def __init__(self, settings: Settings, transport: str, *, has_channel: bool) -> None:
        """Takes the settings over.

        Args:
            settings: What the client was told.
            transport: Name and version of what carries the calls, such as ``grpc/1.76.0``.
            has_channel: Whether a ready channel decides where they go.
        """
        self.settings = settings
        self.has_worked = False  # whether a server has ever answered
        self._has_channel = has_channel
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
            "quota_project": settings.quota_project,
            "credential": settings.identity.describe(),
        }
        return ", ".join(f"{key}={value!r}" for key, value in where.items() if value)

    def route(self, method: Method[Q, R], name: str, seconds: float) -> Route:
        """Finds out where calls for a model go.

        Args:
            method: The method.
            name: The model, or whatever the method's first routing field holds, full or short.
            seconds: How long it may take to look for the project of the credential.

        Raises:
            UsageError: If the name is none, or lacks a project or location, or lies elsewhere.
            CallError: If the project has to come from a credential that cannot be had.
        """
        spelled = read_name(method.target, name, method.routes[method.target])
        full = spelled.name if spelled.is_full else self._complete(method, spelled, seconds)
        endpoint = self._endpoint(method, full)
        host = "localhost" if endpoint is None else str(endpoint).removesuffix(":443")
        routing: Header = ("x-goog-request-params", request_params([(method.target, full)]))
        return Route(
            name=full,
            endpoint=endpoint,
            url=f"https://{host}/{method.service}",
            headers=(routing, *self._headers),
        )

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
        names = {method.target: route.name}
        for field, patterns in method.references.items():
            name: str = getattr(request, field)
            if name:
                names[field] = self._refer(read_name(field, name, patterns), field, route)
        changed = [
            (field, name) for field, name in names.items() if getattr(request, field) != name
        ]
        inner = method.inner if method.inner and request.HasField(method.inner) else None
        if (changed or inner) and not draft.is_ours:
            copy = method.request()
            copy.CopyFrom(request)
            request = copy
        for field, name in changed:
            setattr(request, field, name)
        if inner:
            self._name_inner(method, getattr(request, inner), route)
        return request

    def _name_inner(self, method: Method[Q, R], inner: Message, route: Route) -> None:
        """Names the target in the request inside another: the same one, if it names none."""
        name: str = getattr(inner, method.target)
        if name:
            spelled = read_name(method.target, name, method.routes[method.target])
            name = self._refer(spelled, method.target, route)
        setattr(inner, method.target, name or route.name)

    def sign(
        self, method: Method[Q, R], route: Route, metadata: Headers, seconds: float
    ) -> Headers:
        """Returns the headers of a call, the credential among them.

        Args:
            method: The method.
            route: The route of the call.
            metadata: The user's headers.
            seconds: How long it may take to fetch a token.

        Raises:
            UsageError: If the user's headers hold a credential that everyone could read.
            CallError: If the client's credential cannot be had.
        """
        settings = self.settings
        if metadata and settings.is_plaintext and secrets_in(metadata, None):
            check_plaintext(settings.endpoint)
        try:
            return settings.identity.sign(route.headers, route.url, seconds) + metadata
        except IdentityError as error:
            code, message = error.code, error.message
        raise self.site(method, route, seconds).fail(code, message)

    def site(self, method: Method[Q, R], route: Route | None, seconds: float) -> Site:
        """Returns the circumstances of a call, for its error."""
        endpoint = None if route is None else route.endpoint
        return Site(
            method=method.full_name,
            endpoint="a ready channel" if self._has_channel else _text(endpoint),
            credential=self.settings.identity.describe(),
            may_want_tls=self.settings.is_plaintext and not self.has_worked,
            seconds=seconds,
        )

    def _complete(self, method: Method[Q, R], spelled: Spelled, seconds: float) -> str:
        settings = self.settings
        if settings.may_omit_project and not spelled.needs_parent:
            return spelled.name
        project = settings.project
        if project is None:
            project = self._project_of_identity(method, seconds)
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
        return f"projects/{project}/locations/{check_location(location)}/{spelled.name}"

    def _project_of_identity(self, method: Method[Q, R], seconds: float) -> str | None:
        try:
            return self.settings.identity.project(seconds)
        except IdentityError as error:
            code, message = error.code, error.message
        raise self.site(method, None, seconds).fail(code, message)

    def _endpoint(self, method: Method[Q, R], full: str) -> Endpoint | None:
        settings = self.settings
        if self._has_channel or settings.endpoint is not None:
            return settings.endpoint
        location = settings.location or location_of(full)
        if location is None or not settings.api.is_regional:
            return Endpoint(method.default_host)
        self._check_same(location, full, method.target)
        return Endpoint(regional_host(method.default_host, location))

    def _refer(self, spelled: Spelled, field: str, route: Route) -> str:
        if not spelled.is_full:
            parent = parent_of(route.name)
            if parent is None:
                raise UsageError(f"{field} needs its full name, with a project and a location")
            return f"{parent}/{spelled.name}"
        location = location_of(route.name)
        if location is not None and self.settings.endpoint is None and not self._has_channel:
            self._check_same(location, spelled.name, field)
        return spelled.name

    @staticmethod
    def _check_same(location: str, name: str, field: str) -> None:
        other = location_of(name)
        if other is not None and other != location:
            raise UsageError(
                f"{field} is in {other!r}, and the call would go to {location!r}: a location's "
                "host knows only what is there"
            )


def _text(endpoint: Endpoint | None) -> str:
    return "" if endpoint is None else str(endpoint)
