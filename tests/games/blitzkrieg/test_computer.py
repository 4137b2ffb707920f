"""The computer player: it turns its armour to the gun, counts who may fire, keeps to cover and command."""

from __future__ import annotations

import pytest

from grognard.games.blitzkrieg.computer.danger import FLANK, FRONT, REAR, face_towards, holes, on_the_way, threat
from grognard.games.blitzkrieg.computer.hints import promising
from grognard.games.blitzkrieg.computer.score import ASTRAY, risked, score
from grognard.games.blitzkrieg.game import GAME
from grognard.games.blitzkrieg.state import ACTIVATED
from grognard.tabletop import FACING_NAMES

T34, T34_2, PAK, PANZER = "su-t34-43-1", "su-t34-43-2", "de-pak40-1", "de-pz4h-1"


def chosen(made) -> list[tuple[str, str]]:
    side = made.s.waiting[0]
    return [GAME.write(made.s, side, a) for a in promising(made.s, side, GAME.legal(made.s, side))]


def test_which_side_of_a_hull_looks_at_a_gun():
    north = FACING_NAMES.index("N")
    assert face_towards(north, 0, -40) == FRONT
    assert face_towards(north, 40, 0) == FLANK
    assert face_towards(north, 0, 40) == REAR
    assert holes(6, 6) == 83
    assert holes(3, 12) == 0


def test_armour_turns_to_the_gun_and_not_to_the_men_beside_it(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 60, "W")
    made.put("de-pzgren-1", 180, 90)  # nearer, and harmless at that distance
    made.put(PAK, 150, 60, "E", flags=ACTIVATED)
    made.act(0, "first-wave", T34)
    made.do("move")
    made.do("to", made.point(195, 60))
    assert chosen(made) == [("face", "W")]


def test_a_way_under_a_gun_counts_the_shot_and_smoke_or_a_gun_that_fired_does_not(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 60, "W")
    gun = made.put(PAK, 150, 60, "E")
    made.act(0, "first-wave", T34)
    made.do("move")
    assert threat(made.s, gun, made.unit(T34), made.s.at[made.unit(T34)], FACING_NAMES.index("W")) > 0
    made.do("to", made.point(180, 60))
    assert made.decision == "React"
    moving = made.s.frames[-2]
    risk = on_the_way(made.s, moving)
    assert risk > 10
    made.s.flags[gun] |= ACTIVATED
    assert on_the_way(made.s, moving) == 0
    made.s.flags[gun] &= ~ACTIVATED
    made.s.smoke = ((640, 160, 40, 160, 9),)
    assert on_the_way(made.s, moving) == 0


def test_a_move_under_way_is_judged_by_where_it_ends(table):
    """The enemy is asked on the way; what the move is worth does not depend on how far it has come."""
    values = []
    for goal in (195, 170):
        made = table("prokhorovka43")
        made.put(T34, 200, 60, "W")
        made.put(PAK, 10, 10)
        made.hide(PAK)
        made.act(0, "first-wave", T34)
        made.do("move")
        made.do("to", made.point(goal, 60))
        assert made.decision == "React"
        values.append(score(made.s, 0))
    assert values[0] != values[1]


def test_leaving_the_reach_of_command_costs(table):
    made = table("prokhorovka43")
    made.put(T34, 200, 60, "W")
    mate = made.put(T34_2, 190, 70, "W")
    made.put(PAK, 10, 10)
    made.hide(PAK)
    made.act(0, "first-wave", T34)
    made.do("move")
    made.do("to", made.point(185, 60))
    moving = made.s.frames[-2]
    assert risked(made.s, 0, moving, 100) == 100
    made.s.at[mate] = made.w.table.point_at(4 * 100, 4 * 70)
    assert risked(made.s, 0, moving, 100) == 100 - ASTRAY


@pytest.mark.parametrize(("flags", "answer"), [(0, "let-pass"), (ACTIVATED, "stand-down")])
def test_a_side_that_can_do_nothing_says_so_once(table, flags, answer):
    made = table("prokhorovka43")
    made.put(T34, 200, 60, "W")
    made.put("de-pzgren-1", 60, 30, flags=flags)
    made.hide("de-pzgren-1")
    made.act(0, "first-wave", T34)
    made.do("move")
    made.do("to", made.point(185, 60))
    assert made.decision == "React"
    assert chosen(made) == [(answer, "")]
