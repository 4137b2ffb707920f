"""Chapters 15 and 17, and 0-campaign: new factories, tech levels, the campaign."""

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import FIELDS, charts, tech_level
from grognard.games.bitw.rules import factories
from grognard.games.bitw.rules.colours import coloured_income
from grognard.games.bitw.rules.definitions import power_tech
from grognard.games.bitw.rules.opening import campaign_options
from grognard.games.bitw.rules.sites import has_factory
from grognard.games.bitw.state import ASSISTED, BitwState
from grognard.games.bitw.world import POWERS, scenario_names, world

from .table import refusal

IDS = {p.id: p.index for p in POWERS}
DE, UK = IDS["DE"], IDS["UK"]
RED, BLUE, BLACK = 0, 1, 2


def europe(scenario: str = "SBW2") -> BitwState:
    s = GAME.setup(scenario, {"advanced": "on", "factories": "on"}, "x")
    s.events = []
    return s


@pytest.mark.rule("15.0a", "15.0b")
def test_15_0a_who_builds_what() -> None:
    s = europe()
    s.pp[IDS["US"]] = 5
    assert factories.why_not_work(s, 0, BLACK) is None
    assert factories.why_not_work(s, 1, BLACK) is factories.NO_OIL
    assert factories.why_not_work(s, 1, RED) is None
    assert GAME.why(s, 0, ("factory", "white")) is not None
    plain = GAME.setup("SBW2", {"advanced": "on"}, "x")
    assert refusal(plain, 0, "factory", "red") == "15.0a"
    s.pp[DE] = 0
    assert factories.why_not_work(s, 0, RED) is factories.POINT_TOO_DEAR


@pytest.mark.rule("15.1a")
def test_15_1a_one_point_a_turn_and_any_number_at_once() -> None:
    s = europe()
    s.pp[DE] = 9
    GAME.obey(s, 0, ("factory", "red"))
    assert s.works_begun == ((0, RED, 1, 1),)
    GAME.obey(s, 0, ("factory", "red"))  # a second one, not a second point
    assert s.works_begun == ((0, RED, 1, 1), (0, RED, 1, 1))
    s.turn = 2
    factories.work_on(s, 0, RED)
    assert sorted(w[2] for w in s.works_begun) == [1, 2]
    assert s.pp[DE] == 6


def finish(s: BitwState, dice: tuple[int, ...], colour: int = RED) -> list[tuple[str, str]]:
    """Pay the tenth point; the cities offered."""
    s.works_begun, s.pp[DE], s.loaded = ((0, colour, 9, 0),), 5, dice
    GAME.obey(s, 0, ("factory", ("red", "blue", "black")[colour]))
    return GAME.orders(s, 0)


@pytest.mark.rule("15.1b")
def test_15_1b_the_example_of_kassel_and_magdeburg() -> None:
    s = europe()
    t = world(s).theatre
    kassel, magdeburg = (t.find(x) for x in ("kassel", "magdeburg"))
    assert finish(s, (2,)) == [("at", t.names[n]) for n in sorted((kassel, magdeburg))]
    assert refusal(s, 0, "at", t.names[t.find("berlin")]) == "15.1b"
    GAME.obey(s, 0, ("at", t.names[magdeburg]))
    assert s.plants == ((0, RED, magdeburg, 1),)
    assert finish(s, (2,)) == [("at", t.names[kassel])]  # Magdeburg has reached its limit
    GAME.obey(s, 0, ("at", t.names[kassel]))
    assert len(finish(s, (2, 3))) == 2  # both are full: rolled again


@pytest.mark.rule("15.1c")
def test_15_1c_with_twelve_built_any_major_city() -> None:
    s = europe()
    t = world(s).theatre
    cities = [city for pair in charts().tracker[0] for city in pair]
    s.plants = tuple((0, RED, t.find(city), 0) for city in cities)
    offered = finish(s, ())
    assert len(offered) > 2
    assert ("at", t.names[t.find("hamburg")]) in offered
    assert len(finish_blue(s)) == 2


def finish_blue(s: BitwState) -> list[tuple[str, str]]:
    """The same for blue, whose places are free."""
    s.frames.pop()
    return finish(s, (1,), BLUE)


@pytest.mark.rule("15.1d", "15.0a")
def test_15_1d_it_produces_from_the_next_turn() -> None:
    s = europe()
    t = world(s).theatre
    pool = world(s).scenario.pools[0]
    before = coloured_income(s, pool, "red")
    s.plants = ((0, RED, t.find("hamburg"), 1),)
    assert coloured_income(s, pool, "red") == before
    s.turn = 2
    assert coloured_income(s, pool, "red") == before + 1
    assert coloured_income(s, pool, "blue") == pool.colours["blue"]
    assert has_factory(s, t.find("hamburg"), "red")
    s.owner[t.find("hamburg")] = UK
    assert coloured_income(s, pool, "red") == before
    assert GAME.view(s, 0)["new_factories"] == [[t.names[t.find("hamburg")], "red"]]


@pytest.mark.rule("15.1-active-a", "15.1-active-b", "11.2b")
def test_15_1_active_factories_by_their_dates() -> None:
    s = europe("SBW3")
    t = world(s).theatre
    assert not has_factory(s, t.find("bristol"), "blue")
    s.turn = 3  # July 1940
    british = [n for n in t.factories if t.country[n] == "GBR"]
    assert sum(t.factories[n].get("blue", (0, ""))[0] for n in british if has_factory(s, n, "blue")) >= 11
    late = europe("SBW2")
    german = [n for n in t.factories if t.country[n] == "GER"]
    for colour, number in (("red", 12), ("blue", 9), ("black", 4)):
        added = sum(t.factories[n].get(colour, (0, ""))[0] for n in german)
        assert added >= number, colour
        assert all(has_factory(late, n, colour) for n in german if colour in t.factories[n])
    assert not has_factory(s, t.find("kassel"), "red")


# 17 Tech levels


@pytest.mark.rule("17.0a")
def test_17_0a_four_fields_and_the_navy() -> None:
    assert FIELDS == ("infantry", "armour", "fighters", "bombers", "navy")
    assert {tech_level("DE", field, "1945-05") for field in FIELDS} <= {1, 2, 3}
    assert (tech_level("US", "navy", "1943-12"), tech_level("US", "navy", "1944-01")) == (2, 3)


@pytest.mark.rule("17.0b")
def test_17_0b_no_deduction_here() -> None:
    for name in scenario_names():
        s = GAME.setup(name, {}, "x")
        assert all(pool.research == 0 for pool in world(s).scenario.pools if POWERS[pool.nations[0]].side == 0)


@pytest.mark.rule("17.1a", "17.1b")
def test_17_1_minors_follow_their_leader() -> None:
    s = europe("SBW3")
    belgium = IDS["BE"]
    assert power_tech(s, belgium, "infantry") == 0
    s.status[belgium] |= ASSISTED
    assert power_tech(s, belgium, "infantry") == 1
    late = europe("SBW2")
    late.turn = -6  # May 1944
    assert power_tech(late, IDS["FF"], "infantry") == 1
    late.turn = -5
    assert power_tech(late, IDS["FF"], "infantry") == 2


@pytest.mark.rule("0-campaign")
def test_0_campaign_only_with_the_eastern_game_and_with_everything() -> None:
    assert campaign_options(()) is None
    assert "SBEW1" not in GAME.scenarios
    found = campaign_options(("bite",))
    assert found is not None
    assert set(found.values()) == {"on"}
    assert {"advanced", "terrain", "sea", "bombing"} <= set(found)
