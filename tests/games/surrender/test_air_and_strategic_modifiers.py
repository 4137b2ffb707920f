"""The air/naval and strategic lists, line by line."""

from dataclasses import replace

import pytest

from grognard.games.surrender.rules.air_modifiers import is_warship
from grognard.games.surrender.rules.cases import AirCase, Marker, Rulings, StrategicCase, Wing
from grognard.games.surrender.rules.tally import tally

FACTION = {"germany": "axis", "italy": "axis", "uk": "western", "usa": "western", "france": "western", "ussr": "soviet"}


def wing(nation="italy", kind="fighter", **more) -> Wing:
    return Wing(nation, kind, FACTION[nation], **more)


BASE = AirCase("air_strike", wing(), wing("ussr"))


def lines(c, role="attacker") -> dict[str, int]:
    return {item.rule: item.drm for item in tally(c, role).items}


LINES = [
    ("air-drm-german", {"attacker": wing("germany")}, 2, 0),
    ("air-drm-german", {"defender": wing("germany", "bomber")}, 0, 2),
    ("air-drm-german", {"attacker": wing("italy"), "defender": wing("germany", "warship")}, 0, 0),
    ("air-drm-german-naval", {"attacker": wing("germany", "warship"), "defender": wing("germany", "convoy")}, 1, 1),
    ("air-drm-german-naval", {"attacker": wing("germany")}, 0, 0),
    ("air-drm-uk-us-naval", {"attacker": wing("uk", "warship"), "defender": wing("usa", "carrier")}, 2, 2),
    ("air-drm-uk-us-naval", {"attacker": wing("uk"), "defender": wing("france", "warship")}, 0, 0),
    ("air-drm-uk-us", {"attacker": wing("uk"), "defender": wing("usa", "bomber")}, 1, 1),
    ("air-drm-uk-us", {"attacker": wing("france"), "defender": wing("uk", "warship")}, 0, 0),
    ("air-drm-french-naval", {"attacker": wing("france", "warship"), "defender": wing("france")}, 1, 0),
    ("air-drm-england", {"defender": wing("uk", in_england=True)}, 0, 2),
    ("air-drm-england", {"defender": wing("uk")}, 0, 0),
    ("air-drm-england", {"defender": wing("ussr", in_england=True)}, 0, 0),
    ("air-drm-england", {"defender": wing("uk", "warship", in_england=True)}, 0, 0),
    ("air-drm-england", {"attacker": wing(in_england=True), "defender": wing("uk", in_england=True)}, 0, 0),
    ("air-drm-england", {"attacker": wing("uk", in_england=True), "defender": wing()}, 0, 0),
    *[
        ("air-drm-england", {"defender": wing("uk", in_england=True), "mission": mission}, 0, 0)
        for mission in ("ground_support", "escort", "interdiction_bombing")
    ],
    ("air-drm-carrier-good", {"attacker": wing("uk", "carrier"), "defender": wing("uk", "warship")}, 2, 0),
    ("air-drm-carrier-good", {"attacker": wing("uk", "carrier"), "weather": "poor"}, 0, 0),
    ("air-drm-carrier-poor", {"attacker": wing("uk", "carrier"), "weather": "poor"}, 1, 0),
    ("air-drm-carrier-poor", {"attacker": wing("uk", "carrier")}, 0, 0),
    ("air-drm-carrier-severe", {"attacker": wing("uk", "carrier"), "weather": "severe"}, -1, 0),
    ("air-drm-carrier-severe", {"attacker": wing("uk", "carrier"), "weather": "poor"}, 0, 0),
    ("air-drm-bomber", {"attacker": wing("uk", "bomber"), "defender": wing("germany", "bomber")}, -2, -2),
    ("air-drm-bomber", {}, 0, 0),
    ("air-drm-convoy", {"attacker": wing(), "defender": wing("italy", "convoy")}, 0, -2),
    ("air-drm-low-supply", {"attacker": wing(supply="low"), "defender": wing("ussr", supply="low")}, -2, -2),
    ("air-drm-low-supply", {"attacker": wing(supply="none"), "defender": wing("ussr")}, 0, 0),
    ("air-drm-air-vs-naval", {"attacker": wing(), "defender": wing("uk", "warship")}, 1, 0),
    ("air-drm-air-vs-naval", {"attacker": wing(), "defender": wing("uk", "carrier")}, 1, 0),
    ("air-drm-air-vs-naval", {"attacker": wing("uk", "convoy"), "defender": wing()}, 0, 1),
    ("air-drm-air-vs-naval", {"attacker": wing("uk", "carrier"), "defender": wing("italy", "warship")}, 0, 0),
    ("air-drm-air-vs-naval", {"attacker": wing(), "defender": wing("uk", "bomber")}, 0, 0),
    ("air-drm-sea-poor", {"maritime": True, "weather": "poor"}, -2, -2),
    ("air-drm-sea-poor", {"weather": "poor"}, 0, 0),
    ("air-drm-sea-poor", {"maritime": True, "weather": "severe"}, 0, 0),
    ("air-drm-sea-poor", {"maritime": True}, 0, 0),
    ("air-drm-sorties", {"attacker": wing(sorties=3)}, -3, 0),
    ("air-drm-sorties", {"defender": wing(sorties=6)}, 0, -6),
]


def of(*rules):
    """The lines of these rules."""
    return [line for line in LINES if line[0] in rules]


def check_line(rule, changes, attacker, defender):
    c = replace(BASE, **changes)
    assert lines(c).get(rule, 0) == attacker
    assert lines(c, "defender").get(rule, 0) == defender


@pytest.mark.rule(
    "air-drm-german", "air-drm-german-naval", "air-drm-uk-us-naval", "air-drm-uk-us", "air-drm-french-naval"
)
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of("air-drm-german", "air-drm-german-naval", "air-drm-uk-us-naval", "air-drm-uk-us", "air-drm-french-naval"),
)
def test_air_line_of_nations(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule(
    "air-drm-carrier-good",
    "air-drm-carrier-poor",
    "air-drm-carrier-severe",
    "air-drm-bomber",
    "air-drm-convoy",
    "air-drm-air-vs-naval",
)
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of(
        "air-drm-carrier-good",
        "air-drm-carrier-poor",
        "air-drm-carrier-severe",
        "air-drm-bomber",
        "air-drm-convoy",
        "air-drm-air-vs-naval",
    ),
)
def test_air_line_of_types(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule("air-drm-england", "air-drm-low-supply", "air-drm-sea-poor", "air-drm-sorties")
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of("air-drm-england", "air-drm-low-supply", "air-drm-sea-poor", "air-drm-sorties"),
)
def test_air_line_of_state_and_place(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule("unit-air", "unit-naval", "air-drm-air-vs-naval")
def test_r_12_and_r_13_what_flies_and_what_sails():
    totals = {
        ("uk", "convoy"): 0, ("germany", "bomber"): 0, ("uk", "bomber"): -1, ("italy", "convoy"): -2,
        ("uk", "carrier"): 4,
    }  # fmt: skip
    for (nation, kind), total in totals.items():
        assert tally(replace(BASE, attacker=wing(nation, kind), defender=wing("ussr")), "attacker").sum == total
    ship = replace(BASE, attacker=wing("uk", "carrier"), defender=wing("italy", "warship"))
    assert "air-drm-air-vs-naval" in lines(replace(ship, rulings=Rulings(carrier_flies=True)))
    assert [is_warship(k) for k in ("warship", "carrier", "convoy", "fighter")] == [True, True, False, False]


AIR_HALVINGS = [
    ({"attacker": wing(supply="none")}, ["air-halve-unsupplied"], []),
    ({"defender": wing(supply="none")}, [], ["air-halve-unsupplied"]),
    ({"maritime": True, "weather": "severe"}, ["air-halve-sea-severe"], ["air-halve-sea-severe"]),
    ({"weather": "severe"}, [], []),
    ({"maritime": True, "weather": "poor"}, [], []),
    (
        {"maritime": True, "weather": "severe", "attacker": wing(supply="none")},
        ["air-halve-unsupplied", "air-halve-sea-severe"],
        ["air-halve-sea-severe"],
    ),
]


@pytest.mark.parametrize(("changes", "attacker", "defender"), AIR_HALVINGS)
@pytest.mark.rule("air-halve-unsupplied", "air-halve-sea-severe", "air-halve-each")
def test_air_halvings(changes, attacker, defender):
    c = replace(BASE, **changes)
    assert list(tally(c, "attacker").halvings) == attacker
    assert list(tally(c, "defender").halvings) == defender


def strategic(versus="western", zones=(), **more) -> StrategicCase:
    return StrategicCase(versus, frozenset(zones), **more)


PORTS = [
    ("strategic-drm-axis-atlantic", (7,), 2, 0), ("strategic-drm-axis-atlantic", (1, 2, 7, 9), 2, 0),
    ("strategic-drm-axis-atlantic", (8,), 0, 0), ("strategic-drm-axis-3-4", (4,), 1, 1),
    ("strategic-drm-axis-3-4", (3, 4), 1, 1), ("strategic-drm-axis-6", (6,), 0, 2),
    ("strategic-drm-axis-31", (31,), 1, 0), ("strategic-drm-axis-32", (32,), 2, 2),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "zones", "west", "soviet"), PORTS)
@pytest.mark.rule(
    "strategic-drm-axis-atlantic", "strategic-drm-axis-3-4", "strategic-drm-axis-6", "strategic-drm-axis-31",
    "strategic-drm-axis-32", "strategic-sides",
)  # fmt: skip
def test_axis_ports(rule, zones, west, soviet):
    assert lines(strategic("western", zones)).get(rule, 0) == west
    assert lines(strategic("soviet", zones)).get(rule, 0) == soviet
    assert lines(strategic("western", zones), "defender") == {}


@pytest.mark.rule("strategic-drm-axis-stack")
def test_axis_port_lines_add_up():
    every = range(1, 33)
    assert tally(strategic("western", every), "attacker").sum == 6
    assert tally(strategic("soviet", every), "attacker").sum == 5
    by_zone = strategic("western", (1, 2, 7), rulings=Rulings(port_lines="zone"))
    assert tally(by_zone, "attacker").sum == 6


ALLIES = [
    ("strategic-drm-soviet-13", "soviet", {"soviet_air_in_13": True}, 2),
    ("strategic-drm-soviet-13", "soviet", {"soviet_air_in_13": True, "western_in_13": True}, 0),
    ("strategic-drm-soviet-13", "western", {"soviet_air_in_13": True}, 0),
    *[("strategic-drm-soviet-conquered", "soviet", {"conquered_allied": n}, want) for n, want in
      ((0, 0), (1, 1), (3, 1), (4, 2), (6, 2), (7, 3))],
    ("strategic-drm-soviet-conquered", "western", {"conquered_allied": 4}, 0),
    ("strategic-drm-west-usa", "western", {"usa_western": True}, 2),
    ("strategic-drm-west-usa", "western", {}, 0),
    ("strategic-drm-west-usa", "soviet", {"usa_western": True}, 0),
    ("strategic-drm-west-13", "western", {"western_in_13": True}, 2),
    ("strategic-drm-west-13", "soviet", {"western_in_13": True}, 0),
    ("strategic-drm-west-bombed", "western", {"bombed_german_factories": 3}, 3),
    ("strategic-drm-west-bombed", "soviet", {"bombed_german_factories": 3}, 0),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "versus", "facts", "drm"), ALLIES)
@pytest.mark.rule(
    "strategic-drm-soviet-13", "strategic-drm-soviet-conquered", "strategic-drm-west-usa", "strategic-drm-west-13",
    "strategic-drm-west-bombed", "strategic-drm-own-faction",
)  # fmt: skip
def test_allied_lines(rule, versus, facts, drm):
    c = strategic(versus, **facts)
    assert lines(c, "defender").get(rule, 0) == drm
    assert lines(c, "attacker") == {}


@pytest.mark.rule("strategic-halve-event")
def test_halving_markers_halve_once_each():
    def with_markers(*halve: bool) -> list[str]:
        events = {"attacker": tuple(Marker("x", 0, h) for h in halve)}
        return list(tally(strategic(events=events), "attacker").halvings)

    assert with_markers(True) == ["strategic-halve-event"]
    assert with_markers(True, True) == ["strategic-halve-event"] * 2
    assert with_markers(False) == []
    ground_like = replace(BASE, events={"attacker": (Marker("x", 0, True),)})
    assert tally(ground_like, "attacker").halvings == ()
