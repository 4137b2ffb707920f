"""Orders in two steps: first who, then where or how much; nobody is asked where there is one answer."""

import pytest

from grognard.games.normandie.frames import Barrage, Combat, CounterAttack, DDay
from grognard.games.normandie.rules import bombardment
from grognard.games.normandie.rules.combat_choices import Advance
from grognard.games.normandie.state import AVAILABLE, FULL, NO_UNIT
from grognard.games.normandie.world import AIR, AMERICAN, AT, CODES, DEPOT_INDEX, HB, INDEX, MB


def steps(table, s):
    """What may be said now, as plain orders."""
    return {" ".join(order).strip() for order in table.game.orders(s, s.waiting[0])}


@pytest.mark.rule("4.2a")
def test_4_2a_the_depot_is_asked_where_there_are_several(table):
    s = table.depots(table.stand(table.empty(), "reserve us-9-39"), "utah")
    table.player(s, 0, done=1)
    twin = s.copy()
    table.game.obey(twin, 0, ("land", "us-9-39"))
    assert table.at(twin, "us-9-39") == "0617"  # there is one: nobody asks
    s.depot[DEPOT_INDEX["omaha-west"]] = FULL
    table.game.obey(s, 0, ("land", "us-9-39"))
    assert (table.decision(s), steps(table, s)) == ("PickDepot", {"at utah", "at omaha-west"})
    assert table.game.why(s, 0, ("at", "gold")).rule == "7.1a"
    table.game.obey(s, 0, ("at", "omaha-west"))
    assert table.at(s, "us-9-39") == "0714"
    assert table.decision(s) == "PickStack"


@pytest.mark.rule("4.2a", "7.1a")
def test_4_2a_a_counter_that_can_land_nowhere_is_told_why(table):
    s = table.stand(table.empty(), "reserve us-9-39; 1306 us-4-8")
    table.player(s, 0, done=1)
    assert table.game.why(s, 0, ("land", "us-9-39")).reason == "no-depot-open"
    assert table.game.why(s, 0, ("land", "us-4-8")).rule == "4.2a"
    table.depots(s, "utah")
    s.landed[DEPOT_INDEX["utah"]] = 99
    assert table.game.why(s, 0, ("land", "us-9-39")).reason == "no-room-ashore"
    s.storm = 1
    assert table.game.why(s, 0, ("land", "us-9-39")).rule == "1.1.1.1i"


@pytest.mark.rule("1.1.2.1b", "4.1.2b")
def test_4_1_2b_a_counter_of_a_box_is_taken_and_then_sent(table):
    s = table.stand(table.empty(), "lemans ge-353; f-paris ge-festung-paris")
    table.player(s, 1)
    assert steps(table, s) == {"take ge-353", "done"}
    assert table.game.why(s, 1, ("take", "ge-festung-paris")).rule == "0c"
    table.game.obey(s, 1, ("take", "ge-353"))
    assert table.decision(s) == "PickGoal"
    found = steps(table, s)
    assert {"travel paris", "travel rennes"} <= found
    assert any(order.startswith("enter ") for order in found)
    assert not any(order.startswith("ride ") for order in found)
    assert table.game.why(s, 1, ("travel", "brest")).rule == "1.1.2.2c"
    entry = next(order for order in sorted(found) if order.startswith("enter "))
    table.act(s, entry)
    assert CODES[s.place[INDEX["ge-353"]]] == entry.split()[1]
    assert table.decision(s) != "PickGoal"


@pytest.mark.rule("1.1.1.2g")
def test_1_1_1_2g_whence_a_marker_comes_is_asked_where_there_are_several_places(table):
    s = table.depots(table.stand(table.empty(), "0619 us-hq-vii; 0617 us-4-8; 0519 us-hq-v"), "utah")
    s.allied_markers, s.marker_turn = 1, 0
    table.markers(s, "0519 1")
    table.at_row(s, "1.1.1.2g")
    table.game.obey(s, 0, ("marker", "us-hq-vii"))
    assert (table.decision(s), steps(table, s)) == ("PickSource", {"from utah", "from 0519"})
    assert table.game.why(s, 0, ("from", "0619")).rule == "1.1.1.2g"
    table.game.obey(s, 0, ("from", "0519"))
    assert (s.offensive[AT["0519"]], s.offensive[AT["0619"]], s.allied_markers) == (0, 1, 1)


@pytest.mark.rule("6.7a")
def test_6_7a_in_pursuit_the_hex_is_asked_where_the_enemy_left_two(table):
    s = table.stand(table.empty(), "1406 us-4-8; 1811 ge-353")
    c = table.combat(s, "1406", "us-4-8", won=1, retreat=2, vacated=(AT["1505"], AT["1506"]))
    c.asked, ask, u = 4 | 8, Advance(), INDEX["us-4-8"]
    assert ask.legal(s, c, 0) == [("pursue", u), ("halt", 0)]
    assert ask.why_not(s, c, 0, "to", AT["1505"]).reason == "pick-first"
    ask.apply(s, c, 0, "pursue", u)
    assert ask.legal(s, c, 0) == [("to", AT["1505"]), ("to", AT["1506"])]
    assert ask.why_not(s, c, 0, "halt", 0).reason == "in-hand"
    ask.apply(s, c, 0, "to", AT["1506"])
    assert (table.at(s, "us-4-8"), c.unit, c.advanced) == ("1506", -1, (u,))


@pytest.mark.rule("6.9f")
def test_6_9f_a_unit_with_two_ways_to_strike_is_asked_for_one(table):
    s = table.stand(table.empty(), "1406 us-4-8; 1606 ge-353 ge-hq-isspz")
    c = CounterAttack(side=1, target=AT["1406"], driven=(INDEX["ge-353"],), hq=INDEX["ge-hq-isspz"], stage=1)
    c.pool, c.row = (INDEX["ge-353"],), 1
    s.frames = [c]
    table.run(s)
    assert steps(table, s) == {"shift ge-353", "strike"}
    assert table.game.why(s, 1, ("to", "1506")).reason == "pick-first"
    table.game.obey(s, 1, ("shift", "ge-353"))
    assert steps(table, s) == {"to 1505", "to 1506"}
    assert table.game.why(s, 1, ("strike", "")).reason == "in-hand"
    assert table.game.why(s, 1, ("to", "1607")).rule == "6.9a"
    table.game.obey(s, 1, ("to", "1506"))
    assert table.at(s, "ge-353") == "1506"
    assert (c.unit, c.driven_moved) == (-1, (INDEX["ge-353"],))


@pytest.mark.rule("9.4c", "9.4f", "10-A.1c")
def test_9_4f_on_d_day_too_a_carpet_may_straddle_two_hexes(table):
    s = table.stand(table.empty("campaign", 0), "0713 ge-garnisonomahae; 0714 ge-garnisonomahao; 0812 ge-352-915")
    for a, (kind, group, _) in enumerate(AIR):
        if kind == HB and group == AMERICAN:
            s.air[a] = AVAILABLE
    s.air_assigned, s.phase = 1, "A"
    frame = DDay(wave="O")
    frame.row = [row.label for row in table.game.tables["d_day"].rows].index("10-A.1c")
    s.frames = [frame]
    table.run(s)
    table.act(s, "bombers 0713")
    assert table.game.why(s, 0, ("also", "0714")).rule == "9.4c"  # no heavy bombers counted yet
    table.act(s, "heavy 2")
    assert table.game.why(s, 0, ("also", "0812")).rule == "9.4c"  # neither beach nor battery
    table.act(s, "also 0714")
    table.act(s, "fire", dice=[6, 6])
    assert [e.data["place"] for e in s.events if e.kind == "bombarded"] == ["0713", "0714"]
    assert set(frame.bombed) == {AT["0713"], AT["0714"]}
    assert s.points[0] == 0


@pytest.mark.rule("6.2c", "9.4c")
def test_6_2c_each_kind_is_counted_once_and_no_more_than_there_is(table):
    s = table.stand(table.empty(), "1407 us-hq-vii us-4-8; 1506 ge-353; 1505 ge-276")
    table.planes(s, HB, AMERICAN, 1)
    table.planes(s, MB, AMERICAN, 1)
    s.frames = [Combat(side=0, target=AT["1506"], hq=INDEX["us-hq-vii"])]
    bombardment.plan_barrage(s, "bombers", AMERICAN, AT["1506"])
    table.run(s)
    assert steps(table, s) == {"medium 1", "heavy 1"}
    assert table.game.why(s, 0, ("fire", "")).reason == "nothing-fires"
    assert table.game.why(s, 0, ("cruisers", "1")).reason == "not-these-means"
    assert table.game.why(s, 0, ("medium", "2")).rule == "6.2c"
    table.act(s, "heavy 1")
    assert table.game.why(s, 0, ("heavy", "1")).reason == "already-counted"
    assert steps(table, s) == {"medium 1", "also 1505", "fire"}


@pytest.mark.rule("9.4c")
def test_9_4c_one_heavy_bomber_alone_is_asked_for_its_second_hex(table):
    s = table.stand(table.empty(), "1407 us-hq-vii us-4-8; 1506 ge-353; 1505 ge-276")
    table.planes(s, HB, AMERICAN, 1)
    s.frames = [Combat(side=0, target=AT["1506"])]
    bombardment.plan_barrage(s, "bombers", AMERICAN, AT["1506"])
    assert isinstance(s.frames[-1], Barrage)
    s.frames.pop()
    table.planes(s, HB, AMERICAN, 0)
    for a in range(len(AIR)):
        s.air[a] = 0
    table.planes(s, MB, AMERICAN, 1)
    s.loaded = (1,)
    bombardment.plan_barrage(s, "bombers", AMERICAN, AT["1506"])
    assert isinstance(s.frames[-1], Combat)  # one medium bomber: nothing to ask


@pytest.mark.rule("5.1c")
def test_5_1c_nobody_has_a_headquarters_before_the_first_combat(table):
    s = table.game.setup("cobra", {}, "x")
    assert set(s.boss) == set(s.convoy) == {NO_UNIT}
    view = table.game.view(s, 0)
    assert not any("boss" in piece for piece in view["pieces"])
