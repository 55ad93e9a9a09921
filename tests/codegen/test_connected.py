"""The types of connected stubs, beside what mypy-protobuf writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto

import toolwire
from support.checkers import mypy
from toolwire.codegen import compile_protos
from toolwire.codegen._connected import connect  # pyright: ignore[reportPrivateUsage]

ODD = '''\
syntax = "proto3";
package odd;
message Word { string text = 1; }
// Has """ no
//
// class OtherStub:
// methods \\ yet.
service Empty {}
service Bare { rpc timeout(Word) returns (Word); rpc Bare(stream Word) returns (stream Word); }
// Old.
service Old {
  option deprecated = true;
  /* block

flush left
   x: _grpc.UnaryUnaryMultiCallable[
  */
  rpc One(Word) returns (stream Word) { option deprecated = true; }
  rpc import_(stream Word) returns (Word);
}
'''
PROGRAM = """\
from odd_pb2 import Word
from odd_pb2_grpc import BareStub, EmptyStub, OldStub

from toolwire import client

with client.stub(BareStub, "localhost:1", insecure=True) as bare:
    text: str = bare.timeout({"text": "x"}, retries=0).text
    many: list[Word] = list(bare.Bare([{"text": "x"}]))
with client.stub(EmptyStub, "localhost:1", insecure=True) as empty:
    empty.One  # wrong
"""


@pytest.mark.tools
def test_services_may_be_odd(tmp_path: Path) -> None:
    (tmp_path / "odd.proto").write_text(ODD.replace("\n", "\r\n"))
    compile_protos([tmp_path / "odd.proto"], tmp_path / "gen", include=[tmp_path])
    program = tmp_path / "gen" / "program.py"
    program.write_text(PROGRAM)
    (complaint,) = mypy(program)  # which looks into the stubs as well
    assert complaint.text.endswith('"EmptyConnected" has no attribute "One"')
    old = (tmp_path / "gen" / "odd_pb2_grpc.pyi").read_text().split("class OldConnected:")[1]
    assert "def One(self) -> _blocking_stubs.UnaryStream[_odd_pb2.Word, _odd_pb2.Word]:" in old
    assert "import_: _aio_stubs.StreamUnary[_odd_pb2.Word, _odd_pb2.Word]" in old


def stub(name: str = "Words", new: str = "__new__", method: str = "One") -> str:
    """What mypy-protobuf writes, or nearly."""
    return (
        f"import grpc as _grpc\n\nclass {name}Stub:\n    @_typing.overload\n"
        f"    def {new}(cls, channel: _grpc.Channel) -> _Self: ...\n"
        f"    {method}: _grpc.UnaryUnaryMultiCallable[_a.B, _a.B]\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        stub(name="Others"),
        stub(new="__init__"),
        stub(method="Two"),
        stub().replace("import grpc as _grpc", "import grpc"),
        stub() + stub(name="Others"),
    ],
    ids=["class", "new", "method", "import", "another"],
)
def test_what_is_written_in_another_way_is_refused(text: str) -> None:
    file = FileDescriptorProto(name="words.proto")
    file.service.add(name="Words").method.add(name="One")
    assert "class WordsAsyncConnected:" in connect(stub(), file)
    with pytest.raises(toolwire.DescriptorError, match=r"words\.proto: .* is not known"):
        connect(text, file)
