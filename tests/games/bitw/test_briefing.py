"""What one reads on sitting down names what is asked first."""

from __future__ import annotations

import pytest

from grognard.games import find_game
from grognard.kernel.texts import texts_for

GAME = find_game("bitw")


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_where_bombers_raid_before_production_the_briefing_begins_with_them(scenario: str) -> None:
    raids = dict(GAME.resolve_options({}, scenario))["bombing"] == "on"
    for lang in ("en", "fr"):
        for side in GAME.sides:
            first = texts_for("bitw", lang).find(f"briefing.{scenario}.first.{side}") or ""
            assert ("raids" in first.lower()) == raids, (lang, side)
