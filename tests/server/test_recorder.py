"""Changes that come together are stored together, and one that fails takes no other with it."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from grognard.kernel.errors import GrognardError
from grognard.server.database import sqlite_url
from grognard.server.journal import Change
from grognard.server.recorder import Recorder
from grognard.server.store import Store


def store_with_tables(folder: Path, names: str) -> Store:
    store = Store(sqlite_url(folder / "tables.db"))
    for name in names:
        row = {"id": name, "title": name, "game": "picket", "header": "{}", "version": 0, "over": False, "clock": "{}"}
        row |= {"created": 0.0, "updated": 0.0, "owner": "me", "next_table": "", "listed": True}
        seat = {"table_id": name, "side": 0, "kind": "open", "person": "", "name": "", "level": "", "invitation": ""}
        store.add_table(row, [seat], [])
    return store


def change(table: str, version: int) -> Change:
    line = {"table_id": table, "n": version, "side": 0, "verb": "go", "target": "", "salt": "", "chain": "c", "at": 0}
    return Change(table, version, version - 1, [line], False, {}, {"turn": version}, 0.0)


def play(store: Store, changes: list[Change]) -> tuple[list[Any], list[int]]:
    """Record all at once; what each got, and the sizes of the transactions."""
    sizes: list[int] = []
    all_wait = threading.Event()

    def write(batch: list[Change]) -> list[Exception | None]:
        assert all_wait.wait(60)
        sizes.append(len(batch))
        return store.record(batch)

    async def all_at_once() -> list[Any]:
        recorder = Recorder(write)
        waiting = [recorder.record(c) for c in changes]
        all_wait.set()  # the first is being written, the others wait
        found = await asyncio.gather(*waiting, return_exceptions=True)
        recorder.close()
        return found

    with ThreadPoolExecutor(1) as thread:  # this thread may have a loop already: the browser's
        return thread.submit(lambda: asyncio.run(all_at_once())).result(), sizes


def test_what_waits_shares_a_transaction(tmp_path: Path) -> None:
    store = store_with_tables(tmp_path, "abcd")
    results, sizes = play(store, [change(name, 1) for name in "abcd"])
    assert results == [None] * 4
    assert sizes == [1, 3], "three waited for the same transaction"
    assert [json.loads(row["lobby"]) for row in store.list_tables("recent", "me")] == [{"turn": 1}] * 4
    assert [store.actions(name) for name in "abcd"] == [[(0, "go", "", "", "c")]] * 4
    store.close()


def test_a_change_that_fails_fails_alone(tmp_path: Path) -> None:
    store = store_with_tables(tmp_path, "abcd")
    results, _ = play(store, [change("d", 1), change("a", 1), change("b", 7), change("c", 1)])
    assert isinstance(results[2], GrognardError)
    assert [results[n] for n in (0, 1, 3)] == [None] * 3
    assert [len(store.actions(name)) for name in "dabc"] == [1, 1, 0, 1], "nothing of the failed change is kept"
    store.close()
