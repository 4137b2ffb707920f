"""The small dice of the odds book: against every fall of the dice, and against the game's own rules."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from grognard.games.bitw.frames import Match, PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case, render_case
from grognard.games.bitw.odds.book import KINDS
from grognard.games.bitw.rules import convoys, factories, italy, resistance, wonder
from grognard.games.bitw.rules.colours import points_at_sea
from grognard.games.bitw.rules.guide import berlin_encircled
from grognard.games.bitw.rules.weather import KINDS as SKIES
from grognard.games.bitw.rules.weather import UNROLLED, check_weather
from grognard.games.bitw.state import BitwState
from grognard.games.bitw.world import POWERS, UNITS, world
from grognard.kernel.dice import explore

from .table import node, position, u

Law = dict[Any, Fraction]
IDS = {p.id: p.index for p in POWERS}


def added(pairs: Iterable[tuple[Any, Fraction]]) -> Law:
    """Chances added up by outcome."""
    found: Law = {}
    for key, p in pairs:
        found[key] = found.get(key, Fraction(0)) + p
    return found


def law(part: dict[str, Any]) -> Law:
    """A law of an answer as fractions."""
    return {key: Fraction(share["p"]) for key, share in part.items()}


def thrown(dice: int) -> Iterable[tuple[tuple[int, ...], Fraction]]:
    """Every fall of some dice."""
    return ((fall, Fraction(1, 6**dice)) for fall in product(range(1, 7), repeat=dice))


def played(s: BitwState, run: Any, read: Any) -> Law:
    """What the rules themselves bring, on every fall of their dice."""
    return added((read(t), p) for p, t in explore(s, run))


# Weather


@pytest.mark.rule("9.0a", "9.0b", "39.0a", "9.0.1")
@pytest.mark.parametrize("month", ["1944-04", "1944-10", "1944-11", "1944-12", "1944-06"])
@pytest.mark.parametrize("optional", [False, True])
def test_the_weather_of_a_month(month: str, optional: bool) -> None:
    s = position(options={"advanced": "on", "light-rain": "on" if optional else "off"}, first=month)
    s.rolled_sky = UNROLLED  # else dice are rolled again without end
    for south in (False, True):
        answer = odds_case({"kind": "weather", "month": month, "optional": optional, "mediterranean": south})
        found = played(s, lambda t: check_weather(t, Match()), lambda t, at=south: SKIES[t.south if at else t.sky])
        assert law(answer["law"]) == found
        assert answer["fixed"] == (len(found) == 1)


@pytest.mark.rule("39.0a")
def test_weather_that_cannot_come_again() -> None:
    answer = odds_case({"kind": "weather", "month": "1944-10", "optional": True, "previous": "rain"})
    assert law(answer["law"]) == {"good": Fraction(1, 2), "light_rain": Fraction(1, 2)}
    south = {"kind": "weather", "month": "1944-10", "optional": True, "previous": "good", "mediterranean": True}
    assert law(odds_case(south)["law"]) == {"good": Fraction(3, 4), "light_rain": Fraction(1, 4)}
    plain = odds_case({"kind": "weather", "month": "1944-10", "previous": "rain"})
    assert law(plain["law"]) == {"good": Fraction(1, 2), "rain": Fraction(1, 2)}  # without 39.0 it may


# Goods and convoys

CARGO = {"kind": "cargo", "side": "axis", "sea": "mediterranean", "month": "1943-07", "points": 3}


@pytest.mark.rule("11.3a", "11.3b", "18.2a", "18.1.1", "18.2.1")
def test_goods_by_sea() -> None:
    found = added((str(3 - sum(d == 6 for d in fall)), p) for fall, p in thrown(3))
    answer = odds_case(CARGO)
    assert (law(answer["law"]), answer["mean"], answer["dice"]) == (found, "5/2", 3)
    for safe in ({"route": "shoals"}, {"sea": "baltic"}, {"enemy_controls": False}):
        assert law(odds_case(CARGO | safe)["law"]) == {"3": Fraction(1)}
    assert odds_case(CARGO | {"side": "allies", "sea": "atlantic"})["error"]["rule"] == "18.2.1"
    assert odds_case(CARGO | {"side": "allies", "sea": "channel"})["error"]["rule"] == "18.2.1"
    assert odds_case(CARGO | {"italy_surrendered": True})["error"]["rule"] == "18.1.2"
    for wrong in ({"points": -1}, {"points": None}, {"points": True}, {"route": "canal"}, {"units": []}):
        assert odds_case(CARGO | wrong)["error"]["rule"] == "odds"


@pytest.mark.rule("11.3a")
def test_goods_by_sea_as_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    s = position(options={"advanced": "on"})
    monkeypatch.setattr("grognard.games.bitw.rules.colours.sea_of_centre", lambda *_: "mediterranean")
    monkeypatch.setattr("grognard.games.bitw.rules.colours.controls_sea", lambda *_: True)
    seen: list[int] = []

    def run(t: BitwState) -> None:
        seen.append(points_at_sea(t, IDS["IT"], node("0702"), 3))

    found: Law = {}
    for p, _ in explore(s, run):
        found[str(seen[-1])] = found.get(str(seen[-1]), Fraction(0)) + p
    assert law(odds_case(CARGO)["law"]) == found


@pytest.mark.rule("35.2a", "18.2.1", "35.2b")
@pytest.mark.parametrize("reading", ["steps", "boats"])
def test_convoys_as_they_are_played(reading: str) -> None:
    options = {"advanced": "on", "submarines": "on", "lend-lease": "on", "submarine-dice": reading}
    s = GAME.setup("SBW5", options, "x")
    s.submarines[:] = bytearray((2, 1, 0))
    case: dict[str, Any] = {"kind": "convoy", "submarines": {"NA": 2, "CA": 1}, "rulings": {"submarine_dice": reading}}
    found = played(s, lambda t: convoys.hunt_convoys(t, PlayerTurn(side=1)), lambda t: str(t.convoy_loss))
    answer = odds_case(case)
    assert law(answer["yellow_lost"]) == found
    assert answer["dice"] == (3 if reading == "steps" else 2)
    s.lend_lease = 1

    def run(t: BitwState) -> None:
        c = PlayerTurn(side=1, aimed=2)
        convoys.hunt_convoys(t, c)
        t.lent[:] = bytearray(2)
        loss = t.convoy_loss
        convoys.receive_goods(t, c)
        t.convoy_loss = loss

    goods = played(s, run, lambda t: (f"{3 - t.lent[0]} red {2 - t.lent[1]} blue", str(t.convoy_loss)))
    answer = odds_case(case | {"lend_lease": True})
    assert law(answer["coloured_lost"]) == added((key[0], p) for key, p in goods.items())
    assert law(answer["yellow_lost"]) == added((key[1], p) for key, p in goods.items())


@pytest.mark.rule("35.2a", "35.2b")
def test_convoys_by_hand() -> None:
    six = {"kind": "convoy", "submarines": {"NA": 2, "CA": 2, "SA": 2}, "yellow": 3}
    found = added((str(min(3, 2 * sum(d == 6 for d in fall))), p) for fall, p in thrown(6))
    assert law(odds_case(six)["yellow_lost"]) == found
    pool = odds_case(six | {"lend_lease": True, "pool": {"red": 1, "blue": 0}})
    assert law(pool["coloured_lost"]) == {"0 red 0 blue": Fraction(25, 36), "1 red 0 blue": Fraction(11, 36)}
    draws = added(
        (f"{sum(x < 3 for x in two)} red {sum(x >= 3 for x in two)} blue", Fraction(1, 10))
        for two in combinations(range(5), 2)
    )
    both = law(odds_case(six | {"lend_lease": True})["coloured_lost"])
    assert {key: p * 36 for key, p in both.items() if key in draws} == draws
    for wrong, rule in (
        ({"submarines": {"NA": 3}}, "35.2a"),
        ({"submarines": {"PA": 1}}, "35.2a"),
        ({"submarines": {"NA": True}}, "35.2a"),
        ({"submarines": None}, "35.2a"),
        ({"submarines": {"CA": 2}, "lend_lease": True}, "35.2b"),
        ({"yellow": -1}, "odds"),
        ({"pool": {"green": 1}}, "odds"),
        ({"rulings": {"submarine_dice": "crews"}}, "odds"),
        ({"tier": "basic"}, "7.0a"),
    ):
        assert odds_case(six | wrong)["error"]["rule"] == rule


# Rockets


@pytest.mark.rule("26.1b", "26.2b")
def test_rockets_on_a_city() -> None:
    both = odds_case({"kind": "rockets", "month": "1944-09", "weapons": ["v1", "v2"]})
    assert law(both["yellow_lost"]) == added((str(sum(d == 6 for d in fall)), p) for fall, p in thrown(6))
    one = odds_case({"kind": "rockets", "month": "1944-06"})
    assert law(one["yellow_lost"]) == {"0": Fraction(25, 36), "1": Fraction(10, 36), "2": Fraction(1, 36)}


@pytest.mark.rule("26.2b")
@pytest.mark.parametrize("target", ["uk-3", "uk-8a", "us-5a"])
def test_rockets_on_a_unit_as_they_are_played(target: str) -> None:
    s = position(f"0505: {target}", options={"advanced": "on", "wunderwaffen": "on"}, first="1944-09")

    def run(t: BitwState) -> None:
        t.place[wonder.ROCKETEERS] = 65535
        wonder.AimRockets().apply(t, PlayerTurn(side=1), 0, "rocket-units", node("0505"))

    found = played(s, run, lambda t: str(t.steps[u(target)]) if t.place[u(target)] == node("0505") else "lost")
    answer = odds_case({"kind": "rockets", "month": "1944-09", "weapons": ["v2"], "target": target})
    assert answer["target"]["unit"] == target
    assert law(answer["target"]["law"]) == found
    assert law(answer["yellow_lost"]) == {"0": Fraction(1)}


@pytest.mark.rule("26.2b", "3.15c")
def test_26_2b_a_rocket_costs_a_printed_step_whatever_the_gap() -> None:
    guns = UNITS[u("uk-8a")]
    assert guns.pattern.below[4] == 2
    s = position(f"0505: {guns.id} 4", options={"advanced": "on", "wunderwaffen": "on"}, first="1944-09")
    wonder.hit_ground(s, node("0505"))
    assert (s.steps[guns.index], s.half[guns.index]) == (2, 0)


@pytest.mark.rule("26.1a", "26.2a")
@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"month": "1944-05"}, "26.1a"),
        ({"coast": False}, "26.1a"),
        ({"peenemunde": False}, "26.1a"),
        ({"berlin": False, "weapons": ["v2"]}, "26.2a"),
        ({"weapons": ["v2"], "month": "1944-08"}, "26.2a"),
        ({"weapons": ["v2"], "corps_in_range": False}, "26.2a"),
        ({"target": "uk-3"}, "26.2a"),
        ({"weapons": ["v2"], "target": "de-26"}, "26.2a"),
        ({"weapons": ["v2"], "target": "uk-3g"}, "26.2a"),
        ({"weapons": ["v3"]}, "odds"),
        ({"weapons": ["v1", "v1"]}, "odds"),
        ({"range": 5}, "odds"),
    ],
)
def test_rockets_that_do_not_fly(more: dict[str, Any], rule: str) -> None:
    assert odds_case({"kind": "rockets", "month": "1944-10"} | more)["error"]["rule"] == rule


# Partisans


@pytest.mark.rule("29.1d", "29.1e", "29.1f")
@pytest.mark.parametrize("discs", [2, 3])
@pytest.mark.parametrize(
    ("at", "terrain", "units"),
    [
        ("0806", {"city": "major"}, "de-84 2"),
        ("0605", {}, "de-84 1, de-15a 1"),
        ("0206", {"terrain": "forest"}, "de-84 4"),
    ],
)
def test_partisans_as_they_are_played(discs: int, at: str, terrain: dict[str, str], units: str) -> None:
    options = {"advanced": "on", "partisans": "on", "brigade-fight": "round"}
    s = position(f"{at}: {units}", options=options, first="1944-06", in_play=["NL"])
    s.owner[node(at)] = IDS["DE"]
    s.works[node(at)] = 0
    s.partisans = ((node(at), discs),)
    terrain = {"city": "minor" if world(s).theatre.city[node(at)] else "none"} | terrain
    if world(s).theatre.terrain[node(at)] != terrain.get("terrain", "clear"):
        terrain |= {"terrain": world(s).theatre.terrain[node(at)]}
    names = [name.split()[0] for name in units.split(", ")]
    listed = [{"unit": name.split()[0], "steps": int(name.split()[1])} for name in units.split(", ")]
    answer = odds_case({"kind": "partisans", "month": "1944-06", "discs": discs, "hex": terrain, "attacker": listed})
    found = played(
        s,
        lambda t: resistance.sweep(t, PlayerTurn(side=0)),
        lambda t: (tuple(t.steps[u(x)] if t.place[u(x)] == node(at) else -1 for x in names), not t.partisans),
    )
    told: Law = {}
    for key, p in law(answer["law"]).items():
        mine, theirs = (side.split(",") for side in key.split(" | "))
        steps = tuple(-1 if x == "X" else int(x.partition("'")[0]) for x in mine)
        gone = all(x == "X" for x in theirs)
        told[steps, gone] = told.get((steps, gone), Fraction(0)) + p
    assert told == found
    assert [unit["unit"] for unit in answer["units"]][-1] == f"partisans-{discs - 1}"


@pytest.mark.rule("29.1d")
def test_a_single_disc_goes_without_a_roll() -> None:
    case: dict[str, Any] = {"kind": "partisans", "discs": 1, "month": "1944-06", "attacker": [{"unit": "de-84"}]}
    assert law({"1": odds_case(case)["removed"]}) == {"1": Fraction(1)}
    for wrong, rule in (
        ({"discs": 4}, "odds"),
        ({"discs": None}, "odds"),
        ({"attacker": [{"unit": "uk-3"}]}, "3.1"),
        ({"attacker": [{"unit": "de-1fk"}]}, "29.1d"),
        ({"attacker": []}, "3.22"),
        ({"attacker": [{"unit": "de-25s"}]}, "6.1.1-static-b"),
        ({"defender": []}, "odds"),
        ({"tier": "basic"}, "7.0a"),
    ):
        assert odds_case(case | wrong)["error"]["rule"] == rule


# The King, factories, Berlin


@pytest.mark.rule("36.0a")
@pytest.mark.parametrize("units", [0, 1, 4, 6, 7, 9])
def test_the_dismissal(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    s = GAME.setup("SBW4", {}, "x")
    monkeypatch.setattr(italy, "allies_in_italy", lambda _: units)
    found = played(s, italy.try_dismissal, lambda t: t.duce == italy.DISMISSED).get(True, Fraction(0))
    answer = odds_case({"kind": "dismissal", "units": [units, units]})
    assert Fraction(answer["first"]["p"]) == found
    want = {"1": found, "2": (1 - found) * found, "never": (1 - found) ** 2}
    assert law(answer["law"]) == {key: p for key, p in want.items() if p}
    for wrong in ([], [-1], [True], ["3"], None):
        assert odds_case({"kind": "dismissal", "units": wrong})["error"]["rule"] == "odds"


@pytest.mark.rule("15.1b", "15.1c")
def test_the_place_of_a_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = (2, 0, 1, 0, 2, 0)
    s = position(options={"advanced": "on", "factories": "on"})
    monkeypatch.setattr(factories, "free_of", lambda _s, _side, _colour, die: [0] * rooms[die - 1])
    first = added((str(fall[0]), p) for fall, p in thrown(1) if rooms[fall[0] - 1])
    again = sum(first.values())
    answer = odds_case({"kind": "factory", "free": list(rooms)})
    assert law(answer["law"]) == {row: p / again for row, p in first.items()}
    seen = {factories.die_for_site(s, 0, 0) for s.seed in (f"{n:064x}" for n in range(40))}
    assert {str(die) for die in seen} == set(first)
    assert law(odds_case({"kind": "factory", "free": [0] * 6})["law"]) == {"free choice": Fraction(1)}
    for wrong in ([1] * 5, [3, 1, 1, 1, 1, 1], [True] * 6, None):
        assert odds_case({"kind": "factory", "free": wrong})["error"]["rule"] == "odds"


@pytest.mark.rule("guide-berlin")
def test_berlin(monkeypatch: pytest.MonkeyPatch) -> None:
    s = GAME.setup("SBW10", {"guide-berlin": "on"}, "x")
    monkeypatch.setattr("grognard.games.bitw.rules.guide.is_surrounded", lambda *_: True)
    match = Match()
    moved: Law = {}
    for p, _ in explore(s, lambda t: berlin_encircled(t, match)):
        moved["moves" if match.moving else "stays"] = moved.get("moves" if match.moving else "stays", Fraction(0)) + p
    assert law(odds_case({"kind": "berlin", "option": True})["law"]) == moved
    assert odds_case({"kind": "berlin"})["error"]["rule"] == "guide-berlin"


# Words


def test_every_kind_is_told_in_both_languages() -> None:
    cases: list[dict[str, Any]] = [
        {"kind": "weather", "month": "1944-10", "optional": True},
        CARGO,
        {"kind": "convoy", "submarines": {"NA": 2}, "lend_lease": True},
        {"kind": "rockets", "month": "1944-09", "weapons": ["v1", "v2"], "target": "uk-3"},
        {"kind": "partisans", "discs": 2, "month": "1944-06", "attacker": [{"unit": "de-84"}]},
        {"kind": "partisans", "discs": 1, "month": "1944-06", "attacker": [{"unit": "de-84"}]},
        {"kind": "dismissal", "units": [3]},
        {"kind": "factory", "free": [0] * 6},
        {"kind": "berlin", "option": True},
    ]
    assert {case["kind"] for case in cases} | {"battle", "landing", "recon", "sea", "raid"} == set(KINDS)
    for case in cases:
        english, french = (render_case(odds_case(case, lang), lang) for lang in ("en", "fr"))
        assert "%" in english
        assert english != french
        assert not any(word in english + french for word in ("odds.", "law-", "{"))


def test_unknown_words_are_refused() -> None:
    for kind in ("weather", "dismissal", "factory", "berlin", "convoy"):
        error = odds_case({"kind": kind, "sunshine": True})["error"]
        assert (error["rule"], "sunshine" in error["message"]) == ("odds", True)
