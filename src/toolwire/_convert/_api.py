"""``convert``: a message of one API as a message of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from toolwire._apis import APIS
from toolwire._convert._fold import FoldingConversion
from toolwire._convert._plan import alike, api_name, counterpart
from toolwire._errors import ConversionError
from toolwire._given import given
from toolwire._messages import DEEPEST, M, descriptor_of, fits, is_message_class, no_class
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

    from toolwire._findings import Loss


@dataclass(frozen=True, slots=True)
class Converted(Generic[M]):
    """What a conversion gives.

    Attributes:
        message: The new message; it shares nothing with the original.
        losses: What was left out or changed; empty where converting back gives an equal message.
    """

    message: M
    losses: tuple[Loss, ...]


def convert(message: object, to: type[M], *, strict: bool = False) -> Converted[M]:
    """Converts a message of one API into the message of the same meaning in another.

    Fields and values of enums go by their names, and never by their numbers. What the other API
    has under another name or in another form is translated, what it does not have is left out;
    either is reported, unless it comes back the same.

    Args:
        message: A message of any pool, or a proto-plus wrapper of one.
        to: The class of the result, such as ``gemini.Tool``. Of the same API: the result is a
            copy.
        strict: Raise instead, if anything would be left out or changed.

    Returns:
        The new message, and what was lost on the way.

    Raises:
        ConversionError: If ``message`` is no message or nests too deeply, if ``to`` is no class
            of a message with the same meaning, or with ``strict`` if there are losses: its
            ``losses`` are all of them.
    """
    source = given(message)
    if not is_message_class(to):
        raise ConversionError(f"to: {no_class(to)}")
    if not alike(descriptor_of(source), descriptor_of(to)):
        raise ConversionError(_mismatch(descriptor_of(source), descriptor_of(to)))
    conversion = FoldingConversion()
    result = to()
    conversion.message(source, result)
    if not fits(result, DEEPEST):
        raise ConversionError(f"would become deeper than {DEEPEST} levels of messages")
    losses = tuple(conversion.losses)
    if strict and losses:
        raise ConversionError("; ".join(map(str, losses)), losses=losses)
    return Converted(result, losses)


def _mismatch(source: Descriptor, to: Descriptor) -> str:
    fault = f"to: {with_article(source.full_name)} cannot become {with_article(to.full_name)}"
    api = APIS.get(api_name(to))
    if api is None:
        return fault
    name = counterpart(source, api.name)
    try:
        to.file.pool.FindMessageTypeByName(f"{api.package}.{name}")
    except KeyError:
        return f"{fault}: {api.name} has no {name}"
    return f"{fault}: expected {api.name}.{name}"
