"""What a type checker knows of the functions whose result depends on the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypedDict, overload

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message
    from typing_extensions import Unpack

    from toolwire import firebase, gemini, v1, v1beta1
    from toolwire._functions._report import Declared

UntypedName = Literal["STRING", "NUMBER", "INTEGER", "BOOLEAN", "OBJECT"]


class SchemaOptions(TypedDict, total=False):
    """Options of every function that converts a schema."""

    strict: bool
    refs: bool
    titles: bool
    untyped: UntypedName | None


class ManyOptions(SchemaOptions, total=False):
    """Options of a declaration that hold for several."""

    as_json_schema: bool
    rename: bool
    older: bool
    response: bool


class OneOptions(ManyOptions, total=False):
    """Options of one declaration."""

    name: str | None
    description: str | None


class Declare(Protocol):
    """Type of ``declare``."""

    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1"] = "v1",
        report: Literal[False] = False,
        **options: Unpack[OneOptions],
    ) -> v1.FunctionDeclaration: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1beta1"],
        report: Literal[False] = False,
        **options: Unpack[OneOptions],
    ) -> v1beta1.FunctionDeclaration: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["gemini"],
        report: Literal[False] = False,
        **options: Unpack[OneOptions],
    ) -> gemini.FunctionDeclaration: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["firebase"],
        report: Literal[False] = False,
        **options: Unpack[OneOptions],
    ) -> firebase.TemplateFunction: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1"] = "v1",
        report: Literal[True],
        **options: Unpack[OneOptions],
    ) -> Declared[v1.FunctionDeclaration]: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1beta1"],
        report: Literal[True],
        **options: Unpack[OneOptions],
    ) -> Declared[v1beta1.FunctionDeclaration]: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["gemini"],
        report: Literal[True],
        **options: Unpack[OneOptions],
    ) -> Declared[gemini.FunctionDeclaration]: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["firebase"],
        report: Literal[True],
        **options: Unpack[OneOptions],
    ) -> Declared[firebase.TemplateFunction]: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: str,
        report: Literal[False] = False,
        **options: Unpack[OneOptions],
    ) -> Message: ...
    @overload
    def __call__(
        self, source: object, *, api: str, report: Literal[True], **options: Unpack[OneOptions]
    ) -> Declared[Message]: ...
    @overload
    def __call__(
        self, source: object, *, api: str, report: bool, **options: Unpack[OneOptions]
    ) -> Message | Declared[Message]: ...


class Tools(Protocol):
    """Type of ``tool``."""

    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["v1"] = "v1",
        report: Literal[False] = False,
        **options: Unpack[ManyOptions],
    ) -> v1.Tool: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["v1beta1"],
        report: Literal[False] = False,
        **options: Unpack[ManyOptions],
    ) -> v1beta1.Tool: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["gemini"],
        report: Literal[False] = False,
        **options: Unpack[ManyOptions],
    ) -> gemini.Tool: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["firebase"],
        report: Literal[False] = False,
        **options: Unpack[ManyOptions],
    ) -> firebase.Tool: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["v1"] = "v1",
        report: Literal[True],
        **options: Unpack[ManyOptions],
    ) -> Declared[v1.Tool]: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["v1beta1"],
        report: Literal[True],
        **options: Unpack[ManyOptions],
    ) -> Declared[v1beta1.Tool]: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["gemini"],
        report: Literal[True],
        **options: Unpack[ManyOptions],
    ) -> Declared[gemini.Tool]: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: Literal["firebase"],
        report: Literal[True],
        **options: Unpack[ManyOptions],
    ) -> Declared[firebase.Tool]: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: str,
        report: Literal[False] = False,
        **options: Unpack[ManyOptions],
    ) -> Message: ...
    @overload
    def __call__(
        self,
        sources: Iterable[object],
        *,
        api: str,
        report: Literal[True],
        **options: Unpack[ManyOptions],
    ) -> Declared[Message]: ...
    @overload
    def __call__(
        self, sources: Iterable[object], *, api: str, report: bool, **options: Unpack[ManyOptions]
    ) -> Message | Declared[Message]: ...


class ResponseSchema(Protocol):
    """Type of ``response_schema``."""

    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1"] = "v1",
        report: Literal[False] = False,
        **options: Unpack[SchemaOptions],
    ) -> v1.Schema: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1beta1"],
        report: Literal[False] = False,
        **options: Unpack[SchemaOptions],
    ) -> v1beta1.Schema: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["gemini"],
        report: Literal[False] = False,
        **options: Unpack[SchemaOptions],
    ) -> gemini.Schema: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1"] = "v1",
        report: Literal[True],
        **options: Unpack[SchemaOptions],
    ) -> Declared[v1.Schema]: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["v1beta1"],
        report: Literal[True],
        **options: Unpack[SchemaOptions],
    ) -> Declared[v1beta1.Schema]: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: Literal["gemini"],
        report: Literal[True],
        **options: Unpack[SchemaOptions],
    ) -> Declared[gemini.Schema]: ...
    @overload
    def __call__(
        self,
        source: object,
        *,
        api: str,
        report: Literal[False] = False,
        **options: Unpack[SchemaOptions],
    ) -> Message: ...
    @overload
    def __call__(
        self, source: object, *, api: str, report: Literal[True], **options: Unpack[SchemaOptions]
    ) -> Declared[Message]: ...
    @overload
    def __call__(
        self, source: object, *, api: str, report: bool, **options: Unpack[SchemaOptions]
    ) -> Message | Declared[Message]: ...
