"""Which wrong readings of code and data are made, and which are left alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grognard.kernel.rulebook import rulebook
from grognard.lab.mutant_data import csv_mutants, data_mutants, toml_mutants
from grognard.lab.mutants import Finder, Mutant, code_mutants
from grognard.lab.mutation import drawn, shares, wilson
from tests.conftest import SOURCE

PACKAGE = SOURCE / "grognard"
KNOWN = frozenset({"1.1", "1.2", "2.3", "2.3-sea"})


def found(source: str, unmarked: bool = True) -> list[Mutant]:
    return Finder("rules.py", source, KNOWN, unmarked).find()


def readings(body: str) -> set[tuple[str, str]]:
    """Kind and changed line for a marked function with this body."""
    source = f'@rule("1.1")\ndef f(s, c, side, n):\n    """1.1 Words and 3 more."""\n    {body}\n'
    return {(m.kind, m.text(source).splitlines()[3].strip()) for m in found(source)}


@pytest.mark.parametrize(
    ("body", "kind", "wrong"),
    [
        ("return n < s.limit", "boundary", "return n <= s.limit"),
        ("return n < s.limit", "flipped", "return n >= s.limit"),
        ("return (n or 2) == (s.a + 1)", "flipped", "return (n or 2) != (s.a + 1)"),
        ("return n not in s.hexes", "flipped", "return n in s.hexes"),
        ("return n + 4", "constant", "return n + 5"),
        ("return n + 4", "constant", "return n + 3"),
        ("return n - (s.a + s.b)", "sign", "return n + (s.a + s.b)"),
        ("return n // 2", "rounding", "return (-(-(n) // (2)))"),
        ("return s.a and s.b", "junction", "return ((s.a) or (s.b))"),
        ("return s.a and s.b", "dropped", "return ((s.a))"),
        ("return not s.a", "negated", "return bool(s.a)"),
        ("return [u for u in s.all if u.ready]", "dropped", "return [u for u in s.all if True]"),
        ("return s.there[1 - side]", "sides", "return s.there[(side)]"),
        ("return enemy_of(side)", "sides", "return side"),
        ("return c.attacker, c.defender", "sides", "return c.defender, c.defender"),
        ("return min(n, s.left)", "extreme", "return max(n, s.left)"),
        ('return Refusal("1.1", "no", {"n": 3})', "refusal", "return None"),
        ("return True", "constant", "return False"),
        ("s.steps[n] -= 1", "effect", "pass"),
        ("lose(s, n)", "effect", "pass"),
    ],
)
def test_a_small_wrong_reading_is_made(body: str, kind: str, wrong: str) -> None:
    assert (kind, wrong) in readings(body)


@pytest.mark.parametrize(
    "body",
    [
        'emit(s, "moved", "1.1", steps=3 + n)',
        "assert n < 3",
        "raise ValueError(n + 1)",
        "x = f'{n + 1}'",
        "if n in s.memo: return s.memo[n]",
        "x: Literal[3] = s.a",
        "return -1",
    ],
)
def test_what_no_rule_says_is_left_alone(body: str) -> None:
    assert {kind for kind, _ in readings(body)} <= set()


def test_a_refusal_that_is_a_constant_is_not_given() -> None:
    source = '@rule("1.1")\ndef why_not(s):\n    return NO_ROOM if s.full else None\n'
    assert "return None" in {m.text(source).splitlines()[2].strip() for m in found(source) if m.kind == "refusal"}


def test_a_noun_too_many_is_no_wrong_reading() -> None:
    source = '@rule("1.1")\nclass D:\n    def nouns(self, s):\n        return [u for u in s.all if u.ready]\n'
    assert not found(source)


def test_whether_there_is_one_at_all_has_no_limit_that_could_be_one_off() -> None:
    assert readings("return n >= 0") == {("flipped", "return n < 0")}


def test_a_clause_that_only_tells_something_may_be_forgotten() -> None:
    source = '@rule("1.1")\ndef f(s):\n    if s.a:\n        emit(s, "x", "1.1")\n    if s.b:\n        s.c = 1\n'
    assert {m.was for m in found(source) if m.kind == "dropped"} == {"s.b"}


def test_a_mutant_belongs_to_the_rule_around_it() -> None:
    source = (
        '@rule("1.1")\nclass A:\n    @rule("1.2")\n    def f(self, n):\n        return n < 3\n'
        "    def g(self, n):\n        return n < 4\n\n"
        'def helper(n):\n    """2.3 Counts."""\n    return n < 5\n\n'
        'def low(n):\n    return n < 6\n\n@rule("2.3-sea")\ndef user(n):\n    return low(n)\n\n'
        "def nobody(n):\n    return n < 7\n"
    )
    rules = {(m.line, m.rules) for m in found(source) if m.kind == "boundary"}
    assert rules == {(5, ("1.2",)), (7, ("1.1",)), (11, ("2.3",)), (14, ("2.3-sea",))}
    only_marked = {m.line for m in found(source, unmarked=False) if m.kind == "boundary"}
    assert only_marked == {5, 7}


def test_the_condition_of_a_row_is_forgotten_and_the_row_asks_the_wrong_side() -> None:
    source = 'T = sequence(F, do("1.1b", fire, attacker, when=is_day), ask("9", Pick, defender))\n'
    assert {(m.kind, m.rules, m.now) for m in found(source)} == {
        ("row", ("1.1",), "(lambda s, c: True)"),
        ("sides", ("1.1",), "defender"),
    }


def test_the_same_change_keeps_its_key_when_lines_are_added_elsewhere() -> None:
    source = '@rule("1.1")\ndef f(n):\n    return n < 3\n'
    later = f"import os\n\n{source}"
    assert [m.key for m in found(source)] == [m.key for m in found(later)]
    assert len({m.key for m in found(source)}) == len(found(source))


@pytest.mark.parametrize("game", ["picket"])
def test_every_mutant_of_a_game_compiles_and_is_another_program(game: str) -> None:
    mutants = list(code_mutants(PACKAGE, game, frozenset(rulebook(game))))
    assert len(mutants) > 150
    for mutant in mutants:
        source = (PACKAGE / mutant.file).read_text("utf-8")
        assert ast.dump(ast.parse(mutant.text(source))) != ast.dump(ast.parse(source)), mutant
        assert set(mutant.rules) <= set(rulebook(game))


def test_one_number_of_a_table_is_wrong_and_its_rule_known() -> None:
    source = (
        'source = "proposed"\n[numbers]\nlane = 7 # 1.2 points\nname = "7 hills" # 1.1\n'
        '[[drm]]\nrule = "2.3-sea"\ndrm = [-2, 0]\nwet = true\n[ours]\nturns = 9\n'
    )
    made = {(m.inside, m.rules, m.line, m.now) for m in toml_mutants("charts.toml", source, "table", KNOWN)}
    assert made == {
        ("numbers", ("1.2",), 3, "8"),
        ("numbers", ("1.2",), 3, "6"),
        ("drm", ("2.3-sea",), 7, "-1"),
        ("drm", ("2.3-sea",), 7, "-3"),
        ("drm", ("2.3-sea",), 7, "1"),
        ("drm", ("2.3-sea",), 8, "false"),
    }


def test_a_number_that_we_chose_is_no_wrong_reading() -> None:
    """Proposed by its table or its line, unless the line cites the text."""
    source = (
        '[fire] # 1.1\nsrc = "proposed"\nrows = [3] # 1.2\nheavy = 4 # text:2.3\n'
        '[[due]] # 1.1\nunits = [{ turn = 2, src = "proposed" }, { turn = 5 }]\n'
        '[[late]] # 1.1\nunit = { turn = 6, src = "text:1.2" }\n'
    )
    made = {(m.line, m.rules) for m in toml_mutants("charts.toml", source, "table", KNOWN)}
    assert made == {(4, ("2.3",)), (8, ("1.2",))}


def test_a_result_becomes_its_neighbour_and_a_printed_strength_one_more() -> None:
    grid = "die,1,2,source\n1,AE,DR,text:1.1\n2,DR,DR,text:1.1\n"
    assert {m.text(grid).splitlines()[1] for m in csv_mutants("crt.csv", grid, "table", KNOWN)} == {
        "1,DR,DR,text:1.1",
        "1,AE,AE,text:1.1",
    }
    units = "id,name,full,src\na,4th,4-10,text:1.1\nb,5th,5-5,proposed\n"
    made = [m.text(units).splitlines()[1] for m in csv_mutants("units.csv", units, "table", KNOWN)]
    assert made == ["a,4th,5-10,text:1.1", "a,4th,4-11,text:1.1"]


def test_equal_seeds_draw_equal_samples_of_code_and_data() -> None:
    known = frozenset(rulebook("picket"))
    every = [*code_mutants(PACKAGE, "picket", known), *data_mutants(PACKAGE, "picket", known)]
    one, two, other = (drawn(list(every), PACKAGE, 24, seed) for seed in (1, 1, 2))
    assert one == two != other
    assert sum(m.file.endswith(".toml") for m in one) == 4
    assert len({m.key for m in one}) == 24
    assert len(drawn(list(every), PACKAGE, None, 1)) == len(every)


def test_shares_tell_how_sure_they_are() -> None:
    low, high = wilson(190, 200)
    assert (round(low, 3), round(high, 3)) == (0.910, 0.973)
    assert wilson(0, 0) == (0.0, 1.0)
    assert shares([])["mutants"] == 0


def test_sources_of_this_suite_are_the_package_under_test() -> None:
    assert Path(PACKAGE / "games" / "picket").is_dir()
