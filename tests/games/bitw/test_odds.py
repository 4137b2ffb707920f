"""Odds: exact, cited, and the same as the game's own combat."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case, read_case, render_case
from grognard.games.bitw.odds.battle import law_of_hits
from grognard.games.bitw.odds.law import run_battle
from grognard.games.bitw.state import FOUGHT, MISSION, POOL, BitwState, is_battle
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow, seed_from
from grognard.kernel.dice import explore
from grognard.odds.law import law_of

from .table import Combat, node, position, set_out, u

CASE = {
    "month": "1940-05",
    "hex": {"terrain": "clear"},
    "attacker": [{"unit": "de-19pz", "steps": 5}, {"unit": "de-26"}, {"unit": "de-4a"}],
    "defender": [{"unit": "fr-6"}, {"unit": "fr-3a"}],
    "rounds": 2,
}


def test_the_law_of_hits_adds_up() -> None:
    for shots in (((3, 5), (2, 6)), ((4, 4),), ()):
        assert sum(law_of_hits(shots)) == 1
    assert law_of_hits(((1, 5),)) == (Fraction(2, 3), Fraction(1, 3))


@pytest.mark.rule("7.7.7-merge")
def test_the_merging_example_with_its_tally() -> None:
    case = {
        "month": "1940-05",
        "hex": {"terrain": "forest"},
        "attacker": [{"unit": "de-15pz", "steps": 3}, {"unit": "de-26", "steps": 3}],
        "defender": [{"unit": "fr-6"}],
    }
    answer = odds_case(case)
    ground = next(x for x in answer["first_round"] if x["step"] == "ground" and x["side"] == "attacker")
    assert [(x["dice"], x["hits_on"]) for x in ground["shots"]] == [(1, "5-6"), (2, "6")]
    assert ground["shots"][0]["tally"] == [{"rule": "7.7.11-rough", "malus": 1}]
    assert ground["hits"]["0"]["p"] == str(Fraction(2, 3) * Fraction(25, 36))


def test_the_whole_battle_is_a_law() -> None:
    answer = odds_case(CASE)
    assert answer["exact"] is True
    shares = [Fraction(x["p"]) for x in answer["outcome"]["results"].values()]
    assert sum(shares) == 1
    assert answer["policy"]["retreat"] == "nobody"


def play_once(seed: int) -> str:
    """The same battle in the game itself, nobody retreating, the first of equals hit; two rounds."""
    s = position("0606: fr-6, fr-3a | 0508: de-19pz, de-26, de-4a")
    for name in ("de-19pz", "de-26", "de-4a"):
        set_out(s, name, "0606")
        s.origin[u(name)] = node("0607")
        s.flags[u(name)] |= FOUGHT
    s.seed, s.draws, s.events = seed_from(seed), 0, None
    c = Combat(hex=node("0606"), attacker=0)
    s.frames.append(c)
    flow.run(GAME.tables, s)
    while s.waiting and c.round <= 2:
        legal = GAME.legal(s, s.waiting[0])
        stay = [a for a in legal if a[0] == "stay"]
        GAME.apply(s, s.waiting[0], stay[0] if stay else legal[0], trusted=True)
    if not is_battle(s, node("0606")):
        return "attacker_wins" if s.place[u("fr-6")] == POOL else "defender_holds"
    return "undecided"


def test_odds_agree_with_the_game() -> None:
    """250 battles played by the game's own combat fall where the exact law says, within four standard errors."""
    answer = odds_case(CASE)["outcome"]["results"]
    games = 250
    counts = dict.fromkeys(answer, 0)
    for seed in range(games):
        counts[play_once(seed)] += 1
    for key, share in answer.items():
        p = float(Fraction(share["p"]))
        error = (p * (1 - p) / games) ** 0.5
        assert abs(counts[key] / games - p) <= 4 * error + 1e-9, (key, counts[key] / games, p)


def round_in_the_game(units: dict[str, int]) -> dict[tuple[int, ...], Fraction]:
    """The law of the steps of some units after a round of the game's own combat, every fall of the dice played out."""
    s = position("0606: fr-6 | 0508: de-26")
    for name, steps in units.items():
        set_out(s, name, "0606")
        s.steps[u(name)] = steps
        s.origin[u(name)] = node("0607")
        s.flags[u(name)] |= FOUGHT | (MISSION if UNITS[u(name)].is_air else 0)
    s.events = None
    s.frames.append(Combat(hex=node("0606"), attacker=0))

    def until_the_retreat(s: BitwState) -> None:
        flow.run(GAME.tables, s)
        while s.waiting and type(GAME.decision(s)).__name__ != "Retreat":
            legal = GAME.legal(s, s.waiting[0])
            GAME.apply(s, s.waiting[0], next((a for a in legal if a[0] == "stay"), legal[0]), trusted=True)

    here = [u(name) for name in units]
    played = explore(s, until_the_retreat)
    return law_of((p, tuple(t.steps[v] if t.place[v] == node("0606") else -1 for v in here)) for p, t in played)


@pytest.mark.parametrize(
    ("attacker", "defender"),
    [({"de-26": 1, "de-jf2": 1}, {"fr-6": 1}), ({"de-26": 1, "de-27": 1}, {"fr-6": 1, "fr-9": 1})],
)
def test_a_round_has_the_law_of_the_games_own_combat(attacker: dict[str, int], defender: dict[str, int]) -> None:
    sides = {"attacker": attacker, "defender": defender}
    entries = {side: [{"unit": n, "steps": steps} for n, steps in units.items()] for side, units in sides.items()}
    case = read_case({"month": "1940-05", "hex": {"terrain": "clear"}, "rounds": 1} | entries)
    law = law_of((p, tuple(steps for side in x for steps, _ in side)) for x, p in run_battle(case).items())
    assert law == round_in_the_game(attacker | defender)


def test_a_large_battle_ends() -> None:
    case = {
        "month": "1944-12",
        "hex": {"terrain": "forest", "city": "minor"},
        "attacker": [{"unit": n} for n in ("de-1ss", "de-2ss", "de-ssa", "de-9fk")],
        "defender": [{"unit": n} for n in ("us-5", "us-7", "us-1a")],
        "rounds": 2,
    }
    assert sum(run_battle(read_case(case)).values()) == 1


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"attacker": [{"unit": "de-4a"}]}, "3.8"),
        ({"attacker": [{"unit": n} for n in ("de-26", "de-27", "de-30")]}, "3.10a"),
        ({"attacker": [{"unit": n} for n in ("de-26", "de-jf2", "de-jf3")]}, "3.10b"),
        ({"attacker": [{"unit": "de-26"}, {"unit": "fr-9"}]}, "3.1"),
        ({"attacker": [{"unit": "de-999"}]}, "1.2"),
        ({"attacker": [{"unit": "de-4a", "steps": 3}, {"unit": "de-26"}]}, "3.11"),
        ({"attacker": []}, "3.22"),
        ({"hex": {"terrain": "lava"}}, "odds"),
        ({"moon": 1}, "odds"),
    ],
)
def test_illegal_cases_name_their_rule(change: dict[str, object], rule: str) -> None:
    assert odds_case(CASE | change)["error"]["rule"] == rule


def test_the_answer_can_be_read_in_both_languages() -> None:
    answer = odds_case(CASE)
    english, french = render_case(answer, "en"), render_case(answer, "fr")
    assert "Ground combat, attacker (7.7.5a)" in english
    assert "Combat terrestre, attaquant (7.7.5a)" in french
    assert "odds." not in english + french
    assert "3.8" in render_case(odds_case(CASE | {"attacker": [{"unit": "de-4a"}]}), "fr")


def test_tech_and_weather_may_be_typed_in() -> None:
    weak = {**CASE, "attacker": [{"unit": "de-19pz", "tech": 1}]}
    shots = next(x for x in odds_case(weak)["first_round"] if x["side"] == "attacker")["shots"]
    assert shots[0]["hits_on"] == "6"
    assert odds_case({**CASE, "weather": "good"})["outcome"] == odds_case(CASE)["outcome"]
    assert odds_case({**CASE, "weather": "rain"})["error"]["rule"] == "7.0a"
    assert odds_case({**CASE, "attacker": [{"unit": "de-26", "tech": 4}]})["error"]["rule"] == "3.13a"
