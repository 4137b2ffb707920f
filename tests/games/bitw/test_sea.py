"""Chapter 18: units by sea."""

import pytest

from grognard.games.bitw.frames import Shipping
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules import harbours, sea, supply, waters
from grognard.games.bitw.rules.headquarters import activate
from grognard.games.bitw.rules.weather import SNOW, note_conditions
from grognard.games.bitw.state import MOVED, OFF, OOS, OUT, POOL, BitwState, put
from grognard.games.bitw.theatre import nearest_sea
from grognard.games.bitw.world import POWERS, UNITS, world

from .table import go_to, u

ON = {"advanced": "on", "sea": "on"}
IDS = {p.id: p.index for p in POWERS}


def europe(scenario: str = "SBW3", **more: str) -> BitwState:
    """The printed map with chapter 18."""
    return GAME.setup(scenario, ON | more, "x")


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def stand(s: BitwState, unit: str, place: str, steps: int = 0) -> int:
    """Put a unit somewhere, whole unless told."""
    number = u(unit)
    put(s, number, at(s, place))
    s.steps[number] = steps or UNITS[number].pattern.top
    s.flags[number] = 0
    s.owner[at(s, place)] = UNITS[number].power
    return number


def way(s: BitwState, start: str, end: str) -> tuple[int, ...]:
    return sea.voyage(world(s).theatre, at(s, start), at(s, end))


def hq_for(s: BitwState, name: str) -> int:
    number = u(name)
    if s.place[number] >= OFF:
        stand(s, name, "london" if name.startswith(("uk", "us")) else "berlin")
    activate(s, number)
    return number


@pytest.mark.rule("18.0a", "18.0c")
def test_18_0_from_port_to_port_on_one_sea_by_order_of_a_leader() -> None:
    s = europe("SBW2")
    corps = stand(s, "uk-13", "southampton")
    assert sea.why_not_ship(s, corps) is sea.NO_SEA_ORDER
    hq_for(s, "uk-mon")
    assert sea.why_not_ship(s, corps) is sea.NO_SEA_ORDER  # an armour HQ orders no ships
    hq_for(s, "uk-chu")
    assert sea.why_not_ship(s, corps) is None
    s.owner[at(s, "cherbourg")] = IDS["US"]
    assert sea.why_not_land(s, corps, at(s, "cherbourg")) is None
    assert sea.why_not_land(s, corps, at(s, "paris")) is sea.NOT_IN_PORT
    s.owner[at(s, "napoli")] = IDS["UK"]
    assert sea.why_not_land(s, corps, at(s, "napoli")) is sea.OTHER_SEA
    s.flags[corps] = MOVED
    assert sea.why_not_ship(s, corps) is sea.MOVED_ALREADY
    put(s, corps, at(s, "oxford"))
    s.flags[corps] = 0
    assert sea.why_not_ship(s, corps) is sea.NOT_IN_PORT


@pytest.mark.rule("18.0a", "18.0c")
def test_18_0_a_voyage_is_ordered_played_and_paid() -> None:
    s = europe()
    go_to(s, "7.5", 1)
    corps = stand(s, "uk-13", "portsmouth")
    leader = hq_for(s, "uk-chu")
    before = s.fuel[leader]
    s.loaded = (1,)
    GAME.obey(s, 1, ("ship", "uk-13"))
    assert isinstance(s.frames[-1], Shipping)
    names = world(s).theatre.names
    GAME.obey(s, 1, ("to", names[at(s, "plymouth")]))
    assert (s.place[corps], s.fuel[leader]) == (at(s, "plymouth"), before - 1)
    assert s.flags[corps] & MOVED
    found = GAME.why(s, 1, ("ship", "uk-13"))
    assert found is not None
    second = stand(s, "uk-30", "portsmouth")
    assert sea.why_not_ship(s, second) is sea.NO_SEA_ORDER  # a leader orders one a turn


@pytest.mark.rule("6.1.1-static-a")
def test_18_0_static_infantry_sails_and_forts_do_not() -> None:
    s = europe()
    static = stand(s, "de-25s", "kiel")
    hq_for(s, "de-f")
    assert sea.why_not_ship(s, static) is None
    assert sea.why_not_ship(s, stand(s, "de-fort-calais", "kiel")) is sea.NOT_BY_SEA
    off = GAME.setup("SBW3", {"advanced": "on"}, "x")
    stand(off, "de-25s", "kiel")
    assert sea.why_not_ship(off, static) is sea.NOT_BY_SEA


@pytest.mark.rule("18.0b", "9.2d", "14.0-shoals", "11.3b")
def test_18_0b_inland_ports_ice_and_shoals() -> None:
    s = europe("SBW2")
    t = world(s).theatre
    antwerp = at(s, "antwerpen")
    for n in (antwerp, *t.letters[antwerp]):
        s.owner[n] = IDS["UK"]
    assert sea.why_not_sail_from(s, 1, antwerp) is None
    s.owner[t.letters[antwerp][0]] = IDS["DE"]
    assert sea.why_not_sail_from(s, 1, antwerp) is sea.INLAND_PORT
    s.sky = SNOW
    assert sea.why_not_sail_from(s, 0, at(s, "danzig")) is sea.ICE
    s.owner[at(s, "stavanger")] = IDS["UK"]
    assert sea.why_not_sail_from(s, 1, at(s, "stavanger")) is sea.SHOALS


@pytest.mark.rule("7.5.5d")
def test_7_5_5d_through_the_strait_of_calais() -> None:
    s = europe()
    assert sea.passes_strait(s, way(s, "hull", "cherbourg"))
    assert not sea.passes_strait(s, way(s, "southampton", "cherbourg"))
    assert not sea.passes_strait(s, way(s, "southampton", "calais"))
    for calais, lost in (("UK", 0), ("DE", 2)):
        twin = europe()
        corps = stand(twin, "uk-13", "hull", 4)
        twin.owner[at(twin, "cherbourg")] = IDS["FR"]
        twin.owner[at(twin, "calais")] = IDS[calais]
        twin.loaded = (1,) * 3
        sea.sail(twin, corps, at(twin, "cherbourg"))
        assert twin.steps[corps] == 4 - lost


@pytest.mark.rule("7.5.5f", "18.1.3")
def test_7_5_5f_the_kiel_canal() -> None:
    s = europe()
    canal = [h for h in range(world(s).theatre.hexes) if "kiel-canal" in world(s).theatre.board.tags[h]]
    assert len(canal) == 8
    assert sea.canal_is_open(s, 0)
    assert sea.seas_from(s, 0, at(s, "kiel")) == {"baltic", "atlantic"}
    playable = next(h for h in canal if world(s).theatre.playable[h])
    s.owner[playable] = IDS["UK"]
    assert not sea.canal_is_open(s, 0)
    assert sea.seas_from(s, 0, at(s, "danzig")) == {"baltic"}
    assert not sea.canal_is_open(europe("SBW2"), 0)  # after April 1944


@pytest.mark.rule("18.1a", "3.7e")
@pytest.mark.parametrize(("die", "steps"), [(1, 4), (3, 4), (4, 3), (5, 3), (6, 0)])
def test_18_1a_the_die_of_mines_and_submarines(die: int, steps: int) -> None:
    s = europe()
    corps = stand(s, "uk-13", "portsmouth", 4)
    s.loaded, s.events = (die,), []
    sea.sail(s, corps, at(s, "plymouth"))
    assert s.steps[corps] == steps
    assert (s.place[corps] == POOL) == (die == 6)
    assert [(e.rule, e.data["side"]) for e in s.events if e.kind == "roll"] == [("18.1a", 0)]


@pytest.mark.rule("18.1a")
def test_18_1a_no_die_where_nobody_threatens() -> None:
    s = europe("SBW2")
    t = world(s).theatre
    for n in t.ports:
        if t.sea[n] == "mediterranean":
            s.owner[n] = IDS["US"]
    path = way(s, "napoli", "genova")
    assert not sea.is_mined(s, path)
    assert sea.danger(s, 1, ["mediterranean"], path) == (7, 7)
    s.owner[at(s, "genova")] = IDS["DE"]
    assert sea.danger(s, 1, ["mediterranean"], path) == (4, 6)


@pytest.mark.rule("18.1.1", "18.1.1-bite")
def test_18_1_1_the_baltic_is_an_axis_lake() -> None:
    s = europe()
    s.owner[at(s, "copenhagen")] = IDS["UK"]
    assert sea.danger(s, 0, ["baltic"], way(s, "kiel", "danzig")) == (7, 7)
    corps = stand(s, "de-26", "kiel")
    s.events = []
    sea.sail(s, corps, at(s, "danzig"))
    assert not [e for e in s.events if e.kind == "roll"]


@pytest.mark.rule("18.1.2", "36.0c")
def test_18_1_2_after_italys_surrender() -> None:
    s = europe("SBW2")
    s.turn = -15  # August 1943
    path = way(s, "palermo", "napoli")
    s.owner[at(s, "genova")] = IDS["DE"]
    assert sea.danger(s, 1, ["mediterranean"], path) == (4, 6)
    assert waters.why_closed(s, 0, "mediterranean") is None
    assert not waters.feeds_no_more(s, 0, "mediterranean")
    s.status[IDS["IT"]] |= OUT
    assert sea.danger(s, 1, ["mediterranean"], path) == (6, 7)
    assert waters.why_closed(s, 0, "mediterranean") is waters.SEA_CLOSED["18.1.2"]
    assert waters.feeds_no_more(s, 0, "mediterranean")
    assert not waters.feeds_no_more(s, 1, "mediterranean")
    s.owner[at(s, "genova")] = IDS["DE"]
    note_conditions(s)
    assert at(s, "genova") not in supply.open_ports(s, 0)


@pytest.mark.rule("18.1.3")
def test_18_1_3_after_operation_maple() -> None:
    s = europe("SBW2")  # December 1944
    inside, outside = way(s, "portsmouth", "cherbourg"), way(s, "liverpool", "brest")
    s.owner[at(s, "brest")] = IDS["DE"]
    assert sea.danger(s, 1, ["atlantic"], inside) == (7, 7)
    for start, end in (("southampton", "omaha-utah"), ("dover", "dieppe"), ("dover", "calais")):  # ports at its edge
        assert sea.danger(s, 1, ["atlantic"], way(s, start, end)) == (7, 7), (start, end)
    assert sea.danger(s, 1, ["atlantic"], outside) == (6, 6)
    assert waters.why_closed(s, 0, "atlantic") is waters.SEA_CLOSED["18.1.3"]
    assert waters.why_closed(s, 0, "mediterranean") is not None
    assert waters.why_closed(s, 0, "baltic") is None
    assert at(s, "brest") not in supply.open_ports(s, 0)
    s.turn = -8  # March 1944
    note_conditions(s)
    assert waters.why_closed(s, 0, "atlantic") is None
    assert at(s, "brest") in supply.open_ports(s, 0)


@pytest.mark.rule("18.0d")
def test_18_0d_fleets_do_not_stop_supply() -> None:
    s = europe("SBW2")
    s.turn = -20
    note_conditions(s)
    s.owner[at(s, "brest")] = IDS["DE"]
    s.owner[at(s, "cherbourg")] = IDS["US"]
    assert at(s, "cherbourg") in supply.open_ports(s, 1)
    assert at(s, "brest") in supply.open_ports(s, 0)


@pytest.mark.rule("18.1b")
@pytest.mark.parametrize(("die", "losses"), [(1, 1), (2, 0)])
def test_18_1b_a_sunk_american_unit_moves_morale_on_a_one(die: int, losses: int) -> None:
    s = europe("SBW2")
    corps = stand(s, "us-82", "liverpool", 1)
    s.us_losses, s.loaded = 0, (die,)
    sea.sink(s, corps)
    assert (s.us_losses, s.place[corps]) == (losses, POOL)


@pytest.mark.rule("18.1c")
def test_18_1c_aircraft_by_sea_run_the_same_risk() -> None:
    s = europe()
    wing = stand(s, "uk-11g", "portsmouth", 5)
    s.loaded = (5,)
    sea.sail(s, wing, at(s, "plymouth"))
    assert s.steps[wing] == 3


@pytest.mark.rule("5.3-evac")
def test_a78_the_evacuation_is_the_leaders_business_now() -> None:
    from grognard.games.bitw.rules.rail import NO_EVACUATION, why_not_sail

    s = europe()
    corps = stand(s, "uk-1", "calais")
    assert why_not_sail(s, corps) is NO_EVACUATION
    s.flags[corps] |= OOS
    hq_for(s, "uk-chu")
    assert sea.why_not_ship(s, corps) is None  # even out of supply


@pytest.mark.rule("6.7.2a", "18.0a")
def test_6_7_2_ships_sail_to_a_mulberry_while_it_is_whole() -> None:
    """A Mulberry is a port in all effects: both nations may sail there; one hit closes it for a turn."""
    s = europe("SBW2")
    t = world(s).theatre
    beach = next(
        n
        for n in range(t.hexes)
        if t.coastal[n] and not t.port[n] and not t.sea[n] and sea.voyage(t, at(s, "portsmouth"), n)
        and nearest_sea(t.board, n) == "atlantic"
    )  # fmt: skip
    s.owner[beach] = IDS["US"]
    corps = stand(s, "uk-13", "portsmouth")
    hq_for(s, "uk-chu")
    assert sea.why_not_land(s, corps, beach) is sea.NOT_IN_PORT
    assert beach not in sea.voyages(s, corps)
    s.harbour[0] = beach
    assert sea.why_not_land(s, corps, beach) is None
    assert beach in sea.voyages(s, corps)
    assert beach not in sea.sailing_ports(s, 0)  # not the enemy's
    harbours.bomb_harbour(s, 0, 1)
    assert sea.why_not_land(s, corps, beach) is sea.BOMBED_HARBOUR
    assert beach not in sea.voyages(s, corps)
    s.harbour_hits[0] = 0
    s.loaded = (1,)
    sea.sail(s, corps, beach)
    assert s.place[corps] == beach
    s.flags[corps] = 0
    assert sea.why_not_sail_from(s, 1, beach) is None  # and home again
