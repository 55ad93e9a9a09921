"""`make update` as its user sees it: one command, and the new schema is there, or nothing is."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import generate
import update as program
from environments import ROOT
from support.processes import run_python
from support.upstream_changes import ACME, FOLDER, RENAMED, change, named, newer
from toolwire.codegen import Toolchain
from transaction import STAGE, recover
from upstream import RECORD, Upstream

TOOL = f"{FOLDER}/tool.proto"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout, as far as an update is concerned."""
    root = tmp_path / "checkout"
    for name in ("proto", "generated", "docs"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A newer schema, some folders below the one that is named."""
    return newer(ROOT / "proto", tmp_path / "upstream" / "package" / "protos").parent.parent


def state(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not hidden(path, root)
    }


def hidden(path: Path, root: Path) -> bool:
    return path.relative_to(root).as_posix().startswith(".")


def run(root: Path, *arguments: str | Path) -> int:
    return program.main([*map(str, arguments), "--root", str(root)])


def test_the_new_schema_is_there_with_one_command(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(root, upstream) == 0
    report = capsys.readouterr().out
    for line in (f"new:     {ACME}", f"changed: {TOOL}", RENAMED, named("Mode.ACME_CAREFUL")):
        assert line in report
    assert generate.main(["--check", "--root", str(root)]) == 0
    record = Upstream.read(root / "proto")
    assert record.files[ACME][0] == record.files[TOOL][0] == "googleapis"
    assert record.revisions["googleapis"].startswith("sha256:")
    history = (root / "docs" / "schema-history.md").read_text()
    assert history.index(named("ACME_CAREFUL")) < len(history)
    assert run(root, upstream) == 0
    assert "the schema is what it was" in capsys.readouterr().out


# What a user does with the new schema, with no line of ours changed.
_USE = named("""
import toolwire
from toolwire import oneof, retrieval, v1
from toolwire.testing import LocalServer

acme = v1.AcmeSearch(shelf="manuals", budget={"units": 3})
source = v1.Retrieval(acme=acme)
assert oneof.which(source, "source") == "acme"
oneof.assign(source, "vertex_rag_store", {})
oneof.assign(source, "acme", acme)
tool = v1.Tool(retrieval=source)
assert retrieval.source(tool) == acme
text = toolwire.to_json(tool)
assert text == '{"retrieval":{"acme":{"shelf":"manuals","budget":{"units":"3"}}}}', text
assert toolwire.from_json(v1.Tool, text) == tool
assert v1.Tool(acme_weather={"forecast": True}).acme_weather.forecast
assert v1.FunctionCallingConfig(mode="ACME_CAREFUL").mode == 90
with LocalServer() as server, server.client() as client:
    reply = client.generate_content("gemini-2.5-flash", "Hello", tools=[tool])
    assert reply.candidates
    warm = client.acme_warm_up("gemini-2.5-flash", timeout=20)
    assert type(warm) is v1.AcmeWarmUpResponse
    assert warm.degrees == 1  # the server fills in what it knows nothing of
    assert "AcmeWarmUp" in client.acme_warm_up.__doc__
    assert "acme_warm_up" in dir(client)
assert hasattr(v1.grpc.PredictionServiceServicer, "AcmeWarmUp")
print("done")
""")


def test_the_new_things_work_with_no_edit(root: Path, upstream: Path) -> None:
    assert run(root, upstream) == 0
    path = f"import sys; sys.path.insert(0, {str(root / 'generated')!r})\n"
    assert run_python("-c", path + _USE) == "done\n"


def test_a_dry_run_reports_and_writes_nothing(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(root)
    assert run(root, upstream, "--dry") == 0
    report = capsys.readouterr().out
    assert RENAMED in report
    assert report.endswith("\na dry run: nothing was written\n")
    assert state(root) == before


def test_demands_of_the_new_comments_are_named_to_be_judged(
    root: Path,
    upstream: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("statements._MOST", 10_000)  # whatever else the schema has to be judged
    protos = upstream / "package" / "protos"
    change(protos / ACME, "// Most that a search may cost.", "// Set at most a dollar.")
    assert run(root, upstream, "--dry") == 0
    told = capsys.readouterr().out
    assert "demands of comments to be judged, which the tests do not wait for: " in told
    assert named("\n  AcmeSearch.budget: new, needs a row\n") in told
    assert "\n`python scripts/statements.py` tells all" in told


def test_without_a_folder_it_says_what_is_missing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(root)
    with pytest.raises(SystemExit) as ended:
        run(root, "")
    assert ended.value.code == 2
    assert "make update FROM=folder" in capsys.readouterr().err
    assert state(root) == before


def test_what_the_tree_has_of_the_common_files_is_not_passed_over_in_silence(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = Toolchain.of(generate.CODEGEN_PYTHON).common_protos
    types = upstream / "package" / "protos" / "google" / "type"
    types.mkdir()
    for name in ("money.proto", "latlng.proto", "expr.proto"):  # the last one is not imported
        text = (common / "google" / "type" / name).read_text()
        (types / name).write_text(f"// Another comment.\n\n{text}message New {{}}\n")
    change(types / "latlng.proto", "message New {}\n", "")
    assert run(root, upstream, "--dry") == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "not taken" in line]
    assert [line.partition(": ")[2] for line in told] == ["google/type/money.proto"]


def test_a_revision_of_a_checkout(root: Path, upstream: Path) -> None:
    git = ["git", "-C", str(upstream), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *command], check=True)
    shutil.rmtree(upstream / "package")
    assert run(root, upstream, "--ref=HEAD") == 0
    assert len(Upstream.read(root / "proto").revisions["googleapis"]) == 40


BROKEN = {
    "syntax": (named("message AcmeSearch {"), named("message AcmeSearch {{"), r"\w+\.proto:9:"),
    "missing import": ("google/type/money.proto", "acme/gone.proto", r"\w+\.proto:6:"),
    "number": ("string shelf = 1", "string shelf = 0", r"\w+\.proto:11:"),
    "missing type": ("google.type.Money", "google.type.Moneys", r"\w+\.proto:14:"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_schema_changes_nothing(
    root: Path, upstream: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after, reason = BROKEN[fault]
    change(upstream / "package" / "protos" / ACME, before, after)
    untouched = state(root)
    assert run(root, upstream) == 1
    printed = capsys.readouterr().err
    assert re.search(reason, printed), printed
    assert "nothing was changed" in printed
    assert state(root) == untouched


def test_a_root_that_nobody_has_is_an_error(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(root / "proto" / RECORD, 'v1.Tool",', 'v1.Tool",\n  "google.cloud.aiplatform.v1.Toll",')
    before = state(root)
    assert run(root, upstream) == 1
    expected = rf"proto/{RECORD}:\d+: the tree has no google\.cloud\.aiplatform\.v1\.Toll"
    assert re.search(expected, capsys.readouterr().err)
    assert state(root) == before


def test_a_root_that_is_gone_upstream_is_kept_out(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    protos = upstream / "package" / "protos"
    (protos / FOLDER / "gen_ai_cache_service.proto").unlink()
    assert run(root, upstream) == 0
    assert "warning: google.cloud.aiplatform.v1.GenAiCacheService is gone" in (
        capsys.readouterr().out
    )
    assert not (root / "proto" / FOLDER / "gen_ai_cache_service.proto").exists()
    use = (
        f"import sys; sys.path.insert(0, {str(root / 'generated')!r})\n"
        "from toolwire import v1\nfrom toolwire.testing import LocalServer\n"
        "with LocalServer() as server, server.client() as client:\n"
        "    print(client.generate_content('m', 'Hello').candidates[0].finish_reason)"
    )
    assert run_python("-c", use) == "1\n"


def test_a_root_that_is_gone_stays_away_until_it_is_back(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = "google.cloud.aiplatform.v1.GenAiCacheService"
    service = upstream / "package" / "protos" / FOLDER / "gen_ai_cache_service.proto"
    text = service.read_text()
    service.unlink()
    assert run(root, upstream) == 0
    assert Upstream.read(root / "proto").gone == {lost}
    change(upstream / "package" / "protos" / ACME, "string shelf", "string board")
    assert run(root, upstream) == 0
    assert f"warning: {lost} is gone upstream" in capsys.readouterr().out
    service.write_text(text)
    assert run(root, upstream) == 0
    assert Upstream.read(root / "proto").gone == set()
    assert generate.main(["--check", "--root", str(root)]) == 0


def test_a_warning_about_upstreams_text_is_passed_on(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unused = 'import "google/type/money.proto";\nimport "google/type/date.proto";\n'
    change(upstream / "package" / "protos" / ACME, 'import "google/type/money.proto";\n', unused)
    assert run(root, upstream) == 0
    warning = f"{ACME}:7:1: warning: Import google/type/date.proto is unused."
    assert warning in capsys.readouterr().out.splitlines()
    assert generate.main(["--root", str(root)]) == 0
    assert generate.main(["--check", "--root", str(root)]) == 0


def test_what_the_record_does_not_know_is_not_replaced(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = root / "proto" / "acme.proto"
    own.write_text('syntax = "proto3"; message Acme {}')
    firebase = root / "proto" / "toolwire" / "firebase" / "v1beta" / "tool.proto"
    change(firebase, "message GoogleMaps {", "// Edited.\nmessage GoogleMaps {")
    before = state(root)
    assert run(root, upstream) == 1
    printed = capsys.readouterr().err
    assert "UPSTREAM.toml has no entry for acme.proto" in printed
    assert "toolwire/firebase/v1beta/tool.proto is not the recorded text" in printed
    assert state(root) == before


def test_what_is_no_proto_file_stays(root: Path, upstream: Path) -> None:
    (root / "proto" / "google" / "LICENSE").write_text("free")
    assert run(root, upstream) == 0
    assert (root / "proto" / "google" / "LICENSE").read_text() == "free"


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_in_between_is_said_in_two_lines(
    root: Path,
    upstream: Path,
    failure: BaseException,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise failure

    before = state(root)
    monkeypatch.setattr(program, "with_entry", fail)
    assert run(root, upstream) in (1, 130)
    first, second = capsys.readouterr().err.splitlines()
    assert first in ("error: [Errno 28] No space left on device", "interrupted")
    assert second == "nothing was changed"
    assert state(root) == before


def test_a_package_that_is_gone_is_an_error(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (upstream / "package" / "protos" / FOLDER).iterdir():
        path.write_text('syntax = "proto3"; package google.cloud.aiplatform.v1;')
    before = state(root)
    assert run(root, upstream) == 1
    assert "no root of google.cloud.aiplatform.v1 any more" in capsys.readouterr().err
    assert state(root) == before


def test_what_the_tree_does_not_have_stays(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(upstream / "package" / "protos" / "google" / "ai")
    shutil.rmtree(upstream / "package" / "protos" / FOLDER.replace("v1", "v1beta1"))
    assert run(root, upstream) == 0
    assert "left as it is, since the tree has nothing of it: google.ai" in capsys.readouterr().out
    assert generate.main(["--check", "--root", str(root)]) == 0
    kept = Upstream.read(root / "proto").files
    assert {name: entry for name, entry in kept.items() if "v1beta" in name} == {
        name: entry
        for name, entry in Upstream.read(ROOT / "proto").files.items()
        if "v1beta" in name
    }


def test_a_trimmed_service_that_is_whole_again_is_recorded_so(root: Path, upstream: Path) -> None:
    name = '"google.cloud.aiplatform.v1.PredictionService" = ['
    if name not in (root / "proto" / RECORD).read_text():
        pytest.skip("the service is whole already")
    assert run(root, upstream) == 0
    assert name not in (root / "proto" / RECORD).read_text()


def test_an_unknown_source_is_an_error(
    root: Path, upstream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(root, upstream, "--source=nobody") == 1
    assert "no source 'nobody'; there are googleapis, toolwire" in capsys.readouterr().err


def test_killed_at_random_moments(root: Path, upstream: Path) -> None:
    """The real program, at moments spread over its whole run: the tree is the old or the new."""
    script = [sys.executable, str(ROOT / "scripts" / "update.py"), str(upstream)]
    whole = root.with_name("whole")
    shutil.copytree(root, whole)
    started = time.monotonic()
    subprocess.run([*script, "--root", str(whole)], check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    old, new = state(root), state(whole)
    moments = int(os.environ.get("UPDATE_KILLS", "6"))
    for number in range(moments):
        with subprocess.Popen([*script, "--root", str(root)], stdout=subprocess.DEVNULL) as process:
            time.sleep(seconds * (0.3 + 0.75 * number / moments))
            process.send_signal(signal.SIGKILL)
        recover(root)
        assert not (root / STAGE).exists()
        assert state(root) in (old, new)
        if state(root) == new:
            shutil.rmtree(root)
            shutil.copytree(ROOT / "proto", root / "proto")
            for name in ("generated", "docs"):
                shutil.copytree(
                    ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__")
                )
