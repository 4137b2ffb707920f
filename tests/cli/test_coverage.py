"""`rules GAME --coverage`: nothing looks done without marked code and a test that passed on these very sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grognard.cli import coverage

TEST = "tests/games/picket/test_9.py::test_it"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Picket as if its code, its tests and the record of their run were these."""

    def tell(code: list[str], tests: list[str], outcomes: dict[str, str] | None, tree: str = "same") -> str:
        record = tmp_path / "picket.json"
        if outcomes is not None:
            record.write_text(json.dumps({"tree": tree, "tests": outcomes}))
        monkeypatch.setattr(coverage, "record_file", lambda game: record)
        monkeypatch.setattr(coverage, "tree_digest", lambda game: "same")
        monkeypatch.setattr(coverage, "code_of", lambda game: {"5.3": code} if code else {})
        monkeypatch.setattr(coverage, "tests_of", lambda game: {"5.3": tests} if tests else {})
        return str(coverage.index_of("picket", run_tests=False)["5.3"]["status"])

    return tell


def test_code_and_a_passed_test_are_done(told) -> None:
    assert told(["battle.py:1"], [TEST], {TEST: "passed"}) == "done"


@pytest.mark.parametrize("outcome", ["failed", "skipped"])
def test_a_test_that_did_not_pass_is_not_enough(told, outcome: str) -> None:
    assert told(["battle.py:1"], [TEST], {TEST: outcome}) == "partial"


def test_one_bad_parameter_spoils_the_test(told) -> None:
    assert told(["battle.py:1"], [TEST], {f"{TEST}[1]": "passed", f"{TEST}[2]": "failed"}) == "partial"


def test_a_test_that_did_not_run_is_not_enough(told) -> None:
    assert told(["battle.py:1"], [TEST], {}) == "partial"
    assert told(["battle.py:1"], [TEST], None) == "partial"


def test_a_record_of_other_sources_counts_for_nothing(told) -> None:
    assert told(["battle.py:1"], [TEST], {TEST: "passed"}, tree="other") == "partial"


def test_neither_code_alone_nor_a_test_alone_is_done(told) -> None:
    assert told(["battle.py:1"], [], {TEST: "passed"}) == "partial"
    assert told([], [TEST], {TEST: "passed"}) == "partial"
    assert told([], [], {TEST: "passed"}) == "missing"


def test_the_digest_changes_with_code_data_and_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / name for name in ("a.py", "b.toml")]
    for file in files:
        file.write_text("x")
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    monkeypatch.setattr(coverage, "sources_of", lambda game: files)
    before = coverage.tree_digest("picket")
    files[1].write_text("y")
    assert coverage.tree_digest("picket") != before


def test_what_a_run_of_a_few_tests_left_out_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, asked = tmp_path / "picket.json", list[list[str]]()
    other = "tests/games/picket/test_8.py::test_that"
    record.write_text(json.dumps({"tree": "same", "tests": {TEST: "passed"}}))

    def run(game: str, files: list[str]) -> None:
        asked.append(files)
        record.write_text(json.dumps({"tree": "same", "tests": {TEST: "passed", f"{other}[1]": "passed"}}))

    monkeypatch.setattr(coverage, "record_file", lambda game: record)
    monkeypatch.setattr(coverage, "tree_digest", lambda game: "same")
    monkeypatch.setattr(coverage, "tests_of", lambda game: {"5.3": [TEST], "5.4": [other]})
    monkeypatch.setattr(coverage, "_run_tests", run)
    assert coverage.passed_tests("picket", run_tests=True) == {TEST, other}
    assert asked == [["tests/games/picket/test_8.py"]]
    assert coverage.passed_tests("picket", run_tests=True) == {TEST, other}
    assert len(asked) == 1, "a whole record is believed"
