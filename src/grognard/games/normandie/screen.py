"""The terminal: the situation in text, and what there is to say of a hex, a box or a counter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from grognard.kernel.texts import texts_for

from .aids import aids_for, command_aid, stack_aid, supply_aid
from .rules.definitions import attack_of, defence_of, in_enemy_zoc
from .state import CLEAR_SKY, DESTROYED, NO_DEPOT
from .state import NormandieState as S
from .views import display_order, track
from .world import (
    AMERICAN,
    AT,
    BRITISH,
    CODES,
    COUNT,
    COUNTERS,
    DEPOT_HEX,
    DEPOTS,
    GERMANS,
    GROUP,
    HEXES,
    INDEX,
    IS_HQ,
    LAND,
    LAST_BOX,
    MAP,
    MOVE,
    RESERVE,
    REST_BOX,
    SETTLEMENT,
    STEPS,
    TERRAIN,
    TERRAINS,
    TOWN_SIZE,
)

Say = Callable[..., str]
SIZES = ("city", "town", "village", "hamlet")  # the larger place names a hex that has several
FORCES = {2: ("hb", "mb", "fb"), 1: ("cruisers", "destroyers")}  # by the signs + between their numbers
DEPOT_WORDS = ("", "building", "reduced", "full", "destroyed")


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
    """The town of a hex, if it has one; of a counter and its goal (`us-4-22>utah`) both, of a bombardment its force."""
    texts, known = texts_for("normandie", lang), towns(lang)
    whole, arrow, goal = word.partition(">")
    if arrow:
        return " \N{RIGHTWARDS ARROW} ".join(known.get(part) or str(texts.name(part)) for part in (whole, goal))
    hexes, colon, counts = word.partition(":")
    force = FORCES.get(counts.count("+"))
    if colon and force:
        points = ", ".join(f"{texts.name(kind)} {n}" for kind, n in zip(force, counts.split("+")) if n != "0")
        return f"{' + '.join(known.get(code, code) for code in hexes.split('+'))}, {points}"
    return known.get(word, "")


# --- the situation --------------------------------------------------------------------------------------------------


def situation_text(s: S, say: Say) -> str:
    """The calendar, the armies by place, depots, arrivals, and the aids of the decision under way."""
    sky = "screen.storm" if s.storm else "screen.clear-sky" if s.weather == CLEAR_SKY else "screen.overcast"
    lines = [
        say(
            "screen.head", turn=s.turn, phase=s.phase, sky=say(sky), first=say(f"side.{('allied', 'german')[s.first]}")
        ),
        say("screen.points", allied=s.points[0], german=s.points[1]),
    ]
    if any(s.ships):
        lines.append(say("screen.ships", wtf=f"{s.ships[0]}+{s.ships[1]}", etf=f"{s.ships[2]}+{s.ships[3]}"))
    for group in (AMERICAN, BRITISH, GERMANS):
        rows = army_lines(s, group, say)
        lines += ["", say(f"screen.army-{group}").upper(), *rows] if rows else []
    return "\n".join([*lines, *depot_lines(s, say), *arrival_lines(s, say), *aid_lines(s, say)])


def army_lines(s: S, group: int, say: Say) -> list[str]:
    """One army, place by place: hexes first, then boxes, then reserve and rest."""
    there: dict[int, list[int]] = {}
    for u in display_order(s, range(COUNT)):
        if GROUP[u] == group and (s.place[u] <= LAST_BOX or s.place[u] in (RESERVE, REST_BOX)):
            there.setdefault(s.place[u], []).append(u)
    return [
        say("screen.stack", hex=CODES[place], units=", ".join(counter_text(s, u, say) for u in units))
        + (say("screen.markers", number=s.offensive[place]) if s.offensive[place] else "")
        for place, units in sorted(there.items())
    ]


def counter_text(s: S, u: int, say: Say) -> str:
    """A counter: its name, what is printed on it, and its marks."""
    if IS_HQ[u]:
        values = f"+{COUNTERS[u].bonus}"
    else:
        values = f"{attack_of(s, u)}-{defence_of(s, u)}-{MOVE[u]}"
    marks = [f"{s.steps[u]}/{STEPS[u]}"] if s.steps[u] < STEPS[u] else []
    marks += [f"D{s.disorder[u]}"] if s.disorder[u] else []
    marks += [f"A{s.affected[u]}"] if s.affected[u] else []
    marks += [say(f"screen.mark-{key}") for key, on in mark_columns(s, u) if on]
    return " ".join([say("screen.unit", unit=COUNTERS[u].id), values, *([f"({', '.join(marks)})"] if marks else [])])


def mark_columns(s: S, u: int) -> Iterable[tuple[str, int]]:
    """What may have befallen a counter, besides its levels."""
    return (
        ("unsupplied", s.unsupplied[u]), ("resting", s.resting[u]), ("reserve", s.reserve[u]),
        ("moved", s.moved[u]), ("finished", s.finished[u]),
    )  # fmt: skip


def depot_lines(s: S, say: Say) -> list[str]:
    """The Allied depots that are open or being built."""
    rows = [
        say("screen.depot", depot=d.id, state=say(f"screen.{DEPOT_WORDS[s.depot[d.index]]}"))
        for d in DEPOTS
        if s.depot[d.index] not in (NO_DEPOT, DESTROYED)
    ]
    return ["", say("screen.depots", depots=", ".join(rows))] if rows else []


def arrival_lines(s: S, say: Say) -> list[str]:
    """Who is due this turn and the next."""
    due = track(s)
    return [say("screen.due", turn=turn, units=due[str(turn)]) for turn in (s.turn, s.turn + 1) if str(turn) in due]


def aid_lines(s: S, say: Say) -> list[str]:
    """What a player would otherwise count: reach by cost, supply line, who obeys the headquarters, targets."""
    aids = aids_for(s)
    lines = [say("screen.interdicted", zones=aids["interdicted"])] if aids["interdicted"] else []
    by_cost: dict[int, list[str]] = {}
    for code, cost in aids.get("reach", {}).items():
        by_cost.setdefault(cost, []).append(code)
    lines += [say("screen.reach", points=cost, hexes=" ".join(sorted(by_cost[cost]))) for cost in sorted(by_cost)]
    if aids.get("supply"):
        lines.append(say("screen.supply", hexes=" - ".join(aids["supply"])))
    if "command" in aids:
        lines.append(say("screen.command", **aids["command"]))
    if aids.get("targets"):
        lines.append(say("screen.targets", hexes=" ".join(aids["targets"])))
    return ["", *lines] if lines else []


# --- one place or counter -------------------------------------------------------------------------------------------


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
    elif s.boss[u]:
        lines.append(say("screen.boss", unit=COUNTERS[s.boss[u] - 1].id))
    return "\n".join(lines)
