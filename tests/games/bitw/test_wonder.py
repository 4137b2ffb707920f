"""Chapters 26 and 28: V-weapons and the Volkssturm."""

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import wonder
from grognard.games.bitw.state import OFF, POOL, BitwState, put
from grognard.games.bitw.world import POWERS, UNITS, world

from .table import go_to, refusal, u

IDS = {p.id: p.index for p in POWERS}
ON = {"advanced": "on", "wunderwaffen": "on", "volkssturm": "on"}


def ardennes(**more: str) -> BitwState:
    """December 1944, with Calais still German."""
    s = GAME.setup("SBW2", ON | more, "x")
    s.events = []
    return s


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def flying(s: BitwState) -> BitwState:
    """A German coast at Dunkerque that is fed from home."""
    t = world(s).theatre
    for n in range(t.hexes):
        if t.country[n] in ("FRA", "BEL", "NED"):
            s.owner[n] = IDS["DE"]
            for unit in [x for x in range(len(UNITS)) if s.place[x] == n and UNITS[x].side == 1]:
                put(s, unit, POOL)
    return s


@pytest.mark.rule("26.1a")
def test_26_1a_conditions_of_the_v1() -> None:
    assert not wonder.v1_can_fly(ardennes())  # no coast
    s = flying(ardennes())
    assert wonder.v1_can_fly(s)
    for change in ("berlin", "peenemunde"):
        twin = s.copy()
        twin.owner[at(s, change)] = IDS["US"]
        assert not wonder.v1_can_fly(twin)
    early = s.copy()
    early.turn = -6  # May 1944
    assert not wonder.v1_can_fly(early)
    off = flying(ardennes(wunderwaffen="off"))
    assert not wonder.v1_can_fly(off)


@pytest.mark.rule("26.1a")
def test_26_1a_a_besieged_city_does_not_count() -> None:
    s = ardennes()
    brest = at(s, "brest")
    s.owner[brest] = IDS["DE"]
    assert not wonder.v1_can_fly(s)


@pytest.mark.rule("26.1b")
@pytest.mark.parametrize(("dice", "lost"), [((6, 3), 1), ((6, 6), 2), ((5, 1), 0)])
def test_26_1b_two_dice_cost_yellow_points(dice: tuple[int, int], lost: int) -> None:
    s = flying(ardennes())
    s.loaded, s.convoy_loss = dice, 0
    wonder.launch_v1(s, PlayerTurn(side=1))
    assert s.convoy_loss == lost
    wonder.launch_v1(s, PlayerTurn(side=0))
    assert s.convoy_loss == lost


def rockets(s: BitwState) -> int:
    """The 65th at Aachen."""
    put(s, u("de-65"), at(s, "aachen"))
    s.steps[u("de-65")] = 0
    return at(s, "aachen")


@pytest.mark.rule("26.2a")
def test_26_2a_within_five_hexes_of_the_65th() -> None:
    s = ardennes()
    put(s, u("de-65"), POOL)
    assert wonder.v2_targets(s) == []
    here = rockets(s)
    far = world(s).theatre.distances(here)
    targets = wonder.v2_targets(s)
    assert targets
    assert all(far[n] <= 5 for n in targets)
    assert any(far[n] == 5 for n in targets)
    s.turn = -3  # August 1944
    assert wonder.v2_targets(s) == []


@pytest.mark.rule("26.2b")
def test_26_2b_four_dice_at_a_hex_named_before() -> None:
    s = ardennes()
    rockets(s)
    go_to(s, "7.3", 0)
    while not (s.waiting and GAME.orders(s, s.waiting[0])[0][0].startswith("rocket")):
        side = s.waiting[0]
        orders = GAME.orders(s, side)
        GAME.obey(s, side, ("done", "") if ("done", "") in orders else orders[0])
    assert s.waiting == (0,)
    names = world(s).theatre.names
    verb, hex = next(order for order in GAME.orders(s, 0) if order[0] == "rocket-units")
    node = names.index(hex)
    before = sum(s.steps[x] for x in range(len(UNITS)) if s.place[x] == node and UNITS[x].side == 1)
    assert refusal(s, 0, "rocket-city", names[at(s, "berlin")]) == "26.2a"
    s.loaded = (6, 6, 1, 2)
    GAME.obey(s, 0, (verb, hex))
    after = sum(s.steps[x] for x in range(len(UNITS)) if s.place[x] == node and UNITS[x].side == 1)
    assert before - after in (1, 2)  # a gap of 2 takes two hits
    assert not [order for order in GAME.orders(s, s.waiting[0]) if order[0].startswith("rocket")]


@pytest.mark.rule("26.2b")
def test_26_2b_at_a_city_it_costs_points() -> None:
    s = ardennes()
    rockets(s)
    s.loaded, s.convoy_loss = (6, 6, 6, 1), 0
    city = next(n for n in wonder.v2_targets(s) if world(s).theatre.city[n] and s.owner[n] != IDS["DE"])
    wonder.AimRockets().apply(s, PlayerTurn(side=1), 0, "rocket-city", city)
    assert s.convoy_loss == 3


@pytest.mark.rule("26.3")
@pytest.mark.parametrize(
    ("month", "held", "end"),
    [("1945-05", True, ""), ("1945-07", True, "prolonged"), ("1945-12", True, "axis decisive"), ("1945-12", False, "")],
)
def test_26_3_goetterdaemmerung(month: str, held: bool, end: str) -> None:
    assert wonder.war_goes_on(month, held, held) == end


# 28.0


@pytest.mark.rule("28.0")
def test_28_0_an_enemy_in_germany_gives_the_alarm() -> None:
    s = ardennes()
    c = PlayerTurn(side=1)
    for x in range(len(UNITS)):
        if UNITS[x].side == 1 and s.place[x] < OFF and world(s).theatre.country[s.place[x]] == "GER":
            put(s, x, POOL)
    wonder.raise_alarm(s, c)
    assert s.alarm == 0
    put(s, u("us-5"), at(s, "frankfurt"))
    twin = s.copy()
    wonder.raise_alarm(s, c)
    assert s.alarm == s.turn
    off = GAME.setup("SBW2", {"advanced": "on"}, "x")
    put(off, u("us-5"), at(off, "frankfurt"))
    wonder.raise_alarm(off, c)
    assert off.alarm == 0
    assert twin.alarm == 0


@pytest.mark.rule("28.0")
def test_28_0_one_free_corps_a_turn_at_one_step() -> None:
    s = ardennes()
    for name in ("de-89", "de-53"):
        put(s, u(name), POOL)
        s.steps[u(name)] = 0
    c = PlayerTurn(side=0)
    assert wonder.why_not_muster(s, c, u("de-89")) is wonder.NO_MUSTER
    s.alarm = 1
    assert wonder.why_not_muster(s, c, u("de-89")) is None
    assert wonder.why_not_muster(s, c, u("de-1ss")) is wonder.NOT_A_CORPS
    while ("muster", "de-89") not in GAME.orders(s, 0):
        GAME.obey(s, 0, ("done", ""))
    points = s.pp[IDS["DE"]]
    GAME.obey(s, 0, ("muster", "de-89"))
    offered = GAME.orders(s, 0)
    t = world(s).theatre
    assert offered
    assert all(t.city[t.names.index(hex)] == 2 or t.country[t.names.index(hex)] == "GER" for _, hex in offered)
    assert refusal(s, 0, "at", t.names[at(s, "aachen")]) == "28.0"
    GAME.obey(s, 0, offered[0])
    assert (s.steps[u("de-89")], s.pp[IDS["DE"]]) == (1, points)
    assert ("muster", "de-53") not in GAME.orders(s, 0)
    assert wonder.why_not_muster(s, PlayerTurn(side=0, mustered=1), u("de-53")) is wonder.MUSTERED_ALREADY
