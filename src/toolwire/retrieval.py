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

from toolwire import _oneofs, v1
from toolwire._errors import ConversionError, DescriptorError
from toolwire._json import from_binary, from_dict
from toolwire._messages import M, unwrap
from toolwire._rules import check

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from typing_extensions import Unpack

    from toolwire_pb.oneofs import v1_source, v1_vertex_ai_search, v1_vertex_rag_store

__all__ = ["source", "vertex_ai_search", "vertex_rag_store"]

_T = TypeVar("_T")

# The APIs whose Tool has a Retrieval.
_APIS = {"v1": v1}


def vertex_ai_search(
    *, api: Literal["v1"] = "v1", **fields: Unpack[v1_vertex_ai_search]
) -> v1.Tool:
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


def vertex_rag_store(
    *, api: Literal["v1"] = "v1", **fields: Unpack[v1_vertex_rag_store]
) -> v1.Tool:
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


def _build(api: str, member: str, fields: object) -> v1.Tool:
    module = _APIS.get(api)
    if module is None:
        raise DescriptorError(f'no retrieval tool in the API "{api}": expected {", ".join(_APIS)}')
    tool: v1.Tool = from_dict(module.Tool, {"retrieval": {member: fields}})
    check(tool)
    return tool


@overload
def source(message: Message) -> v1_source | None: ...
@overload
def source(message: Message, *, unknown: _T) -> v1_source | _T | None: ...
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


def _retrieval(message: Message) -> v1.Retrieval | None:
    """The Retrieval of a Tool, or the message itself where it is one, in our class."""
    full_name = message.DESCRIPTOR.full_name
    for module in _APIS.values():
        if full_name == module.Retrieval.DESCRIPTOR.full_name:
            retrieval: v1.Retrieval = _own(module.Retrieval, message)
            return retrieval
        if full_name == module.Tool.DESCRIPTOR.full_name:
            tool: v1.Tool = _own(module.Tool, message)
            return tool.retrieval if tool.HasField("retrieval") else None
    expected = ", ".join(_APIS)
    raise ConversionError(f"expected a Tool or a Retrieval of {expected}, found a {full_name}")


def _own(cls: type[M], message: Message) -> M:
    return message if isinstance(message, cls) else from_binary(cls, message.SerializeToString())
