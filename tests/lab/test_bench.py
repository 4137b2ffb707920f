"""The parts of `grognard bench`: what is measured, and against what. No test looks at a stopwatch."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from grognard.cli.odds_cmd import odds_module
from grognard.games import find_game, playable_names
from grognard.lab import bench

CASES = json.loads((resources.files("grognard") / "lab" / "bench_cases.json").read_text("utf-8"))


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, cases in CASES.items() for name in cases])
def test_the_cases_of_the_odds_are_answered(game: str, name: str) -> None:
    assert "error" not in odds_module(game).odds_case(CASES[game][name], "en")


def test_every_game_is_measured_in_a_real_scenario() -> None:
    for name in playable_names():
        game = find_game(name)
        assert bench.scenario_of(game) in game.scenarios
        assert name not in bench.REAL or bench.scenario_of(game) == bench.REAL[name]


def test_enforced_play_is_checked_and_trusted_play_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("picket")
    asked: list[int] = []
    explain = game.explain
    monkeypatch.setattr(game, "explain", lambda *words: asked.append(1) or explain(*words))
    trusted, _ = bench.RandomPlay(game, "crossing", trusted=True).run(0.001)
    assert trusted > 0
    assert not asked
    enforced, _ = bench.RandomPlay(game, "crossing", trusted=False).run(0.001)
    assert len(asked) >= enforced > 0


def test_rates_go_round_in_slices_and_the_median_counts() -> None:
    order: list[str] = []

    class Fake:
        def __init__(self, name: str, speeds: list[int]) -> None:
            self.name, self.speeds = name, iter(speeds)

        def run(self, seconds: float) -> tuple[int, float]:
            order.append(self.name)
            return next(self.speeds), 1.0

    plays: dict[str, Any] = {"a": Fake("a", [1, 9, 5, 4, 100]), "b": Fake("b", [2, 2, 2, 2, 2])}
    assert bench.rates(plays, 1.0) == {"a": 5, "b": 2}
    assert order == ["a", "b"] * bench.SLICES


def test_ratios_are_of_the_yardsticks_that_ran_beside() -> None:
    rows = {"enforced decisions per second": 10.0, "trusted decisions per second": 20.0}
    assert bench.ratios(rows) == {}
    rows["python-chess, decisions per second"] = 40.0
    assert bench.ratios(rows) == {"enforced / python-chess": 0.25, "trusted / python-chess": 0.5}


def test_the_plain_board_keeps_its_counters() -> None:
    board = bench.PlainPlay()
    made, _ = board.run(0.01)
    assert made > 0
    for side in (0, 1):
        assert sum(board.count[side]) == board.UNITS // 2
        assert max(board.count[side]) <= board.STACK
    assert not any(a and b for a, b in zip(*board.count))


def test_node_plays_the_same_board_where_it_is(tmp_path: Path) -> None:
    found = bench.yardstick_plays(str(tmp_path))
    node = found.get("plain Node board, decisions per second")
    assert (node is not None) == (shutil.which("node") is not None)
    if node is not None:
        made, spent = node.run(0.05)
        assert made > 0
        assert spent > 0
