"""Fuzz finds games that crash, that never end, that stand still; and says how to see it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from grognard.cli.replay_cmd import replay_command
from grognard.games import find_game
from grognard.games.picket.game import Picket
from grognard.kernel.gamefile import load
from grognard.kernel.texts import texts_for
from grognard.lab import fuzz
from grognard.lab.fuzz import Found, fuzz_game


def found(seed: str = "a", **how: Any) -> Found:
    what = fuzz_game("picket", "crossing", seed, **how)[1]
    assert what is not None
    return what


def only_what_costs_nothing(self: Any, s: Any, side: int) -> list[Any]:
    """A rule that refuses too much: nobody may ever move."""
    legal = legal_of(self, s, side)
    return [a for a in legal if a[0] not in ("move", "to")] or legal


legal_of = Picket.legal


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(name: str, function: Any) -> None:
        monkeypatch.setattr(Picket, name, function)

    return put


def test_a_sound_game_passes_at_random_and_guided() -> None:
    for guided in (False, True):
        decisions, what = fuzz_game("picket", "crossing", "a", guided=guided)
        assert what is None, what
        assert decisions > 10


def test_a_game_in_which_nobody_can_move_is_a_failure(broken: Any) -> None:
    broken("legal", only_what_costs_nothing)
    what = found()
    assert what.key == "nobody-moves"
    assert what.facts["decisions"] >= fuzz.STILL


def test_a_side_that_never_has_a_choice_is_a_failure(broken: Any) -> None:
    def one_choice(self: Any, s: Any, side: int) -> list[Any]:
        legal = legal_of(self, s, side)
        return legal[-1:] if side == 1 else legal

    broken("legal", one_choice)
    what = found()
    assert what.key == "no-choice"
    assert what.facts["side"] == "blue"


def test_a_game_without_end_is_a_failure() -> None:
    assert found(longest=20).key == "no-end"


def test_a_crash_brings_its_traceback_its_seed_and_a_file_that_replay_opens(broken: Any, tmp_path: Path) -> None:
    apply, times = Picket.apply, []

    def falls(self: Any, s: Any, side: int, action: Any, **how: Any) -> None:
        times.append(1)
        if len(times) > 60:
            raise ZeroDivisionError("the tenth hex of nine")
        apply(self, s, side, action, **how)

    broken("apply", falls)
    what = found("some seed")
    broken("apply", apply)
    assert what.key == "crash"
    path = what.write(tmp_path)
    assert path is not None
    told = what.told(texts_for("picket", "en"), path)
    for part in (
        "ZeroDivisionError: the tenth hex of nine",
        "in falls",
        "seed 'some seed'",
        what.actions[-1],
        str(path),
    ):
        assert part in told
    assert "grognard fuzz picket crossing --again 'some seed'" in told
    assert "de nouveau" in what.told(texts_for("picket", "fr"))
    session = load(path, find_game)
    assert [
        f"{find_game('picket').side_name(e.side)} {' '.join(e.action)}".rstrip() for e in session.entries
    ] == what.actions
    shown = CliRunner().invoke(replay_command, [str(path), "--lang", "en"])
    assert shown.exit_code == 0
    assert f"{len(what.actions)}/{len(what.actions)}" in shown.output


def test_options_of_a_failure_are_told_and_played_again(broken: Any, tmp_path: Path) -> None:
    broken("problems", lambda self, s: ["bad"] if s.draws > 3 else [])
    seeds = (f"seed {n}" for n in range(20))
    what = next(w for w in (found(seed) for seed in seeds) if w.options)
    assert f"{next(iter(what.options))}=" in str(what)
    path = what.write(tmp_path)
    assert path is not None
    assert dict(load(path, find_game).header.options).items() >= what.options.items()


def test_a_set_up_that_crashes_is_told_without_a_file(broken: Any, tmp_path: Path) -> None:
    def begin(self: Any, s: Any) -> None:
        raise KeyError("no such hex")

    broken("begin", begin)
    what = found()
    assert (what.key, what.step, what.actions) == ("crash", 0, [])
    assert "no such hex" in what.trace
    assert what.write(tmp_path) is None
