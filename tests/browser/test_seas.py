"""Blocks in the West over water and in the air: the seas laid over the map, and a raid flown by clicks."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

from tests.browser.conftest import Visit

LAID = {"sea-atlantic": True, "sea-mediterranean": True, "channel": True}


def sit_down(visit: Visit, lang: str) -> Any:
    """The British seat of the Battle of England, all blocks open, the seas laid out."""
    person = visit(locale="fr-FR" if lang == "fr" else "en-GB")
    table, _ = person.open_table(
        game="bitw", scenario="SBW5", options={"fog": "off"}, seats={"axis": "ai:random", "allies": "me"}
    )
    person.page.add_init_script(f"localStorage.setItem('grognard.overlays', {json.dumps(json.dumps(LAID))})")
    person.sit(table)
    return person


def picture(person: Any, name: str) -> None:
    """A look at the page, where somebody asked for pictures."""
    folder = os.environ.get("GROGNARD_PICTURES")
    if folder:
        person.page.screenshot(path=f"{folder}/{name}.png")


@pytest.mark.parametrize(("lang", "sea", "channel"), [("en", "Atlantic", "Channel"), ("fr", "Atlantique", "Manche")])
def test_the_seas_have_names_borders_and_who_sails_them(visit: Visit, lang: str, sea: str, channel: str) -> None:
    person = sit_down(visit, lang)
    person.wait("[data-overlay='sea-atlantic'] .laid-edge", state="attached")
    words = [w.strip() for w in person.page.locator(".overlay-word").all_text_contents()]
    assert {sea, channel} <= set(words)
    legend = person.text(".legend")
    assert all(word in legend for word in (sea, channel, "ports", "submarines" if lang == "en" else "sous-marins"))
    picture(person, f"seas-{lang}")


def test_a_raid_is_flown_by_clicks(visit: Visit) -> None:
    person = sit_down(visit, "en")
    dice = random.Random(1)
    person.wait(".phase.mine")
    seen: list[str | None] = []
    for _ in range(12):
        if person.count(".buttons [data-action^='launch']"):
            picture(person, "raid-before-launch")
            person.page.locator(".buttons [data-action^='launch']").first.click()
            person.settled()
            break
        seen.append(person.one_click_action(dice))
        picture(person, f"raid-{len(seen)}")
    else:
        raise AssertionError(f"no raid was launched: {seen}")
    person.gone(".buttons [data-action^='launch']")
    person.page.get_by_role("tab", name="Log").click()
    person.wait_text(".panel", "raid")
    picture(person, "raid-after")
