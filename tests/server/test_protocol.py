"""docs/protocol.md says what is true: every table of it is held against the program."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from grognard.server import live
from grognard.server.routes import ORDERS, ROUTES
from grognard.server.terms import Terms
from tests.conftest import ROOT
from tests.server.harness import Server, Visitor
from tests.server.test_tables import play_out
from tests.server.test_witnessed_dice import Two

PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
REQUEST = re.compile(r"`(GET|POST|PUT|DELETE) (/[^`\s?]*)")


def section(title: str) -> str:
    """What stands under a heading."""
    found = re.search(rf"^##+ {re.escape(title)}.*?$(.*?)(?=^##+ |\Z)", PAGE, re.M | re.S)
    assert found is not None, title
    return found.group(1)


def fields(title: str) -> set[str]:
    """The names in the first column of the table under a heading."""
    rows = re.findall(r"^\| (`[^|]*) \|", section(title), re.M)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def column(header: str) -> set[str]:
    """The names in the first column of the table with this header, anywhere."""
    found = re.search(rf"^\| {re.escape(header)} \|.*?\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.M)
    assert found is not None, header
    return {name for row in found.group(1).splitlines() for name in re.findall(r"`([^`]+)`", row.split(" | ")[0])}


def test_every_request_is_on_the_page_and_every_one_on_the_page_is_served() -> None:
    told = set(REQUEST.findall(PAGE))
    served = set()
    for route in ROUTES:
        path = re.sub(r":\w+}", "}", route.path)
        methods = getattr(route, "methods", None) or {"GET"}
        served |= {(method, path) for method in methods if method != "HEAD"}
    assert told == served


def test_every_order_is_on_the_page() -> None:
    told = column("order of a client")
    assert told == set(ORDERS.split("|")) | {"watch", "ping"}
    source = inspect.getsource(live)
    for order in told:
        assert f'"{order}"' in source, order


def test_every_kind_of_message_is_on_the_page() -> None:
    source = "".join(file.read_text("utf-8") for file in sorted((ROOT / "src/grognard/server").glob("*.py")))
    sent = set(re.findall(r'"type": "([a-z-]+)"', source)) - {"watch"}
    assert column("message of the server") == sent


def test_terms_are_on_the_page() -> None:
    assert fields("terms") == set(Terms.__dataclass_fields__)


def test_every_order_is_answered_as_the_page_says(server: Server) -> None:
    """It said that `witness` is answered as `dice` is."""
    row = next(line for line in PAGE.splitlines() if "`POST /api/tables/{table_id}/{order}`" in line)
    otherwise = set(re.findall(r"`(\w+)` by a \*dice\* message", row))
    assert "by an *update* message" in row
    two = Two(server)
    making = two.red.post("/api/tables", {"game": "picket", "seats": {"red": "me", "blue": "invited"}}).json()["id"]
    word = {"side": "red", "commitment": "0" * 64}
    heard = {"dice": two.red.post(f"/api/tables/{making}/dice", word).json()["type"]}
    giver, _, _ = two.until_announced()
    heard["witness"] = two.witness(two.other(giver))[1]["type"]
    state = next(s for side in two.people if (s := two.view(side))["legal"])
    heard["act"] = two.order(state["as"], state["legal"][0], state)[1]["type"]
    heard["chat"] = two.say("red", "chat", text="hello")[1]["type"]
    heard["resign"] = two.say("red", "resign")[1]["type"]
    assert heard == {order: "dice" if order in otherwise else "update" for order in heard}


@pytest.fixture(scope="module")
def played(server: Server) -> tuple[Visitor, Visitor, str, dict[str, Any], dict[str, Any]]:
    """Two players, a table while its dice are made, and an update."""
    red, blue = server.visitor(), server.visitor()
    table_id, invitations = red.open_table()
    making = red.view(table_id, "red")
    blue.join(invitations["blue"])
    state = red.view(table_id, "red")
    update = red.act(table_id, "red", *state["legal"][0], state["version"]).json()
    return red, blue, table_id, making, update


def test_the_fields_of_a_state_are_on_the_page(played: tuple[Visitor, Visitor, str, Any, Any]) -> None:
    red, blue, table_id, making, _ = played
    told = fields("state")
    for message in (
        making,
        red.view(table_id, "red"),
        red.view(table_id, "spectator"),
        red.view(table_id, "red", at=0),
    ):
        assert set(message) <= told, set(message) - told
        assert set(message) >= told - {"old", "at"}, told - set(message)
    heard = red.watch(table_id, "red").state
    assert set(heard) == told - {"old", "at"}
    assert set(red.view(table_id, "red", at=0)) == told - {"old"}
    del blue


def test_the_fields_of_an_update_are_on_the_page(played: tuple[Visitor, Visitor, str, Any, Any]) -> None:
    red, blue, table_id, _, update = played
    told = fields("update")
    optional = {"unset", "overlays", "seed"}
    assert set(update) <= told, set(update) - told
    assert set(update) >= told - optional, told - set(update)
    live_red = red.watch(table_id, "red")
    end = play_out({"red": red, "blue": blue}, table_id)
    assert end["result"]
    last: dict[str, Any] = {}
    while not last.get("result"):
        last = live_red.wait("update")
        assert set(last) <= told, set(last) - told
    assert last["seed"]


def test_seats_dice_and_cards_are_on_the_page(played: tuple[Visitor, Visitor, str, Any, Any]) -> None:
    red, _, table_id, making, _ = played
    state = red.view(table_id, "red")
    for seat in state["seats"]:
        assert set(seat) == fields("seats")
    assert set(making["dice"]) == fields("dice") - {"order"}
    assert set(state["dice"]) == fields("dice") - {"missing", "patience", "order"}
    assert set(making["dice"]["shares"][0]) == {"side", "commitment", "shown"}
    assert set(state["dice"]["shares"][0]) == {"side", "commitment", "entropy"}
    card = next(c for c in red.get("/api/tables", list="mine").json() if c["id"] == table_id)
    assert set(card) == fields("card")


def test_the_verdict_is_on_the_page(played: tuple[Visitor, Visitor, str, Any, Any]) -> None:
    red, blue, table_id, _, _ = played
    play_out({"red": red, "blue": blue}, table_id)
    verdict = red.get(f"/api/tables/{table_id}/verify").json()
    row = next(line for line in PAGE.splitlines() if "/verify`" in line)
    told = re.search(r"`\{([^}]*)\}`", row)
    assert told is not None
    assert set(verdict) == set(told.group(1).split(", "))


def test_what_is_not_true_is_not_said() -> None:
    for lie in ("the missing `update`s", "seats:[{side, who, kind}]", '"note": ""'):
        assert lie not in PAGE
