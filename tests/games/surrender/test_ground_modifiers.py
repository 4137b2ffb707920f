"""The ground list, line by line: who has a line, when, and what it is worth."""

from dataclasses import replace

import pytest

from grognard.games.surrender.rules.cases import Army, GroundCase, Marker, Rulings
from grognard.games.surrender.rules.ground_modifiers import is_assault
from grognard.games.surrender.rules.tally import tally

PLAIN = Army("italy", "infantry")
BASE = GroundCase("assault", PLAIN, Army("ussr", "infantry"))


def case(**changes) -> GroundCase:
    return replace(BASE, **changes)


def army(nation="italy", kind="infantry", **more) -> Army:
    return Army(nation, kind, **more)


def lines(c: GroundCase, role="attacker") -> dict[str, int]:
    out: dict[str, int] = {}
    for item in tally(c, role).items:
        out[item.rule] = out.get(item.rule, 0) + item.drm
    return out


# rule, changes, attacker's line, defender's line (0: no line)
LINES = [
    ("ground-drm-german", {"attacker": army("germany")}, 2, 0),
    ("ground-drm-german", {"defender": army("germany")}, 0, 2),
    ("ground-drm-german", {"attacker": army("romania")}, 0, 0),
    ("ground-drm-fr-uk-us", {"attacker": army("uk"), "defender": army("france")}, 1, 1),
    ("ground-drm-fr-uk-us", {"attacker": army("usa"), "defender": army("belgium")}, 1, 0),
    ("ground-drm-elite", {"attacker": army(elite=True)}, 1, 0),
    ("ground-drm-elite", {"defender": army(elite=True)}, 0, 1),
    ("ground-drm-reduced", {"attacker": army(reduced=True), "defender": army(reduced=True)}, -2, -2),
    ("ground-drm-low-supply", {"attacker": army(supply="low"), "defender": army(supply="low")}, -2, -2),
    ("ground-drm-low-supply", {"attacker": army(supply="none"), "defender": army(supply="full")}, 0, 0),
    ("ground-drm-shock-good", {"attacker": army(kind="shock"), "defender": army(kind="shock")}, 1, 1),
    ("ground-drm-shock-good", {"attacker": army(kind="shock"), "weather": "poor"}, 0, 0),
    ("ground-drm-shock-good", {"attacker": army(kind="shock"), "weather": "severe"}, 0, 0),
    ("ground-drm-tank-good", {"attacker": army(kind="tank"), "defender": army(kind="tank")}, 2, 2),
    ("ground-drm-tank-good", {"attacker": army(kind="tank"), "weather": "poor"}, 0, 0),
    ("ground-drm-tank-poor", {"attacker": army(kind="tank"), "defender": army(kind="tank"), "weather": "poor"}, 1, 1),
    ("ground-drm-tank-poor", {"attacker": army(kind="tank"), "weather": "severe"}, 0, 0),
    ("ground-drm-tank-poor", {"attacker": army(kind="tank")}, 0, 0),
    ("ground-drm-tank-good", {"attacker": army(kind="shock"), "defender": army(kind="motorised")}, 0, 0),
    ("ground-drm-tank-poor", {"attacker": army(kind="shock"), "defender": army(), "weather": "poor"}, 0, 0),
    ("ground-drm-shock-good", {"attacker": army(kind="tank"), "defender": army(kind="motorised")}, 0, 0),
    ("ground-drm-isolated", {"isolated": True}, 2, 0),
    ("ground-drm-isolated", {"isolated": True, "fort": True}, 2, 0),
    ("ground-drm-isolated", {"isolated": True, "island": True}, 2, 0),
    ("ground-drm-isolated", {"isolated": True, "fort": True, "island": True}, 0, 0),
    ("ground-drm-isolated", {}, 0, 0),
    ("ground-drm-attack-poor", {"weather": "poor"}, -2, 0),
    ("ground-drm-attack-poor", {"weather": "severe"}, 0, 0),
    ("ground-drm-city-difficult", {"city": True}, -1, 0),
    ("ground-drm-city-difficult", {"difficult": True}, -1, 0),
    ("ground-drm-city-difficult", {"city": True, "difficult": True}, -1, 0),
    ("ground-drm-strait", {"hexside": "strait"}, -2, 0),
    ("ground-drm-strait", {"hexside": "river"}, 0, 0),
    ("ground-drm-river-canal-mountain", {"hexside": "river"}, -1, 0),
    ("ground-drm-river-canal-mountain", {"hexside": "canal"}, -1, 0),
    ("ground-drm-river-canal-mountain", {"hexside": "mountain"}, -1, 0),
    ("ground-drm-river-canal-mountain", {"hexside": "strait"}, 0, 0),
    ("ground-drm-air-good", {"air_attacker": True}, 2, 0),
    ("ground-drm-air-good", {"air_attacker": True, "air_defender": True}, 2, 2),
    ("ground-drm-air-good", {"air_defender": True, "weather": "poor"}, 0, 0),
    ("ground-drm-air-poor", {"air_attacker": True, "air_defender": True, "weather": "poor"}, 1, 1),
    ("ground-drm-air-poor", {"air_attacker": True, "weather": "severe"}, 0, 0),
    ("assault-drm-extra-tank-shock", {"additional": (army(kind="tank"), army(kind="tank"))}, 4, 0),
    ("assault-drm-extra-tank-shock", {"additional": (army(kind="shock"),), "weather": "poor"}, 2, 0),
    ("assault-drm-extra-tank-shock", {"additional": (army(kind="shock"),), "weather": "severe"}, 0, 0),
    ("assault-drm-extra-tank-shock", {"additional": (army(),)}, 0, 0),
    ("assault-drm-extra-other", {"additional": (army(), army(kind="motorised"))}, 2, 0),
    ("assault-drm-extra-other", {"additional": (army(),), "weather": "severe"}, 1, 0),
    ("assault-drm-extra-other", {"additional": (army(kind="tank"),), "weather": "severe"}, 1, 0),
    ("assault-drm-extra-other", {"additional": (army(kind="tank"),)}, 0, 0),
    ("amphib-drm-base", {"action": "amphibious"}, -1, 0),
    ("amphib-drm-base", {"action": "assault", "coastal": True}, 0, 0),
    ("amphib-drm-naval-good", {"action": "amphibious", "naval_support": True, "coastal": True}, 2, 0),
    ("amphib-drm-naval-good", {"action": "assault", "naval_support": True, "coastal": True}, 0, 0),
    (
        "amphib-drm-naval-good",
        {"action": "amphibious", "naval_support": True, "coastal": True, "weather": "poor"},
        0,
        0,
    ),
    ("amphib-drm-naval-good", {"action": "amphibious", "naval_support": True}, 0, 0),
    (
        "amphib-drm-naval-poor",
        {"action": "amphibious", "naval_support": True, "coastal": True, "weather": "poor"},
        1,
        0,
    ),
    (
        "amphib-drm-naval-poor",
        {"action": "amphibious", "naval_support": True, "coastal": True, "weather": "severe"},
        0,
        0,
    ),
]


def of(*rules):
    """The lines of these rules."""
    return [line for line in LINES if line[0] in rules]


def check_line(rule, changes, attacker, defender):
    c = case(**changes)
    assert lines(c).get(rule, 0) == attacker
    assert lines(c, "defender").get(rule, 0) == defender


@pytest.mark.rule(
    "ground-drm-german", "ground-drm-fr-uk-us", "ground-drm-elite", "ground-drm-reduced", "ground-drm-low-supply"
)
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of("ground-drm-german", "ground-drm-fr-uk-us", "ground-drm-elite", "ground-drm-reduced", "ground-drm-low-supply"),
)
def test_ground_line_of_the_unit(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule("ground-drm-shock-good", "ground-drm-tank-good", "ground-drm-tank-poor", "ground-drm-attack-poor")
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of("ground-drm-shock-good", "ground-drm-tank-good", "ground-drm-tank-poor", "ground-drm-attack-poor"),
)
def test_ground_line_of_arms_and_weather(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule(
    "ground-drm-isolated", "ground-drm-city-difficult", "ground-drm-strait", "ground-drm-river-canal-mountain"
)
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of("ground-drm-isolated", "ground-drm-city-difficult", "ground-drm-strait", "ground-drm-river-canal-mountain"),
)
def test_ground_line_of_the_place(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule("ground-drm-air-good", "ground-drm-air-poor", "amphib-drm-naval-good", "amphib-drm-naval-poor")
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of("ground-drm-air-good", "ground-drm-air-poor", "amphib-drm-naval-good", "amphib-drm-naval-poor"),
)
def test_ground_line_of_support(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule("assault-drm-extra-tank-shock", "assault-drm-extra-other", "amphib-drm-base")
@pytest.mark.parametrize(
    ("rule", "changes", "attacker", "defender"),
    of("assault-drm-extra-tank-shock", "assault-drm-extra-other", "amphib-drm-base"),
)
def test_ground_line_of_assaults(rule, changes, attacker, defender):
    check_line(rule, changes, attacker, defender)


@pytest.mark.rule("ground-drm-scope")
def test_ground_drm_scope_ignores_additional_units():
    c = case(additional=(army("germany", elite=True, reduced=True, supply="low"),))
    assert lines(c) == {"assault-drm-extra-other": 1}


@pytest.mark.rule("ground-drm-elite")
def test_german_elite_tank_in_good_weather_totals_five():
    assert tally(case(attacker=army("germany", "tank", elite=True)), "attacker").sum == 5


@pytest.mark.rule("assault-drm-extra-tank-shock")
def test_r_01_the_other_reading():
    c = case(additional=(army(kind="tank"),), weather="poor", rulings=Rulings(extra_armour_poor=1))
    assert lines(c)["assault-drm-extra-other"] == 1
    assert "assault-drm-extra-tank-shock" not in lines(c)


@pytest.mark.rule("assault-drm-add")
def test_assault_lines_come_on_top_and_never_in_a_mobile_attack():
    german = army("germany")
    assert tally(case(attacker=german, additional=(german,)), "attacker").sum == 3
    assert tally(case(action="mobile", attacker=german, additional=(german,)), "attacker").sum == 2


@pytest.mark.rule("amphib-is-assault")
def test_amphib_is_assault():
    c = case(action="amphibious", additional=(army(), army()))
    assert is_assault(c)
    assert not is_assault(case(action="mobile"))
    assert lines(c) == {"assault-drm-extra-other": 2, "amphib-drm-base": -1}


@pytest.mark.rule("event-airdrop")
def test_airdrop_bridges_rivers_and_canals_not_mountains():
    events = {"attacker": (Marker("airdrop", 1, bridges=True),)}
    river, canal, mountain = (lines(case(hexside=h, events=events)) for h in ("river", "canal", "mountain"))
    assert river == canal == {"ground-drm-event": 1}
    assert mountain == {"ground-drm-event": 1, "ground-drm-river-canal-mountain": -1}


HALVINGS = [
    ({}, [], []),
    ({"attacker": army(supply="none")}, ["ground-halve-unsupplied"], []),
    ({"additional": (army(supply="none"),)}, ["ground-halve-unsupplied"], []),
    ({"attacker": army(supply="none"), "additional": (army(supply="none"),) * 2}, ["ground-halve-unsupplied"], []),
    ({"defender": army(supply="none")}, [], ["ground-halve-unsupplied"]),
    ({"weather": "severe"}, ["ground-halve-severe"], ["ground-halve-severe"]),
    ({"weather": "poor"}, [], []),
    ({"fort": True}, ["ground-halve-fort"], []),
    (
        {"fort": True, "weather": "severe", "attacker": army(supply="none")},
        ["ground-halve-unsupplied", "ground-halve-severe", "ground-halve-fort"],
        ["ground-halve-severe"],
    ),
]


@pytest.mark.parametrize(("changes", "attacker", "defender"), HALVINGS)
@pytest.mark.rule("ground-halve-unsupplied", "ground-halve-severe", "ground-halve-fort", "seq-5-halve")
def test_ground_halvings(changes, attacker, defender):
    assert list(tally(case(**changes), "attacker").halvings) == attacker
    assert list(tally(case(**changes), "defender").halvings) == defender
