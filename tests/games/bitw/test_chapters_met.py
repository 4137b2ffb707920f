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
SELDOM: dict[str, dict[str, str]] = {}


@pytest.mark.parametrize("scenario", sorted(MET))
def test_the_chapters_of_a_scenario_come_up(scenario: str) -> None:
    table = FILES.toml(f"scenarios/{scenario}.toml")
    wanted = {number.partition(".")[0] for number in table.get("options", {}).get("exercises", ())}
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
