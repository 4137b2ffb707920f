"""The chances of a charge against every fall of the dice in the rules themselves."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from grognard.games import find_game
from grognard.games.blitzkrieg.odds import charging
from grognard.games.blitzkrieg.odds.charging import charge_odds
from grognard.games.blitzkrieg.rules import assault as fights
from grognard.games.blitzkrieg.rules.assault import assault, assault_armour
from grognard.games.blitzkrieg.rules.capabilities import GIVEN
from grognard.games.blitzkrieg.rules.movement import contact
from grognard.games.blitzkrieg.state import GOOD, LAUNCHER, LOST, SATCHEL, SHAKEN, STUCK, SUPPRESSED
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


def told(s: Any, unit: int, target: int) -> dict[str, Fraction]:
    """What the rules make of a charge, which the odds must tell as well."""
    answer = charge_odds(s, unit, target)
    assert answer is not None
    found = {name: Fraction(p) for name, p in answer["results"].items()}
    assert found == by_the_rules(s, unit, target)
    return found


@pytest.mark.rule("base-close-combat", "base-defensive-fire", "base-demoralised", "base-suppression", "102a")
def test_the_odds_of_a_charge_know_the_state_of_the_defender(table: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(fights, "fall_back", lambda *args: None)  # what comes after the fight takes long
    steppe = table("prokhorovka43", p001="on")  # a commander throws one die, so that all can be tried
    s, men, foe = steppe.s, steppe.put("su-smg-1", 158, 60), steppe.put("de-command-1", 150, 60)
    mates = [u for u in steppe.w.formations[steppe.w.formation_of[foe]].units if u != foe]
    plain = told(s, men, foe)
    s.condition[foe] = SHAKEN
    shaken = told(s, men, foe)
    s.condition[foe], s.flags[foe] = GOOD, SUPPRESSED
    pinned = told(s, men, foe)
    assert pinned["charge_stopped"] == shaken["charge_stopped"] < plain["charge_stopped"]
    assert shaken["defender_eliminated"] > pinned["defender_eliminated"]  # who is demoralised fights worse as well
    s.flags[foe], s.covered[foe] = 0, 2
    assert told(s, men, foe)["charge_stopped"] < plain["charge_stopped"]
    s.covered[foe] = 0
    for unit in mates:
        s.condition[unit], s.at[unit] = LOST, 0
    assert told(s, men, foe) == plain  # a broken formation fights no worse


@pytest.mark.rule("base-close-combat")
def test_the_odds_of_a_charge_at_a_gun(steppe: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(fights, "fall_back", lambda *args: None)
    s, men, gun = steppe.s, steppe.put("su-smg-1", 158, 60), steppe.put("de-pak40-1", 150, 60)
    found = told(s, men, gun)
    assert "charge_stopped" not in found  # guns throw no dice
    steppe.put("su-smg-2", 150, 63)
    assert told(s, men, gun)["defender_eliminated"] > found["defender_eliminated"]


@pytest.mark.rule("base-infantry-v-armour", "base-morale-formation", "215a", "215c", "base-grenade-launcher")
def test_the_odds_of_an_assault_on_armour_know_nerve_charge_and_launcher(steppe: Any, monkeypatch: Any) -> None:
    s, men, tank = steppe.s, steppe.put("su-smg-1", 150, 68), steppe.put("de-marder3m-1", 150, 60, "N")
    monkeypatch.setitem(GIVEN, "launcher_dice", 1)  # so that all can be tried
    mates = [u for u in steppe.w.formations[steppe.w.formation_of[men]].units if u != men]
    for n, unit in enumerate(mates):
        s.at[unit], s.condition[unit] = steppe.w.table.point_at(80 + 40 * n, 400), GOOD
    plain = told(s, men, tank)
    for unit in mates:
        s.condition[unit], s.at[unit] = LOST, 0
    broken = told(s, men, tank)
    assert broken["charge_stopped"] > plain["charge_stopped"]  # its nerve is worse
    s.flags[men] = SATCHEL
    charge = told(s, men, tank)
    assert "charge_stopped" not in charge  # a charge needs no test
    s.flags[tank] = LAUNCHER
    assert told(s, men, tank)["charge_stopped"] > 0


@pytest.mark.rule("base-infantry-v-armour", "215c", "215d", "base-vehicle-mg")
def test_the_odds_of_an_assault_on_armour_know_its_machine_guns_and_flame(steppe: Any, monkeypatch: Any) -> None:
    s, men, tank = steppe.s, steppe.put("su-smg-1", 150, 68), steppe.put("de-pz4h-1", 150, 60, "N")
    guarded = told(s, men, tank)
    s.flags[tank] = STUCK
    assert told(s, men, tank)["destroyed"] > guarded["destroyed"]
    for module in (charging.close, fights.close):
        monkeypatch.setattr(module, "assault_row", lambda team, weapon: "flame")
    assert told(s, men, tank)["destroyed"] > guarded["destroyed"]  # two dice and no test
