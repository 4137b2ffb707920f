"""Chapter 36: Italy's crisis, surrender and republic."""

import pytest

from grognard.games.bitw.frames import Match
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import italy
from grognard.games.bitw.rules.supply import open_ports
from grognard.games.bitw.state import HELD, NOWHERE, OUT, BitwState, on_map, put
from grognard.games.bitw.world import POWERS, UNITS, scenario_files, world

from .table import u

IDS = {p.id: p.index for p in POWERS}
LANDED = ("us-2", "us-5", "us-6", "us-7", "us-82", "us-101", "uk-30")


def husky(units: int = 0) -> BitwState:
    """SBW4 with so many Allied ground units in Sicily."""
    game_scenarios = GAME.scenarios
    try:
        GAME.scenarios = scenario_files()
        s = GAME.setup("SBW4", {}, "x")
    finally:
        GAME.scenarios = game_scenarios
    for name in LANDED[:units]:
        put(s, u(name), world(s).theatre.find("licata"))
        s.steps[u(name)] = 1
    s.events = []
    return s


def sicily(s: BitwState, power: str) -> None:
    """All of Sicily to a power."""
    t = world(s).theatre
    for n in range(t.hexes):
        if t.region[n] == "sicily":
            s.owner[n] = IDS[power]


@pytest.mark.rule("36.0a", "5.4b")
@pytest.mark.parametrize(
    ("units", "dice", "dismissed"), [(4, (3,), True), (4, (4,), False), (7, (), True), (1, (1,), False), (0, (), False)]
)
def test_36_0a_a_die_less_than_the_allied_units_in_italy(units: int, dice: tuple[int, ...], dismissed: bool) -> None:
    s = husky(units)
    s.loaded = dice
    italy.italian_crisis(s, Match())
    assert (s.duce == italy.DISMISSED) == dismissed
    assert len([e for e in s.events or [] if e.kind == "roll"]) == len(dice)
    if dismissed:
        assert s.place[u("it-mus")] == NOWHERE
        assert s.duce_turn == s.turn


@pytest.mark.rule("36.0a")
def test_36_0a_aircraft_based_in_italy_count_and_those_in_africa_do_not() -> None:
    s = husky(2)
    assert italy.allies_in_italy(s) == 2
    wing = next(x for x in on_map(s, 1) if UNITS[x].is_air)
    put(s, wing, world(s).theatre.find("palermo"))
    assert italy.allies_in_italy(s) == 3


@pytest.mark.rule("36.0b")
def test_36_0b_italy_surrenders_in_a_later_victory_phase() -> None:
    s = husky(7)
    sicily(s, "US")
    italy.italian_crisis(s, Match())
    assert s.duce == italy.DISMISSED
    assert not s.status[IDS["IT"]] & OUT  # not in the same phase
    s.turn += 1
    sicily(s, "IT")
    italy.italian_crisis(s, Match())
    assert not s.status[IDS["IT"]] & OUT  # Sicily is not lost
    sicily(s, "US")
    italy.italian_crisis(s, Match())
    assert s.status[IDS["IT"]] & OUT


@pytest.mark.rule("36.0b")
def test_36_0b_or_sardinia_and_corsica() -> None:
    s = husky()
    t = world(s).theatre
    for region in ("sardinia", "corsica"):
        assert not italy.islands_lost(s)
        for n in range(t.hexes):
            if t.region[n] == region:
                s.owner[n] = IDS["US"]
    assert italy.islands_lost(s)


@pytest.mark.rule("36.0c", "18.1.2")
def test_36_0c_what_surrender_means() -> None:
    s = husky()
    t = world(s).theatre
    roma, points = t.find("roma"), s.pp[IDS["US"]]
    assert s.owner[roma] == IDS["IT"]
    before = set(open_ports(s, 0))
    italy.italy_surrenders(s)
    assert s.owner[roma] == IDS["DE"]
    assert not [x for x in on_map(s, 0) if UNITS[x].nation == "IT"]
    assert s.pp[IDS["US"]] == points
    after = set(open_ports(s, 0))
    assert {t.sea[n] for n in before} >= {"mediterranean"}
    assert "mediterranean" not in {t.sea[n] for n in after}


@pytest.mark.rule("36.0d")
def test_36_0d_roma_in_allied_hands_is_the_other_way() -> None:
    from grognard.games.bitw.rules.powers import check_surrenders

    s = husky()
    s.owner[world(s).theatre.find("roma")] = IDS["US"]
    check_surrenders(s, Match())
    assert s.status[IDS["IT"]] & OUT
    events = len(s.events or [])
    italy.italian_crisis(s, Match())
    assert len(s.events or []) == events  # once


@pytest.mark.rule("36.1a", "36.1b")
def test_36_1_the_republic_is_raised_by_a_german_unit_at_the_gran_sasso() -> None:
    s = husky()
    assert s.status[IDS["RSI"]] & OUT
    sasso = italy.gran_sasso(s)[0]
    put(s, u("de-hgd"), sasso)
    italy.meet_duce(s, None)
    assert s.duce == italy.IN_OFFICE  # not before the surrender
    italy.italy_surrenders(s)
    italy.meet_duce(s, None)
    assert s.duce == italy.FREED
    italy.italian_crisis(s, Match())
    assert s.duce == italy.DECLARED
    assert not s.status[IDS["RSI"]] & OUT
    assert s.capital[IDS["RSI"]] == world(s).theatre.find("salo")
    assert (s.place[u("rsi-lig")], s.steps[u("rsi-lig")]) == (HELD, 4)
    assert italy.republic_entry(s, u("rsi-lig")) == world(s).theatre.find("milano")
    pool = next(p for p in world(s).scenario.pools if p.nations[0] == IDS["RSI"])
    assert (pool.income, pool.colours) == (1, {"blue": 1})


@pytest.mark.rule("36.1a")
def test_36_1a_an_allied_unit_there_ends_him() -> None:
    s = husky()
    italy.italy_surrenders(s)
    put(s, u("us-5"), italy.gran_sasso(s)[0])
    italy.meet_duce(s, None)
    assert s.duce == italy.DEAD
    put(s, u("us-5"), world(s).theatre.find("licata"))
    put(s, u("de-hgd"), italy.gran_sasso(s)[0])
    italy.meet_duce(s, None)
    assert s.duce == italy.DEAD


@pytest.mark.rule("36.1a")
def test_36_1a_only_a_german_unit_brings_him_to_salo() -> None:
    s = husky()
    italy.italy_surrenders(s)
    put(s, u("rsi-lig"), italy.gran_sasso(s)[0])
    italy.meet_duce(s, None)
    assert s.duce == italy.CAPTIVE


@pytest.mark.rule("36.1a")
def test_36_1a_where_both_stand_nobody_has_him() -> None:
    s = husky()
    italy.italy_surrenders(s)
    for name in ("us-5", "de-hgd"):
        put(s, u(name), italy.gran_sasso(s)[0])
    italy.meet_duce(s, None)
    assert s.duce == italy.CAPTIVE


@pytest.mark.rule("36.1b")
def test_36_1b_germany_gives_the_republic_three_points_and_takes_none() -> None:
    from grognard.games.bitw.frames import PlayerTurn
    from grognard.games.bitw.rules.production import why_not_aid

    s = husky()
    c = PlayerTurn(side=0)
    s.pp[IDS["DE"]] = 9
    found = why_not_aid(s, c, 0, IDS["RSI"])
    assert found is not None  # there is none yet
    s.status[IDS["RSI"]] &= ~OUT & 255
    assert why_not_aid(s, c, 0, IDS["RSI"]) is None
    c.aided = 3
    found = why_not_aid(s, c, 0, IDS["RSI"])
    assert found is not None
    assert found.reason == "aid-limit"
    assert why_not_aid(s, PlayerTurn(side=0), 0, IDS["DE"]) is not None


@pytest.mark.rule("36.0a")
def test_36_0_only_where_the_chapter_is_played() -> None:
    s = GAME.setup("SBW3", {"advanced": "on"}, "x")
    italy.italian_crisis(s, Match())
    assert s.duce == italy.IN_OFFICE
