"""Backups: whole, from one moment while people play, checked, and good for either database."""

from __future__ import annotations

import gzip
import random
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from grognard.server import backup
from grognard.server.schema import ACTIONS, METADATA, SEATS, TABLES
from grognard.server.store import Store
from tests.server.harness import Server


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything in a database but our own time."""
    engine = sa.create_engine(url)
    with engine.connect() as db:
        found = {
            t.name: sorted(map(tuple, db.execute(sa.select(t))), key=repr)
            for t in backup.kept_tables()
            if t.name != "uptime"
        }
    engine.dispose()
    return found


def play(server: Server, actions: int, seed: int = 1) -> str:
    person, luck = server.visitor(), random.Random(seed)
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    for _ in range(actions):
        state = person.get(f"/api/tables/{table}").json()
        side = state["waiting"][0] if state["waiting"] else None
        if side is None:
            break
        view = person.view(table, side)
        assert person.act(table, side, *luck.choice(view["legal"]), view["version"]).status_code == 200
    return table


def test_a_backup_restores_everything_into_either_database(server: Server, tmp_path: Path) -> None:
    table = play(server, 12)
    host = server.visitor()
    host.http.put(f"/api/tables/{table}/note", json={"text": "Un mot à moi, « né » \u2028"})
    store = Store(server.database)
    with store.writing() as db:  # a part of a chronicle is bytes
        columns = METADATA.tables["chronicles"].columns
        values = {
            c.name: {"LargeBinary": b"\0\xff\x1f", "Integer": 7}.get(type(c.type).__name__, table) for c in columns
        }
        db.execute(METADATA.tables["chronicles"].insert().values(**values))
    store.close()
    file = tmp_path / "club.backup"
    counts = backup.back_up(server.database, file)
    assert counts["tables"] >= 1
    assert counts["actions"] >= 12
    assert backup.check(file) == counts
    fresh = f"sqlite:///{tmp_path}/fresh.db"
    assert backup.restore(file, fresh) == counts
    assert rows(fresh) == rows(server.database)
    again = Server(fresh, tmp_path)
    again.start()
    try:
        assert again.visitor().get(f"/api/tables/{table}").json()["actions"] == 12
        assert host.get(f"/api/tables/{table}").status_code == 200
    finally:
        again.stop()


def test_a_backup_of_sqlite_goes_into_postgres(database: str, tmp_path: Path) -> None:
    """And the ids that the database counts by itself go on where they were."""
    if database.startswith("sqlite"):
        pytest.skip("the other way is tested above")
    url = f"sqlite:///{tmp_path}/x.db"
    store = Store(url)
    for _ in range(3):
        store.add_sent("table", "person", "email", "sent")
    store.close()
    backup.back_up(url, tmp_path / "b")
    admin = sa.create_engine(database, isolation_level="AUTOCOMMIT")
    with admin.connect() as db:
        for table in reversed(backup.kept_tables()):
            db.execute(sa.text(f"drop table if exists {table.name} cascade"))
        db.execute(sa.text("drop table if exists schema_version"))
    admin.dispose()
    backup.restore(tmp_path / "b", database)
    store = Store(database)
    store.add_sent("table", "person", "email", "sent")
    assert len(store.sent("person")) == 4
    store.close()


def test_a_backup_is_of_one_moment_while_people_play(server: Server, tmp_path: Path) -> None:
    stop = threading.Event()

    def keep_playing(seed: int) -> None:
        while not stop.is_set():
            play(server, 8, seed)

    threads = [threading.Thread(target=keep_playing, args=(n,), daemon=True) for n in range(2)]
    for thread in threads:
        thread.start()
    try:
        for number in range(6):
            file = tmp_path / f"{number}.backup"
            backup.back_up(server.database, file)
            url = f"sqlite:///{tmp_path}/{number}.db"
            backup.restore(file, url)
            engine = sa.create_engine(url)
            with engine.connect() as db:
                count = sa.select(sa.func.count()).select_from(ACTIONS).where(ACTIONS.c.table_id == TABLES.c.id)
                unlike = sa.select(TABLES.c.id).where(TABLES.c.version != count.scalar_subquery())
                assert db.execute(unlike).all() == [], "every version has its actions, no more and no fewer"
                alone = sa.select(SEATS.c.table_id).where(SEATS.c.table_id.not_in(sa.select(TABLES.c.id)))
                assert db.execute(alone).all() == []
            engine.dispose()
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)


def test_a_damaged_backup_is_found_and_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    server = Server(f"sqlite:///{folder}/x.db", folder)
    server.start()
    try:
        play(server, 4)
        good = tmp_path / "good"
        backup.back_up(server.database, good)
    finally:
        server.stop()
    data = good.read_bytes()
    luck = random.Random(1)
    bad = tmp_path / "bad"
    for number in range(60):
        at = luck.randrange(len(data))
        broken = data[:at] + bytes([data[at] ^ (1 << luck.randrange(8))]) + data[at + 1 :]
        bad.write_bytes(broken if number % 3 else data[:at])
        try:
            whole = gzip.decompress(bad.read_bytes()) == gzip.decompress(data)
        except Exception:
            whole = False
        if whole:
            continue  # a bit of gzip's own head: its time, its system
        with pytest.raises(backup.BackupError):
            backup.restore(bad, f"sqlite:///{tmp_path}/fresh.db")
    assert not (tmp_path / "fresh.db").exists()
    for wrong in ("nowhere", "s"):
        with pytest.raises(backup.BackupError):
            backup.check(tmp_path / wrong)


def test_nothing_is_restored_over_something(server: Server, tmp_path: Path) -> None:
    play(server, 2)
    file = tmp_path / "b"
    backup.back_up(server.database, file)
    before = rows(server.database)
    with pytest.raises(backup.BackupError, match="not-empty"):
        backup.restore(file, server.database)
    assert rows(server.database) == before


def test_a_backup_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "b"
    file.write_text("the old one")
    with pytest.raises(backup.BackupError, match="no-database"):
        backup.back_up(f"sqlite:///{tmp_path}/empty.db", file)
    assert file.read_text() == "the old one"
    assert not list(tmp_path.glob("*.part"))
    with pytest.raises(backup.BackupError, match="cannot-write"):
        backup.back_up(made(tmp_path), tmp_path / "no" / "b")


def made(folder: Path) -> str:
    """A database in which nobody has played yet."""
    url = f"sqlite:///{folder}/made.db"
    Store(url).close()
    return url
