"""What a game gets from the kit without a line of its own: set-up, names, invariants, decisions, the picture."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from grognard.kernel import REFEREE, Decision, seed_from
from grognard.kernel.narrate import Narrator
from grognard.kit import is_contested, place, sides_in, stack_of, units_of
from tests.kit.skirmish import BOARD, GAME, HAM, NORTH, SOUTH


@pytest.fixture
def s():
    return GAME.setup("day", {}, seed_from(1))


@pytest.fixture
def moving(s):
    GAME.obey(s, NORTH, ("bid", "3"))
    GAME.obey(s, SOUTH, ("bid", "0"))
    return s


def why(s, *action):
    refusal = GAME.why(s, s.waiting[0], action)
    return refusal and (refusal.rule, refusal.reason)


def test_the_scenarios_are_those_that_are_set_up_with_full_steps(s):
    assert GAME.scenarios == ("day",)
    assert (list(s.at), list(s.steps)) == ([BOARD.hex("0101"), -1, HAM], [2, 0, 2])
    assert GAME.boards() == {"map": BOARD.document}
    shown = [GAME.kinds[kind].shown(s, NORTH, noun) for kind, noun in (("hex", HAM), ("unit", 2), ("hex", -1))]
    assert shown == ["0202", "s1", None]
    assert GAME.check_data() == []


def test_units_by_side_and_hex(s):
    assert (units_of(s, NORTH), units_of(s, SOUTH)) == ([0], [2])
    place(s, 0, HAM)
    assert (stack_of(s, HAM, SOUTH), sides_in(s, HAM), is_contested(s, HAM)) == ([2], [0, 1], True)
    assert not is_contested(s, 0)


def test_choices_in_secret_are_redealt_and_stay_secret(s):
    GAME.obey(s, NORTH, ("bid", "2"))
    assert GAME.actors(s) == (SOUTH,)
    assert GAME.view(s, SOUTH)["bid"] == [None, -1]
    assert {GAME.redeal(s, SOUTH, str(n)).bid[NORTH] for n in range(40)} == {0, 1, 2, 3}
    assert {GAME.redeal(s, NORTH, str(n)).bid[NORTH] for n in range(10)} == {2}


def test_one_unit_at_a_time_ones_own_and_within_reach(moving):
    s = moving
    assert GAME.orders(s, NORTH) == [("move", "n1"), ("done", "")]
    assert why(s, "to", "0102") == ("1", "pick-first")
    assert why(s, "move", "s1") == ("1", "not-yours")
    assert why(s, "move", "n2") == ("1", "off-map")
    assert why(s, "move", "n9") == ("1", "unknown-target")
    GAME.obey(s, NORTH, ("move", "n1"))
    assert why(s, "done", "") == ("1", "in-hand")
    assert why(s, "to", "0103") == ("2", "out-of-reach")
    assert GAME.why(s, NORTH, ("to", "0103")).data == {"unit": "n1", "hex": "0103", "points": 1}
    decision = GAME.decision(s)
    assert decision.legal(s, s.frames[-1], NORTH) == Decision.legal(decision, s, s.frames[-1], NORTH)
    GAME.obey(s, NORTH, ("to", "0102"))
    assert BOARD.grid.names[s.at[0]] == "0102"


def test_battles_are_where_both_stand_and_fire_is_told(moving):
    s = moving
    s.events = []
    place(s, 0, HAM)
    GAME.obey(s, NORTH, ("done", ""))
    assert GAME.orders(s, NORTH) == [("fight", "0202")]
    assert why(s, "fight", "0101") == ("3", "no-battle")
    s.loaded = (3, 4)
    GAME.obey(s, NORTH, ("fight", "0202"))
    fire = next(e for e in s.events if e.kind == "fire")
    assert (fire.rule, fire.data["unit"], fire.data["hits"]) == ("3", "n1", 1)
    assert GAME.result(s) == (NORTH, "victory", "4")


def test_what_no_position_may_show_is_found(s):
    place(s, 1, s.at[0])
    assert GAME.problems(s) == ["too many north units in 0101", "n2 has 0 steps"]
    s.steps[1] = 3
    assert GAME.problems(s)[1] == "n2 has 3 steps"
    s.at[1] = HAM
    assert "the lists of units" in GAME.problems(s)[0]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_open_game_is_drawn_with_all_its_pieces(s, lang):
    lines = GAME.situation(s, SOUTH, Narrator(GAME, lang).say).split("\n")
    assert any("0202.*s" in line for line in lines)  # the village and its holder
    assert any("0301.^" in line for line in lines)
    assert any("f2" in line and "F2" not in line for line in lines)  # the other side's, in small letters
    assert any("F2" in line and "f2" not in line for line in lines)
    assert "  0101  n1 2/2" in lines
    assert "  0202  s1 2/2" in lines
    assert lines[-1] == {"en": "Off the map: n2.", "fr": "Hors de la carte : n2."}[lang]
    assert GAME.situation(s, REFEREE, Narrator(GAME, lang).say)


@pytest.mark.parametrize("name", ["kit.fire", "odds.law"])
def test_examples_in_docstrings(name):
    result = doctest.testmod(import_module(f"grognard.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
