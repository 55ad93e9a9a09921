"""Builds retrieval tools, and finds the source of one.

from toolwire import retrieval, v1

tool = retrieval.vertex_ai_search(datastore="projects/p/locations/global/...")
match retrieval.source(tool):
    case v1.VertexAISearch() as search:
        print(search.datastore)
    case v1.VertexRagStore() as store:
        print(store.rag_resources)
    case None:
        print("no source is set")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeVar, overload

from toolwire import _oneofs
from toolwire._apis import APIS, api_of, find_api
from toolwire._errors import ConversionError, DescriptorError
from toolwire._json import from_binary, from_dict
from toolwire._messages import M, unwrap
from toolwire._rules import validate
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from typing_extensions import Unpack

    from toolwire import v1, v1beta1
    from toolwire._apis import Api
    from toolwire_pb import oneofs

__all__ = ["source", "vertex_ai_search", "vertex_rag_store"]

_T = TypeVar("_T")


@overload
def vertex_ai_search(
    *, api: Literal["v1"] = "v1", **fields: Unpack[oneofs.v1_vertex_ai_search]
) -> v1.Tool: ...
@overload
def vertex_ai_search(
    *, api: Literal["v1beta1"], **fields: Unpack[oneofs.v1beta1_vertex_ai_search]
) -> v1beta1.Tool: ...
def vertex_ai_search(*, api: str = "v1", **fields: object) -> object:
    """Builds a tool that retrieves from Vertex AI Search.

    Args:
        api: The API whose Tool to build.
        **fields: The fields of VertexAISearch: ``datastore`` or ``engine``, as the full resource
            name; ``max_results``, 10 at most; ``filter``; with an engine, ``data_store_specs``.

    Returns:
        A Tool with that one source.

    Raises:
        JsonError: A field does not exist, or its value does not fit.
        ValidationError: A rule of the proto's comments on VertexAISearch is broken, such as a
            data store beside an engine.
    """
    return _build(api, "vertex_ai_search", fields)


@overload
def vertex_rag_store(
    *, api: Literal["v1"] = "v1", **fields: Unpack[oneofs.v1_vertex_rag_store]
) -> v1.Tool: ...
@overload
def vertex_rag_store(
    *, api: Literal["v1beta1"], **fields: Unpack[oneofs.v1beta1_vertex_rag_store]
) -> v1beta1.Tool: ...
def vertex_rag_store(*, api: str = "v1", **fields: object) -> object:
    """Builds a tool that retrieves from Vertex RAG Engine.

    Args:
        api: The API whose Tool to build.
        **fields: The fields of VertexRagStore: ``rag_resources``, of one corpus, each a mapping
            with ``rag_corpus`` and ``rag_file_ids``; ``rag_retrieval_config``, with ``top_k``,
            ``filter`` and ``ranking``; the deprecated ``similarity_top_k`` and
            ``vector_distance_threshold``.

    Returns:
        A Tool with that one source.

    Raises:
        JsonError: A field does not exist, or its value does not fit.
        ValidationError: A rule of the proto's comments on VertexRagStore is broken, such as two
            corpora.
    """
    return _build(api, "vertex_rag_store", fields)


def _build(api: str, member: str, fields: object) -> object:
    found = find_api(api)
    if not _retrieves(found):
        raise DescriptorError(f'no retrieval tool in the API "{api}": expected {_expected()}')
    tool = from_dict(found.load().Tool, {"retrieval": {member: fields}})
    validate(tool)
    return tool


@overload
def source(message: v1.Tool | v1.Retrieval) -> oneofs.v1_source | None: ...
@overload
def source(message: v1.Tool | v1.Retrieval, *, unknown: _T) -> oneofs.v1_source | _T | None: ...
@overload
def source(message: v1beta1.Tool | v1beta1.Retrieval) -> oneofs.v1beta1_source | None: ...
@overload
def source(
    message: v1beta1.Tool | v1beta1.Retrieval, *, unknown: _T
) -> oneofs.v1beta1_source | _T | None: ...
@overload
def source(message: Message) -> oneofs.v1_source | oneofs.v1beta1_source | None: ...
@overload
def source(
    message: Message, *, unknown: _T
) -> oneofs.v1_source | oneofs.v1beta1_source | _T | None: ...
def source(message: object, *, unknown: object = None) -> object:
    """Finds the source of a retrieval, in a class that ``match`` can tell.

    Args:
        message: A Tool or a Retrieval, of any pool or in a proto-plus wrapper.
        unknown: What to answer where no known source is set but the message came with fields
            that this schema does not know, one of which may be a newer source.

    Returns:
        The source that is set, if only to an empty message: the live one of a message of ours,
        a copy in our class of any other. None where there is none.

    Raises:
        ConversionError: The message is neither a Tool nor a Retrieval of an API that has one.
    """
    retrieval = _retrieval(unwrap(message))
    if retrieval is None:
        return None
    name = _oneofs.which(retrieval, "source", unknown="")
    if not name:
        return None if name is None else unknown
    return getattr(retrieval, name)


def _retrieval(message: Message) -> Message | None:
    """The Retrieval of a Tool, or the message itself where it is one, in our class."""
    kind = message.DESCRIPTOR
    api = api_of(kind.file.package)
    if api is not None and _retrieves(api):
        module = api.load()
        retrieval_class: type[v1.Retrieval | v1beta1.Retrieval] = module.Retrieval
        tool_class: type[v1.Tool | v1beta1.Tool] = module.Tool
        if kind.full_name == retrieval_class.DESCRIPTOR.full_name:
            return _own(retrieval_class, message)
        if kind.full_name == tool_class.DESCRIPTOR.full_name:
            tool = _own(tool_class, message)
            return tool.retrieval if tool.HasField("retrieval") else None
    raise ConversionError(
        f"expected a Tool or a Retrieval of {_expected()}, found {with_article(kind.full_name)}"
    )


def _retrieves(api: Api) -> bool:
    return hasattr(api.load(), "Retrieval")


def _expected() -> str:
    return " or ".join(api.name for api in APIS.values() if _retrieves(api))


def _own(cls: type[M], message: Message) -> M:
    return message if isinstance(message, cls) else from_binary(cls, message.SerializeToString())
