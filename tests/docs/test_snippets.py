"""Every snippet in the README and the docs does what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.checkers import CHECKERS

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"\n+```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
TOOLWIRE = Path(sys.executable).parent / "toolwire"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    output: str | None  # that of the block right behind it

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def snippets() -> list[Snippet]:
    found: list[Snippet] = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            output = OUTPUT.match(text, match.end())
            found.append(Snippet(page, line, match[1], match[2], output and output[1]))
    return found


def of(*languages: str) -> list[Snippet]:
    return [snippet for snippet in snippets() if snippet.language in languages]


def test_there_are_snippets_of_known_languages_only() -> None:
    assert of("python")
    assert of("sh")
    # "text" is for output and pictures; everything else would go untested.
    unknown = [str(s) for s in snippets() if s.language not in {"python", "sh", "text"}]
    assert unknown == []


@pytest.mark.parametrize("snippet", of("python"), ids=str)
def test_python_runs(snippet: Snippet, tmp_path: Path) -> None:
    program = tmp_path / "snippet.py"
    program.write_text(snippet.text)
    result = subprocess.run(
        [sys.executable, "-W", "error", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    # A comment after a print says what it prints.
    expected = re.findall(r"^print\(.*\)  # (.+)$", snippet.text, re.MULTILINE)
    if expected:
        assert result.stdout.splitlines() == expected
    if snippet.output is not None:
        assert result.stdout == snippet.output


@pytest.mark.tools
@pytest.mark.parametrize("checker", CHECKERS)
def test_python_type_checks(checker: str, tmp_path: Path) -> None:
    """All snippets as functions of one module, since starting a checker is what takes time."""
    # Lines of a program are no unused variables, and a schema may have more than a match names.
    rules = ("UnusedExpression", "UnusedImport", "UnusedVariable", "MatchNotExhaustive")
    lines = [f"# pyright: {', '.join(f'report{rule}=false' for rule in rules)}"]
    owners: dict[int, Snippet] = {}
    for number, snippet in enumerate(of("python")):
        lines.append(f"def snippet_{number}() -> None:")
        for line in snippet.text.splitlines():
            lines.append(f"    {line}")
            owners[len(lines)] = snippet
    program = tmp_path / "snippets.py"
    program.write_text("\n".join(lines) + "\n")
    complaints = CHECKERS[checker](program)
    assert [f"{owners[c.line]}: {c.text}" for c in complaints] == []


@pytest.mark.parametrize("snippet", of("sh"), ids=str)
def test_commands_exist(snippet: Snippet) -> None:
    makefile = (ROOT / "Makefile").read_text()
    for line in snippet.text.splitlines():
        command = shlex.split(line, comments=True)
        match command:
            case []:
                pass
            case ["make", *targets]:
                for target in targets:
                    if "=" not in target:
                        assert re.search(rf"^{target}:", makefile, re.MULTILINE), line
            case ["pip" | "git" | "cd", *_]:
                pass  # the wheel's tests install it
            case ["toolwire", *arguments]:
                helped = [str(TOOLWIRE), *arguments[:1], "--help"]
                assert subprocess.run(helped, capture_output=True, check=False).returncode == 0
            case _:
                pytest.fail(f"no test knows the command: {line}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
