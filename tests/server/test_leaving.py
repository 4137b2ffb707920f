"""People who leave, and people who press twice: in a ceremony, at a game of earlier rules, with letters under way."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import httpx
import sqlalchemy as sa

from grognard.server.belongings import GONE
from grognard.server.hall import Hall
from grognard.server.schema import CONFIRMED, SEATS, TABLES
from tests.server.harness import Server, Visitor
from tests.server.test_notices import PostOffice, office, posting
from tests.server.test_unstored import ALONE, in_app
from tests.server.test_versions import changing, start_later, two_at_a_table

__all__ = ["changing", "office", "posting"]
PASSWORD = "a long enough one"
NUMBERS = count(1)


def with_account(server: Server) -> tuple[Visitor, str]:
    person, name = server.visitor(), f"Leaver {next(NUMBERS)} {server.port}"
    assert person.post("/api/account", {"name": name, "password": PASSWORD}).status_code == 200
    return person, name


def leave(person: Visitor) -> None:
    assert person.post("/api/account/delete", {"password": PASSWORD}).status_code == 200


def new_seat(owner: Visitor, table: str) -> str:
    answer = owner.post(f"/api/tables/{table}/invite", {"side": "blue"})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["invitation"])


def test_who_leaves_before_all_have_committed_takes_the_commitment_along(server: Server) -> None:
    red, next_one = server.visitor(), server.visitor()
    blue, name = with_account(server)
    order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "invited"}}
    opened = red.post("/api/tables", order).json()
    table = opened["id"]
    blue.join(opened["invitations"]["blue"])
    here = red.watch(table, "red")
    assert [share["side"] for share in here.state["dice"]["shares"]] == ["blue"]
    leave(blue)
    told = here.wait("dice")
    assert told["dice"]["step"] == "seats", "told at once"
    assert told["dice"]["shares"] == []
    assert name not in json.dumps(told)
    server.secrets.pop((table, "blue"))
    next_one.join(new_seat(red, table))
    red.commit(table)
    red.make_dice(table)
    made = red.view(table, "red")["dice"]
    assert made["step"] == "made"
    assert all(share["entropy"] for share in made["shares"]), "whoever plays has a part in the dice"


def test_who_leaves_when_all_have_committed_lets_nobody_draw_twice(server: Server) -> None:
    red = server.visitor()
    blue, _ = with_account(server)
    order = {"game": "picket", "scenario": "raid", "seats": {"red": "me", "blue": "invited"}}
    opened = red.post("/api/tables", order).json()
    table = opened["id"]
    blue.join(opened["invitations"]["blue"])
    red.commit(table)
    before = red.view(table, "red")["dice"]
    assert before["step"] == "show"
    leave(blue)
    next_one = server.visitor()
    sat = next_one.post("/api/join", {"token": new_seat(red, table).partition("#")[2]})
    assert sat.status_code == 200, sat.text
    after = red.view(table, "red")["dice"]
    assert [s["commitment"] for s in after["shares"]] == [s["commitment"] for s in before["shares"]]
    late = next_one.post(f"/api/tables/{table}/dice", {"side": "blue", "commitment": "0" * 64})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "share-late")


def test_all_who_press_at_once_go_on_at_one_table_that_is_still_its_owners(changing: Server) -> None:
    red, blue, table = two_at_a_table(changing, 10)
    start_later(changing, "rule")
    assert red.post(f"/api/tables/{table}/continue", {"agree": True}).json()["id"] is None
    with ThreadPoolExecutor(6) as many:
        found = list(many.map(lambda _: blue.post(f"/api/tables/{table}/continue", {"agree": True}).json(), range(6)))
    assert len({answer["id"] for answer in found}) == 1, found
    new = found[0]["id"]
    mine = [card["id"] for card in red.get("/api/tables", list="mine").json()]
    assert sorted(mine) == sorted([table, new]), "no other table was made"
    assert red.view(new, "red")["owner"], "whoever agreed last"
    assert not blue.view(new, "blue")["owner"]


def test_a_table_that_was_made_for_nothing_leaves_nothing(tmp_path: Path) -> None:
    """Another server was quicker: its word came into the store between our question and our write."""

    async def scene(hall: Hall, http: httpx.AsyncClient) -> None:
        at = (await http.post("/api/tables", json=ALONE)).json()["id"]
        theirs = (await http.post("/api/tables", json=ALONE)).json()["id"]
        assert (await http.post(f"/api/tables/{at}/resign", json={"side": "red"})).status_code == 200
        say = hall.store.set_next

        def quicker(table_id: str, next_table: str) -> bool:
            assert say(table_id, theirs)
            return say(table_id, next_table)

        hall.store.set_next = quicker
        assert (await http.post(f"/api/tables/{at}/rematch")).json()["id"] == theirs
        assert set(hall.tables) == {at, theirs}
        with hall.store.engine.connect() as db:
            assert {row.id for row in db.execute(sa.select(TABLES.c.id))} == {at, theirs}
            assert {row.table_id for row in db.execute(sa.select(SEATS.c.table_id))} == {at, theirs}

    in_app(tmp_path, scene)


def test_who_leaves_a_game_of_earlier_rules_goes_on_with_nobody_and_is_named_no_more(changing: Server) -> None:
    red, blue, table = two_at_a_table(changing, 10)
    name = "Once Here"
    assert blue.post("/api/account", {"name": name, "password": PASSWORD}).status_code == 200
    assert blue.post(f"/api/tables/{table}/chat", {"text": "Adieu"}).status_code == 200
    start_later(changing, "rule")
    assert blue.post(f"/api/tables/{table}/continue", {"agree": True}).json()["agreed"] == ["blue"]
    assert name in red.get(f"/api/tables/{table}/view").text
    leave(blue)
    seen = red.get(f"/api/tables/{table}/view").text
    assert name not in seen
    assert GONE in seen
    assert red.post(f"/api/tables/{table}/continue", {"agree": True}).json() == {"id": None, "agreed": ["red"]}
    assert "Traceback" not in changing.log(), "nothing that the handyman need read"


def test_what_somebody_said_as_a_watcher_has_no_name_when_they_are_gone(server: Server) -> None:
    red = server.visitor()
    watcher, name = with_account(server)
    table, _ = red.open_table(seats={"red": "me", "blue": "me"}, terms={"chat": "all"})
    here = red.watch(table, "red")
    assert watcher.post(f"/api/tables/{table}/chat", {"text": "Well done"}).status_code == 200
    assert here.wait("chat")["author"] == name
    assert name in json.dumps(watcher.get("/api/me/export").json()["chat"]), "it is kept about them"
    leave(watcher)
    assert name not in red.get(f"/api/tables/{table}/view").text
    server.kill()
    server.start()
    assert "Well done" in red.get(f"/api/tables/{table}/view").text
    assert name not in red.get(f"/api/tables/{table}/view").text


# Letters


def secret_in(letter: EmailMessage, what: str) -> str:
    found = re.search(what, letter.get_content())
    assert found is not None
    return found.group(1)


def confirmed(posting: Server, office: PostOffice, person: Visitor, email: str) -> str:
    before = len(office.letters)
    assert person.http.put("/api/me/notices", json={"email": email, "language": "en"}).status_code == 200
    return secret_in(office.read(before), r"token=(\S+)")


def test_a_stranger_who_asks_for_letters_spoils_none(posting: Server, office: PostOffice) -> None:
    person, stranger = posting.visitor(), posting.visitor()
    person.post("/api/account", {"name": "Mine", "password": PASSWORD})
    ticket = confirmed(posting, office, person, "mine@example.org")
    assert person.http.post("/confirm", data={"token": ticket}).status_code == 200
    letters = len(office.letters)
    secrets = []
    for asking in (person, stranger):
        assert asking.post("/api/reset", {"name": "Mine"}).status_code == 200
        secrets.append(secret_in(office.read(letters + len(secrets)), r"/reset#(\S+)"))
    first, second = secrets
    assert person.post("/api/reset/password", {"token": first, "password": "another one"}).status_code == 200
    again = stranger.post("/api/reset/password", {"token": second, "password": "a third one"})
    assert again.status_code == 404, "one new password ends all letters"


def test_a_yes_to_an_address_that_nobody_wants_any_more_is_kept_nowhere(
    posting: Server,
    office: PostOffice,
) -> None:
    guest = posting.visitor()
    early = confirmed(posting, office, guest, "guest@example.org")
    guest.post("/api/account", {"name": "Later", "password": PASSWORD})
    assert guest.http.post("/confirm", data={"token": early}).status_code == 200
    assert guest.get("/api/me").json()["notices"]["confirmed"], "also if the guest has an account by now"
    late = confirmed(posting, office, guest, "other@example.org")
    leave(guest)
    answer = guest.http.post("/confirm", data={"token": late})
    assert answer.status_code == 422
    assert "not valid any more" in answer.text
    engine = sa.create_engine(posting.database)
    with engine.connect() as db:
        assert db.execute(sa.select(CONFIRMED.c.email)).all() == []
    engine.dispose()
