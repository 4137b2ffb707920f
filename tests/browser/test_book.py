"""The rulebook in the browser: chapters, search, addresses of rules, and the way there from a table."""

from __future__ import annotations

import re

import pytest

from grognard.kernel.chapters import chapters
from grognard.kernel.rulebook import rulebook
from grognard.teach.figures import figures
from tests.browser.conftest import Visit
from tests.browser.test_honesty import assert_accessible
from tests.browser.test_telling import PHONE


def printed(text: str) -> str:
    """As the page sets it: with the apostrophe of printers, and no line broken before a colon."""
    return re.sub(r" (?=[:;!?%»])", "\u00a0", text.replace("'", "’"))


@pytest.mark.parametrize(("locale", "screen"), [("en-GB", {}), ("fr-FR", PHONE)], ids=["desktop", "phone"])
def test_the_book_has_chapters_a_search_and_addresses(visit: Visit, locale: str, screen: dict[str, object]) -> None:
    person, lang = visit(locale=locale, **screen), locale[:2]
    person.go("/rules/bitw#7.5a")
    person.wait(".book-rule.targeted")
    assert printed(rulebook("bitw")["7.5a"].in_language(lang)[0]) in person.text(".book-rule.targeted h3")
    assert person.page.evaluate("document.activeElement.id") == "7.5a"
    titles = [printed(chapter.in_language(lang)) for chapter in chapters("bitw")]
    assert person.page.locator(".book-chapters a").count() == len(titles)
    assert person.page.locator(".book-text section > h2").first.inner_text().startswith(titles[0])
    for figure in figures("bitw"):  # each picture stands under its first rule, and is read out as its sentence
        person.wait(f"#figure-{figure.name} svg[role=img] .piece-face")
        said = printed(figure.words(lang)[1])[:30]
        assert said in person.text(f"article[id='{figure.rules[0]}'] #figure-{figure.name} figcaption")
        assert person.page.get_by_role("img", name=said).count() == 1
    word = "ravitaillement" if lang == "fr" else "supply"
    person.page.fill(".book-search input", word)
    person.wait(".book-rule mark")
    hits = sum(1 for rule in rulebook("bitw").values() if word in " ".join((rule.id, *rule.in_language(lang))).lower())
    assert person.count(".book-rule") == hits
    person.page.fill(".book-search input", "")
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if lang == "en":
        assert_accessible(person, "rulebook")


def test_a_refusal_leads_to_its_rule_in_the_book(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    person.type("why pledge 9")
    person.wait(".trouble .rule-link")
    person.page.click(".trouble .rule-link")
    person.wait(".dialog .rule-where")
    person.page.keyboard.press("Escape")
    person.type("rule 4.4")
    person.wait(".dialog .case svg .piece-face")
    person.page.keyboard.press("Escape")
    person.page.click(".trouble .rule-link")
    person.wait(".dialog .rule-where")
    with person.page.context.expect_page() as opened:
        person.page.click(".dialog a[target=_blank]")
    book = opened.value
    book.wait_for_selector(".book-rule.targeted")
    assert book.url.endswith("/rules/picket#3.1")
    assert "Pledging orders" in book.inner_text(".book-rule.targeted")
