"""Every lesson of every game, played against the rules as they are: a rule that breaks a lesson fails here."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from grognard.ai import offered
from grognard.cli.checks import is_translated
from grognard.games import find_game, playable_names
from grognard.kernel.rulebook import rulebook
from grognard.kernel.session import Session
from grognard.server.files import maps_of
from grognard.teach import Lesson, Step, answer_of, begin, lesson_names, lesson_of, let_others, play, progress
from grognard.teach.play import comes_true, fits, seek

LESSONS = [(game, name) for game in playable_names() for name in lesson_names(game)]
LONGEST = 420  # letters that somebody reads at once
LANGUAGES = ("en", "fr")


@pytest.fixture(params=LESSONS, ids="-".join)
def lesson(request: pytest.FixtureRequest) -> Lesson:
    return lesson_of(*request.param)


def test_every_game_has_a_lesson() -> None:
    assert {game for game, _ in LESSONS} == set(playable_names())


def happened(session: Session, since: int) -> list[dict[str, Any]]:
    """What the learner heard since so many entries."""
    me = session.game.side_named(lesson_side(session))
    return [event for line in session.log_for(me, since) for event in line["events"]]


def lesson_side(session: Session) -> str:
    return lesson_of(session.game.name, session.header.mark.removeprefix("lesson:")).side


def take(lesson: Lesson, session: Session, number: int, step: Step, order: tuple[str, str]) -> None:
    """One step of the learner: it must be asked for, legal, and bring what the words say."""
    game, me, where = session.game, session.game.side_named(lesson.side), f"step {number}: {order}"
    assert me in session.state.waiting, f"{where}: {session.state.waiting} owe a decision"
    decision = type(game.decision(session.state)).__name__
    assert step.at in ("", decision), f"{where}: asked at {decision}, not at {step.at}"
    assert (refusal := game.why(session.state, me, order)) is None, f"{where}: {refusal}"
    since = len(session.entries)
    session.act(me, order)
    let_others(lesson, session)
    events = happened(session, since)
    for wanted in step.happens:
        assert any(fits(wanted, event, game.sides) for event in events), f"{where}: no {wanted} in {events}"


def test_it_plays_as_it_is_told(lesson: Lesson) -> None:
    session = begin(lesson)
    let_others(lesson, session)
    seen: dict[str, Any] = {}
    for number, step in enumerate(lesson.steps, 1):
        seen = session.game.view(session.state, session.game.side_named(lesson.side))
        for point in step.point:
            check_point(point, session, seen, f"step {number}")
        if step.do is not None:
            assert progress(lesson, session) == (number - 1, 0, 0)
            take(lesson, session, number, step, step.do)
    assert progress(lesson, session) == (len(lesson.steps), 0, 0)
    for side, orders in lesson.they.items():
        done = [entry.action for entry in session.entries if entry.side == session.game.side_named(side)]
        assert tuple(done) == orders, f"{side} has orders that are never asked for"


def check_point(point: str, session: Session, view: dict[str, Any], where: str) -> None:
    """What is pointed at is there, as the learner sees it."""
    kind, _, noun = point.partition(" ")
    if kind == "piece":
        assert noun in {piece["id"] for piece in view["pieces"]}, f"{where}: no piece {noun}"
    elif kind == "hex":
        assert any(noun in document.get("hexes", {}) for document in maps(session.game.name)), f"{where}: no hex {noun}"
    elif kind == "area":
        assert any(noun in document.get("areas", {}) for document in maps(session.game.name)), f"{where}: no area"
    elif kind == "action":
        game, s = session.game, session.state
        orders = {" ".join(order).strip() for side in s.waiting for order in game.orders(s, side)}
        assert any(order == noun or order.startswith(f"{noun} ") for order in orders), f"{where}: no action {noun}"


def maps(game: str) -> list[dict[str, Any]]:
    found: dict[str, Any] = json.loads(gzip.decompress(maps_of(game).body))["maps"]
    return [document for document in found.values() if "hexes" in document or "areas" in document]


def test_what_is_as_good_leads_on_as_well(lesson: Lesson) -> None:
    for number, step in enumerate(lesson.steps):
        for order in step.also:
            session = play(lesson, number)
            take(lesson, session, number + 1, step, order)
            for later, after in enumerate(lesson.steps[number + 1 :], number + 2):
                if after.do is not None:
                    take(lesson, session, later, after, after.do)


def test_it_says_one_thing_at_a_time_in_both_languages(lesson: Lesson) -> None:
    known = rulebook(lesson.game)
    for number, step in enumerate(lesson.steps, 1):
        for words in (step.says, step.others):
            assert not words or is_translated(words["en"], words["fr"]), number
            for lang, text in words.items():
                assert 0 < len(text) <= LONGEST, f"{number} {lang}: {len(text)} letters"
                assert not re.search(r"\{|\}|_|  ", text), f"{number} {lang}: raw: {text}"
                assert text[-1] in ".!?)»”", f"{number} {lang}: {text}"
            assert not re.search(r"[^\s\u00a0][:;!?»](?=\s|$)", words.get("fr", "")), f"{number}: spaces in French"
        assert step.rule in known, f"step {number}: no rule {step.rule!r}"
        assert step.do is None or step.others or step.also, f"step {number} does not say why not otherwise"
    assert set(lesson.titles) == set(lesson.abouts) == set(LANGUAGES)
    assert lesson.level in offered(lesson.game, lesson.scenario)
    assert lesson.side in find_game(lesson.game).sides


def test_who_leaves_the_way_is_told_where_and_can_come_back(lesson: Lesson) -> None:
    session, left = play(lesson, 0), 0
    me = session.game.side_named(lesson.side)
    for number, step in enumerate(lesson.steps):
        others = [order for order in session.game.orders(session.state, me) if order not in step.orders]
        if step.do is not None and others:
            twin = play(lesson, number)
            twin.act(me, others[0])
            assert progress(lesson, twin) == (number, len(twin.entries), number)
            assert all(answer_of(lesson, twin, side) is None for side in twin.state.waiting if side != me)
            if twin.can_undo(me):
                twin.undo(me)
                assert progress(lesson, twin) == (number, 0, 0)
            left += 1
            if left == 3:
                return
        session = play(lesson, number + 1)
    assert left


def test_dice_that_no_longer_fit_are_noticed_and_others_can_be_sought() -> None:
    lesson = lesson_of("picket", "first")
    assert comes_true(lesson)
    other = replace(lesson, seed="ford-1")
    assert not comes_true(other)
    assert seek(other, 16) == lesson.seed
