"""SBW4 to SBW10: set-ups that the rules allow, games that end, and the chapters that come up in them."""

from __future__ import annotations

from random import Random

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.problems import at_rest, problems
from grognard.games.bitw.rules.air import airbases
from grognard.games.bitw.rules.supply import check_supply
from grognard.games.bitw.state import on_map, side_holding
from grognard.games.bitw.world import UNITS, world
from grognard.kernel import seed_from
from grognard.lab.guided import any_verb

LONG = ("SBW4", "SBW5", "SBW6", "SBW7", "SBW8", "SBW9", "SBW10")
RAIDS = {"7.1", "32.0f", "32.0e"}
EXERCISED = {  # rules of the chapters that a scenario is not itself without, met in one game of it
    "SBW5": RAIDS | {"13.2", "11.0a", "9.0b", "13.8.1.2-radar-b"},
    "SBW6": RAIDS | {"13.2", "11.0a", "9.0b", "7.7c"},
    "SBW7": RAIDS | {"13.2", "11.0a", "9.0b", "7.7c", "35.2a"},
    "SBW9": RAIDS | {"13.2", "11.0a", "9.0b", "7.7c", "35.2a", "26.1b"},
    "SBW10": RAIDS | {"13.2", "11.0a", "9.0b", "7.7c", "35.2a", "26.1b"},
}


@pytest.mark.rule("2.3", "0-scenarios")
@pytest.mark.parametrize("name", LONG)
def test_2_3_set_ups_are_legal_and_fed(name: str) -> None:
    s = GAME.setup(name, {}, "x")
    assert problems(s) == []
    assert at_rest(s) == []
    for side in (0, 1):
        cut = [u for u in check_supply(s, side) if not (UNITS[u].is_fort and s.steps[u] == UNITS[u].pattern.top)]
        assert [UNITS[u].id for u in cut] == []  # a Festung needs no lane (12.2)
        for u in on_map(s, side):
            assert side_holding(s, s.place[u]) == side or s.place[u] >= world(s).theatre.hexes
            if UNITS[u].is_air:
                assert s.place[u] in airbases(s, UNITS[u].power, UNITS[u].home), UNITS[u].id


@pytest.mark.rule("0-scenarios", "7.11a")
@pytest.mark.parametrize("name", sorted(EXERCISED))
def test_long_games_end_and_meet_their_chapters(name: str) -> None:
    """Three games of each, every verb equally likely; `scripts/rules_met.py` plays ten and tells all rules met."""
    met = set[str]()
    for game in (1, 2, 3):
        s = GAME.setup(name, {}, seed_from(1))
        luck, number = Random(f"{name} {game}"), 0
        while s.waiting:
            s.events = []
            side = s.waiting[0]
            GAME.apply(s, side, any_verb(luck, GAME, s, side, GAME.legal(s, side)), trusted=True)
            met |= {event.rule for event in s.events}
            number += 1
            assert number < 6000
            if number % 150 == 0:
                assert problems(s) == []
        assert GAME.result(s) is not None
    assert sorted(EXERCISED[name] - met) == []
