"""Lessons at the server: the dice are fixed, the others do what was recorded, the state says how far one is."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.server.titles import plain_title
from grognard.teach import lesson_of
from tests.server.harness import Server, Visitor

FIRST = lesson_of("picket", "first")


def wait_for_me(visitor: Visitor, table: str) -> dict[str, Any]:
    """Until the learner is asked, or the game is over."""
    line = visitor.watch(table, "red")
    state = line.state
    while not state["legal"] and state["result"] is None:
        state |= line.wait("update")
    line.close()
    return state


@pytest.fixture
def learner(server: Server) -> Visitor:
    return server.visitor()


def begin(learner: Visitor, step: int = 0) -> str:
    answer = learner.post("/api/learn", {"game": "picket", "lesson": "first", "step": step, "language": "fr"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_the_words_come_in_both_languages(learner: Visitor) -> None:
    for lang in ("en", "fr"):
        told = learner.get("/api/games/picket/lessons/first", lang=lang).json()
        assert [step["say"] for step in told["steps"]] == [step.says[lang] for step in FIRST.steps]
        assert "they" not in told
        card = next(card for card in learner.get("/api/games", lang=lang).json() if card["game"] == "picket")
        assert card["lessons"] == [FIRST.card(lang)]
    assert learner.get("/api/games/picket/lessons/second").status_code == 404


def test_a_lesson_played_as_told_comes_out_as_told(learner: Visitor) -> None:
    table = begin(learner)
    for number, step in enumerate(FIRST.steps):
        if step.do is None:
            continue
        state = wait_for_me(learner, table)
        assert state["lesson"] == {"name": "first", "step": number, "astray": 0, "left_at": 0}
        answer = learner.act(table, "red", *step.do, state["version"])
        assert answer.status_code == 200, answer.text
    state = learner.view(table, "red")
    assert state["result"]["winner"] == "red"
    assert state["lesson"]["step"] == len(FIRST.steps)
    card = learner.get(f"/api/tables/{table}").json()
    assert (card["title"], card["mark"]) == ("Votre première partie", "lesson:first")


def test_a_lesson_can_be_opened_at_a_step_and_left(learner: Visitor) -> None:
    number = next(n for n, step in enumerate(FIRST.steps) if step.do == ("fight", "0405"))
    table = begin(learner, number)
    state = wait_for_me(learner, table)
    assert ["fight", "0405"] in state["legal"]
    assert state["lesson"]["step"] == number
    assert learner.act(table, "red", "fight", "0205", state["version"]).status_code == 200
    state = wait_for_me(learner, table)  # the computer plays on by itself
    assert state["lesson"]["left_at"] == number
    assert state["lesson"]["astray"] > 0


def test_what_comes_after_a_lesson_is_no_lesson_and_is_not_called_one(learner: Visitor) -> None:
    table = begin(learner)
    assert learner.get(f"/api/tables/{table}").json()["title"] == "Votre première partie"
    learner.post(f"/api/tables/{table}/resign", {"side": "red"})
    again = learner.post(f"/api/tables/{table}/rematch").json()["id"]
    told = learner.get(f"/api/tables/{again}").json()
    assert told["titles"] == {lang: plain_title("picket", "raid", lang) for lang in ("en", "fr")}
    assert told["title"] == told["titles"]["fr"]
    assert learner.view(again, "red")["lesson"] is None


def test_a_common_table_has_no_lesson_and_nonsense_is_refused(learner: Visitor) -> None:
    table, _ = learner.open_table(seats={"red": "me", "blue": "ai:random"})
    assert learner.view(table, "red")["lesson"] is None
    for wrong in ({"game": "picket", "lesson": "x"}, {"game": "x", "lesson": "first"}):
        assert learner.post("/api/learn", wrong).status_code == 404
    assert learner.post("/api/learn", {"game": "picket", "lesson": "first", "step": "1"}).status_code == 400
