"""Golden games replay to the byte. How to record them: `tests/golden/record.py`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel import IllegalAction
from grognard.kernel.gamefile import read, verify
from tests.golden import record
from tests.golden.book import EVERY, Golden, read_book, replayed, write_book

FILES = sorted(record.FOLDER.glob("*/*.txt"))
BOOKS = sorted(record.FOLDER.glob("*/book.xz"))
DATA_CHANGED = "data files"  # a table may change as long as no recorded game notices
LARGEST = 1_000_000  # bytes of all golden games together
AGAIN = "If the rules were meant to change, say so in the commit and record it again: python -m tests.golden.record"


@cache
def book_of(name: str) -> list[Golden]:
    return read_book(record.FOLDER / name / "book.xz")


@pytest.mark.parametrize(
    ("name", "number"),
    [pytest.param(book.parent.name, n, id=f"{book.parent.name}-{n}") for book in BOOKS for n in range(record.GAMES)],
)
def test_a_game_of_the_book_replays_as_recorded(name: str, number: int) -> None:
    golden, game = book_of(name)[number], find_game(name)
    place, told = 0, f"{name} {golden.scenario} {golden.options}, {golden.seed}, {golden.way}"
    try:
        for place, (ours, theirs) in enumerate(zip(replayed(game, golden), golden.chains, strict=True)):
            first, last = place * EVERY + 1, min((place + 1) * EVERY, len(golden.orders))
            orders = "\n    ".join(" ".join(order) for order in golden.orders[first - 1 : last])
            assert ours == theirs, f"{told}: strays within orders {first} to {last}:\n    {orders}\n{AGAIN} {name}"
    except IllegalAction as error:
        pytest.fail(f"{told}: an order after {place * EVERY} is refused: {error}. {AGAIN} {name}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_readable_golden_game_replays_as_recorded(path: Path) -> None:
    verdict = verify(read(path), find_game)
    problems = [p for p in verdict.problems if DATA_CHANGED not in p]
    assert not problems, f"{path.name}: {problems}. {AGAIN} {path.parent.name}"
    assert verdict.actions > 50
    assert verdict.rolls > 0


@pytest.mark.parametrize("name", [book.parent.name for book in BOOKS])
def test_a_book_has_every_scenario_every_option_and_every_way(name: str) -> None:
    game, book = find_game(name), book_of(name)
    assert len(book) >= 25
    assert {golden.scenario for golden in book} == set(game.scenarios)
    assert {golden.way for golden in book} == set(record.WAYS)
    for option in game.options:
        played = {golden.options[option.name] for golden in book if option.name in golden.options}
        assert played == set(option.choices), f"{option.name}: only {sorted(played)}"
    assert any(not golden.options for golden in book)
    assert sum(len(golden.orders) for golden in book) > 1000
    assert [(g.scenario, g.options, g.seed, g.way) for g in book] == [
        (g.scenario, g.options, g.seed, g.way) for g in record.plan(game)
    ], f"the plan has changed: python -m tests.golden.record {name}"


def test_every_system_has_a_book_and_readable_games_that_are_small() -> None:
    assert {book.parent.name for book in BOOKS} >= {"bitw", "normandie", "picket", "surrender"}
    assert {file.parent.name for file in FILES} >= {"bitw", "normandie", "picket", "surrender"}
    assert {path.parent.name for path in [*FILES, *BOOKS]} <= set(playable_names())
    assert sum(path.stat().st_size for path in [*FILES, *BOOKS]) < LARGEST


def test_recording_twice_gives_the_same_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "FOLDER", tmp_path)
    monkeypatch.setattr(record, "STEPS", 30)
    first = {path: path.read_bytes() for path in record.record_all("picket", 8)}
    assert {path: path.read_bytes() for path in record.record_all("picket", 8)} == first
    assert len(first) == 1 + len(record.READABLE["picket"])
    assert record.main(["no-such-game"]) == 2


def test_a_book_reads_as_it_was_written_and_a_changed_order_is_noticed(tmp_path: Path) -> None:
    game = find_game("picket")
    golden = record.record(game, record.plan(game, 2)[1])
    write_book(tmp_path / "book.xz", [golden])
    (again,) = read_book(tmp_path / "book.xz")
    assert again == golden
    assert list(replayed(game, again)) == golden.chains
    number = next(n for n, order in enumerate(again.orders) if order[1] == "pledge" and order[2] != "0")
    again.orders[number] = (*again.orders[number][:2], "0")
    with pytest.raises((AssertionError, IllegalAction)):  # other chains, or an order that no longer fits
        assert list(replayed(game, again)) == golden.chains
