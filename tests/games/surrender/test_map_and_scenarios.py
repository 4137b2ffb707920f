"""The compiled map and the scenarios on it: scale, terrain, zones, weather, England, set-ups, whole games."""

from random import Random

import pytest

from grognard.games.surrender.game import GAME
from grognard.games.surrender.loading import FACTIONS
from grognard.games.surrender.rules.board import in_england
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.rules.lines import network
from grognard.games.surrender.state import world
from grognard.games.surrender.theatre import SIDE_NAMES, TERRAINS, WEATHER_ZONES, check_scale, theatre_named
from grognard.games.surrender.world import AXIS, SOVIET
from grognard.hexes import board_from_rows
from grognard.kernel import DataError, seed_from
from grognard.kernel.session import Session

THEATRE = theatre_named("map")
HEXES = range(len(THEATRE.grid))


def at(place: str) -> int:
    return THEATRE.places[place]


def distance(a: str, b: str) -> int:
    return THEATRE.grid.distance(at(a), at(b))


@pytest.mark.rule("map-scale")
def test_map_scale_sixty_kilometres_a_hex():
    assert THEATRE.board.metres == 60_000
    with pytest.raises(DataError, match="60000 m"):
        check_scale(board_from_rows(".", {".": "clear"}))
    assert 5 <= distance("london", "paris") <= 7  # 344 km
    for a, b, km in (
        ("berlin", "moscow", 1610),
        ("paris", "berlin", 878),
        ("warsaw", "kiev", 690),
        ("rome", "vienna", 765),
    ):
        assert abs(distance(a, b) * 60 - km) < km * 0.2, (a, b)


@pytest.mark.rule("map-hex")
def test_map_hex_one_terrain_and_sound_flags():
    assert set(THEATRE.terrain) <= set(TERRAINS)
    for hex in HEXES:
        if THEATRE.port[hex]:
            assert THEATRE.coastal[hex], THEATRE.grid.names[hex]
            assert THEATRE.zones[hex], THEATRE.grid.names[hex]
        if THEATRE.land[hex]:
            assert THEATRE.country[hex] or not THEATRE.city[hex]
        if THEATRE.sea[hex]:
            assert not THEATRE.country[hex]
            assert not THEATRE.city[hex]
    assert THEATRE.city[at("paris")] == "paris"
    assert THEATRE.fort[at("metz")]
    assert THEATRE.factory[at("essen")]
    assert THEATRE.island[at("malta")]
    assert not THEATRE.city[at("bitburg")]  # a site is no city


@pytest.mark.rule("map-hexside")
def test_map_hexside_sides_agree_from_both_hexes():
    seen = set()
    for a, b in THEATRE.grid.sides:
        assert THEATRE.side(a, b) == THEATRE.side(b, a)
        seen.add(SIDE_NAMES[THEATRE.side(a, b)])
    assert seen == set(SIDE_NAMES)


@pytest.mark.rule("map-zones")
def test_map_zones_where_the_sheet_needs_them():
    for hex in HEXES:
        if THEATRE.sea[hex]:
            assert len(THEATRE.zones[hex]) == 1
        assert all(1 <= zone <= 32 for zone in THEATRE.zones[hex])
    places = {
        "brest": 7,
        "bordeaux": 7,
        "narvik": 4,
        "bergen": 3,
        "murmansk": 6,
        "lulea": 13,
        "stockholm": 13,
        "danzig": 14,
    }
    for place, zone in places.items():
        assert zone in THEATRE.zones[at(place)], place


@pytest.mark.rule("sea-hex")
def test_sea_hex_coasts_with_a_zone_are_maritime():
    assert THEATRE.maritime[at("brest")]
    assert not THEATRE.maritime[at("paris")]
    assert all(THEATRE.maritime[hex] for hex in HEXES if THEATRE.sea[hex])


@pytest.mark.rule("weather-zones")
def test_weather_zones():
    def zone(place):
        return WEATHER_ZONES[THEATRE.weather_zone[at(place)]]

    assert {p: zone(p) for p in ("rome", "paris", "moscow", "bergen", "berlin", "warsaw", "athens", "helsinki")} == {
        "rome": "south", "paris": "west", "moscow": "east", "bergen": "east", "berlin": "west", "warsaw": "west",
        "athens": "south", "helsinki": "east",
    }  # fmt: skip
    assert set(THEATRE.weather_zone) == {0, 1, 2}


@pytest.mark.rule("england")
def test_england_is_great_britain():
    s = GAME.setup("atlantic", {}, seed_from(1))
    assert all(in_england(s, at(place)) for place in ("london", "plymouth", "glasgow", "york"))
    assert not any(in_england(s, at(place)) for place in ("belfast", "dublin", "calais"))
    assert all(THEATRE.country[hex] == "uk" for hex in HEXES if THEATRE.england[hex])


@pytest.mark.rule("factory-germany")
def test_factory_germany_is_inside_its_borders():
    assert THEATRE.country[at("essen")] == "germany"
    assert THEATRE.country[at("vienna")] == "germany"
    assert THEATRE.country[at("ploesti")] != "germany"
    assert THEATRE.factory[at("ploesti")]


@pytest.mark.rule("naval-port", "naval-move")
def test_every_port_has_a_way_to_the_sea():
    for hex in HEXES:
        if THEATRE.port[hex]:
            assert THEATRE.lanes[hex], THEATRE.grid.names[hex]
            assert all(hex in THEATRE.lanes[other] for other in THEATRE.lanes[hex])


@pytest.mark.rule(
    "scenario-fall-gelb", "scenario-barbarossa", "scenario-atlantic", "scenario-two-fronts", "setup-fallback"
)
@pytest.mark.parametrize("name", GAME.scenarios)
def test_scenarios_load_soundly(name):
    s = GAME.setup(name, {}, seed_from(name))
    w = world(s)
    assert GAME.problems(s) == []
    here = [u for u, kind in enumerate(w.units) if kind.arrives == 0]
    assert all(s.at[u] >= 0 for u in here)
    moved = [w.units[u].id for u in here if s.at[u] != w.units[u].hex]
    assert len(moved) <= 2, moved  # only where two places share a hex
    for capital in w.capitals.values():
        assert w.in_play[capital]
        assert w.theatre.city[capital]
    for key in w.data.get("city_points", {}):
        assert w.in_play[w.theatre.places[key]], key


@pytest.mark.rule("scenario-barbarossa", "scenario-fall-gelb", "scenario-atlantic", "scenario-two-fronts")
def test_scenarios_say_what_the_rulebook_says():
    gelb, east, sea, fronts = (
        world(GAME.setup(n, {}, "x")) for n in ("fall-gelb", "barbarossa", "atlantic", "two-fronts")
    )
    assert (gelb.start, gelb.turns, gelb.factions) == ((1940, 5), 4, (0, 1))
    assert (east.start, east.turns, east.factions) == ((1941, 6), 9, (0, 2))
    assert (sea.start, sea.turns, sea.factions) == ((1940, 7), 24, (0, 1))
    assert (fronts.start, fronts.turns, fronts.factions) == ((1944, 6), 12, (0, 1, 2))
    assert sum(east.data["city_points"].values()) == 24
    assert sea.data["usa_western"] == "1941-12"


def test_supply_reaches_the_armies_at_the_start():
    for name in ("fall-gelb", "barbarossa", "two-fronts"):
        s = GAME.setup(name, {}, "x")
        w = world(s)
        for faction in w.factions:
            ground = network(s, faction)
            cut = [w.units[u].id for u in w.armies_of[faction] if s.at[u] >= 0 and not ground.feeds(s.at[u])]
            assert len(cut) <= 4, (name, FACTIONS[faction], cut)


@pytest.mark.rule("rng", "victory-check")
@pytest.mark.parametrize("name", GAME.scenarios)
def test_random_games_end_and_replay(name):
    """The same seed and the same choices give the same game, to the end."""

    def play(seed):
        random = Random(seed)
        s = GAME.setup(name, {}, seed_from(seed))
        chosen = []
        while GAME.actors(s):
            side = GAME.actors(s)[0]
            action = random.choice(GAME.legal(s, side))
            chosen.append((side, action))
            GAME.apply(s, side, action, trusted=True)
        return s, chosen

    s, chosen = play(5)
    assert GAME.result(s) is not None
    assert GAME.problems(s) == []
    twin = GAME.setup(name, {}, seed_from(5))
    for side, action in chosen:
        GAME.apply(twin, side, action)
    assert twin.digest() == s.digest()


def test_countries_of_the_scenarios_exist():
    for name in GAME.scenarios:
        w = world(GAME.setup(name, {}, "x"))
        for homes in w.home.values():
            assert set(homes) <= set(COUNTRIES)


@pytest.mark.rule("factions")
def test_only_the_factions_of_a_scenario_have_players():
    seated = {name: [GAME.sides[side] for side in GAME.playing(GAME.setup(name))] for name in GAME.scenarios}
    assert seated["fall-gelb"] == seated["atlantic"] == ["axis", "western"]
    assert seated["barbarossa"] == ["axis", "soviet"]
    assert seated["two-fronts"] == ["axis", "western", "soviet"]


@pytest.mark.rule("factions")
def test_who_gives_up_loses_to_a_faction_that_plays():
    session = Session.new(GAME, "barbarossa", seed="a")
    session.resign(AXIS)
    assert session.result[0] == SOVIET
    session = Session.new(GAME, "two-fronts", seed="a")
    session.state.control[at("warsaw")] = SOVIET + 1
    assert GAME.winner_over(session.state, AXIS) == SOVIET  # the Ally with more city points
    session = Session.new(GAME, "two-fronts", seed="a")
    session.resign(SOVIET)
    assert session.result[0] == AXIS


@pytest.mark.rule("factions")
def test_a_draw_needs_no_word_of_a_faction_that_does_not_play():
    session = Session.new(GAME, "barbarossa", seed="a")
    assert not session.offer_draw(AXIS)
    assert session.offer_draw(SOVIET)
    assert session.result[0] is None
