"""The chances of getting through, against every fall of the dice in the rules themselves."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from grognard.games import find_game
from grognard.games.surrender.frames import Mission
from grognard.kernel import explore
from grognard.kernel.session import Session
from grognard.lab.guided import hopeful

GAME = find_game("surrender")
QUIET = {"Commit": "ready", "PressHome": "press", "ChooseInterceptor": "let_pass"}


def met(verb: str, with_escort: bool, scenario: str = "atlantic") -> tuple[Any, int, tuple[str, int]]:
    """Play on until somebody may do this."""
    for seed in range(4):
        session, dice = Session.new(GAME, scenario, {}, seed=f"passage-{seed}"), random.Random(seed)
        for _ in range(3000):
            s = session.state
            if not s.waiting:
                break
            side = dice.choice(s.waiting)
            legal = GAME.legal(s, side)
            found = [action for action in legal if action[0] == verb]
            top = s.frames[-1]
            if found and (not isinstance(top, Mission) or verb.endswith("escort") or (top.escort >= 0) == with_escort):
                return s, side, found[0]
            session.act(side, GAME.write(s, side, hopeful(dice, GAME, s, side, legal)))
    raise AssertionError(f"{verb} never came")


def run_to_the_end(s: Any, side: int, action: tuple[str, int]) -> Fraction:
    """How often a mission is stopped when an interceptor is sent, nobody commits anything and nobody else rises."""
    depth = len(s.frames)

    def run(then: Any) -> None:
        then.events = []
        GAME.apply(then, side, action)
        while len(then.frames) >= depth and then.frames[depth - 1].interceptor == action[1] and then.waiting:
            decision = type(GAME.decision(then)).__name__
            if isinstance(then.frames[-1], Mission) and then.frames[-1].stopped:
                return
            GAME.apply(then, then.waiting[0], (QUIET[decision], 0))

    ends = list(explore(s, run))
    return sum((chance for chance, then in ends if any(e.kind == "interdicted" for e in then.events)), Fraction(0))


@pytest.mark.rule("interdiction-success")
def test_an_interceptor_without_an_escort_to_beat_stops_the_mission_as_often_as_told() -> None:
    s, side, action = met("intercept", with_escort=False)
    answer = GAME.odds(s, side, action)
    assert answer is not None
    assert Fraction(answer["effects"]["stopped"]) == run_to_the_end(s, side, action)


@pytest.mark.rule("escort-fail-sorties")
def test_past_an_escort_both_combats_count() -> None:
    s, side, action = met("intercept", with_escort=True)
    answer = GAME.odds(s, side, action)
    assert answer is not None
    assert 0 < Fraction(answer["effects"]["escort_fails"]) < 1
    assert Fraction(answer["effects"]["stopped"]) == run_to_the_end(s, side, action)


def test_an_escort_is_weighed_against_none() -> None:
    s, side, action = met("escort", with_escort=False)
    with_it, without = GAME.odds(s, side, action), GAME.odds(s, side, ("no_escort", 0))
    assert with_it is not None
    assert without is not None
    assert "escort_fails" in with_it["effects"], "it must be beaten first"
    assert "escort_fails" not in without["effects"]
    assert Fraction(with_it["effects"]["stopped"]) <= Fraction(without["effects"]["stopped"])


def test_a_bombing_tells_the_most_dangerous_interceptor_and_leaves_the_position_alone() -> None:
    s, side, action = met("bomb", with_escort=False)
    before = s.digest()
    answer = GAME.odds(s, side, action)
    assert s.digest() == before
    assert answer is None or Fraction(answer["effects"]["stopped"]) + Fraction(answer["effects"]["gets_through"]) == 1
    for lang in ("en", "fr"):
        assert answer is None or GAME.odds_text(answer, lang)
