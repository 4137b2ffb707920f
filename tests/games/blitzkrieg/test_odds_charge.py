"""The chances of a charge against every fall of the dice in the rules themselves."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from grognard.games import find_game
from grognard.games.blitzkrieg.rules.assault import assault, assault_armour
from grognard.games.blitzkrieg.rules.movement import contact
from grognard.games.blitzkrieg.world import IS_VEHICLE, MODEL_OF
from grognard.kernel import explore
from grognard.kernel.session import Session
from grognard.lab.guided import hopeful

GAME = find_game("blitzkrieg")


def met(
    verb: str, fits: Any = lambda s, noun: True, scenario: str = "stalingrad42"
) -> tuple[Any, int, tuple[str, int]]:
    """Play on until somebody may do this."""
    for seed in range(4):
        session, dice = Session.new(GAME, scenario, {}, seed=f"charge-{seed}"), random.Random(seed)
        for _ in range(700):
            s = session.state
            if not s.waiting:
                break
            side = s.waiting[0]
            legal = GAME.legal(s, side)
            for action in legal:
                if action[0] == verb and fits(s, action[1]):
                    return s, side, action
            session.act(side, GAME.write(s, side, hopeful(dice, GAME, s, side, legal)))
    raise AssertionError(f"{verb} never came")


def by_the_rules(s: Any, unit: int, target: int) -> dict[str, Fraction]:
    """What comes of it when every die is tried."""
    start = s.copy()
    start.at[unit] = contact(s, unit, target)[1]

    def run(then: Any) -> None:
        then.events = []
        (assault_armour if IS_VEHICLE[target] else assault)(then, unit, target)

    found: dict[str, Fraction] = {}
    for chance, then in explore(start, run):
        fights = [e.data["result"] for e in then.events if e.kind == "melee"]
        storms = ["destroyed" if e.data["success"] else "none" for e in then.events if e.kind == "storms"]
        (result,) = fights or storms or ["charge_stopped"]
        found[result] = found.get(result, Fraction(0)) + chance
    return found


@pytest.mark.rule("base-close-combat", "base-defensive-fire", "base-infantry-v-armour")
def test_a_charge_tells_what_the_rules_make_of_every_die() -> None:
    s, side, action = met(
        "charge", lambda s, noun: 0 < getattr(MODEL_OF[noun], "dice", 0) <= 2
    )  # few dice, so that all can be tried
    answer = GAME.odds(s, side, action)
    assert answer is not None
    told = {key: Fraction(p) for key, p in answer["results"].items()}
    assert told == by_the_rules(s, s.frames[-1].unit, action[1])
    for lang in ("en", "fr"):
        assert GAME.odds_text(answer, lang)
