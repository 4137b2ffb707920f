"""Air and naval operations, escorts, interceptions, interdictions, transports and invasions."""

import pytest

from grognard.games.surrender.frames import AirCombat, Mission, NavalMove, Operations
from grognard.games.surrender.loading import charts, setting
from grognard.games.surrender.rules.board import add_sorties
from grognard.games.surrender.rules.commitment import air_range, in_range
from grognard.games.surrender.rules.interception import meeting_hex
from grognard.games.surrender.rules.occupation import nearest_port, why_not_base
from grognard.games.surrender.rules.results import escort_fails, interdicts
from grognard.games.surrender.rules.sea import sea_distances, sea_route


def air_fight(drill, dice, mission="air_strike", text="0304: DE fighter\n0307: UK fighter", weather="ggg"):
    d = drill(text, weather=weather).dice(*dice)
    d.enter(
        AirCombat(mission=mission, hex=d.hex("0307"), attacker=d.unit("DE-fighter-1"), defender=d.unit("UK-fighter-1"))
    )
    return d


@pytest.mark.rule("air-result-steps", "air-sorties-none", "air-sorties-defender", "air-sorties-attacker")
@pytest.mark.parametrize(("dice", "code", "attacker", "defender"), [
    ((3, 3), "NE", 1, 1), ((4, 2), "DR", 1, 2), ((6, 1), "DD", 1, 3), ((1, 5), "AS", 2, 1),
])  # fmt: skip
def test_air_sorties_by_result(drill, dice, code, attacker, defender):
    d = air_fight(drill, dice)
    assert d.events("result")[0]["code"] == code
    assert (d.s.sorties[d.unit("DE-fighter-1")], d.s.sorties[d.unit("UK-fighter-1")]) == (attacker, defender)
    order = [e.kind for e in d.s.events]
    assert order.index("result") < order.index("sorties")


@pytest.mark.rule("escort", "escort-fail", "interdiction-success", "interdiction-fail")
def test_what_beats_an_escort_and_stops_an_action():
    codes = ("NE", "DR", "DD", "DE", "AS", "AA")
    assert [c for c in codes if escort_fails(c)] == [c for c in codes if interdicts(c)] == ["DR", "DD", "DE"]


@pytest.mark.rule("air-sorties-defender", "air-sorties-attacker")
def test_air_sorties_of_the_extreme_results():
    from grognard.games.surrender.rules.results import sorties_added

    assert [sorties_added(code) for code in ("NE", "DR", "DD", "DE", "AS", "AA")] == [
        (1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (3, 1)]  # fmt: skip


@pytest.mark.rule("sorties-max")
def test_sorties_max_six(drill):
    d = drill("0304: DE fighter s4\n0504: DE fighter s6\n0307: UK fighter", side="axis")
    add_sorties(d.s, d.unit("DE-fighter-1"), 3, "sorties-max")
    assert d.s.sorties[d.unit("DE-fighter-1")] == 6
    d = drill("0304: DE fighter s6\n0305: DE fighter s5\n0307: UK fighter s6").operations()
    assert d.why("activate DE-fighter-1") == "sorties-max"
    d.do("activate DE-fighter-2")
    assert "strike UK-fighter-1" in d.legal()  # may still be attacked


@pytest.mark.rule("air-strike", "air-effect-strike", "air-action")
def test_air_strike_only_sorties_follow(drill):
    d = drill("0304: DE fighter | DE infantry\n0307: UK fighter").operations().dice(6, 1)
    d.do("activate DE-fighter-1")
    assert d.why("strike DE-infantry-1") == "air-strike"
    d.do("strike UK-fighter-1")
    assert (d.s.sorties[d.unit("DE-fighter-1")], d.s.sorties[d.unit("UK-fighter-1")]) == (1, 3)
    assert d.at("UK-fighter-1") == "0307"
    assert d.s.done[d.unit("DE-fighter-1")]
    assert d.why("activate DE-fighter-1") == "activation"  # no second voluntary action


@pytest.mark.rule("air-range", "event-long-range")
def test_air_range(drill):
    assert [air_range(kind) for kind in ("fighter", "bomber", "carrier")] == [5, 16, 4]
    assert charts()["ranges"]["long_range_fighter"] == 16
    d = drill("0302: DE fighter\n0308: UK fighter\n0307: UK bomber").operations().do("activate DE-fighter-1")
    assert d.why("strike UK-fighter-1") == "air-range"
    assert d.why("strike UK-bomber-1") is None
    assert in_range(d.s, d.unit("DE-fighter-1"), d.hex("0307"))


@pytest.mark.rule("air-action", "air-base")
def test_air_action_transfer(drill):
    d = drill("0202: DE fighter\n0404: DE infantry\n0410: DE infantry").operations().do("activate DE-fighter-1")
    assert d.why("transfer 0304") == "air-base"  # an empty clear hex
    assert d.why("transfer 0307") == "air-base"  # enemy city
    assert d.why("bomb 0309") == "bombing"  # not a bomber
    d.do("transfer 0404")
    assert (d.at("DE-fighter-1"), d.s.sorties[d.unit("DE-fighter-1")]) == ("0404", 1)
    d = drill("0202: DE fighter\n0212: DE infantry\n0211: DE infantry").operations().do("activate DE-fighter-1")
    assert d.why("transfer 0212") is None  # ten hexes
    d = drill("0201: DE fighter\n0212: DE infantry").operations().do("activate DE-fighter-1")
    assert d.why("transfer 0212") == "air-range"


@pytest.mark.rule("air-base")
def test_air_base_lost_aircraft_fly_or_die(drill):
    d = drill("0306: DE tank\n0307: FR fighter").own("0306", "axis").operations().do("activate DE-tank-1", "move 0307")
    assert d.at("FR-fighter-1") == "0407"  # nearest city, lowest number
    assert d.s.sorties[d.unit("FR-fighter-1")] == 2
    d = drill("0306: DE tank\n0307: FR fighter").own("0306", "axis")
    for city in ("0407", "0309", "0611", "0607", "0712", "1004", "1007", "1102"):
        d.own(city, "axis")
    d.operations().do("activate DE-tank-1", "move 0307")
    assert d.at("FR-fighter-1") is None
    d = drill("0111: DE tank\n0112: FR fighter").own("0111", "axis")
    for city in ("0307", "0407", "0309", "0611", "0607", "0712", "1004", "1007"):
        d.own(city, "axis")
    d.operations().do("activate DE-tank-1", "move 0112")
    assert d.at("FR-fighter-1") is None  # York is beyond twice its range
    d = drill("0404: DE infantry | DE fighter").operations().do("activate DE-infantry-1", "move 0403")
    assert d.at("DE-fighter-1") == "0403"  # its army left the open hex: it follows
    d = drill("0302: DE infantry | DE fighter")
    assert why_not_base(d.s, d.unit("DE-fighter-1"), d.hex("0401")).rule == "air-base"


@pytest.mark.rule("bombing", "bombed-effect")
def test_bombing_places_one_marker(drill):
    d = drill("0203: DE bomber").operations().do("activate DE-bomber-1")
    assert d.why("bomb 0504") == "bombing"  # own factory
    assert d.why("bomb 0305") == "bombing"  # no factory
    d.do("bomb 0309")
    assert d.s.bombed[d.hex("0309")] == 1
    assert d.s.sorties[d.unit("DE-bomber-1")] == 1
    d.s.done[d.unit("DE-bomber-1")] = 0
    d.operations().do("activate DE-bomber-1")
    assert d.why("bomb 0309") == "bombing"  # already bombed
    d = drill("0203: DE bomber", weather="gsg").operations().do("activate DE-bomber-1")
    assert d.why("bomb 0309") == "bombing"  # severe weather


def bombing(drill, text, *orders, dice=(), markers=None, weather="ggg"):
    d = drill("0203: DE bomber\n" + text, markers=markers, weather=weather).operations().dice(*dice)
    return d.do("activate DE-bomber-1", "bomb 0309", *orders)


@pytest.mark.rule("intercept", "air-effect-route", "interdiction-success", "interdiction-bombing")
def test_interdicted_bombing(drill):
    d = bombing(drill, "0307: FR fighter", "western> intercept FR-fighter-1", dice=(6, 1))
    assert d.events("air-combat")[0]["mission"] == "interdiction_bombing"
    assert d.events("air-combat")[0]["attacker"] == "FR-fighter-1"
    assert d.events("result")[0]["code"] in ("DR", "DD")
    assert not d.s.bombed[d.hex("0309")]
    assert d.s.done[d.unit("DE-bomber-1")]


@pytest.mark.rule("interdiction-fail", "intercept")
def test_failed_interdiction_lets_the_action_go_on(drill):
    d = bombing(drill, "0307: FR fighter", "western> intercept FR-fighter-1", dice=(2, 2))
    assert d.events("interdiction-failed")
    assert d.s.bombed[d.hex("0309")] == 1
    assert d.s.sorties[d.unit("FR-fighter-1")] == 1
    d = bombing(drill, "0307: FR fighter", "western> let_pass")
    assert d.s.bombed[d.hex("0309")] == 1


@pytest.mark.rule("intercept", "sorties-max")
def test_intercept_two_units_one_after_the_other(drill):
    text = "0307: FR fighter\n0309: FR fighter\n0611: FR fighter\n0407: FR fighter s6\n0707: UK warship"
    d = bombing(drill, text, "western> intercept FR-fighter-1", dice=(1, 3, 1, 3))
    assert d.why("intercept FR-fighter-1") == "intercept"  # each once
    assert d.why("intercept FR-fighter-4") == "sorties-max"
    assert d.why("intercept UK-warship-1") == "intercept"
    d.do("western> intercept FR-fighter-2")
    assert d.s.bombed[d.hex("0309")] == 1  # no third one is asked for
    assert len(d.events("air-combat")) == 2


@pytest.mark.rule("escort-setup", "escort", "event-long-range")
def test_escort_holds(drill):
    text = "0307: FR fighter\n0504: DE fighter\n0302: DE warship"
    d = bombing(drill, text.replace("0504", "0405"))
    assert d.waiting() == ["axis"]
    assert d.why("escort DE-warship-1") == "escort-setup"  # fighters only
    d.dice(1, 3).do("axis> escort DE-fighter-1", "western> intercept FR-fighter-1")
    assert d.events("air-combat")[0]["mission"] == "escort"
    assert d.events("air-combat")[0]["defender"] == "DE-fighter-1"
    assert d.s.bombed[d.hex("0309")] == 1
    assert len(d.events("air-combat")) == 1


@pytest.mark.rule("escort-fail")
def test_escort_fails_and_the_interceptor_may_press(drill):
    d = bombing(drill, "0307: FR fighter\n0405: DE fighter s4",
                "axis> escort DE-fighter-1", "western> intercept FR-fighter-1",
                dice=(5, 1))  # fmt: skip
    assert d.events("escort-result")[0]["rule"] == "escort-fail"
    assert d.decision() == "PressHome"
    twin = d.s.copy()
    d.dice(6, 1).do("western> press")
    assert not d.s.bombed[d.hex("0309")]
    d.s = twin
    d.s.events = []
    d.do("western> break_off")
    assert d.s.bombed[d.hex("0309")] == 1


@pytest.mark.rule("event-long-range")
def test_event_long_range_escort_at_sixteen(drill):
    text = "1102: UK bomber\n1007: UK fighter\n0404: DE fighter"
    d = drill(text, side="western", markers={"western": {"long-range": 1}}).operations()
    d.do("activate UK-bomber-1", "bomb 0202")
    assert d.why("escort UK-fighter-1") == "air-range"
    assert d.why("far_escort UK-fighter-1") is None
    d.do("far_escort UK-fighter-1")
    assert d.game.view(d.s, 0)["markers"]["western"] == {}
    d = drill(text, side="western").operations().do("activate UK-bomber-1", "bomb 0202")
    assert d.decision() == "ChooseInterceptor"  # nobody can escort without the marker


# ---- ships -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("naval-port", "stacking")
def test_naval_port_to_port(drill):
    d = drill("1004: UK warship\n1007: UK carrier", side="western").operations().do("activate UK-warship-1")
    assert d.why("sail 1007") == "stacking"
    assert d.why("sail 0702") == "naval-port"  # enemy
    assert d.why("sail 0805") == "naval-port"  # at sea
    d.do("sail 1010")
    assert d.at("UK-warship-1") == "1010"


@pytest.mark.rule("naval-move", "supply-sea")
def test_naval_move_forty_points_and_closed_straits(drill):
    d = drill("1004: UK warship")
    assert (setting("naval_points"), charts()["supply"]["sea_route"]) == (40, 40)
    costs = sea_distances(d.s, d.hex("1004"), 1, 40)
    assert costs[d.hex("1010")] == 6
    assert d.hex("1010") not in sea_distances(d.s, d.hex("1004"), 1, 5)
    assert sea_route(d.s, d.hex("1004"), d.hex("1010"), 1, 5) == ()
    assert len(sea_route(d.s, d.hex("1004"), d.hex("1010"), 1, 40)) == 7


@pytest.mark.rule("naval-move")
def test_naval_move_a_strait_with_both_banks_enemy_is_closed(drill, drill_world):
    from grognard.games.surrender import scenarios
    from grognard.games.surrender.theatre import theatre_of
    from grognard.hexes import board_from_rows

    rows = "~ . ~\n . . \n~ . ~"
    hexes = {
        name: {"kind": "coast", "country": "france", "tags": ["port"]} for name in ("0102", "0201", "0202", "0302")
    }
    hexes |= {name: {"zones": [31]} for name in ("0101", "0103", "0301", "0303")}
    sides = {"0201|0202": {"canal": True}}
    theatre = theatre_of(board_from_rows(rows, {".": "clear", "~": "sea"}, hexes=hexes, sides=sides, name="suez"))
    ends = {(theatre.grid.names[a], theatre.grid.names[b]) for a, ways in theatre.passages.items() for b, _, _ in ways}
    assert ends == {("0102", "0302"), ("0302", "0102")}
    table = {"title": {}, "start": "1942-06", "turns": 1,
             "factions": ["axis", "western"], "control": {"france": "western"},
             "home": {}, "fac_lost": {}, "unit": []}  # fmt: skip
    scenarios.add_world(scenarios.world_from(table, theatre, "suez"))
    d = drill(scenario="suez")
    start, goal = d.hex("0102"), d.hex("0302")
    assert sea_distances(d.s, start, 1, 40)[goal] == 1
    axis = sea_distances(d.s, start, 0, 40)
    assert axis.get(goal) != 1
    d.s.control[d.hex("0201")] = 1
    assert sea_distances(d.s, start, 0, 40)[goal] == 1


@pytest.mark.rule("transport")
def test_transport_by_convoy(drill):
    d = drill("1007: UK convoy | UK infantry | UK fighter", side="western").operations().do("activate UK-convoy-1")
    assert {"load UK-infantry-1", "load UK-fighter-1"} <= set(d.legal())
    d.do("load UK-infantry-1")
    assert d.why("load UK-fighter-1") == "transport"
    d.do("sail 1010")
    assert (d.at("UK-convoy-1"), d.at("UK-infantry-1")) == ("1010", "1010")
    assert d.why("activate UK-infantry-1", "western") == "activation"
    d = drill("1007: UK convoy | UK infantry done", side="western").operations().do("activate UK-convoy-1")
    assert d.why("load UK-infantry-1") == "transport"


CROSSING = "1007: UK convoy | UK infantry {}\n1004: UK warship\n0702: DE warship\n0704: DE fighter"


def sail(drill, cargo="", dice=(), extra=()):
    d = drill(CROSSING.format(cargo), side="western").operations().dice(*dice)
    return d.do("activate UK-convoy-1", "load UK-infantry-1", "sail 1010", *extra)


@pytest.mark.rule("interdiction-naval", "interdiction-naval-port", "transport-full", "transport-reduced", "intercept")
@pytest.mark.parametrize("cargo", ["", "r"])
def test_interdiction_naval_drives_the_convoy_to_the_nearest_port(drill, cargo):
    d = sail(drill, cargo, dice=(6, 1), extra=("axis> intercept DE-warship-1",))
    assert d.events("air-combat")[0]["mission"] == "interdiction_naval"
    assert d.events("interdicted")
    assert d.at("UK-convoy-1") == d.at("UK-infantry-1") == "1007"  # caught at once: where it came from
    assert d.s.reduced[d.unit("UK-infantry-1")] == 1
    assert d.s.done[d.unit("UK-convoy-1")]


@pytest.mark.rule("interdiction-naval-port")
def test_interdiction_naval_port_is_the_cheapest(drill):
    d = drill("0702: DE warship")
    assert nearest_port(d.s, d.unit("DE-warship-1"), d.hex("0802")) == d.hex("0702")
    assert nearest_port(d.s, d.unit("DE-warship-1"), d.hex("0803")) == d.hex("0704")


@pytest.mark.rule("interdiction-naval", "escort-setup")
def test_naval_escort_shares_the_convoys_fate(drill):
    d = drill("1007: UK convoy | UK warship\n0702: DE warship", side="western").operations()
    d.do("activate UK-convoy-1", "sail 1010", "escort UK-warship-1").dice(1, 3).do("axis> intercept DE-warship-1")
    assert (d.at("UK-convoy-1"), d.at("UK-warship-1")) == ("1010", "1010")
    d = drill("1007: UK convoy | UK warship s5\n0702: DE warship\n1004: UK carrier", side="western").operations()
    d.do("activate UK-convoy-1", "sail 1010")
    assert d.why("escort UK-carrier-1") == "escort-setup"  # another port
    d.do("escort UK-warship-1").dice(6, 1, 6, 1).do("axis> intercept DE-warship-1", "axis> press")
    assert d.at("UK-convoy-1") == d.at("UK-warship-1") == "1007"
    assert d.s.done[d.unit("UK-warship-1")]


@pytest.mark.rule("transport-air")
def test_transport_air_adds_two_sorties(drill):
    d = (
        drill("1007: UK convoy | UK fighter s1\n1010: UK infantry\n0702: DE warship", side="western")
        .operations()
        .dice(6, 1)
    )
    d.do("activate UK-convoy-1", "load UK-fighter-1", "sail 1010")
    while d.decision() == "ChooseEscort":
        d.do("no_escort")
    d.do("axis> intercept DE-warship-1")
    assert d.events("interdicted")
    assert d.s.sorties[d.unit("UK-fighter-1")] == 3


@pytest.mark.rule("intercept")
def test_intercept_who_can_reach(drill):
    d = drill("0702: DE warship\n0504: DE fighter\n0202: DE fighter\n0712: DE warship")
    route = tuple(d.hex(h) for h in ("1007", "0907", "0806"))
    c = Mission(kind="naval", side=1, unit=d.unit("UK-convoy-1"), route=route)
    assert meeting_hex(d.s, c, d.unit("DE-warship-1")) == d.hex("1007")  # same zone
    assert meeting_hex(d.s, c, d.unit("DE-fighter-1")) == d.hex("0907")
    assert meeting_hex(d.s, c, d.unit("DE-fighter-2")) == -1
    assert meeting_hex(d.s, c, d.unit("DE-warship-2")) == -1  # zone 13
    bomb = Mission(kind="bombing", side=1, unit=d.unit("UK-bomber-1"), route=route)
    assert meeting_hex(d.s, bomb, d.unit("DE-warship-1")) == -1


# ---- invasion ----------------------------------------------------------------------------------------------------

FLEET = (
    "1007: UK convoy | UK infantry | UK warship\n1010: UK convoy | UK tank\n1004: UK convoy | UK infantry | UK carrier"
)


def invade(drill, text="", target="0705", **more):
    return (
        drill(FLEET + text, side="western", **more)
        .operations()
        .do("activate UK-convoy-1", "load UK-infantry-1", f"invade {target}")
    )


@pytest.mark.rule("invasion", "amphib-is-assault", "naval-support-sortie")
def test_invasion_gathers_a_fleet_and_assaults(drill):
    d = invade(drill, "\n0705: DE infantry r")
    assert d.why("join UK-infantry-2") is None
    d.do("join UK-infantry-2", "join UK-tank-1", "support UK-warship-1")
    assert d.why("support UK-carrier-1") in ("invasion", "seq-1-assault")
    assert d.decision() == "NamePrincipal"
    d.dice(6, 1).do("lead UK-tank-1")
    event = d.events("ground-combat")[0]
    assert (event["action"], event["principal"], len(event["additional"])) == ("amphibious", "UK-tank-1", 2)
    lines = d.events("modifiers")[0]["attacker"]
    assert ["amphib-drm-base", -1] in lines
    assert ["amphib-drm-naval-good", 2] in lines
    assert d.s.sorties[d.unit("UK-warship-1")] == 1


@pytest.mark.rule("invasion")
def test_invasion_conditions(drill):
    d = drill(FLEET, side="western").operations().do("activate UK-convoy-1")
    assert d.why("invade 0705") == "invasion"  # nothing aboard
    d.do("load UK-infantry-1")
    assert d.why("invade 0604") == "invasion"  # inland
    assert d.why("invade 0708") == "invasion"  # friendly
    d.s.control[d.hex("0708")] = 0
    assert d.why("invade 0708") == "invasion"  # neutral
    text = "\n0704: UK convoy | UK infantry"
    d = drill(FLEET + text, side="western").own("0704", "western").operations()
    d.do("activate UK-convoy-1", "load UK-infantry-1", "invade 0705", "join UK-infantry-2", "join UK-tank-1")
    assert d.why("join UK-infantry-3") == "invasion"  # four convoys


@pytest.mark.rule("invasion-empty", "invasion-after")
def test_invasion_of_an_empty_coast_needs_no_dice(drill):
    d = invade(drill).do("launch")
    assert d.at("UK-infantry-1") == "0705"
    assert not d.events("roll")
    assert d.s.control[d.hex("0705")] == 2
    assert d.s.done[d.unit("UK-infantry-1")]
    assert d.at("UK-convoy-1") == "1007"


@pytest.mark.rule("invasion-after")
def test_invasion_after_the_combat(drill):
    d = invade(drill, "\n0705: DE infantry r").do("join UK-infantry-2", "launch").dice(6, 1).do("lead UK-infantry-1")
    while d.decision() == "Retreat":
        d.do(d.legal()[0])
    assert d.at("UK-infantry-1") == "0705"
    assert d.at("UK-infantry-2") == "1004"
    d = invade(drill, "\n0705: DE infantry").dice(1, 1).do("launch")
    assert d.at("DE-infantry-1") == "0705"
    assert d.at("UK-infantry-1") == "1007"  # nobody ashore
    assert d.s.done[d.unit("UK-infantry-1")]


@pytest.mark.rule("interdiction-invasion")
def test_interdiction_invasion(drill):
    d = invade(drill, "\n0705: DE infantry\n0702: DE warship").do("launch")
    d.do("no_escort").dice(6, 1).do("axis> intercept DE-warship-1")
    assert d.events("interdicted")
    assert not d.events("ground-combat")
    assert d.s.reduced[d.unit("UK-infantry-1")] == 1
    assert (d.at("UK-infantry-1"), d.s.done[d.unit("UK-convoy-1")]) == ("1007", 1)


@pytest.mark.rule("escort-invasion-cancel", "escort-cancel-interceptors")
def test_escort_invasion_cancel(drill):
    def beaten():
        force = "1007: UK convoy | UK infantry | UK warship s5\n0705: DE infantry\n0702: DE warship\n0704: DE fighter"
        d = drill(force, side="western").operations()  # fmt: skip
        d.do("activate UK-convoy-1", "load UK-infantry-1", "invade 0705", "launch", "escort UK-warship-1")
        return d.dice(6, 1).do("axis> intercept DE-warship-1")

    d = beaten()
    assert (d.decision(), d.waiting()) == ("CancelInvasion", ["western"])
    d.do("cancel")
    assert len(d.events("air-combat")) == 1  # no interceptor attacks any more
    assert not d.events("ground-combat")
    assert d.at("UK-infantry-1") == "1007"
    assert not d.s.reduced[d.unit("UK-infantry-1")]
    assert d.s.done[d.unit("UK-infantry-1")]
    d = beaten().do("go_on")
    assert d.decision() == "PressHome"


def test_operations_frame_is_plain():
    assert Operations(side=1).finished == 0


@pytest.mark.rule("interdiction-naval-port")
def test_interdiction_naval_port_the_owner_settles_ties(drill):
    def driven_off(caught):
        d = drill("1004: UK convoy | UK infantry", side="western")
        move = NavalMove(
            side=1, unit=d.unit("UK-convoy-1"), cargo=d.unit("UK-infantry-1"), start=d.hex("1004"), finished=1,
            target=d.hex("1010"), stopped="interdicted", caught=d.hex(caught),
        )  # fmt: skip
        move.row = NavalMove.labels.index("interdiction-naval-port")
        return d.enter(move)

    d = driven_off("0905")  # nearer to 1004: no choice
    assert (d.decision(), d.at("UK-convoy-1")) == ("", "1004")
    d = driven_off("0906")
    assert (d.decision(), d.waiting()) == ("ChooseRefuge", ["western"])
    assert d.legal() == ["shelter 0707", "shelter 1004", "shelter 1007"]
    assert d.why("shelter 1010") == "interdiction-naval-port"  # farther
    assert d.do("shelter 1007").at("UK-convoy-1") == d.at("UK-infantry-1") == "1007"
