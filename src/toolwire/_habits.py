"""What other packages call things, where no name of ours is near enough to be found by itself.

An entry is what an error says behind such a name; ``docs/porting.md`` has all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_CLIENT = "toolwire.Client(...) calls models"

ATTRIBUTES: Mapping[str, str] = {
    "types": "the messages are in toolwire.v1, v1beta1 and gemini",
    "GenerateContentConfig": "generation_config= takes a GenerationConfig, or a dict of one",
    "GenerativeModel": _CLIENT,
    "configure": _CLIENT,
    "init": _CLIENT,
}
"""Of modules."""

_CHATS = "give generate_content a list of turns, or go on with run.contents of run_tools"

METHODS: Mapping[str, str] = {
    "aio": "toolwire.AsyncClient has the same methods, to be awaited",
    "caches": "create_cached_content, list_cached_contents and the like are the client's own",
    "chats": _CHATS,
    "generate_content_async": "toolwire.AsyncClient has it as generate_content",
    "generate_content_stream": "it is stream_generate_content",
    "live": 'Client(api="gemini") has bidi_generate_content',
    "models": "its methods are the client's own, such as generate_content",
    "start_chat": _CHATS,
}
"""Of clients."""

_OPTIONS = "timeout=, retries= and metadata= are keywords of every method"

_ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "config": {
        "generation_config": "settings of the model go into generation_config; tools, "
        "system_instruction and the like are keywords of their own"
    },
    "http_options": {"": _OPTIONS},
    "messages": {"contents": 'did you mean "contents"?'},
    "prompt": {"contents": 'did you mean "contents"?'},
    "request_options": {"": _OPTIONS},
    "stream": {
        "on_chunk": "on_chunk= gets each chunk as it comes",
        "contents": "stream_generate_content gives the chunks as they come",
    },
}


def hint_to_argument(name: str, known: Collection[str]) -> str:
    """Returns what an error says behind an argument that a method does not have.

    Args:
        name: The argument.
        known: Those that the method has: what is said may depend on one of them.
    """
    for field, hint in _ARGUMENTS.get(name, {}).items():
        if not field or field in known:
            return f"; {hint}"
    return ""
