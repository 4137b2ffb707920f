"""The choices that a player is offered are those that the rule of each decision allows, no more and no fewer.

Positions come from play by lot. In each, every noun of every verb is asked for one by one, those that are offered are
carried out on a copy: a choice does something, and who is done is not asked the same again at once.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.state import BitwState

ON = {"advanced": "on", "bombing": "on", "partisans": "on", "reserves": "on", "recon": "on", "volkssturm": "on"}
GAMES = (("SBW3", {}, 500), ("SBW3", ON, 700), ("SBW8", ON, 900), ("SBW4", {}, 400))
MOST = 6  # positions of each decision
Found = dict[str, list[tuple[BitwState, int]]]


@lru_cache(maxsize=1)
def positions() -> Found:
    """Some positions for each decision, by the name of its class."""
    found: Found = {}
    for scenario, options, length in GAMES:
        luck, s = random.Random(scenario), GAME.setup(scenario, options, "lists")
        for _ in range(length):
            if not s.waiting:
                break
            side = luck.choice(s.waiting)
            kept = found.setdefault(type(GAME.decision(s)).__name__, [])
            legal = GAME.legal(s, side)
            if len(kept) < MOST or luck.random() < 0.05:
                kept[luck.randrange(MOST) if len(kept) >= MOST else len(kept) :] = [(s.copy(), side)]
            by_verb = sorted({verb for verb, _ in legal})
            verb = luck.choice(by_verb)
            GAME.apply(s, side, luck.choice([a for a in legal if a[0] == verb]))
    return found


def hold(name: str, least: int = 2) -> None:
    """What is offered is what is allowed, and it can be carried out."""
    found = positions().get(name, [])
    assert len(found) >= least, f"{name} came up {len(found)} times"
    for s, side in found:
        decision: Any = GAME.decision(s)
        c = s.frames[-1]
        assert decision.needed(s, c, side)
        offered = 0
        for verb in decision.verbs:
            legal = list(decision.legal_nouns(s, c, side, verb))
            nouns = list(decision.nouns(s, c, side, verb))
            assert sorted(legal) == sorted({n for n in nouns if decision.why_not(s, c, side, verb, n) is None}), verb
            offered += len(legal)
            for noun in legal[:1] + legal[-1:]:
                after = s.copy()
                GAME.apply(after, side, (verb, noun))
                assert after.digest() != s.digest()
                if verb == "done" and after.waiting == s.waiting:
                    assert GAME.decision(after) is not decision or after.frames[-1].at() != c.at()
        assert offered


@pytest.mark.rule("7.5a", "7.5.3e", "7.5.3g", "7.10c")
def test_7_5a_where_the_unit_in_hand_may_go() -> None:
    hold("MoveOn")


@pytest.mark.rule("7.5.1", "3.21", "6.1.1-static-a", "6.6c", "7.5.2a")
def test_7_5_1_who_may_move() -> None:
    hold("MoveGround")


@pytest.mark.rule("7.5.2a", "7.5.1", "7.5.2d")
def test_7_5_2a_who_may_fly() -> None:
    hold("FlyOut")


@pytest.mark.rule("3.4-airbase-a", "3.4-airbase-b", "7.5.2c", "7.5.2d", "3.7f", "3.7g")
def test_7_5_2d_where_an_aircraft_may_fly() -> None:
    hold("FlyOn")


@pytest.mark.rule("7.6a", "7.6b", "3.22")
def test_7_6a_who_may_react() -> None:
    hold("React")


@pytest.mark.rule("7.3a", "7.3b", "7.3d", "5.4a", "15.1a")
def test_7_3a_what_may_be_repaired_and_built() -> None:
    hold("Produce")


@pytest.mark.rule("7.3.4a", "7.3.4b", "6.6h")
def test_7_3_4a_who_may_disband() -> None:
    hold("Disband")


@pytest.mark.rule("7.4a", "7.4c", "5.1-open-city-a", "13.8.1c", "13.8.4")
def test_7_4a_who_may_go_by_rail() -> None:
    hold("RailPhase")


@pytest.mark.rule("7.4b", "7.4d", "7.4e", "5.3-evac")
def test_7_4b_where_the_trains_go() -> None:
    hold("RailTo")


@pytest.mark.rule("7.10a", "7.10b", "7.10c", "6.2")
def test_7_10a_who_may_exploit() -> None:
    hold("Exploit")


@pytest.mark.rule("7.7a")
def test_7_7a_which_battle_is_next() -> None:
    hold("PickBattle")


@pytest.mark.rule("7.7.14a", "7.7.15a", "7.7.15b", "3.3a", "3.1.1a")
def test_7_7_15a_where_a_unit_may_retreat() -> None:
    hold("RetreatTo")


@pytest.mark.rule("7.7.13", "7.7.14a", "7.7.1c")
def test_7_7_13_which_aircraft_may_leave() -> None:
    hold("AirRetreat")


@pytest.mark.rule("7.7.16", "7.7.17")
def test_7_7_16_where_an_aircraft_may_land() -> None:
    hold("LandAt")


@pytest.mark.rule("3.15b", "7.7.9")
def test_7_7_9_who_may_take_a_hit() -> None:
    hold("SpreadHits")


@pytest.mark.rule("32.0a", "7.1")
def test_32_0a_what_may_be_raided() -> None:
    hold("PlanRaids")
