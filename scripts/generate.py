"""Generates toolwire_pb from proto/, or checks that it is up to date.

Usage: python scripts/generate.py [--check] [--root FOLDER]

The compiler comes from the environment that `make generate` sets up in .cache/codegen.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from environments import ROOT
from toolwire._errors import DescriptorError
from toolwire.codegen import Generated, Toolchain, differences, generate
from transaction import one_at_a_time
from upstream import Upstream, renewed

PACKAGE = "toolwire_pb"
CODEGEN_PYTHON = ROOT / ".cache" / "codegen" / "bin" / "python"


def main(arguments: list[str] | None = None) -> int:
    """Runs the program and returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="holds proto/ and generated/")
    options = parser.parse_args(arguments)
    proto, out = options.root / "proto", options.root / "generated"
    started = time.monotonic()
    try:
        toolchain = Toolchain.of(CODEGEN_PYTHON)
        if options.check:
            return _check(proto, out, toolchain)
        with one_at_a_time(options.root), renewed(proto) as names:
            made = generate_recorded(proto, out, toolchain)
            revision = Upstream.read(proto).revision()
        for name in names:
            print(f"{name}: changed, its digest is renewed")
    except (DescriptorError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(_summary(made, toolchain, revision, time.monotonic() - started))
    return 0


def generate_recorded(proto: Path, out: Path, toolchain: Toolchain) -> Generated:
    """Generates from a schema folder, as its record says.

    Raises:
        DescriptorError: There is no such record, or the schema does not compile.
    """
    upstream = Upstream.read(proto)
    revision, strict = upstream.revision(), upstream.strict
    return generate(proto, out, toolchain, revision=revision, root=PACKAGE, strict=strict)


def _check(proto: Path, out: Path, toolchain: Toolchain) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        generate_recorded(proto, fresh, toolchain)
        found = [*Upstream.read(proto).problems(proto), *differences(fresh, out)]
    if not found:
        print("generated/ is what proto/ gives")
        return 0
    print("\n".join(found))
    print("\nerror: generated/ is not what proto/ gives: run `make generate`", file=sys.stderr)
    return 1


def _summary(made: Generated, toolchain: Toolchain, revision: str, seconds: float) -> str:
    tools = ", ".join(f"{name} {version}" for name, version in toolchain.versions.items())
    return (
        f"generated/{PACKAGE}: {made.files} files from {made.own} .proto files "
        f"({made.messages} messages) and {made.common} common ones, {seconds:.1f} s\n"
        f"schema: {revision}\ntools: {tools}"
    )


if __name__ == "__main__":
    sys.exit(main())
