"""A real server for each test module, on SQLite and on PostgreSQL where there is one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.server.harness import Server


def postgres_url() -> str | None:
    return os.environ.get("GROGNARD_TEST_POSTGRES")


@pytest.fixture(params=["sqlite", "postgres"], scope="module")
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('db')}/tables.db"
        return
    url = postgres_url()
    if url is None:
        pytest.skip("no PostgreSQL: GROGNARD_TEST_POSTGRES is not set (./test starts one where it can)")
    name = f"t{secrets.token_hex(6)}"
    admin = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as db:
        db.execute(sa.text(f"create database {name}"))
    yield url.rsplit("/", 1)[0] + f"/{name}"
    with admin.connect() as db:
        db.execute(sa.text(f"drop database {name} with (force)"))
    admin.dispose()


@pytest.fixture(scope="module")
def server(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server in a process of its own."""
    running = Server(database, tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def log_folder(tmp_path: Path) -> Path:
    return tmp_path
