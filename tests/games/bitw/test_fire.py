"""3.11-3.17, 5.6a, 6.x, 7.7.6-7.7.11: dice, faces, hits. Pure arithmetic, without a map."""

from __future__ import annotations

import pytest

from grognard.games.bitw.loading import NEVER, charts, tech_level
from grognard.games.bitw.rules import fire
from grognard.games.bitw.rules.fire import AA, AIR, BOMB, GROUND, GUNS, Combatant, Field
from grognard.games.bitw.world import UNIT_IDS, UNITS

CLEAR = Field()


def one(name: str, steps: int | None = None, tech: int = 1, attacker: bool = True, **more: object) -> Combatant:
    unit = UNITS[UNIT_IDS[name]]
    return Combatant(unit, unit.pattern.top if steps is None else steps, tech, attacker, **more)  # type: ignore[arg-type]


def dice(who: Combatant, kind: str = GROUND, field: Field = CLEAR, round_no: int = 1) -> tuple[int, int]:
    shots = fire.volley([who], kind, field, round_no)
    return (shots[0].dice, shots[0].face) if shots else (0, NEVER)


@pytest.mark.rule("3.11", "6.0b")
def test_3_11_one_die_per_step() -> None:
    assert dice(one("fr-2m"))[0] == 4
    assert dice(one("us-5"))[0] == 6
    assert dice(one("fr-2m", 2))[0] == 2


@pytest.mark.rule("3.13a")
def test_3_13a_losses_do_not_change_the_tech_values() -> None:
    assert dice(one("de-19pz", 5, 2))[1] == dice(one("de-19pz", 1, 2))[1] == 5


@pytest.mark.rule("3.13-infantry")
def test_3_13_infantry_by_tech() -> None:
    faces = [(dice(one("de-26", 4, t))[1], dice(one("de-26", 4, t, attacker=False))[1]) for t in (1, 2, 3)]
    assert faces == [(6, 6), (6, 5), (5, 5)]
    assert charts().tech["infantry"].mp == (3, 3, 4, 4)


@pytest.mark.rule("3.13-artillery")
def test_3_13_artillery_by_tech() -> None:
    faces = [(dice(one("de-4a", 4, t), GUNS)[1], dice(one("de-4a", 4, t, attacker=False), GUNS)[1]) for t in (1, 2, 3)]
    assert faces == [(5, 6), (4, 5), (4, 4)]


@pytest.mark.rule("3.14")
def test_3_14_faces_that_hit() -> None:
    assert fire.count_hits((4, 5, 6), 5) == 2
    assert fire.count_hits((4, 5, 6), 6) == 1
    assert (
        dice(one("uk-11g", 5, 2, False), AIR)[1] < dice(one("uk-11g", 5, 2), BOMB)[1]
    )  # fighters are better in the air
    assert dice(one("uk-2g", 4, 2), BOMB)[1] < dice(one("uk-2g", 4, 2), AIR)[1]  # bombers against the ground


@pytest.mark.rule("3.15a", "7.7.8a", "7.7.10a")
def test_3_15a_hits_lower_steps_and_kill() -> None:
    infantry = UNITS[UNIT_IDS["de-26"]].pattern
    assert fire.after_hit(infantry, 4, 0) == (3, 0)
    steps, half = 4, 0
    for _ in range(4):
        steps, half = fire.after_hit(infantry, steps, half)
    assert steps == -1
    assert fire.after_hit(infantry, 1, 0) == (-1, 0)


@pytest.mark.rule("3.15c", "7.7.8b")
def test_3_15c_shielded_step_takes_two_hits() -> None:
    group = UNITS[UNIT_IDS["uk-11g"]].pattern
    assert fire.after_hit(group, 5, 0) == (5, 1)
    assert fire.after_hit(group, 5, 1) == (3, 0)
    assert fire.after_hit(group, 3, 0) == (2, 0)


@pytest.mark.rule("7.7.10b")
def test_7_7_10b_zero_step_units_stay_at_zero() -> None:
    guns = UNITS[UNIT_IDS["de-4a"]].pattern
    assert guns.has_zero
    assert fire.after_hit(guns, 1, 0) == (0, 0)
    assert fire.after_hit(guns, 0, 0) == (0, 0)
    assert not UNITS[UNIT_IDS["de-26"]].pattern.has_zero


@pytest.mark.rule("3.15b", "7.7.9")
def test_7_7_9_strongest_first_ties_for_the_owner() -> None:
    assert fire.strongest([(1, 4), (2, 3)]) == [1]
    assert fire.strongest([(1, 3), (2, 3), (3, 2)]) == [1, 2]
    assert fire.strongest([(1, 0)]) == []


@pytest.mark.rule("3.16")
def test_3_16_round_down() -> None:
    assert (fire.halved(5), fire.halved(7, 2), fire.halved(3)) == (2, 1, 1)


@pytest.mark.rule("3.17")
def test_3_17_at_least_one_die() -> None:
    fortress = Field(works=2)
    assert dice(one("de-26", 1, 2), GROUND, fortress)[0] == 1
    assert dice(one("de-19pz", 5, 2), GROUND, fortress)[0] == 1


@pytest.mark.rule("5.6a", "5.6.2c")
def test_5_6a_tech_0_rolls_half_dice() -> None:
    assert dice(one("nl-2", 4, 0, attacker=False)) == (2, 6)
    assert dice(one("nl-2", 4, 1, attacker=False)) == (4, 6)


@pytest.mark.rule("5.1b", "6.5c")
def test_6_5c_half_aa() -> None:
    assert dice(one("fr-6", 4, 1, False, half_aa=True), AA)[0] == 2
    assert dice(one("fr-1dcr", 1, 1, False, half_aa=True), AA) == (1, 5)
    assert dice(one("it-12", 3, 1, False, half_aa=True), AA)[0] == 1
    assert dice(one("be-1", 4, 1, False), AA)[0] == 4
    assert dice(one("be-1", 4, 0, False), AA)[0] == 2
    assert dice(one("fr-6", 4, 1, False, half_aa=True), GROUND)[0] == 4


@pytest.mark.rule("6.5a", "7.7.2c")
def test_6_5a_every_ground_unit_has_aa_at_its_defence_value() -> None:
    assert dice(one("de-16pz", 3, 2, False), AA) == (3, 5)
    assert dice(one("de-4a", 4, 2, False), AA) == (4, 5)
    assert dice(one("de-26", 4, 2, True), AA) == (4, 5)  # also for attackers: the defence value


@pytest.mark.rule("6.1.2")
def test_6_1_2_mountain_units_in_hills_and_mountains() -> None:
    for terrain in ("hills", "mountain"):
        field = Field(terrain=terrain)
        assert dice(one("fr-14", 4, 1), GROUND, field) == (4, 6)
        assert dice(one("fr-14", 4, 1, False), GROUND, field) == (4, 5)
        assert dice(one("fr-6", 4, 1), GROUND, field) == (2, 6)
    assert dice(one("fr-14", 4, 1), GROUND, Field(terrain="forest")) == (2, 6)


@pytest.mark.rule("6.1.3", "6.1.6d")
def test_6_1_3_cavalry_fires_like_infantry_and_is_faster() -> None:
    tech = charts().tech
    for kind in ("cavalry", "motorised_cavalry"):
        assert tech[kind].attack == tech["infantry"].attack
        assert tech[kind].defence == tech["infantry"].defence
        assert [a - b for a, b in zip(tech[kind].mp, tech["infantry"].mp)] == [1, 1, 1, 1]


@pytest.mark.rule("6.2.1a", "6.2.1b", "6.2.1c")
def test_6_2_1_tankettes_by_tech() -> None:
    row = charts().tech["tankette"]
    assert (row.attack[1], row.defence[1], row.mp[1]) == (6, 6, 3)
    assert (row.attack[2], row.defence[2], row.mp[2]) == (6, 5, 4)
    assert (row.attack[3], row.defence[3]) == (5, 4)


@pytest.mark.rule("6.2.2a", "6.2.2b", "6.2.2c")
def test_6_2_2_tanks_by_tech() -> None:
    row = charts().tech["tank"]
    assert [(row.attack[t], row.defence[t], row.mp[t]) for t in (1, 2, 3)] == [(6, 5, 3), (5, 5, 4), (4, 4, 4)]


@pytest.mark.rule("6.3.1a", "6.3.1b", "6.3.1c")
def test_6_3_1_fighters_by_tech() -> None:
    faces = [(dice(one("uk-10g", 4, t), BOMB), dice(one("uk-10g", 4, t), AIR)[1]) for t in (1, 2, 3)]
    assert faces == [((0, NEVER), 6), ((4, 6), 5), ((4, 5), 4)]
    assert charts().tech["fighter"].mp == (5, 5, 5, 10)


@pytest.mark.rule("6.3.2a", "6.3.2b", "6.3.2c")
def test_6_3_2_bombers_by_tech() -> None:
    faces = [(dice(one("uk-2g", 4, t), BOMB)[1], dice(one("uk-2g", 4, t), AIR)) for t in (1, 2, 3)]
    assert faces == [(6, (0, NEVER)), (5, (4, 6)), (4, (4, 5))]
    assert charts().tech["bomber"].mp == (10, 10, 10, 15)


@pytest.mark.rule("6.3.3a")
def test_6_3_3a_strategic_bombers_fly_15_from_tech_1() -> None:
    assert charts().tech["strategic_bomber"].mp[1] == 15
    assert charts().tech["strategic_bomber"].attack == charts().tech["bomber"].attack


@pytest.mark.rule("6.6e")
def test_6_6e_a_fort_halves_all_attackers_and_helps_defenders() -> None:
    field = Field(fort_steps=3)
    assert dice(one("us-4", 4, 2), GROUND, field)[0] == 2
    assert dice(one("us-12b", 4, 2), BOMB, field)[0] == 2
    assert dice(one("de-26", 4, 1, False), GROUND, field) == (4, 5)


@pytest.mark.rule("6.6f")
def test_6_6f_a_fort_defends_at_5_6_and_never_attacks() -> None:
    assert dice(one("de-fort-calais", 5, 2, False)) == (5, 5)
    assert dice(one("de-fort-calais", 5, 2, True)) == (0, NEVER)


@pytest.mark.rule("6.6g")
def test_6_6g_a_festung_counts_double() -> None:
    field = Field(fort_steps=7)
    assert dice(one("de-fort-calais", 7, 2, False), GROUND, field) == (7, 4)
    assert dice(one("us-4", 4, 2), GROUND, field)[0] == 1
    assert dice(one("de-26", 4, 1, False), GROUND, field) == (4, 4)


@pytest.mark.rule("7.7.6a")
def test_7_7_6a_a_bonus_adds_a_face() -> None:
    assert fire.better_face(5, 1) == 4
    assert fire.better_face(6, 2) == 4
    assert fire.better_face(NEVER, 3) == NEVER


@pytest.mark.rule("7.7.6b")
def test_7_7_6b_a_malus_halves_the_dice() -> None:
    assert dice(one("de-19pz", 5, 2), GROUND, Field(terrain="forest"))[0] == 2
    assert dice(one("de-26", 4, 2), GROUND, Field(terrain="forest", major=True))[0] == 1


@pytest.mark.rule("7.7.6c", "7.7.11-rough")
def test_7_7_6c_whom_the_terrain_affects() -> None:
    forest, bunker = Field(terrain="forest"), Field(works=1)
    units = [(one("de-26", 4, 2), GROUND), (one("de-4a", 4, 2), GUNS), (one("de-1fk", 4, 2), BOMB)]
    assert [dice(w, k, forest)[0] for w, k in units] == [2, 4, 4]
    assert [dice(w, k, bunker)[0] for w, k in units] == [2, 2, 2]
    assert dice(one("de-26", 4, 2), AA, forest)[0] == 2
    for terrain in ("forest", "hills", "mountain", "swamp"):
        assert dice(one("de-26", 4, 2), GROUND, Field(terrain=terrain))[0] == 2
        assert dice(one("fr-6", 4, 1, False), GROUND, Field(terrain=terrain)) == (4, 6)


@pytest.mark.rule("7.7.6d")
def test_7_7_6d_the_air_ignores_the_terrain() -> None:
    rough = Field(terrain="mountain", works=2)
    assert dice(one("de-jf2", 5, 2), AIR, rough)[0] == 5
    assert dice(one("de-1fk", 4, 2), BOMB, Field(terrain="mountain", major=True))[0] == 4


@pytest.mark.rule("7.7.6e")
def test_7_7_6e_agreement_to_cancel() -> None:
    field = Field(terrain="forest", major=True)
    minor = one("be-1", 4, 0, False)  # TECH 0 Malus and city Bonus
    assert dice(minor, GROUND, field) == (2, 5)
    assert dice(minor, GROUND, field._replace(cancel=True)) == (4, 6)


@pytest.mark.rule("7.7.6f")
def test_7_7_6f_a_natural_1_misses() -> None:
    assert fire.better_face(4, 3) == 2
    assert fire.better_face(4, 2) == 2


@pytest.mark.rule("7.7.7a")
def test_7_7_7a_modifiers_add_up() -> None:
    tank = one("de-19pz", 5, 2, crossing="river")
    assert [dice(tank, GROUND, f)[0] for f in (Field(), Field(terrain="forest"))] == [2, 1]
    field = Field(terrain="forest", major=True, all_cross="river")
    assert dice(one("fr-6", 4, 1, False), GROUND, field) == (4, 4)
    assert fire.modifiers(one("de-26", 4, 2, crossing="river"), GROUND, field, 1).malus == 3
    both = Field(works=1, fort_steps=3)
    assert fire.modifiers(one("us-4", 4, 2), GROUND, both, 1).malus == 2


@pytest.mark.rule("7.7.7-merge")
def test_7_7_7_merging_dice() -> None:
    shots = fire.volley([one("de-15pz", 3, 2), one("de-26", 3, 2)], GROUND, Field(terrain="forest"), 1)
    assert [(s.dice, s.face) for s in shots] == [(1, 5), (2, 6)]
    apart = fire.volley(
        [one("de-15pz", 3, 2, crossing="river"), one("de-26", 3, 2)], GROUND, Field(terrain="forest"), 1
    )
    assert [s.dice for s in apart] == [1, 1]  # not the same Mali: halved apart
    pair = fire.volley([one("de-26", 1, 2), one("de-27", 1, 2)], GROUND, Field(terrain="forest"), 1)
    assert [s.dice for s in pair] == [1, 1]


@pytest.mark.rule("7.7.4c", "6.1.4c")
def test_7_7_4c_artillery_drops_a_position_after_firing() -> None:
    guns = UNITS[UNIT_IDS["de-4a"]].pattern
    assert fire.after_firing(guns, 4) == 2
    assert fire.after_firing(guns, 2) == 1


@pytest.mark.rule("6.1.4d")
def test_6_1_4d_empty_artillery_rolls_nothing() -> None:
    for kind in (AA, GUNS, GROUND):
        assert dice(one("de-4a", 0, 2), kind) == (0, NEVER)


@pytest.mark.rule("7.7.11-rivers")
def test_7_7_11_rivers_in_the_first_round() -> None:
    crossing = one("de-26", 4, 2, crossing="river")
    assert [dice(crossing, GROUND, CLEAR, n)[0] for n in (1, 2)] == [2, 4]
    defender = one("fr-6", 4, 1, False)
    assert [dice(defender, GROUND, Field(all_cross="river"), n)[1] for n in (1, 2)] == [5, 6]
    assert dice(defender, GROUND, Field(), 1)[1] == 6
    assert dice(defender, AA, Field(all_cross="river"), 1)[1] == 6


@pytest.mark.rule("7.7.11-straits")
def test_7_7_11_straits_in_the_first_round() -> None:
    crossing = one("de-26", 4, 2, crossing="strait")
    assert [dice(crossing, GROUND, CLEAR, n)[0] for n in (1, 2)] == [1, 4]
    assert dice(one("uk-5", 4, 1, False), GROUND, Field(all_cross="strait"), 1)[1] == 5


@pytest.mark.rule("7.7.11-majorcity")
def test_7_7_11_major_cities_in_every_round() -> None:
    city = Field(major=True)
    for n in (1, 2):
        assert dice(one("us-4", 4, 2), GROUND, city, n)[0] == 2
        assert dice(one("it-12", 4, 1, False), GROUND, city, n)[1] == 5
    assert dice(one("it-12", 4, 1, False), AA, city)[1] == 6


@pytest.mark.rule("7.7.11-clear")
def test_7_7_11_plains_and_minor_cities_change_nothing() -> None:
    assert fire.modifiers(one("de-26", 4, 2), GROUND, Field(), 1) == fire.NO_MODIFIERS
    assert fire.modifiers(one("de-26", 4, 2), GROUND, Field(terrain="forest", aa_dice=1), 1).mali == (
        ("7.7.11-rough", 1),
    )


@pytest.mark.rule("7.7.11-fortress")
def test_7_7_11_fortress() -> None:
    field = Field(works=2)
    assert dice(one("de-26", 4, 2), GROUND, field)[0] == 1
    assert dice(one("de-1fk", 4, 2), BOMB, field)[0] == 1
    assert dice(one("fr-6", 4, 1, False), GROUND, field)[1] == 4
    assert dice(one("fr-6", 4, 1, False), AA, field)[1] == 6
    assert dice(one("fr-3a", 4, 1, False), GUNS, field)[1] == 6  # support units get no Bonus


@pytest.mark.rule("7.7.11-bunker")
def test_7_7_11_bunker() -> None:
    field = Field(works=1)
    assert dice(one("us-4", 4, 2), GROUND, field)[0] == 2
    assert dice(one("us-12b", 4, 2), BOMB, field)[0] == 2
    assert dice(one("de-51g", 4, 1, False), GROUND, field)[1] == 5


@pytest.mark.rule("7.7.2b", "5.6-eben-a")
def test_7_7_2b_aa_dice_of_places() -> None:
    assert fire.locality_aa("major", 0) == 2
    assert fire.locality_aa("minor", 0) == 1
    assert fire.locality_aa("", 2) == 2
    assert fire.locality_aa("", 1) == 1
    assert fire.locality_aa("minor", 2, fortress_has_aa=False) == 1


@pytest.mark.rule("6.1.1-static-b", "6.1.5")
def test_6_1_1_static_infantry_has_no_attack_and_paras_are_infantry() -> None:
    assert dice(one("fr-thi", 4, 1, True)) == (0, NEVER)
    assert dice(one("fr-thi", 4, 1, False)) == (4, 6)
    for kind in ("para", "marine"):
        assert charts().tech[kind] == charts().tech["infantry"]


@pytest.mark.rule("3.13b", "3.13-dates-known", "5.1a", "5.2a")
def test_3_13b_tech_dates() -> None:
    assert [tech_level("DE", "armour", m) for m in ("1943-06", "1943-07")] == [2, 3]
    assert [tech_level("DE", "infantry", m) for m in ("1944-09", "1944-10")] == [2, 3]
    assert [tech_level("DE", "fighters", m) for m in ("1940-05", "1941-04", "1941-05", "1944-04", "1944-05")] == [
        1,
        1,
        2,
        2,
        3,
    ]
    assert [tech_level("US", "infantry", m) for m in ("1944-05", "1944-06")] == [2, 3]
    assert [tech_level(p, "navy", m) for p in ("US", "UK") for m in ("1943-12", "1944-01")] == [2, 3, 2, 3]
    assert [tech_level("DE", f, "1940-05") for f in ("infantry", "armour", "bombers", "fighters")] == [2, 2, 2, 1]
    assert [tech_level("FR", f, "1940-05") for f in ("infantry", "armour", "bombers", "fighters")] == [1, 1, 1, 1]
    assert tech_level("UK", "fighters", "1940-07") == 1


@pytest.mark.rule("3.13-dates-proposed")
def test_3_13_proposed_dates() -> None:
    assert [tech_level("UK", f, "1943-07") for f in ("infantry", "armour", "fighters", "bombers")] == [2, 2, 2, 2]
    assert [tech_level("UK", "armour", m) for m in ("1944-12", "1945-01")] == [2, 3]
    assert [tech_level("US", "bombers", m) for m in ("1943-12", "1944-01")] == [2, 3]
    assert [tech_level("IT", f, "1943-07") for f in ("infantry", "armour", "fighters", "bombers")] == [1, 1, 1, 1]
