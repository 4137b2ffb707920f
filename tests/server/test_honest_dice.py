"""Attacks on the dice of a table, each as it once worked; and the ceremony that refuses them."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest
import sqlalchemy as sa

from grognard.games import find_game
from grognard.kernel.ceremony import chain_end, game_key, salt_of, share_commitment
from grognard.kernel.dice import commitment_of
from grognard.kernel.gamefile import from_json, from_text, replay, to_text, verify
from grognard.server import seating
from grognard.server.schema import TABLES
from grognard.server.store import Store
from grognard.server.wishes import header_from
from tests.server.harness import Server, Visitor
from tests.server.test_tables import play_out


def table_of_two(server: Server, **order: Any) -> tuple[Visitor, Visitor, str]:
    """Two people at a new table, whose dice are not made yet: both have committed to nothing."""
    red, blue = server.visitor(), server.visitor()
    seats = {"red": "me", "blue": "open"}
    opened = red.post("/api/tables", {"game": "picket", "scenario": "raid", "seats": seats} | order)
    table = opened.json()["id"]
    assert blue.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
    return red, blue, table


def dice(person: Visitor, table: str, side: str, **order: Any) -> tuple[int, Any]:
    answer = person.post(f"/api/tables/{table}/dice", {"side": side, **order})
    return answer.status_code, answer.json()


def word_for(person: Visitor, table: str, side: str, secret: str) -> str:
    return share_commitment(person.get(f"/api/tables/{table}").json()["dice"]["id"], side, chain_end(secret))


SECRET = {"red": secrets.token_hex(32), "blue": secrets.token_hex(32)}


def test_all_commit_then_all_show_then_the_game_begins(server: Server) -> None:
    red, blue, table = table_of_two(server)
    before = red.view(table, "red")
    assert before["legal"] == []
    assert before["dice"]["step"] == "commit"
    act = red.act(table, "red", "pledge", "0", before["version"])
    assert (act.status_code, act.json()["error"]["code"]) == (409, "dice-first")
    assert red.post(f"/api/tables/{table}/resign", {"side": "red"}).status_code == 409
    assert dice(red, table, "red", commitment=word_for(red, table, "red", SECRET["red"]))[0] == 200
    early = dice(red, table, "red", entropy=chain_end(SECRET["red"]))
    assert (early[0], early[1]["error"]["code"]) == (409, "share-early"), "nobody shows before all have committed"
    assert dice(blue, table, "blue", commitment=word_for(blue, table, "blue", SECRET["blue"]))[0] == 200
    late = dice(blue, table, "blue", commitment="0" * 64)
    assert (late[0], late[1]["error"]["code"]) == (409, "share-late"), (
        "nobody changes a word when all have given theirs"
    )
    other = dice(red, table, "red", entropy=chain_end(SECRET["blue"]))
    assert (other[0], other[1]["error"]["code"]) == (422, "other-share")
    status, shown = dice(red, table, "red", entropy=chain_end(SECRET["red"]))
    assert status == 200
    assert chain_end(SECRET["red"]) not in json.dumps(shown), "no share is told while another is hidden"
    assert chain_end(SECRET["red"]) not in json.dumps(blue.view(table, "blue"))
    assert dice(blue, table, "blue", entropy=chain_end(SECRET["blue"]))[0] == 200
    begun = red.view(table, "red")
    assert begun["legal"]
    assert begun["dice"]["step"] == "made"
    assert {share["side"]: share["entropy"] for share in begun["dice"]["shares"]} == {
        side: chain_end(secret) for side, secret in SECRET.items()
    }
    assert begun["commitment"] == before["commitment"], "the host committed before anybody sat down"
    assert dice(red, table, "red", go_on=True)[1]["error"]["code"] == "dice-made"


def test_a_commitment_that_was_used_before_opens_for_nobody(server: Server) -> None:
    """Another player's word, or one's own of another table: bound to game and side, so no share fits it here."""
    red, blue, table = table_of_two(server)
    _, _, elsewhere = table_of_two(server)
    of_red = word_for(red, table, "red", SECRET["red"])
    assert dice(red, table, "red", commitment=of_red)[0] == 200
    told = blue.view(table, "blue")["dice"]["shares"]
    assert [share["commitment"] for share in told] == [of_red]
    assert dice(blue, table, "blue", commitment=of_red)[0] == 200, "nobody knows yet what is behind it"
    assert dice(red, table, "red", entropy=chain_end(SECRET["red"]))[0] == 200
    for share in (chain_end(SECRET["red"]), chain_end(SECRET["blue"]), of_red):
        status, told = dice(blue, table, "blue", entropy=share)
        assert (status, told["error"]["code"]) == (422, "other-share")
    again = dice(red, table, "red", entropy=chain_end(SECRET["red"]))
    assert (again[0], again[1]["error"]["code"]) == (409, "share-early"), "a share is shown once"
    assert dice(blue, table, "blue", go_on=True)[0] == 200, "one's own may stay away"
    assert red.view(table, "red")["dice"]["shares"][1]["entropy"] == "", "and all see that it did"

    red, blue, table = table_of_two(server)
    assert dice(red, table, "red", commitment=word_for(red, table, "red", SECRET["red"]))[0] == 200
    stale = share_commitment(blue.get(f"/api/tables/{elsewhere}").json()["dice"]["id"], "blue", "5" * 64)
    assert dice(blue, table, "blue", commitment=stale)[0] == 200
    assert dice(blue, table, "blue", entropy="5" * 64)[1]["error"]["code"] == "other-share"


def test_every_game_has_a_commitment_of_its_own(server: Server) -> None:
    """Of a seed that was used once, all is known at the end: what follows from a game never takes it again."""
    me = server.visitor()
    table, _ = me.open_table(seats={"red": "me", "blue": "me"})
    assert me.post(f"/api/tables/{table}/resign", {"side": "red"}).status_code == 200
    found = [table, me.post(f"/api/tables/{table}/rematch").json()["id"]]
    running, _ = me.open_table(seats={"red": "me", "blue": "me"})
    state = me.view(running, "red")
    assert me.act(running, "red", *state["legal"][0], state["version"]).status_code == 200
    file = me.get(f"/g/{running}.txt").text
    for _ in range(2):  # the same file twice, for a stranger to play on
        opened = me.http.post("/api/import", params={"blue": "open"}, content=file.encode())
        assert opened.status_code == 201, opened.text
        found.append(opened.json()["id"])
    cards = [me.get(f"/api/tables/{one}").json() for one in [running, *found]]
    assert len({card["commitment"] for card in cards}) == len(cards)
    assert len({card["dice"]["id"] for card in cards}) == len(cards)


def test_the_file_at_the_end_proves_shares_and_salts(server: Server) -> None:
    red, blue, table = table_of_two(server)
    for person, side in ((red, "red"), (blue, "blue")):
        assert dice(person, table, side, commitment=word_for(person, table, side, SECRET[side]))[0] == 200
    for person, side in ((red, "red"), (blue, "blue")):
        assert dice(person, table, side, entropy=chain_end(SECRET[side]))[0] == 200
    players = {"red": red, "blue": blue}
    for _ in range(4):
        for side, person in players.items():
            state = person.view(table, side)
            if not state["legal"]:
                continue
            verb, target = state["legal"][-1]
            order = {"side": side, "verb": verb, "target": target, "version": state["version"]}
            wrong = person.post(f"/api/tables/{table}/act", order | {"salt": "0" * 64})
            assert wrong.status_code == 422
            salt = salt_of(SECRET[side], state["salted"] + 1)
            assert person.post(f"/api/tables/{table}/act", order | {"salt": salt}).status_code == 200
    server.kill()
    server.start()
    assert red.post(f"/api/tables/{table}/resign", {"side": "red"}).status_code == 200
    file = from_text(red.get(f"/g/{table}.txt").text)
    verdict = verify(file, find_game)
    assert verdict.problems == []
    assert verdict.withheld == []
    assert verdict.unsalted == {}
    assert all(line.salt for line in file.lines if line.side != "*")
    session = replay(file, find_game)
    assert session.header.seed
    assert commitment_of(session.header.seed) == session.header.commitment


def test_a_player_who_refuses_to_show_can_be_left_out_and_is_named_for_ever(server: Server) -> None:
    red, blue, table = table_of_two(server, terms={"patience": 60})
    for person, side in ((red, "red"), (blue, "blue")):
        assert dice(person, table, side, commitment=word_for(person, table, side, SECRET[side]))[0] == 200
    assert dice(red, table, "red", entropy=chain_end(SECRET["red"]))[0] == 200
    hasty = dice(red, table, "red", go_on=True)
    assert (hasty[0], hasty[1]["error"]["code"]) == (409, "dice-patience")
    store = Store(server.database)
    with store.writing() as db:  # a minute later
        db.execute(TABLES.update().where(TABLES.c.id == table).values(stage_at=1.0))
    store.close()
    assert dice(red, table, "red", go_on=True)[0] == 200
    state = red.view(table, "red")
    assert state["legal"]
    told = {share["side"]: share["entropy"] for share in state["dice"]["shares"]}
    assert told == {"red": chain_end(SECRET["red"]), "blue": ""}
    assert dice(blue, table, "blue", entropy=chain_end(SECRET["blue"]))[0] == 409, "too late"
    red.post(f"/api/tables/{table}/resign", {"side": "red"})
    assert verify(from_text(red.get(f"/g/{table}.txt").text), find_game).withheld == ["blue"]


def test_whoever_lost_the_own_share_lets_the_table_go_on_at_once(server: Server) -> None:
    red, blue, table = table_of_two(server)
    for person, side in ((red, "red"), (blue, "blue")):
        assert dice(person, table, side, commitment=word_for(person, table, side, SECRET[side]))[0] == 200
    assert dice(red, table, "red", entropy=chain_end(SECRET["red"]))[0] == 200
    assert dice(blue, table, "blue", go_on=True)[0] == 200
    assert red.view(table, "red")["legal"]


def test_who_never_commits_is_left_out_after_a_while(server: Server) -> None:
    red, blue, table = table_of_two(server)
    assert dice(red, table, "red", commitment=word_for(red, table, "red", SECRET["red"]))[0] == 200
    assert dice(red, table, "red", go_on=True)[1]["error"]["code"] == "dice-patience"
    store = Store(server.database)
    with store.writing() as db:
        db.execute(TABLES.update().where(TABLES.c.id == table).values(stage_at=1.0))
    store.close()
    assert dice(red, table, "red", go_on=True)[1]["dice"]["step"] == "show"
    assert dice(blue, table, "blue", commitment="0" * 64)[0] == 409
    assert dice(red, table, "red", entropy=chain_end(SECRET["red"]))[0] == 200
    assert red.view(table, "red")["legal"]


def test_the_dice_survive_a_kill_at_every_step(server: Server) -> None:
    red, blue, table = table_of_two(server)
    for person, side in ((red, "red"), (blue, "blue")):
        assert dice(person, table, side, commitment=word_for(person, table, side, SECRET[side]))[0] == 200
        server.kill()
        server.start()
    assert dice(red, table, "red", entropy=chain_end(SECRET["red"]))[0] == 200
    server.kill()
    server.start()
    assert dice(blue, table, "blue", entropy=chain_end(SECRET["blue"]))[0] == 200
    digest = red.view(table, "red")["digest"]
    server.kill()
    server.start()
    assert red.view(table, "red")["digest"] == digest


def test_a_stranger_has_no_share(server: Server) -> None:
    _, _, table = table_of_two(server)
    assert dice(server.visitor(), table, "red", commitment="0" * 64)[0] == 403


def test_three_play_three_shares(server: Server) -> None:
    people = [server.visitor() for _ in range(3)]
    order = {"game": "normandie", "scenario": "cobra", "options": {"players": "3"}}
    opened = people[0].post("/api/tables", order | {"seats": {"allied": "me", "german": "open", "british": "open"}})
    table = opened.json()["id"]
    assert people[0].view(table, "allied")["dice"]["step"] == "seats"
    sides = ("allied", "german", "british")
    for person, side in zip(people[1:], sides[1:]):
        assert person.post(f"/api/tables/{table}/sit", {"side": side}).status_code == 200
    held = {side: secrets.token_hex(32) for side in sides}
    for person, side in zip(people, sides):
        assert dice(person, table, side, commitment=word_for(person, table, side, held[side]))[0] == 200
    for person, side in zip(people, sides):
        assert people[0].view(table, "allied")["dice"]["step"] == "show"
        assert dice(person, table, side, entropy=chain_end(held[side]))[0] == 200
    assert len(people[0].view(table, "allied")["dice"]["shares"]) == 3


# Attacks by way of files


def played_alone(server: Server) -> tuple[Visitor, str]:
    """A creator plays against himself and has the file with its seed."""
    person = server.visitor()
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    for _ in range(6):
        state = person.view(table, "red")
        side = state["prompt"]["waiting"][0]
        state = person.view(table, side)
        assert person.act(table, side, *state["legal"][-1], state["version"]).status_code == 200
    return person, person.get(f"/g/{table}.txt").text


def take_in(person: Visitor, text: str, **wishes: str) -> Any:
    return person.http.post("/api/import", params=wishes, content=text.encode())


def test_an_imported_game_with_a_stranger_gets_dice_that_its_importer_does_not_know(server: Server) -> None:
    cheat, text = played_alone(server)
    old = replay(from_text(text), find_game)
    answer = take_in(cheat, text, blue="open")
    assert answer.status_code == 201
    table, victim = answer.json()["id"], server.visitor()
    card = victim.get(f"/api/tables/{table}").json()
    assert card["mark"] == "position-known", "everybody sees it before sitting down"
    assert victim.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
    for person, side in ((cheat, "red"), (victim, "blue")):
        assert dice(person, table, side, commitment=word_for(person, table, side, SECRET[side]))[0] == 200
    for person, side in ((cheat, "red"), (victim, "blue")):
        assert dice(person, table, side, entropy=chain_end(SECRET[side]))[0] == 200
    state = cheat.view(table, "red")
    assert state["commitment"] != old.header.commitment
    assert state["prompt"]["waiting"] == [old.game.side_name(side) for side in old.state.waiting], "it goes on there"
    play_out({"red": cheat, "blue": victim}, table)
    file = from_json(cheat.get(f"/g/{table}.json").text)
    assert not verify(file, find_game).problems
    assert file.header["seed"] != old.header.seed
    assert old.state.seed not in to_text(file)


def test_a_game_imported_with_its_dice_says_so_to_everybody(server: Server) -> None:
    cheat, text = played_alone(server)
    table = take_in(cheat, text, blue="open", dice="known").json()["id"]
    assert server.visitor().get(f"/api/tables/{table}").json()["mark"] == "dice-known"
    listed = server.visitor()
    assert listed.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
    assert listed.view(table, "blue")["mark"] == "dice-known"
    assert "mark: dice-known" in listed.get(f"/g/{table}.txt").text
    link = take_in(cheat, text, blue="invited").json()["invitations"]["blue"]
    asked = server.visitor().post("/api/invitation", {"token": link.partition("#")[2]}).json()
    assert asked["mark"] == "position-known", "also before an invitation is taken up"


@pytest.mark.parametrize("lie", ["seed", "commitment", "chain"])
def test_a_file_whose_dice_do_not_fit_is_refused(server: Server, lie: str) -> None:
    cheat, text = played_alone(server)
    file = from_text(text)
    if lie == "seed":
        file.header["seed"] = secrets.token_hex(32)
    elif lie == "commitment":
        file.header["commitment"] = commitment_of("another")
    else:
        file.lines[2].chain = "0" * 16
    answer = take_in(cheat, to_text(file))
    assert answer.status_code == 422, answer.text


# Attacks by way of the database


def swap(server: Server, table: str, **changes: str) -> None:
    """Somebody writes into the header of a table while the server is down."""
    server.kill()
    engine = sa.create_engine(server.database)
    with engine.begin() as db:
        row = db.execute(sa.select(TABLES.c.header).where(TABLES.c.id == table)).scalar_one()
        header = json.dumps(json.loads(row) | changes)
        db.execute(TABLES.update().where(TABLES.c.id == table).values(header=header))
    engine.dispose()
    server.start()


def test_a_seed_swapped_in_the_database_stops_the_table(server: Server) -> None:
    person = server.visitor()
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    other = secrets.token_hex(32)
    swap(server, table, seed=other)
    answer = person.get(f"/api/tables/{table}/view")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "other-dice")


def test_a_seed_swapped_with_its_commitment_is_found_by_the_chain(server: Server) -> None:
    person = server.visitor()
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    state = person.view(table, "red")
    assert person.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    other = secrets.token_hex(32)
    swap(server, table, seed=other, commitment=commitment_of(other))
    answer = person.get(f"/api/tables/{table}/view")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "other-log")


def test_the_key_is_not_in_anything_that_a_player_is_sent(server: Server) -> None:
    red, blue, table = table_of_two(server)
    for person, side in ((red, "red"), (blue, "blue")):
        assert dice(person, table, side, commitment=word_for(person, table, side, SECRET[side]))[0] == 200
    for person, side in ((red, "red"), (blue, "blue")):
        assert dice(person, table, side, entropy=chain_end(SECRET[side]))[0] == 200
    store = Store(server.database)
    row = store.table(table)
    store.close()
    assert row is not None
    seed = json.loads(row["header"])["seed"]
    paths = (f"/api/tables/{table}", f"/api/tables/{table}/view", f"/g/{table}.txt", f"/g/{table}.json")
    live = blue.watch(table, "blue")
    live.say(type="chat", text="Ready?", id=1)
    live.wait("done")
    told = [red.get(path).text for path in paths] + live.raw
    header = header_from(dict(row))
    key = game_key(header.seed, header.id, header.entropy, header.shares)
    assert not any(secret in text for text in told for secret in (seed, key))


# The end


@pytest.mark.parametrize("against", ["person", "computer"])
def test_nothing_is_taken_back_after_the_end_has_shown_everything(server: Server, against: str) -> None:
    if against == "computer":
        red = blue = server.visitor()
        table, _ = red.open_table(seats={"red": "me", "blue": "ai:random"})
    else:
        red, blue, table = table_of_two(server)
        for person, side in ((red, "red"), (blue, "blue")):
            assert dice(person, table, side, commitment=word_for(person, table, side, SECRET[side]))[0] == 200
        for person, side in ((red, "red"), (blue, "blue")):
            assert dice(person, table, side, entropy=chain_end(SECRET[side]))[0] == 200
    state = red.view(table, "red")
    assert red.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    assert red.post(f"/api/tables/{table}/resign", {"side": "red"}).status_code == 200
    assert red.view(table, "red")["seed"], "the end shows the seed"
    back = red.post(f"/api/tables/{table}/takeback", {"side": "red", "to": 0})
    assert back.status_code == 422
    assert back.json()["error"]["refusal"]["reason"] == "end-stands"
    assert red.post(f"/api/tables/{table}/undo", {"side": "red"}).status_code == 422
    assert red.view(table, "red")["result"]


def test_commitments_lock_when_the_last_one_comes(tmp_path_factory: pytest.TempPathFactory, database: str) -> None:
    """In the store itself: whoever comes second finds the door closed."""
    store = Store(database)
    row = {"id": "lock", "title": "t", "game": "picket", "header": "{}", "version": 0, "over": False, "clock": "{}"}
    row |= {"created": 0.0, "updated": 0.0, "owner": "me", "next_table": "", "stage": "dice"}
    store.add_table(row, [{"table_id": "lock", "side": 0, "kind": "human"}], [])
    assert seating.commit_share(store, "lock", 0, "a" * 64, 2)
    assert seating.commit_share(store, "lock", 0, "b" * 64, 2), "the first may think again"
    assert seating.commit_share(store, "lock", 1, "c" * 64, 2)
    assert not seating.commit_share(store, "lock", 0, "d" * 64, 2)
    assert seating.shares(store, "lock") == {0: ("b" * 64, ""), 1: ("c" * 64, "")}
    assert not seating.show_share(store, "lock", 0, "d" * 64, "e" * 64, 2)
    assert seating.show_share(store, "lock", 0, "b" * 64, "e" * 64, 2)
    assert not seating.show_share(store, "lock", 0, "b" * 64, "f" * 64, 2), "once"
    assert seating.begin(store, "lock", {}, {}, {}, "chain")
    assert not seating.begin(store, "lock", {}, {}, {}, "chain")
    store.close()
