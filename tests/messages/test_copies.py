"""Messages are copied, pickled and sent to other processes, unknown fields included."""

from __future__ import annotations

import concurrent.futures
import copy
import multiprocessing
import pickle

import pytest
from google.protobuf.message import Message

from support.fill import filled
from support.processes import echo
from support.schema import message_classes, qualified
from toolwire import v1

UNKNOWN = b"\xfa\x3f\x03new"  # field 1023, which no message has


def with_unknown(cls: type[Message]) -> Message:
    message = filled(cls)
    message.MergeFromString(UNKNOWN)
    return message


def well_known() -> list[Message]:
    """Messages of google.protobuf, google.type and google.api, taken out of ours."""
    return [
        filled(v1.FunctionCall).args,
        filled(v1.FunctionCall).args.fields["name é"],
        v1.FunctionCall(args={"a": [1, {"b": None}]}).args.fields["a"].list_value,
        filled(v1.CachedContent).create_time,
        v1.CachedContent(ttl={"seconds": 3}).ttl,
        filled(v1.UpdateCachedContentRequest).update_mask,
        filled(v1.RetrievalConfig).lat_lng,
        filled(v1.RawPredictRequest).http_body,
        filled(v1.Citation).publication_date,
    ]


@pytest.mark.parametrize("cls", message_classes(), ids=qualified)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(cls: type[Message], protocol: int) -> None:
    message = with_unknown(cls)
    found = pickle.loads(pickle.dumps(message, protocol))
    assert type(found) is cls
    assert found == message
    assert found.SerializeToString(deterministic=True) == message.SerializeToString(
        deterministic=True
    )


@pytest.mark.parametrize("cls", message_classes(), ids=qualified)
def test_copies(cls: type[Message]) -> None:
    message = with_unknown(cls)
    for found in (copy.copy(message), copy.deepcopy(message)):
        assert type(found) is cls
        assert found is not message
        assert found == message
        assert UNKNOWN in found.SerializeToString()


@pytest.mark.parametrize("message", well_known(), ids=lambda m: m.DESCRIPTOR.full_name)
def test_well_known_messages_pickle(message: Message) -> None:
    found = pickle.loads(pickle.dumps(message))
    assert type(found) is type(message)
    assert found == message
    assert copy.deepcopy(message) == message


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_crosses_processes(method: str) -> None:
    messages = [with_unknown(cls) for cls in message_classes()] + well_known()
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        found = pool.submit(echo, messages).result(timeout=120)
    assert found == messages
    assert [type(message) for message in found] == [type(message) for message in messages]
