"""Ports, straits, canals and channels close the sea to the enemies of whoever holds them, on the real map and drawn."""

import itertools

import pytest

from grognard.games.surrender import scenarios
from grognard.games.surrender.game import GAME
from grognard.games.surrender.rules.sea import closed_to, holders, sea_distances, sea_route
from grognard.games.surrender.state import world
from grognard.games.surrender.theatre import theatre_of
from grognard.hexes import board_from_rows
from grognard.kernel import seed_from

AXIS, WESTERN, SOVIET = range(3)
FAR = 400


class Sea:
    """A scenario of the real map, asked from port to port."""

    def __init__(self, scenario="two-fronts"):
        self.s = GAME.setup(scenario, {}, seed_from(1))
        self.theatre = world(self.s).theatre
        self.places = self.theatre.places

    def way(self, start, goal, side, most=FAR):
        return sea_route(self.s, self.places[start], self.places[goal], side, most)

    def zones(self, start, side):
        reached = sea_distances(self.s, self.places[start], side, FAR)
        return {zone for hex in reached for zone in self.theatre.zones[hex]}

    def take(self, side, *countries):
        for hex, country in enumerate(self.theatre.country):
            if country in countries and self.s.control[hex] in (1, 2, 3):
                self.s.control[hex] = side + 1


@pytest.mark.rule("naval-move")
def test_naval_move_not_past_copenhagen_while_denmark_is_axis():
    sea = Sea()
    assert not sea.way("portsmouth", "konigsberg", WESTERN)
    assert not {13, 14, 15} & sea.zones("portsmouth", WESTERN)
    assert 14 in sea.zones("bergen", AXIS)  # its holder goes in and out
    sea.take(WESTERN, "denmark")
    assert sea.way("portsmouth", "konigsberg", WESTERN)


@pytest.mark.rule("naval-move")
def test_naval_move_not_through_the_ports_of_the_german_bight():
    sea = Sea()
    assert not sea.way("dover", "hamburg", WESTERN)  # up the Elbe past Wilhelmshaven and Bremerhaven
    assert sea.way("dover", "amsterdam", WESTERN, 40)  # up to a port on the open sea: a landing may be tried
    assert sea.way("hamburg", "amsterdam", AXIS, 40)


@pytest.mark.rule("naval-move")
def test_naval_move_who_holds_a_bank_of_the_channel_may_pass_it():
    sea = Sea()
    assert sea.way("brest", "rotterdam", AXIS, 40)  # Calais is German
    assert sea.way("portsmouth", "london", WESTERN, 40)  # Dover is British
    sea.take(WESTERN, "france")
    assert not sea.way("antwerp", "le-havre", AXIS, 40)
    sea.take(AXIS, "france", "uk")
    assert not sea.way("portsmouth", "rotterdam", WESTERN, 40)


def waters(sides):
    """A strip of coast between two seas: ships go from 0102 to 0302 by a canal between 0201 and 0202 alone."""
    hexes = {name: {"kind": "coast", "country": "france"} for name in ("0102", "0201", "0202", "0302")}
    hexes |= {name: {"zones": [31]} for name in ("0101", "0103", "0301", "0303")}
    signs = {".": "clear", "~": "sea"}
    return theatre_of(board_from_rows("~ . ~\n . . \n~ . ~", signs, hexes=hexes, sides=sides, name="neck"))


def neck_world(name, theatre):
    table = {
        "title": {}, "start": "1942-06", "turns": 1, "factions": ["axis", "western"], "control": {"france": "axis"},
        "home": {}, "fac_lost": {}, "unit": [], "map": "neck",
    }  # fmt: skip
    scenarios.add_world(scenarios.world_from(table, theatre, name))


@pytest.mark.rule("naval-move")
@pytest.mark.parametrize(("one", "other", "open_to_west"), [
    (1, 1, False), (1, 2, True), (2, 2, True), (0, 1, False), (0, 0, True), (3, 0, True),
])  # fmt: skip
def test_naval_move_a_canal_closes_with_a_bank_of_the_enemys_and_none_of_ours(drill, one, other, open_to_west):
    theatre = waters({"0201|0202": {"canal": True}})
    neck_world("canal", theatre)
    d = drill(scenario="canal")
    banks = [theatre.grid.hex_named(name) for name in ("0201", "0202")]
    ends = [theatre.grid.hex_named(name) for name in ("0102", "0302")]
    for hex in range(len(theatre.grid)):
        d.s.control[hex] = 2
    for bank, holder in zip(banks, (one, other)):
        d.s.control[bank] = holder
    assert (sea_distances(d.s, ends[0], WESTERN, 1).get(ends[1]) == 1) == open_to_west


@pytest.mark.rule("naval-move")
def test_naval_move_an_enemy_port_is_an_end_and_no_thoroughfare(drill):
    d = drill("1004: UK warship")
    start, port, beyond = d.hex("0802"), d.hex("0702"), d.hex("0701")
    assert d.world.theatre.port[port]
    lanes = d.world.theatre.lanes
    assert beyond in lanes[port]
    costs = sea_distances(d.s, port, WESTERN, 1)  # who starts there may leave it
    assert beyond in costs
    route = sea_route(d.s, start, port, WESTERN, 40)
    assert route[-1] == port
    for goal in sea_distances(d.s, start, WESTERN, 40):
        assert port not in sea_route(d.s, start, goal, WESTERN, 40)[:-1]


@pytest.mark.rule("naval-move")
def test_naval_move_what_is_closed_is_closed_by_an_enemy_and_by_nobody_of_ours():
    """Every pair of holders of the two shores of a channel, asked by every side; the other shores are nobody's."""
    sea = Sea()
    narrows, channels = set(sea.theatre.narrows), sea.theatre.channels
    first, second = pair = next(ends for ends in channels if narrows.issuperset(ends))
    for hex in {end for ends in channels if set(ends) & set(pair) for end in ends}:
        sea.s.control[hex] = 0
    for one, other in itertools.product(range(4), repeat=2):
        sea.s.control[first], sea.s.control[second] = one, other
        for side in range(3):
            shut, straits = closed_to(world(sea.s), holders(sea.s, side))
            foes = {1} if side else {2, 3}
            ours, told = side + 1 in (one, other), (one, other, side)
            assert (pair in straits) == (bool({one, other} & foes) and not ours), told
            assert (first in shut) == (one in foes and not ours), told
            assert (second in shut) == (other in foes and not ours), told
