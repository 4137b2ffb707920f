"""Long lists of choices: narrowed by typing without accents, walked with the arrows, each row with its chances."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Visit
from tests.browser.people import Person, reached

ATTACKS = ("shoot", "fire", "overrun")


def listed(person: Person) -> None:
    """At a table where a tank has more to attack than buttons would show."""

    def many(session: Any, side: int, decision: str, orders: Any) -> bool:
        counts = [sum(verb == one for verb, _ in orders) for one in ATTACKS]
        return decision == "Act" and all(counts) and max(counts) <= 6 and sum(counts) > 8

    session, side = reached("blitzkrieg", "lesson lesson2", many, seeds=40)
    person.sit(person.lay(session, side))
    person.wait(".search-list li button")
    person.page.wait_for_function("() => document.querySelectorAll('.search-list li button').length > 8")


def rows(person: Person) -> list[str]:
    """What the list shows now."""
    found: list[str] = person.page.locator(".search-list li button").evaluate_all("es => es.map(e => e.dataset.action)")
    return found


def test_a_long_list_is_narrowed_by_typing_and_walked_with_the_arrows(visit: Visit) -> None:
    person = visit(locale="fr-FR")
    listed(person)
    page, field = person.page, person.page.locator(".search-list input")
    assert "Sur la carte" in person.text(".search-list .group-title"), "several verbs: none of them is the heading"
    everything = rows(person)
    field.fill("ECRASER")
    assert rows(person) == [one for one in everything if one.startswith("overrun")], "without accents, small or large"
    person.wait(".search-list li small")
    assert "%" in person.text(".search-list li small"), "the chances stand beside the choice"
    field.fill("zzz")
    assert not rows(person)
    assert "Rien" in person.text(".search-list .hint")
    field.fill("")
    field.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.action") == everything[0]
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.dataset.action") == everything[-1]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.dataset.action") == everything[0]
    before = person.version()
    page.keyboard.press("Enter")
    person.settled()
    assert person.version() > before
