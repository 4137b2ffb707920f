"""Which chapters come up in whole games of each scenario, as `scripts/rules_met.py bitw --record` last counted them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from grognard.games.bitw.loading import FILES
from grognard.kernel.rulebook import rulebook

MET = tomllib.loads((Path(__file__).parent / "chapters_met.toml").read_text(encoding="utf-8"))
QUIET = {  # chapters whose rules make no event of their own: they change what others do
    "8": "zones and rivers: asked by movement, supply and fire",
    "14": "terrain: asked by movement and fire",
    "22": "Stukas: a bonus in fire",
}
ADVANCED = {"8", "9", "10", "11", "12", "13", "23", "24"}  # the tier; of the others those that the scenario needs
SELDOM = {  # what the greedy player did not bring up: each a gap in its knowledge or a matter of luck
    "SBW4": {"10": "its elite units fought nobody who made the difference an event"},
    "SBW5": {
        "34": "four games without the choice of the card",
        "35": "no submarine was built or hunted",
    },
    "SBW6": dict.fromkeys(("10", "17", "18", "24", "40"), "one game only, and France did not fall in it"),
}


@pytest.mark.parametrize("scenario", sorted(MET))
def test_the_chapters_of_a_scenario_come_up(scenario: str) -> None:
    table = FILES.toml(f"scenarios/{scenario}.toml")
    options = table.get("options", {})
    wanted = {number.partition(".")[0] for number in options.get("exercises", ())}
    wanted &= ADVANCED | {number.partition(".")[0] for number in options.get("need", ())}
    met = set(MET[scenario]["met"])
    excused = set(QUIET) | set(SELDOM.get(scenario, {}))
    assert wanted - met <= excused, f"{scenario}: never met {sorted(wanted - met - excused)}"
    assert not met & set(SELDOM.get(scenario, {})), f"{scenario}: excused and yet met"


def test_the_record_says_how_it_was_made() -> None:
    heads = {rule.partition(".")[0] for rule in rulebook("bitw")}
    for scenario, entry in MET.items():
        assert entry["decisions"] > 100 * entry["games"] > 0, scenario
        assert sum(entry["results"].values()) == entry["games"], scenario
        assert set(entry["met"]) <= heads, scenario
