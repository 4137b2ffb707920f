"""The sample game stays a sample: its code and its data have fewer than 600 lines (docs/decisions/0009)."""

from pathlib import Path

import grognard.games.picket

FOLDER = Path(grognard.games.picket.__file__).parent
LIMIT = 600
WORDS = (
    "rulebook.toml",
    "en.toml",
    "fr.toml",
    "chapters.toml",
    "first.toml",
    "figures.toml",
)  # prose, a lesson, pictures
FIGURES = ("computer.toml", "chance.toml")  # written by `grognard ladder` and `grognard train`, not by hand


def test_code_and_data_keep_within_the_limit() -> None:
    files = [p for p in FOLDER.rglob("*") if p.suffix in (".py", ".toml", ".csv") and p.name not in (*WORDS, *FIGURES)]
    lines = {str(p.relative_to(FOLDER)): len(p.read_text("utf-8").splitlines()) for p in files}
    assert {"game.py", "rules/battle.py", "data/charts.toml", "data/scenarios/raid.toml", "data/units.csv"} <= set(
        lines
    )
    assert sum(lines.values()) < LIMIT, lines


def test_no_line_is_longer_than_elsewhere() -> None:
    """The limit is not kept by long lines: those of the code keep to the width that the whole repository has."""
    for path in FOLDER.rglob("*.py"):
        assert max(map(len, path.read_text("utf-8").splitlines()), default=0) <= 120, path
