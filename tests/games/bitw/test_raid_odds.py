"""The chances of raids: by hand, against every throw of the dice in play, and as a player is told them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from grognard.games.bitw.frames import PlayerTurn, Raid
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case, render_case
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules import raids, targets
from grognard.kernel import flow

from .table import act, node, position, u

MINE: dict[str, Any] = {
    "kind": "raid", "tier": "advanced", "month": "1943-08", "weather": "good", "target": "mine", "value": 3,
    "owner": "DE", "hex": {"country": "ger"}, "attacker": [{"unit": "uk-csb"}, {"unit": "uk-3g", "steps": 2}],
    "defender": [{"unit": "de-2jd"}],
}  # fmt: skip


def p(share: dict[str, str]) -> Fraction:
    return Fraction(share["p"])


@pytest.mark.rule("32.0d", "32.0e", "32.0f")
def test_32_rows_of_a_raid() -> None:
    answer = odds_case(MINE)
    rows = [
        (row["step"], row["side"], [(x["unit"], x["dice"], x["hits_on"]) for x in row["shots"]], row["locality"])
        for row in answer["steps"]
    ]
    assert rows == [
        ("air", "attacker", [("uk-csb", 4, "6"), ("uk-3g", 2, "6")], None),
        ("air", "defender", [("de-2jd", 4, "5-6")], None),
        ("aa", "defender", [], {"dice": 6, "face": 6}),
        ("bomb", "attacker", [("uk-csb", 4, "5-6"), ("uk-3g", 2, "5-6")], None),
    ]
    assert sum(p(x) for x in answer["target_hits"].values()) == 1
    assert sum(p(x) for x in answer["effects"]["points_lost"].values()) == 1
    lost = sum(p(x) for n, x in answer["target_hits"].items() if int(n) >= 3)
    assert p(answer["effects"]["points_lost"]["3"]) == lost


@pytest.mark.rule("32.0d", "32.0e", "32.0f", "32.0i")
def test_32_the_odds_are_those_of_play_over_all_throws() -> None:
    """A bomber and its escort, one step each, over a station with three dice of flak: all 1,296 throws."""
    base = position("0309: uk-3g 1, uk-10g 1", options={"advanced": "on", "bombing": "on"}, first="1939-06")
    base.frames[:] = [PlayerTurn(side=0)]
    base.events = None
    found: Counter[tuple[int, bool]] = Counter()
    for dice in product(range(1, 7), repeat=4):
        s = base.copy()
        c = Raid(hex=node("0309"), attacker=1, aim="rail", launched=1, raiders=(u("uk-3g"), u("uk-10g")))
        s.frames.append(c)
        s.loaded = dice
        raids.flak(s, c)
        while c.hits[1]:  # of equals the first
            targets_now = [x for x in c.raiders if s.place[x] == c.hex and s.steps[x] > 0]
            from grognard.games.bitw.rules.combat import SpreadHits

            SpreadHits().apply(s, c, 1, "hit", targets_now[0])
        raids.drop_bombs(s, c)
        found[targets.hits_on(s, targets.RAIL, c.hex), s.place[u("uk-10g")] == c.hex] += 1
    case = {
        "kind": "raid",
        "month": "1939-06",
        "target": "rail",
        "owner": "DE",
        "attacker": [{"unit": "uk-3g", "steps": 1}, {"unit": "uk-10g", "steps": 1}],
    }
    answer = odds_case(case)
    total = 6**4
    for hits in (0, 1):
        ways = sum(n for (number, _), n in found.items() if number == hits)
        assert p(answer["target_hits"][str(hits)]) == Fraction(ways, total)
    alive = sum(n for (_, there), n in found.items() if there)
    assert p(answer["units"][1]["survives"]) == Fraction(alive, total)
    assert p(answer["effects"]["station_blocked"]) == p(answer["target_hits"]["1"])


@pytest.mark.rule("32.0a", "32.0b", "32.0c", "32.0h", "7.1")
@pytest.mark.parametrize(
    ("change", "cited"),
    [
        ({"target": "castle"}, "32.0a"),
        ({"tier": "basic"}, "7.1"),
        ({"attacker": [{"unit": "uk-10g"}]}, "32.0b"),
        ({"attacker": [{"unit": "uk-1"}]}, "32.0b"),
        ({"attacker": [{"unit": "uk-2g"}], "month": "1940-07"}, "32.0b"),
        ({"defender": [{"unit": "de-1fk"}]}, "32.0c"),
        ({"weather": "rain"}, "32.0h"),
        ({"weather": "rain", "defender": [], "attacker": [{"unit": "us-9b"}]}, "32.0h"),
        ({"defender": [{"unit": "uk-10g"}]}, "3.1"),
        ({"attacker": [{"unit": "uk-3g"}, {"unit": "uk-3g"}]}, "1.2"),
        ({"colour": "red"}, "odds"),
    ],
)
def test_32_cases_that_are_refused(change: dict[str, Any], cited: str) -> None:
    answer = odds_case(MINE | change)
    assert answer["error"]["rule"] == cited


@pytest.mark.rule("32.0h", "32.0e", "32.1", "32.2")
def test_32_weather_and_effects_by_target() -> None:
    rain = odds_case(MINE | {"weather": "rain", "defender": []})
    assert [row["step"] for row in rain["steps"]] == ["aa", "bomb"]
    assert rain["steps"][0]["locality"] == {"dice": 3, "face": 6}
    effects = {
        target: set(odds_case(MINE | {"target": target})["effects"])
        for target in ("factory", "population", "port", "mulberry", "rail", "radar")
    }
    assert effects == {
        "factory": {"points_lost", "destroyed"},
        "population": {"points_lost"},
        "port": {"closed_to_movement", "closed_to_supply"},
        "mulberry": {"closed_to_movement", "closed_to_supply", "destroyed"},
        "rail": {"rail_moves_lost", "station_blocked"},
        "radar": {"out_of_action"},
    }


@pytest.mark.rule("13.8.1.2-radar-b")
def test_32_radar_helps_british_interceptors() -> None:
    raid = {
        "kind": "raid",
        "month": "1940-08",
        "target": "radar",
        "owner": "UK",
        "attacker": [{"unit": "de-1fk"}],
        "defender": [{"unit": "uk-11g"}],
    }
    faces = [odds_case(raid | {"radar": on})["steps"][1]["shots"][0]["hits_on"] for on in (False, True)]
    assert faces == ["6", "5-6"]


def test_32_the_table_in_both_languages() -> None:
    for lang in ("en", "fr"):
        text = render_case(odds_case(MINE), lang)
        assert "odds." not in text
        assert "uk-csb" in text or "Cdn" in text


@pytest.mark.rule("32.0f")
def test_32_odds_in_play_for_the_raid_in_hand() -> None:
    s = position(
        "0101: uk-3g | 0102: uk-bc | 0309: de-2jd", options={"advanced": "on", "bombing": "on"}, first="1943-08"
    )
    s.frames.append(PlayerTurn(side=0))
    flow.run(GAME.tables, s)
    hq.activate(s, u("uk-bc"))
    act(s, 1, "raid", "0309")
    act(s, 1, "bomb", "centre")
    coming = GAME.odds(s, 1, ("send", u("uk-3g")))
    assert coming is not None
    act(s, 1, "send", "uk-3g")
    alone = GAME.odds(s, 1, ("launch", 0))
    assert alone == coming
    assert alone["policy"]["interceptors"] == "none"
    assert set(alone["effects"]["points_lost"]) == {"0", "1", "2", "3"}
    act(s, 1, "launch")
    assert GAME.odds(s, 0, ("intercept", u("de-2jd"))) is None  # he does not know who comes
    s.revealed[u("uk-3g")] = 1
    met = GAME.odds(s, 0, ("intercept", u("de-2jd")))
    assert met is not None
    assert Fraction(met["mean_hits"]) < Fraction(alone["mean_hits"])
