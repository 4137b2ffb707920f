"""The designer's page: an experiment begun, looked at, stopped, gone on with; a game of it opened as a table."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

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
    assert person.get("/api/lab").json() | {"formats": 0} == {"runs": [], "busy": False, "files": [], "formats": 0}
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
    assert told["course"][0][0] == 1
    assert told["course"][-1] == [64, told["mean"], low, high]  # the last look is what is told
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


def wait_for(person: Any, address: str, done: Callable[[Any], bool], lang: str = "en") -> Any:
    """Look until it is so."""
    while True:
        answer = person.get(address, lang=lang)
        if answer.status_code == 200 and done(answer.json()):
            return answer.json()
        time.sleep(0.2)


COUNT = {"game": "picket", "scenario": "crossing", "level": "random", "games": 12, "luck": True}


def test_balance_luck_report_and_pictures_from_the_page(lab: Server) -> None:
    person = lab.visitor()
    run = person.post("/api/lab/balance", COUNT).json()["run"]
    assert person.post("/api/lab/balance", COUNT).status_code == 409  # one at a time
    told = wait_for(person, f"/api/lab/{run}", lambda one: one["verdict"] and not one["running"], "fr")
    assert (told["kind"], told["games"], told["most"], told["level"]) == ("balance", 12, 12, "random")
    assert [one["side"] for one in told["shares"]] == ["Rouge", "Bleu"]
    assert sum(one["share"] for one in told["shares"]) == pytest.approx(1)
    assert all(one["low"] <= one["share"] <= one["high"] for one in told["shares"])
    assert len(told["luck_rows"]) == 4
    assert len(told["games_list"]) == 12
    assert len(told["length"]) == 3
    report = person.get(f"/api/lab/{run}/report", lang="fr")
    assert report.headers["content-type"].startswith("text/html")
    assert "Rapport du laboratoire" in report.text
    names = [one["name"] for one in told["pictures"]]
    assert told["pictures"][0]["title"] == "Part du premier camp entre joueurs égaux"
    svg = person.get(f"/api/lab/{run}/pictures/{names[0]}", lang="fr")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.text.startswith("<svg")
    png = person.get(f"/api/lab/{run}/pictures/{names[0].replace('.svg', '.png')}", lang="fr")
    assert png.content.startswith(b"\x89PNG")
    for wrong in ("99-nothing.svg", "..%2flab.sqlite", "nothing.txt"):
        assert person.get(f"/api/lab/{run}/pictures/{wrong}").status_code == 404
    assert person.get("/api/lab/nothing/report").status_code == 404
    assert "content-disposition" not in report.headers
    assert "report.html" in person.get(f"/api/lab/{run}/report", keep="1").headers["content-disposition"]
    assert "Rapport du laboratoire" in person.get("/api/lab/all/report", lang="fr").text
    share = told["shares"][0]
    assert told["course"][-1] == [12, share["share"], share["low"], share["high"]]
    for which in (run, "all"):
        rows = list(csv.DictReader(person.get(f"/api/lab/{which}/rows/games.csv").text.splitlines()))
        assert [row["seed"] for row in rows] == [f"page crossing random {n}" for n in range(12)]
    for wrong in ("nothing/rows/games.csv", f"{run}/rows/games.exe", f"{run}/rows/..%2fgames.csv"):
        assert person.get(f"/api/lab/{wrong}").status_code == 404
    game = told["games_list"][0]
    table = person.post(f"/api/lab/{run}/open", {"pair": game["pair"], "place": game["place"]}).json()["id"]
    assert person.get(f"/api/tables/{table}").json()["over"]
    (listed,) = person.get("/api/lab").json()["runs"]
    assert (listed["run"], listed["games"]) == (run, 12)
    more = person.post("/api/lab/balance", COUNT | {"games": 14}).json()["run"]
    assert more == run  # it goes on
    assert wait_for(person, f"/api/lab/{run}", lambda one: one["verdict"] and not one["running"])["games"] == 14


def test_history_beside_the_games_of_a_scenario(lab: Server) -> None:
    person = lab.visitor()
    wish = {"game": "bitw", "scenario": "SBW1", "level": "random", "games": 2}
    run = person.post("/api/lab/balance", wish).json()["run"]
    told = wait_for(person, f"/api/lab/{run}", lambda one: one["verdict"] and not one["running"], "fr")
    assert not told["luck_rows"]
    assert told["history"]["rows"]
    assert all(len(row) == len(told["history"]["head"]) for row in told["history"]["rows"])


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_data_set_from_the_page(lab: Server, kind: str) -> None:
    person = lab.visitor()
    if kind not in person.get("/api/lab").json()["formats"]:
        pytest.skip("pyarrow is not installed")
    wish = {"game": "picket", "scenario": "crossing", "level": "random", "games": 3, "format": kind}
    name = person.post("/api/lab/files", wish).json()["name"]
    assert person.get(f"/api/lab/files/{name}").status_code == 404  # not yet
    told = wait_for(person, "/api/lab", lambda all_: not all_["busy"])["files"]
    assert [(one["name"], one["running"]) for one in told] == [(name, False)]
    data = person.get(f"/api/lab/files/{name}")
    assert len(data.content) == told[0]["bytes"]
    assert name in data.headers["content-disposition"]
    if kind == "jsonl":
        assert json.loads(data.text.splitlines()[0])["layout"]["scenario"] == "crossing"
    assert person.get("/api/lab/files/..%2flab.sqlite").status_code == 404
    assert person.get(f"/api/lab/files/{'x' * 3000}").status_code == 404  # no disk has such a name


def test_a_data_set_that_was_stopped_leaves_nothing(lab: Server) -> None:
    person = lab.visitor()
    wish = {"game": "bitw", "scenario": "SBW3", "level": "greedy", "games": 50, "format": "jsonl"}
    name = person.post("/api/lab/files", wish).json()["name"]
    (one,) = wait_for(person, "/api/lab", lambda all_: bool(all_["files"]))["files"]
    assert (one["name"], one["running"], one["most"]) == (name, True, 50)
    assert person.post(f"/api/lab/{name}/stop").status_code == 200
    assert person.get("/api/lab").json()["files"] == []


@pytest.mark.parametrize("address", ["/api/lab/balance", "/api/lab/files"])
@pytest.mark.parametrize(
    "change", [{"game": "chess"}, {"scenario": "../x"}, {"level": "genius"}, {"games": 0}, {"games": "all"}]
)
def test_wrong_wishes_for_counting(lab: Server, address: str, change: dict) -> None:
    answer = lab.visitor().post(address, COUNT | {"format": "jsonl"} | change)
    assert answer.status_code == 422, answer.text
    assert lab.visitor().post("/api/lab/files", COUNT | {"format": "exe"}).status_code == 422
    assert lab.visitor().get("/api/lab").json()["busy"] is False


def test_two_who_ask_in_the_same_moment_begin_one_run(lab: Server) -> None:
    wish = {"game": "bitw", "scenario": "SBW3", "level": "greedy", "format": "jsonl"}
    people = [lab.visitor() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: people[n].post("/api/lab/files", wish | {"games": 50 + n}), range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    name = next(answer.json()["name"] for answer in answers if answer.status_code == 201)
    assert people[0].post(f"/api/lab/{name}/stop").status_code == 200
