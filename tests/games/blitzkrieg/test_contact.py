"""Opportunity fire, charges and close combat on the table."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    FIRED,
    HIDDEN,
    LOST,
    SHAKEN,
    WRECK,
    has,
)

TIGER, PANZER = "de-pz6-1", "de-pz4h-1"
T34, T34_2 = "su-t34-43-1", "su-t34-43-2"
SMG, GREN = "su-smg-1", "de-pzgren-1"


# Opportunity fire


@pytest.mark.rule("base-opportunity-fire")
def test_a_mover_in_sight_may_be_fired_at_once_by_each(steppe):
    steppe.put(T34, 200, 60, "W")
    steppe.put(T34_2, 205, 70, "W")
    unit = steppe.put(TIGER, 100, 60, "E")
    steppe.act(0, "first-wave", T34)
    steppe.do("move")
    steppe.do("to", steppe.point(170, 60))
    assert (steppe.decision, steppe.s.waiting) == ("React", (1,))
    assert steppe.can("react") == [TIGER]
    steppe.do("react", TIGER, 1, 1, 3)
    assert has(steppe.s, unit, ACTIVATED | FIRED)
    assert steppe.decision == "Face"


@pytest.mark.rule("base-opportunity-fire")
def test_who_has_acted_does_not_react(steppe):
    steppe.put(T34, 200, 60, "W")
    steppe.put(TIGER, 100, 60, "E", flags=ACTIVATED)
    steppe.act(0, "first-wave", T34)
    steppe.do("move")
    steppe.do("to", steppe.point(170, 60))
    assert steppe.decision == "Face"


@pytest.mark.rule("base-hidden")
def test_a_mover_finds_what_hides_within_5_cm_and_stops_before_it(steppe):
    steppe.put(T34, 200, 115, "W")
    hidden = steppe.put(GREN, 170, 115, flags=ACTIVATED)
    steppe.hide(GREN)
    steppe.act(0, "first-wave", T34)
    steppe.do("move")
    goal = steppe.point(160, 115)
    assert steppe.rule("to", goal) is None
    steppe.do("to", goal)
    steppe.let_pass()
    assert not has(steppe.s, hidden, HIDDEN)
    assert steppe.w.table.x[steppe.s.at[steppe.unit(T34)]] > 170 * 4


@pytest.mark.rule("221a", "221b", "221c")
def test_221_a_tank_that_has_fired_turns_on_who_comes_to_10_cm(table):
    for on, asked in (("on", True), ("off", False)):
        steppe = table("prokhorovka43", p221=on)
        steppe.put(T34, 180, 60, "W")
        steppe.put(TIGER, 150, 60, "N", flags=ACTIVATED | FIRED)
        steppe.act(0, "first-wave", T34)
        steppe.do("move")
        steppe.do("to", steppe.point(161, 60))
        assert (steppe.decision == "React") is asked
        if asked:
            events = steppe.do("react", TIGER, 6, 6, 6, 6, 3)
            tally = dict(next(e for e in events if e.kind == "shoots").data["tally"])
            assert (tally["221c"], tally["base-pointblank-vehicle"]) == (-2, 2)


# Contact


@pytest.mark.rule("base-assault", "base-close-combat", "102a")
def test_covering_fire_spoils_the_defence_and_the_charge_goes_home(steppe):
    for n, name in enumerate((SMG, "su-smg-2", "su-smg-3", "su-command-1")):
        steppe.put(name, 166, 52 + 4 * n)
    target = steppe.put(GREN, 150, 60, flags=ACTIVATED)
    steppe.act(0, "riders", "su-smg-2")
    steppe.do("fire", GREN, 2, 2)
    steppe.do("hold")
    assert steppe.s.covered[target] == 1
    steppe.do("unit", SMG)
    events = steppe.do("charge", GREN, 1, 1, 1, 6, 1)
    defence = next(e for e in events if e.kind == "fires")
    assert defence.data["number"] == 3
    assert steppe.s.condition[target] >= SHAKEN


@pytest.mark.rule("102d")
def test_102_covering_fire_counts_in_its_own_activation_only(steppe):
    for n, name in enumerate((SMG, "su-smg-2", "su-command-1")):
        steppe.put(name, 166, 52 + 4 * n)
    target = steppe.put(GREN, 150, 60, flags=ACTIVATED)
    steppe.put(TIGER, 20, 60)
    steppe.act(0, "riders", "su-smg-2")
    steppe.do("fire", GREN, 2, 2)
    steppe.do("hold")
    steppe.do("done")
    assert steppe.s.covered[target] == 0


@pytest.mark.rule("base-infantry-v-armour", "215c", "base-assault")
def test_infantry_storms_a_tank(steppe):
    steppe.put(SMG, 166, 60)
    steppe.put("su-command-1", 170, 60)
    tank = steppe.put(PANZER, 150, 60, "W", flags=ACTIVATED)
    steppe.put("su-smg-2", 175, 60)
    steppe.act(0, "riders", SMG)
    steppe.do("charge", PANZER, 6, 1, 5)
    assert steppe.s.condition[tank] == WRECK


@pytest.mark.rule("214a", "214b", "base-overrun")
@pytest.mark.parametrize(("die", "condition"), [(3, LOST), (2, SHAKEN)])
def test_214_a_tank_runs_over_infantry_in_the_open(steppe, die, condition):
    steppe.put(T34, 180, 60, "W")
    steppe.put(T34_2, 186, 70, "W")
    target = steppe.put(GREN, 160, 60, flags=ACTIVATED)
    steppe.act(0, "first-wave", T34)
    steppe.do("open")
    steppe.do("overrun", GREN, die)
    assert steppe.s.condition[target] == condition
