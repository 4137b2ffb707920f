"""What stopped people who cannot see the map, or have a phone: said and measured as they would meet it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.test_by_ear import next_decision, seated, to_the_list
from tests.browser.test_report import PHONE
from tests.browser.test_teaching import FIRST, learn, step_of

SMALL = """() => [...document.querySelectorAll('button, a, summary, input, select')].flatMap((e) => {
  const box = ((e.tagName === 'INPUT' && e.closest('label')) || e).getBoundingClientRect();
  const hidden = !box.width || e.matches('.rule-link') || e.closest('.unseen, .skip, svg');
  return hidden || (box.width >= 40 && box.height >= 40) ? [] : [`${e.tagName} ${e.className} ${e.innerText}`] })"""
WIDE = "() => document.documentElement.scrollWidth - innerWidth"
COVERED = """() => { const tools = document.querySelector('.tools').getBoundingClientRect();
  return tools.height > tools.width || tools.height > 60 }"""


@pytest.mark.parametrize("game", ["surrender", "normandie", "blitzkrieg"])
def test_on_a_phone_in_french_nothing_is_cut_and_a_finger_hits_everything(visit: Visit, game: str) -> None:
    person = visit(locale="fr-FR", **PHONE)
    seated(person, game)
    for _ in range(3):
        next_decision(person)
        assert person.page.evaluate(SMALL) == []
        assert person.page.evaluate(WIDE) <= 0
        assert not person.page.evaluate(COVERED), "the tools are a row at the edge, not a column over the front"
        button = person.page.locator(".buttons .choice").first
        button.tap()
        person.settled()


def test_on_a_phone_a_new_question_begins_at_its_top(visit: Visit) -> None:
    person = visit(locale="fr-FR", **PHONE)
    seated(person, "surrender")
    next_decision(person)
    person.page.locator(".all-actions summary").tap()
    person.page.evaluate("() => document.querySelector('.side').scrollTo({ top: 400 })")
    assert person.page.evaluate("document.querySelector('.side').scrollTop") > 0
    person.page.locator(".all-actions [data-listed='done']").evaluate("e => e.click()")
    person.wait_text(".phase-text", "Opérations")
    next_decision(person)
    assert person.page.evaluate("document.querySelector('.side').scrollTop") == 0


NOTE = """() => { window.heard = []; const live = document.querySelector('.live');
  new MutationObserver(() => window.heard.push(live.innerText)).observe(live, {childList: true, characterData: true,
  subtree: true}) }"""
RULE_ID = re.compile(r"\((activation|strategic-move|[a-z]+-[a-z-]+)\)")


def heard(person: Person) -> list[Any]:
    """What the page has said since it was last asked."""
    found: list[Any] = person.page.evaluate("() => window.heard.splice(0)")
    return found


def test_by_ear_looking_says_what_would_be_done_and_the_enemys_part_is_summed_up(visit: Visit) -> None:
    person = visit()
    seated(person, "surrender")
    next_decision(person)
    assert "units 6, other choices 1" in person.text(".live"), "no empty kinds of choices"
    person.page.evaluate(NOTE)
    keys = person.page.keyboard
    to_the_list(person)
    keys.press("Enter")
    person.wait_text(".phase-text", "Operations")
    next_decision(person)
    person.page.evaluate("document.getElementById('board').focus()")
    keys.press("n")
    keys.press("Enter")
    person.wait_text(".live", "Enter again: Activate")
    keys.press("Enter")
    person.wait_text(".live", "is activated.")
    for _ in range(2):  # stop, and the end of our part
        next_decision(person)
        to_the_list(person)
        keys.press("Enter")
        person.page.wait_for_timeout(300)
    next_decision(person)
    said = heard(person)
    assert not [one for one in said if RULE_ID.search(one)], "rules have titles; their ids are not spoken"
    asked = person.text(".phase-text")
    assert said[-1].endswith(asked), (said, asked)


@pytest.mark.parametrize("game", ["surrender", "blitzkrieg"])
def test_by_keys_the_next_target_is_reached_from_wherever_one_reads(visit: Visit, game: str) -> None:
    person = visit()
    seated(person, game)
    next_decision(person)
    person.page.locator(".briefing .choice").focus()
    person.page.keyboard.press("Enter")
    person.gone(".briefing")
    person.page.locator("#panel").focus()
    person.page.evaluate(NOTE)
    person.page.keyboard.press("n")
    person.page.wait_for_function("() => document.activeElement.id === 'board'")
    for _ in range(200):
        if heard(person):
            return
        person.page.wait_for_timeout(50)
    raise AssertionError("the next target is not told")


def test_by_ear_what_is_taken_in_the_hand_is_said(visit: Visit) -> None:
    person = visit(locale="fr-FR")
    seated(person, "blitzkrieg")
    next_decision(person)
    to_the_list(person)
    name = person.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name.startswith("Prendre ")
    person.page.keyboard.press("Enter")
    person.wait_text(".live", name)


SQUEEZED = """() => [...document.querySelectorAll('.side > *')].filter((e) => e.scrollHeight > e.clientHeight + 2 &&
  getComputedStyle(e).overflowY !== 'visible').map((e) => e.className)"""


def test_on_a_phone_a_lesson_squeezes_nothing_and_no_ring_lies_under_the_tools(visit: Visit) -> None:
    person = visit(locale="fr-FR", **PHONE)
    learn(person, FIRST, step_of(FIRST, "fight 0405"))
    person.page.locator(".coach-show").tap()
    person.wait(".coach-show:enabled")
    assert person.page.evaluate(SQUEEZED) == []
    learn(person, FIRST, step_of(FIRST, "move red-foot-1"))
    person.wait("[data-coach]")
    person.page.wait_for_timeout(600)
    ring, tools = (person.page.locator(css).first.bounding_box() for css in ("[data-coach]", ".tools"))
    assert ring is not None
    assert tools is not None
    assert ring["y"] + ring["height"] / 2 < tools["y"] or ring["x"] + ring["width"] / 2 < tools["x"]


def test_by_ear_zones_are_reached_and_towns_typed_by_name(visit: Visit) -> None:
    person = visit(locale="fr-FR")
    seated(person, "normandie")
    next_decision(person)
    said = person.text(".live")
    assert "Qui tient quoi" in said, said
    assert "Vos unités au contact" in said, said
    person.page.evaluate("document.getElementById('board').focus()")
    person.page.keyboard.press("n")
    person.wait_text(".live", "Interdire la zone")
    person.type("voir cherbourg")
    person.wait_text(".live", "contrôle : Allemands")
    person.act("interdire cherbourg")
    person.page.keyboard.press("Escape")


def test_from_the_chances_to_the_whole_tally(visit: Visit) -> None:
    person = visit()
    seated(person, "surrender")
    next_decision(person)
    for line in ("done", "activate kleist", "assault dunkirk"):
        person.act(line)
    person.page.locator(".weighed-sentence .why-odds").click()
    person.wait(".odds .rule-link, dialog .rule-link")
