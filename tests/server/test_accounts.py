"""Accounts: opened in mid-game, left, forgotten, handed over and deleted; and names that are the same."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.harness import Server
from tests.server.test_notices import PostOffice, office, posting  # noqa: F401

PASSWORD = "long enough"


@pytest.fixture
def fresh(database: str, tmp_path: Path) -> Iterator[Server]:
    """A server at which nobody has opened too many accounts yet."""
    running = Server(database, tmp_path)
    running.start()
    yield running
    running.stop()


def test_an_account_opened_in_mid_game_keeps_everything(server: Server) -> None:
    red, blue = server.visitor(), server.visitor()
    table, invitations = red.open_table()
    blue.join(invitations["blue"])
    assert red.http.put(f"/api/tables/{table}/note", json={"text": "Hold the ford."}).status_code == 200
    assert red.http.put("/api/me/notices", json={"webhook": "", "email": "", "language": "fr"}).status_code == 200
    live = red.watch(table, "red")
    name = f"Red {server.port}"
    assert red.post("/api/account", {"name": name, "password": PASSWORD}).status_code == 200
    state = red.view(table, "red")
    assert state["mine"] == ["red"]
    assert state["owner"], "the table is still one's own"
    assert red.get(f"/api/tables/{table}/note").json()["text"] == "Hold the ford."
    assert red.get("/api/me").json()["notices"]["language"] == "fr"
    done = live.act("red", state["legal"][0], state["version"], 1)
    assert done["type"] == "done", "the open socket acts for the account"
    assert next(s for s in red.view(table, "red")["seats"] if s["side"] == "red")["name"] == name
    assert next(s for s in red.view(table, "red")["seats"] if s["side"] == "red")["online"]


def test_logging_out_closes_the_sockets(server: Server) -> None:
    person, other = server.visitor(), server.visitor()
    assert person.post("/api/account", {"name": f"Out {server.port}", "password": PASSWORD}).status_code == 200
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    live, watching = person.watch(table, "red"), other.watch(table, "spectator")
    assert person.post("/api/logout").status_code == 200
    with pytest.raises(ConnectionClosed):
        live.wait("pong")
    watching.say(type="ping")
    assert watching.wait("pong"), "nobody else is sent away"
    assert person.get(f"/api/tables/{table}/view", **{"as": "red"}).status_code == 403


@pytest.mark.parametrize(
    ("opened", "typed"),
    [
        ("ß" * 15, "SS" * 15),
        ("Ｗｉｄｅ", "wide"),
        (unicodedata.normalize("NFD", "Édouard"), unicodedata.normalize("NFC", "édouard")),
        ("ﬁrst  of all", "FIRST OF ALL"),
    ],
)
def test_a_name_is_the_same_however_it_is_typed(server: Server, opened: str, typed: str) -> None:
    answer = server.visitor().post("/api/account", {"name": opened, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    assert server.visitor().post("/api/account", {"name": typed, "password": PASSWORD}).status_code == 409
    again = server.visitor()
    assert again.post("/api/login", {"name": typed, "password": PASSWORD}).status_code == 200
    assert again.get("/api/me").json()["name"] == answer.json()["name"]


def test_a_name_that_grows_too_long_when_folded_is_refused(server: Server) -> None:
    answer = server.visitor().post("/api/account", {"name": "ß" * 30, "password": PASSWORD})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad-name")


def test_people_get_what_is_kept_about_them(server: Server) -> None:
    person = server.visitor()
    name = f"Export {server.port}"
    person.post("/api/account", {"name": name, "password": PASSWORD})
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    person.http.put(f"/api/tables/{table}/note", json={"text": "Mine."})
    person.post(f"/api/tables/{table}/chat", {"text": "Said."})
    answer = person.get("/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    told = answer.json()
    assert told["account"][0]["name"] == name
    assert {row["table_id"] for row in told["seats"]} == {table}
    assert [row["text"] for row in told["notes"]] == ["Mine."]
    assert [row["text"] for row in told["chat"]] == ["Said."]
    assert "password" not in answer.text
    assert "argon2" not in answer.text
    assert server.visitor().get("/api/me/export").json()["seats"] == []


def test_an_account_can_be_deleted_and_its_games_stay_for_the_others(fresh: Server) -> None:
    server = fresh
    red, blue = server.visitor(), server.visitor()
    name = f"Leaving {server.port}"
    assert red.post("/api/account/delete", {"password": PASSWORD}).status_code == 409, "a guest has none"
    red.post("/api/account", {"name": name, "password": PASSWORD})
    table, invitations = red.open_table()
    blue.join(invitations["blue"])
    red.post(f"/api/tables/{table}/chat", {"text": "Goodbye."})
    red.http.put(f"/api/tables/{table}/note", json={"text": "Private."})
    assert red.post("/api/account/delete", {"password": "wrong password"}).status_code == 403
    assert red.post("/api/account/delete", {"password": PASSWORD}).status_code == 200
    assert red.get("/api/me").json()["guest"]
    state = blue.view(table, "blue")
    assert state["result"]["winner"] == "blue", "the running game is resigned"
    assert name not in json.dumps(blue.view(table, "blue"))
    server.kill()
    server.start()
    assert name not in json.dumps(blue.view(table, "blue")), "nor after a restart"
    assert blue.get(f"/api/tables/{table}/verify").json()["ok"]
    assert server.visitor().post("/api/login", {"name": name, "password": PASSWORD}).status_code == 403
    assert server.visitor().post("/api/account", {"name": name, "password": PASSWORD}).status_code == 200


def test_a_forgotten_password_is_chosen_anew_by_mail(posting: Server, office: PostOffice) -> None:  # noqa: F811
    person, thief = posting.visitor(), posting.visitor()
    person.post("/api/account", {"name": "Forgetful", "password": PASSWORD})
    before = len(office.letters)
    assert thief.post("/api/reset", {"name": "Forgetful"}).status_code == 200, "it tells nobody that no letter went"
    assert thief.post("/api/reset", {"name": "Nobody at all"}).status_code == 200
    person.http.put("/api/me/notices", json={"email": "forgetful@example.org", "language": "en"})
    letter = office.read(before)
    token = re.search(r"token=(\S+)", letter.get_content())
    assert token is not None
    assert person.http.post("/confirm", data={"token": token.group(1)}).status_code == 200
    assert thief.post("/api/reset", {"name": " forgetful "}).status_code == 200
    letter = office.read(before + 1)
    assert letter["To"] == "forgetful@example.org"
    found = re.search(r"/reset#(\S+)", letter.get_content())
    assert found is not None
    secret = found.group(1)
    assert thief.post("/api/reset/password", {"token": "guess", "password": "another one"}).status_code == 404
    assert person.post("/api/reset/password", {"token": secret, "password": "short"}).status_code == 422
    assert person.post("/api/reset/password", {"token": secret, "password": "another one"}).status_code == 200
    assert person.get("/api/me").json()["guest"], "every browser has to log in again"
    assert person.post("/api/reset/password", {"token": secret, "password": "a third one"}).status_code == 404, "once"
    assert posting.visitor().post("/api/login", {"name": "Forgetful", "password": PASSWORD}).status_code == 403
    assert posting.visitor().post("/api/login", {"name": "Forgetful", "password": "another one"}).status_code == 200
    assert secret not in posting.log()
