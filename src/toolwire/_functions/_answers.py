"""Structured output: the schema of an answer, and the answer as a Python value."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeVar, overload

from toolwire._answers import text as text_of
from toolwire._errors import JsonError
from toolwire._functions._build import Options, build, converted, message_class
from toolwire._functions._document import read
from toolwire._functions._extras import require
from toolwire._functions._report import SHOWN, Declared, Report, unwrap
from toolwire._json._kinds import is_object
from toolwire._messages import as_message
from toolwire._paths import Path, quote, render

if TYPE_CHECKING:
    from google.protobuf.message import Message

T = TypeVar("T")

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)


def response_schema(
    source: object,
    *,
    api: str = "v1",
    report: bool = False,
    strict: bool = False,
    refs: bool = False,
    titles: bool = False,
    untyped: str | None = None,
) -> Message | Declared[Message]:
    """Returns the Schema of an answer, for ``GenerationConfig.response_schema``.

    Args:
        source: A type, such as a pydantic model, a dataclass, an Enum or ``list[int]``; a JSON
            Schema; or a Schema message.
        api: As in ``declare``.
        report: As in ``declare``.
        strict: As in ``declare``.
        refs: As in ``declare``.
        titles: As in ``declare``.
        untyped: As in ``declare``.

    Raises:
        DeclarationError: It cannot be expressed, or the API has no Schema.
        DescriptorError: No API has the name.
        MissingExtraError: The source is a type, and the extra ``functions`` is not installed.
    """
    log = Report()
    cls = message_class(api, "Schema")
    is_json = is_object(source) or as_message(source) is not None
    if is_json:
        document = read(source)
    else:
        from toolwire._functions._models import schema_of  # noqa: PLC0415 - for Python types only

        document = read(schema_of(source, log))
    message = build(
        cls, converted(document, Options(api, titles or not is_json, refs, untyped), log)
    )
    if strict:
        log.refuse()
    return unwrap(Declared(message, log.changes()), report)


@overload
def parse(response: object, model: type[T]) -> T: ...
@overload
def parse(response: object, model: object) -> Any: ...
def parse(response: object, model: object) -> Any:
    """Returns the answer of a model as a Python value.

    Args:
        response: A response of any API, or the text of an answer. Calls and thoughts beside the
            text do not matter, nor does a code fence around it.
        model: A type, as for ``response_schema``: the answer is checked and made one; or a JSON
            Schema, for plain Python without a check.

    Raises:
        JsonError: The answer has no text, is no JSON, or does not fit the model.
        AnswerError: There is no answer, because the prompt or the answer was blocked.
        ConversionError: What was given is no response.
        MissingExtraError: The model is a type, and the extra ``functions`` is not installed.
    """
    given = response if isinstance(response, str) else text_of(response)
    if not given.strip():
        raise JsonError("the answer has no text")
    text = _without_fence(given)
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        # An Enum's answer (text/x.enum) is the bare value.
        if not _is_enum(model):
            detail = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            raise JsonError(
                f"the answer is no JSON: {detail}: {quote(text, longest=SHOWN)}"
            ) from None
        value = text
    if is_object(model):
        return value
    from toolwire._functions._models import adapter_of  # noqa: PLC0415 - for Python types only

    adapter = adapter_of(model)
    pydantic = require("pydantic")
    try:
        if isinstance(value, str) and value == text:
            return adapter.validate_python(value)
        return adapter.validate_json(text)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise JsonError(
            f"the answer does not fit: {first['msg']}", path=_path(first["loc"])
        ) from None


def _without_fence(text: str) -> str:
    """Takes off the code fence that models put around JSON where no schema holds them."""
    stripped = text.strip()
    if stripped[:1] in {"{", "[", '"'}:
        return stripped
    blocks = _FENCED.findall(stripped)
    return str(blocks[0]) if len(blocks) == 1 else stripped


def _is_enum(model: object) -> bool:
    from enum import EnumMeta  # noqa: PLC0415 - for this one question

    return model is str or isinstance(model, EnumMeta)


def _path(location: tuple[int | str, ...]) -> str:
    path: Path = None
    for step in location:
        path = (path, step)
    return render(path, longest=SHOWN)
