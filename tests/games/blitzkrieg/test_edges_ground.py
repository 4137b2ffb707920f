"""Ground that is closed, wrecks, digging in, who is left to act, requests by year: near misses of the rules."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.frames import MOVE, Acting, Match, Moving
from grognard.games.blitzkrieg.laws import barrage as law
from grognard.games.blitzkrieg.laws.parties import HEAVY, OPEN
from grognard.games.blitzkrieg.proposals.p2 import optics_or_turret
from grognard.games.blitzkrieg.redealing import redeal_hidden
from grognard.games.blitzkrieg.rules import acting, command, ground, indirect, movement
from grognard.games.blitzkrieg.rules.aiming import GUN, make_shot
from grognard.games.blitzkrieg.rules.shelling import strayed
from grognard.games.blitzkrieg.rules.walking import barrier, steps_of, why_out_of_reach
from grognard.games.blitzkrieg.setup import station
from grognard.games.blitzkrieg.state import ACTIVATED, HIDDEN, SHAKEN, WRECK
from grognard.games.blitzkrieg.switches import DEFAULTS
from grognard.tabletop import FACING_NAMES, nearest_facing

from .edges import BOOK, reason

T34, SMG, PANZER, PAK, GREN = "su-t34-43-1", "su-smg-1", "de-pz4h-1", "de-pak40-1", "de-pzgren-1"


@pytest.mark.rule("base-terrain", "base-vehicle-move")
def test_a_move_into_a_house_through_a_wall_or_over_a_ditch_is_refused_for_what_it_is(steppe):
    s, table = steppe.s, steppe.w.table
    tank, men = steppe.put(PANZER, 95, 70, "S"), steppe.put(GREN, 106, 70)

    def why(unit, x, y):
        return reason(why_out_of_reach(s, unit, table.point_at(x * 4, y * 4)))

    assert why(tank, 95, 79) == "closed-ground"
    assert why(tank, 95, 84) == "barred"
    assert why(tank, 95, 5) == "out-of-reach"
    assert why(men, 106, 79) == "out-of-reach"  # men may enter: it is too far or nothing is wrong
    assert barrier(s, tank, table.point_at(95 * 4, 84 * 4)) == "building"
    assert barrier(s, men, table.point_at(106 * 4, 84 * 4)) == ""
    tank = steppe.put(PANZER, 116, 45, "E")
    assert why(tank, 128, 45) == "barred"
    assert barrier(s, tank, table.point_at(128 * 4, 45 * 4)) == "ditch"
    assert barrier(s, tank, table.point_at(105 * 4, 45 * 4)) == ""


@pytest.mark.rule("base-terrain")
def test_the_refusal_names_what_is_in_the_way(table):
    made = table("bastogne44")
    made.put("us-m1-57-1", 81, 66, "N")
    c = Moving(side=0, unit=made.unit("us-m1-57-1"), mode=MOVE)
    gun, behind = made.unit("us-m1-57-1"), made.w.table.point_at(81 * 4, 58 * 4)
    why = why_out_of_reach(made.s, gun, behind)
    assert reason(why) == "barred"
    assert why.facts(made.s, c, 0, behind) == {"what": "ground-wall"}
    inside = made.w.table.point_at(81 * 4, 53 * 4)
    assert why_out_of_reach(made.s, made.put("us-m18-1", 60, 66), inside).facts(made.s, c, 0, inside) == {
        "what": "ground-building"
    }


@pytest.mark.rule("base-terrain", "base-gun-move")
def test_men_and_guns_turn_for_nothing_and_hulls_do_not(steppe):
    s = steppe.s
    units = [steppe.put(PANZER, 200, 20, "W"), steppe.put(PAK, 200, 60, "W"), steppe.put(GREN, 200, 90)]
    assert [steps_of(s, unit).hull for unit in units] == [True, False, False]
    assert {steps_of(s, units[1]).pivot(0, way) for way in range(16)} == {0}
    assert steps_of(s, units[0]).pivot(0, 8) > steps_of(s, units[0]).pivot(0, 4) > 0


@pytest.mark.rule("111a")
def test_111_nobody_digs_where_the_ground_covers(steppe):
    s = steppe.s

    def why(x, y):
        return reason(acting.TESTS["dig"](s, Acting(side=1, unit=steppe.put(GREN, x, y))))

    assert why(200, 64) is None
    assert why(160, 30) == "no-dig"  # crops
    assert why(95, 79) == "no-dig"  # a house


@pytest.mark.rule("205b", "205c")
def test_205_a_wreck_covers_from_its_own_side_alone(table):
    steppe = table("prokhorovka43", p205="on")
    s, man = steppe.s, steppe.put(SMG, 200, 64)
    steppe.put(T34, 204, 60, "N", condition=WRECK)  # north-east of the man
    for x, y, cover in ((230, 34, HEAVY), (170, 34, OPEN), (230, 94, OPEN), (170, 94, OPEN)):
        assert ground.cover_from(s, man, steppe.w.table.point_at(x * 4, y * 4)) == cover, (x, y)
    steppe.put(T34, 203, 59, "N", condition=WRECK)  # more to the north
    for x, y, cover in ((220, 24, HEAVY), (240, 44, HEAVY), (180, 24, OPEN), (230, 67, OPEN)):
        assert ground.cover_from(s, man, steppe.w.table.point_at(x * 4, y * 4)) == cover, (x, y)


@pytest.mark.rule("base-activation")
def test_batteries_and_aircraft_count_among_what_is_left_to_act(table):
    made = table("lesson2")
    s = made.s
    tank, foe = made.put("uk-croc-1", 60, 100, "N"), made.put("de-rifle-1", 60, 40)
    made.put("uk-observer-1", 66, 100)
    s.available[0] = s.aloft[0] = 0
    assert [command.left(s, side) for side in (0, 1)] == [2, 1]
    s.available[0] = 1
    assert command.left(s, 0) == 3
    s.aloft[0] = 1
    assert command.left(s, 0) == 4
    s.flags[tank] |= ACTIVATED
    assert command.left(s, 0) == 3
    s.flags[foe] |= ACTIVATED
    assert command.left(s, 1) == 0


@pytest.mark.rule("base-support-request")
@pytest.mark.parametrize(
    ("nation", "year", "needed"),
    [("US", 1943, 4), ("US", 1944, 3), ("DE", 1944, 4), ("DE", 1945, 5), ("SU", 1942, 6), ("SU", 1943, 5)],
)
def test_what_a_request_needs_hangs_on_the_year(nation, year, needed):
    assert law.request_number(BOOK, nation, year, "divisional") == needed


@pytest.mark.rule("base-support-request")
def test_a_nation_without_a_row_for_the_year_is_not_answered():
    assert law.request_number(BOOK, "US", 1940, "divisional") is None
    assert law.request_number(BOOK, "PL", 1940, "divisional") is None
    assert law.request_number(BOOK, "FR", 1941, "organic") is None


@pytest.mark.rule("414a", "409a", "415b")
def test_414_observers_guide_and_american_commanders_their_light_mortars(table):
    made = table("bastogne44")
    s, launcher = made.s, made.put("de-neb41-1", 60, 100)
    mortar, gun = made.put("us-m2-60-1", 90, 60), made.put("us-m1-57-1", 100, 60)
    eye, head = made.put("us-observer-1", 95, 60), made.put("us-command-1", 95, 64)
    german, leader = made.put("de-observer-1", 66, 100), made.put("de-command-1", 70, 100)

    def guides(unit, piece):
        return indirect.may_guide(BOOK, s, unit, piece)

    assert [guides(u, mortar) for u in (eye, head)] == [True, True]
    assert [guides(u, gun) for u in (eye, head)] == [True, False]
    assert [guides(u, launcher) for u in (german, leader)] == [True, False]
    assert not guides(made.put("us-para-1", 99, 64), mortar)


@pytest.mark.rule("base-deployment", "406a")
def test_launchers_begin_full(table):
    made = table("lesson2")
    launcher, gun = made.unit("de-neb41-1"), made.unit("de-pak40-1")
    made.s.rockets[launcher] = made.s.rockets[gun] = 0
    station(made.s, [launcher, gun])
    assert (made.s.rockets[launcher], made.s.rockets[gun]) == (6, 0)


@pytest.mark.rule("base-hidden")
def test_who_is_hidden_is_dealt_again_but_not_who_is_in_hand(table):
    made = table("lesson")
    names = ("de-rifle-1", "de-rifle-2", "de-mmg-1")
    station(made.s, [made.unit(name) for name in names])
    assert all(made.s.flags[made.unit(name)] & HIDDEN for name in names)
    held = made.unit("de-rifle-1")
    made.s.frames.append(Moving(side=1, unit=held))
    before = {name: made.s.at[made.unit(name)] for name in names}
    moved = set()
    for _ in range(8):
        redeal_hidden(made.s, 0)
        moved |= {name for name in names if made.s.at[made.unit(name)] != before[name]}
    assert moved == {"de-rifle-2", "de-mmg-1"}


@pytest.mark.rule("base-vehicle-move", "base-infantry-move", "base-demoralised")
def test_whoever_is_shaken_is_refused_the_point_itself(steppe):
    s, table, to = steppe.s, steppe.w.table, movement.To()
    men, foe = steppe.put(SMG, 160, 64), steppe.put(GREN, 150, 64)
    c = Moving(side=0, unit=men, mode=MOVE)
    near, far = table.point_at(158 * 4, 256), table.point_at(164 * 4, 256)
    assert [reason(to.why_not(s, c, 0, "to", p)) for p in (near, far)] == [None, None]
    s.condition[men] = SHAKEN
    assert [reason(to.why_not(s, c, 0, "to", p)) for p in (near, far)] == ["no-approach", None]
    assert far in to.legal_nouns(s, c, 0, "to")
    assert near not in to.legal_nouns(s, c, 0, "to")
    s.at[foe] = 0
    assert near in to.legal_nouns(s, c, 0, "to")


@pytest.mark.rule("003e")
def test_003_nobody_is_detected_through_a_house(steppe):
    s, man = steppe.s, steppe.put(GREN, 95, 84)
    assert not ground.detects(s, steppe.put(SMG, 95, 72), man)  # a house between, 12 cm off
    assert ground.detects(s, steppe.put(SMG, 87, 84), man)


@pytest.mark.rule("base-random-direction", "408b")
@pytest.mark.parametrize(("die", "facing"), [(1, "N"), (2, "NE"), (3, "ESE"), (4, "S"), (5, "SW"), (6, "WNW")])
def test_a_die_gives_one_of_six_directions_around_the_compass(steppe, die, facing):
    s, table = steppe.s, steppe.w.table
    middle = table.point_at(120 * 4, 60 * 4)
    s.loaded = (die,)
    found = strayed(s, middle, 30)
    s.loaded = ()
    assert FACING_NAMES[nearest_facing(table.x[found] - table.x[middle], table.y[found] - table.y[middle])] == facing


@pytest.mark.rule("base-activation", "303a")
def test_a_battery_of_the_enemy_is_not_activated(table):
    made = table("stonne40")
    s, activate = made.s, command.Activate()
    made.put("fr-observer-1", 90, 100)
    made.put("de-observer-1", 90, 20)
    s.available[0] = s.available[1] = 1

    def why(side, number):
        return reason(activate.why_not(s, Match(), side, "barrage", number))

    assert [why(side, number) for side in (0, 1) for number in (0, 1)] == [
        None,
        "not-your-battery",
        "not-your-battery",
        None,
    ]


@pytest.mark.rule("207f", "220bis", "220c")
def test_220_a_narrow_turret_is_counted_once_on_the_move_and_always_at_the_halt(steppe):
    s = steppe.s
    tank, foe = steppe.put("su-t70-1", 180, 60, "W"), steppe.put(PANZER, 150, 60, "E")
    gun = make_shot(s, tank, foe, GUN, False)
    once, twice = Book(DEFAULTS, narrow_double=False), Book(DEFAULTS, narrow_double=True)
    for stance, book, worth in (("still", once, -1), ("moving", once, 0), ("still", twice, -1), ("moving", twice, -1)):
        gun.firer.stance = stance
        assert optics_or_turret(book, gun)[1] == worth, (stance, worth)
