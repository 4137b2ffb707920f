"""Odds of battles with charges, aim, despair, reserves, radar: against the game's own combat, on every fall of dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from grognard.games.bitw.frames import Combat
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case, read_case
from grognard.games.bitw.odds.law import run_battle
from grognard.games.bitw.odds.position import case_of, castings
from grognard.games.bitw.state import FOUGHT, MISSION, OOS, BitwState
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow
from grognard.kernel.dice import explore
from grognard.odds.law import law_of

from .table import node, position, set_out, u

AT = "0605"
ALL = {"advanced": "on", "panzers": "on", "charge": "on", "recon": "on"}
Steps = dict[str, int]


def played(
    units: Steps, month: str, hungry: tuple[str, ...] = (), target: str = "", **frame: Any
) -> dict[Any, Fraction]:
    """The law of steps after the first round of the game's own combat."""
    s = position("0510: de-26 | 0101: uk-3", options=ALL | {"reserves": "on"}, first=month)
    for name, steps in units.items():
        set_out(s, name, AT)
        s.steps[u(name)] = steps
        s.flags[u(name)] |= FOUGHT | (MISSION if UNITS[u(name)].is_air else 0) | (OOS if name in hungry else 0)
        s.origin[u(name)] = node("0604")
    s.seen_hexes, s.events = (node(AT),), None
    s.frames.append(Combat(hex=node(AT), attacker=0, **frame))

    def until_the_retreat(s: BitwState) -> None:
        flow.run(GAME.tables, s)
        while s.waiting and type(GAME.decision(s)).__name__ != "Retreat" and s.frames[-1].round == 1:
            legal = GAME.legal(s, s.waiting[0])
            aimed = [a for a in legal if a[0] == "target" and a[1] == u(target)] if target else []
            usual = next((a for a in legal if a[0] in ("stay", "plain", "hold")), legal[0])
            GAME.apply(s, s.waiting[0], aimed[0] if aimed else usual, trusted=True)

    here = [u(name) for name in units]
    found = explore(s, until_the_retreat)
    return law_of((p, tuple(t.steps[v] if t.place[v] == node(AT) else -1 for v in here)) for p, t in found)


def told(
    attacker: Steps, defender: Steps, month: str, hungry: tuple[str, ...] = (), **more: Any
) -> dict[Any, Fraction]:
    """The same by the odds."""
    sides = {"attacker": attacker, "defender": defender}
    entries = {
        side: [{"unit": n, "steps": x} | ({"supply": "none"} if n in hungry else {}) for n, x in units.items()]
        for side, units in sides.items()
    }
    case = read_case({"month": month, "tier": "advanced", "rounds": 1, "recon": True} | entries | more)
    return law_of((p, tuple(max(-1, steps) for side in x for steps, _ in side)) for x, p in run_battle(case).items())


@pytest.mark.rule("21.0a", "20.0", "21.0b")
@pytest.mark.parametrize(
    ("which", "attacker", "defender"),
    [
        ("panzers", {"de-19pz": 1, "de-26": 1}, {"fr-6": 2}),
        ("panzers", {"de-19pz": 1, "de-26": 1}, {"fr-6": 1, "fr-9": 1}),
        ("cavalry", {"it-cel": 1, "it-12": 1}, {"fr-6": 1}),
    ],
)
def test_charges_as_they_are_played(which: str, attacker: Steps, defender: Steps) -> None:
    found = played(attacker | defender, "1940-05", charge=which)
    assert told(attacker, defender, "1940-05", declare=which) == found
    assert told(attacker, defender, "1940-05") != found


@pytest.mark.rule("12.4.1a", "12.4.1c")
def test_despair_as_it_is_played() -> None:
    attacker, defender = {"de-26": 1, "de-27": 1}, {"uk-1": 1}
    found = played(attacker | defender, "1944-08", hungry=("de-26",), charge="none")
    assert told(attacker, defender, "1944-08", hungry=("de-26",)) == found
    answer = odds_case(
        {
            "month": "1944-08",
            "tier": "advanced",
            "rounds": 1,
            "attacker": [{"unit": "de-26", "steps": 1, "supply": "none"}],
            "defender": [{"unit": "uk-1"}],
        }
    )
    law = answer["outcome"]["law"]
    assert "S | 4" in law
    assert not any(key.startswith("1 |") for key in law)  # nobody is left to go on


@pytest.mark.rule("12.4.1a")
def test_12_4_1a_in_play_the_odds_know_of_despair() -> None:
    s = position(f"{AT}: uk-1, de-26", options=ALL | {"fog": "off"}, first="1944-08")
    s.flags[u("de-26")] |= OOS
    case = case_of(s, node(AT), 0, None, castings(s, 0, node(AT))[0])
    assert case is not None
    assert case["attacker"][0]["supply"] == "none"
    results = odds_case(case, in_play=True)["outcome"]["results"]
    assert results["undecided"]["percent"] == "0"


@pytest.mark.rule("19.2")
def test_aim_as_it_is_played() -> None:
    attacker, defender = {"de-4a": 2, "de-26": 1}, {"fr-6": 1, "fr-9": 1}
    found = played(attacker | defender, "1943-07", target="fr-9", charge="none")
    assert told(attacker, defender, "1943-07", target="fr-9") == found
    assert told(attacker, defender, "1943-07") != found


@pytest.mark.rule("23.0e")
def test_23_0e_a_drop_on_armour_in_reserve_is_lost() -> None:
    case: dict[str, Any] = {
        "month": "1944-06",
        "tier": "advanced",
        "attacker": [{"unit": "us-82", "crossing": "air"}, {"unit": "us-5"}],
        "defender": [{"unit": "de-1ss", "reserve": True}],
    }
    units = odds_case(case)["outcome"]["units"]
    assert units[0] == {"unit": "us-82", "survives": {"p": "0/1", "percent": "0"}, "mean_steps": "0.000"}


@pytest.mark.rule("13.8.1.2-radar-c")
def test_radar_in_a_battle() -> None:
    case: dict[str, Any] = {
        "month": "1940-08",
        "tier": "advanced",
        "attacker": [{"unit": "de-26"}, {"unit": "de-jf2"}],
        "defender": [{"unit": "uk-1"}, {"unit": "uk-11g"}],
    }
    faces = [
        next(
            x["hits_on"]
            for step in odds_case(case | more)["first_round"]
            for x in step["shots"]
            if x["unit"] == "uk-11g"
        )
        for more in ({}, {"radar": True})
    ]
    assert faces == ["6", "5-6"]


BATTLE: dict[str, Any] = {
    "month": "1944-08",
    "tier": "advanced",
    "attacker": [{"unit": "de-1ss"}, {"unit": "de-26"}],
    "defender": [{"unit": "uk-1"}],
}


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"declare": "panzers", "hex": {"terrain": "forest"}}, "21.0a"),
        ({"declare": "panzers", "weather": "snow"}, "21.0a"),
        ({"declare": "panzers", "defender": [{"unit": "uk-8c"}]}, "21.0a"),
        ({"declare": "cavalry"}, "20.0"),
        ({"declare": "elephants"}, "odds"),
        ({"target": "uk-3", "recon": True}, "19.2"),
        ({"target": "uk-1"}, "19.2"),
        ({"options": ["15.0"]}, "odds"),
        ({"options": ["14.0"], "hex": {"terrain": "mountain"}}, "14.0-mountain-a"),
        ({"attacker": [{"unit": "de-1ss", "supply": "limited"}]}, "13.5a"),
        ({"attacker": [{"unit": "de-26"}, {"unit": "de-jf2", "supply": "none"}]}, "4.4a"),
        ({"attacker": [{"unit": "de-26", "supply": "none", "tech": 1}]}, "4.4a"),
        ({"attacker": [{"unit": "de-26", "supply": "some"}]}, "odds"),
        ({"attacker": [{"unit": "de-1ss", "reserve": True}]}, "31.0b"),
        ({"defender": [{"unit": "uk-1", "reserve": True}]}, "31.0b"),
        ({"tier": "basic", "declare": "panzers"}, "7.0a"),
        ({"tier": "basic", "attacker": [{"unit": "de-26", "supply": "none"}]}, "7.0a"),
        ({"attacker": [{"unit": "us-5", "crossing": "sea"}], "defender": [{"unit": "de-26"}],
          "hex": {"channel_festung": True}}, "24.2b"),
    ],
)  # fmt: skip
def test_orders_that_break_a_rule(more: dict[str, Any], rule: str) -> None:
    assert odds_case(BATTLE | more)["error"]["rule"] == rule


def test_the_law_of_positions_adds_up() -> None:
    answer = odds_case(BATTLE | {"rounds": 1})["outcome"]
    assert sum(Fraction(x["p"]) for x in answer["law"].values()) == 1
    whole = [{"unit": x} for x in ("de-1ss", "de-2ss", "de-ssa")]
    many = BATTLE | {"attacker": whole, "defender": [{"unit": x} for x in ("uk-1", "uk-2", "uk-8a")]}
    assert "law" not in odds_case(many | {"rounds": 1})["outcome"]  # too many positions
