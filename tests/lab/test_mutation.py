"""Wrong readings tried for real, on a game of a few lines in a folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grognard.kernel import GrognardError
from grognard.lab import mutation
from grognard.lab.mutants import Mutant, code_mutants
from grognard.lab.mutation import Report, Suite, Worker, healthy_suite, try_all
from tests.conftest import SOURCE

RULES = '''"""Rules."""
from grognard.kernel import rule


@rule("1.1")
def tight(n):
    """1.1 At least three."""
    return n >= 3


@rule("1.2")
def lax(n):
    """1.2 More than five."""
    return n > 5


@rule("1.3")
def slack(n):
    """1.3 Less than seven."""
    return n < 7


@rule("1.4")
def count(n):
    """1.4 Up to three."""
    while n != 3:
        n += 1
    return n
'''
TESTS = """
import pytest
from grognard.games.fake.rules import count, lax, slack, tight

@pytest.mark.rule("1.1")
@pytest.mark.parametrize(("n", "holds"), [(2, False), (3, True)])
def test_tight(n, holds):
    assert tight(n) is holds

@pytest.mark.rule("1.2")
def test_lax():
    assert lax(9) and not lax(1)

def test_the_limit_of_lax():
    assert not lax(5)

@pytest.mark.rule("1.3")
def test_slack():
    assert slack(1) and not slack(8)

@pytest.mark.rule("1.4")
def test_count():
    assert count(1) == 3
"""
HERE = "tests/games/fake/test_fake.py"
BY_RULE = {f"1.{n}": [f"{HERE}::test_{name}"] for n, name in enumerate(("tight", "lax", "slack", "count"), 1)}
PYPROJECT = '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\nmarkers = ["rule(*ids): x"]\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with the kernel and one small game."""
    package = tmp_path / "src" / "grognard"

    def unwanted(folder: str, names: list[str]) -> set[str]:
        inside = Path(folder).name == "games"
        return {n for n in names if n in ("__pycache__", "server", "cli") or (inside and n != "__init__.py")}

    shutil.copytree(SOURCE / "grognard", package, ignore=unwanted)
    for folder, file, text in (
        (package / "games" / "fake", "rules.py", RULES),
        (tmp_path / "tests" / "games" / "fake", "test_fake.py", TESTS),
    ):
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        (folder / file).write_text(text)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    return tmp_path


def mutants(root: Path, *wanted: tuple[str, str]) -> list[Mutant]:
    every = code_mutants(root / "src" / "grognard", "fake", frozenset(BY_RULE))
    return [m for m in every if (m.rules[0], m.kind) in wanted]


def test_own_tests_then_the_games_tests_then_nobody(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutation, "LEAST", 1.0)
    before = {f: f.read_bytes() for f in root.rglob("*") if f.is_file()}
    chosen = mutants(root, ("1.1", "boundary"), ("1.2", "boundary"), ("1.3", "boundary"), ("1.4", "effect"))
    report = Report(tmp_path / "out" / "report.jsonl", "tree")
    found = {o.mutant.rules[0]: o for o in try_all(root, "fake", chosen, BY_RULE, report, 2)}
    assert {rule: o.outcome for rule, o in found.items()} == {
        "1.1": "own",
        "1.2": "game",
        "1.3": "survived",
        "1.4": "own",
    }
    assert found["1.1"].test == f"{HERE}::test_tight[3-True]"
    assert found["1.2"].test == f"{HERE}::test_the_limit_of_lax"
    assert "too long" in found["1.4"].test
    assert {f: f.read_bytes() for f in before} == before, "the working tree was touched"

    again = Report(report.path, "tree")
    monkeypatch.setattr(mutation, "Worker", None)  # nothing is left to do: nobody is hired
    recalled = {o.mutant.rules[0]: o.outcome for o in try_all(root, "fake", chosen, BY_RULE, again, 2)}
    assert recalled == {rule: o.outcome for rule, o in found.items()}
    assert not Report(report.path, "other sources").known


def test_what_only_a_recorded_game_notices_is_counted_apart(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutation, "LEAST", 1.0)
    (root / "tests" / "golden" / "fake").mkdir(parents=True)
    (root / mutation.GAMES_RECORDED).write_text(
        "import pytest\nfrom grognard.games.fake.rules import slack\n"
        "@pytest.mark.parametrize('name', ['fake', 'other'])\n"
        "def test_replays(name):\n    assert name == 'fake' and slack(7) is False\n"
    )
    chosen = mutants(root, ("1.2", "boundary"), ("1.3", "boundary"))
    report = Report(tmp_path / "out" / "report.jsonl", "tree")
    outcomes = list(try_all(root, "fake", chosen, BY_RULE, report, 1))
    assert {o.mutant.rules[0]: o.outcome for o in outcomes} == {"1.2": "game", "1.3": "golden"}
    found = mutation.shares(outcomes)
    assert (found["killed_share"][0], found["noticed_share"][0], found["survived"]) == (0.5, 1.0, 0)


def test_a_survivor_is_shown_though_its_file_was_edited_meanwhile() -> None:
    from grognard.cli.mutate_cmd import told_diff

    mutant = Mutant("k", "games/picket/game.py", 1, "x", ("1.1",), "", "no such words", "others", 0, 13)
    assert told_diff(mutation.Outcome(mutant, "survived")) == "- no such words\n+ others"


def test_a_broken_line_of_a_report_is_passed_over(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.jsonl"
    path.write_text('{"tree": "t", "key": "k", "outcome": "own"}\n{"tree": "t", "ke')
    assert set(Report(path, "t").known) == {"k"}


def test_each_mutant_meets_healthy_neighbours(root: Path) -> None:
    """A mutant leaves nothing behind: the same size within the same second is still seen as changed back."""
    worker = Worker(root, "fake")
    try:
        suite = healthy_suite(worker, "fake", BY_RULE)
        (wrong,) = mutants(root, ("1.1", "flipped"))
        text = wrong.text((root / "src" / "grognard" / wrong.file).read_text())
        ask = {"tests": [HERE], "order": suite.costs, "seconds": 30}
        codes = [
            worker.ask(file=wrong.file, text=text, **ask)["code"] if n % 2 else worker.ask(**ask)["code"]
            for n in range(6)
        ]
        assert codes == [0, 1, 0, 1, 0, 1]
    finally:
        worker.close()
    assert not worker.folder.exists()


def test_a_suite_that_fails_as_it_is_is_an_error(root: Path) -> None:
    file = root / HERE
    file.write_text(TESTS + "\ndef test_bad():\n    assert not tight(3)\n")
    chosen = mutants(root, ("1.1", "boundary"))
    with pytest.raises(GrognardError, match="test_bad"):
        list(try_all(root, "fake", chosen, BY_RULE, Report(root / "r.jsonl", "t"), 1))


WAYS = '''"""Other rules."""
from functools import lru_cache

from grognard.kernel import rule

LIMIT = 3


@rule("1.1")
def limit(n):
    """1.1 Worked out when the module is read."""
    return n + 1


@rule("1.2")
def picked(many):
    """1.2 Those above four."""
    return [n for n in many if n > 4]


def marking(least):
    """Makes a function that goes on living."""

    @rule("1.3")
    def mark(n):
        return n >= least

    return mark


@lru_cache
@rule("1.4")
def kept(n):
    """1.4 Remembered."""
    return n - 1


BORDER = limit(LIMIT)
MARK = marking(2)
'''
WAYS_TESTS = """
from grognard.games.fake import rules
from grognard.games.fake.rules import BORDER, MARK, kept, picked

def test_border():
    assert BORDER == 4

def test_picked():
    assert picked([4, 5]) == [5]

def test_mark():
    assert MARK(2) and not MARK(1)

def test_kept():
    assert kept(3) == 2 and kept(3) == 2

def test_late():
    from grognard.games.fake.late import late
    assert late(1) == 2
"""
LATE = '''"""Read late."""
from grognard.kernel import rule

@rule("1.4")
def late(n):
    """1.4 One more."""
    return n + 1
'''


def test_the_quick_way_and_the_plain_way_say_the_same(root: Path, tmp_path: Path) -> None:
    """Whether a function ran on import, is inner, lives on in a table, is remembered or imported late."""
    (root / "src/grognard/games/fake/rules.py").write_text(WAYS)
    (root / "src/grognard/games/fake/late.py").write_text(LATE)
    (root / HERE).write_text(WAYS_TESTS)
    every = list(code_mutants(root / "src" / "grognard", "fake", frozenset(BY_RULE)))
    assert len(every) > 12
    by_rule = {"1.1": [f"{HERE}::test_border"], "1.3": [f"{HERE}::test_mark"]}
    found = {}
    for plain in (True, False):
        report = Report(tmp_path / f"{plain}.jsonl", "tree")
        outcomes = try_all(root, "fake", every, by_rule, report, 1, plain=plain, killers=2)
        found[plain] = {o.mutant.key: o for o in outcomes}
    for key, o in found[True].items():
        other = found[False][key]
        assert (o.outcome, o.test, o.killers) == (other.outcome, other.test, other.killers), o.mutant
    ways = {o.mutant.rules[0]: o.plain for o in found[False].values()}
    assert ways == {"1.1": True, "1.2": False, "1.3": False, "1.4": False}
    assert {o.outcome for o in found[False].values()} == {"own", "game"}


def test_what_tests_enter_is_kept_until_they_or_the_sources_change(root: Path, tmp_path: Path) -> None:
    wrong = mutants(root, ("1.2", "boundary"))
    reach = tmp_path / "fake-reach.json"

    def tried(name: str) -> str:
        (outcome,) = try_all(root, "fake", wrong, BY_RULE, Report(tmp_path / name, name), 1)
        return outcome.outcome

    assert tried("a") == "game"
    kept = json.loads(reach.read_text())
    for told in kept["found"].values():
        told["reach"] = []
    reach.write_text(json.dumps(kept))
    assert tried("b") == "survived", "nothing was kept"
    (root / HERE).write_text(TESTS + "\n\ndef test_new():\n    pass\n")
    assert tried("c") == "game"


def test_a_change_that_means_the_same_survives_the_quick_way(root: Path, tmp_path: Path) -> None:
    """The exchange itself breaks no test."""
    (same,) = mutants(root, ("1.1", "boundary"))
    changed = Mutant(
        "k", same.file, same.line, "x", same.rules, "tight", "n >= 3", "3 <= n", same.start - 2, same.end + 2
    )
    report = Report(tmp_path / "r.jsonl", "t")
    (outcome,) = try_all(root, "fake", [changed], BY_RULE, report, 1)
    assert (outcome.outcome, outcome.plain) == ("survived", False)


def test_those_that_noticed_what_the_own_tests_let_pass_are_named(root: Path, tmp_path: Path) -> None:
    (root / HERE).write_text(TESTS + "\n\ndef test_once_more():\n    assert not lax(5)\n")
    chosen = mutants(root, ("1.1", "boundary"), ("1.2", "boundary"))
    outcomes = list(try_all(root, "fake", chosen, BY_RULE, Report(tmp_path / "r.jsonl", "t"), 1, killers=3))
    found = {o.mutant.rules[0]: o.killers for o in outcomes}
    assert found["1.1"] == ()
    assert set(found["1.2"]) == {f"{HERE}::test_the_limit_of_lax", f"{HERE}::test_once_more"}


def test_tests_that_read_the_sources_do_not_count(root: Path) -> None:
    (root / "tests/games/fake/test_text.py").write_text(
        'from pathlib import Path\nFILES = Path("src").rglob("*.py")\ndef test_it():\n    assert FILES\n'
    )
    worker = Worker(root, "fake")
    try:
        assert all(HERE in item for item in healthy_suite(worker, "fake", BY_RULE).costs)
    finally:
        worker.close()


def test_the_tests_of_a_rule_are_found_with_their_parameters() -> None:
    suite = Suite(
        "fake", {f"{HERE}::test_tight[2]": 2.0, f"{HERE}::test_tight[1]": 1.0, f"{HERE}::test_lax": 0.5}, BY_RULE
    )
    mutant = Mutant("k", "f", 1, "x", ("1.1",), "", "", "", 0, 0)
    assert suite.own(mutant) == [f"{HERE}::test_tight[1]", f"{HERE}::test_tight[2]"]


def grognard(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(SOURCE), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "grognard", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600, check=False)


def test_the_command_tries_a_rule_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "report.jsonl"
    words = ("mutate", "picket", "--rule", "5.5", "--sample", "2", "--jobs", "1", "--out", str(out))
    done = grognard(*words, "--json")
    assert done.returncode in (0, 1), done.stderr
    told = json.loads(done.stdout)
    assert told["mutants"] == 2
    assert told["own"] >= 1
    assert all("5.5" in entry["rules"] for entry in told["all"])
    lines = out.read_text()
    assert len(lines.splitlines()) == 2
    again = grognard(*words, "--lang", "fr")
    assert again.returncode == done.returncode
    assert "remarquées par les tests du jeu" in again.stdout
    assert out.read_text() == lines


def test_the_command_says_what_is_wrong_with_its_words() -> None:
    for words, code in ((("pickett",), 2), (("picket", "--rule", "99"), 2), (("picket", "--record"), 2)):
        done = grognard("mutate", *words)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
    listed = grognard("mutate", "picket", "--rule", "5.3", "--list")
    assert listed.returncode == 0
    assert "rules/battle.py:" in listed.stdout
