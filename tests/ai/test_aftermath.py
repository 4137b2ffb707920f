"""The report after a game: its numbers are those of the game, its luck that of the dice."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import pytest

from grognard.ai import Seat, player_named
from grognard.ai.aftermath import Reader, report
from grognard.ai.value import chance_at
from grognard.games import find_game
from grognard.kernel.dice import explore
from grognard.kernel.session import Session


@cache
def finished(name: str = "picket", scenario: str = "crossing", most: int = 400) -> Session:
    """A game by the quick computer; one that takes too long is given up."""
    game = find_game(name)
    session = Session.new(game, scenario, {}, seed="aftermath")
    player = player_named("greedy" if name == "picket" else "random")
    while session.state.waiting and len(session.entries) < most:
        side = session.state.waiting[0]
        action = player.choose(Seat(game, session.state, side, session.luck(side))).action
        session.act(side, game.write(session.state, side, action))
    if session.state.waiting:
        session.resign(session.state.waiting[0])
    return session


@cache
def told() -> dict[str, Any]:
    """Its report, both sides judged."""
    return report(finished(), [0, 1])


def test_the_curve_is_the_chance_at_each_entry_and_ends_with_the_result() -> None:
    session, found = finished(), told()
    assert found["measure"] == "chance"
    for point in found["curve"][:-1:20]:
        chance = chance_at(session.game, session.position(point["n"]))
        assert chance is not None
        assert point["values"] == pytest.approx([100 * chance, 100 - 100 * chance], abs=0.06)
    result = session.result
    assert result is not None
    assert result.winner is not None
    assert found["curve"][-1]["values"][result.winner] == 100


def test_luck_is_what_came_less_the_mean_over_every_die() -> None:
    session = finished()
    reader = Reader(session)
    reader.read([])
    exact = [
        row for row in reader._luck(sorted(n for n in reader.before if session.entries[n - 1].drawn[1])) if row["exact"]
    ]
    assert exact
    row = exact[len(exact) // 2]
    entry, before = session.entries[row["n"] - 1], session.position(row["n"] - 1)
    action = session.game.read(before, entry.side, entry.action)
    mean = sum(
        float(chance) * reader.worth(s, 0)
        for chance, s in explore(before, lambda s: session.game.apply(s, entry.side, action, trusted=True))
    )
    came = reader.worth(session.position(row["n"]), 0)
    assert row["by_side"][0] == pytest.approx(came - mean, abs=0.01)


def test_the_luck_of_one_is_the_others_misfortune() -> None:
    red, blue = told()["luck"].values()
    assert red == pytest.approx(-blue, abs=0.11)
    assert told()["weighed"][0] == told()["weighed"][1] > 5


def test_turning_points_are_the_largest_moves_and_apart() -> None:
    found = told()["turning"]
    assert found == sorted(found, key=lambda row: row["n"])
    assert all(b["n"] - a["n"] >= 4 for a, b in itertools.pairwise(found))
    session = finished()
    for row in found:
        now, then = (chance_at(session.game, session.position(row["n"] - k)) for k in (0, 1))
        assert now is not None
        assert then is not None
        assert row["moved"] == pytest.approx(100 * (now - then), abs=0.06)


def test_a_costly_decision_had_a_better_one_that_was_legal() -> None:
    session, found = finished(), told()
    assert found["judged"] > 10
    for row in found["costly"]:
        side = session.entries[row["n"] - 1].side
        assert tuple(row["better"]) in session.game.orders(session.position(row["n"] - 1), side)
        assert row["cost"] == pytest.approx(row["chance"][1] - row["chance"][0], abs=0.11)
        assert row["cost"] >= 3


def test_a_blunder_is_found() -> None:
    """A side that ends its movement at once, again and again, is told what else it could have done."""
    game = find_game("picket")
    session = Session.new(game, "crossing", {}, seed="blunder")
    player = player_named("greedy")
    while session.state.waiting and len(session.entries) < 400:
        side = session.state.waiting[0]
        orders = game.orders(session.state, side)
        quick = [order for order in orders if order[0] in ("done", "stay")]
        action = player.choose(Seat(game, session.state, side, session.luck(side))).action
        session.act(side, quick[0] if side == 0 and quick else game.write(session.state, side, action))
    assert {row["side"] for row in report(session, [0])["costly"]} == {"red"}
    assert not report(session, [])["costly"], "nobody's decisions are judged unasked"


def test_the_dice_are_counted_as_they_fell() -> None:
    session, found = finished(), told()
    fell = [d for e in session.entries for event in e.events if event.kind == "roll" for d in event.data["dice"]]
    assert sum(row["n"] for row in found["dice"]) == len(fell)


def test_strength_falls_with_losses() -> None:
    rows = told()["strength"]
    assert rows[0]["sides"] == {"red": 15, "blue": 15}
    assert sum(rows[-1]["sides"].values()) < 30


@pytest.mark.parametrize("name", ["bitw", "normandie", "surrender", "blitzkrieg"])
def test_every_game_has_a_report_that_says_what_it_measures(name: str) -> None:
    session = finished(name, find_game(name).scenarios[-1], 40)
    found = report(session, [0])
    from grognard.ai.value import fitted

    assert found["measure"] == ("chance" if session.header.scenario in fitted(name) else "score")
    assert len(found["curve"]) > 10
    assert all(len(point["values"]) == len(found["sides"]) for point in found["curve"])


def test_progress_is_told_and_never_falls() -> None:
    heard: list[tuple[int, int]] = []
    report(finished(), [0], lambda done, total: heard.append((done, total)))
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert all(done <= total for done, total in heard)
