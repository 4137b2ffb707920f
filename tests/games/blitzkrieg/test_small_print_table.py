"""The small print at the table: who is asked, refused, forgotten or counted, at the edges of the rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.frames import CLOSE, Acting, Barrage, Sortie
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.laws import destruction
from grognard.games.blitzkrieg.laws.parties import (
    BUNKER,
    OPEN,
    TRENCH,
)
from grognard.games.blitzkrieg.loading import TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.rules import (
    aiming,
    air,
    artillery,
    assault,
    command,
    ground,
    indirect,
    losses,
    mines,
    reaction,
    shelling,
    transport,
    victory,
    walking,
    works,
)
from grognard.games.blitzkrieg.state import (
    ACTIVATED,
    AT_AIRCRAFT,
    BOGGED,
    EMPTY,
    ENTRENCHED,
    FIRED,
    GOOD,
    HIDDEN,
    IN_BUNKER,
    JAMMED,
    LEADERLESS,
    LOST,
    OUT,
    SHAKEN,
    SHOT_AT,
    SHOT_BEFORE,
    STOPPED,
    STUCK,
    SUPPRESSED,
    has,
)
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.games.blitzkrieg.world import DOCUMENTS, World, world
from grognard.kernel import seed_from

BOOK = Book(DEFAULTS)
HALVES = Book(DEFAULTS | {"001"})


def without(*names):
    return Book(DEFAULTS - set(names))


@pytest.mark.rule("base-arcs", "base-vehicle-mg", "base-commander-out")
def test_which_machine_guns_bear(steppe):
    tank = steppe.put("de-pz4h-1", 150, 60, "E")
    ahead, behind = steppe.put("su-smg-1", 170, 60), steppe.put("su-smg-2", 130, 60)
    model = VEHICLES["pz4h"]
    assert aiming.mgs_bearing(steppe.s, tank, ahead) == tuple(g for g in ("hull", "coax") if getattr(model, g))
    assert aiming.mgs_bearing(steppe.s, tank, behind) == (("coax",) if model.coax else ())
    steppe.s.flags[tank] |= OUT
    assert ("aa" in aiming.mgs_bearing(steppe.s, tank, behind)) == bool(model.aa)
    steppe.s.flags[tank] |= LEADERLESS
    assert "aa" not in aiming.mgs_bearing(steppe.s, tank, behind)


@pytest.mark.rule("001b")
def test_001b_seats_of_half_groups():
    assert [transport.half_seats(HALVES, TEAMS[t]) for t in ("scout", "brencrew")] == [1, 1]
    assert [transport.half_seats(BOOK, TEAMS[t]) for t in ("scout", "brencrew")] == [2, 1]


@pytest.mark.rule("base-victory-points", "base-bailed-crew")
def test_what_a_unit_is_worth(steppe):
    assert [losses.worth(steppe.unit(n)) for n in ("su-smg-1", "de-pz4h-1", "de-crew-1")] == [1, 2, 0]
    s, tank = steppe.s, steppe.put("de-pz4h-1", 150, 60)
    before = s.points[0], s.lost[1]
    losses.lose(s, tank, "base-victory-points")
    losses.lose(s, tank, "base-victory-points")  # once is enough
    assert (s.points[0], s.lost[1]) == (before[0] + 2, before[1] + 1)


@pytest.mark.rule("base-save-again")
def test_who_falls_back_goes_away_from_the_enemy(steppe):
    s, unit = steppe.s, steppe.put("su-smg-1", 150, 60)
    origin = steppe.w.table.point_at(600, 200)
    before = s.at[unit]
    assert losses.fall_back(s, unit, origin, 10)
    table = steppe.w.table
    assert table.y[s.at[unit]] - table.y[before] == 40
    assert table.x[s.at[unit]] == table.x[before]


@pytest.mark.rule("base-turn", "base-states")
def test_a_new_turn_forgets_and_remembers(steppe):
    s, unit = steppe.s, steppe.put("su-smg-1", 150, 60, flags=SHOT_AT | SUPPRESSED | JAMMED)
    s.moved[unit] = s.effort[unit] = 9
    turn = s.turn
    command.begin_turn(s, s.frames[0])
    assert s.turn == turn + 1
    assert has(s, unit, SHOT_BEFORE)
    assert has(s, unit, JAMMED)
    assert not has(s, unit, SUPPRESSED)
    assert not has(s, unit, SHOT_AT)
    assert s.moved[unit] == s.effort[unit] == 0
    command.begin_turn(s, s.frames[0])
    assert not has(s, unit, SHOT_BEFORE)


@pytest.mark.rule("base-rally", "base-commander")
@pytest.mark.parametrize(("dice", "condition"), [((2, 5), GOOD), ((2, 2), SHAKEN), ((2, 1), LOST), ((6,), GOOD)])
def test_a_commissar_gives_a_second_try_and_shoots_on_a_one(table, dice, condition):
    made = table("stalingrad42")
    men = made.put("su-rifle-1", 20, 30, condition=SHAKEN)
    made.put("su-commissar-1", 28, 30)
    made.s.loaded = dice
    command.rally_all(made.s, made.s.frames[0], 0)
    assert made.s.condition[men] == condition


@pytest.mark.rule("base-soft-vehicle")
@pytest.mark.parametrize(("die", "lost", "stopped"), [(1, True, False), (2, False, True), (6, False, False)])
def test_small_arms_at_a_truck_by_die(table, die, lost, stopped):
    made = table("arras40")
    truck = next(u for u in made.w.units if transport.IS_VEHICLE[u] and not losses.IS_ARMOUR[u])
    made.s.at[truck], made.s.condition[truck] = made.w.table.point_at(400, 240), GOOD
    made.s.loaded = (die,)
    losses.soft_hits(made.s, truck, 1, "base-soft-vehicle")
    assert (made.s.condition[truck] > SHAKEN, has(made.s, truck, STOPPED)) == (lost, stopped)


@pytest.mark.rule("base-damage")
def test_a_stuck_vehicle_is_not_lost_by_a_breakdown(steppe):
    tank = steppe.put("de-pz4h-1", 150, 60)
    draws = steppe.s.draws
    assert losses.damage(steppe.s, tank, "218a", test=False) == destruction.IMMOBILISED
    assert has(steppe.s, tank, STUCK)
    assert steppe.s.draws == draws


@pytest.mark.rule("base-cover-levels", "base-fortification-cover")
def test_trenches_and_bunkers_before_all_other_cover(steppe):
    unit = steppe.put("su-smg-1", 150, 60)
    far = steppe.w.table.point_at(400, 240)
    assert ground.cover_from(steppe.s, unit, far) == OPEN
    steppe.s.flags[unit] = IN_BUNKER
    assert ground.cover_from(steppe.s, unit, far) == BUNKER
    steppe.s.flags[unit] = ENTRENCHED
    assert ground.cover_from(steppe.s, unit, far) == TRENCH


@pytest.mark.rule("base-command")
def test_a_chain_of_friends_leads_to_the_commander(table):
    made = table("stonne40")
    formation = next(
        f for f in made.w.formations if any(ground.MODEL_OF[u].id == "command" for u in f.units) and len(f.units) > 2
    )
    head = next(u for u in formation.units if ground.MODEL_OF[u].id == "command")
    near, far = [u for u in formation.units if u != head and ground.IS_TEAM[u]][:2]
    point = made.w.table.point_at(200, 400)
    step = {u: made.w.table.point_at(200 + x, 400) for u, x in ((near, 70), (far, 140))}
    for unit, at in ((head, point), *step.items()):
        made.s.at[unit], made.s.condition[unit] = at, GOOD
    assert ground.in_command(made.s, far)
    made.s.condition[near] = LOST
    assert not ground.in_command(made.s, far)
    assert ground.in_command(made.s, head)


@pytest.mark.rule("base-infantry-move", "base-support-weapon-move")
def test_how_far_men_go():
    assert [walking.team_move(TEAMS[t]) for t in ("rifle", "mmg", "hmg")] == [20, 15, 10]


@pytest.mark.rule("502c")
def test_502_what_climbs():
    def climbs(model, book=BOOK):
        unit = next((u for u, m in enumerate(works.MODEL_OF) if m.id == model), None)
        return unit is not None and works.may_climb(book, unit)

    assert climbs("pz4h")
    assert not climbs("pz4h", without("502"))
    assert not climbs("rifle")


@pytest.mark.rule("base-gun-ammunition", "base-support-weapon-jam")
def test_jammed_empty_and_missing_weapons_refuse_by_their_own_rules(steppe):
    tank, men = steppe.put("de-pz4h-1", 150, 60, "E"), steppe.put("su-smg-1", 170, 60)

    def why(arm, flags=0):
        steppe.s.flags[tank] = flags
        found = aiming.why_not_fire(steppe.s, tank, men, arm, False)
        return found and found.rule

    assert why(aiming.GUN) is None
    assert why(aiming.GUN, EMPTY) == "base-gun-ammunition"
    assert why(aiming.DICE, EMPTY) is None
    assert why(aiming.GUN, JAMMED) == why(aiming.DICE, JAMMED) == "base-support-weapon-jam"
    assert why(aiming.SECOND) == "base-fire"
    assert why(aiming.FLAME) == "base-flamethrower"
    steppe.s.flags[tank], steppe.s.flags[men] = 0, HIDDEN
    assert aiming.why_not_fire(steppe.s, tank, men, aiming.GUN, False).rule == "base-fire"


@pytest.mark.rule("base-immobilisation-test", "base-damage")
def test_stuck_and_bogged_vehicles_do_not_move_and_only_the_bogged_are_freed(steppe):
    steppe.put("de-pz4h-1", 150, 60, "E", flags=STUCK)
    formation = steppe.w.formations[steppe.w.formation_of[steppe.unit("de-pz4h-1")]].name
    steppe.act(1, formation, "de-pz4h-1")
    assert steppe.rule("move") == "base-damage"
    assert steppe.rule("free") == "base-immobilisation-test"
    steppe.s.flags[steppe.unit("de-pz4h-1")] |= BOGGED
    assert steppe.rule("free") is None


@pytest.mark.rule("base-opportunity-fire")
def test_who_could_do_nothing_to_a_mover_is_not_asked(steppe):
    steppe.put("su-t34-43-1", 150, 60, "W")
    steppe.put("de-mmg-1", 110, 60, "E")
    formation = steppe.w.formations[steppe.w.formation_of[steppe.unit("su-t34-43-1")]].name
    steppe.act(0, formation, "su-t34-43-1")
    steppe.do("move", "", 6)
    steppe.do("to", steppe.point(135, 60))
    assert steppe.let_pass() == 0
    assert steppe.decision == "Face"


@pytest.mark.rule("303b", "303c")
def test_a_battery_may_cease_and_has_then_fired_nothing(table):
    made = table("stonne40")
    made.put("fr-observer-1", 90, 110)
    made.put("fr-h39-1", 20, 110, "N")
    made.put("de-rifle-1", 60, 97)
    made.s.available[0] = 1
    made.do("begin" if made.s.waiting[0] == 0 else "wait")
    made.do("barrage", "french-75s")
    made.do("cease")
    assert made.decision == "Activate"
    assert (made.s.spent[0], made.s.mark[0], made.s.attempt[0]) == (1, 0, 0)
    assert not has(made.s, made.unit("de-rifle-1"), SUPPRESSED)


@pytest.mark.rule("215c", "base-infantry-v-armour")
@pytest.mark.parametrize(("die", "lost"), [(5, False), (6, True)])
def test_215_off_plain_infantry_needs_a_six(table, monkeypatch, die, lost):
    made = table("prokhorovka43", p215="off")
    men, tank = made.put("de-pzgren-1", 150, 60), made.put("su-t34-43-1", 154, 60)
    monkeypatch.setattr(assault, "_defend", lambda s, unit, target: None)
    made.s.loaded = (6, die)
    assault.assault_armour(made.s, men, tank)
    assert made.is_lost("su-t34-43-1") is lost


@pytest.mark.rule("406d")
def test_406_only_a_steady_crew_that_did_nothing_else_reloads(table):
    made = table("lesson2")
    unit = made.put("de-neb41-1", 66, 45, "S")
    frame = Acting(side=1, unit=unit)
    made.s.rockets[unit] = 2
    assert indirect.why_no_reload(made.s, frame) is None
    made.s.condition[unit] = SHAKEN
    assert indirect.why_no_reload(made.s, frame).rule == "base-demoralised"
    made.s.condition[unit] = GOOD
    for done in ("has_moved", "shot"):
        assert indirect.why_no_reload(made.s, Acting(side=1, unit=unit, **{done: 1})).rule == "406d"


@pytest.mark.rule("408a", "303b")
@pytest.mark.parametrize(("left", "over"), [(1, 1), (2, 1), (3, 1)])
def test_408_a_try_that_misses_costs_a_rocket_and_the_last_one_ends_it(table, left, over):
    made = table("lesson2")
    unit = made.put("de-neb41-1", 66, 45, "S")
    made.s.rockets[unit], made.s.aim[unit] = left, made.w.table.point_at(264, 448)
    frame = Barrage(side=1, pieces=(unit,))
    made.s.loaded = (2,)
    artillery.take_aim(made.s, frame)
    assert (made.s.rockets[unit], frame.over) == (left - 1, over)


@pytest.mark.rule("base-opportunity-fire")
def test_the_enemy_is_asked_where_it_comes_to_see_a_mover_each_ten_centimetres_and_at_the_end(steppe):
    steppe.put("su-t34-43-1", 200, 60, "W")
    steppe.put("de-pz4h-1", 130, 60, "E")
    formation = steppe.w.formations[steppe.w.formation_of[steppe.unit("su-t34-43-1")]].name
    steppe.act(0, formation, "su-t34-43-1")
    steppe.do("move", "", 6)
    steppe.do("to", steppe.point(170, 60))
    gone = []
    while steppe.decision == "React":
        gone.append(steppe.s.moved[steppe.unit("su-t34-43-1")])
        steppe.do("let-pass")
    assert 0 < gone[0] < 10  # at the first step, where it comes into view
    assert len(gone) == 4
    assert [b - a for a, b in pairwise(gone)][:2] == [10, 10]
    assert gone[-1] == steppe.s.moved[steppe.unit("su-t34-43-1")] < gone[-2] + 10


@pytest.mark.rule("410a", "412a", "412b")
def test_412_who_is_not_laid_steady_or_supplied_fires_no_indirect_fire(table):
    made = table("lesson2")
    unit = made.put("de-grw34-1", 66, 45, "S")

    def why(**state):
        made.put("de-grw34-1", 66, 45, "S", **state)
        found = indirect.why_no_piece(made.s, unit)
        return found and found.rule

    assert why() is None
    assert why(condition=SHAKEN) == "base-demoralised"
    assert why(flags=JAMMED) == "base-support-weapon-jam"
    assert why(flags=EMPTY) == "base-gun-ammunition"
    made.put("de-grw34-1", 66, 45, "S")
    made.s.stood[unit] = made.s.at[unit] + 1
    assert indirect.why_no_piece(made.s, unit).rule == "412a"


@pytest.mark.rule("301c", "303e")
def test_a_template_of_another_size_is_laid_as_given(table):
    made = table("stonne40")
    frame = Barrage(side=0, battery=0, point=made.w.table.point_at(240, 388))
    weapon = WEAPONS["m81"]
    box = shelling.box_of(made.s, frame, (weapon, 5, 5))
    assert (box.wide, box.deep) == (20, 20)
    frame.shape = 2
    assert [(b.wide, b.deep) for b in (shelling.box_of(made.s, frame, (weapon, 10, 10)),)] == [(20, 80)]


@pytest.mark.rule("base-fortification-cover", "base-arcs")
def test_a_gun_in_the_hull_that_moved_fires_at_no_bunker_beside_it(steppe):
    gun, men = steppe.put("de-marder3m-1", 150, 60, "E"), steppe.put("su-smg-1", 150, 80, flags=IN_BUNKER)
    assert works.why_no_demolition(steppe.s, Acting(side=1, unit=gun), men) is None
    assert works.why_no_demolition(steppe.s, Acting(side=1, unit=gun, has_moved=1), men).rule == "base-arcs"
    assert works.why_no_demolition(steppe.s, Acting(side=1, unit=gun, shot=1), men).rule == "base-vehicle-actions"
    steppe.s.flags[men] = 0
    assert works.why_no_demolition(steppe.s, Acting(side=1, unit=gun), men).rule == "base-fortification-cover"


@pytest.mark.rule("303bis-a", "303bis-b")
def test_303bis_off_a_one_with_friends_near_is_a_miss(table):
    made = table("stonne40", p303bis="off")
    made.put("fr-observer-1", 90, 110)
    made.put("fr-h39-2", 75, 100, "N")
    frame = Barrage(side=0, battery=0)
    made.s.mark[0] = made.w.table.point_at(240, 388)
    made.s.loaded = (1, 6)
    artillery.take_aim(made.s, frame)
    assert (frame.shifts, frame.over) == (0, 1)
    on = table("stonne40")
    on.put("fr-h39-2", 75, 100, "N")
    on.s.mark[0] = made.s.mark[0]
    for dice, shifts in (((1, 4), 1), ((1, 3), 0), ((2,), 0)):
        frame = Barrage(side=0, battery=0)
        on.s.attempt[0], on.s.loaded = 0, dice
        artillery.take_aim(on.s, frame)
        assert (frame.shifts, frame.over) == (shifts, 1 - shifts)


@pytest.mark.rule("base-assault")
def test_only_men_charge(steppe):
    tank = steppe.put("su-t34-43-1", 100, 60)
    grey = steppe.put("de-pzgren-1", 104, 60)
    assert assault.why_no_charge(steppe.s, tank, grey) is assault.NOT_INFANTRY


@pytest.mark.rule("base-exposed-crew")
def test_a_shaken_crew_that_looks_out_saves_as_well(steppe):
    s, tank = steppe.s, steppe.put("su-t34-43-1", 100, 60)
    s.condition[tank], s.loaded, s.events = SHAKEN, (6, 6), []
    losses.exposed_hits(s, tank, 2)
    assert "saves" in [e.kind for e in s.events]
    s.condition[tank], s.events = LOST, []
    losses.exposed_hits(s, tank, 2)
    assert s.events == []


# The end


@pytest.mark.rule("base-victory-points")
def test_an_objective_is_held_by_who_was_last_alone_in_it(steppe):
    s, w = steppe.s, steppe.w
    number = next(n for n, zone in enumerate(w.objectives) if zone.points and zone.facts.get("each") != "vehicle")
    inside = w.objectives[number].points[0]
    red, grey = steppe.unit("su-smg-1"), steppe.unit("de-pzgren-1")
    s.holder[number] = -1
    victory.hold_objectives(s, s.frames[0])
    assert s.holder[number] == -1
    s.at[red], s.condition[red] = inside, SHAKEN
    victory.hold_objectives(s, s.frames[0])
    assert s.holder[number] == -1  # who is shaken holds nothing
    s.condition[red] = GOOD
    victory.hold_objectives(s, s.frames[0])
    assert s.holder[number] == 0
    s.at[grey], s.condition[grey] = inside, GOOD
    victory.hold_objectives(s, s.frames[0])
    assert s.holder[number] == 0  # both are there
    s.at[red] = 0
    victory.hold_objectives(s, s.frames[0])
    assert s.holder[number] == 1


@pytest.mark.rule("base-victory-points")
def test_the_side_with_the_harder_task_begins_with_points():
    s = GAME.setup("stonne40", {}, seed_from(1))
    w = world(s)
    assert w.start_points[w.attacker] > 0
    assert w.start_points[1 - w.attacker] == 0
    assert tuple(s.points) == w.start_points
    told = [(e.data["side"], e.data["points"]) for e in s.events or () if e.kind == "head-start"]
    assert told == [("allies", w.start_points[0])]


@pytest.mark.rule("base-victory-points", "216b")
def test_points_of_damage_losses_and_objectives(steppe):
    s, w = steppe.s, steppe.w
    for number in range(len(w.objectives)):
        s.holder[number] = -1
    s.points[0] = 4
    assert victory.score_of(s, 0) == 4
    steppe.put("de-pz4h-1", 60, 60, flags=STUCK)
    assert victory.score_of(s, 0) == 5
    steppe.put("de-pz4h-1", 60, 60, flags=STUCK | LEADERLESS)
    assert victory.score_of(s, 0) == 5
    steppe.put("de-pz4h-2", 80, 60, flags=LEADERLESS)
    steppe.put("de-pzgren-1", 80, 70, flags=STUCK)
    assert victory.score_of(s, 0) == 6
    s.condition[steppe.unit("de-pz4h-2")] = LOST
    assert victory.score_of(s, 0) == 5
    number = next(n for n, z in enumerate(w.objectives) if "side" not in z.facts and z.facts.get("each") != "vehicle")
    s.holder[number] = 0
    assert victory.score_of(s, 0) == 5 + int(w.objectives[number].facts.get("vp", 3))


@pytest.mark.rule("base-game-end")
@pytest.mark.parametrize(
    ("ahead", "level", "winner"), [(0, "victory", "attacker"), (-1, "draw", ""), (1, "victory", "attacker")]
)
def test_the_attacker_needs_the_margin_and_so_does_the_defender(steppe, ahead, level, winner):
    s, w = steppe.s, steppe.w
    for side, sign in ((w.attacker, 1), (1 - w.attacker, -1)):
        other = steppe.s.copy()
        for number in range(len(w.objectives)):
            other.holder[number] = -1
        other.points[side], other.points[1 - side] = w.margin + ahead + w.least, w.least
        victory.finish_game(other)
        expected = side if winner else -1
        assert (other.outcome[0], other.outcome[1]) == (expected, level), sign
    assert s.outcome == ()


@pytest.mark.rule("base-game-end")
def test_a_side_breaks_beyond_half_and_gives_five_points(steppe):
    s, w = steppe.s, steppe.w
    half = w.strength[0] // 2
    s.lost[0] = half
    assert not victory.is_broken(s, 0)
    s.lost[0] = half + 1
    assert victory.is_broken(s, 0)
    steppe.put("su-smg-1", 150, 60)
    steppe.put("de-pzgren-1", 60, 60)
    before = s.points[1]
    victory.end_turn(s, s.frames[0])
    assert s.points[1] == before + 5
    assert s.outcome


# Aircraft and mines


@pytest.mark.rule("base-aa-fire", "602")
def test_who_may_fire_at_aircraft(table):
    made = table("lesson2")
    made.put("de-pz4h-1", 66, 92, "S")
    flak = made.put("de-flak38-1", 70, 92, "S")
    frame = Sortie(side=0, flight=0, target=made.unit("de-pz4h-1"))

    def why(flags=0, condition=GOOD, x=70):
        made.put("de-flak38-1", x, 92, "S", flags, condition)
        found = air.why_no_flak(made.s, frame, flak)
        return found and found.rule

    assert why() is None
    assert why(condition=SHAKEN) == "base-demoralised"
    assert why(SUPPRESSED) == why(JAMMED) == why(EMPTY) == "base-demoralised"
    assert why(FIRED) == "base-aa-fire"
    assert why(x=150) == "base-aa-fire"
    why()
    made.s.rounds[flak] |= AT_AIRCRAFT
    assert air.why_no_flak(made.s, frame, flak).rule == "base-aa-fire"
    assert air.why_no_flak(made.s, frame, made.put("uk-croc-1", 64, 100)).rule == "base-aa-fire"
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


@pytest.mark.rule("base-minefield")
@pytest.mark.parametrize(("die", "lost"), [(3, False), (4, True)])
def test_a_mine_under_a_soft_vehicle(table, die, lost):
    made = table("arras40")
    truck = next(u for u in made.w.units if losses.IS_VEHICLE[u] and not losses.IS_ARMOUR[u])
    made.s.at[truck], made.s.condition[truck] = made.w.table.point_at(400, 240), GOOD
    made.s.loaded = (die,)
    mines.explode(made.s, truck)
    assert (made.s.condition[truck] > SHAKEN) is lost


@pytest.mark.rule("base-barricade")
@pytest.mark.parametrize(("drive", "left"), [("tracked", 0), ("half-track", 1), ("wheeled", 1)])
def test_only_tracks_flatten_wire(table, monkeypatch, drive, left):
    made = table("mtsensk41")
    lines = [{"name": "the-wire", "kind": "wire", "path": [[50, 100], [50, 110]]}]
    w = World("mtsensk41", {**DOCUMENTS["mtsensk41"], "works": lines})
    monkeypatch.setattr(works, "world", lambda s: w)
    tank = made.put("de-pz3h-1", 51, 105, "E")
    models = list(works.MODEL_OF)
    models[tank] = replace(VEHICLES["pz3h"], drive=drive)
    monkeypatch.setattr(works, "MODEL_OF", models)
    made.s.built = bytearray([1])
    works.flatten_wire(made.s, tank, w.table.point_at(4 * 49, 4 * 105))
    assert list(made.s.built) == [left]


@pytest.mark.rule("502a", "502b")
def test_502_only_steady_men_who_did_nothing_else_take_a_barricade_down(table):
    made = table("stalingrad42")
    unit = made.put("de-pioneer-1", 58, 30)

    def why(flags=0, condition=GOOD, **done):
        made.put("de-pioneer-1", 58, 30, flags=flags, condition=condition)
        found = works.why_no_dismantling(made.s, Acting(side=1, unit=unit, **done))
        return found and found.rule

    assert why() is None
    assert why(SUPPRESSED) == why(condition=SHAKEN) == "base-demoralised"
    assert why(has_moved=1) == why(shot=1) == "502a"
    made.put("de-pioneer-1", 30, 30)
    assert works.why_no_dismantling(made.s, Acting(side=1, unit=unit)).rule == "502a"
    assert works.why_no_dismantling(made.s, Acting(side=1, unit=made.put("de-stug3g-1", 58, 30))).rule == "502a"


@pytest.mark.rule("221b", "221c")
@pytest.mark.parametrize(("flags", "cost"), [(ACTIVATED | FIRED, -2), (0, None)])
def test_221_only_who_has_fired_already_shoots_worse_at_who_comes_near(steppe, flags, cost):
    tank, mover = steppe.put("de-pz6-1", 150, 60, "E", flags=flags), steppe.put("su-t34-43-1", 160, 60, "W")
    steppe.s.loaded = (6, 1, 1)
    steppe.s.events = []
    reaction.react(steppe.s, tank, mover, CLOSE)
    tally = dict(next(e for e in steppe.s.events if e.kind == "shoots").data["tally"])
    assert tally.get("221c") == cost
