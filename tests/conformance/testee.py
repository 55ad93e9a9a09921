"""What the conformance runner talks to: one request after another, JSON by us, binary by upb.

Usage: python testee.py DESCRIPTOR_SET

The runner writes and reads messages with their length in front, as 32-bit little-endian.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any, Literal

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import toolwire

LENGTH = struct.Struct("<I")
PACKAGE = "conformance"


class Testee:
    """Answers requests about the messages of a descriptor set.

    Args:
        descriptors: The set, imports included.
    """

    def __init__(self, descriptors: descriptor_pb2.FileDescriptorSet) -> None:
        self._pool = descriptor_pool.DescriptorPool()
        for file in descriptors.file:
            self._pool.AddSerializedFile(file.SerializeToString())
        self.request = self._class(f"{PACKAGE}.ConformanceRequest")
        self._response = self._class(f"{PACKAGE}.ConformanceResponse")
        formats = self._pool.FindEnumTypeByName(f"{PACKAGE}.WireFormat").values_by_name
        self._binary, self._json = formats["PROTOBUF"].number, formats["JSON"].number
        categories = self._pool.FindEnumTypeByName(f"{PACKAGE}.TestCategory").values_by_name
        self._lenient = categories["JSON_IGNORE_UNKNOWN_PARSING_TEST"].number

    def answer(self, request: Any) -> Any:
        """Reads the payload in its format and writes it in the one that is asked for."""
        response = self._response()
        if request.message_type == f"{PACKAGE}.FailureSet":  # no test fails by intention
            response.protobuf_payload = b""
            return response
        payload = request.WhichOneof("payload")
        wanted = request.requested_output_format
        if payload not in ("protobuf_payload", "json_payload"):
            response.skipped = f"no {payload}"
        elif wanted not in (self._binary, self._json):
            response.skipped = "no such output"
        else:
            self._convert(request, payload, response)
        return response

    def _convert(self, request: Any, payload: str, response: Any) -> None:
        cls = self._class(request.message_type)
        lenient = request.test_category == self._lenient
        unknown: Literal["error", "ignore"] = "ignore" if lenient else "error"
        try:
            if payload == "json_payload":
                message = toolwire.from_json(cls, request.json_payload, unknown=unknown)
            else:
                message = toolwire.from_binary(cls, request.protobuf_payload)
        except toolwire.Error as error:
            response.parse_error = str(error)
            return
        try:
            if request.requested_output_format == self._json:
                response.json_payload = toolwire.to_json(message)
            else:
                response.protobuf_payload = message.SerializeToString()
        except toolwire.Error as error:
            response.serialize_error = str(error)

    def _class(self, name: str) -> Any:
        return message_factory.GetMessageClass(self._pool.FindMessageTypeByName(name))


def main(descriptors: Path) -> None:
    """Answers until the runner closes its end."""
    files = descriptor_pb2.FileDescriptorSet.FromString(descriptors.read_bytes())
    testee = Testee(files)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while header := source.read(LENGTH.size):
        (size,) = LENGTH.unpack(header)
        answer = testee.answer(testee.request.FromString(source.read(size))).SerializeToString()
        target.write(LENGTH.pack(len(answer)) + answer)
        target.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
