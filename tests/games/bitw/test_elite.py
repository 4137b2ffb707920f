"""10.0 Elite units, an Advanced rule that can be switched on by itself."""

from __future__ import annotations

import pytest

from grognard.games.bitw.loading import charts, tech_level
from grognard.games.bitw.rules import combat, fire
from grognard.games.bitw.rules.fire import AA, GROUND, GUNS, Combatant, Field
from grognard.games.bitw.world import UNIT_IDS, UNITS

from .table import node, position

ELITE = Field(elite=True)


def face(name: str, kind: str, month: str, attacker: bool, steps: int | None = None, field: Field = ELITE) -> int:
    unit = UNITS[UNIT_IDS[name]]
    tech = tech_level(unit.nation, charts().tech[unit.kind].field, month)
    who = Combatant(unit, unit.pattern.top if steps is None else steps, tech, attacker)
    return fire.volley([who], kind, field, 1)[0].face


@pytest.mark.rule("10.0a")
def test_10_0a_german_elite_at_any_strength() -> None:
    elite = {u.id for u in UNITS if u.nation == "DE" and {"elite-attack", "elite-defence"} & u.traits}
    assert elite == {
        "de-1ss", "de-2ss", "de-ssa", "de-ssvt", "de-13ss", "de-22ll", "de-7f", "de-1p", "de-2p", "de-pa", "de-hgd",
    }  # fmt: skip
    assert face("de-1ss", GROUND, "1943-07", True, 1) == face("de-1ss", GROUND, "1943-07", True) == 3


@pytest.mark.rule("10.0b")
def test_10_0b_allied_elite_only_at_full_strength() -> None:
    for name in ("us-5", "uk-30"):
        full = face(name, GROUND, "1944-06", True)
        assert full == 4
        assert face(name, GROUND, "1944-06", True, UNITS[UNIT_IDS[name]].pattern.steps[1]) > full


@pytest.mark.rule("10.0c")
def test_10_0c_ss_and_marines_attack_better() -> None:
    assert face("de-1ss", GROUND, "1943-07", True) == 3  # tank TECH 3: 4-6, and one more
    assert face("de-ssa", GUNS, "1944-07", True) == 3  # artillery TECH 2
    assert face("de-1ss", GROUND, "1943-07", False) == 4  # not in defence


@pytest.mark.rule("10.0d")
def test_10_0d_paras_and_hermann_goering_defend_better() -> None:
    assert face("de-hgd", AA, "1943-07", False) == 3
    assert face("de-7f", GROUND, "1940-05", False) == 4
    assert face("de-7f", GROUND, "1940-05", True) == 6


@pytest.mark.rule("10.0e")
def test_10_0e_the_82nd_at_full_strength_and_reduced() -> None:
    assert face("us-82", GROUND, "1944-06", False, 3) == 4
    assert face("us-82", GROUND, "1944-06", False, 2) == 6
    assert face("us-4", GROUND, "1944-06", True, 3) == 6
    assert face("de-26", GROUND, "1944-11", True, 3) == 5  # Germans keep theirs


@pytest.mark.rule("10.0c", "10.0d", "10.0e")
def test_10_0_is_off_unless_chosen() -> None:
    assert face("de-1ss", GROUND, "1943-07", True, field=Field()) == 4
    assert face("us-82", GROUND, "1944-06", False, 2, Field()) == 5
    for value, on in (("off", False), ("on", True)):
        s = position("0505: fr-6", options={"elite": value})
        assert combat.field_of(s, combat.Combat(hex=node("0505"), attacker=0)).elite is on
