"""Everybody who sits down is told who he is, what for, how long, what decides and what to do first."""

from __future__ import annotations

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel.texts import texts_for

EVERYBODY = ("length", "decides")
EACH_SIDE = ("goal", "first")
LONGEST = 170  # characters: one sentence, read while sitting down
CASES = [(game, scenario) for game in playable_names() for scenario in find_game(game).scenarios]


@pytest.mark.parametrize(("game", "scenario"), CASES)
def test_every_scenario_has_a_briefing_for_every_side_in_both_languages(game: str, scenario: str) -> None:
    found = find_game(game)
    playing = found.playing(found.setup(scenario, {}, "briefing"))
    keys = [f"briefing.{scenario}.{key}" for key in EVERYBODY]
    keys += [f"briefing.{scenario}.{key}.{found.side_name(side)}" for key in EACH_SIDE for side in playing]
    for key in keys:
        english, french = texts_for(game, "en").find(key), texts_for(game, "fr").find(key)
        assert english, key
        assert french, key
        assert english != french, key
        assert max(len(english), len(french)) <= LONGEST, key
