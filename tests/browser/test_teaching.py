"""Lessons in the browser: begun by one click, followed, left and taken up again; by mouse, finger and keyboard."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grognard.games import playable_names
from grognard.teach import Lesson, lesson_names, lesson_of
from tests.browser.conftest import Visit
from tests.browser.people import HEADERS, Person
from tests.browser.test_honesty import assert_accessible
from tests.browser.test_telling import PHONE, SMALL

FIRST = lesson_of("picket", "first")


def step_of(lesson: Lesson, order: str) -> int:
    """The first step that asks for an order."""
    return next(n for n, step in enumerate(lesson.steps) if step.do and " ".join(step.do).strip() == order)


def learn(person: Person, lesson: Lesson, step: int = 0) -> str:
    """A lesson opened at a step, as the page would."""
    person.page.request.get(f"{person.address}/api/me")
    order = {"game": lesson.game, "lesson": lesson.name, "step": step}
    answer = person.page.request.post(f"{person.address}/api/learn", data=order, headers=HEADERS)
    assert answer.status == 201, answer.text()
    table = str(answer.json()["id"])
    person.sit(table)
    person.wait(".coach")
    while person.count(".coach-next"):  # the words that come before
        person.page.click(".coach-next")
    return table


def said(person: Person, lesson: Lesson, step: int, lang: str = "en") -> None:
    """Wait until the coach says what belongs to a step."""
    words = lesson.steps[step].says[lang]
    person.wait_text(
        ".coach-says", words.split(" :")[0].split(" ?")[0].split(" ;")[0].split(" !")[0].split("'")[0][:60]
    )
    person.wait_text(".coach-at", f" {step + 1} ")


def pointed_at(person: Person, *places: str) -> None:
    """Wait until the coach points at these places of the map and no other."""
    person.page.wait_for_function(
        "wanted => JSON.stringify([...document.querySelectorAll('[data-coach]')].map(e => e.dataset.coach)) === wanted",
        arg=json.dumps(list(places), separators=(",", ":")),
    )


@pytest.mark.parametrize(("locale", "screen"), [("en-GB", {}), ("fr-FR", PHONE)], ids=["desktop", "phone"])
def test_one_click_begins_the_lesson_and_the_first_turn_is_played(visit: Visit, locale: str, screen: Any) -> None:
    person = visit(locale=locale, **screen)
    lang = locale[:2]
    person.go("/")
    person.wait(".welcome .learn")
    person.page.click(".welcome .learn")
    person.wait(".coach")
    assert not person.count(".briefing"), "one thing at a time"
    for number in range(3):
        said(person, FIRST, number, lang)
        person.page.click(".coach-next")
    said(person, FIRST, 3, lang)
    pointed_at(person)
    assert person.page.locator("[data-action='pledge 1']").evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    if screen:
        assert person.page.evaluate(SMALL) == []
    person.page.click("[data-action='pledge 1']")
    said(person, FIRST, 4, lang)
    person.page.click(".coach-back")  # no way back but by dealing the same dice anew
    said(person, FIRST, 3, lang)
    person.page.click(".coach-show")
    said(person, FIRST, 4, lang)
    person.page.click(".coach-next")
    guns = step_of(FIRST, "move red-guns-1")
    said(person, FIRST, guns, lang)
    pointed_at(person, "0402")
    person.click_twice(".pieces [data-piece='red-guns-1']")
    said(person, FIRST, guns + 1, lang)
    person.wait("[data-coach='0404']")
    person.click_twice("[data-target='0404'] .glow", 0.16)
    said(person, FIRST, guns + 2, lang)
    assert_accessible(person, "lesson")
    for number in range(guns + 3, step_of(FIRST, "done") + 1):
        person.page.click(".coach-show:enabled")
        said(person, FIRST, number, lang)
    person.page.click("[data-action='done']")
    said(person, FIRST, step_of(FIRST, "done") + 1, lang)
    person.wait(".report.newest")


def test_another_move_is_taken_with_good_grace(visit: Visit) -> None:
    person = visit()
    guns = step_of(FIRST, "move red-guns-1")
    learn(person, FIRST, guns)
    said(person, FIRST, guns)
    person.act("move red-horse-1")
    person.wait(".coach.astray")
    told = person.text(".coach-says")
    assert "allowed too" in told
    assert FIRST.steps[guns].others["en"] in told
    person.page.click(".coach footer .choice")
    said(person, FIRST, guns)
    assert not person.count(".coach.astray")
    person.act("move red-horse-1")
    person.page.click(".coach.astray footer button >> nth=1")
    person.wait(".coach.away")
    person.act("to 0204")
    person.page.click(".coach.away button")
    person.wait(".coach.astray")
    person.page.click(".coach footer .choice")  # undone one by one
    person.wait_text(".coach.astray footer .choice", "Take it back")
    person.page.reload()
    person.wait(".coach.astray")


def test_a_battle_is_taught_to_its_end_and_to_the_end_of_the_game(visit: Visit) -> None:
    person = visit()
    learn(person, FIRST, step_of(FIRST, "fight 0405"))
    for _ in range(len(FIRST.steps)):
        if person.page.locator(".coach .coach-next").count():
            person.page.click(".coach-next")
        elif person.page.locator(".coach .coach-show").count():
            person.page.click(".coach-show:enabled")
            person.settled()
        else:
            break
    said(person, FIRST, len(FIRST.steps) - 1)
    person.wait_text(".phase", "Victory")
    person.page.click(".coach footer .choice")
    person.page.wait_for_function("() => !document.querySelector('.coach') && document.querySelector('.briefing')")


def test_a_lesson_by_keyboard_is_spoken(visit: Visit) -> None:
    person = visit()
    guns = step_of(FIRST, "move red-guns-1")
    learn(person, FIRST, guns)
    assert person.page.locator(".coach-says").get_attribute("aria-live") == "polite"
    person.page.focus("#board")
    for _ in range(8):
        person.page.keyboard.press("n")
        if "1st Red Guns" in person.page.text_content(".live"):
            break
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Enter")
    said(person, FIRST, guns + 1)


@pytest.mark.parametrize(("locale", "screen"), [("en-GB", {}), ("fr-FR", PHONE)], ids=["desktop", "phone"])
def test_the_coach_is_the_first_stop_of_the_keyboard(visit: Visit, locale: str, screen: Any) -> None:
    """Before the bar, the map and its tools: from the top of the page to the button that goes on."""
    person = visit(locale=locale, **screen)
    person.page.request.get(f"{person.address}/api/me")
    order = {"game": FIRST.game, "lesson": FIRST.name, "step": 0}
    table = person.page.request.post(f"{person.address}/api/learn", data=order, headers=HEADERS).json()["id"]
    person.sit(str(table))
    person.wait(".coach")
    on = "() => document.activeElement.className"
    person.page.keyboard.press("Tab")
    assert "skip" in person.page.evaluate(on)
    person.page.keyboard.press("Enter")
    assert "coach-next" in person.page.evaluate(on)
    person.page.keyboard.press("Enter")
    said(person, FIRST, 1, locale[:2])
    person.page.click(".coach .close")
    person.page.focus(".skip")
    person.page.keyboard.press("Enter")
    assert person.page.evaluate("() => document.activeElement.closest('.coach.away') !== null"), "asked back"


def test_a_lesson_begun_is_offered_again(visit: Visit) -> None:
    person = visit()
    learn(person, FIRST, 3)
    table = learn(person, FIRST, 5)
    person.go("/")
    person.wait(".lessons-begun")
    assert person.page.locator(".lessons-begun a").evaluate_all("es => es.map(e => e.getAttribute('href'))") == [
        f"/g/{table}"
    ]
    assert not person.count(".tables li"), "lessons are no tables of one's own"


@pytest.mark.parametrize("game", [name for name in playable_names() if name != "picket"])
def test_every_title_has_a_lesson_that_begins(visit: Visit, game: str) -> None:
    """The first things that the coach asks for, done by its button; what it points at is on the screen."""
    person = visit(locale="fr-FR")
    lesson = lesson_of(game, lesson_names(game)[0])
    learn(person, lesson)
    asks = [number for number, step in enumerate(lesson.steps) if step.do is not None][:5]
    for number in asks:
        while person.count(".coach-next"):
            person.page.click(".coach-next")
        said(person, lesson, number, "fr")
        order = " ".join(lesson.steps[number].do or ()).strip()
        person.wait(f'[data-coach], .boxes[open] .box.can, [data-action="{order}"]', state="attached")
        person.page.click(".coach-show:enabled")
        person.page.wait_for_function(
            "n => !document.querySelector('.coach-at').textContent.includes(` ${n} `)", arg=number + 1
        )
    assert not person.count(".coach.astray")


def test_on_a_phone_the_next_words_of_the_coach_are_in_sight(visit: Visit) -> None:
    """Who scrolled down to a button is asked the same question again: what the coach says now lies above it."""
    person = visit(locale="fr-FR", **PHONE)
    lesson = lesson_of("surrender", "channel")
    number = step_of(lesson, "send de-lf2")
    learn(person, lesson, number)
    said(person, lesson, number, "fr")
    button = person.page.locator("[data-action='send de-lf2']")
    button.scroll_into_view_if_needed()
    person.page.wait_for_timeout(300)
    assert (person.page.locator(".coach-says").bounding_box() or {"y": 0})["y"] < 300, "one has scrolled"
    button.tap()
    said(person, lesson, number + 1, "fr")
    person.page.wait_for_function(
        "() => { const box = document.querySelector('.coach-says').getBoundingClientRect();"
        " const frame = document.querySelector('.frame').getBoundingClientRect();"
        " return box.top > frame.bottom && box.bottom < innerHeight }"
    )
