"""14.0 The terrain option: movement and combat of special units."""

from __future__ import annotations

import pytest

from grognard.games.bitw.rules import combat, fire, movement, retreat
from grognard.games.bitw.rules.fire import GROUND, Combatant, Field
from grognard.games.bitw.world import UNIT_IDS, UNITS

from .table import node, position, set_out, u

ON = {"terrain": "on"}


def cost(unit: str, start: str, to: str, options: dict[str, str]) -> int | None:
    s = position(f"{start}: {unit}", options=options)
    return movement.reach(s, u(unit), node(start), 5).cost.get(node(to))


@pytest.mark.rule("14.0-mountain-a")
def test_14_0_armour_is_barred_from_mountains() -> None:
    assert cost("de-19pz", "0406", "0407", {}) == 3
    assert cost("de-19pz", "0406", "0407", ON) is None
    assert cost("de-26", "0406", "0407", ON) == 3
    s = position("0406: de-19pz", options=ON)
    set_out(s, "fr-6", "0406")
    refused = retreat.why_not_retreat_to(s, u("de-19pz"), node("0407"))
    assert refused is not None
    assert refused.rule == "14.0-mountain-a"


@pytest.mark.rule("14.0-mountain-c")
def test_14_0_mountain_units_pay_one_less() -> None:
    assert [cost("fr-14", "0406", "0407", o) for o in ({}, ON)] == [3, 2]
    assert [cost("fr-14", "0306", "0307", o) for o in ({}, ON)] == [2, 1]
    assert cost("fr-14", "0205", "0206", ON) == 2  # forest as everybody


@pytest.mark.rule("14.0-cavalry")
def test_14_0_cavalry_pays_two_at_most() -> None:
    assert [cost("fr-cav", "0506", "0507", o) for o in ({}, ON)] == [3, 2]  # swamp
    assert cost("fr-cav", "0406", "0407", ON) == 3  # but not in mountains


@pytest.mark.rule("14.0-swamp")
def test_14_0_armour_in_swamps() -> None:
    tank = Combatant(UNITS[UNIT_IDS["de-19pz"]], 5, 2, True)
    dice = [fire.volley([tank], GROUND, Field("swamp", heavy_swamp=x), 1)[0].dice for x in (False, True)]
    assert dice == [2, 1]
    for value, on in (("off", False), ("on", True)):
        s = position("0507: fr-6", options={"terrain": value})
        assert combat.field_of(s, combat.Combat(hex=node("0507"), attacker=0)).heavy_swamp is on


@pytest.mark.rule("14.0-mountain-d")
def test_14_0_mountain_combat_is_not_counted_twice() -> None:
    alpine = Combatant(UNITS[UNIT_IDS["fr-14"]], 4, 1, False)
    shot = fire.volley([alpine], GROUND, Field("mountain", heavy_swamp=True), 1)[0]
    assert (shot.dice, shot.face) == (4, 5)
    attacker = alpine._replace(attacker=True)
    shot = fire.volley([attacker], GROUND, Field("mountain", heavy_swamp=True), 1)[0]
    assert (shot.dice, shot.face) == (4, 6)
