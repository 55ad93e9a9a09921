"""Structured output: the schema of an answer, and the answer as a Python value."""

from __future__ import annotations

from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    overload,
)

from toolwire._answers._text import ended_by
from toolwire._answers._text import text as text_of
from toolwire._errors import JsonError
from toolwire._functions._document import read
from toolwire._functions._extras import require
from toolwire._functions._fences import without_fence
from toolwire._functions._located import located
from toolwire._functions._report import SHOWN, Declared, Report, guarded, unwrap
from toolwire._functions.schema._build import Options, build, converted, message_class
from toolwire._json._kinds import is_object
from toolwire._json._text import parse_text
from toolwire._messages import as_message
from toolwire._paths import quote, render
from toolwire._rules._profile import find_profile

if TYPE_CHECKING:
    from google.protobuf.message import Message

T = TypeVar("T")


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
    with guarded():
        is_json = is_object(source) or as_message(source) is not None
    if is_json:
        document = read(source)
    else:
        from toolwire._functions.python._models import schema_of  # noqa: PLC0415 - for Python types only

        document = read(schema_of(source, log))
    options = Options(find_profile(api), titles or not is_json, refs, untyped)
    message = build(cls, converted(document, options, log))
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
        JsonError: The answer has no text, is no JSON, which has neither NaN nor infinity, or does
            not fit the model.
        DeclarationError: The model is no type.
        AnswerError: There is no answer, because the prompt or the answer was blocked.
        ConversionError: What was given is no response.
        MissingExtraError: The model is a type, and the extra ``functions`` is not installed.
    """
    given = response if isinstance(response, str) else text_of(response)
    end = "" if isinstance(response, str) else ended_by(response)
    answer = f"the answer, ended by {end}," if end else "the answer"
    if not given.strip():
        raise JsonError(f"{answer} has no text")
    text = without_fence(given)
    with guarded():
        may_be_bare = _may_be_bare(model)
    try:
        value, _ = parse_text(text)
    except JsonError as error:
        if not may_be_bare:
            detail = error.reason.removeprefix("not JSON: ")
            raise JsonError(
                f"{answer} is no JSON: {detail}: {quote(text, longest=SHOWN)}"
            ) from None
        value = text
    if is_object(model):
        return value
    from toolwire._functions.python._models import adapter_of  # noqa: PLC0415 - for Python types only

    adapter = adapter_of(model)
    pydantic = require("pydantic")
    try:
        return adapter.validate_json(text)
    except pydantic.ValidationError as error:
        wrong: Any = error
    if may_be_bare:
        try:
            return adapter.validate_python(text)
        except pydantic.ValidationError as error:
            wrong = error
    first = wrong.errors(include_url=False, include_input=False)[0]
    at = located(first["loc"], value, is_missing=first["type"] == "missing")
    raise JsonError(f"{answer} does not fit: {first['msg']}", path=render(at, longest=SHOWN))


def _may_be_bare(model: Any) -> bool:
    """Tells whether an answer may be text that is no JSON, as those of ``text/x.enum`` are."""
    from enum import EnumMeta  # noqa: PLC0415 - for this one question

    from toolwire._functions.python._callables import behind  # noqa: PLC0415 - loads inspect

    model = behind(model)
    origin, args = get_origin(model), get_args(model)
    if origin is Annotated:
        return _may_be_bare(args[0])
    if origin in {Union, UnionType}:
        return all(each is type(None) or _may_be_bare(each) for each in args)
    return model is str or origin is Literal or isinstance(model, EnumMeta)
