"""What clients take and give, as types.

What a method takes is typed as the union over the APIs; what it gives follows the client's own
API. A message of another API is refused when the request is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from google.protobuf.message import Message
from typing_extensions import TypeVar

from toolwire import v1

if TYPE_CHECKING:
    import grpc
    from google.auth.credentials import Credentials

    from toolwire import gemini, v1beta1

Dict: TypeAlias = Mapping[str, object]
"""A message as a mapping, with JSON names or proto names."""

Part: TypeAlias = "v1.Part | v1beta1.Part | gemini.Part"
Content: TypeAlias = "v1.Content | v1beta1.Content | gemini.Content"
Tool: TypeAlias = "v1.Tool | v1beta1.Tool | gemini.Tool"
ToolConfig: TypeAlias = "v1.ToolConfig | v1beta1.ToolConfig | gemini.ToolConfig"
GenerationConfig: TypeAlias = (
    "v1.GenerationConfig | v1beta1.GenerationConfig | gemini.GenerationConfig"
)
SafetySetting: TypeAlias = "v1.SafetySetting | v1beta1.SafetySetting | gemini.SafetySetting"

GenerateContentRequest: TypeAlias = (
    "v1.GenerateContentRequest | v1beta1.GenerateContentRequest | gemini.GenerateContentRequest"
)
CountTokensRequest: TypeAlias = (
    "v1.CountTokensRequest | v1beta1.CountTokensRequest | gemini.CountTokensRequest"
)

Piece: TypeAlias = "Part | Content | Dict | str"
"""Text, a part, or a whole turn."""

Contents: TypeAlias = "Piece | Iterable[Piece]"
"""A conversation. Text and parts that stand together make one turn of the user."""

Instruction: TypeAlias = "Piece | Iterable[Part | Dict | str]"
"""One turn: a whole one, or what it consists of."""

Metadata: TypeAlias = Iterable[tuple[str, str | bytes]]
"""Headers; the value of one whose name ends in ``-bin`` is bytes."""

Reply = TypeVar("Reply", bound=Message, default=v1.GenerateContentResponse)
"""The API's GenerateContentResponse."""

Count = TypeVar("Count", bound=Message, default=v1.CountTokensResponse)
"""The API's CountTokensResponse."""


class Options(TypedDict, total=False):
    """The arguments of a client's constructor beside the API."""

    project: str | None
    location: str | None
    api_endpoint: str | None
    credentials: Credentials | None
    api_key: str | None
    quota_project: str | None
    root_certificates: bytes | None
    insecure: bool
    channel: grpc.Channel | None
    channel_options: Sequence[tuple[str, object]]
    timeout: float
