"""Coming in: the first page opens what it shows, tells what is new; the table says in words what others see."""

from __future__ import annotations

import pytest

from grognard.games import playable_names
from grognard.kernel.texts import texts_for
from tests.browser.conftest import Visit
from tests.browser.people import HEADERS


@pytest.mark.parametrize("game", playable_names())
def test_a_card_opens_what_it_names(visit: Visit, game: str) -> None:
    person = visit(locale="fr-FR")
    person.go("/")
    person.wait(f".card[data-game={game}] .opens")
    named = person.text(f".card[data-game={game}] .opens")
    assert person.count(f".card[data-game={game}] .learn") == 1
    person.page.click(f".card[data-game={game}] .choice")
    person.wait(".frame")
    table = person.table()
    title = texts_for(game, "fr").find(f"scenario.{table['scenario']}") or ""
    assert named.split(" · ")[0].replace("\u00a0", " ") in title
    side = table["mine"][0]
    assert texts_for(game, "fr").say(f"side.{side}") in named
    heard = person.page.wait_for_function(  # what the others do may be told before and after it
        "() => { const said = document.querySelector('.live').textContent; return said.includes('Vous jouez') && said }"
    )
    told = str(heard.json_value()).replace("\u00a0", " ")
    assert "Vos unités" in told
    goals = texts_for(game, "fr")
    goal = goals.find(f"briefing.{table['scenario']}.goal.{side}") or goals.find(f"briefing.{table['scenario']}.goal")
    assert goal is not None
    assert goal in told, "the goal is spoken"
    person.page.click("#tab-status")
    assert "Vos unités" in person.text(".overview")


def test_the_first_page_counts_what_is_new(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(seats={"red": "me", "blue": "me"})
    person.sit(table, "?as=red")
    person.wait(".phase.mine, .curtain")
    person.page.wait_for_timeout(300)
    person.go("/")
    person.wait(".tables li")
    assert not person.count(".unread")
    for side in ("red", "blue"):
        here = f"{person.address}/api/tables/{table}"
        version = person.page.request.get(here).json()["version"]
        act = {"side": side, "verb": "pledge", "target": "0", "version": version}
        assert person.page.request.post(f"{here}/act", data=act, headers=HEADERS).status == 200
    person.page.reload()
    person.wait(".tables .unread")
    assert person.text(".tables .unread") == "2 new"
