"""The types of the oneof helpers, for sources that a Retrieval may have one day."""

from __future__ import annotations

import ast

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from toolwire.codegen._oneofs import oneof_types


def test_sources_of_any_type_and_fields_of_any_name() -> None:
    file = FileDescriptorProto(name="acme/v1/tool.proto", package="acme.v1", syntax="proto3")
    text = {"type": FieldDescriptorProto.TYPE_STRING, "label": FieldDescriptorProto.LABEL_OPTIONAL}
    shelf = file.message_type.add(name="Shelf")
    shelf.field.add(name="class", number=1, **text)
    shelf.field.add(name="board", number=2, **text)
    file.message_type.add(name="Empty")
    retrieval = file.message_type.add(name="Retrieval")
    retrieval.oneof_decl.add(name="source")
    retrieval.field.add(name="corpus", number=1, oneof_index=0, **text)
    for number, kind in enumerate(("Shelf", "Empty"), start=2):
        retrieval.field.add(
            name=kind.lower(),
            number=number,
            oneof_index=0,
            label=FieldDescriptorProto.LABEL_OPTIONAL,
            type=FieldDescriptorProto.TYPE_MESSAGE,
            type_name=f".acme.v1.{kind}",
        )
    made = ast.parse(oneof_types("acme_pb", [file], [file]))
    classes = {node.name: node for node in made.body if isinstance(node, ast.ClassDef)}
    assert "v1_corpus" not in classes
    assert ast.unparse(classes["v1_shelf"]).splitlines()[1:] == ["    board: _builtins.str"]
    assert ast.unparse(classes["v1_empty"]).splitlines()[1:] == ["    pass"]
