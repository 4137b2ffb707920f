"""`grognard check` finds what is wrong, tells it in a line, and never falls over a bad file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grognard.cli import checks, coverage
from tests.conftest import ROOT, SOURCE


@pytest.mark.parametrize(
    ("english", "french", "good"),
    [
        ("The river is closed.", "La rivière est fermée.", True),
        ("The river is closed.", "The river is closed.", False),
        ("{side}: {n}/{of}", "{side}: {n}/{of}", True),
        ("Combat", "Combat", True),
        ("combat and loss", "combat and loss", False),
    ],
)
def test_a_french_text_that_is_the_english_one_is_found(english: str, french: str, good: bool) -> None:
    assert checks.is_translated(english, french) is good


def test_texts_and_rulebook_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.untranslated("picket") == []
    monkeypatch.setattr(checks, "same_words", frozenset)
    found = checks.untranslated("picket")
    assert any("odds.exact is the English text" in problem for problem in found)
    assert not any("name.red" in problem for problem in found)


def fake_tree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("src", "tests", "maps", "scripts", "docs", "client"):
        (folder / name).mkdir()
    monkeypatch.setattr(checks, "ROOT", folder)
    return folder


def test_a_test_that_names_more_than_six_rules_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = fake_tree(tmp_path, monkeypatch) / "tests" / "games" / "fake"
    folder.mkdir(parents=True)
    six, seven = (", ".join(f'"{n}"' for n in range(count)) for count in (6, 7))
    (folder / "test_it.py").write_text(
        f"@pytest.mark.rule({six})\ndef test_six(): pass\n\n@pytest.mark.rule({seven})\ndef test_seven(): pass\n"
        f'CASES = [{seven}]\n@pytest.mark.parametrize("r", CASES)\n@pytest.mark.rule({seven})\ndef test_case(r): pass\n'
        '@pytest.mark.rule("1", "2", "3", "4")\n@pytest.mark.rule("5", "6", "7")\ndef test_sum(): pass\n'
    )
    assert [problem.split()[1] for problem in checks.crowded_marks("fake")] == ["test_seven", "test_sum"]


def test_a_mark_on_one_case_counts_for_its_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tests" / "games" / "fake"
    folder.mkdir(parents=True)
    case = 'pytest.param(1, marks=pytest.mark.rule("1.1"))'
    (folder / "test_it.py").write_text(f'@pytest.mark.parametrize("n", [{case}])\ndef test_it(n): pass\n')
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    assert coverage.tests_of("fake") == {"1.1": ["tests/games/fake/test_it.py::test_it"]}


PAGE = """# Page
Call `roll(s)` or `no_such_thing(s)`; see `Game.legal`, `Game.nothing_at_all`, `kernel/dice.py` and `kernel/cards.py`.
Run `./play fuzz picket --guided`, `grognard fuzz picket --mad` and `./play dance`.
Run `./play selfplay picket --red ai:greedy`; the page's own `helper()` is fine, so is `games/<game>/rules/`.

```python
def helper():
    return 1
```
```
./play verify FILE
./play prove FILE
```
"""


def test_docs_that_name_what_does_not_exist_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = fake_tree(tmp_path, monkeypatch)
    (folder / "docs" / "page.md").write_text(PAGE)
    (folder / "src" / "it.py").write_text("class Game:\n    def legal(self): ...\n\ndef roll(s): ...\n")
    for cached in (checks.every_file, checks.names_of_sources):
        cached.cache_clear()
    try:
        found = checks.stale_docs()
    finally:
        for cached in (checks.every_file, checks.names_of_sources):
            cached.cache_clear()
    told = sorted(problem.removeprefix("docs/page.md:") for problem in found)
    assert told == [
        "12: there is no command 'prove' (`./play prove FILE`)",
        "2: there is no 'Game.nothing_at_all': nothing is called 'nothing_at_all'",
        "2: there is no file 'kernel/cards.py'",
        "2: there is no function 'no_such_thing'",
        "3: fuzz has no option --mad",
        "3: there is no command 'dance' (`./play dance`)",
    ]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package whose data may be spoilt."""
    copy = tmp_path / "src" / "grognard"
    shutil.copytree(SOURCE / "grognard", copy, ignore=shutil.ignore_patterns("__pycache__", "art", "server"))
    return copy


def check(package: Path, game: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(package.parent), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "grognard", "check", game]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=300)


@pytest.mark.parametrize(
    ("game", "file", "good", "bad", "told"),
    [
        ("surrender", "crt.csv", "1,♦,♦,DR+2", "1,♦,♦,XX+2", "XX+2"),
        ("surrender", "charts.toml", "[settings]", "[settings", "charts.toml"),
        ("surrender", "charts.toml", "[settings]", "[other]", "settings"),
        ("picket", "charts.toml", "orders = 6", 'orders = "six"', "picket"),
        ("picket", "charts.toml", "cost = 1,", "", "cost"),
        ("picket", "units.csv", "red-foot-1", "red-foot-2", "picket"),
        ("bitw", "charts.toml", "[patterns]", "[pattern]", "patterns"),
    ],
)
def test_a_bad_data_file_is_a_line_and_never_a_traceback(
    package: Path, game: str, file: str, good: str, bad: str, told: str
) -> None:
    path = package / "games" / game / "data" / file
    text = path.read_text("utf-8")
    assert good in text
    path.write_text(text.replace(good, bad, 1), "utf-8")
    done = check(package, game)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert told in done.stdout


def test_the_docs_of_this_tree_name_nothing_that_does_not_exist() -> None:
    assert (ROOT / "docs").is_dir()
    assert checks.stale_docs() == []


def test_marks_of_an_unfinished_merge_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = fake_tree(tmp_path, monkeypatch)
    ours, both, theirs = "<" * 7 + " HEAD", "=" * 7, ">" * 7 + " main"
    (folder / "docs" / "page.md").write_text(f"# Page\n{ours}\none\n{both}\nother\n{theirs}\n")
    (folder / "src" / "data.toml").write_text(f"a = 1\n{theirs}\n")
    (folder / "src" / "code.py").write_text(f"{ours}\n")
    (folder / "docs" / "heading.md").write_text(f"Heading\n{both}\n\ntext {ours}\n")
    found = [problem.rsplit(":", 1)[0] for problem in checks.unmerged()]
    assert found == ["src/code.py:1", "src/data.toml:2", "docs/page.md:2"]


def test_the_tree_has_no_marks_of_unfinished_merges() -> None:
    assert checks.unmerged() == []
