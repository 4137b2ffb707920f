"""Tables: seats, acting, refusals, fog, undo, offers, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.harness import Server, Visitor


@pytest.fixture
def pair(server: Server) -> tuple[Visitor, Visitor, str]:
    """Two people at a new table: red and blue."""
    red, blue = server.visitor(), server.visitor()
    table, invitations = red.open_table()
    assert blue.join(invitations["blue"])["side"] == "blue"
    return red, blue, table


def play_out(people: dict[str, Visitor], table: str, most: int = 400) -> dict[str, Any]:
    """Everybody takes the first legal action until the game is over."""
    state: dict[str, Any] = {}
    for _ in range(most):
        for side, person in people.items():
            state = person.view(table, side)
            if state["result"]:
                return state
            if state["legal"]:
                verb, target = state["legal"][-1]
                assert person.act(table, side, verb, target, state["version"]).status_code == 200
    raise AssertionError("no end")


@pytest.mark.parametrize(("players", "seats"), [("2", ["allied", "german"]), ("3", ["allied", "german", "british"])])
def test_a_table_has_a_seat_for_each_side_that_is_played(server: Server, players: str, seats: list[str]) -> None:
    person = server.visitor()
    order = {"game": "normandie", "scenario": "cobra", "options": {"players": players}}
    table, invitations = person.open_table(**order, seats={"allied": "me", "german": "me", "british": "me"})
    assert not invitations
    assert [seat["side"] for seat in person.view(table, "allied")["seats"]] == seats


def test_lobby_lists_games_and_tables(server: Server) -> None:
    person = server.visitor()
    games = person.get("/api/games", lang="fr").json()
    assert any(game["game"] == "picket" and game["playable"] for game in games)
    table, _ = person.open_table(title="Un   essai", seats={"red": "me", "blue": "open"}, terms={"listed": True})
    hidden, _ = person.open_table(seats={"red": "me", "blue": "open"})
    mine = person.get("/api/tables", list="mine").json()
    assert {t["id"] for t in mine} == {table, hidden}
    assert next(t["title"] for t in mine if t["id"] == table) == "Un essai"
    for which in ("open", "recent"):
        listed = [t["id"] for t in server.visitor().get("/api/tables", list=which).json()]
        assert table in listed, "a table that wants to be found is found"
        assert hidden not in listed, "a stranger's game does not show in everybody's lobby"
    assert server.visitor().get("/api/tables", list="mine").json() == []


def test_the_lobby_wakes_no_table(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/tables.db", tmp_path)
    server.start()
    person = server.visitor()
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    state = person.view(table, "red")
    assert person.act(table, "red", *state["legal"][0], state["version"]).status_code == 200
    before = person.get("/api/tables", list="mine").json()
    server.kill()
    server.start()
    again = person.get("/api/tables", list="mine").json()
    assert person.get("/api/health").json()["tables"] == 0
    for lines in (before, again):
        for seat in lines[0]["seats"]:
            seat.pop("online")
    assert again == before
    assert again[0]["mine"] == ["red", "blue"]
    assert again[0]["waiting"] == ["blue"]
    server.stop()


def test_an_action_is_checked_for_seat_version_and_legality(pair: tuple[Visitor, Visitor, str]) -> None:
    red, blue, table = pair
    stranger = red.server.visitor()
    state = red.view(table, "red")
    verb, target = state["legal"][0]
    forged = blue.act(table, "red", verb, target, state["version"])
    assert forged.status_code == 403
    assert forged.json()["error"]["code"] == "not-your-seat"
    assert stranger.act(table, "red", verb, target, state["version"]).status_code == 403
    refused = red.act(table, "red", "pledge", "9", state["version"])
    assert refused.status_code == 422
    assert refused.json()["error"]["rule"] == "3.1"
    assert red.act(table, "red", verb, target, state["version"] + 5).status_code == 409
    assert red.post(f"/api/tables/{table}/act", {"side": "red", "verb": verb, "target": target}).status_code == 400
    assert red.view(table, "red")["version"] == state["version"], "nothing has changed"
    done = red.act(table, "red", verb, target, state["version"])
    assert done.status_code == 200
    assert done.json()["version"] == state["version"] + 1


def test_old_actions_are_stale_but_secret_choices_do_not_block_each_other(pair: tuple[Visitor, Visitor, str]) -> None:
    red, blue, table = pair
    version = red.view(table, "red")["version"]
    assert red.act(table, "red", "pledge", "0", version).status_code == 200
    assert blue.act(table, "blue", "pledge", "0", version).status_code == 200, "both were asked at once"
    stale = red.act(table, "red", "done", "", version)
    assert stale.status_code == 409
    assert stale.json()["error"]["code"] == "stale"


def test_nothing_hidden_reaches_the_other_side(pair: tuple[Visitor, Visitor, str]) -> None:
    red, blue, table = pair
    live = blue.watch(table, "blue")
    bench = red.server.visitor().watch(table, "spectator")
    version = red.view(table, "red")["version"]
    assert red.act(table, "red", "pledge", "2", version).status_code == 200
    live.wait("update")
    bench.wait("update")
    page = json.dumps(blue.view(table, "blue")) + "".join(live.raw) + blue.get(f"/g/{table}.txt").text
    assert "red-" not in page.replace('"side": "red', ""), "a red block's name"
    assert '"pledge", "2"' not in page.replace(" ", "").replace('["pledge","2"]', "")
    assert "blue-" not in "".join(bench.raw)
    assert red.server.visitor().get(f"/api/tables/{table}/view", **{"as": "red"}).status_code == 403
    assert blue.get(f"/api/tables/{table}/view", **{"as": "referee"}).status_code == 403
    assert '"seed": null' in json.dumps(blue.view(table, "blue"))


def test_undo_until_the_decision_passes(server: Server) -> None:
    person = server.visitor()
    table, _ = person.open_table(seats={"red": "me", "blue": "ai:random"})
    for _ in range(200):
        state = person.view(table, "red")
        if any(action[0] == "move" for action in state["legal"]):
            break
        if state["legal"]:
            person.act(table, "red", *state["legal"][0], state["version"])
    move = next(action for action in state["legal"] if action[0] == "move")
    assert person.act(table, "red", *move, state["version"]).json()["can_undo"]
    after = person.view(table, "red")
    assert after["legal"] != state["legal"]
    undone = person.post(f"/api/tables/{table}/undo", {"side": "red", "version": after["version"]})
    assert undone.status_code == 200
    assert person.view(table, "red")["legal"] == state["legal"]
    redone = person.post(f"/api/tables/{table}/redo", {"side": "red", "version": after["version"] + 1})
    assert redone.status_code == 200
    assert person.view(table, "red")["legal"] == after["legal"]


def test_a_finished_game_can_be_verified_replayed_and_imported(pair: tuple[Visitor, Visitor, str]) -> None:
    red, blue, table = pair
    assert red.get(f"/api/tables/{table}/verify").status_code == 409
    end = play_out({"red": red, "blue": blue}, table)
    assert end["seed"]
    verdict = red.get(f"/api/tables/{table}/verify").json()
    assert verdict["ok"]
    assert verdict["actions"] == end["actions"]
    past = red.view(table, "blue", at=3)
    assert past["at"] == 3, "once it is over, every view is open"
    file = red.get(f"/g/{table}.txt").text
    answer = red.http.post("/api/import", content=file.encode())
    assert answer.status_code == 201, answer.text
    assert red.view(answer.json()["id"], "red")["digest"] == end["digest"]
    assert red.http.post("/api/import", content=file.replace("raid", "ride", 1).encode()).status_code == 422
    assert red.http.post("/api/import", content=b"\xff\xfe").status_code == 422
    rematch = blue.post(f"/api/tables/{table}/rematch")
    assert rematch.status_code == 201
    assert red.post(f"/api/tables/{table}/rematch").json()["id"] == rematch.json()["id"]
    again = rematch.json()["id"]
    assert red.view(again, "red")["legal"] == [], "new dice are made first"
    red.commit(again)
    blue.commit(again)
    red.make_dice(again)
    assert red.view(again, "red")["legal"]


def test_resign_draw_and_takeback(pair: tuple[Visitor, Visitor, str]) -> None:
    red, blue, table = pair
    version = red.view(table, "red")["version"]
    red.act(table, "red", "pledge", "1", version)
    blue.act(table, "blue", "pledge", "0", version)
    before = red.view(table, "red")["actions"]
    assert red.post(f"/api/tables/{table}/takeback", {"side": "red", "to": 0}).status_code == 200
    assert blue.view(table, "blue")["offers"][0]["kind"] == "takeback"
    assert blue.post(f"/api/tables/{table}/takeback-answer", {"side": "blue", "agree": True}).status_code == 200
    state = red.view(table, "red")
    assert state["actions"] == before + 1, "a takeback is a line of the log"
    assert ["pledge", "1"] in state["legal"]
    red.post(f"/api/tables/{table}/draw", {"side": "red"})
    assert red.view(table, "red")["result"] is None
    blue.post(f"/api/tables/{table}/draw", {"side": "blue"})
    assert red.view(table, "red")["result"]["winner"] is None
    other, _ = red.open_table(seats={"red": "me", "blue": "me"})
    red.post(f"/api/tables/{other}/resign", {"side": "red"})
    assert red.view(other, "blue")["result"]["winner"] == "blue"


def test_why_odds_notes_and_chat(pair: tuple[Visitor, Visitor, str]) -> None:
    red, blue, table = pair
    why = red.get(f"/api/tables/{table}/why", side="red", verb="pledge", target="7", lang="fr").json()["refusal"]
    assert why["rule"] == "3.1"
    assert why["rule_text"]
    assert red.get(f"/api/tables/{table}/why", side="red", verb="pledge", target="0").json() == {"refusal": None}
    assert red.get(f"/api/tables/{table}/odds", side="red", verb="pledge", target="0").json() is None
    red.http.put(f"/api/tables/{table}/note", json={"text": "hold the ford"})
    assert red.get(f"/api/tables/{table}/note").json() == {"text": "hold the ford"}
    assert blue.get(f"/api/tables/{table}/note").json() == {"text": ""}
    assert red.post(f"/api/tables/{table}/chat", {"text": " bonne   chance "}).status_code == 200
    assert blue.view(table, "blue")["chat"][0]["text"] == "bonne chance"


def test_accounts_keep_their_seats(server: Server) -> None:
    guest = server.visitor()
    table, _ = guest.open_table()
    name = f"Émile {server.port}"
    assert guest.post("/api/account", {"name": name, "password": "short"}).status_code == 422
    assert guest.post("/api/account", {"name": name, "password": "long enough"}).status_code == 200
    assert guest.view(table, "red")["mine"] == ["red"]
    again = server.visitor()
    assert again.post("/api/account", {"name": name.upper(), "password": "long enough"}).status_code == 409
    assert again.post("/api/login", {"name": name, "password": "wrong one"}).status_code == 403
    assert again.post("/api/login", {"name": name, "password": "long enough"}).status_code == 200
    assert again.view(table, "red")["mine"] == ["red"]
    assert again.post("/api/logout").status_code == 200
    assert again.get(f"/api/tables/{table}/view", **{"as": "red"}).status_code == 403
    assert "long enough" not in server.log()


def test_time_banks_run_out(server: Server) -> None:
    person = server.visitor()
    bad = person.post("/api/tables", {"game": "picket", "scenario": "raid", "seats": {}, "time": {"bank_s": 1}})
    assert bad.status_code == 422
    both = {"red": "me", "blue": "me"}
    table, _ = person.open_table(seats=both, time={"bank_s": 600, "per_action_s": 5000})
    state = person.view(table, "red")
    assert state["clock"]["bank"] == [600, 600]
    after = person.act(table, "red", *state["legal"][0], state["version"]).json()
    assert after["clock"]["bank"][0] > 600, "time is added for an action"
    assert after["clock"]["thought"] >= 0
    person.post(f"/api/tables/{table}/resign", {"side": "red"})
    rematch = person.post(f"/api/tables/{table}/rematch").json()["id"]
    assert person.view(rematch, "red")["clock"]["bank"] == [600, 600], "a rematch has the time of the first game"


def test_a_scenario_seats_only_those_who_play_it(server: Server) -> None:
    person = server.visitor()
    seats = {"axis": "me", "soviet": "ai:random"}
    table, invitations = person.open_table(game="surrender", scenario="barbarossa", seats=seats)
    assert invitations == {}
    assert [seat["side"] for seat in person.get(f"/api/tables/{table}").json()["seats"]] == ["axis", "soviet"]
    state = person.view(table, "axis")
    assert person.act(table, "axis", *state["legal"][0], state["version"]).status_code == 200
    table, _ = person.open_table(game="surrender", scenario="barbarossa", seats={"axis": "me", "soviet": "me"})
    assert "seed" in person.get(f"/g/{table}.txt").text, "who plays every side may have the whole file"
    assert person.post(f"/api/tables/{table}/resign", {"side": "axis"}).status_code == 200
    result = person.view(table, "axis", lang="en")["result"]
    assert (result["winner"], result["text"]) == ("soviet", "Victory: Soviet, by resignation."), "cites no rule"


def test_a_table_without_a_title_is_named_after_its_scenario(server: Server) -> None:
    person = server.visitor()
    table, _ = person.open_table(language="fr")
    title = person.get(f"/api/tables/{table}").json()["title"]
    assert title == "Picket, Le raid", "in words, not by its key"


def test_a_spectator_watches_live_and_sees_no_hidden_block(pair: tuple[Visitor, Visitor, str]) -> None:
    red, blue, table = pair
    watcher = red.server.visitor().watch(table, "spectator")
    assert watcher.state["as"] == "spectator"
    assert watcher.state["legal"] == []
    version = red.view(table, "red")["version"]
    assert red.act(table, "red", "pledge", "1", version).status_code == 200
    first = watcher.wait("update")
    assert "verb" not in first["log"][0], "a secret choice is not told"
    assert blue.act(table, "blue", "pledge", "0", version).status_code == 200
    assert watcher.wait("update")["version"] == first["version"] + 1
    known = [piece for piece in watcher.state["view"]["pieces"] if piece["known"]]
    assert not known
    for block in red.view(table, "red")["view"]["pieces"]:
        if block["known"]:
            assert f'"{block["id"]}"' not in "".join(watcher.raw)


def test_hot_seat_one_person_plays_both(server: Server) -> None:
    person = server.visitor()
    table, invitations = person.open_table(seats={"red": "me", "blue": "me"})
    assert invitations == {}
    end = play_out({"red": person, "blue": person}, table)
    assert end["result"]["text"]


def test_a_title_that_nobody_typed_is_told_in_every_language(server: Server) -> None:
    host, guest = server.visitor(), server.visitor()
    seats = {"red": "me", "blue": "invited"}
    french = host.post("/api/tables", {"game": "picket", "scenario": "raid", "seats": seats, "language": "fr"}).json()
    typed = host.post("/api/tables", {"game": "picket", "scenario": "raid", "seats": seats, "title": "Jeudi"}).json()
    told = host.get(f"/api/tables/{french['id']}").json()
    assert told["title"] == told["titles"]["fr"]
    assert told["titles"]["en"] != told["titles"]["fr"]
    state = host.view(french["id"], "red")
    assert state["titles"] == told["titles"]
    token = french["invitations"]["blue"].split("#")[1]
    assert guest.post("/api/invitation", {"token": token}).json()["titles"] == told["titles"]
    assert host.get(f"/api/tables/{typed['id']}").json()["title"] == "Jeudi"
    assert host.get(f"/api/tables/{typed['id']}").json()["titles"] == {}
