"""Fog on the wire, refusals with their rule, what survives a reload and a cut, replay, dice, language, weight."""

from __future__ import annotations

import json
import random
import re
from typing import Any

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.server.harness import ROOT, Server

AXE = ROOT / "client/node_modules/axe-core/axe.min.js"


def into_battle(person: Person) -> None:
    """Click on until a battle waits for this person; Red attacks at once in the raid."""
    dice = random.Random(3)
    for _ in range(300):
        if person.count(".battle .armies") and person.count(".phase.mine"):
            return
        if person.one_click_action(dice, foe="#") is None:
            person.page.wait_for_timeout(120)
    raise AssertionError(f"no battle came: {person.text('.phase')}")


def test_nothing_hidden_reaches_the_other_browser(visit: Visit) -> None:
    red, blue = visit(), visit()
    table, invitations = red.open_table(seats={"red": "me", "blue": "invited"})
    red.sit(table)
    blue.go(invitations["blue"])
    blue.page.click("main .choice")
    blue.wait(".frame")
    red.page.click("[data-action='pledge 1']")
    red.wait_text(".phase-head", "Blue must decide")
    assert not any("pledge" in text and '"orders": 1' in text for text in blue.heard)
    blue.page.click("[data-action='pledge 0']")
    blue.wait(".pieces .piece.can, .phase:not(.mine)")
    for mover in (red, blue):
        if mover.count(".phase.mine"):
            mover.type("done")
            mover.page.wait_for_timeout(300)
    for person, foe in ((red, "blue"), (blue, "red")):
        told = "\n".join(person.heard + [text for url, text in person.bodies if "/view" in url or url.endswith(table)])
        assert len(told) > 500
        for secret in (f"{foe}-foot", f"{foe}-horse", f"{foe}-guns"):
            assert secret not in told, f"{secret} reached the other side"
        for message in map(json.loads, person.heard):
            for piece in message.get("view", message).get("pieces", []):
                if piece["side"] == foe:
                    assert set(piece) & {"kind", "steps", "full", "points"} == set()
                    assert piece["id"].startswith("#")


def test_a_refusal_names_its_rule_and_opens_it(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    person.page.click("[data-action='pledge 0']")
    person.wait(".pieces .piece.can")
    person.click_at(".pieces [data-piece^='#']")
    person.wait(".glass")
    assert not person.count(".trouble"), "the first click only looks"
    person.click_at(".pieces [data-piece^='#']")
    person.wait(".trouble .rule-link")
    assert "enemy" in person.text(".trouble")
    person.page.click(".trouble .rule-link")
    person.wait("dialog[open] .rule-text")
    assert len(person.text("dialog .rule-text")) > 20
    person.page.keyboard.press("Escape")
    person.gone("dialog")
    person.type("why to 0909")
    person.wait(".trouble .rule-link")


def test_a_reload_in_mid_battle_finds_everything_again(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    into_battle(person)
    version, phase = person.version(), person.text(".phase-words")
    pieces = sorted(person.page.locator(".army-pieces > svg").evaluate_all("es => es.map(e => e.ariaLabel)"))
    dice = person.count(".roll .die")
    assert dice > 0
    person.page.reload()
    person.wait(".battle .armies")
    assert person.version() == version
    assert person.text(".phase-words") == phase
    assert sorted(person.page.locator(".army-pieces > svg").evaluate_all("es => es.map(e => e.ariaLabel)")) == pieces
    assert person.count(".roll .die") == dice
    assert person.one_click_action(random.Random(1)) is not None


def test_a_cut_connection_heals_by_itself(visit: Visit, own_server: Server) -> None:
    person = visit(own_server.address)
    table, _ = person.open_table()
    person.sit(table)
    person.page.click("[data-action='pledge 0']")
    person.wait(".pieces .piece.can")
    version = person.version()
    own_server.kill()
    person.wait(".offline")
    own_server.start()
    person.gone(".offline")
    assert person.version() == version
    person.act("move red-foot-1")
    person.wait("[data-target]")
    assert person.version() == version + 1


def test_odds_open_into_bars(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table(options={"fog": "off"})
    person.sit(table)
    dice = random.Random(5)
    for _ in range(300):
        legal = person.page.locator("[data-target]").evaluate_all("es => es.map(e => e.dataset.target)")
        if "battle to fight" in person.text(".phase-text") and person.count(".phase.mine") and legal:
            break
        if person.one_click_action(dice, foe="blue-") is None:
            person.page.wait_for_timeout(100)
    assert legal, person.text(".phase")
    person.wait(".chances, [data-target]")
    person.bring_to_sight(legal[0])
    person.click_at(f"[data-target='{legal[0]}'] .glow", 0.16)
    person.wait(".glass .chances .chance")
    assert re.search(r"Red −\d", person.text(".glass .chances")), person.text(".glass")
    person.page.click(".glass .chances")
    person.wait(".odds .bars")
    assert "%" in person.text(".odds .bar-share")
    assert "Exact" in person.text(".odds")


def test_replay_steps_through_the_game_and_its_link_is_stable(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    person.page.click("[data-action='pledge 0']")
    person.wait(".pieces .piece.can")
    person.act("move red-foot-1")
    person.page.click("#tab-log")
    person.page.locator(".line-number").first.click()
    person.wait(".replay")
    assert not person.count(".piece.can"), "nothing can be done in the past"
    link = str(person.page.locator("[data-link]").get_attribute("data-link"))
    assert re.search(rf"/g/{table}\?at=\d+&as=red$", link)
    assert person.page.url == link
    first = person.text(".replay-at")
    person.page.click(".replay [aria-label=Next]")
    person.page.wait_for_function("t => document.querySelector('.replay-at').textContent !== t", arg=first)
    person.page.goto(link)
    person.wait(".replay")
    assert person.text(".replay-at") == first
    person.page.click(".replay .play")
    person.page.wait_for_function("t => document.querySelector('.replay-at').textContent !== t", arg=first)
    person.page.click(".replay > .choice")
    person.gone(".replay")
    person.wait("[data-target]")
    stranger = visit()
    stranger.page.goto(link)
    stranger.wait_text(".failed, .trouble", "seat")


def test_french_at_any_moment(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    assert "Your decision" in person.text(".phase")
    person.page.click(".language [lang=fr]")
    person.wait_text(".phase-head", "À vous de décider")
    person.wait_text(".phase-text", "ordres")
    person.page.click("[data-action='pledge 0']")
    person.wait_text(".buttons", "Finir")
    person.page.keyboard.press("2")
    person.wait_text(".log", "tour")
    assert person.page.evaluate("document.documentElement.lang") == "fr"
    person.page.click("#tab-status")
    person.page.click(".language [lang=en]")
    person.wait_text(".phase-head", "Your decision")


def test_the_end_reveals_the_seed_and_verifies_the_dice(visit: Visit) -> None:
    person = visit()
    table, _ = person.open_table()
    person.sit(table)
    person.page.click("[data-action='pledge 0']")
    person.wait(".pieces .piece.can")
    person.page.click("#tab-table")
    person.page.get_by_role("button", name="Resign").click()
    person.page.get_by_role("button", name="Yes").click()
    person.wait(".game-over")
    person.wait_text(".dice-proof", "Seed")
    person.page.locator(".dice-proof .choice").click()
    person.wait(".verdict.ok")
    person.page.locator(".game-over .choice").click()
    person.page.wait_for_url(lambda url: table not in url)
    person.wait("[data-action='pledge 0']")


def test_what_happened_since_one_last_looked(visit: Visit) -> None:
    red, blue = visit(), visit()
    table, invitations = red.open_table(seats={"red": "me", "blue": "invited"})
    red.sit(table)
    blue.go(invitations["blue"])
    blue.page.click("main .choice")
    blue.wait(".frame")
    red.page.click("[data-action='pledge 0']")
    red.wait_text(".phase-head", "Blue must decide")
    red.go("/")
    blue.page.click("[data-action='pledge 1']")
    blue.wait_text(".phase-text", "Move")
    red.sit(table)
    red.wait(".since")
    assert "pledges" in red.text(".since-lines")
    red.page.click(".since .choice")
    red.gone(".since")
    red.page.reload()
    red.wait(".frame")
    assert not red.count(".since")


def test_no_serious_accessibility_findings(visit: Visit) -> None:
    for scheme in ("light", "dark"):
        person = visit(color_scheme=scheme)
        table, _ = person.open_table()
        for path, ready in (
            ("/", ".card"),
            ("/new?game=picket", "form"),
            ("/rules/picket", ".book-rule"),
            (f"/g/{table}", ".frame"),
        ):
            person.go(path)
            person.wait(ready)
            assert_accessible(person, f"{scheme} {path}")
        for tab in ("log", "status", "table", "talk"):
            person.page.click(f"#tab-{tab}")
            assert_accessible(person, f"{scheme} table, {tab}")
        person.page.click(".phase .rule-link >> nth=0")
        person.wait("dialog")
        assert_accessible(person, f"{scheme} rule")


def assert_accessible(person: Person, where: str) -> None:
    person.page.evaluate(AXE.read_text("utf-8"))
    found: Any = person.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [
        f"{v['id']}: {v['help']}: {[n['html'][:160] for n in v['nodes'][:3]]}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert not serious, f"{where}: {serious}"


def test_the_first_load_is_light_and_asks_nobody_else(visit: Visit, server: Server) -> None:
    person = visit()
    table, _ = person.open_table()
    sizes: dict[str, int] = {}
    session = person.page.context.new_cdp_session(person.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}))
    person.sit(table)
    person.page.wait_for_timeout(1500)
    assert 20_000 < sum(sizes.values()) < 500_000, sizes
    assert person.hosts == {server.address.split("//")[1]}
