"""Chapters 34 and 35: Cash and Carry, Lend-Lease, submarines; 16 conquests; the kinds of victory conditions."""

from typing import Any

import pytest

from grognard.games.bitw.frames import Match, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import convoys, production
from grognard.games.bitw.rules.definitions import take_control
from grognard.games.bitw.rules.victory import holds, level_told, note_fallen
from grognard.games.bitw.scenarios import Condition, Reader
from grognard.games.bitw.state import OUT, BitwState, frozen_units, put
from grognard.games.bitw.world import POWERS, UNITS, charts, scenario_files, world

from .table import THEATRE, go_to, node, position, refusal, scenario, u

IDS = {p.id: p.index for p in POWERS}
UK, DE, FR = IDS["UK"], IDS["DE"], IDS["FR"]
ALL = {"advanced": "on", "lend-lease": "on", "submarines": "on"}


def play(name: str, **options: str) -> BitwState:
    """A scenario, listed or not."""
    game_scenarios = GAME.scenarios
    try:
        GAME.scenarios = scenario_files()
        return GAME.setup(name, {o.name: options[o.name] for o in GAME.options if o.name in options}, "x")
    finally:
        GAME.scenarios = game_scenarios


def britain(**more: Any) -> BitwState:
    s = play("SBW5", **(ALL | more))
    s.events = []
    return s


@pytest.mark.rule("34.0-cash")
def test_34_0_britain_buys_at_three_yellow() -> None:
    s = britain()
    s.pp[UK], s.red[UK] = 6, 0
    assert convoys.why_not_buy(s, 1, 0) is None
    convoys.buy(s, 0)
    convoys.buy(s, 1)
    assert (s.pp[UK], s.red[UK]) == (0, 1)
    assert convoys.why_not_buy(s, 1, 0) is convoys.CASH_TOO_DEAR
    s.pp[UK] = 9
    assert convoys.why_not_buy(s, 0, 0) is convoys.NO_CASH
    s.lend_lease = 1
    assert convoys.why_not_buy(s, 1, 0) is convoys.LEND_RUNS
    assert convoys.why_not_buy(britain(**{"lend-lease": "off"}), 1, 0) is convoys.NO_CASH


@pytest.mark.rule("34.0-cash")
def test_34_0_cash_in_play() -> None:
    s = britain()
    go_to(s, "7.3", 1)
    s.pp[UK] = 6
    assert ("buy", "red") in GAME.orders(s, 1)
    before = s.red[UK]
    GAME.obey(s, 1, ("buy", "red"))
    assert (s.pp[UK], s.red[UK]) == (3, before + 1)
    s.pp[UK] = 2
    assert refusal(s, 1, "buy", "blue") == "34.0-cash"


@pytest.mark.rule("34.0-lend-a", "34.0-lend-c")
def test_34_0_lend_lease_begins_when_britain_is_invaded() -> None:
    s = britain()
    assert not convoys.lend_lease_begins(s)
    put(s, u("de-26"), world(s).theatre.find("dover"))
    s.steps[u("de-26")] = 1
    assert convoys.lend_lease_begins(s)
    six = play("SBW6", **ALL)
    put(six, u("de-26"), world(six).theatre.find("dover"))
    six.plan = "dyle-breda"
    assert convoys.lend_lease_begins(six)
    six.plan = "escaut"
    assert not convoys.lend_lease_begins(six)


@pytest.mark.rule("34.0-lend-a")
def test_34_0_lend_lease_begins_in_march_1941_if_the_continent_is_lost() -> None:
    s = britain()
    t = world(s).theatre
    for x in range(len(UNITS)):
        if UNITS[x].side == 1 and s.place[x] < t.hexes and t.region[s.place[x]] not in convoys.OVERSEAS:
            put(s, x, 65534)
    s.turn = 8  # February 1941
    assert not convoys.lend_lease_begins(s)
    s.turn = 9
    assert convoys.lend_lease_begins(s)
    put(s, u("uk-7"), t.find("brest"))
    assert not convoys.lend_lease_begins(s)


@pytest.mark.rule("34.0-lend-b")
def test_34_0_three_red_and_two_blue_that_need_no_yellow() -> None:
    s = britain()
    s.lend_lease = 1
    convoys.receive_goods(s, PlayerTurn(side=1))
    assert tuple(s.lent) == (3, 2)
    s.pp[UK] = s.blue[UK] = 0
    wing = next(x.index for x in UNITS if x.nation == "UK" and x.kind == "fighter" and s.place[x.index] < 60000)
    s.steps[wing] = UNITS[wing].pattern.first
    bill = production.bill_of(s, wing, s.steps[wing], UK)
    assert (bill.yellow, bill.paired, bill.lent) == (0, 0, 1)
    assert production.why_not_pay(s, wing, s.steps[wing]) is None
    production.buy_step(s, wing)
    assert (s.pp[UK], tuple(s.lent)) == (0, (3, 1))
    german = production.bill_of(s, u("de-jf2"), 1, DE)
    assert german.lent == 0


@pytest.mark.rule("35.2a", "35.2b", "18.2.1")
def test_35_2_the_worked_example_of_1943() -> None:
    s = britain()
    s.submarines[:] = bytearray((2, 2, 2))
    s.loaded = (5, 2, 2, 1, 6, 6)
    convoys.hunt_convoys(s, PlayerTurn(side=1, aimed=1))
    assert s.convoy_loss == 4
    assert convoys.convoy_losses(s, UK) == 4
    assert convoys.convoy_losses(s, DE) == 0
    assert sum(len(e.data["dice"]) for e in s.events or [] if e.kind == "roll") == 6


@pytest.mark.rule("18.2.1")
def test_18_2_1_the_points_are_missing_this_turn() -> None:
    incomes = []
    for dice in ((1, 1), (6, 6)):
        s = britain()
        s.loaded = dice
        s.submarines[:] = bytearray((1, 1, 0))
        before = s.pp[UK]
        go_to(s, "7.3", 1)
        incomes.append(s.pp[UK] - before)
    assert incomes[0] - incomes[1] in (2, 4)


@pytest.mark.rule("35.2b")
def test_35_2b_the_north_atlantic_submarine_may_hunt_american_goods() -> None:
    s = britain()
    s.submarines[:] = bytearray((1, 1, 0))
    s.loaded = (6, 6)
    convoys.hunt_convoys(s, PlayerTurn(side=1, aimed=2))
    assert (s.route_hits, s.convoy_loss) == (1, 2)
    s.pp[UK], s.red[UK] = 6, 0
    convoys.buy(s, 0)
    assert (s.pp[UK], s.red[UK], s.route_hits) == (3, 0, 0)  # sunk on the way
    convoys.buy(s, 0)
    assert s.red[UK] == 1
    s.lend_lease, s.route_hits, s.loaded = 1, 1, ()
    convoys.receive_goods(s, PlayerTurn(side=1))
    assert sum(s.lent) == 4


@pytest.mark.rule("35.2b")
def test_35_2b_the_choice_is_asked_where_there_is_a_route() -> None:
    s = britain()
    while (orders := GAME.orders(s, s.waiting[0]))[0][0] != "aim":
        GAME.obey(s, s.waiting[0], ("done", "") if ("done", "") in orders else orders[0])
    assert (s.waiting, GAME.orders(s, 0)) == ((0,), [("aim", "convoys"), ("aim", "america")])
    GAME.obey(s, 0, ("aim", "america"))
    none = britain(**{"lend-lease": "off"})
    assert convoys.why_not_aim(none, 1) is convoys.NO_ROUTE
    assert not convoys.AimSubmarine().needed(none, PlayerTurn(side=1), 0)
    assert not convoys.submarines_hunt(britain(submarines="off"))


# 16 Conquests


@pytest.mark.rule("16.1")
def test_16_1_a_conquered_factory_gives_a_point_of_its_colour_once() -> None:
    s = play("SBW3", advanced="on", conquest="on")
    toulouse = world(s).theatre.find("toulouse")
    before = s.blue[DE]
    take_control(s, toulouse, DE)
    assert (s.blue[DE], s.burnt[toulouse]) == (before + 1, 1)
    take_control(s, toulouse, FR)
    take_control(s, toulouse, DE)
    assert s.blue[DE] == before + 1
    birmingham = world(s).theatre.find("birmingham")
    assert world(s).theatre.factories[birmingham]["blue"][0] == 2
    take_control(s, birmingham, DE)
    assert s.blue[DE] == before + 3  # one for each factory
    plain = play("SBW3", advanced="on")
    take_control(plain, toulouse, DE)
    assert plain.blue[DE] == before


# Victory


def condition(**entry: Any) -> Condition:
    return Reader("test", THEATRE, charts(), UNITS).condition(entry)


def test_kinds_of_conditions() -> None:
    s = position("0505: fr-6 3, fr-2a | 0510: de-26 2, de-jf2 3")
    france = {"kind": "count", "side": "allies", "countries": ["FRA"]}
    assert holds(s, condition(**france, at_least=2))
    assert not holds(s, condition(**france, at_least=3))
    assert holds(s, condition(**france, at_least=3, negate=True))
    assert holds(s, condition(kind="count", side="allies", places=["0505"], at_least=1))
    fighters = {"kind": "steps", "nation": "DE", "types": ["fighter"]}
    assert holds(s, condition(**fighters, at_most=3))
    assert not holds(s, condition(**fighters, at_most=2))
    loss = {"kind": "net_loss", "nation": "DE", "types": ["fighter"]}
    assert not holds(s, condition(**loss, at_least=1))
    s.steps[u("de-jf2")] = 2
    assert holds(s, condition(**loss, at_least=1))
    s.us_losses = 4
    assert holds(s, condition(kind="morale", at_least=4))
    assert not holds(s, condition(kind="morale", at_least=5))
    assert not holds(s, condition(kind="event", name="rsi"))
    s.duce = 4
    assert holds(s, condition(kind="event", name="rsi"))
    assert holds(s, condition(kind="port", side="allies", places=["calais"]))
    assert not holds(s, condition(kind="port", side="axis", places=["calais"]))


def test_a_power_out_by_a_turn() -> None:
    s = position()
    early = condition(kind="out", power="FR", by_turn=2)
    assert not holds(s, early)
    s.status[FR] |= OUT
    s.turn = 2
    note_fallen(s)
    assert holds(s, early)
    s.turn = 5
    assert holds(s, early)
    late = position()
    late.turn = 3
    late.status[FR] |= OUT
    note_fallen(late)
    assert not holds(late, early)


def test_supplied_units_only() -> None:
    s = position("0606: fr-6 3")
    fed = condition(kind="count", side="allies", countries=["FRA"], supplied=True)
    assert holds(s, fed)
    for n in range(THEATRE.hexes):
        if n != node("0606"):
            s.owner[n] = DE
    assert not holds(s, fed)


def test_what_one_side_hides_is_not_told() -> None:
    assert level_told(play("SBW5")) == (-1, "open")
    assert level_told(play("SBW4"))[1] != "open"


# Scenarios


@pytest.mark.rule("0-scenarios", "2.3")
@pytest.mark.parametrize("name", scenario_files())
def test_every_scenario_is_set_up_soundly(name: str) -> None:
    s = play(name)
    assert GAME.problems(s) == []
    assert s.waiting
    assert len(str(GAME.view(s, 0))) < 80_000


@pytest.mark.rule("2.3")
@pytest.mark.parametrize(("name", "first"), [("SBW3", 0), ("SBW4", 1), ("SBW5", 0), ("SBW7", 1), ("SBW8", 1)])
def test_landing_scenarios_begin_with_the_allies(name: str, first: int) -> None:
    s = play(name)
    assert s.phasing == first
    if first:
        for _ in range(100):
            if s.turn == 2:
                break
            side = s.waiting[0]
            orders = GAME.orders(s, side)
            GAME.obey(s, side, ("done", "") if ("done", "") in orders else orders[0])
        assert s.phasing == 0


@pytest.mark.rule("3.21")
def test_3_21_italys_home_army_is_free_when_the_war_reaches_the_mainland() -> None:
    s = play("SBW4")
    assert u("it-ari") in frozen_units(s)
    put(s, u("us-5"), world(s).theatre.find("licata"))
    assert u("it-ari") in frozen_units(s)
    put(s, u("us-5"), world(s).theatre.find("napoli"))
    assert u("it-ari") not in frozen_units(s)
    s.turn = 3
    assert not frozen_units(s)


def test_a_victory_condition_that_nobody_knows_is_refused() -> None:
    from grognard.kernel import DataError

    with pytest.raises(DataError, match="unknown kind"):
        condition(kind="glory")
    with pytest.raises(DataError, match="unknown colour"):
        Reader("test", THEATRE, charts(), UNITS).read(
            scenario(income=[{"power": "DE", "month": "1940-05", "add": {"pink": 1}}])
        )
    assert isinstance(Match(), Match)
