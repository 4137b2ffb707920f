"""13.8.1.2 and 32.4: the radar chain over Great Britain."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import Combat, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.nouns import STATIONS
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules import radar
from grognard.games.bitw.rules.air import send
from grognard.games.bitw.rules.combat import combatant
from grognard.games.bitw.rules.definitions import take_control
from grognard.games.bitw.rules.fire import AIR, Field, volley
from grognard.games.bitw.rules.production import Produce
from grognard.games.bitw.rules.victory import radar_working
from grognard.games.bitw.state import BitwState
from grognard.games.bitw.world import POWERS, world
from grognard.kernel import flow

from .table import act, refusal, u

IDS = {p.id: p.index for p in POWERS}
VENTNOR, POLING, PEVENSEY, RYE, DOVER, DUNKIRK = range(6)


def england() -> BitwState:
    """July 1940."""
    s = GAME.setup("SBW5", {}, "x")
    s.events = []
    return s


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def working(s: BitwState, *stations: int) -> BitwState:
    s.radar[:] = bytearray(int(x in stations) for x in range(6))
    return s


@pytest.mark.rule("13.8.1.2-radar-a")
def test_radar_a_six_stations_in_order_on_the_south_coast() -> None:
    s = england()
    t = world(s).theatre
    assert STATIONS == ("ventnor", "poling", "pevensey", "rye", "dover-radar", "dunkirk-kent")
    hexes = [radar.station_hex(t, x) for x in range(6)]
    assert hexes == [at(s, x) for x in ("portsmouth", "brighton", "hastings", "hastings", "dover", "dover")]
    assert list(s.radar) == [1] * 6
    assert radar_working(s) == 6
    inside = ("london", "scapa-flow", "belfast", "channel-islands")
    assert all(radar.in_great_britain(s, at(s, x)) for x in inside)
    assert not radar.in_great_britain(s, at(s, "calais"))


@pytest.mark.rule("13.8.1.2-radar-a")
def test_radar_a_a_scenario_may_begin_with_less_and_the_basic_game_has_none() -> None:
    s = england()
    radar.set_up_radar(s, {"radar": {"working": ["rye"]}})
    assert list(s.radar) == [0, 0, 0, 1, 0, 0]
    s.owner[at(s, "dover")] = IDS["DE"]
    radar.set_up_radar(s, {})
    assert list(s.radar) == [1, 1, 1, 1, 0, 0]
    basic = GAME.setup("SBW3", {}, "x")
    assert radar.chain(basic) == radar.OUT_OF_SERVICE
    assert radar.chain(GAME.setup("SBW3", {"advanced": "on"}, "x")) == radar.FULL_SERVICE


@pytest.mark.rule("13.8.1.2-radar-b", "13.8.1.2-radar-c", "13.8.1.2-radar-d")
@pytest.mark.parametrize(
    ("stations", "state"),
    [
        (range(6), radar.FULL_SERVICE),
        ((RYE, DOVER), radar.ACTIVE),
        (range(1, 6), radar.ACTIVE),
        ((VENTNOR, PEVENSEY, DOVER), radar.OUT_OF_SERVICE),
        ((DUNKIRK, VENTNOR), radar.OUT_OF_SERVICE),  # the list is no ring
        ((), radar.OUT_OF_SERVICE),
    ],
)
def test_radar_chain_full_active_out(stations: tuple[int, ...], state: int) -> None:
    assert radar.chain(working(england(), *stations)) == state


@pytest.mark.rule("13.8.1.2-radar-b", "13.8.1.2-radar-c", "13.8.1.2-radar-d")
@pytest.mark.parametrize(
    ("stations", "place", "face"),
    [
        (range(6), "london", 5),
        ((RYE, DOVER), "london", 5),
        ((VENTNOR, PEVENSEY, DOVER), "london", 6),
        (range(6), "calais", 6),  # over Great Britain only (A34)
    ],
)
def test_radar_b_british_fighters_fight_as_tech_2(stations: tuple[int, ...], place: str, face: int) -> None:
    s = working(england(), *stations)
    battle = Combat(hex=at(s, place), attacker=0)
    (shot,) = volley([combatant(s, battle, u("uk-11g"))], AIR, Field(), 1)
    assert shot.face == face
    (german,) = volley([combatant(s, battle, u("de-jf2"))], AIR, Field(), 1)
    assert german.face == 6
    bomber = combatant(s, battle, u("uk-2g"))
    assert bomber.tech == 1  # fighters, not bombers


@pytest.mark.rule("13.8.1.2-radar-b")
def test_radar_b_no_benefit_above_tech_2() -> None:
    s = GAME.setup("SBW8", {}, "x")
    battle = Combat(hex=at(s, "london"), attacker=0)
    assert combatant(s, battle, u("uk-11g")).tech == 3


@pytest.mark.rule("13.8.1.2-radar-b", "13.8.1.2-radar-c")
@pytest.mark.parametrize(("stations", "place", "seen"), [(6, "dover", True), (5, "dover", False), (6, "calais", False)])
def test_radar_b_full_service_shows_who_comes(stations: int, place: str, seen: bool) -> None:
    s = working(england(), *range(stations))
    send(s, u("de-1fk"), at(s, place), "7.5.2b")
    assert bool(s.revealed[u("de-1fk")]) is seen
    assert ("radar-sees" in [e.kind for e in s.events or []]) is seen
    send(s, u("uk-2g"), at(s, "dover"), "7.5.2b")
    assert not s.revealed[u("uk-2g")]  # the enemy's, not one's own


def raid_on(s: BitwState, station: str, *dice: int) -> None:
    """The Germans raid a station in the British Strategic Warfare Phase."""
    s.phasing = 1
    s.frames.append(PlayerTurn(side=1))
    flow.run(GAME.tables, s)
    act(s, 0, "activate", "de-2lf")
    act(s, 0, "activate", "de-3lf")
    t = world(s).theatre
    act(s, 0, "raid", t.names[at(s, station)])
    act(s, 0, "bomb", station)
    first = next(noun for verb, noun in GAME.orders(s, 0) if verb == "send" and noun.endswith("fk"))
    act(s, 0, "send", first)
    s.loaded = dice
    act(s, 0, "launch")
    if s.waiting == (1,):
        act(s, 1, "done")


@pytest.mark.rule("13.8.1.2-radar-e", "32.4")
def test_radar_e_one_hit_and_the_station_is_out_of_action() -> None:
    s = england()
    raid_on(s, "rye", 1, 1, 1, 5, 1)
    assert list(s.radar) == [1, 1, 1, 0, 1, 1]
    assert not s.bombed  # nothing that repairs itself
    assert radar.chain(s) == radar.ACTIVE
    missed = england()
    raid_on(missed, "rye", 1, 1, 1, 4, 4)
    assert all(missed.radar)


@pytest.mark.rule("13.8.1.2-radar-f", "32.4")
def test_radar_f_mended_for_a_point_in_the_same_turn() -> None:
    s = england()
    raid_on(s, "rye", 1, 1, 1, 6, 6)
    assert refusal(s, 0, "bomb", "rye") is not None
    while not (s.waiting == (1,) and any(verb == "radar" for verb, _ in GAME.orders(s, 1))):
        side = s.waiting[0]
        orders = GAME.orders(s, side)
        act(s, side, *(("done", "") if ("done", "") in orders else orders[0]))
    before = s.pp[IDS["UK"]]
    assert refusal(s, 1, "radar", "poling") == "13.8.1.2-radar-f"
    act(s, 1, "radar", "rye")
    assert s.pp[IDS["UK"]] == before - 1
    assert all(s.radar)


@pytest.mark.rule("13.8.1.2-radar-e", "13.8.1.2-radar-f")
def test_radar_e_an_enemy_who_takes_the_hex_destroys_both_stations_there() -> None:
    s = england()
    dover = at(s, "dover")
    take_control(s, dover, IDS["DE"])
    assert list(s.radar) == [1, 1, 1, 1, 0, 0]
    turn = PlayerTurn(side=1)
    s.pp[IDS["UK"]] = 1
    produce = Produce()

    def why(side: int, station: int) -> str | None:
        found = produce.why_not(s, turn, side, "radar", station)
        return None if found is None else found.rule

    assert why(1, DOVER) == "13.8.1.2-radar-f"
    take_control(s, dover, IDS["UK"])
    assert list(s.radar) == [1, 1, 1, 1, 0, 0]  # not by itself
    assert why(1, DOVER) is None
    assert why(0, DOVER) == "13.8.1.2-radar-f"
    s.pp[IDS["UK"]] = 0
    assert why(1, DOVER) == "7.3d"


@pytest.mark.rule("32.4", "32.0a")
def test_32_4_only_stations_at_work_are_targets() -> None:
    s = working(england(), RYE)
    s.phasing = 1
    s.frames.append(PlayerTurn(side=1))
    flow.run(GAME.tables, s)
    for name in ("de-2lf", "de-3lf"):
        hq.activate(s, u(name))
    act(s, 0, "raid", world(s).theatre.names[at(s, "rye")])
    assert refusal(s, 0, "bomb", "rye") is None
    assert refusal(s, 0, "bomb", "pevensey") == "32.0a"
