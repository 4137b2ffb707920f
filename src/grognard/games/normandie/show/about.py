"""One hex, box or counter in words, and what people call the targets of actions."""

from __future__ import annotations

from functools import lru_cache

from ..rules.definitions import in_enemy_zoc
from ..state import NO_DEPOT, NO_UNIT
from ..state import NormandieState as S
from ..world import (
    AT,
    CODES,
    COUNT,
    COUNTERS,
    DEPOT_HEX,
    DEPOTS,
    HEXES,
    INDEX,
    IS_HQ,
    LAND,
    LAST_BOX,
    MAP,
    SETTLEMENT,
    TERRAIN,
    TERRAINS,
    TOWN_SIZE,
)
from .overlays import command_aid, stack_aid, supply_aid
from .screen import DEPOT_WORDS, Say, counter_text

SIZES = ("city", "town", "village", "hamlet")  # the larger place names a hex that has several


@lru_cache
def towns(lang: str) -> dict[str, str]:
    """What people call the hexes that have a place in them, by their printed number."""
    found: dict[str, str] = {}
    places = sorted(
        MAP["places"].values(), key=lambda p: SIZES.index(p["class"]) if p["class"] in SIZES else len(SIZES)
    )
    for place in places:
        for code in place["hexes"]:
            found.setdefault(code, place["name"].get(lang, place["name"]["en"]))
    return found


def target_noun(word: str, lang: str) -> str:
    """The town of a hex, if it has one."""
    return towns(lang).get(word, "")


def about_text(s: S, word: str, say: Say) -> str:
    """A hex or box (by number or name) or a counter (by id or name), in words."""
    counter = INDEX.get(word, -1)
    if counter < 0:
        alike = (u for u in range(COUNT) if say("screen.unit", unit=COUNTERS[u].id).casefold() == word.casefold())
        counter = next(alike, -1)
    if counter >= 0:
        return counter_report(s, counter, say)
    named = {name.casefold(): code for lang in ("en", "fr") for code, name in towns(lang).items()}
    place = AT.get(named.get(word.casefold(), word), -1)
    if place < 0 or place > LAST_BOX or (place < HEXES and not LAND[place]):
        return ""
    owner = say("screen.nobody") if not s.control[place] else say(f"side.{('allied', 'german')[s.control[place] - 1]}")
    if place < HEXES:
        ground = "town" if SETTLEMENT[place] == TOWN_SIZE else TERRAINS[TERRAIN[place]]
        zones = [
            say(f"side.{name}") for side, name in enumerate(("allied", "german")) if in_enemy_zoc(s, 1 - side, place)
        ]
        lines = [say("screen.hex", hex=CODES[place], terrain=say(f"screen.terrain-{ground}"), holder=owner)]
        lines += [say("screen.zones", sides=", ".join(zones))] if zones else []
    else:
        lines = [say("screen.box", box=CODES[place], holder=owner)]
    lines += [
        say("screen.weight", side=say(f"side.{row['side']}"), units=row["counters"], pe=row["pe"],
            limit=row["limit"], defence=row["defence"])
        for row in stack_aid(s, place)
    ]  # fmt: skip
    lines += [say("screen.marker-stock", number=s.offensive[place])] if s.offensive[place] else []
    lines += [
        say("screen.depot", depot=d.id, state=say(f"screen.{DEPOT_WORDS[s.depot[d.index]]}"))
        for d in DEPOTS
        if DEPOT_HEX[d.index] == place and s.depot[d.index] != NO_DEPOT
    ]
    return "\n".join(lines)


def counter_report(s: S, u: int, say: Say) -> str:
    """A counter: where it stands, its values and marks, its supply line, and whom a headquarters commands."""
    if s.place[u] > LAST_BOX:
        return say("screen.unit-off", unit=COUNTERS[u].id)
    lines = [say("screen.unit-at", counter=counter_text(s, u, say), hex=CODES[s.place[u]])]
    if s.place[u] < HEXES:
        line = supply_aid(s, u)
        lines.append(say("screen.supply", hexes=" - ".join(line)) if line else say("screen.no-supply"))
    if IS_HQ[u] and s.place[u] < HEXES:
        lines.append(say("screen.command", **command_aid(s, u)))
    elif s.boss[u] != NO_UNIT:
        lines.append(say("screen.boss", unit=COUNTERS[s.boss[u]].id))
    return "\n".join(lines)
