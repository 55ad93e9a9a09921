"""Compiles .proto files into Python modules that live in a private descriptor pool.

``generate`` makes ``toolwire_pb`` of a whole schema; ``compile_protos`` makes modules of
somebody's own files, which join the pool of ``toolwire_pb``. What the two share: ``_protoc``
runs the compiler, ``_rewrite`` moves Python modules to another import root and into the pool,
``_widen`` makes the type stubs say what run time accepts, ``_modules`` puts both to work,
``_stamp`` records what went in, and ``_replace`` swaps a folder as a whole. ``_sources``,
``_facade`` and ``_oneofs`` are for ``generate``; ``_base``, ``_inputs`` and ``_imports`` for
``compile_protos``.

Nothing here imports ``toolwire_pb``: it must work where that is missing or broken.
"""

from toolwire.codegen._base import common_protos, proto_folder
from toolwire.codegen._compile import Compiled, compile_protos
from toolwire.codegen._generate import Generated, differences, generate
from toolwire.codegen._protoc import Toolchain
from toolwire.codegen._sources import provided
from toolwire.codegen._stamp import sha256

__all__ = [
    "Compiled",
    "Generated",
    "Toolchain",
    "common_protos",
    "compile_protos",
    "differences",
    "generate",
    "proto_folder",
    "provided",
    "sha256",
]
