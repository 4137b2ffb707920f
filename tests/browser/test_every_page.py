"""Every page and title: no serious accessibility finding, light and dark; no raw word, no console error."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.people import HEADERS, Person
from tests.browser.test_by_ear import RAW, SHORT, next_decision
from tests.browser.test_honesty import assert_accessible

PAGES = [("/", ".card"), ("/lab", "main"), ("/ratings", "main"), ("/join", "main"), ("/reset", "main")]


def assert_plain(person: Person, where: str) -> None:
    """Nothing that only programs should read."""
    found = RAW.search(person.text("body"))
    assert not found, (where, person.text("body")[max(0, found.start() - 60) : found.end() + 60])


@pytest.mark.parametrize(("scheme", "locale"), [("light", "fr-FR"), ("dark", "en-GB")], ids=["light", "dark"])
def test_pages_beside_the_tables(visit: Visit, scheme: str, locale: str) -> None:
    person = visit(color_scheme=scheme, locale=locale)
    for path, ready in PAGES:
        person.go(path)
        person.wait(ready)
        assert_accessible(person, f"{scheme} {path}")
        assert_plain(person, path)


@pytest.mark.parametrize("game", SHORT)
def test_a_table_of_every_title(visit: Visit, game: str) -> None:
    """One title light and in English, the next dark and in French: over all of them each pair is seen."""
    odd = list(SHORT).index(game) % 2
    person = visit(color_scheme="dark" if odd else "light", locale="en-GB" if odd else "fr-FR")
    scenario, seats = SHORT[game]
    table, _ = person.open_table(game=game, scenario=scenario, seats=seats)
    person.sit(table)
    next_decision(person)
    assert_accessible(person, f"{game} table")
    for tab in ("log", "status", "table", "choices"):
        person.page.click(f"#tab-{tab}")
        person.wait(f".panel-{tab}")
        assert_plain(person, f"{game} {tab}")
    person.page.emulate_media(color_scheme="light" if odd else "dark")
    person.page.click("#tab-status")
    assert_accessible(person, f"{game} situation, the other scheme")
    side = next(name for name, seat in seats.items() if seat == "me")
    answer = person.page.request.post(
        f"{person.address}/api/tables/{table}/resign", data={"side": side}, headers=HEADERS
    )
    assert answer.ok, answer.text()
    person.wait(".game-over a[href$='/report']")
    assert_accessible(person, f"{game} over")
    assert_plain(person, f"{game} over")
    person.go(f"/new?game={game}")
    person.wait("form")
    assert_accessible(person, f"{game} new")
    assert_plain(person, f"{game} new")
