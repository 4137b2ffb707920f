"""Golden games replay to the byte. How to record them: `tests/golden/record.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.gamefile import load, read, verify
from tests.golden import record

FILES = sorted(record.FOLDER.glob("*/*.txt"))
DATA_CHANGED = "data files"  # a table may change as long as no recorded game notices


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_game_replays_as_recorded(path: Path) -> None:
    verdict = verify(read(path), find_game)
    problems = [p for p in verdict.problems if DATA_CHANGED not in p]
    assert not problems, (
        f"{path.name}: {problems}. If the rules were meant to change, say so in the commit and record it again: "
        f"python -m tests.golden.record {path.parent.name} {' --seed '.join(path.stem.rsplit('-', 1))}"
    )
    assert verdict.actions > 50
    assert verdict.rolls > 0


def test_the_sample_game_has_golden_games() -> None:
    assert len([f for f in FILES if f.parent.name == "picket"]) >= 2


def test_golden_games_are_of_games_that_exist() -> None:
    assert {f.parent.name for f in FILES} <= set(playable_names())


def test_recording_twice_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "FOLDER", tmp_path)
    assert record.main(["picket", "--seed", "3", "--steps", "30"]) == 0
    paths = sorted(tmp_path.rglob("*.txt"))
    first = [path.read_bytes() for path in paths]
    assert record.main(["picket", "--seed", "3", "--steps", "30"]) == 0
    assert [path.read_bytes() for path in paths] == first
    assert len(load(paths[0], find_game).entries) == 30
    assert record.main(["picket", "no-such-scenario"]) == 2
