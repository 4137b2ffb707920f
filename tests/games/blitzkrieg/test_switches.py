"""Every proposal that the laws know, on and off; and no switch that changes what is not its business."""

from __future__ import annotations

import inspect
from functools import reduce
from typing import Any

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.odds import odds_case
from grognard.games.blitzkrieg.switches import DEFAULTS, NAMES, OPTIONS
from grognard.kernel import OptionConflict, seed_from

from . import test_examples

TANK = {"type": "vehicle", "unit": "m4_75"}
MEN = {"type": "infantry"}
PAK = {"type": "gun", "unit": "pak40"}


def shot(firer: dict[str, Any], target: dict[str, Any], cm: int = 25, **more: Any) -> dict[str, Any]:
    return {"kind": "shot", "firer": firer, "target": target, "cm": cm} | more


def fire(firer: dict[str, Any], target: dict[str, Any], cm: int = 25, **more: Any) -> dict[str, Any]:
    return {"kind": "fire", "firer": firer, "target": target, "cm": cm} | more


def barrage(**more: Any) -> dict[str, Any]:
    return {"kind": "barrage", "mode": "off-table", "unit": "off_105"} | more


def test(what: str, **more: Any) -> dict[str, Any]:
    return {"kind": "test", "what": what} | more


test.__test__ = False  # type: ignore[attr-defined]
HOUSE = MEN | {"cover": "building"}
TRENCH = MEN | {"cover": "entrenchment"}
PIN = (
    # rules, proposal, case, where in the answer, with the proposal, without
    ("001a 001c", "001", fire({"unit": "command"}, MEN, 15), "dice", 1, 2),
    ("101c", "101", fire({"unit": "rifle"}, MEN | {"crawling": True}), "number", 4, "101c"),
    ("102a", "102",
     {"kind": "assault", "attacker": {"unit": "rifle"}, "defender": {"unit": "rifle"}, "covering": ["mmg"]},
     "defensive.number", 4, 2),
    ("104b", "104", fire({"unit": "mmg", "relay": True}, MEN), "dice", 2, 3),
    ("105", "105", fire({"unit": "flak38"}, MEN), "save.mod", -1, 0),
    ("106a", "106", fire({"unit": "pioneer_ft"}, MEN, 5), "coloured.empty", "1/2", "1/6"),
    ("107c", "107", test("smoke"), "results.kept", "1/2", "1"),
    ("107bis-c", "107bis", test("panzerfaust", later=True), "results.passed", "1/2", "1"),
    ("108a", "108", {"kind": "barrage", "mode": "direct", "unit": "grw34", "cm": 40}, "coloured.jammed", "1/6", "108a"),
    ("110", "110", shot({"unit": "lg40"}, TANK), "base", 4, "110"),
    ("111a", "111", test("dig-in"), "results.passed", "1/2", "111a"),
    ("112", "112", test("rally", fired_at=True), "results.passed", "1/3", "1/2"),
    ("201b", "201", shot({"unit": "pz6"}, {"type": "vehicle", "unit": "kv2"}), "needed", 3, 4),
    ("202a 202b", "202", fire({"unit": "pz4h"}, MEN), "dice", 2, 4),
    ("202c", "202", fire({"unit": "pz4h", "moved": 20}, MEN), "dice", 2, 2),
    ("203c", "203", shot({"unit": "pz6"}, {"type": "vehicle", "unit": "opel", "passengers": [{}]}),
     "passengers.0.eliminated", "5/18", "5/6"),
    ("206b", "206", shot({"unit": "pz6", "stance": "moving"}, TANK), "base", 8, 9),
    ("207c", "207", shot({"unit": "pz6"}, TANK, 75), "needed", 5, 5),
    ("207e", "207", shot({"unit": "pz6", "crew": "out"}, TANK), "needed", 3, 2),
    ("207h", "207", shot({"unit": "pz6"}, TRENCH, 15), "needed", 9, 7),
    ("207bis-a 207bis-b", "207bis", shot({"unit": "pz6"}, PAK, 15), "needed", 5, 4),
    ("208c", "208", shot({"unit": "pz2c"}, TANK), "destruction.ap", 2, 1),
    ("208m", "208", shot({"unit": "pak36"}, TANK), "shots", 1, 2),
    ("209", "209", shot({"unit": "bazooka"}, {"type": "vehicle", "unit": "pz4h"}, 15),
     "destruction.items.length", 0, 1),
    ("209bis-b", "209bis", shot({"unit": "pz6"}, TANK, 100), "destruction.items.length", 1, 0),
    ("210a", "210", shot({"unit": "pz6", "above": "hill"}, TANK, 40), "destruction.facing", "front", "rear"),
    ("211a", "211", shot({"unit": "pz4h"}, TANK, 40, ammo="APCR"), "coloured.exhausted", "1/6", None),
    ("212a", "212", shot({"unit": "pz4h"}, TANK, 25, aim="immobilise"), "needed", 6, 7),
    ("214g", "214", {"kind": "overrun", "attacker": {"unit": "bren"}, "target": PAK}, "number", "214g", 3),
    ("215c", "215", {"kind": "tank-assault", "attacker": {"unit": "rifle"}, "target": TANK}, "number", 5, 6),
    ("216b", "216", fire({"unit": "rifle"}, TANK | {"crew": "out"}), "results.commander_lost", "71/1296", None),
    ("217a", "217", test("reload-launcher"), "results.passed", "1/2", "1"),
    ("218b", "218", test("breakdown", unit="pz5d", speed="full"), "results.breakdown", "1/6", "1/12"),
    ("219b", "219", test("isolated"), "results.passed", "1/2", "1"),
    ("220a", "220", shot({"unit": "s35"}, TANK), "needed", 5, 6),
    ("220bis", "220bis", shot({"unit": "p26"}, TANK), "needed", 4, 5),
    ("221a", "221", shot({"unit": "pz6", "stance": "pivot"}, TANK, 10, reaction="close"), "base", 7, "221a"),
    ("223", "223", fire({"unit": "wasp", "weapon": "flame"}, MEN, 5), "coloured.empty", "1/6", "1/2"),
    ("224a 224c", "224", shot({"unit": "pz6"}, TANK | {"dug_in": True}), "needed", 6, "224a"),
    ("302a", "302", test("request", nation="DE", year=1943, level="organic"), "number", 3, 4),
    ("303b", "303", barrage(), "schedule.0.on_target", "1/3", "1/2"),
    ("303bis-a", "303bis", barrage(friends=True), "schedule.0.shifted", "1/12", "0"),
    ("304a", "304", barrage(nation="US", year=1944), "support_test.number", 3, 4),
    ("305", "305", barrage(nation="US", year=1944, grouped=True), "request.number", 3, "305"),
    ("306b", "306", fire({"unit": "rifle"}, MEN | {"observer": "camouflaged"}), "number", "306b", 4),
    ("307a", "307", barrage(targets=[TANK]), "targets.0.p_test", "11/27", "65/81"),
    ("401a", "401", shot({"unit": "pz6"}, {"type": "gun", "unit": "pak36"}, 15), "needed", 6, 5),
    ("404", "404", shot({"unit": "flak88", "stance": "hitched"}, TANK), "base", 4, "404"),
    ("405", "405", shot({"unit": "pz6"}, {"type": "gun", "unit": "lefh18", "cover": "light"}, 15), "needed", 7, 6),
    ("406b", "406", shot({"unit": "neb41"}, MEN, 15), "needed", 6, 4),
    ("407a", "407", shot({"unit": "pz4h"}, HOUSE, 15), "he.number", 5, 6),
    ("408b", "408", {"kind": "barrage", "mode": "on-table", "unit": "neb41", "cm": 80}, "rockets.1", "1/3", "1"),
    ("409e", "409", {"kind": "barrage", "mode": "on-table", "unit": "bm82", "cm": 80}, "mean_turns", "409e", "17/9"),
    ("410a", "410", {"kind": "barrage", "mode": "on-table", "unit": "pak40", "cm": 80}, "mean_turns", "410a", "17/9"),
    ("411", "411", barrage(opportunity=True), "mean_turns", "411", "17/9"),
    ("413", "413", {"kind": "barrage", "mode": "on-table", "unit": "lefh18", "cm": 59}, "mean_turns", "413", "17/9"),
    ("416a", "416", {"kind": "barrage", "mode": "on-table", "unit": "lefh18", "cm": 60}, "mean_turns", "17/9", "1"),
    ("417c", "417", barrage(targets=[HOUSE]), "targets.0.dice", 3, 4),
    ("501", "501", barrage(mines=1), "mines_removed.1", "1/6", None),
    ("502b", "502", test("barricade"), "results.passed", "1/2", "1"),
    ("601", "601", {"kind": "air", "weapon": "mg", "target": MEN, "aircraft": 2}, "attacks", 2, "601"),
    ("602", "602", {"kind": "air", "weapon": "mg", "target": MEN, "aa": [{"weapon": "heavy", "cm": 30}]}, "aa.through",
     "602", "5/6"),
    ("603a", "603", {"kind": "air", "weapon": "37mm", "target": TANK}, "number", 3, 4),
    ("701b", "701", {"kind": "sniper", "target": MEN, "cm": 41}, "number", 4, "701a"),
    ("003d", "003", {"kind": "detect", "observer": {"vision": "normal"}, "target": MEN, "cm": 61}, "sees", False, True),
)  # fmt: skip


def found(case: dict[str, Any], where: str, **proposals: list[str]) -> Any:
    """What an answer says at a place; the rule if it is refused; None if there is nothing."""
    answer: Any = odds_case(case | {"proposals": proposals})
    if "error" in answer:
        return answer["error"]["rule"]

    def step(value: Any, key: str) -> Any:
        if value is None:
            return None
        if key == "length":
            return len(value)
        return value[int(key)] if isinstance(value, list) else value.get(key)

    return reduce(step, where.split("."), answer)


@pytest.mark.parametrize(
    ("proposal", "case", "where", "on", "off"),
    [pytest.param(*row[1:], marks=pytest.mark.rule(*row[0].split()), id=row[0].split()[0]) for row in PIN],
)
def test_a_proposal_on_and_off(proposal, case, where, on, off):
    assert found(case, where, on=[proposal]) == on
    assert found(case, where, off=[proposal]) == off


@pytest.mark.parametrize("name", NAMES)
def test_a_switch_changes_only_what_names_it(name):
    """Flipped alone, a proposal changes no pinned value but its own and those of proposals on the same line."""
    touched = []
    for rules, proposal, case, where, *_ in PIN:
        if proposal == name:
            continue
        before = found(case, where, on=[proposal])
        flip = {"off": [name]} if name in DEFAULTS else {"on": [name, proposal]}
        after = found(case, where, on=[proposal], **flip) if "off" in flip else found(case, where, **flip)
        if before != after:
            touched.append(f"{rules.split()[0]}")
    assert set(touched) <= TOUCHES.get(name, set()), touched


TOUCHES: dict[str, set[str]] = {
    "206": {"221a"},  # the row of a pivoting gun
    "207": {"201b", "203c", "207bis-a", "212a", "220a", "220bis", "224a", "401a", "405"},  # closed firers and bands
    "207bis": {"401a"},  # the size of guns
    "303": {"416a"},  # pieces on the table range by the same procedure
    "409": {"305"},  # two batteries on one target
}


@pytest.mark.rule("base-toggle")
def test_every_proposal_is_an_option_and_what_cannot_stand_alone_is_refused():
    assert len(NAMES) == 75
    assert {option.name for option in OPTIONS} > set(NAMES)
    assert {name for name in NAMES if name not in DEFAULTS} == {"001", "110"}
    for alone, needed in (("303bis", "303"), ("305", "303"), ("404", "403")):
        with pytest.raises(OptionConflict):
            GAME.setup("lesson", {needed: "off"}, seed_from(1))
        assert GAME.setup("lesson", {needed: "off"} | dict.fromkeys(("303bis", "305", "404"), "off"), seed_from(1))
        assert alone in NAMES


@pytest.mark.rule("base-toggle")
@pytest.mark.parametrize("case", [{"on": ["999"]}, {"on": ["207"], "off": ["207"]}])
def test_unknown_and_contradictory_proposals_are_refused(case):
    assert odds_case(test("repair") | {"proposals": case})["error"]["rule"] == "base-toggle"


@pytest.mark.parametrize(
    "case",
    [
        None,
        [],
        {},
        {"kind": "duel"},
        fire({"unit": "nobody"}, MEN),
        fire({"unit": "rifle"}, MEN, 301),
        fire({"unit": "rifle"}, MEN | {"hat": 1}),
        fire({"unit": "rifle"}, MEN, "near"),  # type: ignore[arg-type]
        shot({"unit": "opel"}, TANK),
        shot({"unit": "pz6", "stance": "hitched"}, TANK),
        barrage(cm=20),
    ],
)
def test_what_cannot_be_understood_is_refused_as_input(case):
    assert odds_case(case)["error"]["rule"] == "input"


EXAMPLES = {
    name: test
    for name, test in vars(test_examples).items()
    if name.startswith("test_") and not inspect.signature(test).parameters
}
RELATED = {  # examples that another proposal changes, since both are of one roll
    "003": {"test_101_crawling_infantry_and_a_closed_tank"},  # how far a crawler is seen
    "206": {  # the row of the to-hit table from which all three begin
        "test_207_a_moving_sherman_at_a_still_tiger",
        "test_221_a_tiger_that_has_fired_turns_on_a_sherman",
        "test_403_a_gun_that_was_unhitched",
    },
    "207": {"test_404_a_hitched_88_at_90_cm"},  # the range of a long gun
    "220": {"test_207_narrow_turret_and_poor_optics_on_the_move"},  # the French turrets of that example
    "220bis": {"test_207_narrow_turret_and_poor_optics_on_the_move"},  # and the Italian optics
    "223": {"test_106_fuel_of_flamethrowers"},  # the vehicle's half of it
    "417": {"test_407_direct_and_indirect_he_at_a_house"},  # its indirect half
}


@pytest.mark.rule("base-toggle")
@pytest.mark.parametrize("name", NAMES)
def test_no_switch_changes_an_example_that_is_not_its_business(name, monkeypatch):
    """Every worked example holds with any other proposal flipped, but for those that share its roll."""
    key = "off" if name in DEFAULTS else "on"

    def flipped(case: dict[str, Any]) -> dict[str, Any]:
        given = case.get("proposals", {})
        if name in (*given.get("on", ()), *given.get("off", ())):
            return odds_case(case)
        return odds_case(case | {"proposals": given | {key: [*given.get(key, ()), name]}})

    monkeypatch.setattr(test_examples, "odds_case", flipped)
    monkeypatch.setattr(test_examples, "BOOK", Book(DEFAULTS ^ {name}))
    monkeypatch.setattr(test_examples, "without", lambda *ids: Book((DEFAULTS - set(ids)) ^ ({name} - set(ids))))
    changed = set()
    for example, test in EXAMPLES.items():
        if example.split("_")[1] == name:
            continue
        try:
            test()
        except AssertionError:
            changed.add(example)
    assert changed == RELATED.get(name, set())


def test_all_worked_examples_are_tried():
    assert len(EXAMPLES) >= 44
