"""Corners of the month: the order of phases, lines of supply by sea, who pays, reinforcements, rebuilding."""

import pytest

from grognard.games.surrender.frames import Logistics, Match, SupplyPhase
from grognard.games.surrender.loading import charts
from grognard.games.surrender.rules.board import eliminate
from grognard.games.surrender.rules.calendar import start_month
from grognard.games.surrender.rules.economy import COUNTRIES, collect, income, price, usable_factories
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.rules.strategic_warfare import versus_soviets, versus_west

# ---- phases ------------------------------------------------------------------------------------------------------

RICH = {"germany": 9, "france": 9, "ussr": 9}


def through(d):
    """Play a month in which everybody restores one unit and nobody else does anything."""
    seen = []
    while d.s.waiting:
        seen.append((d.where().split(" > ")[1].split()[0], d.waiting()[0]))
        orders = d.legal()
        d.do(next((o for o in orders if o.startswith("restore")), next(o for o in orders if o in ("pass", "done"))))
    return seen


@pytest.mark.rule("faction-order", "turn-phases", "economy-lose")
def test_three_factions_act_in_order_in_every_phase(drill, drill_world):
    name = drill_world("alliance", points=RICH, edges={"soviet": ["east"]}, turns=1, verdict="none")
    d = drill("0202: DE infantry r\n0409: FR infantry r\n0112: SU infantry r", scenario=name)
    seen = through(d.dice(1, 1, 1, 3, 3, 3, 3).month())
    wanted = [("operations", side) for side in d.game.sides] + [("logistics", side) for side in d.game.sides]
    assert [step for step in seen if step[0] != "rail"] == wanted
    assert [step for step in seen if step[0] == "rail"] == [("rail", "axis"), ("rail", "western")]
    assert [e["unit"] for e in d.events("restore")] == ["DE-infantry-1", "FR-infantry-1", "SU-infantry-1"]
    assert list(d.s.points) == [0] * len(COUNTRIES)  # nobody could spend it all


@pytest.mark.rule("bombed-effect", "turn-phases")
def test_a_bombed_marker_lasts_through_economy_and_strategic_warfare(drill, drill_world):
    name = drill_world("ruhr", fac_lost={"germany": 1}, factions=["axis", "western"])
    d = drill("0202: DE infantry", scenario=name).dice(1, 1, 1, 3, 3)
    d.s.bombed[d.hex("0504")] = 1
    d.month()
    assert ["germany", 1] not in d.events("income")[0]["points"]  # two factories, one bombed, one lost
    assert ["strategic-drm-west-bombed", 1] in d.events("modifiers")[0]["defender"]
    assert d.events("bombed-removed")[0]["hex"] == "0504"
    assert not d.s.bombed[d.hex("0504")]


@pytest.mark.rule("activation", "logistics-restore", "turn-phases")
def test_a_new_month_frees_every_unit(drill):
    d = drill("0202: DE infantry done")
    d.s.restored[d.unit("DE-infantry-1")] = 1
    start_month(d.s, Match())
    assert (d.s.done[d.unit("DE-infantry-1")], d.s.restored[d.unit("DE-infantry-1")]) == (0, 0)


@pytest.mark.rule("strategic-when", "turn-month")
@pytest.mark.parametrize(("turn", "at_war"), [(1, 0), (2, 1), (3, 1)])
def test_the_soviets_are_in_the_war_from_their_month(drill, drill_world, turn, at_war):
    d = drill(scenario=drill_world("pact", factions=["axis", "western"], soviet_at_war="1942-07"))
    d.s.turn = turn - 1
    start_month(d.s, Match())
    assert d.s.soviet_at_war == at_war


@pytest.mark.rule("strategic-when", "factions")
def test_no_strategic_combat_against_an_absent_faction(drill, drill_world):
    d = drill(scenario=drill_world("east-only", factions=["axis", "soviet"]))
    assert (versus_west(d.s, Match()), versus_soviets(d.s, Match())) == (False, True)


# ---- supply ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("supply-land")
def test_the_supplied_ground_ends_six_hexes_from_a_city(drill):
    d = drill()
    for col in range(6, 13):
        d.own(f"05{col:02d}", "axis")
    assert network(d.s, 0).feeds(d.hex("0510"))
    assert not network(d.s, 0).feeds(d.hex("0511"))


@pytest.mark.rule("supply-land")
def test_a_fort_is_no_city_to_draw_supply_from(drill, drill_world):
    d = drill("0511: DE infantry", scenario=drill_world("redoubt", forts=("0508",)))
    for col in range(6, 11):
        d.own(f"05{col:02d}", "axis")
    assert not network(d.s, 0).feeds(d.hex("0511"))  # seven hexes from Essen, three from the fort


@pytest.mark.rule("supply-sources")
def test_a_lost_capital_is_nobodys_source(drill):
    d = drill().own("0309", "axis").own("1004", "axis")
    ground = network(d.s, 1)
    assert not any(hex in ground for hex in range(len(d.s.control)))


@pytest.mark.rule("refusal-reason", "supply-sea")
def test_a_refusal_cites_the_rule_of_its_phase(drill):
    d = overseas(drill)
    assert d.game.why(d.s, 1, ("dance", "")).rule == "supply-sea"


@pytest.mark.rule("supply-sources")
def test_english_ports_serve_americans_in_england_only(drill):
    d = drill("1010: US infantry | US fighter\n1009: UK infantry\n0410: US motorised").own("1004", "axis")
    d.own("0309", "axis").enter(SupplyPhase(side=1))
    supply = {u: d.s.supply[d.unit(u)] for u in ("US-infantry-1", "US-fighter-1", "UK-infantry-1", "US-motorised-1")}
    assert supply == {"US-infantry-1": 0, "US-fighter-1": 0, "UK-infantry-1": 1, "US-motorised-1": 1}


FRENCH = ("0309", "0607", "0307", "0407", "0611", "0712")
BRIDGEHEAD = (
    "1102: UK infantry\n1004: UK convoy{}\n0707: UK infantry | UK fighter\n0706: UK infantry\n0708: UK infantry"
)
ASHORE = ("UK-infantry-2", "UK-infantry-3", "UK-infantry-4", "UK-fighter-1")


def overseas(drill, convoy="", more="", held=FRENCH, **options):
    d = drill(BRIDGEHEAD.format(convoy) + more, side="western", **options)
    for hex in held:
        d.own(hex, "axis")
    return d.enter(SupplyPhase(side=1))


def states(d):
    return [d.s.supply[d.unit(u)] for u in ASHORE]


@pytest.mark.rule("supply-sea", "sorties-max")
def test_no_line_for_a_worn_out_convoy_nor_from_a_port_without_a_source(drill):
    assert overseas(drill, " s5").decision() == "ChooseSeaLine"
    cut_off = ("1009", "1109", "1110", "1011", "1111")  # all round the port of 1010
    for d in (overseas(drill, " s6"), overseas(drill, " s6", more="\n1010: UK convoy", held=(*FRENCH, *cut_off))):
        assert d.decision() == ""
        assert states(d) == [1, 1, 1, 1]


@pytest.mark.rule("supply-sea")
def test_only_units_with_a_way_to_the_port_are_fed(drill):
    d = overseas(drill, more="\n0603: UK motorised").do("trace UK-convoy-1")
    assert d.world.theatre.grid.distance(d.hex("0603"), d.hex("0707")) <= 6
    assert d.legal() == [f"feed {unit}" for unit in ASHORE]
    assert d.why("feed UK-motorised-1") == "supply-sea"


@pytest.mark.rule("supply-sea")
@pytest.mark.parametrize(("limit", "reached"), [(3, False), (4, True)])
def test_a_sea_line_has_a_greatest_length(drill, monkeypatch, limit, reached):
    monkeypatch.setitem(charts()["supply"], "sea_route", limit)
    assert (overseas(drill).decision() == "ChooseSeaLine") is reached


@pytest.mark.rule("interdiction-supply", "interdiction-supply-level")
def test_a_unit_whose_line_is_cut_has_failed_for_the_month(drill):
    d = overseas(drill, more="\n1007: UK convoy | UK warship s5\n0702: DE warship")
    d.do("trace UK-convoy-2", *(f"feed {unit}" for unit in ASHORE[:3]), "escort UK-warship-1")
    d.dice(6, 1, 6, 1).do("axis> intercept DE-warship-1", "axis> press")
    assert d.events("line-cut")
    assert [d.s.done[d.unit(u)] for u in ("UK-convoy-2", "UK-warship-1", "UK-convoy-1")] == [1, 1, 0]
    d.do("trace UK-convoy-1")  # the second convoy finds only who was not served
    while d.decision() != "":
        d.do("no_escort" if d.decision() == "ChooseEscort" else "axis> let_pass")
    assert d.events("sea-supply")[-1]["units"] == ["UK-fighter-1"]
    assert states(d) == [1, 1, 1, 0]


@pytest.mark.rule("atlantic-uk-trace")
@pytest.mark.parametrize(("text", "lost"), [
    ("1004: UK convoy", 4), ("1004: UK convoy s5", 4), ("1004: UK convoy s6", 5), ("0707: UK convoy", 5),
    ("1004: UK warship", 5),
])  # fmt: skip
def test_the_lifeline_needs_a_fit_convoy_in_england(drill, drill_world, text, lost):
    d = drill(text, scenario=drill_world("lifeline", lifeline={"zones": [8]})).enter(SupplyPhase(side=1))
    assert d.s.fac_lost[1] == lost


@pytest.mark.rule("atlantic-uk-trace")
def test_the_lifeline_is_the_uks_and_comes_from_its_zones(drill, drill_world):
    d = drill("0702: DE convoy", scenario=drill_world("lifeline", lifeline={"zones": [8]})).enter(SupplyPhase(side=0))
    assert d.s.fac_lost[1] == 4
    d = drill("1004: UK convoy", scenario=drill_world("elsewhere", lifeline={"zones": [1, 9]}))
    assert d.enter(SupplyPhase(side=1)).s.fac_lost[1] == 5  # no such sea here
    name = drill_world("lifeline", lifeline={"zones": [8]})
    d = overseas(drill, scenario=name)
    assert d.events("lifeline")[0]["convoy"] == "UK-convoy-1"
    assert d.decision() == ""  # the only convoy has sailed
    assert states(d) == [1, 1, 1, 1]


# ---- economy -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("economy-pp", "bombed-effect")
def test_factories_that_work(drill, drill_world):
    d = drill()
    assert usable_factories(d.s, "germany") == 2  # Berlin, Essen
    d.s.bombed[d.hex("0504")] = 1
    assert usable_factories(d.s, "germany") == 1
    assert usable_factories(drill().own("0504", "western").s, "germany") == 1
    d = drill()
    for hex in ("0403", "0404", "0503", "0505", "0603", "0604"):
        d.own(hex, "western")
    assert usable_factories(d.s, "germany") == 1  # Essen is cut off from Berlin
    d = drill(scenario=drill_world("headless", capitals={"germany": "0202"}))  # the capital of France is not in play
    assert usable_factories(d.s, "france") == 1
    assert usable_factories(d.own("0309", "axis").s, "france") == 0


@pytest.mark.rule("economy-pp")
def test_each_country_pays_for_its_own_losses_and_units(drill, drill_world):
    name = drill_world("accounts", points={"uk": 9, "ussr": 9, "germany": 9, "france": 3})
    d = drill("0302: IT infantry r\n0304: DE infantry r", scenario=name)
    assert [income(d.s, c) for c in ("germany", "uk", "ussr", "france")] == [2 + 9 - 3, 1 + 9 - 4, 9 - 5, 1 + 3]
    d.s.conquered[COUNTRIES.index("france")] = 1
    collect(d.s, Match())
    assert [d.s.points[COUNTRIES.index(c)] for c in ("germany", "italy", "uk", "france")] == [8, 0, 6, 0]
    d.enter(Logistics(side=0))
    assert d.why("restore IT-infantry-1") == "logistics-restore"  # Italy has no points
    assert d.why("restore DE-infantry-1") is None


def unit(number, kind="infantry", **more):
    entry = {"id": f"x-{number}", "name": "x", "country": "germany", "type": kind, "src": "proposed"}
    return entry | {"arrives": "1942-07"} | more


@pytest.mark.rule("logistics-reinforce", "ezoc")
def test_reinforcements_wait_for_room_and_avoid_enemy_zones(drill, drill_world):
    d = drill(scenario=drill_world("late", unit=[unit(1, place="essen")]))
    d.s.turn = 2
    for city in ("0202", "0504", "0702"):
        d.own(city, "western")
    assert d.enter(Logistics(side=0)).decision() == ""
    d.s.turn = 3
    d.own("0504", "axis").own("0202", "axis").enter(Logistics(side=0))
    assert d.legal() == ["deploy 0504"]  # a month late, in the place that the scenario names
    intruder = unit(2, country="france", place="0603", arrives="1942-06")
    d = drill(scenario=drill_world("later", unit=[unit(1), intruder], held={"0603": "western"}))
    d.s.turn = 2
    assert d.enter(Logistics(side=0)).legal() == ["deploy 0202", "deploy 0702"]  # Essen lies in a French zone


@pytest.mark.rule("logistics-reinforce")
def test_reinforcements_by_sea_and_from_the_east(drill, drill_world):
    d = drill(scenario=drill_world("arrivals", unit=[unit(1, "warship"), unit(2, east_of_place="essen")]))
    d.s.turn = 2
    assert d.enter(Logistics(side=0)).legal() == ["deploy 0702", "deploy 0704"]  # ships: ports
    assert d.do("deploy 0704").legal() == ["deploy 0504"]  # the one home city that far east


def ruined(drill, *units, text="0404: DE infantry", side=0, held=(), points=9):
    d = drill(text)
    for unit in units:
        d.s.fate[d.unit(unit)] = 2
    for hex in held:
        d.own(hex, "western")
    for index in range(len(COUNTRIES)):
        d.s.points[index] = points
    return d.enter(Logistics(side=side))


@pytest.mark.rule("logistics-rebuild", "logistics-restore")
def test_prices_by_type():
    kinds = ("infantry", "motorised", "shock", "tank")
    assert [price("restore", kind) for kind in kinds] == [1, 1, 2, 2]
    assert [price("rebuild", kind) for kind in kinds] == [2, 2, 4, 4]


@pytest.mark.rule("logistics-rebuild", "sorties-max")
def test_a_rebuilt_wing_is_rested(drill):
    d = drill("0202: DE infantry\n0504: DE fighter s4 done\n0702: DE fighter s4")
    eliminate(d.s, d.unit("DE-fighter-1"), "air-base")
    for index in range(len(COUNTRIES)):
        d.s.points[index] = 9
    d.enter(Logistics(side=0)).do("rebuild DE-fighter-1", "rebuild_at 0504")
    assert (d.s.sorties[d.unit("DE-fighter-1")], d.s.done[d.unit("DE-fighter-1")]) == (0, 0)


@pytest.mark.rule("logistics-rebuild", "logistics-restore")
def test_a_rebuilt_unit_is_not_restored_in_the_same_month(drill):
    d = ruined(drill, "DE-tank-1", "DE-infantry-2").do("rebuild DE-tank-1", "rebuild_at 0202")
    assert d.s.reduced[d.unit("DE-tank-1")] == 1
    assert d.why("restore DE-tank-1") == "logistics-restore"


@pytest.mark.rule("logistics-rebuild", "supply-sources")
def test_rebuilding_needs_a_source_out_of_enemy_zones(drill):
    d = ruined(drill, "DE-tank-1", held=("0403", "0503", "0505", "0603", "0604"), text="0304: DE infantry")
    assert d.do("rebuild DE-tank-1").legal() == ["rebuild_at 0202", "rebuild_at 0504", "rebuild_at 0702"]
    d = ruined(drill, "DE-tank-1", held=("0403", "0404", "0503", "0505", "0603", "0604"), text="0304: DE infantry")
    assert d.do("rebuild DE-tank-1").legal() == ["rebuild_at 0202", "rebuild_at 0702"]  # Essen is cut off
    d = ruined(drill, "US-infantry-1", text="1009: DE infantry\n0309: FR infantry", side=1)
    assert d.do("rebuild US-infantry-1").legal() == ["rebuild_at 1004", "rebuild_at 1007"]  # 1010 lies in a zone
    d = ruined(drill, "DE-warship-1", "DE-infantry-3", text="0404: DE infantry\n0703: FR infantry")
    assert d.why("rebuild DE-warship-1") == "logistics-rebuild"  # both ports lie in a zone


@pytest.mark.rule("logistics-rebuild", "conquest")
def test_units_of_a_conquered_country_are_not_rebuilt(drill):
    d = ruined(drill, "FR-infantry-2", "UK-infantry-1", text="0309: FR infantry\n1102: UK infantry", side=1)
    d.s.fate[d.unit("FR-infantry-2")] = 3
    assert d.why("rebuild FR-infantry-2") == "logistics-rebuild"
