"""Types of descriptors, for annotations.

The published stubs of protobuf have two classes for each kind of descriptor, the Python one and
that of the C implementation; a message gives either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from google._upb import _message as c  # pyright: ignore[reportMissingTypeStubs]
    from google.protobuf import descriptor as python

FileType: TypeAlias = "python.FileDescriptor | c.FileDescriptor"
MessageType: TypeAlias = "python.Descriptor | c.Descriptor"
FieldType: TypeAlias = "python.FieldDescriptor | c.FieldDescriptor"
OneofType: TypeAlias = "python.OneofDescriptor | c.OneofDescriptor"
EnumType: TypeAlias = "python.EnumDescriptor | c.EnumDescriptor"
MethodType: TypeAlias = "python.MethodDescriptor | c.MethodDescriptor"
ServiceType: TypeAlias = "python.ServiceDescriptor | c.ServiceDescriptor"
