"""The recipes for Spark in the docs, run where pyspark and Java are."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toolwire import streams, v1

pytestmark = pytest.mark.tools

PAGE = Path(__file__).parent.parent.parent / "docs" / "descriptors.md"
RECIPES = [
    text
    for text in re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    if "pyspark" in text
]
NOT_THERE = "PROTOBUF_NOT_LOADED"  # what Spark says without its package for protobuf


def test_there_are_recipes() -> None:
    assert ["from_protobuf(" in recipe for recipe in RECIPES] == [False, True]


@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="pyspark is missing")
@pytest.mark.skipif(shutil.which("java") is None, reason="Java is missing")
@pytest.mark.parametrize("recipe", RECIPES, ids=["json", "from_protobuf"])
def test_a_recipe_runs(recipe: str, tmp_path: Path) -> None:
    deep = {"city": "Paris", "a": {"b": [1, {"c": None}]}}
    part = {"function_call": {"name": "weather", "args": deep}}
    response = v1.GenerateContentResponse(candidates=[{"content": {"parts": [part]}}])
    streams.write_delimited([response] * 3, tmp_path / "responses.delim")
    program = tmp_path / "program.py"
    program.write_text(recipe)
    done = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=600,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    if NOT_THERE in done.stderr:
        pytest.skip("Spark's package spark-protobuf is missing: see PYSPARK_SUBMIT_ARGS")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("weather") == 3
