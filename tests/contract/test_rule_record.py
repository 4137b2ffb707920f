"""The record of which rules' tests passed: what `grognard rules GAME --coverage` builds on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import conftest
from tests.conftest import ROOT, SOURCE

TESTS = """
import pytest

@pytest.mark.rule("1.1", "1.2")
def test_good(): pass

@pytest.mark.rule("1.3")
def test_bad(): assert False

@pytest.mark.rule("1.4")
@pytest.mark.parametrize("n", [1, 2])
def test_half(n): assert n == 1

@pytest.mark.rule("1.5")
@pytest.mark.skip
def test_not_run(): pass

@pytest.mark.rule("1.6")
@pytest.mark.xfail
def test_expected_to_fail(): assert False

@pytest.fixture
def broken(): raise RuntimeError

@pytest.mark.rule("1.7")
def test_cannot_start(broken): pass

@pytest.fixture
def untidy():
    yield
    raise RuntimeError

@pytest.mark.rule("1.8")
def test_cannot_end(untidy): pass

@pytest.mark.rule("1.9")
class TestGroup:
    @pytest.mark.rule("2.0")
    def test_in_a_class(self): pass

def test_of_no_rule(): pass
"""
FILE = "tests/games/demo/test_chapter.py"
WANTED = {
    "test_good": ("passed", ["1.1", "1.2"]),
    "test_bad": ("failed", ["1.3"]),
    "test_half[1]": ("passed", ["1.4"]),
    "test_half[2]": ("failed", ["1.4"]),
    "test_not_run": ("skipped", ["1.5"]),
    "test_expected_to_fail": ("skipped", ["1.6"]),
    "test_cannot_start": ("failed", ["1.7"]),
    "test_cannot_end": ("failed", ["1.8"]),
    "TestGroup::test_in_a_class": ("passed", ["1.9", "2.0"]),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of its own with our plugin and one game's tests."""
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(TESTS, "utf-8")
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests" / "conftest.py")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\nmarkers = rule(*ids): rules\n")
    return tmp_path


def run(project: Path, *words: str) -> dict[str, Any]:
    env = os.environ | {"PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    for name in [name for name in env if name.startswith("PYTEST_")]:
        del env[name]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *words], cwd=project, env=env, capture_output=True, check=False
    )
    return json.loads((project / ".cache/rules/demo.json").read_text("utf-8"))


@pytest.mark.parametrize("words", [(), ("-n", "2")], ids=["one-process", "xdist"])
def test_outcomes_and_rules_are_recorded(project: Path, words: tuple[str, ...]) -> None:
    record = run(project, *words)
    assert record["tests"] == {f"{FILE}::{name}": outcome for name, (outcome, _) in WANTED.items()}
    assert record["rules"] == {f"{FILE}::{name}": ids for name, (_, ids) in WANTED.items()}
    assert set(record) == {"tree", "tests", "rules"}
    assert [p.name for p in (project / ".cache/rules").iterdir()] == ["demo.json"]


def test_a_run_of_a_part_keeps_the_rest(project: Path) -> None:
    before = run(project)
    assert run(project, "-k", "test_good") == before


def test_what_other_sources_did_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "demo.json"
    conftest.write_outcomes(path, "old", {"a": "passed", "b": "passed"}, {"a": ["1"], "b": ["2"]})
    conftest.write_outcomes(path, "old", {"b": "failed"}, {"b": ["2"]})
    assert json.loads(path.read_text())["tests"] == {"a": "passed", "b": "failed"}
    conftest.write_outcomes(path, "new", {"b": "passed"}, {"b": ["2"]})
    assert json.loads(path.read_text()) == {"tree": "new", "tests": {"b": "passed"}, "rules": {"b": ["2"]}}
    conftest.write_outcomes(path, None, {"c": "passed"}, {"c": ["3"]})
    assert json.loads(path.read_text()) == {"tree": None, "tests": {"c": "passed"}, "rules": {"c": ["3"]}}


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"tree": "t", "tests": 3, "rules": {}}', "\x00"])
def test_a_damaged_record_is_replaced(tmp_path: Path, content: str) -> None:
    path = tmp_path / "demo.json"
    path.write_text(content)
    conftest.write_outcomes(path, "t", {"a": "passed"}, {"a": ["1"]})
    assert json.loads(path.read_text())["tests"] == {"a": "passed"}


def test_the_game_is_the_folder_after_tests_games() -> None:
    assert conftest.game_of("tests/games/picket/test_x.py::test_y") == "picket"
    assert conftest.game_of("tests/games/picket/deep/test_x.py::test_y[tests/games/no]") == "picket"
    assert conftest.game_of("tests/games/test_x.py::test_y") is None
    assert conftest.game_of("tests/kernel/test_x.py::test_y") is None
