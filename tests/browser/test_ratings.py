"""A rated game from the form to the ladder, in a real browser."""

from __future__ import annotations

from tests.browser.conftest import Visit
from tests.browser.people import HEADERS


def test_a_game_is_rated_by_a_tick_and_the_ladder_shows_it(visit: Visit) -> None:
    person = visit(locale="fr-FR")
    page = person.page

    def post(path: str, body: dict[str, str]) -> None:
        assert page.request.post(f"{person.address}{path}", data=body, headers=HEADERS).ok

    page.request.get(f"{person.address}/api/me")
    post("/api/account", {"name": "Joueuse", "password": "a good password"})
    person.go("/new?game=picket")
    page.get_by_label("Classée : compte").check()
    page.locator("button[type=submit]").click()
    page.wait_for_url("**/g/*")
    table = page.url.rsplit("/", 1)[1].split("?")[0]
    post(f"/api/tables/{table}/resign", {"side": "red"})
    person.go("/")
    page.get_by_role("link", name="Classement").click()
    row = page.get_by_role("row").filter(has_text="Joueuse")
    row.wait_for()
    assert int(row.locator("td").first.inner_text().split()[0]) < 1500
    assert page.get_by_role("row").filter(has_text="1500").count() == 0
