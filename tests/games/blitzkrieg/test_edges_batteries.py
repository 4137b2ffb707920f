"""Batteries, their markers and their calls, at the edges: each condition by itself."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.frames import Barrage, Sortie
from grognard.games.blitzkrieg.laws import barrage as law
from grognard.games.blitzkrieg.laws import destruction
from grognard.games.blitzkrieg.loading import WEAPONS
from grognard.games.blitzkrieg.rules import air, artillery
from grognard.games.blitzkrieg.state import FIRED, GOOD, GUIDED, HIDDEN, LOST, SHAKEN, has
from grognard.games.blitzkrieg.switches import book_of

from .edges import BOOK, reason

US_OBSERVER, FR_OBSERVER = "us-observer-1", "fr-observer-1"


@pytest.fixture
def two(table):
    """Bastogne: two American batteries at hand, one observer."""
    made = table("bastogne44")
    made.put(US_OBSERVER, 90, 60)
    made.s.available[0] = made.s.available[1] = 1
    return made


@pytest.mark.rule("409b")
def test_409b_who_may_join_is_at_hand_unspent_and_of_the_side(two):
    s, frame = two.s, Barrage(side=0, battery=0, marked=1)
    s.spent[0] = 1  # it is the one that fires

    def partners(frame=frame, side=0):
        return artillery._partners(s, frame, side)

    assert partners() == [1]
    assert partners(side=1) == []
    assert partners(Barrage(side=0, battery=0, over=1)) == []
    assert partners(Barrage(side=0, pieces=(two.unit("us-rifle-1"),))) == []
    s.available[1] = 0
    assert partners() == []
    s.available[1], s.spent[1] = 1, 1
    assert partners() == []
    s.spent[0] = 0
    assert partners() == [0]


@pytest.mark.rule("409b")
def test_409b_it_is_asked_once_after_the_marker_and_the_other_is_spent(two):
    s, join = two.s, artillery.Join()
    s.spent[0] = 1
    assert not join.needed(s, Barrage(side=0, battery=0), 0)
    assert not join.needed(s, Barrage(side=0, battery=0, marked=1, asked=1), 0)
    assert join.nouns(s, Barrage(side=0, battery=0), 0, "join") == [1]
    assert join.nouns(s, Barrage(side=0, battery=0), 0, "alone") == [0]
    for verb, joined, spent in (("alone", -1, 0), ("join", 1, 1)):
        frame = Barrage(side=0, battery=0, marked=1)
        s.spent[1] = 0
        assert join.needed(s, frame, 0)
        assert join.why_not(s, frame, 0, verb, 1) is None
        join.apply(s, frame, 0, verb, 1)
        assert (frame.asked, frame.joined, s.spent[1]) == (1, joined, spent)
    assert reason(join.why_not(s, Barrage(side=0, battery=0), 0, "join", 0)) == artillery.NOT_READY.reason


@pytest.mark.rule("305", "base-off-table-limit")
def test_305_which_batteries_a_side_may_use(two):
    s = two.s
    assert [artillery.within_limit(s, n) for n in (0, 1)] == [True, True]
    assert artillery.ready(s, 0) == [0, 1]
    assert artillery.ready(s, 1) == []
    s.available[0] = 0
    assert artillery.ready(s, 0) == [1]
    s.spent[1] = 1
    assert artillery.ready(s, 0) == []
    s.available[0] = 1
    s.rounds[two.unit(US_OBSERVER)] |= GUIDED
    assert artillery.ready(s, 0) == []


@pytest.mark.rule("305", "base-off-table-limit")
def test_305_off_the_second_battery_is_never_used(table):
    made = table("bastogne44", p305="off")
    made.put(US_OBSERVER, 90, 60)
    s = made.s
    s.available[0] = s.available[1] = 1
    assert artillery.ready(s, 0) == [0]
    s.available[0] = s.available[1] = 0
    s.loaded = (6,)
    artillery.request_support(s, s.frames[0], 0)
    s.loaded = ()
    assert list(s.available)[:2] == [1, 0]


@pytest.mark.rule("303a", "base-support-request")
def test_303a_a_request_is_made_for_what_is_missing_by_its_own_side(two):
    s = two.s
    s.available[0], s.available[1] = 1, 0
    s.spent[0] = s.spent[1] = 1
    needed = law.request_number(book_of(s), "US", 1944, two.w.batteries[1].support.level)
    draws = s.draws
    artillery.request_support(s, s.frames[0], 1)  # no battery of theirs
    assert (s.draws, list(s.spent)[:2], list(s.available)[:2]) == (draws, [1, 1], [1, 0])
    for die in (needed - 1, needed):
        s.loaded, s.events = (die,), []
        artillery.request_support(s, s.frames[0], 0)
        assert list(s.spent)[:2] == [0, 0]
        assert (s.available[1], two.kinds()) == (
            (1, ["roll", "support"]) if die == needed else (0, ["roll", "no-support"])
        )
    s.loaded = ()


@pytest.mark.rule("414a", "415a")
def test_414a_who_is_shaken_lost_or_no_observer_directs_nothing(two):
    s, observer, chief = two.s, two.unit(US_OBSERVER), two.unit("us-command-1")
    assert set(artillery.eyes(s, 0)) >= {observer}
    assert two.unit("us-rifle-1") not in artillery.eyes(s, 0)
    for condition in (SHAKEN, LOST):
        s.condition[observer] = condition
        assert observer not in artillery.eyes(s, 0)
    s.condition[observer], s.at[observer] = GOOD, 0
    assert observer not in artillery.eyes(s, 0)
    assert chief not in artillery.eyes(s, 1)


@pytest.mark.rule("303b", "414a")
def test_303b_the_marker_keeps_its_tries_only_on_the_same_point(two):
    s, mark = two.s, artillery.Mark()
    here, there = (two.w.table.point_at(x * 4, 240) for x in (400 // 4, 110))
    s.mark[0], s.attempt[0] = here, 2
    for verb, noun, tries in (("same", 0, 2), ("mark", here, 2), ("mark", there, 0)):
        frame = Barrage(side=0, battery=0)
        s.rounds[two.unit(US_OBSERVER)] &= ~GUIDED
        s.spent[0] = 0
        mark.apply(s, frame, 0, verb, noun)
        assert (s.attempt[0], s.mark[0], s.spent[0]) == (tries, noun or here, 1)
        assert (frame.marked, frame.over) == (1, 0)
        assert s.rounds[two.unit(US_OBSERVER)] & GUIDED
    frame = Barrage(side=0, battery=0)
    s.spent[0] = 0
    mark.apply(s, frame, 0, "cease", 0)
    assert (frame.marked, frame.over, s.spent[0]) == (0, 1, 1)


@pytest.mark.rule("303c", "416b")
def test_303c_the_same_place_needs_a_marker_that_is_still_seen(two):
    s = two.s
    frame = Barrage(side=0, battery=0)
    assert reason(artillery.why_not_same(s, frame, 0)) == artillery.NO_MARK.reason
    s.mark[0] = two.w.table.point_at(400, 240)
    assert artillery.why_not_same(s, frame, 0) is None
    s.rounds[two.unit(US_OBSERVER)] |= GUIDED
    assert reason(artillery.why_not_same(s, frame, 0)) == artillery.UNSEEN.reason


@pytest.mark.rule("416a", "416b", "303b")
def test_416a_pieces_that_lay_their_marker_show_themselves_and_have_fired(guns):
    s, w = guns.s, guns.w.table
    pieces = tuple(guns.unit(name) for name in ("uk-ml3-1", "uk-ml3-2"))
    point = w.point_at(66 * 4, 92 * 4)
    for unit in pieces:
        s.flags[unit] |= HIDDEN
    frame = Barrage(side=0, pieces=pieces)
    artillery.Mark().apply(s, frame, 0, "mark", point)
    assert frame.marked == 1
    assert s.aim[pieces[0]] == point == artillery.mark_of(s, frame)
    assert s.guide[pieces[0]] > 0
    assert all(has(s, unit, FIRED) and not has(s, unit, HIDDEN) for unit in pieces)


@pytest.mark.rule("303bis-a")
def test_303bis_friends_are_those_who_stand_within_thirty_centimetres(table):
    made = table("stonne40")
    s, w = made.s, made.w.table
    mark = w.point_at(240, 388)
    near, far = made.put("fr-h39-1", 0, 0), made.put("fr-h39-2", 0, 0)
    columns = artillery.FRIENDS // 10
    s.at[near] = w.point_at(w.x[mark] + columns * 10, w.y[mark])
    s.at[far] = w.point_at(w.x[mark] + (columns + 1) * 10, w.y[mark])
    assert artillery._friends_near(s, 0, mark) == [near]
    assert artillery._friends_near(s, 1, mark) == []
    s.condition[near] = LOST
    assert artillery._friends_near(s, 0, mark) == []
    s.condition[near], s.at[near] = SHAKEN, 0
    assert artillery._friends_near(s, 0, mark) == []


@pytest.mark.rule("303b", "303c", "303bis-a", "303bis-b")
def test_303_what_each_try_needs_and_what_a_natural_one_does(table):
    made = table("stonne40")
    s, w = made.s, made.w.table
    made.put(FR_OBSERVER, 90, 110)
    s.mark[0] = w.point_at(240, 388)

    def aimed(tries, *dice):
        s.attempt[0], s.loaded, s.events = tries, dice, []
        frame = Barrage(side=0, battery=0)
        artillery.take_aim(s, frame)
        assert s.attempt[0] == tries + 1
        s.loaded = ()
        return frame.over, frame.shifts, frame.point == s.mark[0]

    assert [aimed(0, die)[0] for die in (2, 4, 5)] == [1, 1, 0]
    assert [aimed(1, die)[0] for die in (2, 3)] == [1, 0]
    assert aimed(2) == (0, 0, True)  # certain
    assert aimed(0, 1) == (1, 0, True)  # nobody near
    made.put("fr-h39-2", 62, 97)
    friends = int(law.BARRAGE["friends"])
    assert aimed(0, 1, friends - 1) == (1, 0, True)
    assert aimed(0, 1, friends) == (0, 1, True)
    assert aimed(0, 2)[1] == 0
    draws, over = s.draws, Barrage(side=0, battery=0, over=1)
    artillery.take_aim(s, over)
    assert (s.draws, over.point) == (draws, 0)


@pytest.mark.rule("303b", "base-random-direction")
def test_303_off_a_miss_scatters_and_comes_down(table):
    made = table("stonne40", p303="off", p303bis="off", p305="off")
    s = made.s
    made.put(FR_OBSERVER, 90, 110)
    s.mark[0] = made.w.table.point_at(360, 240)
    for die, scattered in ((3, True), (4, False)):
        s.loaded, s.attempt[0] = (die, 5, 6, 1), 0
        frame = Barrage(side=0, battery=0)
        artillery.take_aim(s, frame)
        s.loaded = ()
        assert frame.over == 0
        gone = made.w.table.y[s.mark[0]] - made.w.table.y[frame.point]
        assert (gone != 0) is scattered
        assert not scattered or abs(gone - 44) <= 6  # eleven centimetres up


@pytest.mark.rule("301c", "301d")
def test_301_the_shape_is_asked_once_and_never_of_small_templates(guns):
    s, shape = guns.s, artillery.Shape()
    piece = (guns.unit("uk-ml3-1"),)
    point = guns.w.table.point_at(66 * 4, 92 * 4)
    made = Barrage(side=0, pieces=piece, point=point)
    assert reason(shape.why_not(s, made, 0, "shape", 1)) == artillery.NO_STRETCH.reason  # 5 cm deep
    assert shape.why_not(s, made, 0, "shape", 0) is None
    assert not shape.needed(s, made, 0)
    both = Barrage(side=0, pieces=(*piece, guns.unit("uk-ml3-2")), point=point)
    assert artillery.weapon_and_size(s, both)[2] == 5


@pytest.mark.rule("301c", "301d")
def test_301_a_battery_is_asked_once(table):
    made = table("stonne40")
    s, shape = made.s, artillery.Shape()
    frame = Barrage(side=0, battery=0, point=made.w.table.point_at(240, 388))
    assert shape.needed(s, frame, 0)
    for stop in ({"over": 1}, {"point": 0}, {"shaped": 1}):
        again = Barrage(**{"side": 0, "battery": 0, "point": frame.point} | stop)
        assert not shape.needed(s, again, 0)
    shape.apply(s, frame, 0, "shape", 2)
    assert (frame.shape, frame.shaped) == (2, 1)


@pytest.mark.rule("304a", "304b", "base-support-test")
def test_304a_each_battery_tests_for_itself_and_pieces_do_not(two):
    s = two.s
    needed = law.support_number(book_of(s), law.request_number(book_of(s), "US", 1944, "divisional"))
    for dice, left in (((needed, needed - 1), [1, 0]), ((needed - 1, needed), [0, 1])):
        s.available[0] = s.available[1] = 1
        s.loaded = dice
        artillery.test_support(s, Barrage(side=0, battery=0, joined=1))
        assert list(s.available)[:2] == left
    s.available[0] = s.available[1] = 1
    s.loaded = (1,)
    artillery.test_support(s, Barrage(side=0, battery=0))
    assert list(s.available)[:2] == [0, 1]
    s.loaded, draws = (), s.draws
    artillery.test_support(s, Barrage(side=0, pieces=(two.unit("us-rifle-1"),)))
    assert s.draws == draws


@pytest.mark.rule("209bis-a", "209bis-b", "209bis-c")
@pytest.mark.parametrize(("length", "full"), [("short", 60), ("normal", 60), ("L", 90), ("LL", 120)])
def test_209bis_power_by_range_in_steps_of_thirty(length, full):
    weapon = next(w for w in WEAPONS.values() if w.length == length and w.ap is not None)
    found = [destruction.range_modifier(BOOK, weapon, cm)[1] for cm in (30, 31, full, full + 1, full + 30, full + 31)]
    assert found == [1, 0, 0, -1, -1, -2]


@pytest.mark.rule("base-aa-fire")
@pytest.mark.parametrize("dice", [(5, 5), (6, 5), (6, 6)])
def test_anti_aircraft_fire_shows_its_gun_which_has_fired(table, dice):
    made = table("arras40")
    s, gun = made.s, made.put("de-flak38-1", 60, 60, flags=HIDDEN)
    number = int(air.AIR["aa"][air.aa_kind(s, gun)][0])
    dice = (dice * number)[:number]
    s.loaded = dice
    sortie = Sortie(side=0, flight=0, target=gun)
    air.Flak().apply(s, sortie, 1, "flak", gun)
    s.loaded = ()
    assert has(s, gun, FIRED)
    assert not has(s, gun, HIDDEN)
    assert s.rounds[gun] & air.AT_AIRCRAFT
    assert (sortie.hits, sortie.held) == (dice.count(6), 0)
    air.Flak().apply(s, sortie, 1, "hold-fire", 0)
    assert sortie.held == 1


@pytest.mark.rule("303bis-a")
def test_303bis_the_template_is_laid_on_friends_within_thirty_centimetres_and_no_farther(table):
    made = table("stonne40")
    s, w, shift = made.s, made.w.table, artillery.Shift()
    s.mark[0] = mark = w.point_at(240, 388)
    c = Barrage(side=0, battery=0, shifts=1)
    friend, columns = made.put("fr-h39-1", 0, 0), artillery.FRIENDS // 10
    assert shift.nouns(s, c, 1, "shift") == [mark]
    assert shift.why_not(s, c, 1, "shift", mark) is None
    for n, why in ((columns, None), (columns + 1, artillery.TOO_FAR.reason)):
        s.at[friend] = w.point_at(w.x[mark] + n * 10, w.y[mark])
        assert reason(shift.why_not(s, c, 1, "shift", s.at[friend])) == why
        assert shift.nouns(s, c, 1, "shift") == [mark if why else s.at[friend]]
    s.at[friend] = w.point_at(w.x[mark] + 50, w.y[mark])
    assert reason(shift.why_not(s, c, 1, "shift", mark)) == artillery.NOT_ON_FRIENDS.reason
    s.flags[friend] |= HIDDEN  # the opponent does not know of it
    assert shift.nouns(s, c, 1, "shift") == [mark]
    assert shift.needed(s, c, 1)
    shift.apply(s, c, 1, "shift", mark)
    assert (c.shifts, c.point) == (0, mark)
    assert not shift.needed(s, c, 1)
