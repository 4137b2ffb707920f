"""Steps 4 to 6 of every combat: tallies, cap, divisions, table."""

import pytest

from grognard.games.surrender.loading import CODES, combat_table, drm_rows, setting
from grognard.games.surrender.odds.law import case_law, drm_law
from grognard.games.surrender.rules import results
from grognard.games.surrender.rules.cases import AirCase, Army, GroundCase, Marker, StrategicCase, Wing
from grognard.games.surrender.rules.table import line_of, look_up, sorties_of
from grognard.games.surrender.rules.tally import Item, Tally, capped, final_value, halved, tally

GERMAN = Army("germany", "infantry")
SOVIET = Army("ussr", "infantry")
TANK = Army("germany", "tank", elite=True)
SPITFIRES = Wing("uk", "fighter", "western", in_england=True)
RANK = ("AA", "AS", "NE", "DR", "DD", "DE")


def markers(*drms: int) -> dict[str, tuple[Marker, ...]]:
    return {"attacker": tuple(Marker(f"m{i}", drm) for i, drm in enumerate(drms))}


@pytest.mark.rule("seq-4-cap")
def test_seq_4_cap_holds_the_sum_not_the_lines():
    assert [capped(n) for n in (15, -12, 10, -10, 11, 0)] == [10, -10, 10, -10, 10, 0]
    side = Tally((Item("a", 14), Item("b", -6)))
    assert (side.sum, side.drm, side.is_capped) == (8, 8, False)
    case = GroundCase("assault", GERMAN, SOVIET, events=markers(9, 9))
    assert tally(case, "attacker").drm == 10
    assert tally(case, "attacker").is_capped


@pytest.mark.rule("seq-4-own")
def test_seq_4_own_lines_never_reach_the_other_side():
    case = GroundCase("mobile", GERMAN, SOVIET, events=markers(1))
    assert tally(case, "attacker").sum == 3
    assert tally(case, "defender") == Tally()
    air = AirCase("air_strike", Wing("germany", "fighter", "axis"), Wing("ussr", "fighter", "soviet"))
    assert all(item.rule.startswith("air-") for item in tally(air, "attacker").items)
    assert {row.rule.split("-")[0] for row in drm_rows("ground")} == {"ground", "assault", "amphib"}


@pytest.mark.rule("seq-5-roll", "seq-5-min")
def test_seq_5_roll_adds_the_drm_and_never_falls_below_one():
    assert final_value(4, 3, 0) == 7
    assert final_value(1, -9, 0) == 1
    assert final_value(1, -1, 0) == 1
    assert final_value(1, -9, 2) == 1


@pytest.mark.rule("seq-5-halve", "seq-5-round", "ground-halve-each", "air-halve-each")
def test_seq_5_round_every_division_rounds_up():
    assert [halved(9, n) for n in range(4)] == [9, 5, 3, 2]
    assert [halved(5, 1), halved(1, 1), halved(7, 2), halved(11, 1), halved(11, 2)] == [3, 1, 2, 6, 3]
    assert final_value(4, 1, 1) == 3
    assert final_value(1, 5, 1) == 3  # the modified result is halved, not the die


@pytest.mark.rule("seq-6-lookup")
def test_seq_6_lookup_attacker_across_defender_down():
    assert look_up(9, 1) == "DE"
    assert look_up(1, 9) == "AA"


PRINTED = """
    ..rrrdddeeeeeeee
    ...rrrdddeeeeeee
    s...rrrdddddeeee
    ss...rrrrdddddde
    sss....rrrdddddd
    asss....rrrrrrdd
    aass.....rrrrrrd
    aaass.....rrrrrr
    aaasss.....rrrrr
    aaaasss.....rrrr
    aaaassss.....rrr
    aaaaassss......r
    aaaaasssss.....r
    aaaaaasssss.....
    aaaaaasssss.....
    aaaaaaassssss...
"""  # . no effect, r DR, d DD, e DE, s AS, a AA; a row per defender, a column per attacker


@pytest.mark.rule("crt")
def test_crt_every_cell_is_the_printed_one():
    letters = dict(zip(".rdesa", CODES))
    rows = PRINTED.split()
    assert [len(row) for row in rows] == [16] * 16
    for defender, row in enumerate(rows, 1):
        for attacker, letter in enumerate(row, 1):
            assert look_up(attacker, defender) == letters[letter], (attacker, defender)
    assert look_up(15, 12) == "NE"
    assert look_up(16, 13) == "DR"
    assert combat_table()[13] == combat_table()[14]
    counts = [sum(look_up(a, d) == code for a in range(1, 17) for d in range(1, 17)) for code in CODES]
    assert counts == [68, 48, 26, 20, 48, 46]


@pytest.mark.rule("crt-codes", "crt-plus")
def test_crt_codes_and_their_numbers():
    cells = {cell for row in combat_table() for cell in row}
    assert cells == {("NE", 0), ("DR", 2), ("DD", 3), ("DE", 4), ("AS", 2), ("AA", 3)}
    assert [sorties_of(code) for code in ("DR", "DD", "DE", "AS", "AA")] == [2, 3, 4, 2, 3]


@pytest.mark.rule("crt-monotone")
def test_crt_monotone():
    for n in range(1, 17):
        across = [RANK.index(look_up(a, n)) for a in range(1, 17)]
        down = [RANK.index(look_up(n, d)) for d in range(1, 17)]
        assert across == sorted(across)
        assert down == sorted(down, reverse=True)


@pytest.mark.rule("crt-above-16")
def test_crt_above_16_reads_the_last_line():
    assert line_of(20) == 16
    assert look_up(20, 1) == look_up(16, 1)
    assert max(final_value(face, setting("cap"), 0) for face in range(1, setting("die") + 1)) == 16


@pytest.mark.rule("die")
def test_die_has_six_faces_and_is_one_setting():
    assert setting("die") == 6
    assert sum(drm_law((0, 0), (0, 0)).values()) == 1
    assert {p.denominator for p in drm_law((0, 0), (0, 0)).values()} <= {1, 2, 3, 4, 6, 9, 12, 18, 36}


@pytest.mark.rule("seq-6-type")
def test_seq_6_type_one_code_three_lists():
    ground = results.ground_outcome("DD", mobile=False, attacker_reduced=False, defender_reduced=False,
                                    can_retreat=True, holds_fort=False)  # fmt: skip
    assert ground.defender == "reduced"
    assert results.sorties_added("DD") == (1, 3)
    assert results.fac_lost_change("DD") == (-1, 1)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (GroundCase("mobile", Army("italy", "infantry"), SOVIET), "16 9 1 0 9 1"),
        (GroundCase("mobile", GERMAN, SOVIET), "14 13 6 0 3 0"),
        (
            GroundCase("mobile", TANK, Army("france", "infantry"), city=True, hexside="river"),
            "16 13 5 0 2 0",
        ),
        (GroundCase("mobile", GERMAN, SOVIET, weather="severe"), "24 12 0 0 0 0"),
        (
            AirCase("air_strike", Wing("germany", "fighter", "axis"), SPITFIRES),
            "20 4 0 0 10 2",
        ),
        (StrategicCase("western", frozenset({7, 3})), "11 15 8 1 1 0"),
    ],
)  # fmt: skip
def test_worked_numbers(case, expected):
    law = case_law(case)
    assert " ".join(str(law[code] * 36) for code in CODES) == expected


@pytest.mark.rule("seq-2-events", "ground-drm-event", "air-drm-event", "strategic-drm-event")
def test_events_any_number_each_its_own_line():
    two = markers(1, 1)
    ground = tally(GroundCase("mobile", GERMAN, SOVIET, events=two), "attacker")
    assert [i for i in ground.items if i.rule == "ground-drm-event"] == [
        Item("ground-drm-event", 1, "m0"),
        Item("ground-drm-event", 1, "m1"),
    ]
    wing = Wing("ussr", "fighter", "soviet")
    assert tally(AirCase("air_strike", wing, wing, events=markers(1)), "attacker").items == (
        Item("air-drm-event", 1, "m0"),
    )
    assert tally(AirCase("air_strike", wing, wing), "attacker").items == ()
    strategic = tally(StrategicCase("western", events=markers(2)), "attacker")
    assert strategic.items == (Item("strategic-drm-event", 2, "m0"),)
