"""Riding and towing: getting on and off, limbering, what happens to who is aboard."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.loading import CHARTS, GUNS
from grognard.games.blitzkrieg.rules import losses, reaction, transport
from grognard.games.blitzkrieg.rules.aiming import GUN, make_shot
from grognard.games.blitzkrieg.rules.riding import follow, passengers, set_on, towed
from grognard.games.blitzkrieg.rules.walking import allowance, budget_of
from grognard.games.blitzkrieg.state import ABOARD, EXITED, FIRED, GOOD, HIDDEN, LOST, SHAKEN, has
from grognard.tabletop.paths import PER_CM

TRUCK, MEN, MORE, HEAD, MG = "de-opel-1", "de-rifle-1", "de-rifle-2", "de-command-1", "de-mmg-1"
BREN, CREW, GUN2 = "uk-bren-1", "uk-brencrew-1", "uk-p2-1"
FLAK, TRACTOR = "de-flak88-1", "de-opel-3"


@pytest.fixture
def arras(table):
    """Open ground in the north-west, nobody about."""
    return table("arras40")


@pytest.mark.rule("base-transport", "203b")
def test_men_get_on_within_5_cm_for_half_of_both_moves(arras):
    truck, men = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 14)
    arras.put(MORE, 60, 40)
    arras.put(HEAD, 64, 14)
    arras.act(1, "column", MORE)
    assert arras.rule("board", TRUCK) == "base-transport"
    arras.do("hold")
    arras.do("unit", MEN)
    arras.do("board", TRUCK)
    s = arras.s
    assert has(s, men, ABOARD)
    assert s.at[men] == s.at[truck]
    assert budget_of(s, truck) == 15 * PER_CM  # half of 30
    arras.do("unit", TRUCK)
    arras.do("move")
    arras.do("to", max(arras.can("to"), key=lambda p: int(p[:3])))
    assert s.at[men] == s.at[truck] != arras.w.table.point_at(240, 40)


@pytest.mark.rule("203a")
def test_203a_a_light_truck_takes_one_unit_and_is_fast_on_roads(table):
    made = table("encounter44")
    truck, gun, men = made.put("us-dodge-1", 60, 90), "us-rifle-1", "us-rifle-2"
    assert allowance(made.s, truck) == (40, 100)
    made.put("us-command-1", 57, 94)
    made.put(gun, 60, 94)
    made.put(men, 63, 94)
    made.act(0, "company", gun)
    made.do("board", "us-dodge-1")
    made.do("unit", men)
    assert made.why("board", "us-dodge-1").reason == "no-seat"
    assert passengers(made.s, truck) == [made.unit(gun)]
    made.do("hold")
    made.do("unit", "us-command-1")
    assert made.why("board", "us-dodge-1").reason == "no-seat"  # not even half a group


@pytest.mark.rule("base-transport")
def test_a_vehicle_that_has_driven_more_than_half_takes_nobody_on(arras):
    truck = arras.put(TRUCK, 60, 10, "E")
    arras.put(MEN, 60, 14)
    arras.put(HEAD, 64, 14)
    arras.act(1, "column", MEN)
    arras.s.effort[truck] = 51
    assert arras.why("board", TRUCK).reason == "carrier-has-moved"
    arras.s.effort[truck] = 50
    assert arras.rule("board", TRUCK) is None
    arras.s.effort[arras.unit(MEN)] = 51
    assert arras.why("board", TRUCK).reason == "moved-too-far-to-board"


@pytest.mark.rule("base-transport", "203b", "001b")
@pytest.mark.parametrize(("choice", "fits"), [("off", False), ("on", True)])
def test_001b_a_half_group_takes_half_the_room(table, choice, fits):
    made = table("arras40", p001=choice)
    truck, men = made.put(TRUCK, 60, 10, "E"), made.put(MEN, 60, 14)
    made.put(HEAD, 64, 14)
    made.put("de-command-1", 57, 14)
    set_on(made.s, men, truck)
    seats = sum(transport.seats(made.s, u) for u in (men, made.unit(HEAD), made.unit(MG)))
    assert (seats == 5) == fits  # 2 + 1 + 2, or 2 + 2 + 2
    assert transport.capacity(truck) == 4


@pytest.mark.rule("base-transport")
def test_who_gets_off_has_half_a_move_left_and_fires_as_who_moved(arras):
    truck, men = arras.put(TRUCK, 60, 10, "E"), arras.put(MEN, 60, 10)
    arras.put(HEAD, 64, 20)
    set_on(arras.s, men, truck)
    arras.act(1, "column", MEN)
    assert arras.why("move").reason == "not-from-aboard"
    points = arras.can("alight")
    assert points
    assert arras.point(75, 10) not in points
    assert arras.rule("alight", arras.point(75, 10)) == "base-transport"
    arras.do("alight", points[0])
    assert not has(arras.s, men, ABOARD)
    assert arras.s.moved[men] == 10
    assert arras.s.effort[men] == 50
    assert budget_of(arras.s, men) == 10 * PER_CM
    arras.do("move")
    far = max(arras.can("to"), key=lambda p: int(p[4:]))
    arras.do("to", far)
    assert 10 < arras.s.moved[men] <= 20


@pytest.mark.rule("base-transport")
def test_several_who_get_off_cost_the_vehicle_half_once(arras):
    truck = arras.put(TRUCK, 60, 10, "E")
    for name in (MEN, MORE):
        set_on(arras.s, arras.put(name, 60, 10), truck)
    arras.put(HEAD, 64, 20)
    arras.act(1, "column", MEN)
    arras.do("alight", arras.can("alight")[0])
    arras.do("hold")
    arras.do("unit", MORE)
    arras.do("alight", arras.can("alight")[0])
    assert arras.s.effort[truck] == 50


@pytest.mark.rule("base-transport")
def test_men_fire_one_die_from_a_carrier_and_none_from_a_truck(arras):
    bren, crew = arras.put(BREN, 60, 10, "E"), arras.put(CREW, 60, 10)
    set_on(arras.s, crew, bren)
    arras.put(MEN, 85, 10)
    arras.put("uk-p2-1", 50, 30)
    arras.act(0, "carriers", CREW)
    events = arras.do("fire", MEN, 2)
    assert [len(e.data["dice"]) for e in events if e.kind == "fires"] == [1]
    made = type(arras)("arras40")
    truck, men = made.put(TRUCK, 60, 10, "E"), made.put(MEN, 60, 10)
    set_on(made.s, men, truck)
    made.put("uk-rifle-1", 85, 10)
    made.put(HEAD, 64, 20)
    made.act(1, "column", MEN)
    assert made.why("fire", "uk-rifle-1").reason == "no-fire-from-trucks"
    assert not reaction.may_react(made.s, men)


@pytest.mark.rule("base-transport")
def test_who_is_aboard_is_no_target(arras):
    truck, men = arras.put(TRUCK, 85, 10, "E"), arras.put(MEN, 85, 10)
    set_on(arras.s, men, truck)
    arras.put("uk-rifle-1", 60, 10)
    arras.put("uk-command-1", 57, 10)
    arras.act(0, "company", "uk-rifle-1")
    assert arras.why("fire", MEN).reason == "fire-at-the-vehicle"
    assert MEN not in arras.can("fire")
    assert TRUCK in arras.can("fire")


@pytest.mark.rule("203c")
@pytest.mark.parametrize(("choice", "shaken"), [("on", 1), ("off", 0)])
def test_203c_fire_at_a_truck_hits_its_passengers_too(table, choice, shaken):
    made = table("arras40", p203=choice)
    truck = made.put(TRUCK, 85, 10, "E")
    men, more = made.put(MEN, 85, 10), made.put(MORE, 85, 10)
    set_on(made.s, men, truck)
    set_on(made.s, more, truck)
    made.s.loaded, made.s.events = (6, 2, 6), []
    losses.soft_hits(made.s, truck, 1, "base-soft-vehicle")
    assert made.s.condition[truck] == GOOD
    assert (made.s.condition[men] == SHAKEN) == bool(shaken)
    assert made.s.condition[more] == GOOD  # O-09: one hit, the first of them


@pytest.mark.rule("203d", "base-transport")
@pytest.mark.parametrize(("choice", "die", "lost"), [("on", 3, False), ("on", 2, True), ("off", 6, True)])
def test_203d_passengers_of_a_truck_that_is_hit_save_at_minus_one(table, choice, die, lost):
    made = table("arras40", p203=choice)
    truck, men = made.put(TRUCK, 85, 10, "E"), made.put(MEN, 85, 10)
    set_on(made.s, men, truck)
    made.s.loaded, made.s.events = (die,), []
    losses.lose(made.s, truck, "base-soft-vehicle")
    made.s.loaded = ()
    assert (made.s.condition[men] == LOST) == lost
    assert not has(made.s, men, ABOARD)
    assert not GAME.problems(made.s)


@pytest.mark.rule("base-transport")
def test_passengers_of_a_vehicle_that_is_given_up_are_unhurt(arras):
    bren, crew = arras.put(BREN, 60, 10, "E"), arras.put(CREW, 60, 10)
    set_on(arras.s, crew, bren)
    arras.s.loaded, arras.s.events = (1,), []
    losses.damage(arras.s, bren, "base-damage")
    assert arras.is_lost(BREN)
    assert arras.s.condition[crew] == GOOD
    assert arras.s.at[crew] != arras.s.at[bren]


@pytest.mark.rule("403a", "403b", "403e")
def test_ex_403_a_half_track_tows_a_50_mm_gun_40_cm_or_20_and_unhitches(table):
    """Worked example ex-403-halftrack."""
    made = table("mtsensk41")
    half, gun = made.put("de-s251-1", 60, 100, "E"), made.put("de-pak38-1", 60, 105, "E")
    s = made.s
    assert allowance(s, half)[0] == 50
    set_on(s, gun, half)
    assert towed(s, half) == gun
    assert allowance(s, half)[0] == 40
    assert transport.hitch_share(transport.book_of(s), GUNS["pak38"]) == 50
    transport.spend(s, half, 50)
    assert budget_of(s, half) == 20 * PER_CM


@pytest.mark.rule("403b")
@pytest.mark.parametrize(
    ("gun", "share"), [("pak38", 50), ("flak88", 100), ("flak38", 100), ("pak43", 100), ("leig18", 50)]
)
def test_403b_heavy_guns_and_mounts_take_the_whole_move(arras, gun, share):
    assert transport.hitch_share(transport.book_of(arras.s), GUNS[gun]) == share


@pytest.mark.rule("403c", "403b")
def test_403c_a_gun_fires_and_is_hitched_but_goes_nowhere(arras):
    bren, gun = arras.put(BREN, 60, 10, "E"), arras.put(GUN2, 60, 15, "E")
    arras.put(CREW, 66, 30)
    arras.act(0, "carriers", GUN2)
    arras.s.flags[gun] |= FIRED
    assert arras.why("hitch", "uk-mat2-1").reason == "not-a-tractor"
    arras.do("hitch", BREN)
    assert has(arras.s, gun, ABOARD)
    assert budget_of(arras.s, bren) == 0


@pytest.mark.rule("403a")
def test_403a_a_tractor_farther_than_5_cm_or_too_weak_or_taken_tows_nothing(arras):
    bren, gun = arras.put(BREN, 60, 10, "E"), arras.put(GUN2, 60, 25, "E")
    arras.put(CREW, 66, 30)
    arras.act(0, "carriers", GUN2)
    assert arras.why("hitch", BREN).reason == "too-far-to-hitch"
    assert not transport.may_tow(bren, arras.unit(FLAK))
    assert transport.may_tow(arras.unit(TRUCK), arras.unit(FLAK))
    assert not transport.may_tow(arras.unit("uk-mat2-1"), gun)


@pytest.mark.rule("403d", "206e")
@pytest.mark.parametrize(("choice", "stance"), [("on", "unhitched"), ("off", None)])
def test_403d_who_is_unhitched_fires_as_a_piece_that_pivots(table, choice, stance):
    made = table("arras40", p403=choice, p404="off")
    bren, gun = made.put(BREN, 60, 10, "E"), made.put(GUN2, 60, 10, "W")
    made.put(CREW, 66, 30)
    truck = made.put(TRUCK, 80, 10, "E")
    set_on(made.s, gun, bren)
    made.act(0, "carriers", GUN2)
    made.do("unhitch", made.can("unhitch")[0])
    made.do("face", "E")
    if stance is None:
        assert TRUCK not in made.can("shoot")
        return
    fired = make_shot(made.s, gun, truck, GUN, True)
    assert fired is not None
    assert fired.firer.stance == stance
    assert CHARTS["to_hit"][stance] == 7
    assert TRUCK in made.can("shoot")


@pytest.mark.rule("404")
@pytest.mark.parametrize(("choice", "may"), [("on", True), ("off", False)])
def test_404_the_88_fires_hitched_to_where_it_points(table, choice, may):
    made = table("arras40", p404=choice)
    tractor, gun = made.put(TRACTOR, 220, 100, "E"), made.put(FLAK, 220, 100)
    made.put("uk-mat2-1", 180, 100, "E")
    made.put("uk-mat2-2", 236, 100, "E")
    set_on(made.s, gun, tractor)
    made.act(1, "eighty-eight", FLAK)
    assert ("uk-mat2-1" in made.can("shoot")) == may
    if may:
        assert made.rule("shoot", "uk-mat2-2") == "base-arcs"
        assert made.why("shoot", "uk-mat2-2").reason == "out-of-arc"
        made.s.moved[tractor] = 10
        assert made.rule("shoot", "uk-mat2-1") == "404"
    else:
        assert made.rule("shoot", "uk-mat2-1") == "404"


@pytest.mark.rule("base-hidden", "base-transport")
def test_who_rides_is_seen_with_its_vehicle(arras):
    truck, men = arras.put(TRUCK, 85, 10, "E", HIDDEN), arras.put(MEN, 85, 10, "E", HIDDEN)
    set_on(arras.s, men, truck)
    losses.show(arras.s, truck)
    assert not has(arras.s, men, HIDDEN)
    view = GAME.view(arras.s, 0)
    piece = next(p for p in view["pieces"] if p["id"] == MEN)
    assert piece["aboard"] == TRUCK
    assert "aboard" in piece["marks"]


@pytest.mark.rule("base-transport")
def test_who_rides_leaves_the_table_with_its_vehicle(arras):
    from grognard.games.blitzkrieg.frames import Moving
    from grognard.games.blitzkrieg.rules.movement import leave_table

    bren, crew = arras.put(BREN, 235, 10, "E"), arras.put(CREW, 235, 10)
    set_on(arras.s, crew, bren)
    follow(arras.s, bren)
    arras.s.events = []
    leave_table(arras.s, Moving(side=0, unit=bren))
    assert arras.s.condition[crew] == EXITED
    assert not passengers(arras.s, bren)
    assert not GAME.problems(arras.s)


@pytest.mark.rule("base-victory-points")
def test_only_tanks_leave_at_arras(arras):
    arras.put(BREN, 232, 10, "E")
    arras.put(CREW, 228, 16)
    arras.act(0, "carriers", BREN)
    arras.do("move")
    assert arras.why("exit").reason == "no-exit"


def test_arras_begins_with_riders_and_the_88_comes_hitched_on_turn_two():
    from grognard.kernel import seed_from

    s = GAME.setup("arras40", {}, seed_from(3))
    riding = [u for u in range(len(s.flags)) if s.flags[u] & ABOARD]
    assert len(riding) == 7
    assert not GAME.problems(s)
