"""Blocks in the West, wired: the contract's hooks over the rules."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from grognard.kernel import Action, Game, Option, Side, rule

from .aids import about_text, odds_of, summary_text
from .frames import FOG, Match
from .loading import SIDES
from .odds_text import render_case
from .rules.definitions import overstacked
from .rules.opening import check_against_catalogue, players_in
from .scenarios import NOBODY
from .score import score_of
from .sequence import SEQUENCES
from .state import MISSION, NONE, OFF, BitwState, fog_is_on, is_battle, put, rebuild
from .views import QUIET, more_for_view, place_noun, situation_text, slim, unit_facts
from .world import IS_AIR, POWERS, SIDE_OF, UNITS, scenario_names, world_named


class Bitw(Game[BitwState]):
    """The game."""

    name = "bitw"
    version = 3
    sides = SIDES
    scenarios = scenario_names()
    options = (
        Option("fog", "1.3", ("on", "off"), "on"),
        Option("cancel", "7.7.6e", ("off", "on"), "off"),  # ruling A56
        Option("elite", "10.0c", ("off", "on"), "off"),
        Option("terrain", "14.0-mountain-a", ("off", "on"), "off"),
        Option("tier", "0-tiers", ("scenario", "basic", "advanced"), "scenario"),
        Option("players", "0-players", ("2", "1", "3", "4"), "2"),
    )
    state_type = BitwState
    sequences = SEQUENCES
    fog = FOG

    def blank(self, scenario: str) -> BitwState:
        """Columns for the blocks, the nodes of the map and the powers."""
        t = world_named(scenario).theatre
        n = len(UNITS)
        return BitwState.blank(units=n, memory=2 * n, nodes=t.nodes, side_nodes=2 * t.nodes, powers=len(POWERS))

    @rule(
        "0-players", "2.3", "2.2", "5.2-siegfried-c", "5.1-maginot-a", "3.7a", "3.7c", "3.7.1-channel", "3.7.1-corsica"
    )
    def begin(self, s: BitwState) -> None:
        """2.3 The first month of the scenario, every block at its place and strength, lines and capitals as stated."""
        w = world_named(s.scenario)
        t, sc = w.theatre, w.scenario
        s.open_table = 0 if fog_is_on(s) or players_in(s) == 1 else 1
        s.partisans = sc.partisans
        s.owner[:] = bytearray(sc.owners)
        for stand in sc.standing:
            put(s, stand.unit, stand.node)
            s.steps[stand.unit] = stand.steps
        for node in sorted(t.bunkers):
            s.works[node] = 1
        if "eben-emael" in sc.rules:
            for node in sorted(t.fortresses):
                s.works[node] = 2
        if "maginot" in sc.rules:
            for node in sorted(t.maginot):
                s.works[node] = 2
        if "siegfried" in sc.rules:
            for node in sorted(t.siegfried):
                s.works[node] = 1
        for p in POWERS:
            s.capital[p.index] = t.find(p.capital) if t.has(p.capital) else NONE
        for pool in sc.pools:
            s.pp[pool.nations[0]] = pool.saved
        FOG.deal(s)
        s.frames.append(Match())

    def name_of(self, kind: str, value: int) -> Any:
        """Nodes by printed number or area key, units by id."""
        if kind == "unit":
            return UNITS[value].id if value < len(UNITS) else None
        if kind != "node" or not self._names:
            return value
        return self._names[value] if value < len(self._names) else None

    usual = QUIET
    _names: tuple[str, ...] = ()

    def view(self, s: BitwState, side: Side) -> dict[str, Any]:
        """Plain data: all that a side may know."""
        twin = copy(self)  # so that `name_of` knows this position's map without touching the shared game
        twin._names = world_named(s.scenario).theatre.names
        return slim(Game.view(twin, s, side))

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        """The back of a block shows its nation and whether it is ground, air or a fort."""
        return unit_facts(unit, known)

    def shows(self, s: BitwState, side: Side, unit: int) -> bool:
        """Blocks on the map; off it each side sees its own."""
        return s.place[unit] < OFF or (side == SIDE_OF[unit] and s.place[unit] != NONE)

    def view_more(self, s: BitwState, side: Side) -> dict[str, Any]:
        """The month and what else a table likes to show."""
        return more_for_view(s, side)

    @rule("1.3")
    def interchangeable(self, s: BitwState, side: Side) -> list[Sequence[int]]:
        """1.3 Hidden blocks of a nation that look alike: combat units, support units, fighters, bombers, forts."""
        if s.open_table:
            return []
        groups: dict[tuple[str, str, int], list[int]] = {}
        for u in UNITS:
            if u.side == side or s.place[u.index] >= OFF:
                continue
            kind = "combat" if u.is_combat else u.shape if u.shape != "ground" else "support"
            if u.is_air:
                kind = "bomber" if u.is_bomber else "fighter"
            groups.setdefault((u.nation, kind, s.flags[u.index]), []).append(u.index)
        return list(groups.values())

    def rebuild(self, s: BitwState) -> None:
        """Who stands where."""
        rebuild(s)

    def problems(self, s: BitwState) -> list[str]:
        """Stacking, steps within the pattern, one aircraft a base, points never negative, chains in order."""
        return problems(s)

    def score(self, s: BitwState, side: Side) -> int:
        """How good this position looks to a side."""
        return score_of(s, side)

    def odds(self, s: BitwState, side: Side, action: Action) -> dict[str, Any] | None:
        """The chances of the battle that an action would start or join, as far as the side can tell."""
        return odds_of(s, side, action)

    def odds_text(self, odds: dict[str, Any], lang: str) -> str:
        """The same as a table."""
        return render_case(odds, lang)

    def noun(self, word: str, lang: str) -> str:
        """A hex by its town; of an attack, the hex and where it is entered from."""
        return place_noun(word, lang)

    def about(self, s: BitwState, side: Side, word: str, say: Any) -> str:
        """One hex or one unit of one's own."""
        return about_text(s, side, word, say)

    def situation(self, s: BitwState, side: Side, say: Any) -> str:
        """The position as text."""
        return "\n".join(filter(None, (situation_text(s, side, say), summary_text(s, side, say))))


def problems(s: BitwState) -> list[str]:
    """Invariants that do not hold."""
    t = world_named(s.scenario).theatre
    found = []
    for u, steps, place in zip(UNITS, s.steps, s.place):
        if place < OFF and steps not in u.pattern.steps:
            found.append(f"{u.id} has {steps} steps; its pattern is {u.pattern.steps}")
    for power, points in enumerate(s.pp):
        if points < 0:
            found.append(f"{POWERS[power].id} has {points} points")
    found += check_against_catalogue(s)
    if s.frames and s.frames[-1].sequence_name == "match":
        found += at_rest(s)
    twin = s.copy()
    rebuild(twin)
    if twin.ground != s.ground or twin.present != s.present:
        found.append("the counts of units in hexes are wrong")
    if strangers := set(s.owner[: t.hexes]).difference(range(len(POWERS)), (NOBODY,)):
        found += [f"hex {t.names[n]} belongs to nobody known" for n in range(t.hexes) if s.owner[n] in strangers]
    return found


def at_rest(s: BitwState) -> list[str]:
    """What must hold between player turns: no battle, no crowd, one aircraft a base."""
    t = world_named(s.scenario).theatre
    found = []
    for node in sorted({s.place[u.index] for u in UNITS if s.place[u.index] < OFF}):
        if is_battle(s, node):
            found.append(f"both sides stand in {t.names[node]}")
        for side in (0, 1):
            if node < t.hexes and overstacked(s, node, side):
                found.append(f"too many {SIDES[side]} units in {t.names[node]}")
        based = [u.id for u in UNITS if s.place[u.index] == node and IS_AIR[u.index] and not s.flags[u.index] & MISSION]
        if len(based) > 1 and node < t.hexes:
            found.append(f"{', '.join(based)} share the base {t.names[node]}")
    return found


GAME = Bitw()
