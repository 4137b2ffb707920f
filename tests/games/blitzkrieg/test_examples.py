"""The worked examples, executable: of the text, of what follows from it, of the reconstructed base game."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws import barrage, close, destruction, fire, quality, shot
from grognard.games.blitzkrieg.laws.parties import Firer, Shot, Target
from grognard.games.blitzkrieg.loading import GUNS, MODELS, TEAMS, VEHICLES, WEAPONS
from grognard.games.blitzkrieg.odds import odds_case
from grognard.games.blitzkrieg.switches import DEFAULTS

BOOK = Book(DEFAULTS)


def without(*ids: str) -> Book:
    return Book(DEFAULTS - set(ids))


def ask(**case: Any) -> dict[str, Any]:
    answer = odds_case(case)
    assert "error" not in answer, answer
    return answer


def refused(**case: Any) -> str:
    return str(odds_case(case)["error"]["rule"])


def detect(cm: int, vision: str = "normal", observer: dict[str, Any] | None = None, **target: Any) -> dict[str, Any]:
    return ask(kind="detect", observer={"vision": vision} | (observer or {}), target=target, cm=cm)


@pytest.mark.rule("003a", "003b", "003e", "003g")
def test_003_anti_tank_gun_in_cover_closed_tank_observer_on_a_hill():
    gun = {"type": "gun", "action": "firing", "cover": "light"}
    assert detect(60, type="vehicle", action="moving") == {"kind": "detect", "limit": "unlimited", "sees": True}
    assert detect(60, "limited", **gun) == {"kind": "detect", "limit": 45, "sees": False}
    assert detect(120, "normal", {"hill": True, "spotter": True}, **gun) == {
        "kind": "detect",
        "limit": 120,
        "sees": True,
    }
    assert detect(121, "normal", {"hill": True}, **gun)["sees"] is False


@pytest.mark.rule("003d")
def test_003_still_infantry_in_the_open():
    assert detect(60, type="infantry")["limit"] == 60
    assert detect(60, "limited", type="infantry")["limit"] == 30


@pytest.mark.rule("003h", "003i", "base-recon")
def test_003_only_reconnaissance_helps_against_camouflage():
    hidden = {"type": "infantry", "camouflaged": True}
    assert detect(6, **hidden)["limit"] == 5
    assert detect(6, "normal", {"hill": True, "spotter": True}, **hidden)["limit"] == 5
    assert detect(6, "normal", {"recon": True}, **hidden)["limit"] == 15
    fired = hidden | {"action": "firing"}
    assert detect(6, "normal", {"hill": True}, **fired)["limit"] == 90
    assert detect(6, "normal", {"recon": True}, **fired)["limit"] == 120


@pytest.mark.rule("base-detection-table")
def test_detection_is_farther_by_normal_vision_and_by_more_action():
    for kind in ("infantry", "vehicle"):
        for cover in ("open", "heavy"):
            limits = []
            for action in ("still", "moving", "firing"):
                pair = [
                    detect(1, vision, type=kind, action=action, cover=cover)["limit"]
                    for vision in ("normal", "limited")
                ]
                normal, limited = (10**6 if limit == "unlimited" else limit for limit in pair)
                assert normal >= limited
                limits.append(limited)
            assert limits == sorted(limits)


@pytest.mark.rule("001c")
def test_001_half_group_profiles():
    found = [(TEAMS[t].dice, TEAMS[t].near, TEAMS[t].far) for t in ("brencrew", "scout", "command")]
    assert found == [(1, 30, 60), (1, 20, 40), (1, 20, 40)]


@pytest.mark.rule("101c")
def test_101_crawling_infantry_and_a_closed_tank():
    crawler = {"type": "infantry", "action": "crawling"}
    assert not detect(31, "limited", **crawler)["sees"]
    assert detect(30, "limited", **crawler)["sees"]
    assert (
        ask(kind="fire", firer={"unit": "rifle"}, target={"type": "infantry", "crawling": True}, cm=25)["number"] == 4
    )


@pytest.mark.rule("102a", "102b", "base-fire", "base-fire-combine", "base-defensive-fire")
def test_102_six_us_units_and_an_mmg_against_two_german_units():
    covers = [ask(kind="fire", firer={"unit": u}, target={"type": "infantry", "cover": "building"}, cm=25)
              for u in ("rifle", "rifle", "rifle", "mmg")]  # fmt: skip
    assert sum(answer["dice"] for answer in covers) == 9
    assert {answer["number"] for answer in covers} == {6}
    value = fire.covering_value(BOOK, sum(TEAMS[u].covering for u in ("rifle", "rifle", "rifle", "mmg")))
    assert value == 5
    assert fire.defensive_number(BOOK, 0, 0)[0] == 2
    assert [fire.defensive_number(BOOK, 0, split)[0] for split in (2, 3)] == [4, 5]
    assert [fire.team_dice(BOOK, TEAMS["rifle"])] * 2 == [2, 2]


@pytest.mark.rule("102c")
def test_102_the_floor_of_five():
    assert fire.defensive_number(BOOK, 0, 6)[0] == 5
    assert fire.defensive_number(BOOK, 2, 3)[0] == 5  # heavy ground at point blank: 5 already
    assert fire.defensive_number(without("102"), 0, 6)[0] == 2


@pytest.mark.rule("105", "base-save")
def test_105_a_20_mm_hit_on_infantry():
    results = [quality.saved(BOOK, 1, die, fire.cannon_save(BOOK)) for die in range(1, 7)]
    dead, shaken, safe = quality.ELIMINATED, quality.DEMORALISED, quality.SAFE
    assert results == [dead, dead, shaken, shaken, safe, safe]
    assert fire.cannon_save(without("105")) == 0


@pytest.mark.rule("106a", "223")
def test_106_fuel_of_flamethrowers():
    def lost(weapon: str, **more: Any) -> str:
        return str(ask(kind="test", what="coloured", weapon=weapon, **more)["results"]["lost"])

    assert (lost("flame-portable"), lost("flame-vehicle")) == ("1/2", "1/6")
    off = {"proposals": {"off": ["106", "223"]}}
    assert (lost("flame-portable", **off), lost("flame-vehicle", **off)) == ("1/6", "1/2")


@pytest.mark.rule("107bis-b", "107bis-c")
def test_107bis_a_second_panzerfaust():
    assert ask(kind="test", what="panzerfaust")["results"] == {"passed": "1"}
    assert ask(kind="test", what="panzerfaust", later=True)["results"] == {"passed": "1/2", "failed": "1/2"}


@pytest.mark.rule("108f", "108g", "108h")
def test_108_a_60_mm_mortar_on_its_targets():
    case = {"kind": "barrage", "mode": "direct", "unit": "m2_60", "cm": 30}
    men, house = {"type": "infantry"}, {"type": "infantry", "cover": "building"}
    answer = ask(**case, targets=[men, house])
    assert [(t["dice"], t["number"]) for t in answer["targets"]] == [(2, 5), (2, 6)]
    assert answer["coloured"] == {"jammed": "1/6"}
    assert refused(**case, targets=[men, men, house]) == "108g"


@pytest.mark.rule("201a", "201c")
def test_201_named_sizes():
    assert {VEHICLES[v].size for v in ("gaz67", "kubel", "jeep", "tks", "bren", "wasp", "dingo", "lorr", "l3")} == {
        "TP"
    }
    assert {VEHICLES[v].size for v in ("t35", "kv2")} == {"TG"}
    assert [shot.size_modifier(BOOK, size)[1] for size in ("TP", "TG")] == [-2, 2]
    assert [shot.size_modifier(without("201"), size)[1] for size in ("TP", "TG")] == [-1, 1]


@pytest.mark.rule("201a", "201b")
def test_201_sizes_follow_heights_except_where_the_text_names_them():
    def by_height(cm: int) -> str:
        return "TP" if cm <= 170 else "P" if cm <= 230 else "N" if cm <= 270 else "G" if cm <= 330 else "TG"

    assert [by_height(h) for h in (170, 171, 230, 231, 270, 271, 330, 331)] == [
        "TP",
        "P",
        "P",
        "N",
        "N",
        "G",
        "G",
        "TG",
    ]
    odd = {v.id for v in VEHICLES.values() if v.size != by_height(v.height)}
    assert odd == {"jeep", "kv2"}
    assert [shot.size_modifier(BOOK, s)[1] for s in ["TP", "P", "P", "N", "N", "G", "G", "TG"]] == [
        -2,
        -1,
        -1,
        0,
        0,
        1,
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("row", "new", "old"),
    [
        pytest.param("still", 4, 4, marks=pytest.mark.rule("206a")),
        pytest.param("moving", 8, 9, marks=pytest.mark.rule("206b")),
        pytest.param("stabilised", 7, 9, marks=pytest.mark.rule("206c")),
        pytest.param("narrow", 9, 9, marks=pytest.mark.rule("206d")),
        pytest.param("pivot", 7, 8, marks=pytest.mark.rule("206e")),
        pytest.param("traverse", 5, 6, marks=pytest.mark.rule("206f")),
        pytest.param("weapon_still", 5, 6, marks=pytest.mark.rule("206g")),
        pytest.param("weapon_moved", 7, 8, marks=pytest.mark.rule("206h")),
    ],
)
def test_206_rows(row, new, old):
    assert shot.base_number(BOOK, row)[0] == new
    assert shot.base_number(without("206"), row) == (old, "base-to-hit")


@pytest.mark.rule("base-to-hit")
def test_206_chances_of_two_dice():
    dice = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    chances = [sum(shot.hits(d, number) for d in dice) for number in (4, 8, 7, 9, 5, 2, 13)]
    assert chances == [33, 15, 21, 10, 30, 35, 1]


@pytest.mark.rule("207a", "207b", "207c", "207d")
def test_207_range_modifiers_at_100_cm():
    def mod(weapon: str, nation: str = "DE", ammo: str = "AP") -> int:
        band, _ = shot.range_band(BOOK, WEAPONS[weapon], nation, ammo, False)
        return -(-(100 - band) // band)

    found = [mod("75*"), mod("75"), mod("75L"), mod("75LL"), mod("37L"), mod("100L", "SU"), mod("75L", "DE", "HE")]
    assert found == [4, 3, 2, 1, 3, 3, 4]


@pytest.mark.rule("207e", "207g", "201b", "base-to-hit")
def test_207_a_closed_tiger_at_a_moving_sherman():
    answer = ask(kind="shot", firer={"unit": "pz6"}, target={"type": "vehicle", "unit": "m4_75", "moved": 40}, cm=90)
    assert (answer["base"], answer["needed"], answer["p_hit"]) == (4, 7, "7/12")
    assert answer["results"] == {"none": "37/72", "destroyed": "35/72"}
    fast = ask(kind="shot", firer={"unit": "pz6"}, target={"type": "vehicle", "unit": "m4_75", "moved": 50}, cm=90)
    assert fast["needed"] == 8


@pytest.mark.rule("206c", "207b")
def test_207_a_moving_sherman_at_a_still_tiger():
    answer = ask(
        kind="shot", firer={"unit": "m4_75", "stance": "moving"}, target={"type": "vehicle", "unit": "pz6"}, cm=60
    )
    assert (answer["base"], answer["needed"], answer["p_hit"]) == (7, 8, "5/12")


@pytest.mark.rule("206d", "207f", "220b", "220c")
def test_207_narrow_turret_and_poor_optics_on_the_move():
    case = {"kind": "shot", "target": {"type": "vehicle", "unit": "pz3h"}, "cm": 25}
    answer = ask(**case, firer={"unit": "t34_41", "stance": "moving", "crew": "out"})
    assert (answer["base"], answer["items"]) == (9, [{"rule": "207f", "mod": -1}])
    assert (answer["needed"], answer["p_hit"]) == (10, "1/6")
    moving = {"unit": "t34_41", "stance": "moving"}
    assert refused(**case, firer=moving, proposals={"off": ["220"]}) == "220b"


@pytest.mark.parametrize(
    ("weapon", "new", "old"),
    [
        pytest.param("12.7", 0, -1, marks=pytest.mark.rule("208a")),
        pytest.param("37*", 1, 0, marks=pytest.mark.rule("208b")),
        pytest.param("20L", 2, 1, marks=pytest.mark.rule("208c")),
        pytest.param("37", 2, 1, marks=pytest.mark.rule("208c")),
        pytest.param("20LL", 3, 2, marks=pytest.mark.rule("208d")),
        pytest.param("37L", 3, 2, marks=pytest.mark.rule("208d")),
        pytest.param("28LL", 4, 3, marks=pytest.mark.rule("208e")),
        pytest.param("37LL", 4, 3, marks=pytest.mark.rule("208e")),
        pytest.param("100L", 10, 9, marks=pytest.mark.rule("208f")),
        pytest.param("88LL", 10, 11, marks=pytest.mark.rule("208g")),
        pytest.param("128L", 11, 12, marks=pytest.mark.rule("208h")),
        pytest.param("150L", 11, 12, marks=pytest.mark.rule("208h")),
        pytest.param("PF", 8, 7, marks=pytest.mark.rule("208i")),
        pytest.param("PS", 8, 7, marks=pytest.mark.rule("208i")),
        pytest.param("BAZ", 6, 5, marks=pytest.mark.rule("208j")),
        pytest.param("PIAT", 7, 6, marks=pytest.mark.rule("208k")),
        pytest.param("ATR", 2, 1, marks=pytest.mark.rule("208l")),
    ],
)
def test_208_values_new_and_old(weapon, new, old):
    assert destruction.power(BOOK, WEAPONS[weapon]) == new
    assert destruction.power(without("208"), WEAPONS[weapon]) == old


@pytest.mark.rule("208m", "base-rate-of-fire")
def test_208_small_guns_fire_once():
    assert [shot.rate_of_fire(BOOK, WEAPONS[c]) for c in ("20L", "37L", "50")] == [1, 1, 1]
    assert [shot.rate_of_fire(without("208"), WEAPONS[c]) for c in ("20L", "37L", "50")] == [2, 2, 1]


@pytest.mark.rule("208n")
def test_208_no_panzerfaust_before_1943():
    case = {
        "kind": "shot",
        "firer": {"unit": "rifle", "weapon": "PF"},
        "target": {"type": "vehicle", "unit": "m4_75"},
        "cm": 5,
    }
    assert refused(**case, year=1942) == "208n"
    assert ask(**case, year=1943)["destruction"]["ap"] == 8


@pytest.mark.rule("209bis-a", "209bis-b", "209bis-c")
def test_209bis_range_and_power():
    def mods(weapon: str) -> list[int]:
        distances = (30, 31, 60, 61, 90, 91, 120, 121, 150)
        return [destruction.range_modifier(BOOK, WEAPONS[weapon], cm)[1] for cm in distances]

    assert mods("75") == [1, 0, 0, -1, -1, -2, -2, -3, -3]
    assert mods("75L") == [1, 0, 0, 0, 0, -1, -1, -2, -2]
    assert mods("75LL") == [1, 0, 0, 0, 0, 0, 0, -1, -1]
    assert mods("85") == mods("75")
    assert WEAPONS["85"].ap == 8


@pytest.mark.rule("209")
def test_209_distance_does_not_weaken_hollow_charges():
    assert destruction.hand_modifier(BOOK, WEAPONS["BAZ"], 20)[1] == 0
    assert destruction.hand_modifier(without("209"), WEAPONS["BAZ"], 20)[1] == -1


@pytest.mark.rule("212a", "212b")
def test_212_an_immobilisation_shot():
    case = {
        "kind": "shot",
        "firer": {"unit": "pak40"},
        "target": {"type": "vehicle", "unit": "t34_43"},
        "aim": "immobilise",
    }
    answer = ask(**case, cm=45)
    assert {"rule": "212a", "mod": -2} in answer["items"]
    assert set(answer["per_hit"]) <= {"none", "immobilised", "abandoned"}
    assert refused(**case, cm=46) == "212b"
    old = ask(**case, cm=30, proposals={"off": ["212"]})
    assert {"rule": "212a", "mod": -3} in old["items"]


@pytest.mark.rule("214g")
def test_214_a_bren_carrier_against_guns():
    assert ask(kind="overrun", attacker={"unit": "bren"}, target={"type": "gun", "unit": "pak38"})["number"] == 3
    assert refused(kind="overrun", attacker={"unit": "bren"}, target={"type": "gun", "unit": "pak40"}) == "214g"
    off = {"off": ["214"]}
    assert ask(kind="overrun", attacker={"unit": "bren"}, target={"type": "gun", "unit": "pak40"}, proposals=off)


@pytest.mark.rule("214a", "214b")
def test_214_a_tank_overruns_infantry():
    assert close.overrun_number(Target(None)) == 3
    assert close.overrun_number(Target(None, cover=1)) == 5
    answer = ask(kind="overrun", attacker={"unit": "pz4h"}, target={"type": "infantry", "cover": "light"})
    assert answer["results"] == {"eliminated": "1/3", "demoralised": "2/3"}


@pytest.mark.rule("214d", "214e", "214f")
def test_214_who_runs_over_vehicles():
    truck, jeep = {"type": "vehicle", "unit": "gmc"}, {"type": "vehicle", "unit": "jeep"}
    assert ask(kind="overrun", attacker={"unit": "pz4h"}, target=truck)["results"] == {
        "destroyed": "2/3",
        "flees": "1/3",
    }
    assert refused(kind="overrun", attacker={"unit": "s251"}, target=truck) == "214d"
    assert ask(kind="overrun", attacker={"unit": "s251"}, target=jeep)
    assert refused(kind="overrun", attacker={"unit": "pz4h"}, target=truck | {"continuous": True}) == "214f"
    assert refused(kind="overrun", attacker={"unit": "opel"}, target=jeep) == "214a"


ASSAULT_ROWS = ("infantry", "assault", "charge", "magnetic", "flame")


@pytest.mark.rule("215b", "215c", "215d")
def test_215_scores():
    def numbers(target: Target) -> list[int]:
        lines = close.tank_assault_lines(target).total()
        return [max(2, min(6, close.row_number(BOOK, row) - lines)) for row in ASSAULT_ROWS]

    tank, open_top = VEHICLES["pz4h"], VEHICLES["m10"]
    assert numbers(Target(tank)) == [5, 4, 3, 2, 4]
    assert numbers(Target(tank, moved=10)) == [6, 5, 4, 3, 5]
    assert numbers(Target(open_top, immobilised=True)) == [3, 2, 2, 2, 2]
    flame = ask(kind="tank-assault", attacker={"unit": "pioneer_ft"}, target={"type": "vehicle", "unit": "pz4h"})
    assert flame["p_success"] == "3/4"


@pytest.mark.rule("215a", "215e", "215f")
def test_215_years_motion_and_opportunity():
    case: dict[str, Any] = {
        "kind": "tank-assault",
        "attacker": {"unit": "rifle"},
        "target": {"type": "vehicle", "unit": "pz4h"},
    }
    assert (ask(**case, year=1940)["test"], ask(**case, year=1941)["test"]) == ("1/3", "1/2")
    moving = case | {"target": {"type": "vehicle", "unit": "pz4h", "continuous": True}}
    assert ask(**moving)["number"] == 6
    assert refused(**moving, proposals={"off": ["215"]}) == "215e"
    assert "destroyed" not in ask(**moving, opportunity=True)["results"]


@pytest.mark.rule("218a", "218b")
def test_218_breakdowns():
    def broken(speed: str, moves: int, **more: Any) -> Fraction:
        case = {"kind": "test", "what": "breakdown", "unit": "pz5d", "speed": speed, "moves": moves}
        return Fraction(ask(**case, **more)["results"]["breakdown"])

    assert (broken("slow", 1), broken("full", 1)) == (Fraction(1, 12), Fraction(1, 6))
    assert round(float(broken("full", 6)), 4) == 0.6651
    assert broken("full", 1, proposals={"off": ["218"]}) == Fraction(1, 12)


@pytest.mark.rule("221b", "221c", "base-pointblank-vehicle")
def test_221_a_tiger_that_has_fired_turns_on_a_sherman():
    case = {"kind": "shot", "target": {"type": "vehicle", "unit": "m4_75"}, "reaction": "close", "already": True}
    turret = ask(**case, firer={"unit": "pz6b", "stance": "traverse"}, cm=10)
    mods = {item["rule"]: item["mod"] for item in turret["items"]}
    assert (turret["base"], mods["221c"], mods["base-pointblank-vehicle"]) == (5, -2, 2)
    assert ask(**case, firer={"unit": "pz6b", "stance": "pivot"}, cm=10)["base"] == 7
    assert refused(**case, firer={"unit": "pz6b", "stance": "pivot"}, cm=11) == "221a"


@pytest.mark.rule("301a", "301b", "301c")
def test_301_template_sizes():
    found = [barrage.template_size(4, False), barrage.template_size(6, False), barrage.template_size(6, True)]
    found.append(barrage.template_size(6, False, stretched=True))
    assert found == [(10, 10), (15, 10), (20, 15), (30, 5)]


@pytest.mark.rule("303b", "303c")
def test_303_precision_over_three_turns():
    answer = ask(kind="barrage", mode="off-table", unit="off_105")
    assert [row["on_target"] for row in answer["schedule"]] == ["1/3", "4/9", "2/9"]
    assert answer["mean_turns"] == "17/9"


@pytest.mark.rule("303bis-a", "303bis-b")
def test_303bis_the_risk_for_friends():
    near = ask(kind="barrage", mode="off-table", unit="off_105", friends=True)
    assert near["schedule"][0]["shifted"] == "1/12"
    assert ask(kind="barrage", mode="off-table", unit="off_105")["schedule"][0]["shifted"] == "0"


@pytest.mark.rule("306b")
def test_306_finding_an_observer():
    hidden = {"type": "infantry", "camouflaged": True}
    found = [detect(6, **hidden), detect(5, **hidden), detect(15, "normal", {"recon": True}, **hidden)]
    assert [answer["sees"] for answer in found] == [False, True, True]


@pytest.mark.rule("307a", "307c")
def test_307_a_105_mm_barrage_on_armour():
    targets = [{"type": "vehicle", "unit": "pz4h"}]
    answer = ask(kind="barrage", mode="off-table", unit="off_105", targets=targets)["targets"][0]
    assert round(float(Fraction(answer["p_test"])), 4) == 0.4074
    assert (answer["power"], answer["armour"]) == (3, 5)


@pytest.mark.rule("403d")
def test_403_a_gun_that_was_unhitched():
    case = {"kind": "shot", "target": {"type": "vehicle", "unit": "m4_75"}, "cm": 40}
    assert ask(**case, firer={"unit": "pak38", "stance": "unhitched"})["base"] == 7


@pytest.mark.rule("404", "207c")
def test_404_a_hitched_88_at_90_cm():
    case = {"kind": "shot", "target": {"type": "vehicle", "unit": "mat2"}, "cm": 90}
    hitched = ask(**case, firer={"unit": "flak88", "stance": "hitched"})
    assert sum(item["mod"] for item in hitched["items"]) == -3
    assert hitched["destruction"]["items"] == []
    assert sum(item["mod"] for item in ask(**case, firer={"unit": "flak88"})["items"]) == -1
    off = {"proposals": {"off": ["404"]}}
    assert refused(**case, **off, firer={"unit": "flak88", "stance": "hitched"}) == "404"


@pytest.mark.rule("407a", "417c")
def test_407_direct_and_indirect_he_at_a_house():
    assert 1 + 3 * Fraction(7 - destruction.he_number(BOOK, 3), 6) == 2
    dice, number = barrage.effect_on_men(BOOK, 3, 3)
    assert dice * Fraction(7 - number, 6) == Fraction(1, 3)
    assert destruction.he_number(without("407"), 3) == 6


@pytest.mark.rule("408b")
def test_408_rockets_stray():
    answer = ask(kind="barrage", mode="on-table", unit="neb41", cm=80, rockets=5)
    mean = sum(int(k) * Fraction(p) for k, p in answer["rockets"].items())
    assert round(float(mean), 4) == 1.6667


@pytest.mark.rule("413")
def test_413_minimum_ranges():
    assert [barrage.minimum(BOOK, WEAPONS[c]) for c in ("m60", "m81", "120*", "105*")] == [10, 20, 60, 60]
    assert barrage.minimum(without("413"), WEAPONS["105*"]) == 0


@pytest.mark.rule("base-gun-ammunition")
def test_417_out_of_ammunition():
    found = [ask(kind="test", what="coloured", weapon=w)["results"]["lost"] for w in ("gun-indirect", "gun-direct")]
    assert found == ["1/18", "1/36"]


@pytest.mark.rule("501")
def test_501_a_barrage_on_mines():
    light = ask(kind="barrage", mode="off-table", unit="off_m81", mines=3)
    heavy = ask(kind="barrage", mode="off-table", unit="off_105", mines=3)
    assert light["mines_removed"] == {"0": "1"}
    assert sum(int(k) * Fraction(p) for k, p in heavy["mines_removed"].items()) == Fraction(1, 2)


@pytest.mark.rule("603a", "base-destruction")
def test_603_a_typhoon_rocket_on_a_tiger():
    answer = ask(kind="air", weapon="rocket-allied", target={"type": "vehicle", "unit": "pz6"})
    assert (answer["p_hit"], answer["per_hit"]["destroyed"]) == ("2/3", "5/6")
    assert answer["results"]["destroyed"] == "5/9"
    old = ask(kind="air", weapon="rocket-allied", target={"type": "vehicle", "unit": "pz6"}, proposals={"off": ["603"]})
    assert old["p_hit"] == "1/2"


@pytest.mark.rule("base-destruction")
def test_base_destruction_probabilities():
    def law(total: int, armour: int) -> tuple[Fraction, Fraction]:
        found = [destruction.tested(BOOK, total, armour, (die,)) for die in range(1, 7)]
        return Fraction(found.count(destruction.DESTROYED), 6), Fraction(found.count(destruction.DAMAGED), 6)

    cases = [(7, 12), (7, 10), (8, 10), (4, 10)]
    assert [law(*case) for case in cases] == [
        (Fraction(1, 6), Fraction(1, 6)),
        (Fraction(1, 2), Fraction(1, 6)),
        (Fraction(2, 3), Fraction(1, 6)),
        (Fraction(0), Fraction(1, 6)),
    ]


@pytest.mark.rule("base-experience-test", "base-quality")
def test_base_experience_tests():
    def law(level: int, modifier: int) -> Fraction:
        return Fraction(sum(quality.passes(level, die, modifier) for die in range(1, 7)), 6)

    assert [law(q, 0) for q in range(4)] == [Fraction(n, 6) for n in (2, 3, 4, 5)]
    assert [law(q, -1) for q in range(4)] == [Fraction(n, 6) for n in (1, 2, 3, 4)]


@pytest.mark.rule("112")
def test_112_rally_under_fire():
    assert ask(kind="test", what="rally")["results"]["passed"] == "1/2"
    assert ask(kind="test", what="rally", fired_at=True)["results"]["passed"] == "1/3"
    assert ask(kind="test", what="rally", fired_at=True, proposals={"off": ["112"]})["results"]["passed"] == "1/2"


def test_every_model_is_read_whole():
    assert len(MODELS) == 275
    assert all(gun.weapon.id in WEAPONS for gun in GUNS.values())
    tank = Shot(Firer(VEHICLES["pz6"], WEAPONS["88L"]), Target(VEHICLES["m4_75"]), 90)
    assert shot.why_no_shot(BOOK, tank) is None
