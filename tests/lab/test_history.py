"""History beside the games: facts with sources, the turn in which something falls, the central four fifths."""

from __future__ import annotations

import tomllib
from importlib import resources

from grognard.games import find_game, playable_names
from grognard.kernel import seed_from
from grognard.lab.history import Drawn, Fact, course_of, facts_of


def test_every_fact_is_of_a_scenario_and_a_measure_that_exist_and_names_its_work() -> None:
    seen = 0
    for name in playable_names():
        game = find_game(name)
        path = resources.files(f"grognard.games.{name}").joinpath("data").joinpath("history.toml")
        if not path.is_file():
            continue
        for row in tomllib.loads(path.read_text("utf-8"))["fact"]:
            assert row["scenario"] in game.scenarios
            measures = game.measures(game.setup(row["scenario"], {}, seed_from(1)))
            assert row["measure"] in measures, row
            assert ("turn" in row) != ("reaches" in row), row
            assert len(row["work"]) > 10
            seen += 1
    assert seen >= 15


def test_a_fall_is_the_first_turn_and_never_is_the_turn_after_the_last() -> None:
    course = {1: {"paris": 0}, 2: {"paris": 1}, 3: {"paris": 0}}
    assert Fact("Paris", "paris", 2, "a book", reaches=1).seen_in(course) == 2
    assert Fact("Paris", "paris", 2, "a book", reaches=2).seen_in(course) == 4
    assert Fact("Paris", "paris", 0, "a book", turn=3).seen_in(course) == 0
    assert Fact("Paris", "paris", 0, "a book", turn=9).seen_in(course) == 0, "a game that ended early stays as it was"


def test_four_fifths_are_cut_from_both_ends() -> None:
    fact = Fact("hexes", "hexes", 115, "a book", turn=6)
    assert Drawn(fact, tuple(range(100, 120))).central == (102, 117)
    assert Drawn(fact, tuple(range(100, 120))).holds
    assert not Drawn(fact, tuple(range(130, 150))).holds


def test_a_course_has_the_measures_at_the_end_of_each_turn() -> None:
    course = course_of("normandie", "cherbourg", "random", "test", 2)
    assert set(course) == {1, 2}
    assert {"cherbourg", "hexes-allied", "steps-german"} <= set(course[1])
    assert course == course_of("normandie", "cherbourg", "random", "test", 2), "equal seeds, equal courses"


def test_a_scenario_without_facts_has_none() -> None:
    assert facts_of("picket", "crossing") == []


def test_every_fact_has_a_french_name() -> None:
    for game in playable_names():
        for scenario in find_game(game).scenarios:
            for fact in facts_of(game, scenario):
                assert fact.fr, f"{game} {scenario}: {fact.name}"
                assert fact.called("fr") == fact.fr
                assert fact.called("en") == fact.name
