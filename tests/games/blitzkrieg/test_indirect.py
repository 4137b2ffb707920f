"""Indirect fire of pieces on the table: who may, who guides, ranging, the zone, ammunition, rockets."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import Barrage
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.rules import artillery, indirect
from grognard.games.blitzkrieg.rules.aiming import as_target
from grognard.games.blitzkrieg.rules.shelling import pieces_fire
from grognard.games.blitzkrieg.state import ACTIVATED, EMPTY, GUIDED, HIDDEN, RELOADS, SUPPRESSED, has
from grognard.games.blitzkrieg.world import UNIT_IDS
from grognard.kernel import seed_from

from .edges import MORTAR, OBSERVER, RIFLE, SECOND, made_range


def open_fire(made, unit=MORTAR, formation="three-inch-mortars", side=0):
    made.act(side, formation, unit)
    made.do("bombard")


@pytest.mark.rule("416a", "415c", "417a", "417b", "410c", "303b")
def test_416_ranging_then_every_gun_on_every_unit_in_the_zone(guns):
    s = guns.s
    open_fire(guns)
    assert guns.decision == "Mark"
    guns.do("mark", guns.point(66, 92))
    events = guns.do("high-explosive", "", 5, 6, 6, 6, 6, 6, 6)  # precision; two mortars of three dice each come first
    fell = next(e for e in events if e.kind == "comes-down")
    assert fell.data["box"][2:] == [40, 20]  # two pieces, side by side
    assert [len(e.data["dice"]) for e in events if e.kind == "shelled"][:1] == [3]
    assert all(s.flags[guns.unit(name)] & ACTIVATED for name in (MORTAR, SECOND))
    assert s.aim[guns.unit(MORTAR)] == 0


@pytest.mark.rule("416a", "303b", "303c", "304a")
def test_416_a_missed_test_goes_on_next_turn_at_plus_two_and_needs_no_support(guns):
    s = guns.s
    open_fire(guns)
    guns.do("mark", guns.point(66, 92))
    events = guns.do("high-explosive", "", 4)
    assert "comes-down" not in [e.kind for e in events]
    assert not any(e.rule == "304a" for e in events)
    unit = guns.unit(MORTAR)
    assert (s.tries[unit], s.aim[unit]) == (1, guns.w.table.point_at(66 * 4, 92 * 4))
    next_barrage(guns, unit)
    assert guns.rule("same") is None
    guns.do("same")
    events = guns.do("high-explosive", "", 3, 1, 1, 1, 2)
    assert "comes-down" in [e.kind for e in events]


def next_barrage(made, *pieces, side=0):
    """A barrage of pieces as the next turn would open it."""
    for unit in made.w.units:
        made.s.rounds[unit] &= ~GUIDED
    frame = Barrage(side=side, pieces=pieces)
    made.s.frames.append(frame)
    made.s.waiting = (side,)
    return frame


@pytest.mark.rule("416b")
@pytest.mark.parametrize("mover", [OBSERVER, MORTAR])
def test_416_a_move_of_piece_or_observer_begins_anew(guns, mover):
    guns.s.smoke = ((58 * 4, 108 * 4, 48, 8, 9),)  # the mortars see nothing themselves
    open_fire(guns)
    guns.do("mark", guns.point(66, 92))
    guns.do("high-explosive", "", 2)
    unit = guns.unit(MORTAR)
    assert indirect.keeps_aim(guns.s, unit)
    guns.s.at[guns.unit(mover)] += 1
    assert not indirect.keeps_aim(guns.s, unit)
    next_barrage(guns, unit)
    assert guns.rule("same") == "303c"
    guns.do("mark", guns.point(66, 92))
    assert guns.s.tries[unit] == 0


@pytest.mark.rule("414a", "414b", "003j")
def test_414_what_nobody_sees_is_not_marked_and_an_observer_guides_one_fire(guns):
    s = guns.s
    goal = guns.point(90, 30)
    open_fire(guns)
    assert guns.rule("mark", goal) == "414a"
    guns.do("mark", guns.point(110, 100))
    observer = guns.unit(OBSERVER)
    guide = s.guide[guns.unit(MORTAR)] - 1
    assert guide in (observer, guns.unit(MORTAR))
    s.rounds[observer] |= GUIDED
    assert observer not in indirect.guides(s, 0, guns.unit(MORTAR))
    assert observer not in artillery.free_eyes(s, 0)


@pytest.mark.rule("414b")
def test_414_off_an_observer_guides_everything(table):
    made = made_range(table, p414="off")
    made.s.rounds[made.unit(OBSERVER)] |= GUIDED
    assert made.unit(OBSERVER) in artillery.free_eyes(made.s, 0)
    rifle = made.put("uk-pioneer-1", 66, 105)
    assert rifle in indirect.guides(made.s, 0, made.unit(MORTAR))


@pytest.mark.rule("414a", "409a", "415b")
def test_414_american_commanders_guide_sixty_millimetre_mortars_and_nothing_else(table):
    made = table("bocage44")
    mortar, chief = made.put("us-m2-60-1", 60, 8), made.put("us-command-1", 80, 8)
    gun = made.put("us-m4-105-1", 100, 8)
    assert chief in indirect.guides(made.s, 0, mortar)
    assert chief not in indirect.guides(made.s, 0, gun)


@pytest.mark.rule("414c", "409e")
def test_414_soviet_observers_need_signals_or_a_telephone(table):
    made = table("stalingrad42", p409="on")
    s = made.s
    su = UNIT_IDS["su-k45-1"]
    made.put("su-k45-1", 100, 60)
    chief = made.put("su-commissar-1", 60, 60)
    s.stood[chief] = s.at[chief]
    assert indirect.is_linked(s, chief, su)  # by telephone: it has not moved
    s.stood[chief] = s.at[chief] + 1
    assert not indirect.is_linked(s, chief, su)
    made.put("su-commissar-1", 95, 60)
    s.stood[chief] = 1
    assert indirect.is_linked(s, chief, su)  # by signals


@pytest.mark.rule("414b")
def test_414_only_pieces_within_five_centimetres_fire_together(guns):
    unit = guns.unit(MORTAR)
    assert indirect.battery_of(guns.s, unit) == (unit, guns.unit(SECOND))
    guns.put(SECOND, 85, 117)
    assert indirect.battery_of(guns.s, unit) == (unit,)


@pytest.mark.rule("412a", "412b")
def test_412_a_piece_that_moved_needs_a_whole_still_turn(guns):
    s, unit = guns.s, guns.unit(MORTAR)
    s.stood[unit] = s.at[unit] + 1
    assert indirect.why_not_laid(s, unit).rule == "412a"
    s.turn = 5
    indirect.note_moves(s)  # turn 5 begins; it moved in turn 4
    assert indirect.why_not_laid(s, unit).rule == "412b"
    s.turn = 6
    indirect.note_moves(s)
    assert indirect.why_not_laid(s, unit) is None


@pytest.mark.rule("412b")
def test_412_fire_in_the_still_turn_costs_another(guns):
    s, unit = guns.s, guns.unit(MORTAR)
    s.stood[unit], s.turn = s.at[unit] + 1, 5
    indirect.note_moves(s)
    s.flags[unit] |= 2  # it fires in turn 5
    s.turn = 6
    indirect.note_moves(s)
    assert indirect.why_not_laid(s, unit).rule == "412b"


@pytest.mark.rule("412b")
def test_412_off_it_fires_in_the_next_turn(table):
    made = made_range(table, p412="off")
    unit = made.unit(MORTAR)
    made.s.stood[unit], made.s.turn = made.s.at[unit] + 1, 5
    indirect.note_moves(made.s)
    assert indirect.why_not_laid(made.s, unit) is None


@pytest.mark.rule("410a", "412a")
def test_410_guns_of_other_kinds_and_men_do_not_fire_indirect(guns):
    guns.put("de-pak40-1", 70, 60)
    guns.act(1, "pak", "de-pak40-1")
    assert guns.rule("bombard") == "410a"
    guns.do("hold")
    assert indirect.why_no_piece(guns.s, guns.put("uk-pioneer-1", 40, 112)).rule == "410a"


@pytest.mark.rule("409e", "108b")
def test_409_soviet_mortars_fire_at_sight_only(table):
    for option, rule in (("on", "409e"), ("off", None)):
        made = table("stalingrad42", p409=option)
        made.put("su-bm82-1", 100, 60)
        made.act(0, "soviet-mortar", "su-bm82-1")
        assert made.rule("bombard") == rule


@pytest.mark.rule("413")
@pytest.mark.parametrize(("option", "rule"), [("on", "413"), ("off", None)])
def test_413_no_nearer_than_twenty_centimetres_for_81_mm(table, option, rule):
    made = made_range(table, p413=option)
    open_fire(made)
    assert made.rule("mark", made.point(60, 100)) == rule
    assert made.rule("mark", made.point(60, 94)) is None
    assert (made.point(60, 100) in made.can("mark")) is (rule is None)


@pytest.mark.rule("416a")
def test_416_off_it_fires_for_effect_at_once(table):
    made = made_range(table, p416="off")
    open_fire(made)
    made.do("mark", made.point(66, 92))
    events = made.do("high-explosive", "", 1, 1, 1)
    assert "comes-down" in [e.kind for e in events]


@pytest.mark.rule("417e")
@pytest.mark.parametrize(("dice", "empty"), [((1, 2), True), ((1, 3), False), ((2,), False)])
def test_417_a_one_and_then_one_or_two_empties_a_piece(guns, dice, empty):
    unit = guns.unit(MORTAR)
    guns.s.loaded = dice
    indirect.spend_shells(guns.s, unit)
    assert has(guns.s, unit, EMPTY) is empty
    guns.s.loaded = ()


@pytest.mark.rule("417e")
def test_417_off_shells_never_run_out(table):
    made = made_range(table, p417="off")
    draws = made.s.draws
    indirect.spend_shells(made.s, made.unit(MORTAR))
    assert made.s.draws == draws


@pytest.mark.rule("417f", "base-suppression")
def test_417_men_under_it_are_suppressed(guns):
    open_fire(guns)
    guns.do("mark", guns.point(66, 92))
    guns.do("high-explosive", "", 6, 1, 1, 1, 1, 1, 1, 6, 6)
    assert has(guns.s, guns.unit(RIFLE), SUPPRESSED)


@pytest.mark.rule("417b")
def test_417_sixty_millimetre_mortars_reach_two_units(table):
    made = table("bocage44")
    s = made.s
    mortar = made.put("us-m2-60-1", 90, 4)
    for number, x in enumerate((89, 90, 91)):
        made.put(f"de-rifle-{number + 1}", x, 40)
    frame = next_barrage(made, mortar)
    frame.point, frame.load = made.w.table.point_at(90 * 4, 40 * 4), 1
    s.events, s.loaded = [], (1,) * 8
    pieces_fire(s, frame)
    s.loaded = ()
    assert len({str(e.data["unit"]) for e in s.events if e.kind == "shelled"}) == 2


@pytest.mark.rule("417d", "307c")
def test_417_the_dice_of_all_guns_are_added_on_a_vehicle(guns):
    tank = guns.put("de-pz4h-1", 30, 92)
    frame = next_barrage(guns, guns.unit(MORTAR), guns.unit(SECOND))
    frame.point, frame.load = guns.s.at[tank], 1
    guns.s.events, guns.s.loaded = [], (1,) * 8
    pieces_fire(guns.s, frame)
    guns.s.loaded = ()
    assert [len(e.data["dice"]) for e in guns.s.events if e.kind == "shelled"] == [6]


@pytest.mark.rule("base-smoke", "417a")
def test_pieces_on_the_table_lay_smoke_too(guns):
    open_fire(guns)
    guns.do("mark", guns.point(66, 92))
    guns.do("smoke-shells", "", 6, 6, 6)
    assert [cloud[2:4] for cloud in guns.s.smoke] == [(40, 20)]
    assert "shelled" not in guns.kinds()


@pytest.mark.rule("base-hidden")
def test_indirect_fire_shows_the_piece_but_not_its_observer(guns):
    guns.hide(MORTAR)
    guns.hide(OBSERVER)
    open_fire(guns)
    guns.do("mark", guns.point(66, 92))
    assert not has(guns.s, guns.unit(MORTAR), HIDDEN)
    assert has(guns.s, guns.unit(OBSERVER), HIDDEN)
    view = GAME.view(guns.s, 1)
    assert all(piece["id"] != OBSERVER for piece in view["pieces"])


# Rockets


def launcher(table, **options):
    made = table("lesson2", **options)
    made.put("de-neb41-1", 66, 45, "S")
    made.put("de-observer-1", 70, 92)
    made.put("uk-pioneer-1", 66, 112)
    made.put("uk-pioneer-2", 69, 112)
    made.s.rockets[made.unit("de-neb41-1")] = 6
    return made


@pytest.mark.rule("406a", "406b")
def test_406_some_or_all_rockets_each_with_its_roll_at_minus_two(table):
    made = launcher(table)
    made.put("de-neb41-1", 66, 92, "S")
    made.put("uk-pioneer-2", 20, 112)
    made.act(1, "rocket-launcher", "de-neb41-1")
    made.do("shoot", "uk-pioneer-1")
    assert made.decision == "Salvo"
    assert made.can("salvo") == ["1", "2", "3", "4", "5", "6"]
    events = made.do("salvo", "2", 1, 1, 1, 1)
    shots = [e for e in events if e.kind == "shoots"]
    assert len(shots) == 2
    assert ("406b", -2) in [tuple(line) for line in shots[0].data["tally"]]
    assert made.s.rockets[made.unit("de-neb41-1")] == 4


@pytest.mark.rule("406a")
def test_406_off_a_launcher_is_a_gun_with_one_shot(table):
    made = launcher(table, p406="off")
    made.put("de-neb41-1", 66, 92, "S")
    made.act(1, "rocket-launcher", "de-neb41-1")
    events = made.do("shoot", "uk-pioneer-1", 1, 1)
    assert [e.kind for e in events].count("shoots") == 1
    assert made.rule("reload") == "406d"


@pytest.mark.rule("406a", "406d")
def test_406_three_rockets_a_turn_are_loaded_by_a_crew_that_counts_as_moving(table):
    made = launcher(table)
    unit = made.unit("de-neb41-1")
    made.act(1, "rocket-launcher", "de-neb41-1")
    assert made.rule("reload") == "406d"  # it is full
    made.s.rockets[unit] = 2
    assert not as_target(made.s, unit, made.unit("uk-pioneer-1")).is_moving
    made.do("reload")
    assert made.s.rockets[unit] == 5
    assert made.s.rounds[unit] & RELOADS
    assert as_target(made.s, unit, made.unit("uk-pioneer-1")).is_moving


@pytest.mark.rule("406a")
def test_406_without_a_rocket_nothing_is_fired(table):
    made = launcher(table)
    made.s.rockets[made.unit("de-neb41-1")] = 0
    made.act(1, "rocket-launcher", "de-neb41-1")
    assert made.rule("bombard") == "406a"
    assert made.rule("shoot", "uk-pioneer-1") == "406a"
    assert made.rule("reload") is None


@pytest.mark.rule("408a", "408b", "303b")
def test_408_a_rocket_for_each_try_then_each_strays_or_not(table):
    made = launcher(table)
    s, unit = made.s, made.unit("de-neb41-1")
    made.act(1, "rocket-launcher", "de-neb41-1")
    made.do("bombard")
    goal = made.w.table.point_at(66 * 4, 112 * 4)
    made.do("mark", made.w.table.names[goal])
    made.do("high-explosive", "", 4)
    assert s.rockets[unit] == 5
    next_barrage(made, unit, side=1)
    made.do("same")
    made.do("high-explosive", "", 3)
    assert made.decision == "Salvo"
    events = made.do("salvo", "3", 2, *(1,) * 8, 1, *(1,) * 8)
    rockets = [e for e in events if e.kind == "rocket"]
    assert len(rockets) == 3
    assert s.rockets[unit] == 2
    on_point = [e for e in rockets if e.data["die"] <= 2]
    assert all(e.data["point"] == made.w.table.names[goal] for e in on_point)
    assert rockets[0] in on_point
    assert all(e.data["point"] != made.w.table.names[goal] for e in rockets if e.data["die"] > 2)


@pytest.mark.rule("408b")
def test_408_off_all_rockets_fall_in_one_template(table):
    made = launcher(table, p408="off")
    s, unit = made.s, made.unit("de-neb41-1")
    frame = Barrage(side=1, pieces=(unit,), rockets=3)
    frame.point, frame.load = s.at[made.unit("uk-pioneer-1")], 1
    s.events, s.loaded = [], (1,) * 24
    pieces_fire(s, frame)
    s.loaded = ()
    falls = [e for e in s.events if e.kind == "comes-down"]
    assert [e.data["box"][2:] for e in falls] == [[40, 20]]
    assert sum(e.kind == "shelled" for e in s.events) == 6  # three rockets on each of two groups


# Batteries off the table


@pytest.mark.rule("305", "base-off-table-limit", "302b")
@pytest.mark.parametrize(("option", "most"), [("on", 2), ("off", 1)])
def test_305_the_americans_have_two_batteries_from_1944(table, option, most):
    made = table("bastogne44", p305=option)
    made.put("us-observer-1", 90, 60)
    made.put("us-command-1", 95, 60)
    made.s.available[0] = made.s.available[1] = 1
    assert len(artillery.ready(made.s, 0)) == most


@pytest.mark.rule("409b")
def test_409_two_american_batteries_fire_together_on_one_test(table):
    made = table("bastogne44")
    s = made.s
    made.put("us-observer-1", 90, 60)
    made.put("us-command-1", 95, 60)
    made.put("de-pzgren-1", 100, 60)
    s.available[0] = s.available[1] = 1
    made.do("begin" if s.waiting[0] == 0 else "wait")
    made.do("barrage", "american-105s")
    made.do("mark", made.point(100, 60))
    assert made.decision == "Join"
    made.do("join", "battalion")
    made.do("high-explosive", "", 5)
    events = made.do("shape", "square", *(1,) * 40)
    assert [e.kind for e in events].count("comes-down") == 2
    assert [e.rule for e in events if e.kind in ("support", "no-support")] == ["304a", "304a"]
    victims = [str(e.data["unit"]) for e in events if e.kind == "shelled"]
    assert max(victims.count(name) for name in victims) == 2


@pytest.mark.rule("409b")
def test_409_off_nobody_joins(table):
    made = table("bastogne44", p409="off")
    s = made.s
    made.put("us-observer-1", 90, 60)
    made.put("us-command-1", 95, 60)
    s.available[0] = s.available[1] = 1
    made.do("begin" if s.waiting[0] == 0 else "wait")
    made.do("barrage", "american-105s")
    made.do("mark", made.point(100, 60))
    assert made.decision == "Load"


@pytest.mark.rule("306a", "306b")
def test_306_an_observer_moves_and_guides_without_being_seen(table):
    for option, hidden in (("on", True), ("off", False)):
        made = table("lesson2", p306=option)
        fresh = GAME.setup("lesson2", {"306": option}, seed_from(3))
        assert has(fresh, UNIT_IDS[OBSERVER], HIDDEN) is hidden
        made.put(OBSERVER, 90, 112, flags=HIDDEN)
        made.put("uk-command-1", 85, 112)
        made.act(0, "british-observer", OBSERVER)
        made.do("move")
        made.do("to", made.can("to")[0])
        assert has(made.s, made.unit(OBSERVER), HIDDEN) is hidden


@pytest.mark.rule("416a", "412a")
def test_416_a_piece_that_has_moved_or_fired_does_not_bombard(guns):
    guns.act(0, "three-inch-mortars", MORTAR)
    assert guns.rule("bombard") is None
    acting = guns.s.frames[-1]
    acting.has_moved = 1
    assert guns.why("bombard").reason == "moved-before-indirect"
    acting.has_moved, acting.shot = 0, 1
    assert guns.rule("bombard") is not None
