"""Which chapters come up in whole games of each scenario, against those that its own page names."""

from __future__ import annotations

from random import Random

import pytest

from grognard.games.bitw.built import ADVANCED_BUILT
from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import FILES
from grognard.games.bitw.rules.chapters import chapter_named, number_of
from grognard.games.bitw.state import BitwState
from grognard.games.bitw.world import UNITS
from grognard.kernel import Action, seed_from
from grognard.kernel.rulebook import rulebook
from grognard.lab.guided import any_verb

GAMES = 72  # at most; a scenario whose chapters have all come up is done
LONG = ("SBW4", "SBW5", "SBW6", "SBW7", "SBW8", "SBW9", "SBW10")
QUIET = {  # chapters whose rules make no event of their own: they change what others do
    "8": "zones and rivers: asked by movement, supply and fire",
    "10": "elite units: other faces of the dice; only SS recruits are an event",
    "14": "terrain: asked by movement and fire",
    "17": "research: the table of tech levels",
    "22": "Stukas: a bonus in fire",
    "27": "garrisons: what may not leave",
}
LED = {"SBW6": "cavalry", "SBW8": "tank"}  # arms that are sent first in every second game, so that they charge


def named_by(scenario: str) -> tuple[set[str], dict[str, str]]:
    """The chapters that the page of a scenario names, and the switches that bring those that it only suggests."""
    options = FILES.toml(f"scenarios/{scenario}.toml").get("options", {})
    chapters = {number_of(number) for number in options.get("exercises", ())}
    switches = [chapter_named(number) for number in sorted(chapters - set(ADVANCED_BUILT))]
    return chapters, {chapter.name: "on" for chapter in switches if chapter is not None}


def led(s: BitwState, scenario: str, legal: list[Action]) -> list[Action]:
    """Orders of sides that attack; where a chapter wants certain arms, these charge and march first, landers land."""
    if scenario in LED:
        for verb in ("charge", "land", "activate"):
            if found := [action for action in legal if action[0] == verb]:
                return found
        if found := [a for a in legal if a[0] == "move" and UNITS[a[1]].kind == LED[scenario]]:
            return found
    return [action for action in legal if action[0] == "attack"] or legal


def rules_met(scenario: str, options: dict[str, str], number: int) -> set[str]:
    """The rules that events and questions of one game cite: any verb, but in every second game sides that attack."""
    s, luck = GAME.setup(scenario, options, seed_from(f"met {number}")), Random(f"{scenario} {number}")
    met = set[str]()
    while s.waiting:
        s.events = []
        side = s.waiting[0]
        met.add(s.frames[-1].at())
        legal = GAME.legal(s, side)
        wanted = led(s, scenario, legal) if number % 2 and luck.random() < 0.6 else legal
        GAME.apply(s, side, any_verb(luck, GAME, s, side, wanted), trusted=True)
        met |= {event.rule for event in s.events}
    return met


@pytest.mark.rule("0-scenarios", "0-tiers")
@pytest.mark.parametrize("scenario", LONG)
def test_the_chapters_of_a_scenario_come_up(scenario: str) -> None:
    """`python scripts/rules_met.py bitw` tells the same at length, played by the computer."""
    chapters, switches = named_by(scenario)
    known, missing = rulebook("bitw"), chapters - set(QUIET)
    for number in range(GAMES):
        if not missing:
            break
        missing -= {number_of(rule) for rule in rules_met(scenario, switches, number) if rule in known}
    assert not missing, f"{scenario}: never met {sorted(missing, key=int)}"
