"""Hints of the strategy guide, submarines that need orders (24.5-sub), and what the sister games would change."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Match, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import convoys, guide, sisters
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.production import why_not_build
from grognard.games.bitw.rules.sea import why_not_sail_from
from grognard.games.bitw.rules.supply import open_ports
from grognard.games.bitw.rules.targets import repair_targets
from grognard.games.bitw.state import OUT, BitwState, put, units_in
from grognard.games.bitw.world import POWERS, UNITS, world
from grognard.kernel import flow

from .table import act, position, refusal, rolls, u

IDS = {p.id: p.index for p in POWERS}


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


# guide-ports


def sicily(option: str = "on") -> BitwState:
    """The end of the Allied turn in which Licata was invaded."""
    s = GAME.setup("SBW4", {"guide-ports": option}, "x")
    s.frames[:] = [Match()]
    turn = PlayerTurn(side=1)
    turn.row = turn.labels.index("guide-ports")
    s.frames.append(turn)
    s.phasing, s.events = 1, []
    s.landed = ((at(s, "licata"), IDS["US"]),)
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("guide-ports")
def test_guide_ports_three_italian_ports_for_a_turn() -> None:
    s = sicily()
    names = world(s).theatre.names
    first, second, third, fourth = [noun for verb, noun in GAME.orders(s, 1) if verb == "mark"][:4]
    assert refusal(s, 1, "mark", names[at(s, "bizerte")]) == "guide-ports"
    for port in (first, second):
        act(s, 1, "mark", port)
    assert refusal(s, 1, "mark", first) == "guide-ports"
    before = s.copy()
    act(s, 1, "mark", third)
    marked = [names.index(x) for x in (first, second, third)]
    assert not set(marked) & set(open_ports(s, 0))
    assert names.index(fourth) in open_ports(s, 0)
    assert why_not_sail_from(s, 0, marked[0]).rule == "32.2"  # type: ignore[union-attr]
    before.bombed = s.bombed
    found = guide.MarkPorts().why_not(before, before.frames[-1], 1, "mark", names.index(fourth))  # type: ignore[arg-type]
    assert found is not None
    assert found.reason == "marks-spent"
    repair_targets(s, PlayerTurn(side=1))
    assert len(s.bombed) == 3
    repair_targets(s, PlayerTurn(side=0))
    assert not s.bombed


@pytest.mark.rule("guide-ports")
def test_guide_ports_once_and_only_with_the_switch() -> None:
    assert not guide.may_mark(sicily("off"))
    s = sicily()
    assert guide.may_mark(s)
    act(s, 1, "done")
    assert s.ports_marked
    s.landed = ((at(s, "licata"), IDS["US"]),)
    assert not guide.may_mark(s)
    abroad = sicily()
    abroad.landed = ((at(abroad, "bizerte"), IDS["US"]),)
    assert not guide.may_mark(abroad)


# guide-berlin


def berlin(option: str = "on") -> BitwState:
    """Berlin with Allied corps all around."""
    s = GAME.setup("SBW2", {"advanced": "on", "guide-berlin": option}, "x")
    t, corps = world(s).theatre, iter(x.index for x in UNITS if x.nation == "US" and x.kind == "infantry")
    here = at(s, "berlin")
    for n in t.touch[here]:
        for unit in list(units_in(s, n)):
            put(s, unit, 65534)
        put(s, next(corps), n)
    s.events = []
    return s


@pytest.mark.rule("guide-berlin")
@pytest.mark.parametrize(("die", "moves"), [(1, True), (6, True), (2, False), (5, False)])
def test_guide_berlin_a_1_or_a_6_moves_the_capital(die: int, moves: bool) -> None:
    s = berlin()
    c = Match()
    s.loaded = (die,)
    guide.berlin_encircled(s, c)
    assert [rule for rule, _ in rolls(s)] == ["guide-berlin"]
    assert bool(c.moving) is moves
    assert guide.MoveCapital().needed(s, c, 0) is moves


@pytest.mark.rule("guide-berlin")
def test_guide_berlin_munich_or_obersalzberg_and_hitler_is_silent() -> None:
    s = berlin()
    c = Match(moving=1)
    s.frames[:] = [c]
    decision = guide.MoveCapital()
    assert set(decision.nouns(s, c, 0, "seat")) == {at(s, "munich"), at(s, "salzburg")}
    assert decision.why_not(s, c, 0, "seat", at(s, "hamburg")).rule == "guide-berlin"  # type: ignore[union-attr]
    assert hq.why_not_activate(s, u("de-f"), 0, "rail") is None
    decision.apply(s, c, 0, "seat", at(s, "munich"))
    assert s.capital[IDS["DE"]] == at(s, "munich")
    assert hq.why_not_activate(s, u("de-f"), 0, "rail").rule == "guide-berlin"  # type: ignore[union-attr]
    assert hq.why_not_activate(s, u("de-5pza"), 0, "move") is None
    guide.berlin_encircled(s, c)
    assert not rolls(s)  # once


@pytest.mark.rule("guide-berlin")
def test_guide_berlin_only_with_the_switch_and_only_surrounded() -> None:
    off = berlin("off")
    guide.berlin_encircled(off, Match())
    free = berlin()
    gap = world(free).theatre.touch[at(free, "berlin")][0]
    for unit in list(units_in(free, gap)):
        put(free, unit, 65534)
    t = world(free).theatre
    for n in t.touch[gap]:
        for unit in [x for x in units_in(free, n) if UNITS[x].side == 1]:
            put(free, unit, 65534)
    guide.berlin_encircled(free, Match())
    lost = berlin()
    lost.status[IDS["DE"]] |= OUT
    guide.berlin_encircled(lost, Match())
    assert not rolls(off) + rolls(free) + rolls(lost)


# 24.5-sub


def kriegsmarine(units: str, option: str = "on") -> BitwState:
    options = {"advanced": "on", "submarines": "on"} | ({"patrols": "on"} if option == "on" else {})
    s = position(units, options=options, first="1940-08")
    s.submarines[:] = bytearray((2, 1, 1))
    turn = PlayerTurn(side=0)
    turn.row = turn.labels.index("7.5")
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("24.5-sub")
def test_24_5_sub_off_all_three_roll_and_nobody_pays() -> None:
    s = kriegsmarine("0510: de-ra 4", "off")
    act(s, 0, "activate", "de-ra")
    assert refusal(s, 0, "patrol", "de-sub-na") == "24.5-sub"
    s.loaded = (1, 1, 1, 1)
    convoys.hunt_convoys(s, PlayerTurn(side=1))
    assert [len(dice) for _, dice in rolls(s)] == [2, 1, 1]
    assert s.fuel[u("de-ra")] == 4


@pytest.mark.rule("24.5-sub")
def test_24_5_sub_raeder_keeps_one_at_sea_and_has_three_points_left() -> None:
    s = kriegsmarine("0510: de-ra 4")
    assert refusal(s, 0, "patrol", "de-sub-na") == "24.5-sub"  # nobody is active
    act(s, 0, "activate", "de-ra")
    act(s, 0, "patrol", "de-sub-na")
    assert s.fuel[u("de-ra")] == 3
    assert refusal(s, 0, "patrol", "de-sub-na") == "24.5-sub"
    s.loaded, s.events = (1, 1), []
    convoys.hunt_convoys(s, PlayerTurn(side=1))
    assert [len(dice) for _, dice in rolls(s)] == [2]
    convoys.hunt_convoys(s, PlayerTurn(side=1))
    assert len(rolls(s)) == 1  # for one turn


@pytest.mark.rule("24.5-sub")
def test_24_5_sub_the_fhq_may_pay_and_doenitz_keeps_one_for_nothing() -> None:
    s = kriegsmarine("0510: de-f 3, de-ra 4")
    hq.activate(s, u("de-f"))
    act(s, 0, "patrol", "de-sub-ca")
    assert s.fuel[u("de-f")] == 2
    s = kriegsmarine("0510: de-d 3")
    act(s, 0, "activate", "de-d")
    act(s, 0, "patrol", "de-sub-ca")
    assert s.fuel[u("de-d")] == 3
    act(s, 0, "patrol", "de-sub-na")
    assert s.fuel[u("de-d")] == 2
    s.submarines[2] = 0
    assert refusal(s, 0, "patrol", "de-sub-sa") == "24.5-sub"
    assert refusal(s, 0, "patrol", "de-d") == "24.5-sub"


# The sister games


@pytest.mark.rule("13.8.1.1-fhq-bite")
@pytest.mark.parametrize(
    ("rules", "alarm", "seat"),
    [
        ([], 0, "berlin"),
        (["soviet-war"], 0, "berlin"),  # this box alone
        (["bite"], 0, "berlin"),
        (["bite", "soviet-war"], 0, "rastenburg"),
        (["bite", "soviet-war"], 3, "berlin"),
    ],
)
def test_fhq_bite_berlin_rastenburg_and_back(rules: list[str], alarm: int, seat: str) -> None:
    s = position("0510: de-f", options={"advanced": "on"}, rules=rules)
    s.alarm = alarm
    assert sisters.seat_of_fhq(s) == seat
    sisters.seat_fhq(s, None)
    assert s.place[u("de-f")] == world(s).theatre.find("0510")  # this map ends west of Rastenburg


@pytest.mark.rule("13.8.1.1-fhq-bite")
def test_fhq_bite_the_block_moves_where_the_seat_is_on_the_map() -> None:
    s = position("0309: de-f", options={"advanced": "on"}, rules=["bite"])
    sisters.seat_fhq(s, None)
    assert s.place[u("de-f")] == world(s).theatre.find("berlin")
    alone = position("0309: de-f", options={"advanced": "on"})
    sisters.seat_fhq(alone, None)
    assert alone.place[u("de-f")] == world(alone).theatre.find("0309")  # never in this box alone


@pytest.mark.rule("13.8.1.1-zplan-fleet", "13.8.1.1-doenitz-fleet")
def test_fleets_of_the_two_plans() -> None:
    many = sisters.ANY_NUMBER
    assert sisters.ships_a_turn(position(rules=["z-plan", "bia"])) == (many, 1)
    assert sisters.ships_a_turn(position(rules=["bia"])) == (1, many)
    zplan = position(rules=["z-plan", "bia"])
    assert sisters.carriers(zplan, "1940-07") == ()
    assert sisters.carriers(zplan, "1940-08") == ("Graf Zeppelin",)
    assert sisters.carriers(zplan, "1941-08") == ("Graf Zeppelin", "Peter Strasser")
    assert sisters.carriers(position(rules=["bia"]), "1944-01") == ()
    assert [sisters.highest_tech(zplan, x) for x in ("submarines", "navy")] == [2, 3]
    assert [sisters.highest_tech(position(rules=[]), x) for x in ("submarines", "navy")] == [3, 2]


@pytest.mark.rule("13.8.1.1-zplan-fleet", "13.8.1.1-doenitz-fleet")
@pytest.mark.parametrize(("rules", "cited"), [(["z-plan"], "13.8.1.1-zplan-fleet"), ([], "13.8.1.1-doenitz-fleet")])
def test_no_ship_is_built_in_this_box(rules: list[str], cited: str) -> None:
    s = position("0510: de-26", rules=rules)
    assert sisters.ships_a_turn(s) == (0, 0)
    assert sisters.carriers(s, "1941-08") == ()
    s.pp[IDS["DE"]] = 50
    found = why_not_build(s, PlayerTurn(side=0), u("de-sub-na"))
    assert found is not None
    assert found.rule == cited
