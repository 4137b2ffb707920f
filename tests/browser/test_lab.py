"""The designer's page with the mouse alone: balance with luck, report and pictures, history, a data set, a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import Visit
from tests.browser.test_every_page import assert_plain
from tests.browser.test_honesty import assert_accessible
from tests.server.harness import Server


@pytest.fixture
def lab(client_is_built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server with a laboratory."""
    monkeypatch.setenv("GROGNARD_LAB", str(tmp_path / "lab"))
    server = Server(f"sqlite:///{tmp_path}/tables.db", tmp_path)
    server.start()
    yield server
    server.stop()


def slow(page: Page) -> None:
    """Every count looks as if it had just begun, until this is taken away: a fast one is over before it is seen."""

    def begun(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"games": 0, "running": True})

    page.route("**/api/lab/*", lambda route: begun(route) if route.request.method == "GET" else route.continue_())


def test_balance_luck_report_and_pictures(visit: Visit, lab: Server, tmp_path: Path) -> None:
    person = visit(lab.address, locale="fr-FR")
    page = person.page
    person.go("/lab")
    page.get_by_label("Si un scénario est équilibré").check()
    page.locator("select[name=game]").select_option("picket")
    page.locator("select[name=level]").select_option("random")
    page.locator("input[name=games]").fill("30")
    page.get_by_label("Noter ce que les dés").check()
    slow(page)
    page.get_by_role("button", name="Lancer").click()
    page.locator(".lab-result progress").wait_for()  # it tells how far it is
    page.unroute("**/api/lab/*")
    page.get_by_text("30 parties,").wait_for()
    assert page.locator(".lab-result svg.lab-interval").get_attribute("aria-label").startswith("Rouge")
    page.get_by_role("region", name="Ce qu’ont donné les dés").wait_for()
    page.get_by_text("Rapport et images").click()
    picture = page.locator(".lab-papers img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.lab-papers img').naturalWidth > 100")
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as got:
            page.locator(".lab-papers figcaption a", has_text=kind).first.click()
        assert Path(got.value.path()).read_bytes().startswith(start)
    course = page.locator(".lab-course svg").get_attribute("aria-label")
    assert course.startswith("Rouge après 30")
    assert "," in course  # numbers as French writes them
    for words, start in (("Garder le rapport", b"<!doctype html>"), ("Une ligne par partie (.csv)", b"run,pair,")):
        with page.expect_download() as got:
            page.locator(".lab-papers").get_by_role("link", name=words).click()
        assert Path(got.value.path()).read_bytes().startswith(start)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Le rapport entier").click()
    opened.value.get_by_role("heading", name="Rapport du laboratoire").wait_for()
    opened.value.close()
    assert_accessible(person, "lab")
    assert_plain(person, "lab")
    page.screenshot(path=tmp_path / "lab.png", full_page=True)
    page.get_by_text("Les parties").click()
    page.get_by_role("button", name="La regarder").first.click()
    page.wait_for_url("**/g/*")


def test_a_rule_tried_both_ways(visit: Visit, lab: Server, tmp_path: Path) -> None:
    person = visit(lab.address)
    page = person.page
    person.go("/lab")
    page.locator("select[name=game]").select_option("picket")
    page.locator("select[name=level]").select_option("random")
    page.locator("input[name=worth]").fill("20")
    page.locator("input[name=most]").fill("64")
    page.get_by_role("button", name="Run").click()
    page.get_by_text("64 of at most 64 pairs").wait_for()
    assert "no difference worth 20 points" in page.locator(".lab-result .hint").inner_text()
    assert page.locator(".lab-course .lab-band").count() == 1
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="One report of them all").click()
    opened.value.get_by_role("heading", name="Report of the laboratory").wait_for()
    opened.value.close()
    assert_plain(person, "lab")
    page.screenshot(path=tmp_path / "rule.png", full_page=True)
    page.get_by_text("The games").click()
    page.get_by_role("button", name="Look at it").first.click()
    page.wait_for_url("**/g/*")


def test_history_beside_a_scenario(visit: Visit, lab: Server, tmp_path: Path) -> None:
    person = visit(lab.address)
    page = person.page
    person.go("/lab")
    page.get_by_label("Whether a scenario is fair").check()
    page.locator("select[name=game]").select_option("bitw")
    page.locator("select[name=scenario]").select_option("SBW1")
    page.locator("select[name=level]").select_option("random")
    page.locator("input[name=games]").fill("3")
    page.get_by_role("button", name="Run").click()
    table = page.get_by_role("region", name="Beside history")
    table.wait_for()
    page.get_by_text("3 games,").wait_for()
    assert table.locator("tbody tr").count() > 1
    assert_plain(person, "lab")
    page.screenshot(path=tmp_path / "history.png", full_page=True)


def test_a_data_set(visit: Visit, lab: Server, tmp_path: Path) -> None:
    person = visit(lab.address)
    page = person.page
    person.go("/lab")
    page.get_by_label("I want data").check()
    page.locator("select[name=game]").select_option("picket")
    page.locator("select[name=level]").select_option("random")
    page.locator("input[name=games]").fill("40")
    page.get_by_role("button", name="Run").click()
    link = page.get_by_role("link", name="picket-crossing-random-40.jsonl")
    link.wait_for()
    with page.expect_download() as got:
        link.click()
    assert Path(got.value.path()).read_text("utf-8").startswith('{"layout"')
    page.screenshot(path=tmp_path / "data.png", full_page=True)
