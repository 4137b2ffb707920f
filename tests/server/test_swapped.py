"""Somebody with the database exchanges what a game hangs on before anybody has acted; the server serves none of it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from grognard.kernel.ceremony import chain_end, share_commitment
from grognard.kernel.dice import commitment_of
from grognard.server.schema import ANNOUNCED, TABLES
from tests.server.harness import Server, Visitor
from tests.server.test_witnessed_dice import Two

Json = dict[str, Any]


def seed(header: Json) -> None:
    header["seed"] = secrets.token_hex(32)


def seed_and_commitment(header: Json) -> None:
    header["seed"] = other = secrets.token_hex(32)
    header["commitment"] = commitment_of(other)


def words(header: Json) -> None:
    header["entropy"] = ["other words"]


def option(header: Json) -> None:
    header["scenario"] = "crossing"
    header["options"] = {}


def share(header: Json) -> None:
    header["shares"][0]["entropy"] = secrets.token_hex(32)


def share_and_commitment(header: Json) -> None:
    one, other = header["shares"][0], chain_end(secrets.token_hex(32))
    header["shares"][0] = one | {
        "entropy": other,
        "commitment": share_commitment(header["id"], one["side"], other),
    }


def left_out(header: Json) -> None:
    header["shares"][0]["entropy"] = ""


def dice(header: Json) -> None:
    header["dice"] = "" if header["dice"] else "all"


FOUND = {seed: "other-dice", share: "other-dice"}
ALWAYS: tuple[Callable[[Json], None], ...] = (seed, seed_and_commitment, words, option, dice)
MADE = (*ALWAYS, share, share_and_commitment, left_out)


def exchange(server: Server, changes: dict[str, Callable[[Json], None]]) -> None:
    """Write into headers while the server is down."""
    server.kill()
    engine = sa.create_engine(server.database)
    with engine.begin() as db:
        for table, change in changes.items():
            header = json.loads(db.execute(sa.select(TABLES.c.header).where(TABLES.c.id == table)).scalar_one())
            change(header)
            db.execute(TABLES.update().where(TABLES.c.id == table).values(header=json.dumps(header)))
    engine.dispose()
    server.start()


def opened(person: Visitor, kind: str) -> str:
    """A table of this kind at which nobody has acted."""
    if kind in ("alone", "hot-seat"):
        seats = {"red": "me", "blue": "me" if kind == "hot-seat" else "ai:random"}
        return person.open_table(seats=seats)[0]
    more = {"dice": "all"} if kind != "correspondence" else {}
    table, invitations = person.open_table(**more)
    if kind != "ceremony":
        person.server.visitor().join(invitations["blue"])
        assert person.view(table, "red")["dice"]["step"] == "made"
    return table


def test_what_was_exchanged_before_the_first_action_stops_every_kind_of_table(server: Server) -> None:
    person = server.visitor()
    kinds = {"alone": ALWAYS, "hot-seat": ALWAYS, "ceremony": ALWAYS, "all": MADE, "correspondence": MADE}
    tried = [(kind, change) for kind, changes in kinds.items() for change in changes]
    tables = {opened(person, kind): (kind, change) for kind, change in tried}
    left = [opened(person, kind) for kind in kinds]
    exchange(server, {table: change for table, (_, change) in tables.items()})
    for table, (kind, change) in tables.items():
        for path in (f"/api/tables/{table}/view", f"/g/{table}.txt"):
            answer = person.get(path)
            assert answer.status_code == 409, f"{kind}, {change.__name__}: served by {path}"
            code = answer.json()["error"]["code"]
            quick = kind == "alone" and code == "other-log"  # the computer has acted already
            assert quick or code == FOUND.get(change, "other-start"), f"{kind}, {change.__name__}"
    for table in left:
        assert person.get(f"/api/tables/{table}/view").status_code == 200, "nothing else is stopped"


def test_a_table_without_actions_goes_on_under_rules_that_set_up_otherwise(server: Server) -> None:
    """What binds its beginning speaks of the rules of then; nothing has changed under anybody."""
    person = server.visitor()
    table = opened(person, "hot-seat")
    server.stop_process()
    server.environment = {"GROGNARD_TEST_CHANGE": "rule"}
    try:
        server.start()
        assert person.view(table, "red")["legal"]
    finally:
        server.stop_process()
        server.environment = {}
        server.start()


def test_an_announced_order_exchanged_in_the_database_has_another_binding_and_leaves_no_gap(server: Server) -> None:
    """The browsers that were asked keep the first binding of their link, and give nothing for a second one."""
    two = Two(server)
    side, _, before = two.until_announced()
    other = two.other(side)
    told = two.view(other)["dice"]["order"]["wanted"]
    server.kill()
    engine = sa.create_engine(server.database)
    with engine.begin() as db:
        db.execute(ANNOUNCED.update().where(ANNOUNCED.c.table_id == two.id).values(target="elsewhere"))
    engine.dispose()
    server.start()
    again = two.view(other)["dice"]["order"]["wanted"]
    assert again[other]["number"] == told[other]["number"]
    assert again[other]["binding"] != told[other]["binding"]
    assert two.witness(other)[0] == 422, "an order that the rules do not know"
    now = two.view(other)
    assert (now["version"], now["actions"], now["digest"]) == (before["version"], before["actions"], before["digest"])
    assert two.say(other, "resign")[0] == 200
    server.kill()
    server.start()
    assert two.view(other)["result"], "what was tried left nothing in the log"
