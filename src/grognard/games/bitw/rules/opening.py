"""Chapters 0-2: tiers of rules, players and what they command, sides, the scenario catalogue.

Advanced and Optional rules count through `rule_is_on`: one place that says which tier and which switches a game has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from grognard.kernel import DataError, Option, option, rule
from grognard.kernel.dice import seed_from, shuffled
from grognard.kernel.record import State
from grognard.kernel.rulebook import rulebook

from ..loading import FILES, SIDES
from ..scenarios import Scenario, month_after
from ..state import BitwState
from ..world import POWERS, world
from .chapters import ADVANCED, CHAPTERS, chapter_named, switch_of
from .readings import switches

TIERS: Final = ("basic", "advanced", "optional")
OPTIONS: Final = (
    Option("fog", "1.3", ("on", "off"), "on", "basic"),
    Option("cancel", "7.7.6e", ("off", "on"), "off"),  # ruling A56
    Option(ADVANCED, "0-tiers", tier="advanced"),
    Option("elite", "10.0c", ("off", "on"), "off", "advanced", covers=("10.0a", "10.0b", "10.0d", "10.0e")),
    *(switch_of(chapter) for chapter in CHAPTERS if chapter.built),
    Option("patrols", "24.5-sub", tier="optional", needs=(ADVANCED, "submarines")),
    Option("guide-ports", "guide-ports", tier="optional", needs=(ADVANCED,)),
    Option("guide-berlin", "guide-berlin", tier="optional", needs=(ADVANCED,)),
    Option("air-rail", "7.4h"),
    Option("players", "0-players", ("2", "1", "3", "4"), "2", "basic"),
    *switches(),
)
MISSING_CHAPTERS: Final = (25, 30, 33, 37)  # 3.25; 16 is listed too, but printed (ruling A8)


# 0 Tiers


def tier_of(s: BitwState) -> str:
    """0-tiers The tier that a game is played in: the scenario's, unless the players chose."""
    return "advanced" if s.chosen[ADVANCED] == "on" else "basic"


@rule("0-tiers", "0-scenarios")
def usual_switches(scenario: Scenario) -> dict[str, str]:
    """0-tiers What a scenario sets: its tier, and the Optional chapters that it is not itself without."""
    found = {ADVANCED: "on"} if scenario.tier == "advanced" else {}
    for number in scenario.needs:
        chapter = chapter_named(number)
        if chapter is not None and chapter.built:
            found[chapter.name] = "on"
    return found


@rule("0-tiers", "3.25")
def in_force(tier: str, switches: Iterable[str] = ()) -> frozenset[str]:
    """0-tiers The rules that a tier and its switches bring into play.

    Basic rules always count, Advanced ones (chapters 23 and 24 among them, 3.25) with their tier, Optional ones only
    when switched on. Chapters that do not exist here (3.25) have no rule to count.
    """
    on = set(switches)
    allowed = {"basic", "advanced"} if tier == "advanced" else {"basic"}
    switched = {o.name: {o.rule, *o.covers} for o in (*OPTIONS, *map(switch_of, CHAPTERS))}
    more = frozenset().union(*(switched[name] for name in on if name in switched))
    return frozenset(r.id for r in rulebook("bitw").values() if r.tier in allowed or r.id in more)


def rule_is_on(s: BitwState, rule_id: str) -> bool:
    """0-tiers Whether an Advanced or Optional rule counts in this game: by its switch, or by the tier played."""
    chosen = s.chosen
    return chosen.get(rule_id) == "on" or (chosen[ADVANCED] == "on" and rule_id in advanced_rules())


@lru_cache(maxsize=1)
def advanced_rules() -> frozenset[str]:
    """0-tiers The rules that come with the Advanced tier."""
    return in_force("advanced") - in_force("basic")


# 0 Players, 2.1 sides


@rule("0-players", "38.1")
def commands(players: int) -> tuple[tuple[str, ...], ...]:
    """0-players What each player commands, by power: alone both sides, else one or two players a side.

    Three players: the Allies are shared. On the Axis side Germany is one command, Italy and its republic the other; on
    the Allied side France, the Low Countries and Free France go with the United Kingdom, the United States apart.
    """
    if not 1 <= players <= 4:
        raise ValueError(f"1 to 4 players, not {players}")
    axis, allies = ([p.id for p in POWERS if p.side == side] for side in (0, 1))
    if players == 1:
        return (tuple(axis + allies),)
    whole_axis, whole_allies = (tuple(axis),), (tuple(allies),)
    shared_axis = (("DE",), tuple(p for p in axis if p != "DE"))
    shared_allies = (tuple(p for p in allies if p != "US"), ("US",))
    return (shared_axis if players == 4 else whole_axis) + (shared_allies if players >= 3 else whole_allies)


def players_in(s: BitwState) -> int:
    """0-players How many people share the game."""
    return int(option(s, "players"))


@rule("2.1")
def choose_sides(players: Iterable[str], seed: str, wishes: Mapping[str, str] | None = None) -> dict[str, str]:
    """2.1 Who plays which side: by agreement where wishes do not clash, by lot for the others."""
    names, wanted = list(players), dict(wishes or {})
    if len(names) != len(SIDES):
        raise ValueError(f"two players choose sides, not {len(names)}")
    if sorted(wanted.values()) != sorted(set(wanted.values())):
        wanted = {}  # both want the same side: the lot decides
    for name, side in wanted.items():
        if side not in SIDES or name not in names:
            raise ValueError(f"{name!r} cannot play {side!r}; the sides are {', '.join(SIDES)}")
    lot = State()
    lot.seed = seed_from(f"sides {seed}")
    free = shuffled(lot, [side for side in SIDES if side not in wanted.values()])
    return {name: wanted.get(name) or free.pop() for name in names}


# 0 The campaign


@rule("0-campaign")
def campaign_options(sisters: Iterable[str]) -> dict[str, str] | None:
    """0-campaign The switches of the campaign SBEW1: every Optional chapter; None without the eastern game."""
    if "bite" not in set(sisters):
        return None
    return {ADVANCED: "on"} | {chapter.name: "on" for chapter in CHAPTERS}


# 0 The catalogue


class Entry(NamedTuple):
    """0-scenarios A scenario of the catalogue."""

    id: str
    title: Mapping[str, str]
    first: str
    last: str
    turns: int
    level: int
    tier: str


@rule("0-scenarios", "0-tiers")
@lru_cache(maxsize=1)
def catalogue() -> dict[str, Entry]:
    """0-scenarios The ten scenarios: months, turns, level and tier. One turn is one month, first and last included."""
    file, found = "catalogue.toml", {}
    for row in FILES.toml(file)["scenario"]:
        entry = Entry(row["id"], row["title"], row["first"], row["last"], row["turns"], row["level"], row["tier"])
        if month_after(entry.first, entry.turns - 1) != entry.last:
            raise DataError(file, entry.id, f"{entry.turns} turns do not lead from {entry.first} to {entry.last}")
        found[entry.id] = entry
    return found


@rule("0-scenarios")
def check_against_catalogue(s: BitwState) -> list[str]:
    """0-scenarios What a scenario file says otherwise than the catalogue."""
    sc, entry = world(s).scenario, catalogue().get(s.scenario)
    if entry is None:
        return []
    facts = {"first": sc.first, "turns": sc.turns, "level": sc.level, "tier": sc.tier}
    return [
        f"{entry.id}: {key} is {value!r}, the catalogue has {getattr(entry, key)!r} (0-scenarios)"
        for key, value in facts.items()
        if getattr(entry, key) != value
    ]
