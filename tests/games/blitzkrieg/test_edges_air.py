"""Aircraft, snipers, smoke: each condition by itself, each number at its edge."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import Acting, Smoking, Sortie
from grognard.games.blitzkrieg.laws.parties import HEAVY, LIGHT, Target
from grognard.games.blitzkrieg.loading import TEAMS, VEHICLES
from grognard.games.blitzkrieg.rules import air, smoke, snipers
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    AT_AIRCRAFT,
    EMPTY,
    FIRED,
    GOOD,
    HIDDEN,
    JAMMED,
    LOST,
    SHAKEN,
    SHOT_AT,
    SUPPRESSED,
    THREW,
    has,
)

from .edges import OBSERVER, RIFLE, reason

# Aircraft


@pytest.mark.rule("602", "base-aa-fire")
def test_602_what_fires_at_aircraft_and_when(table):
    made = table("arras40")
    s, target = made.s, made.put("de-rifle-1", 60, 20)
    flak, truck, tank = (
        made.put("de-flak38-1", 64, 20),
        made.put("de-s104flak-1", 68, 20),
        made.put("de-pz38tc-1", 56, 20),
    )
    c = Sortie(side=0, target=target)
    assert [air.aa_kind(s, u) for u in (flak, truck, target)] == ["20mm", "20mm", ""]
    assert set(air.gunners(s, c)) >= {flak, truck}
    assert target not in air.gunners(s, c)
    for unit, flags in ((flak, FIRED), (flak, SUPPRESSED), (flak, JAMMED), (flak, EMPTY)):
        s.flags[unit] = flags
        assert flak not in air.gunners(s, c)
        s.flags[unit] = 0
    s.rounds[flak] = AT_AIRCRAFT
    assert flak not in air.gunners(s, c)
    s.rounds[flak], s.condition[flak] = 0, SHAKEN
    assert flak not in air.gunners(s, c)
    s.condition[flak] = GOOD
    assert air.gunners(s, Sortie(side=0)) == []
    s.condition[target] = LOST
    assert air.gunners(s, c) == []
    assert tank >= 0
    assert [air._by_calibre(n) for n in (199, 200, 299, 300, 399, 400, 499, 500)] == [
        "mg",
        "20mm",
        "20mm",
        "37mm",
        "37mm",
        "40mm",
        "40mm",
        "heavy",
    ]


@pytest.mark.rule("base-air-attack")
@pytest.mark.parametrize(("die", "hits"), [(4, 0), (5, 1)])
def test_bombs_hit_men_in_the_open_on_five(guns, die, hits):
    s, men = guns.s, guns.unit(RIFLE)
    s.loaded, s.events = (die, 6), []
    air._dice_on(s, men, 1, 0, s.at[men] + 1)
    s.loaded = ()
    assert next(e for e in s.events if e.kind == "shelled").data["hits"] == hits
    assert has(s, men, SHOT_AT)


@pytest.mark.rule("base-air-attack", "base-smoke")
def test_each_reason_not_to_attack_from_the_air(guns):
    s, men, tank, own = guns.s, guns.unit(RIFLE), guns.put("de-pz4h-1", 80, 92), guns.unit(OBSERVER)
    c = Sortie(side=0, flight=0)

    def why(verb, target):
        return reason(air.why_no_run(s, c, verb, target))

    assert [why("rocket", men), why("rocket", tank), why("strafe", tank)] == [None, None, None]
    assert why("bomb", men) == air.NO_AIR_WEAPON.reason
    assert why("rocket", own) == air.NOT_ENEMY.reason
    s.flags[men] |= HIDDEN
    assert why("rocket", men) == air.NOT_ENEMY.reason
    s.flags[men] = 0
    s.condition[men] = LOST
    assert why("rocket", men) == air.TARGET_GONE.reason
    s.condition[men] = GOOD
    s.smoke = ((60 * 4, 88 * 4, 40, 40, 9),)
    assert [why("rocket", men), why("rocket", tank)] == [air.UNDER_SMOKE.reason, None]


@pytest.mark.rule("base-aa-fire", "base-air-attack")
@pytest.mark.parametrize(("hits", "planes", "points", "strikes"), [(0, 2, 0, True), (1, 2, 0, False), (2, 1, 2, False)])
def test_one_hit_drives_off_and_two_bring_down(guns, hits, planes, points, strikes):
    s, men = guns.s, guns.unit(RIFLE)
    s.planes[0], s.points[1], s.events, s.loaded = 2, 0, [], (1, 1)
    c = Sortie(side=0, flight=0, target=men, weapon=air.law.WEAPONS.index("20mm"), hits=hits)
    air.attack(s, c)
    s.loaded = ()
    assert (s.planes[0], s.points[1], "strikes" in guns.kinds(), c.flown) == (planes, points, strikes, 1)
    air.go_home(s, c)
    assert (s.aloft[0], s.back[0]) == (0, s.turn + 2)


# Snipers and smoke


@pytest.mark.rule("base-sniper", "701b")
def test_701_what_a_sniper_needs():
    men, hull = Target(TEAMS["rifle"]), Target(VEHICLES["m4_75"], out=True)
    heavy = Target(TEAMS["rifle"], cover=HEAVY)
    assert [snipers.number_of(t, 40)[0] for t in (men, heavy, hull)] == [3, 4, 4]
    assert [snipers.number_of(t, 41)[0] for t in (men, heavy, hull)] == [4, 5, 5]
    assert snipers.number_of(Target(TEAMS["rifle"], cover=LIGHT), 40)[0] == 3


@pytest.mark.rule("base-sniper", "701c", "701d")
@pytest.mark.parametrize(("nerve", "spotted"), [(1, False), (6, True)])
def test_701_who_was_aimed_at_may_spot_the_sniper(table, nerve, spotted):
    made = table("stalingrad42")
    s, sniper, men = made.s, made.put("de-sniper-1", 60, 60, flags=HIDDEN), made.put("su-rifle-1", 60, 80)
    s.loaded = (1, nerve)
    snipers.snipe(s, sniper, men)
    s.loaded = ()
    assert has(s, sniper, FIRED)
    assert has(s, men, SHOT_AT)
    assert has(s, sniper, HIDDEN) is not spotted


@pytest.mark.rule("107b", "base-smoke")
def test_107_one_marker_for_each_who_throws(table):
    made = table("lesson2")
    s, puff = made.s, smoke.Puff()
    one, two = made.put("uk-pioneer-1", 60, 100), made.put("uk-pioneer-2", 90, 100)
    number = made.w.formation_of[one]
    s.grenades[number] = 1
    c = Smoking(side=0, formation=number, unit=one)
    assert puff.needed(s, c, 0)
    assert reason(puff.why_not(s, c, 0, "enough", 0)) == "smoke-first"
    beside_one, beside_two = made.w.table.point_at(62 * 4, 103 * 4), made.w.table.point_at(92 * 4, 103 * 4)
    puff.apply(s, c, 0, "puff", beside_one)
    assert puff.why_not(s, c, 0, "enough", 0) is None
    assert reason(puff.why_not(s, c, 0, "puff", beside_one)) == "smoke-too-far"
    assert puff.why_not(s, c, 0, "puff", beside_two) is None
    legal = puff.legal_nouns(s, c, 0, "puff")
    assert beside_two in legal
    assert beside_one not in legal
    puff.apply(s, c, 0, "puff", beside_two)
    assert not puff.needed(s, c, 0)
    for flags, rounds in ((SUPPRESSED, 0), (FIRED, 0), (ACTIVATED, 0), (0, THREW)):
        s.flags[two], s.rounds[two] = flags, rounds
        assert smoke.throwers(s, number, one) == [one]
    s.flags[two], s.rounds[two], s.flags[one] = 0, 0, ACTIVATED
    assert smoke.throwers(s, number, one) == [one, two]
    s.condition[two] = SHAKEN
    assert smoke.throwers(s, number, one) == [one]
    s.loaded = (4,)
    c.points = (beside_one,)
    smoke.throw(s, c)
    s.loaded = ()
    assert s.rounds[one] & THREW
    assert len(s.smoke) == 1
    assert reason(smoke.why_no_smoke(s, Acting(side=0, unit=one, formation=number))) == "fired-already"


@pytest.mark.rule("base-smoke")
def test_a_cloud_stands_until_the_end_of_the_next_turn(guns):
    s = guns.s
    s.turn = 3
    smoke.lay_marker(s, guns.w.table.point_at(240, 240), "base-smoke")
    for turn, left in ((3, 1), (4, 1), (5, 0)):
        s.turn = turn
        smoke.blow_away(s)
        assert len(s.smoke) == left
