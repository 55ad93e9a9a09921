"""A part with a function call, for turns that are put together again out of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from toolwire._apis import find_api
from toolwire._calls._struct import plain_object
from toolwire._errors import DescriptorError, UsageError
from toolwire._json import from_dict
from toolwire._messages import DEEPEST

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire import gemini, v1, v1beta1

_BELOW = DEEPEST - 4  # arguments lie in a call, in a part, in a turn, in a request


@overload
def call_part(
    name: str,
    args: object = ...,
    *,
    api: Literal["v1"] = ...,
    id: str = ...,
    thought_signature: bytes = ...,
) -> v1.Part: ...
@overload
def call_part(
    name: str,
    args: object = ...,
    *,
    api: Literal["v1beta1"],
    id: str = ...,
    thought_signature: bytes = ...,
) -> v1beta1.Part: ...
@overload
def call_part(
    name: str,
    args: object = ...,
    *,
    api: Literal["gemini"],
    id: str = ...,
    thought_signature: bytes = ...,
) -> gemini.Part: ...
def call_part(
    name: str,
    args: object = None,
    *,
    api: str = "v1",
    id: str = "",  # noqa: A002 - the field's name
    thought_signature: bytes = b"",
) -> Message:
    """Builds the part of a model's turn that calls a function.

    It is for turns that are kept elsewhere than in messages. What was received goes back as it
    came: never build that again.

    Args:
        name: Name of the function.
        args: Its arguments, of anything that ``to_struct`` takes; None leaves them unset.
        api: The API whose Part to build.
        id: What tells the call from others, where the API has a field for it.
        thought_signature: The signature that came with the call, byte for byte.

    Raises:
        UsageError: If the signature is no bytes, or the API's calls have no id.
        JsonError: If the arguments are no JSON object.
        DescriptorError: If the API has no function calls.
    """
    cls: type[Message] | None = getattr(find_api(api).load(), "Part", None)
    if cls is None:
        raise DescriptorError(f"{api} has no function calls")
    call: dict[str, object] = {"name": name}
    if args is not None:
        call["args"] = plain_object(args, _BELOW)
    part: dict[str, object] = {"function_call": call}
    if id:
        kind = cls.DESCRIPTOR.fields_by_name["function_call"].message_type
        if kind is None or "id" not in kind.fields_by_name:
            raise UsageError(f"the function calls of {api} have no id: found {id!r}")
        call["id"] = id
    if _signature(thought_signature):
        part["thought_signature"] = thought_signature
    return from_dict(cls, part)


def _signature(value: object) -> bool:
    """Tells whether there is a signature.

    Raises:
        UsageError: If it is anything but bytes.
    """
    if isinstance(value, bytes):
        return bool(value)
    if isinstance(value, str):
        hint = "text; where it is the base64 of JSON, decode it: base64.b64decode(...)"
        raise UsageError(f"thought_signature: expected bytes, found {hint}")
    raise UsageError(f"thought_signature: expected bytes, found {type(value).__name__}")
