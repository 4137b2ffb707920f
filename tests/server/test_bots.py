"""Programs at the table: tokens, and the sample bot against the computer."""

from __future__ import annotations

import runpy
from pathlib import Path

from grognard.server.ratings import SUREST, Game, Rating, rated
from tests.server.harness import Server

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"


def test_the_sample_bot_plays_a_game(server: Server) -> None:
    bot = runpy.run_path(str(EXAMPLE))["Bot"](server.address)
    bot.enter("A sample bot", "a good password")
    result = bot.play("picket", "crossing", "red", "blue", "greedy")
    assert result["rule"]


def test_a_token_is_the_account_and_ends_when_it_says_so(server: Server) -> None:
    person = server.visitor()
    assert person.post("/api/me/token", {}).status_code == 409  # a guest has none
    person.post("/api/account", {"name": "Token holder", "password": "a good password"})
    token = person.post("/api/me/token", {}).json()["token"]
    program = server.visitor()
    head = {"Authorization": f"Bearer {token}"}
    assert program.http.get("/api/me", headers=head).json()["name"] == "Token holder"
    assert "set-cookie" not in program.http.get("/api/me", headers=head).headers
    assert program.http.get("/api/me", headers={"Authorization": "Bearer nonsense"}).status_code == 401
    assert program.http.post("/api/logout", json={}, headers=head).status_code == 200
    assert program.http.get("/api/me", headers=head).status_code == 401
    assert person.get("/api/me").json()["name"] == "Token holder"


def test_a_rated_game_moves_the_ratings_and_stands(server: Server) -> None:
    bot = runpy.run_path(str(EXAMPLE))["Bot"](server.address)
    bot.enter("A rated bot", "a good password")
    result = bot.play("picket", "crossing", "red", "blue", "random")
    rows = {row["name"]: row for row in bot.ask("/api/ratings/picket")}
    mine, level = rows["A rated bot"], rows["random"]
    assert (mine["kind"], level["kind"], mine["games"]) == ("human", "ai", 1)
    assert mine["deviation"] < 350
    assert (mine["rating"] > 1500) == (result["winner"] == "red")
    assert mine["rating"] - 1500 == 1500 - level["rating"]


def test_what_is_rated_is_between_two_who_can_be_named(server: Server) -> None:
    guest, person = server.visitor(), server.visitor()
    wish = {"game": "picket", "scenario": "crossing", "options": {}, "terms": {"rated": True}}
    computer = wish | {"seats": {"red": "me", "blue": "ai:greedy"}}
    assert guest.post("/api/tables", computer).json()["error"]["code"] == "rated-guest"
    person.post("/api/account", {"name": "Rated", "password": "a good password"})
    both = person.post("/api/tables", wish | {"seats": {"red": "me", "blue": "me"}})
    assert (both.status_code, both.json()["error"]["code"]) == (422, "rated-seats")
    table = person.post("/api/tables", wish | {"seats": {"red": "me", "blue": "open"}}).json()["id"]
    assert guest.post(f"/api/tables/{table}/sit", {"side": "blue"}).json()["error"]["code"] == "rated-guest"
    assert person.post(f"/api/tables/{table}/sit", {"side": "blue"}).json()["error"]["code"] == "rated-seats"
    other = person.http.put(f"/api/tables/{table}/terms", json={"rated": False})
    assert other.json()["error"]["code"] == "rated-fixed"
    played = person.post("/api/tables", computer).json()["id"]
    order = {"side": "red", "to": 0, "version": None}
    assert person.post(f"/api/tables/{played}/takeback", order).json()["error"]["code"] == "rated-stands"
    assert person.post(f"/api/tables/{played}/resign", {"side": "red"}).status_code == 200
    rows = person.get("/api/ratings/picket").json()
    assert next(row for row in rows if row["name"] == "Rated")["rating"] < 1500


def test_glicko_knows_its_own_example() -> None:
    """The worked example of Glickman's description, its three games taken one after the other."""
    me = Rating(1500.0, 200.0)
    for value, deviation, points in ((1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)):
        me = me.after(Rating(value, deviation), points)
    assert 1460 < me.value < 1470  # 1464 when the three are one period
    assert 150 < me.deviation < 153  # 151.4
    strong, weak = rated([Game("a", "b", 1.0)] * 30)["a"], rated([Game("a", "b", 1.0)] * 30)["b"]
    assert strong.value > 1700 > 1300 > weak.value
    assert strong.deviation >= SUREST


def test_a_token_plays_and_decides_nothing_about_the_account(server: Server) -> None:
    """Who finds a program's token may lose a game with it, not take the account away: no address, no token, no end."""
    person = server.visitor()
    person.post("/api/account", {"name": "Careless", "password": "a good password"})
    person.http.put("/api/me/notices", json={"email": "me@example.org", "webhook": ""})
    token = person.post("/api/me/token", {}).json()["token"]
    finder = server.visitor()
    for ways in ({"Authorization": f"Bearer {token}"}, {"Cookie": f"grognard={token}"}):  # as it is meant, and not
        finder.http.cookies.clear()
        for path, body in (
            ("/api/me/token", {}),
            ("/api/account/delete", {"password": "a good password"}),
            ("/api/login", {"name": "Careless", "password": "a good password"}),
            ("/api/account", {"name": "Another", "password": "a good password"}),
        ):
            answer = finder.http.post(path, json=body, headers=ways)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not-by-token"), path
        thief = {"email": "thief@example.org", "webhook": ""}
        assert finder.http.put("/api/me/notices", json=thief, headers=ways).status_code == 403
        assert finder.http.get("/api/me/export", headers=ways).status_code == 403
        assert "example.org" not in finder.http.get("/api/me", headers=ways).text
        wish = {"game": "picket", "scenario": "crossing", "seats": {"red": "me", "blue": "ai:random"}}
        assert finder.http.post("/api/tables", json=wish, headers=ways).status_code == 201
    assert person.get("/api/me").json()["notices"]["email"] == "me@example.org"


def test_who_leaves_takes_no_points_away_from_the_others(server: Server) -> None:
    """A rated game counts for the winner, also when the loser deletes the account; the loser is ranked no more."""
    winner, loser = server.visitor(), server.visitor()
    for who, name in ((winner, "Stays here"), (loser, "Goes away")):
        who.post("/api/account", {"name": name, "password": "a good password"})
    wish = {"game": "picket", "scenario": "crossing", "options": {}, "terms": {"rated": True}}
    table = winner.post("/api/tables", wish | {"seats": {"red": "me", "blue": "open"}}).json()["id"]
    assert loser.post(f"/api/tables/{table}/sit", {"side": "blue"}).status_code == 200
    for who in (winner, loser):
        who.commit(table)
    winner.make_dice(table)
    assert loser.post("/api/account/delete", {"password": "a good password"}).status_code == 200  # resigns
    rows = {row["name"]: row for row in winner.get("/api/ratings/picket").json()}
    assert rows["Stays here"]["rating"] > 1500
    assert rows["Stays here"]["games"] == 1
    assert not {"Goes away", "—"} & rows.keys()
