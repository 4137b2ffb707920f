"""Who may not escort, intercept, sail, embark or support; what a landing or a convoy does not do."""

import pytest

from grognard.games.surrender.frames import AirMove, Mission, NavalMove
from grognard.games.surrender.game import GAME
from grognard.games.surrender.rules import naval_operations
from grognard.games.surrender.rules.air_operations import why_not_bomb
from grognard.games.surrender.rules.interception import (
    NOT_YOUR_ESCORT,
    meeting_hex,
    why_not_escort,
    why_not_intercept,
)
from grognard.games.surrender.rules.naval_operations import refuges
from grognard.games.surrender.rules.occupation import occupy
from grognard.games.surrender.rules.sea import sea_distances
from grognard.games.surrender.state import world
from grognard.games.surrender.theatre import theatre_of
from grognard.games.surrender.world import MARKER_IDS, MARKERS
from grognard.hexes import board_from_rows


@pytest.fixture
def short_legs(monkeypatch):
    """Ships sail five hexes only: the drill ground has no room for forty-one."""
    setting = naval_operations.setting
    monkeypatch.setattr(naval_operations, "setting", lambda name: 5 if name == "naval_points" else setting(name))


# ---- in the air --------------------------------------------------------------------------------------------------


@pytest.mark.rule("air-strike", "factions")
def test_no_strike_on_friends(drill):
    d = drill("0304: DE fighter\n0302: IT bomber\n0307: FR fighter").operations().do("activate DE-fighter-1")
    assert d.why("strike IT-bomber-1") == "air-strike"
    d = drill("0409: SU fighter\n0410: FR fighter", side="soviet").operations().do("activate SU-fighter-1")
    assert d.why("strike FR-fighter-1") == "air-strike"


@pytest.mark.rule("air-action", "air-base", "stacking")
def test_transfer_within_twice_the_range_and_where_there_is_room(drill):
    d = drill("0202: DE fighter\n0208: DE infantry\n0303: DE infantry | DE bomber").operations()
    d.do("activate DE-fighter-1")
    assert d.why("transfer 0208") is None  # six hexes
    assert d.why("transfer 0303") == "stacking"
    assert d.why("transfer 0202") == "air-action"  # where it is


@pytest.mark.rule("bombing", "air-range", "event-long-range")
def test_ranges_on_the_map_of_europe():
    s = GAME.setup("two-fronts", {}, "x")
    w = world(s)
    bomber, fighter = w.unit_number("uk-bc"), w.unit_number("us-12af")  # England, Rome
    essen, ploesti = w.theatre.places["essen"], w.theatre.places["ploesti"]
    assert w.theatre.grid.distance(s.at[bomber], essen) <= 16 < w.theatre.grid.distance(s.at[bomber], ploesti)
    c = AirMove(side=1, unit=bomber)
    assert why_not_bomb(s, c, essen) is None
    assert why_not_bomb(s, c, ploesti).rule == "air-range"
    s.markers[len(MARKERS) + MARKER_IDS["long-range"]] = 1
    vienna, hamburg = w.theatre.places["vienna"], w.theatre.places["hamburg"]
    assert w.theatre.grid.distance(s.at[fighter], vienna) <= 16 < w.theatre.grid.distance(s.at[fighter], hamburg)
    raid = Mission(kind="bombing", side=1, unit=bomber, route=(vienna,))
    assert why_not_escort(s, raid, fighter).rule == "air-range"
    assert why_not_escort(s, raid, fighter, far=True) is None
    raid.route = (hamburg,)
    assert why_not_escort(s, raid, fighter, far=True).rule == "air-range"
    theirs = next(u for u in w.of_faction[0] if w.units[u].type == "fighter" and s.at[u] >= 0)
    assert why_not_escort(s, raid, theirs) is NOT_YOUR_ESCORT  # however near it is
    s.at[fighter] = -1
    assert why_not_escort(s, raid, fighter, far=True) is NOT_YOUR_ESCORT  # not on the map


@pytest.mark.rule("air-base", "control")
def test_only_aircraft_of_others_flee_from_an_army():
    s = GAME.setup("fall-gelb", {}, "x")
    w = world(s)
    army = next(u for u in w.of_faction[0] if w.units[u].type == "infantry" and s.at[u] >= 0)
    plane = next(u for u in w.of_faction[0] if w.units[u].type in ("fighter", "bomber") and s.at[u] >= 0)
    base = s.at[plane]
    occupy(s, army, base)
    assert s.at[plane] == base == s.at[army]


RAID = "0702: DE bomber | DE warship\n0307: FR fighter\n0405: DE fighter\n0504: DE fighter s6\n0503: DE bomber"


@pytest.mark.rule("escort-setup", "sorties-max")
def test_bombers_are_escorted_by_fresh_fighters_in_range(drill):
    d = drill(RAID + "\n0201: DE fighter").operations().do("activate DE-bomber-1", "bomb 0309")
    assert d.decision() == "ChooseEscort"
    assert d.why("escort DE-fighter-1") is None
    assert d.why("escort DE-fighter-2") == "sorties-max"
    assert d.why("escort DE-fighter-3") == "air-range"
    assert d.why("escort DE-bomber-2") == "escort-setup"
    assert d.why("escort DE-warship-1") == "escort-setup"  # though of the same hex


@pytest.mark.rule("escort-setup")
def test_a_ship_does_not_escort_itself(drill):
    d = drill("1007: UK warship\n0607: UK fighter\n0702: DE warship", side="western").operations()
    d.do("activate UK-warship-1", "sail 1010")
    assert d.decision() == "ChooseEscort"
    assert d.legal() == ["no_escort", "escort UK-fighter-1"]
    assert d.why("escort UK-warship-1") == "escort-setup"


@pytest.mark.rule("event-long-range")
def test_the_long_range_marker_is_for_who_needs_it(drill):
    d = drill("0309: UK bomber\n0607: UK fighter\n1102: UK fighter\n0405: DE fighter", side="western",
              markers={"western": {"long-range": 1}}).operations()  # fmt: skip
    d.do("activate UK-bomber-1", "bomb 0504")
    assert d.why("far_escort UK-fighter-1") == "event-long-range"  # near enough without it
    assert d.why("far_escort UK-fighter-2") is None
    assert d.why("escort UK-fighter-1") is None


@pytest.mark.rule("escort-fail-sorties")
@pytest.mark.parametrize(("sorties", "presses"), [(4, True), (5, False)])
def test_an_interceptor_worn_out_by_the_escort_turns_back(drill, sorties, presses):
    text = f"0309: UK bomber\n0607: UK fighter s5\n0504: DE fighter s{sorties}"
    d = drill(text, side="western").operations().dice(6, 1)
    d.do("activate UK-bomber-1", "bomb 0504", "escort UK-fighter-1", "axis> intercept DE-fighter-1")
    assert d.events("result")[0]["code"] == "DR"  # beaten either way
    assert d.s.sorties[d.unit("DE-fighter-1")] == sorties + 1
    assert (d.decision() == "PressHome") is presses
    assert bool(d.s.bombed[d.hex("0504")]) is not presses


@pytest.mark.rule("interdiction-success", "interdiction-bombing", "intercept")
def test_nobody_else_is_asked_once_the_action_is_stopped(drill):
    d = drill("0203: DE bomber\n0307: FR fighter\n0309: FR fighter").operations().dice(6, 1)
    d.do("activate DE-bomber-1", "bomb 0309", "western> intercept FR-fighter-1")
    assert d.events("interdicted")
    assert d.decision() == ""
    assert not d.s.bombed[d.hex("0309")]


@pytest.mark.rule("intercept", "factions")
def test_both_enemies_of_the_axis_may_react(drill):
    d = drill("0203: DE bomber\n0307: FR fighter").own("0407", "soviet")
    d.put("0407", ["SU", "fighter"])
    d.operations().do("activate DE-bomber-1", "bomb 0309", "western> let_pass")
    assert d.waiting() == ["soviet"]
    assert d.why("intercept FR-fighter-1") == "intercept"
    assert d.dice(6, 1).do("soviet> intercept SU-fighter-1").events("interdicted")


@pytest.mark.rule("intercept", "factions")
def test_allies_do_not_intercept_each_other(drill):
    d = drill("0309: UK bomber\n0202: DE infantry", side="western").own("0407", "soviet")
    d.put("0407", ["SU", "fighter"])
    d.operations().do("activate UK-bomber-1", "bomb 0504")
    assert d.s.bombed[d.hex("0504")]  # nobody was asked


def small_map(row, hexes, sides=None):
    board = board_from_rows(row, {".": "clear", "~": "sea"}, hexes=hexes, sides=sides or {}, name="small")
    theatre = theatre_of(board)
    return theatre, lambda name: [theatre.grid.names[h] for h in theatre.lanes[theatre.grid.hex_named(name)]]


@pytest.mark.rule("naval-move")
def test_ships_do_not_cross_an_isthmus(drill):
    hexes = {"0101": {"zones": [8]}, "0102": {"kind": "coast"}, "0103": {"kind": "coast"}, "0104": {"zones": [9]}}
    assert small_map("~ . . ~", hexes)[1]("0102") == ["0101"]
    water = {"0102|0103": {"water": True}}
    assert small_map("~ . . ~", hexes, water)[1]("0102") == ["0101", "0103"]


@pytest.mark.rule("naval-port")
def test_a_port_up_an_estuary_opens_on_its_own_zone(drill):
    hexes = {
        "0101": {"zones": [9]}, "0102": {"kind": "coast", "zones": [9]}, "0103": {"tags": ["port"], "zones": [8]},
        "0105": {"kind": "coast", "zones": [8]}, "0106": {"zones": [8]},
    }  # fmt: skip
    lanes = small_map("~ . . . . ~", hexes)[1]
    assert (lanes("0103"), lanes("0105")) == (["0105"], ["0103", "0106"])


@pytest.mark.rule("naval-move")
def test_ships_stay_in_the_waters_of_the_scenario(drill, drill_world):
    d = drill(scenario=drill_world("narrows", window={"rows": [1, 11], "cols": [1, 9]}))
    reached = sea_distances(d.s, d.hex("1004"), 1, 40)
    assert d.hex("0909") in reached
    assert d.hex("0910") not in reached


@pytest.mark.rule("intercept")
def test_intercept_two_at_most_and_no_convoys(drill):
    d = drill("0307: FR fighter\n0407: FR fighter\n0607: FR fighter\n0707: FR convoy")
    units = [d.unit(f"FR-fighter-{n}") for n in (1, 2, 3)]
    route = (d.hex("0704"), d.hex("0805"))
    c = Mission(kind="naval", side=0, unit=d.unit("DE-convoy-1"), route=route, reacted=tuple(units[:1]))
    assert why_not_intercept(d.s, c, units[1]) is None
    assert why_not_intercept(d.s, c, d.unit("FR-convoy-1")).rule == "intercept"
    c.reacted = tuple(units[:2])
    assert why_not_intercept(d.s, c, units[2]).reason == "two-at-most"


@pytest.mark.rule("intercept", "factions")
def test_intercept_friends_and_allies_of_the_bomber_are_no_interceptors(drill):
    d = drill("0309: UK bomber\n0308: FR fighter\n0302: IT fighter\n0203: DE fighter").own("0407", "soviet")
    d.put("0407", ["SU", "fighter"])
    route = (d.hex("0309"), d.hex("0307"), d.hex("0305"))
    raid = Mission(kind="bombing", side=1, unit=d.unit("UK-bomber-1"), route=route)
    for unit in ("FR-fighter-1", "SU-fighter-1"):  # all of them in reach
        assert meeting_hex(d.s, raid, d.unit(unit)) >= 0
        assert why_not_intercept(d.s, raid, d.unit(unit)).reason == "not-an-enemy"
    assert why_not_intercept(d.s, raid, d.unit("DE-fighter-1")) is None
    raid.side = 0  # the same raid, were it the Axis's
    assert why_not_intercept(d.s, raid, d.unit("FR-fighter-1")) is None
    assert why_not_intercept(d.s, raid, d.unit("SU-fighter-1")) is None
    assert why_not_intercept(d.s, raid, d.unit("IT-fighter-1")).reason == "not-an-enemy"


@pytest.mark.rule("intercept", "air-range")
def test_a_carrier_intercepts_by_its_range_too(drill):
    for kind, met in (("carrier", "0809"), ("warship", None)):
        d = drill(f"0712: FR {kind}")  # a port of zone 13; the route lies in zone 8
        route = tuple(d.hex(h) for h in ("0704", "0807", "0809"))
        c = Mission(kind="naval", side=0, unit=d.unit("DE-convoy-1"), route=route)
        assert meeting_hex(d.s, c, d.unit(f"FR-{kind}-1")) == (d.hex(met) if met else -1)


# ---- sailing and transport ---------------------------------------------------------------------------------------


@pytest.mark.rule("transport", "stacking", "air-base")
def test_what_a_convoy_may_carry_and_where_to(drill):
    text = "1007: UK convoy | UK infantry | UK fighter | UK warship\n1004: UK infantry\n1102: UK infantry"
    d = drill(text, side="western").operations().do("activate UK-convoy-1")
    assert d.why("load UK-infantry-2") == "transport"  # in another port
    assert d.why("load UK-warship-1") == "transport"
    d.do("load UK-infantry-1")
    assert d.why("sail 1004") == "stacking"  # no room for the army
    assert d.why("sail 1010") is None
    d = drill(text, side="western").operations().do("activate UK-convoy-1", "load UK-fighter-1")
    assert d.why("sail 1010") == "air-base"  # a port, but no base
    assert d.why("sail 1004") is None
    d = drill(text, side="western").operations().do("activate UK-warship-1")
    assert d.why("load UK-infantry-1") == "transport"  # a warship carries nothing


@pytest.mark.rule("scenario-atlantic", "transport")
def test_no_army_is_shipped_where_there_is_no_ground_war(drill, drill_world):
    name = drill_world("waves", no_ground=True)
    d = drill("1007: UK convoy | UK infantry | UK fighter", scenario=name, side="western").operations()
    d.do("activate UK-convoy-1")
    assert d.why("load UK-infantry-1") == "scenario-atlantic"
    assert d.why("load UK-fighter-1") is None


@pytest.mark.rule("naval-move", "invasion")
def test_nobody_sails_farther_than_naval_movement(drill, short_legs):
    text = "1007: UK convoy | UK infantry | UK warship\n1004: UK convoy | UK infantry | UK carrier"
    d = drill(text, side="western").operations().do("activate UK-warship-1")
    assert d.why("sail 1010") is None
    assert d.why("sail 0712") == "naval-move"
    d = drill(text, side="western").own("0710", "axis").operations().do("activate UK-convoy-1", "load UK-infantry-1")
    assert d.why("invade 0701") == "naval-move"
    d.do("invade 0710")
    assert d.why("join UK-infantry-2") == "naval-move"
    assert d.why("support UK-carrier-1") == "naval-move"
    assert d.why("support UK-warship-1") is None


@pytest.mark.rule("interdiction-naval", "intercept")
def test_a_convoy_is_met_where_the_interceptor_reaches_its_route(drill):
    d = drill("1007: UK convoy\n0702: DE warship", side="western").operations().dice(3, 3)
    d.do("activate UK-convoy-1", "sail 1010", "axis> intercept DE-warship-1")
    assert d.events("air-combat")[0]["hex"] == "1007"
    assert d.at("UK-convoy-1") == "1010"  # interdiction failed: it sails on


@pytest.mark.rule("interdiction-naval-port")
def test_the_refuge_is_the_nearest_port_with_room_however_far(drill):
    def nearest(more=""):
        d = drill("1004: UK convoy" + more, side="western").own("0712", "axis")
        c = NavalMove(side=1, unit=d.unit("UK-convoy-1"), start=d.hex("1004"), target=d.hex("1010"),
                      stopped="interdicted", caught=d.hex("0812"))  # fmt: skip
        return [d.world.hex_names[h] for h in refuges(d.s, c)]

    assert nearest() == ["1010"]
    assert nearest("\n1010: UK convoy") == ["0707", "1007"]


# ---- invasion ----------------------------------------------------------------------------------------------------

FLEET = (
    "1007: UK convoy | UK infantry | UK warship\n1010: UK convoy | UK tank\n1004: UK convoy | UK infantry | UK carrier"
)


def invade(drill, text=FLEET, target="0705", held=None):
    d = drill(text, side="western")
    if held:
        d.own(target, held)
    return d.operations().do("activate UK-convoy-1", "load UK-infantry-1", f"invade {target}")


@pytest.mark.rule("invasion", "sorties-max")
@pytest.mark.parametrize(("old", "new", "order", "rule"), [
    ("UK tank", "UK tank done", "join UK-tank-1", "invasion"),
    ("1010: UK convoy", "1010: UK convoy done", "join UK-tank-1", "invasion"),
    ("1010: UK convoy", "1010: UK convoy s6", "join UK-tank-1", "invasion"),
    ("UK carrier", "UK carrier done", "support UK-carrier-1", "invasion"),
    ("UK carrier", "UK carrier s6", "support UK-carrier-1", "sorties-max"),
    ("UK carrier", "UK carrier", "support UK-convoy-3", "invasion"),
    ("UK tank", "UK tank", "join UK-tank-1", None),
    ("UK carrier", "UK carrier s5", "support UK-carrier-1", None),
])  # fmt: skip
def test_only_fresh_units_join_an_invasion(drill, old, new, order, rule):
    assert invade(drill, FLEET.replace(old, new)).why(order) == rule


@pytest.mark.rule("invasion", "factions")
def test_no_landing_on_an_allys_coast(drill):
    d = drill(FLEET, side="western").own("0705", "soviet").operations()
    d.do("activate UK-convoy-1", "load UK-infantry-1")
    assert d.why("invade 0705") == "invasion"
    assert d.why("invade 0704") is None


@pytest.mark.rule("invasion", "activation")
def test_every_unit_of_the_fleet_has_had_its_turn(drill):
    d = invade(drill).do("join UK-infantry-2", "support UK-warship-1", "launch", "lead UK-infantry-1")
    assert d.at("UK-infantry-1") == "0705"
    for unit in ("UK-infantry-1", "UK-infantry-2", "UK-convoy-1", "UK-convoy-3", "UK-warship-1"):
        assert d.why(f"activate {unit}") == "activation"
    assert d.why("activate UK-convoy-2") is None  # it stayed at home


@pytest.mark.rule("interdiction-invasion", "transport-full", "transport-reduced")
def test_an_interdicted_fleet_lands_nobody_and_all_its_armies_suffer(drill):
    d = invade(drill, FLEET.replace("UK tank", "UK tank r") + "\n0702: DE warship")  # the beach is empty
    d.do("join UK-infantry-2", "join UK-tank-1", "launch", "lead UK-infantry-1", "no_escort")
    d.dice(6, 1).do("axis> intercept DE-warship-1")
    assert d.events("interdicted")
    assert [d.at(u) for u in ("UK-infantry-1", "UK-infantry-2", "UK-tank-1")] == ["1007", "1004", "1010"]
    assert [d.s.reduced[d.unit(u)] for u in ("UK-infantry-1", "UK-infantry-2", "UK-tank-1")] == [1, 1, 1]
    assert d.s.control[d.hex("0705")] == 1


@pytest.mark.rule("intercept", "invasion")
def test_the_principals_convoy_stands_for_the_fleet(drill):
    d = invade(drill, FLEET + "\n0702: DE warship").do("join UK-tank-1", "launch", "lead UK-tank-1")
    d.dice(3, 3).do("axis> intercept DE-warship-1")
    assert (d.events("air-combat")[0]["defender"], d.events("air-combat")[0]["hex"]) == ("UK-convoy-2", "1010")


@pytest.mark.rule("escort-setup", "invasion")
def test_the_supporting_ship_may_escort_from_another_port(drill):
    d = invade(drill, FLEET + "\n0702: DE warship").do("support UK-carrier-1", "launch")
    assert d.decision() == "ChooseEscort"
    assert d.why("escort UK-carrier-1") is None
    d = invade(drill, FLEET + "\n0702: DE warship").do("launch")
    assert d.why("escort UK-carrier-1") == "escort-setup"


@pytest.mark.rule("escort-cancel-interceptors", "escort-invasion-cancel")
def test_after_a_cancelled_invasion_nobody_attacks(drill):
    force = "1007: UK convoy | UK infantry | UK warship s5\n0705: DE infantry\n0702: DE warship\n0704: DE fighter"
    d = invade(drill, force).do("launch", "escort UK-warship-1").dice(6, 1).do("axis> intercept DE-warship-1", "cancel")
    assert d.decision() == ""  # neither the interceptor nor the next one is asked
    assert d.events("invasion-cancelled")
    assert len(d.events("air-combat")) == 1
