"""Who saves, who is lost, who may be put where, whose piece may fire indirect: each condition by itself."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from grognard.games.blitzkrieg import setup
from grognard.games.blitzkrieg.frames import NOBODY, Match, Sortie
from grognard.games.blitzkrieg.laws import quality
from grognard.games.blitzkrieg.laws.parties import OPEN
from grognard.games.blitzkrieg.loading import GUNS
from grognard.games.blitzkrieg.rules import aiming, air, ground, indirect, losses
from grognard.games.blitzkrieg.rules import fire as firing
from grognard.games.blitzkrieg.state import (
    EMPTY,
    FIRED,
    GOOD,
    HIDDEN,
    JAMMED,
    LOST,
    SHAKEN,
    SHOT_AT,
    WRECK,
    has,
)

from .edges import BOOK, MORTAR, SECOND, reason

T34, TIGER, MEN = "su-t34-43-1", "de-pz6-1", "de-pzgren-1"


@pytest.mark.rule("base-save", "base-save-again", "base-quality")
def test_a_die_for_each_hit_by_quality():
    needed = quality.QUALITY["save"]
    assert len(set(needed)) > 1
    for level, number in enumerate(needed):
        found = [quality.saved(BOOK, level, die) for die in (1, 2, number - 1, number, 6)]
        assert found[0] == quality.ELIMINATED
        assert found[3] == found[4] == quality.SAFE
        if number > 2:
            assert found[1] == found[2] == quality.DEMORALISED
            assert quality.saved(BOOK, level, number, -1) == (quality.DEMORALISED if number > 2 else quality.ELIMINATED)
            assert quality.saved(BOOK, level, number - 1, 1) == quality.SAFE
            assert quality.saved(BOOK, level, 2, demoralised=True) == quality.again(BOOK)
        assert quality.saved(BOOK, level, 2, -1) == quality.ELIMINATED


@pytest.mark.rule("base-exposed-crew", "base-save")
def test_a_crew_that_looks_out_saves_by_the_worst_die(steppe, monkeypatch):
    s = steppe.s
    tank = steppe.put(T34, 60, 60)
    hit = []
    monkeypatch.setattr(losses, "crew_hit", lambda book, s, unit: hit.append(unit))
    number = quality.QUALITY["save"][steppe.w.quality[tank]]

    def after(*dice, condition=GOOD, hits=None, modifier=0):
        hit.clear()
        s.condition[tank], s.loaded, s.events = condition, dice, []
        losses.exposed_hits(s, tank, len(dice) if hits is None else hits, modifier)
        s.loaded = ()
        return s.condition[tank], bool(hit)

    assert after(number) == (GOOD, False)
    assert after(number - 1, 6) == (SHAKEN, False)
    assert after(number - 1, condition=SHAKEN) == (SHAKEN, False)
    assert after(1, 6) == (GOOD, True)
    assert after(number, modifier=-1) == (SHAKEN, False)
    assert after(hits=0) == (GOOD, False)
    assert after(condition=WRECK, hits=2) == (WRECK, False)
    assert not s.events


@pytest.mark.rule("base-damage", "base-soft-vehicle", "base-victory-points")
def test_who_is_lost_is_worth_its_points_once(steppe):
    s = steppe.s
    tank, men, crew = steppe.put(TIGER, 60, 60, flags=HIDDEN), steppe.put(MEN, 90, 60), steppe.put("de-crew-1", 90, 80)
    lost, points, theirs = s.lost[1], s.points[0], s.points[1]
    for unit, counts in ((tank, 1), (men, 1), (crew, 0)):
        worth = losses.worth(unit)
        losses.lose(s, unit, "base-damage")
        lost, points = lost + counts, points + worth
        assert (s.lost[1], s.points[0], s.points[1]) == (lost, points, theirs)
        losses.lose(s, unit, "base-damage")  # not twice
        assert (s.lost[1], s.points[0]) == (lost, points)
    assert (s.condition[tank], s.at[tank] > 0) == (WRECK, True)
    assert (s.condition[men], s.at[men]) == (LOST, 0)
    assert not has(s, tank, HIDDEN)
    assert losses.worth(crew) == 0 < losses.worth(tank)


@pytest.mark.rule("base-gun-target")
def test_which_pieces_have_a_shield(monkeypatch):
    kinds = {gun.category: gun for gun in GUNS.values()}
    for category, gun in kinds.items():
        monkeypatch.setattr(aiming, "MODEL_OF", {0: gun})
        assert aiming.has_shield(0) is (category in ("at", "infantry-gun", "field-gun"))
    assert {"at", "aa", "mortar"} <= set(kinds)
    monkeypatch.setattr(aiming, "MODEL_OF", {0: SimpleNamespace(category="at")})
    assert not aiming.has_shield(0)


@pytest.mark.rule("base-cover-levels", "base-terrain", "base-hull-down", "base-fortification-cover")
def test_the_best_line_on_the_way_covers_and_crests_hide_hulls(steppe, monkeypatch):
    table, near = steppe.w.table, []

    def feature(kind, group="line"):
        return SimpleNamespace(kind=kind, group=group)

    features = {1: feature("hedge"), 2: feature("wall"), 3: feature("hill", "area"), 4: feature("ditch")}
    lines = table.terrain.lines
    world = SimpleNamespace(
        name="nowhere",
        table=SimpleNamespace(features=features, terrain=table.terrain),
        sight=SimpleNamespace(near_lines=lambda a, b: near),
    )
    monkeypatch.setattr(ground, "_near", {})

    def cover(*numbers, gone=frozenset()):
        near[:] = numbers
        ground._near.clear()
        return ground.line_cover(world, 1, 2, gone)

    hedge, wall = (ground.COVER[lines[kind].cover] for kind in ("hedge", "wall"))
    assert hedge < wall
    assert cover() == OPEN
    assert cover(1) == hedge
    assert cover(1, 2) == wall | 16
    assert cover(2, gone=frozenset({2})) == OPEN
    assert cover(3) == OPEN | 16
    assert cover(1, 3) == hedge | 16
    assert cover(4) == ground.COVER[lines["ditch"].cover]


@pytest.mark.rule("410a", "409e", "108b", "401c")
def test_410a_which_pieces_fire_indirect(guns, monkeypatch):
    s = guns.s
    piece, tank = guns.unit(MORTAR), guns.unit("uk-firefly-1")
    assert indirect.why_no_piece(s, piece) is None
    assert reason(indirect.why_no_piece(s, guns.unit("uk-pioneer-1"))) == indirect.NO_PIECE.reason
    assert indirect.why_no_piece(s, tank) is not None
    for flag, why in ((JAMMED, indirect.IS_JAMMED), (EMPTY, indirect.IS_EMPTY)):
        s.flags[piece] = flag
        assert reason(indirect.why_no_piece(s, piece)) == why.reason
    s.flags[piece], s.condition[piece] = 0, SHAKEN
    assert reason(indirect.why_no_piece(s, piece)) == indirect.NOT_STEADY.reason
    s.condition[piece], here, s.at[piece] = GOOD, s.at[piece], 0
    assert reason(indirect.why_no_piece(s, piece)) == indirect.NOT_LAID.reason
    s.at[piece] = here
    launcher = guns.put("de-neb41-1", 60, 60)
    s.rockets[launcher] = 0
    assert reason(indirect.why_no_piece(s, launcher)) == indirect.NO_ROCKETS.reason
    s.rockets[launcher] = 1
    assert indirect.why_no_piece(s, launcher) is None


@pytest.mark.rule("base-air-attack", "601")
def test_a_run_begins_with_no_hits_and_may_be_broken_off(table):
    made = table("prokhorovka43")
    s, run = made.s, air.Run()
    foe = made.put(TIGER, 90, 60)
    flight = next(n for n, f in enumerate(made.w.flights) if f.side == 0)
    c = Sortie(side=0, flight=flight, hits=2, held=1)
    verb = next(verb for verb in ("bomb", "rocket", "strafe") if air.weapon_for(s, flight, verb))
    run.apply(s, c, 0, verb, foe)
    assert (c.target, c.hits, c.held, c.over) == (foe, 0, 0, 0)
    assert air.law.WEAPONS[c.weapon] == air.weapon_for(s, flight, verb)
    assert not run.needed(s, c, 0)
    c = Sortie(side=0, flight=flight, hits=2, held=1)
    assert run.needed(s, c, 0)
    run.apply(s, c, 0, "break-off", 0)
    assert (c.target, c.hits, c.held, c.over) == (NOBODY, 0, 0, 1)
    assert not run.needed(s, c, 0)


@pytest.mark.rule("base-air-attack")
def test_bombs_on_men_are_hits_and_on_soft_vehicles_losses(table, monkeypatch):
    made = table("arras40")
    s, men, truck = made.s, made.put("de-rifle-1", 60, 60), made.put("de-opel-1", 90, 60)
    taken, gone = [], []
    monkeypatch.setattr(air, "take_hits", lambda s, unit, hits, more, why, origin: taken.append((unit, hits, more)))
    monkeypatch.setattr(air, "lose", lambda s, unit, why: gone.append(unit))
    monkeypatch.setattr(air, "cover_from", lambda s, unit, point: 0)
    number = air.law.soft_number(0)
    for unit, dice in ((men, (number, number - 1, 6)), (truck, (number - 1,)), (truck, (number,))):
        s.loaded, s.flags[unit] = dice, 0
        air._dice_on(s, unit, len(dice), -1, s.at[unit])
        s.loaded = ()
        assert has(s, unit, SHOT_AT)
    assert (taken, gone) == ([(men, 2, -1)], [truck])
    s.flags[men], s.loaded, s.events = HIDDEN, (1,), []
    air._dice_on(s, men, 1, 0, s.at[men])
    s.loaded = ()
    assert [e.audience for e in s.events if e.kind == "shelled"] == [(1,)]


@pytest.mark.rule("base-deployment", "base-hidden")
def test_where_a_unit_may_be_put_down(steppe):
    s, w, place = steppe.s, steppe.w, setup.Place()
    unit, other = steppe.unit("su-t34-43-1"), steppe.unit("su-t34-43-2")
    zone = w.zones[setup._zone(s, unit)].points
    goal = next(p for p in zone if setup.may_stand(w, unit, p))

    def why(verb, noun, held=NOBODY):
        return reason(place.why_not(s, Match(side=0, unit=held), 0, verb, noun))

    assert why("ready", 0) is None
    assert why("ready", 0, unit) == why("place", other, unit) == setup.IN_HAND.reason
    assert why("place", steppe.unit(TIGER)) == setup.NOT_YOURS.reason
    assert why("at", goal) == setup.PICK_FIRST.reason
    assert why("at", goal, unit) is None
    outside = next(p for p in w.table.points if p not in set(zone) and setup.may_stand(w, unit, p))
    assert why("at", outside, unit) == setup.NOT_IN_ZONE.reason
    s.at[other], s.condition[other] = goal, GOOD
    assert why("at", goal, unit) == setup.NO_ROOM.reason
    c = Match(side=0, unit=unit)
    listed = set(place.legal_nouns(s, c, 0, "at"))
    assert goal not in listed
    assert listed == {p for p in zone if place.why_not(s, c, 0, "at", p) is None}


@pytest.mark.rule("base-fire-combine", "108d", "base-smoke")
def test_a_mortar_lobs_shells_or_smoke(guns, monkeypatch):
    s, lobbed = guns.s, []
    monkeypatch.setattr(firing, "mortar_fire", lambda s, unit, target, smoke: lobbed.append((unit, target, smoke)))
    piece, other, men = guns.unit(MORTAR), guns.unit(SECOND), guns.unit("de-rifle-1")
    s.flags[men] = 0
    firing.open_fire(s, piece, men, aiming.GUN, False, ammo="smoke")
    assert not has(s, men, SHOT_AT)
    firing.open_fire(s, other, men, aiming.GUN, False)
    assert lobbed == [(piece, men, True), (other, men, False)]
    assert has(s, men, SHOT_AT)
    assert has(s, piece, FIRED)
