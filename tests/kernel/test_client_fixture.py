"""The file that the browser's own check is tested with is one of ours, and `verify` says what the fixture says."""

from __future__ import annotations

import importlib.util
import json

import pytest

from grognard.games import find_game
from grognard.kernel.gamefile import from_text, verify
from tests.conftest import ROOT

FOLDER = ROOT / "client" / "tests"


@pytest.mark.parametrize("name", ["dice", "dice-all"])
def test_the_browser_is_compared_with_what_verify_says_today(name: str) -> None:
    recorded = json.loads((FOLDER / "fixtures" / f"{name}.json").read_text("utf-8"))
    file = from_text((FOLDER / "fixtures" / f"{name}.txt").read_text("utf-8"))
    assert verify(file, find_game).to_json() == recorded
    assert recorded["rolls"] > 2
    assert recorded["unsalted"].keys() == {"blue"}


def test_the_fixture_is_what_its_recorder_writes() -> None:
    spec = importlib.util.spec_from_file_location("record_dice", FOLDER / "record_dice.py")
    assert spec is not None
    assert spec.loader is not None
    recorder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recorder)
    for name, dice in (("dice", ""), ("dice-all", "all")):
        text, _ = recorder.record(dice)
        assert text == (FOLDER / "fixtures" / f"{name}.txt").read_text("utf-8")
