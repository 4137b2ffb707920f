"""The seventy-five experiments of Blitzkrieg: made from one list, all sound; events that are counted."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from grognard.games.blitzkrieg.switches import NAMES
from grognard.kernel.errors import LabError
from grognard.lab.measures import events_of
from grognard.lab.plan import plan_of, read_plan
from grognard.lab.selfplay import Match, keys_of, play_match

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "experiments" / "blitzkrieg"


def test_every_proposal_has_its_experiment_as_the_list_says():
    made = runpy.run_path(str(ROOT / "scripts" / "proposal_experiments.py"))["experiments"]()
    assert {name.removesuffix(".toml") for name in made} == set(NAMES)
    for name, text in made.items():
        assert (FOLDER / name).read_text("utf-8") == text, f"{name}: run scripts/proposal_experiments.py"


@pytest.mark.parametrize("name", NAMES)
def test_each_experiment_is_sound_and_differs_in_one_switch(name):
    plan = read_plan(FOLDER / f"{name}.toml")
    off, on = plan.experiment.arms.values()
    assert (off.options, on.options) == ({name: "off"}, {name: "on"})
    assert plan.experiment.seeds == f"blitzkrieg-{name}"


def test_a_measure_of_an_event_that_no_game_tells_is_refused():
    text = (FOLDER / "206.toml").read_text("utf-8").replace("event:shoots+hit/shoots", "event:laughs")
    import tomllib

    with pytest.raises(LabError, match="laughs"):
        plan_of("206.toml", text, tomllib.loads(text))


def test_events_are_counted_by_kind_rule_and_true_facts():
    assert keys_of("shoots", "206a", {"hit": True, "dice": (1, 2), "far": False}) == [
        "shoots",
        "shoots@206a",
        "shoots+hit",
    ]
    assert events_of({"event:shoots": 4, "event:shoots+hit": 1}, "event:shoots+hit/shoots") == 0.25
    assert events_of({}, "event:shoots+hit/shoots") == 0


def test_counting_changes_no_game_and_counts_what_happened():
    plain = Match("blitzkrieg", "lesson", ("random", "random"), (), "count", "keyed")
    counted = replace(plain, counted=True)
    without, told = play_match(plain), play_match(counted)
    assert without.digest == told.digest
    last = told.facts[max(told.facts)]
    assert last["event:turn"] == 4
    assert not any(key.startswith("event:") for key in without.facts[max(without.facts)])


def test_the_page_of_proposals_shows_the_exact_duels():
    rows = runpy.run_path(str(ROOT / "scripts" / "proposal_odds.py"))["rows"]()
    page = (ROOT / "docs" / "blitzkrieg-proposals.md").read_text("utf-8")
    assert "\n".join(rows) in page, "run scripts/proposal_odds.py and put its table on the page"
    assert not any("refused" in row for row in rows)
    assert len(rows) - 2 >= 20
