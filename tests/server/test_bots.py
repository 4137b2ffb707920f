"""Programs at the table: tokens, and the sample bot against the computer."""

from __future__ import annotations

import runpy
from pathlib import Path

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
