"""Games outlive versions: the database and files of an earlier program, and rules that have changed under a game."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from grognard.games import find_game
from grognard.kernel.gamefile import from_text, read, to_text, verify
from grognard.server import chronicle
from grognard.server.schema import ACTIONS, CHRONICLES, METADATA
from grognard.server.store import Store
from tests.server.harness import Server, Visitor

FIXTURE = Path(__file__).parent / "fixtures" / "main-2026-11"
NAMES: dict[str, Any] = json.loads((FIXTURE / "tables.json").read_text("utf-8"))
ROWS: dict[str, list[dict[str, Any]]] = json.loads((FIXTURE / "rows.json").read_text("utf-8"))


def fill(url: str) -> None:
    """The database as the earlier program left it."""
    engine = sa.create_engine(url)
    script = (FIXTURE / f"schema.{engine.dialect.name}.sql").read_text("utf-8")
    with engine.begin() as db:
        for statement in script.split(";\n"):
            if statement.strip():
                db.execute(sa.text(statement))
        for table in METADATA.sorted_tables:
            for row in ROWS.get(table.name, []):
                columns = [sa.column(name) for name in row]
                db.execute(sa.insert(sa.table(table.name, *columns)).values(row))
    engine.dispose()


@pytest.fixture(scope="module")
def earlier(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of today on the database of then."""
    fill(database)
    running = Server(database, tmp_path_factory.mktemp("earlier"))
    running.start()
    yield running
    running.stop()


def player(server: Server, name: str = "First player", password: str = "a long password") -> Visitor:
    person = server.visitor()
    answer = person.post("/api/login", {"name": name, "password": password})
    assert answer.status_code == 200, answer.text
    return person


def same_rules(name: str) -> bool:
    """True if the rules and data are still those that a table of the fixture was played with."""
    row = next(r for r in ROWS["tables"] if r["id"] == NAMES[name]["id"])
    header = json.loads(row["header"])
    return bool(header["rules"] == find_game(header["game"]).version)


def test_the_schema_is_brought_up_to_date_and_nothing_is_lost(earlier: Server) -> None:
    store = Store(earlier.database)
    for table in METADATA.sorted_tables:
        with store.engine.connect() as db:
            found = db.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        if table.name not in ("schema_version", "visitors", "keys", "devices"):
            assert found >= len(ROWS.get(table.name, [])), table.name
    kinds = {row["kind"] for row in store.seats(NAMES["waiting"]["id"])}
    store.close()
    assert kinds == {"human", "invited"}, "an invitation of then reserves its seat"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_table_of_then_can_be_looked_at(earlier: Server, name: str) -> None:
    person, table = player(earlier), NAMES[name]["id"]
    card = person.get(f"/api/tables/{table}").json()
    assert card["actions"] == NAMES[name]["actions"]
    assert card["over"] == NAMES[name]["over"]
    state = person.view(table, card["mine"][0])
    assert len(state["log"]) == NAMES[name]["actions"]
    if "old" not in state:
        assert state["digest"] == NAMES[name]["digest"], "it stands where it stood"
        for at in {0, NAMES[name]["actions"] // 2, NAMES[name]["actions"]}:
            assert person.view(table, card["mine"][0], at=at)["view"]
    assert person.get(f"/g/{table}.txt").status_code == 200
    assert table in [line["id"] for line in person.get("/api/tables", list="mine").json()]


def test_a_running_game_of_then_goes_on_and_ends(earlier: Server) -> None:
    if not same_rules("running"):
        pytest.skip("picket has changed since; then it is shown as an old game")
    first, second = player(earlier), player(earlier, "Second player", "another password")
    table = NAMES["running"]["id"]
    assert first.get(f"/api/tables/{table}/note").json()["text"] == "Hold the ford."
    for _ in range(400):
        for side, person in (("red", first), ("blue", second)):
            state = person.view(table, side)
            if state["legal"]:
                assert person.act(table, side, *state["legal"][-1], state["version"]).status_code == 200
        if state["result"]:
            break
    assert first.get(f"/api/tables/{table}/verify").json()["ok"]


@pytest.mark.parametrize("name", ["finished.txt", "finished.json", "hot-seat.txt"])
def test_files_of_then_are_read_and_verified(name: str) -> None:
    file = read(FIXTURE / name)
    assert file.header["grognard"] == "1"
    if find_game("picket").version == int(file.header["rules"]):
        assert verify(file, find_game).problems == []
        again = from_text(to_text(file))
        assert again == file


def test_a_side_s_copy_of_then_is_read(tmp_path: Path) -> None:
    assert read(FIXTURE / "running-red.txt").header["seed"] == "withheld"


# Rules that change under a game


def start_later(server: Server, change: str) -> None:
    """Stop the server and start one whose picket was changed: see `changed.py`."""
    server.stop_process()
    server.environment = {"GROGNARD_TEST_CHANGE": change} if change else {}
    server.start()


@pytest.fixture
def changing(database: str, tmp_path: Path) -> Iterator[Server]:
    running = Server(database, tmp_path)
    running.start()
    yield running
    running.stop()


def two_at_a_table(server: Server, actions: int) -> tuple[Visitor, Visitor, str]:
    red, blue = server.visitor(), server.visitor()
    table, invitations = red.open_table(title="Le gué")
    blue.join(invitations["blue"])
    for _ in range(actions):
        for side, person in (("red", red), ("blue", blue)):
            state = person.view(table, side)
            if state["legal"]:
                assert person.act(table, side, *state["legal"][0], state["version"]).status_code == 200
                break
    return red, blue, table


def test_a_raised_version_that_changes_nothing_is_not_noticed(changing: Server) -> None:
    red, blue, table = two_at_a_table(changing, 8)
    before = red.view(table, "red")
    start_later(changing, "version")
    after = red.view(table, "red")
    assert "old" not in after
    assert after["digest"] == before["digest"]
    assert after["view"] == before["view"]
    acted = False
    for side, person in (("red", red), ("blue", blue)):
        state = person.view(table, side)
        if state["legal"]:
            acted = person.act(table, side, *state["legal"][0], state["version"]).status_code == 200
            break
    assert acted, "it goes on silently"
    red.post(f"/api/tables/{table}/resign", {"side": "red"})
    assert red.get(f"/api/tables/{table}/verify").json()["ok"]


def test_a_finished_game_is_seen_replayed_and_downloaded_for_ever(changing: Server) -> None:
    red, blue, table = two_at_a_table(changing, 12)
    assert blue.post(f"/api/tables/{table}/resign", {"side": "blue"}).status_code == 200
    sides = ("red", "blue", "spectator", "referee")
    shown = {side: red.view(table, side) for side in sides}
    past = {(side, at): red.view(table, side, at=at) for side in sides for at in (0, 5, 12)}
    french = red.get(f"/api/tables/{table}/view", lang="fr").json()["log"]
    file = red.get(f"/g/{table}.txt").text
    start_later(changing, "rule")
    stranger = changing.visitor()
    for side in sides:
        now = red.view(table, side)
        assert now["old"]["over"]
        for key in ("view", "log", "result", "digest", "seed"):
            assert now[key] == shown[side][key], (side, key)
    for (side, at), then in past.items():
        now = stranger.view(table, side, at=at)
        for key in ("view", "log", "digest"):
            assert now[key] == then[key], (side, at, key)
    assert red.get(f"/api/tables/{table}/view", lang="fr").json()["log"] == french
    assert red.get(f"/g/{table}.txt").text == file
    assert red.get(f"/g/{table}.json").status_code == 200
    live = stranger.watch(table, "spectator")
    assert live.state["log"] == shown["spectator"]["log"]
    live.say(type="act", side="red", verb="done", target="", version=1, id=1)
    assert live.wait("error")["code"] == "other-rules"
    assert table in [line["id"] for line in red.get("/api/tables", list="mine").json()]


def test_a_running_game_of_other_rules_is_shown_and_goes_on_when_all_agree(changing: Server) -> None:
    red, blue, table = two_at_a_table(changing, 10)
    shown = {"red": red.view(table, "red"), "blue": blue.view(table, "blue")}
    start_later(changing, "rule")
    now = red.view(table, "red")
    assert now["old"] | {"agreed": []} == {
        "theirs": now["old"]["theirs"], "ours": now["old"]["theirs"] + 1, "over": False, "views": True,
        "can_continue": True, "agreed": [],
    }  # fmt: skip
    assert now["legal"] == []
    assert now["view"] == shown["red"]["view"]
    assert red.get(f"/api/tables/{table}/view", **{"as": "blue"}).status_code == 403, "what is hidden stays so"
    assert blue.view(table, "blue")["view"] == shown["blue"]["view"]
    assert red.act(table, "red", "done", "", now["version"]).status_code == 409
    assert changing.visitor().post(f"/api/tables/{table}/continue", {}).status_code == 403
    assert red.post(f"/api/tables/{table}/continue", {"agree": True}).json() == {"id": None, "agreed": ["red"]}
    assert red.post(f"/api/tables/{table}/continue", {"agree": False}).json() == {"id": None, "agreed": []}
    assert red.post(f"/api/tables/{table}/continue", {"agree": True}).json() == {"id": None, "agreed": ["red"]}
    new = blue.post(f"/api/tables/{table}/continue", {"agree": True}).json()["id"]
    assert new
    assert red.view(table, "red")["next_table"] == new
    assert red.view(new, "red")["dice"]["step"] == "commit", "new dice are made together"
    red.commit(new)
    blue.commit(new)
    red.make_dice(new)
    state = red.view(new, "red")
    assert state["prompt"]["waiting"] == shown["red"]["prompt"]["waiting"], "it goes on where it stood"
    assert {p["id"]: p["at"] for p in state["view"]["pieces"]} == {
        p["id"]: p["at"] for p in shown["red"]["view"]["pieces"]
    }
    assert state["origin"].endswith(f"10 rules {now['old']['theirs']}")
    assert any("goes on from another one" in event["text"] for event in state["opening"]), "the log says so"
    side = state["prompt"]["waiting"][0]
    person = {"red": red, "blue": blue}[side]
    view = person.view(new, side)
    assert person.act(new, side, *view["legal"][0], view["version"]).status_code == 200
    red.post(f"/api/tables/{new}/resign", {"side": "red"})
    assert red.get(f"/api/tables/{new}/verify").json()["ok"]


def test_a_damaged_log_is_no_old_game(changing: Server) -> None:
    red, _, table = two_at_a_table(changing, 6)
    changing.kill()
    engine = sa.create_engine(changing.database)
    with engine.begin() as db:
        db.execute(ACTIONS.update().where(ACTIONS.c.table_id == table, ACTIONS.c.n == 3).values(chain="0" * 16))
    engine.dispose()
    changing.start()
    answer = red.get(f"/api/tables/{table}/view")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "other-log")


def test_what_a_sudden_end_left_unwritten_is_written_at_the_next_start(changing: Server) -> None:
    red, _, table = two_at_a_table(changing, 8)
    shown = red.view(table, "red")
    changing.kill()
    changing.start()  # nobody opens the table
    engine = sa.create_engine(changing.database)
    written = sa.select(CHRONICLES.c.upto).where(CHRONICLES.c.table_id == table)
    for _ in range(600):
        with engine.connect() as db:
            if db.execute(written).scalar() == 8:
                break
        time.sleep(0.1)
    else:
        raise AssertionError("nothing was written")
    engine.dispose()
    changing.kill()
    changing.environment = {"GROGNARD_TEST_CHANGE": "rule"}
    changing.start()
    assert red.view(table, "red")["view"] == shown["view"]
    assert red.view(table, "red")["old"]["can_continue"]


def test_an_old_game_without_a_chronicle_has_its_log(changing: Server) -> None:
    red, _, table = two_at_a_table(changing, 8)
    changing.kill()  # no time to write anything down
    engine = sa.create_engine(changing.database)
    with engine.begin() as db:
        db.execute(sa.text("delete from chronicles"))
    engine.dispose()
    changing.environment = {"GROGNARD_TEST_CHANGE": "rule"}
    changing.start()
    state = red.view(table, "red")
    assert not state["old"]["views"]
    assert not state["old"]["can_continue"]
    assert [line["n"] for line in state["log"]] == list(range(1, 9))
    assert all("verb" not in line for line in state["log"] if line["side"] == "blue"), "blue's moves are blue's"
    assert red.post(f"/api/tables/{table}/continue", {}).json()["error"]["code"] == "cannot-go-on"
    assert red.get(f"/g/{table}.txt").status_code == 200


def test_two_servers_that_write_the_same_chronicle_at_once_do_no_harm(server: Server) -> None:
    """Both have found it missing at their start, or one has while the other plays."""
    me = server.visitor()
    table, _ = me.open_table(seats={"red": "me", "blue": "me"})
    stores = [Store(server.database) for _ in range(2)]
    try:
        for number in range(1, 31):
            start, wrong = threading.Barrier(2), []

            def write(
                store: Store, start: threading.Barrier = start, upto: int = number, wrong: list[Any] = wrong
            ) -> None:
                start.wait()
                try:
                    if upto % 2:
                        chronicle.write(store, table, 0, upto, b"part")
                    else:
                        chronicle.write_finished(store, table, [(0, upto, b"all")])
                except Exception as error:
                    wrong.append(error)

            threads = [threading.Thread(target=write, args=(store,)) for store in stores]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert not wrong, wrong[0]
        chronicle.write(stores[0], table, 0, 12, b"stale", missing=True)
        with stores[0].engine.connect() as db:
            query = sa.select(CHRONICLES.c.upto, CHRONICLES.c.part).where(CHRONICLES.c.table_id == table)
            rows = db.execute(query).all()
        assert [tuple(row) for row in rows] == [(30, b"all")], "what was found missing long ago is not written over it"
    finally:
        for store in stores:
            store.close()
