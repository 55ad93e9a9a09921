"""Compiles the native core of the JSON codec, native/, into an extension module.

Usage: python scripts/build_native.py FOLDER [COMPILER OPTION ...]

The build of the wheel uses it as well (hatch_build.py), so it needs the standard library only.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "native"
OPTIONS = ("-std=c11", "-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden")
STRICT = ("-Wall", "-Wextra", "-Werror")


def digest() -> str:
    """Returns the sha256 of the sources, which the module carries as ``SOURCES``."""
    found = hashlib.sha256()
    for path in sorted(SOURCES.glob("*.[ch]")):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def obstacle() -> str:
    """Says why nothing can be compiled here; empty where it can."""
    command = _linker()
    if not command:
        return "this Python does not say how extension modules are compiled"
    if shutil.which(command[0]) is None:
        return f"no C compiler: {command[0]} is not found"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "no Python headers: Python.h is not found"
    return ""


def build(folder: Path, *options: str) -> Path:
    """Compiles the module.

    Args:
        folder: Where to put it.
        options: More options for the compiler.

    Returns:
        The module.

    Raises:
        RuntimeError: It does not compile; the message is the compiler's.
    """
    target = folder / f"_codec{sysconfig.get_config_var('EXT_SUFFIX')}"
    made = target.with_suffix(".new")  # whoever runs the old one keeps its file
    command = [*_linker(), *OPTIONS, *options, f'-DTOOLWIRE_SOURCES="{digest()}"']
    command += [f"-I{sysconfig.get_paths()['include']}"]
    command += [str(path) for path in sorted(SOURCES.glob("*.c"))]
    result = subprocess.run(
        [*command, "-o", str(made), "-lm"], capture_output=True, text=True, check=False
    )
    if result.returncode:
        made.unlink(missing_ok=True)
        raise RuntimeError(f"the native core does not compile:\n{result.stderr.strip()}")
    return made.replace(target)


def _linker() -> list[str]:
    """Returns the command that compiles and links a module, with the compiler of ``CC`` if set."""
    command = shlex.split(sysconfig.get_config_var("LDSHARED") or "")
    own = shlex.split(os.environ.get("CC", ""))
    return [*own, *command[1:]] if own else command


if __name__ == "__main__":
    print(build(Path(sys.argv[1]), *STRICT, *sys.argv[2:]))
