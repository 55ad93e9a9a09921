"""Compiles .proto files into Python modules that live in a private descriptor pool.

The steps, one module each: ``_sources`` finds the files, ``_protoc`` runs the compiler,
``_rewrite`` moves the Python modules to another import root and into the private pool,
``_widen`` makes the type stubs say what run time accepts, ``_facade`` writes the packages'
``__init__`` modules, ``_stamp`` records what went in, and ``_generate`` chains them.

Nothing here imports ``toolwire_pb``: it must work where that is missing or broken.
"""

from toolwire.codegen._generate import Generated, differences, generate
from toolwire.codegen._protoc import Toolchain
from toolwire.codegen._stamp import sha256

__all__ = ["Generated", "Toolchain", "differences", "generate", "sha256"]
