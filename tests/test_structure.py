"""The shape of the package: public names, direction of imports, size of modules, messages."""

from __future__ import annotations

import ast
import importlib
import pickle
import pkgutil
import re
from graphlib import TopologicalSorter
from importlib.metadata import metadata, requires
from pathlib import Path

import pytest

import toolwire
from support.processes import run_python

SOURCE = Path(toolwire.__file__).parent
MODULES = sorted(path for path in SOURCE.rglob("*.py"))
MOST_LINES = 400

# The names that users may rely on. Adding one is a decision; taking one away breaks them.
PUBLIC = {
    "toolwire": {
        "JSON_CODEC",
        "AnswerError",
        "AsyncClient",
        "CallError",
        "Cancelled",
        "Client",
        "ConversionError",
        "Converted",
        "DeadlineExceeded",
        "DeclarationError",
        "DecodeError",
        "DescriptorError",
        "Error",
        "InvalidArgument",
        "JsonError",
        "Loss",
        "MissingExtraError",
        "NotFound",
        "PermissionDenied",
        "ResourceExhausted",
        "Unauthenticated",
        "Unavailable",
        "UnknownFields",
        "UsageError",
        "ValidationError",
        "Violation",
        "__version__",
        "client",
        "convert",
        "details",
        "firebase",
        "from_binary",
        "from_dict",
        "from_json",
        "functions",
        "gemini",
        "join_chunks",
        "oneof",
        "retrieval",
        "split_tool",
        "streams",
        "testing",
        "text",
        "to_dict",
        "to_json",
        "to_json_bytes",
        "v1",
        "v1beta1",
        "validate",
        "violations",
    },
    "toolwire.oneof": {"assign", "clear", "get", "names", "which"},
    "toolwire.functions": {
        "Call",
        "Calls",
        "Change",
        "Declared",
        "Outcome",
        "Result",
        "ToolError",
        "Toolbox",
        "call_part",
        "calls",
        "declare",
        "parse",
        "respond",
        "response_schema",
        "to_json_schema",
        "to_plain",
        "to_struct",
        "to_value",
        "tool",
    },
    "toolwire.retrieval": {"source", "vertex_ai_search", "vertex_rag_store"},
    "toolwire.client": {
        "Session",
        "Retry",
        "Pager",
        "AsyncStream",
        "AsyncSession",
        "AsyncPager",
        "AsyncClient",
        "AsyncConnected",
        "CallError",
        "Cancelled",
        "Client",
        "Connected",
        "DeadlineExceeded",
        "InvalidArgument",
        "NotFound",
        "PermissionDenied",
        "ResourceExhausted",
        "Stream",
        "ToolLoopError",
        "Transcript",
        "Turn",
        "Unauthenticated",
        "Unavailable",
        "UsageError",
        "async_stub",
        "stub",
    },
    "toolwire.details": {
        "Any",
        "BadRequest",
        "DebugInfo",
        "Detail",
        "ErrorInfo",
        "Help",
        "LocalizedMessage",
        "PreconditionFailure",
        "QuotaFailure",
        "RequestInfo",
        "ResourceInfo",
        "RetryInfo",
    },
    "toolwire.streams": {
        "read_delimited",
        "read_json_array",
        "read_json_lines",
        "write_delimited",
        "write_json_array",
        "write_json_lines",
    },
    "toolwire.testing": {"LocalServer"},
    "toolwire.codegen": {
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
    },
}

# A module may import from its own entry, or from those before it.
LAYERS = [
    "_version _lazy _findings _errors _words _habits _descriptor_types codegen",
    "v1 v1beta1 gemini firebase",
    "_messages _message_fields _paths _apis _annotations _rpc _resource_names",
    "_schema_diff",
    "_json",
    "_lost _streams streams",
    "_rules _types _definitions",
    "_oneofs oneof retrieval",
    "_given _functions _convert _answers _calls functions",
    "details _call_errors _client client",
    "testing",
    "cli __main__",
]
LAYER_OF = {name: number for number, names in enumerate(LAYERS) for name in names.split()}


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST) -> set[str]:
    """Every module of ours that a module imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), names=names):
                found |= {f"{module}.{alias.name}" for alias in names}
            case _:
                pass
    return {name for name in found if name.split(".")[0] == "toolwire"}


@pytest.mark.parametrize("module", PUBLIC)
def test_public_names_are_the_agreed_ones(module: str) -> None:
    loaded = importlib.import_module(module)
    assert set(loaded.__all__) == PUBLIC[module]
    for name in loaded.__all__:
        assert getattr(loaded, name) is not None
        assert name in dir(loaded)


def test_no_modules_need_each_other() -> None:
    """Not even for a type checker, nor by way of others."""
    modules = {name_of(path): path for path in MODULES if path.stem != "__init__"}
    needs = {
        name: {
            module
            for found in imports(ast.parse(path.read_text()))
            for module in (found, found.rpartition(".")[0])
            if module in modules
        }
        for name, path in modules.items()
    }
    TopologicalSorter(needs).prepare()  # raises CycleError, which names them


@pytest.mark.parametrize("module", ["toolwire", "toolwire.client", "toolwire.functions"])
def test_tracebacks_name_errors_as_users_import_them(module: str) -> None:
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        value = getattr(loaded, name)
        if isinstance(value, type) and issubclass(value, toolwire.Error):
            home = "toolwire" if name in toolwire.__all__ else module
            assert (value.__module__, value.__qualname__) == (home, name)
            assert pickle.loads(pickle.dumps(value)) is value


def test_no_submodule_hides_a_public_name() -> None:
    code = (
        "import importlib, pkgutil, toolwire\n"
        "for found in pkgutil.walk_packages(toolwire.__path__, 'toolwire.'):\n"
        "    if not found.name.endswith('__main__'):\n"
        "        importlib.import_module(found.name)\n"
        "for name in sorted(toolwire.__all__):\n"
        "    print(name, type(getattr(toolwire, name)).__name__)\n"
    )
    kinds = dict(line.split() for line in run_python("-c", code).splitlines())
    modules = {name for name, kind in kinds.items() if kind == "module"}
    submodules = {found.name for found in pkgutil.iter_modules(toolwire.__path__)}
    assert modules == set(kinds) & submodules


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    package = name_of(path).split(".")[1:2]
    used = {name.split(".")[1] for name in imports(ast.parse(path.read_text())) if "." in name}
    if package == ["codegen"]:
        assert used <= {
            "codegen",
            "_errors",
            "_annotations",
            "_apis",
            "_descriptor_types",
            "_rpc",
            "_words",
        }
        return
    if not package:
        return  # the root re-exports all of it
    own = package[0]
    for name in used & set(LAYER_OF):
        assert LAYER_OF[name] <= LAYER_OF[own], f"{name_of(path)} imports {name}"
    assert used <= set(LAYER_OF) | set(toolwire.__all__)


def test_generated_code_knows_nothing_of_the_package() -> None:
    import toolwire_pb  # noqa: PLC0415

    for path in Path(toolwire_pb.__file__).parent.rglob("*.py"):
        assert imports(ast.parse(path.read_text())) == set(), path


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_messages_of_errors_start_in_lower_case(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in node.exc.args[:1]:
                text = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    first = text.value.split(" ")[0]
                    assert not first.istitle(), f"line {node.lineno}: {text.value}"


def test_no_python_is_refused_for_being_new() -> None:
    assert metadata("toolwire")["Requires-Python"] == ">=3.10"


def test_the_readme_says_what_is_tested() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    pythons = re.findall(r"Python :: (3\.\d+)", str(metadata("toolwire").get_all("Classifier")))
    tested = f"Tested with Python {pythons[0]} to {pythons[-1]}, protobuf {lowest('protobuf')} to "
    assert tested in text
    assert f"grpcio {lowest('grpcio')} and newer" in text


def test_contributors_find_every_room_in_the_order_of_imports() -> None:
    text = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("| room | what |")[1].split("\n\n")[0]
    rows = [re.findall(r"`(\w+)(?:/|\.py)`", row.split("|")[1]) for row in table.split("\n")[2:]]
    named = [name for row in rows for name in row]
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} <= set(named)
    assert sorted(named, key=LAYER_OF.__getitem__) == named


def lowest(package: str) -> str:
    """Returns the lowest version of a package that can be installed beside."""
    needed = next(each for each in requires("toolwire") or () if re.match(rf"{package}\b", each))
    found = re.search(r">=([\d.]+)", needed)
    assert found
    return found[1]
