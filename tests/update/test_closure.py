"""The files that roots need: where they are defined, and whatever these import."""

from __future__ import annotations

from pathlib import Path

import pytest

from closure import Closure, find_closure
from source_tree import opened
from toolwire import DescriptorError

ROOTS = ("acme.v1.Root", "acme.v1.Service")


def closure_of(folder: Path, files: dict[str, str], *, provided: tuple[str, ...] = ()) -> Closure:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with opened(folder, None, ("acme.v1",)) as tree:
        return find_closure(tree, ROOTS, provided)


def test_imports_of_imports_are_taken_and_nothing_else(tmp_path: Path) -> None:
    found = closure_of(
        tmp_path,
        {
            "acme/v1/root.proto": 'import "acme/v1/a.proto";\nmessage Root {}',
            "acme/v1/service.proto": "import 'acme/v1/b.proto';\nservice Service {}",
            "acme/v1/a.proto": 'import public "acme/types/c.proto"; import "acme/v1/root.proto";',
            "acme/v1/b.proto": 'import weak "given.proto";',
            "acme/types/c.proto": "",
            "acme/v1/unused.proto": 'import "acme/v1/root.proto"; message Roots {}',
            "given.proto": 'import "given_too.proto"; import "acme/v1/unused.proto";',
            "given_too.proto": "",
            "given_for_others.proto": "",
        },
        provided=("given.proto", "given_too.proto", "given_for_others.proto"),
    )
    assert sorted(found.files) == [
        "acme/types/c.proto",
        "acme/v1/a.proto",
        "acme/v1/b.proto",
        "acme/v1/root.proto",
        "acme/v1/service.proto",
    ]
    assert sorted(found.left) == ["given.proto", "given_too.proto"]
    assert found.found == ROOTS
    assert found.missing == found.absent == ()


def test_comments_and_strings_are_no_code(tmp_path: Path) -> None:
    found = closure_of(
        tmp_path,
        {
            "acme/v1/root.proto": (
                '// import "acme/v1/a.proto";\n'
                '/* import "acme/v1/b.proto";\nmessage Service {} */\n'
                'option go_package = "https://acme/*";\n'
                'import "acme/v1/c.proto"; // */\n'
                "message Root {}\n"
            ),
            **{f"acme/v1/{name}.proto": "" for name in "abc"},
        },
    )
    assert sorted(found.files) == ["acme/v1/c.proto", "acme/v1/root.proto"]
    assert found.missing == ("acme.v1.Service",)


@pytest.mark.parametrize("quote", ['"', "'"])
def test_strings_without_an_end_are_looked_at_once(tmp_path: Path, quote: str) -> None:
    """Or this takes hours."""
    endless = f"{quote}\\" * 3_000_000
    text = f'import "acme/v1/a.proto";\nmessage Root {{}}\n{endless}\nmessage Service {{}}'
    found = closure_of(tmp_path, {"acme/v1/root.proto": text, "acme/v1/a.proto": ""})
    assert sorted(found.files) == ["acme/v1/a.proto", "acme/v1/root.proto"]
    assert found.found == ROOTS


def test_what_is_not_there_is_left_to_the_compiler(tmp_path: Path) -> None:
    text = 'import "acme/v1/gone.proto"; import "../../secret.proto"; import "/etc/passwd";\n'
    found = closure_of(tmp_path, {"acme/v1/root.proto": text + "message Root {}"})
    assert sorted(found.files) == ["acme/v1/root.proto"]


def test_packages_that_the_tree_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "acme" / "v1").mkdir(parents=True)
    (tmp_path / "acme" / "v1" / "root.proto").write_text("message Root {}")
    with opened(tmp_path, None, ("acme.v1", "other.v1")) as tree:
        found = find_closure(tree, ["acme.v1.Root", "other.v1.Root"], ())
    assert found.absent == ("other.v1",)
    assert found.missing == ()


def test_a_file_that_is_not_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    root = tmp_path / "acme" / "v1" / "root.proto"
    root.parent.mkdir(parents=True)
    root.write_bytes(b"// a\n// \xf6\nmessage Root {}")
    with (
        opened(tmp_path, None, ("acme.v1",)) as tree,
        pytest.raises(DescriptorError, match=r"^acme/v1/root\.proto:2: is not UTF-8$"),
    ):
        find_closure(tree, ROOTS, ())
