"""What single troops bring: Panzerfausts, launchers, snipers, dug-in tanks; houses and their floors."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.laws.parties import Target
from grognard.games.blitzkrieg.loading import MODELS
from grognard.games.blitzkrieg.rules import assault, capabilities, ground, snipers, walking
from grognard.games.blitzkrieg.state import DUG_IN, HIDDEN, LAUNCHER, LOST, NO_FAUST, OUT, SATCHEL, SHAKEN, STUCK, has
from grognard.games.blitzkrieg.world import UNIT_IDS, world
from grognard.kernel import seed_from

GROUP, GROUP_2, SCHRECK, SNIPER, TIGER = "de-rifle-1", "de-rifle-2", "de-pschreck-1", "de-sniper-1", "de-pz6-1"
SHERMAN, SHERMAN_2, MEN = "us-m4-75-1", "us-m4-75-2", "us-rifle-1"


def middle(w, floors):
    """Points well inside a section with so many floors."""
    table = w.table
    section = next(f for f in table.sections if f.floors == floors)
    return sorted(p for p in table.points if table.section_at(p) is section)


def open_place(w):
    """A place in centimetres with 30 cm of open ground around."""
    table = w.table
    for p in table.points:
        near = [q for q in table.points if abs(table.x[q] - table.x[p]) <= 60 and abs(table.y[q] - table.y[p]) <= 60]
        if len(near) > 140 and all(table.kind[q] == "open" for q in near):
            return table.x[p] / 4, table.y[p] / 4
    raise AssertionError("no open ground")


@pytest.fixture
def hedges(table):
    """Open ground in the bocage: a German group and, 8 cm east of it, a Sherman."""
    made = table("bocage44")
    made.x, made.y = open_place(made.w)
    made.put(GROUP, made.x - 8, made.y)
    made.put("de-command-1", made.x - 12, made.y)
    made.put(SHERMAN, made.x + 4, made.y, "N")
    return made


# Panzerfausts


@pytest.mark.rule("107bis-a")
def test_107bis_groups_of_a_section_with_the_capability_fire_panzerfausts(hedges):
    hedges.put("de-mmg-1", hedges.x - 8, hedges.y - 5)
    hedges.act(1, "grenadiers", "de-mmg-1")
    assert hedges.why("panzerfaust", SHERMAN).reason == "no-panzerfausts"
    hedges.do("hold")
    hedges.do("unit", GROUP)
    assert hedges.rule("panzerfaust", SHERMAN) is None
    events = hedges.do("panzerfaust", SHERMAN, 6, 6, 6)
    assert "shoots" in [e.kind for e in events]
    assert hedges.s.fausts[hedges.w.formation_of[hedges.unit(GROUP)]] == 1
    assert hedges.is_lost(SHERMAN)


@pytest.mark.rule("107bis-b", "107bis-c")
def test_107bis_later_ones_need_four_and_a_miss_costs_the_turn_only(hedges):
    s, formation = hedges.s, hedges.w.formation_of[hedges.unit(GROUP)]
    s.fausts[formation] = 1
    hedges.act(1, "grenadiers", GROUP)
    events = hedges.do("panzerfaust", SHERMAN, 3)
    assert [e.kind for e in events if e.kind == "no-faust"] == ["no-faust"]
    assert s.fausts[formation] == 1
    assert hedges.why("panzerfaust", SHERMAN).reason == "no-panzerfaust-now"
    assert hedges.rule("charge", SHERMAN) is None  # it may still do something else
    s.flags[hedges.unit(GROUP)] &= ~NO_FAUST
    hedges.do("panzerfaust", SHERMAN, 4, 1, 1)
    assert s.fausts[formation] == 2


@pytest.mark.rule("107bis-a")
def test_without_107bis_three_are_counted(table):
    made = table("bocage44", p107bis="off")
    made.x, made.y = open_place(made.w)
    made.put(GROUP, made.x - 8, made.y)
    made.put(SHERMAN, made.x + 4, made.y, "N")
    formation = made.w.formation_of[made.unit(GROUP)]
    made.act(1, "grenadiers", GROUP)
    made.s.fausts[formation] = 3
    assert made.rule("panzerfaust", SHERMAN) == "107bis-a"
    made.s.fausts[formation] = 2
    made.do("panzerfaust", SHERMAN, 1, 1)  # no die for finding it
    assert made.s.fausts[formation] == 3


@pytest.mark.rule("base-at-weapon-range")
def test_a_panzerfaust_reaches_ten_centimetres(hedges):
    hedges.put(SHERMAN, hedges.x + 14, hedges.y, "N")
    hedges.act(1, "grenadiers", GROUP)
    assert hedges.why("panzerfaust", SHERMAN).reason == "out-of-range"


# Launchers


@pytest.mark.rule("base-grenade-launcher", "217b")
def test_217_the_launcher_fires_at_who_storms_and_is_reloaded_by_a_test(hedges):
    s = hedges.s
    tiger, men = hedges.put(TIGER, hedges.x + 4, hedges.y + 10, "N", LAUNCHER), hedges.put(MEN, hedges.x, hedges.y + 10)
    s.events = []
    s.loaded = (4, 4, 3, 6, 6, 6)  # two hits, both saved, and the reload
    capabilities.launcher_fires(s, men, tiger)
    event = next(e for e in s.events if e.kind == "launches")
    assert event.data["hits"] == 2
    assert has(s, tiger, LAUNCHER)
    s.loaded = (1, 1, 1, 1)
    capabilities.launcher_fires(s, men, tiger)
    assert not has(s, tiger, LAUNCHER)
    s.loaded = ()
    draws = s.draws
    capabilities.launcher_fires(s, men, tiger)
    assert s.draws == draws


@pytest.mark.rule("base-grenade-launcher")
def test_217_an_assault_on_a_vehicle_meets_its_launcher(hedges):
    s = hedges.s
    tiger, men = hedges.put(TIGER, hedges.x + 4, hedges.y + 10, "N", LAUNCHER), hedges.put(MEN, hedges.x, hedges.y + 10)
    s.events = []
    s.loaded = (6, 6, 6, 6, 1, 1, 1, 6)  # nerve, three hits, no save, reload
    assault.assault_armour(s, men, tiger)
    assert s.condition[men] == LOST
    assert "storms" not in [e.kind for e in s.events]


@pytest.mark.rule("217a")
@pytest.mark.parametrize(("choice", "die", "there"), [("on", None, True), ("off", 4, True), ("off", 3, False)])
def test_217_bought_with_the_proposal_a_die_without(table, choice, die, there):
    made = table("bocage44", p217=choice)
    unit = made.put(TIGER, 90, 60)
    made.s.loaded = () if die is None else (die,)
    capabilities.fit_launchers(made.s, unit)
    assert has(made.s, unit, LAUNCHER) == there
    assert made.s.loaded == ()


# Snipers


@pytest.mark.rule("701a")
def test_701_snipers_begin_hidden_and_stay_away_without_the_proposal():
    s = GAME.setup("bocage44", {}, seed_from(1))
    unit = next(u for u in world(s).units if ground.MODEL_OF[u].id == "sniper")
    assert has(s, unit, HIDDEN)
    assert s.at[unit]
    s = GAME.setup("bocage44", {"701": "off"}, seed_from(1))
    assert not s.at[unit]
    assert GAME.problems(s) == []


@pytest.fixture
def sniper(hedges):
    """A hidden sniper, Americans 16 cm from it."""
    hedges.put(SNIPER, hedges.x - 8, hedges.y + 8, flags=HIDDEN)
    hedges.put(MEN, hedges.x + 10, hedges.y + 8)
    return hedges


@pytest.mark.rule("base-sniper", "701c", "701d")
def test_701_a_sniper_stays_hidden_until_its_target_spots_it(sniper):
    s, unit = sniper.s, sniper.unit(SNIPER)
    sniper.act(1, "german-sniper", SNIPER)
    assert sniper.rule("fire", MEN) == "base-sniper"
    events = sniper.do("snipe", MEN, 3, 4, 1)  # hit, a save at -1, no eye for the sniper
    told = next(e for e in events if e.kind == "sniped")
    assert told.data["number"] == 3
    assert "unit" not in told.data
    assert next(e for e in events if e.kind == "saves").data["modifier"] == -1
    assert has(s, unit, HIDDEN)


@pytest.mark.rule("701c", "701d")
def test_701_a_spotted_sniper_fires_like_others(sniper):
    s, unit = sniper.s, sniper.unit(SNIPER)
    sniper.act(1, "german-sniper", SNIPER)
    sniper.do("snipe", MEN, 1, 6)  # missed, and spotted
    assert not has(s, unit, HIDDEN)
    assert sniper.rule("snipe", MEN) == "base-vehicle-actions"
    s.frames[-1].shot = 0
    assert sniper.rule("snipe", MEN) == "701d"
    assert sniper.rule("fire", MEN) is None


@pytest.mark.rule("701b")
@pytest.mark.parametrize(("cm", "number", "lines"), [(40, 3, []), (41, 4, ["701b"])])
def test_701_one_worse_beyond_forty_centimetres(cm, number, lines):
    found, tally = snipers.number_of(Target(MODELS["rifle"]), cm)
    assert (found, [line[0] for line in tally.lines]) == (number, lines)


@pytest.mark.rule("701b")
def test_701_nothing_beyond_eighty_centimetres(sniper, monkeypatch):
    sniper.act(1, "german-sniper", SNIPER)
    monkeypatch.setattr(snipers, "cm_between", lambda s, a, b: 81)
    assert sniper.rule("snipe", MEN) == "701b"


@pytest.mark.rule("base-sniper")
def test_a_sniper_leaves_closed_tanks_alone(sniper):
    sniper.act(1, "german-sniper", SNIPER)
    assert sniper.why("snipe", SHERMAN).reason == "target-closed"
    sniper.s.flags[sniper.unit(SHERMAN)] |= OUT
    assert sniper.rule("snipe", SHERMAN) is None
    sniper.do("snipe", SHERMAN, 4, 1)
    assert not sniper.is_lost(SHERMAN)


# Houses


@pytest.mark.rule("base-building")
def test_a_section_holds_three_units_or_a_gun_and_one(table):
    made = table("bocage44")
    points = middle(made.w, 1)
    s, home = made.s, {made.w.table.feature[p] for p in points}
    units = [made.unit(f"us-rifle-{n}") for n in range(1, 5)]
    for unit, point in zip(units[:3], points):
        s.at[unit], s.condition[unit] = point, 0
    assert walking.full(s, units[3], units[:2]) == set()
    assert walking.full(s, units[3], units[:3]) == home
    gun = made.unit("de-pak40-1")
    s.at[gun] = points[0]
    assert walking.full(s, units[3], [gun]) == set()
    assert walking.full(s, units[3], [gun, units[0]]) == home
    assert walking.full(s, gun, units[:2]) == home


@pytest.mark.rule("base-building")
def test_nobody_stops_in_a_full_house(table):
    made = table("bocage44")
    points = middle(made.w, 1)
    table_, s = made.w.table, made.s
    x, y = table_.x[points[0]] / 4, table_.y[points[0]] / 4
    inside = set(points)
    made.put(MEN, x - 6, y)
    others = []
    for n, point in zip((2, 3, 4), points[:: max(1, len(points) // 3)]):
        unit = made.unit(f"us-rifle-{n}")
        s.at[unit], s.condition[unit] = point, 0
        others.append(unit)
    reach = walking.walk_reach(s, made.unit(MEN), 25 * 48)
    assert inside & set(reach)
    assert not inside & set(walking.stops(s, made.unit(MEN), reach, others))
    assert inside & set(walking.stops(s, made.unit(MEN), reach, others[:2]))


@pytest.mark.rule("base-building")
def test_the_stairs_cost_five_centimetres(table):
    made = table("bocage44")
    points = middle(made.w, 2)
    unit = made.put(MEN, 90, 5)
    made.s.at[unit] = points[len(points) // 2]
    made.put("us-command-1", 90, 5)
    made.s.at[made.unit("us-command-1")] = points[0]
    made.act(0, "company", MEN)
    assert made.rule("downstairs") == "base-building"
    outside = len(walking.walk_reach(made.s, unit, 20 * 48))
    made.do("upstairs")
    assert (made.s.floor[unit], made.s.moved[unit]) == (1, 5)
    assert made.rule("upstairs") == "base-building"
    assert made.rule("move") == "base-vehicle-actions"
    assert len(walking.walk_reach(made.s, unit, 20 * 48)) < outside
    assert made.rule("downstairs") is None


# Dug-in tanks


@pytest.mark.rule("224a", "224b")
def test_224_a_dug_in_tank_does_not_move_and_is_seen_like_a_gun(hedges):
    unit = hedges.put(TIGER, hedges.x - 8, hedges.y + 6, "E", DUG_IN)
    assert not ground.looks_hard(hedges.s, unit)
    hedges.act(1, "tigers", TIGER)
    assert {hedges.rule(verb) for verb in ("move", "back", "turn")} == {"224a"}
    assert hedges.rule("overrun", SHERMAN) == "224a"
    assert hedges.rule("shoot", SHERMAN) is None
    hedges.s.flags[unit] = STUCK
    assert hedges.rule("move") == "base-damage"
    assert hedges.s.condition[unit] != SHAKEN


# Explosive charges


@pytest.mark.rule("215a", "215b")
def test_215_an_explosive_charge_needs_no_nerve_and_three_and_is_there_once(table):
    made = table("stalingrad42")
    s = made.s
    tank, men = made.put("su-t34-41-1", 70, 62.5, "E"), made.put("de-pioneer-1", 65, 62.5, flags=SATCHEL)
    s.events, s.loaded = [], (1, 2)  # no test of nerve: the coaxial gun misses, then the charge
    assault.assault_armour(s, men, tank)
    assert next(e for e in s.events if e.kind == "storms").data["number"] == 3
    assert not has(s, men, SATCHEL)
    assert not made.is_lost("su-t34-41-1")
    s.events, s.loaded = [], (6, 1, 4)  # nerve, the coaxial gun, bare hands
    assault.assault_armour(s, men, tank)
    assert next(e for e in s.events if e.kind == "storms").data["number"] == 5


def test_the_first_pioneers_carry_the_charges():
    s = GAME.setup("stalingrad42", {}, seed_from(1))
    carriers = [u for u in world(s).units if has(s, u, SATCHEL)]
    assert [ground.MODEL_OF[u].id for u in carriers] == ["pioneer", "pioneer"]
    assert carriers == [UNIT_IDS["de-pioneer-1"], UNIT_IDS["de-pioneer-2"]]
