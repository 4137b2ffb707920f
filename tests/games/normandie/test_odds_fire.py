"""Chances of dice that are no combat, against every fall of the die in the rules themselves."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from grognard.games import find_game
from grognard.kernel.session import Session
from grognard.lab.guided import hopeful

GAME = find_game("normandie")


def met(decision: str, verb: str, scenario: str) -> tuple[Any, int, tuple[str, int]]:
    """Play on until somebody may do this."""
    for seed in range(4):
        session, dice = Session.new(GAME, scenario, {}, seed=f"fire-{seed}"), random.Random(seed)
        for _ in range(1500):
            s = session.state
            if not s.waiting:
                break
            side = s.waiting[0]
            legal = GAME.legal(s, side)
            found = [action for action in legal if action[0] == verb]
            if found and type(GAME.decision(s)).__name__ == decision:
                return s, side, found[0]
            session.act(side, GAME.write(s, side, hopeful(dice, GAME, s, side, legal)))
    raise AssertionError(f"{verb} never came")


@pytest.mark.rule("6.2j")
def test_coastal_guns_tell_what_they_do_to_who_lands() -> None:
    s, side, action = met("CoastalFire", "fire", "campaign")
    answer = GAME.odds(s, side, action)
    assert answer is not None
    missed = 0
    for die in range(1, 7):
        then = s.copy()
        then.loaded = (die, *(3,) * 40)
        then.events = []
        GAME.apply(then, side, action)
        missed += next(e.data["level"] for e in then.events if e.kind == "bombarded") == 0
    assert 0 < missed < 6
    assert Fraction(answer["chances"]["unshaken"]["chance"]) == Fraction(missed, 6)
    for lang in ("en", "fr"):
        assert GAME.odds_text(answer, lang)


def test_a_bombardment_is_weighed_against_holding_fire() -> None:
    s, side, action = met("Bombard", "ships", "cherbourg")
    with_it, without = GAME.odds(s, side, action), GAME.odds(s, side, ("hold-fire", 0))
    assert with_it is not None
    assert without is not None
    assert "bombardment" not in without
    assert sum(Fraction(row["chance"]) for row in with_it["bombardment"]) == 1
    gives_way = [Fraction(one["chances"]["gives_way"]["chance"]) for one in (with_it, without)]
    assert gives_way[0] >= gives_way[1]


@pytest.mark.rule("4.4c")
def test_an_infiltration_tells_its_die() -> None:
    s, side, action = met("GoThere", "storm", "campaign")
    answer = GAME.odds(s, side, action)
    assert answer is not None

    through = 0
    for die in range(1, 7):
        then = s.copy()
        then.loaded = (die, *(3,) * 40)
        then.events = []
        GAME.apply(then, side, action)
        through += any(e.kind == "infiltrated" for e in then.events)
    assert Fraction(answer["chances"]["infiltrates"]["chance"]) == Fraction(through, 6)
