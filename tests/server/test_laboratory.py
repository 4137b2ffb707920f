"""The designer's page: an experiment begun, looked at, stopped, gone on with; a game of it opened as a table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.harness import Server

WISH = {
    **{"game": "picket", "scenario": "crossing", "option": "fog", "first": "on", "second": "off"},
    **{"level": "random", "worth": 20, "most": 64},
}


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("GROGNARD_LAB", str(tmp_path / "lab"))
    running = Server(f"sqlite:///{tmp_path}/tables.db", tmp_path)
    running.start()
    yield running
    running.stop()


def test_an_experiment_from_the_page(lab: Server) -> None:
    person = lab.visitor()
    assert person.get("/api/lab").json() == {"runs": [], "busy": False}
    answer = person.post("/api/lab", WISH)
    assert answer.status_code == 201, answer.text
    run = answer.json()["run"]
    assert person.post("/api/lab", WISH | {"second": "on", "first": "off"}).status_code == 409  # one at a time
    while True:
        told = person.get(f"/api/lab/{run}")
        if told.status_code == 200 and told.json()["verdict"]:
            break
        time.sleep(0.2)
    told = told.json()
    assert told["pairs"] == 64
    assert len(told["games_list"]) == 128
    low, high = told["interval"]
    assert low <= told["mean"] <= high
    game = told["games_list"][0]
    table = person.post(f"/api/lab/{run}/open", {"pair": game["pair"], "place": game["place"]}).json()["id"]
    card = person.get(f"/api/tables/{table}").json()
    assert card["over"]
    assert person.get(f"/api/tables/{table}/verify").json()["ok"]
    assert person.post(f"/api/lab/{run}/stop").status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"option": "nothing"},
        {"second": "maybe"},
        {"scenario": "nowhere"},
        {"game": "chess"},
        {"level": "genius"},
        {"most": 10**9},
        {"worth": "much"},
        {"option": 'x" = 1 }\n[stop'},
    ],
)
def test_wrong_wishes(lab: Server, change: dict) -> None:
    answer = lab.visitor().post("/api/lab", WISH | change)
    assert 400 <= answer.status_code < 500, answer.text
    assert lab.visitor().get("/api/lab").json()["busy"] is False


def test_a_club_has_none_unless_it_wants_one(server: Server) -> None:
    person = server.visitor()
    assert person.get("/api/lab").status_code == 404
    assert person.post("/api/lab", WISH).status_code == 404
