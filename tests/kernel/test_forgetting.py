"""What is remembered for speed is bounded by bytes, and what is shared weighs nothing."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.kernel import forgetting
from grognard.kernel.forgetting import forget_beyond, stores, watched, weight_of
from grognard.kernel.kept import COLUMNS, PARTS, PIECES, Kept
from grognard.kit.memo import remembered


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "_lasting", [])
    monkeypatch.setattr(forgetting, "_passing", [])
    monkeypatch.setattr(forgetting, "_each", {})


def test_what_entries_share_is_no_weight_of_theirs() -> None:
    board = list(range(100_000, 200_000))  # a map, held by every answer
    store = {n: (board, list(range(1000 * n, 1000 * n + 1000))) for n in range(1, 41)}
    assert 40 * 30_000 < weight_of(store) < 40 * 60_000
    assert weight_of({}) == 0
    assert weight_of({1: board}) < 1000, "one entry tells nothing"


def test_the_heaviest_are_forgotten_and_the_light_ones_stay() -> None:
    heavy, light = Kept(1000), Kept(1000)
    for n in range(200):
        heavy.keep(n, bytes(10_000 + n))
        light.keep(n, bytes(100 + n))
    assert forget_beyond(3_000_000) < 3_000_000
    assert len(heavy) == len(light) == 200
    assert forget_beyond(1_000_000) < 500_000
    assert not heavy
    assert len(light) == 200


def test_stores_are_weighed_together_as_they_are_alone() -> None:
    """What is seen once is not weighed twice, but two of the same kind are two."""
    kept = [Kept(1000) for _ in range(12)]
    for number, store in enumerate(kept):
        for n in range(100):
            store.keep((number, n), [bytes(10_000 + n)])
    alone = sum(weight_of(store) for store in kept)
    assert 0.9 * alone < forget_beyond(1 << 30) <= alone


def test_a_store_is_looked_into_once_in_many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look into all of them three times a minute took four tenths of a second each time."""
    looked: list[int] = []
    look = forgetting.weight_of

    def counted(store: dict[Any, Any], seen: set[int] | None = None) -> int:
        looked.append(id(store))
        return look(store, seen)

    monkeypatch.setattr(forgetting, "weight_of", counted)
    kept = [Kept(1000) for _ in range(20)]
    for number, store in enumerate(kept):
        for n in range(50):
            store.keep((number, n), bytes(10_000 + n))
    rounds = 4 * forgetting.ROUNDS
    for _ in range(rounds):
        weighed = forget_beyond(1 << 30)
    assert all(3 <= looked.count(id(store)) <= 6 for store in kept)
    for store in kept[:10]:
        store.clear()
    assert forget_beyond(1 << 30) == pytest.approx(weighed / 2, rel=0.05), "what was emptied weighs nothing at once"


def test_a_store_that_has_grown_is_looked_into_again() -> None:
    """Tables of costs weighed next to nothing for five minutes: there had been one when they were looked at."""
    others = [Kept(10) for _ in range(20)]
    board, store = list(range(100_000)), Kept(1000)
    for kept in others:
        kept.keep(1, "one")
    store.keep(0, [board])
    assert forget_beyond(1 << 30) < 200_000
    for n in range(1, 24):
        store.keep(n, [board, bytes(300_000 + n)])
    assert forget_beyond(1 << 30) > 6_000_000


def test_answers_of_rules_are_watched_and_come_out_the_same_when_forgotten() -> None:
    asked: list[int] = []

    @remembered(lambda s: s)
    def answer(s: int) -> bytes:
        asked.append(s)
        return bytes(1000 + s)

    first = [answer(n) for n in range(50)]
    assert forget_beyond(1000) == 0
    assert [answer(n) for n in range(50)] == first
    assert asked == [*range(50), *range(50)]


def test_a_store_that_is_gone_is_not_held() -> None:
    def fill() -> None:
        Kept(5).keep(1, "one")

    fill()
    assert stores() == []
    plain: dict[Any, Any] = {1: 2}
    assert watched(plain) is plain
    assert stores() == [plain]


def test_what_views_are_made_of_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert {id(PIECES), id(PARTS), id(COLUMNS)} <= {id(store) for store in stores()}
