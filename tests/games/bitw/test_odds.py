"""Odds: exact, cited, and the same as the game's own combat."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import law_of_hits, odds_case, read_case, render_case, run_battle
from grognard.games.bitw.state import FOUGHT, POOL, is_battle
from grognard.kernel import flow, seed_from

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


def test_fractions_and_floats_agree() -> None:
    case = read_case(CASE)
    exact, quick = run_battle(case), run_battle(case, 1.0)
    assert set(exact) == set(quick)
    assert max(abs(float(exact[k]) - quick[k]) for k in exact) < 1e-12


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


def test_a_large_battle_ends() -> None:
    case = {
        "month": "1944-12",
        "hex": {"terrain": "forest", "city": "minor"},
        "attacker": [{"unit": n} for n in ("de-1ss", "de-2ss", "de-ssa", "de-9fk")],
        "defender": [{"unit": n} for n in ("us-5", "us-7", "us-1a")],
        "rounds": 2,
    }
    started = time.perf_counter()
    law = run_battle(read_case(case), 1.0)
    assert abs(sum(law.values()) - 1) < 1e-9
    assert time.perf_counter() - started < 60  # the benchmark measures it; here only that it ends


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
        ({"hex": {"terrain": "lava"}}, "7.5.3b"),
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
