"""The game, wired: the contract's hooks over the rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from grognard.games.surrender.computer.front import PATIENCE, STYLES, front_score, worth_weighing
from grognard.games.surrender.computer.measures import measures_of
from grognard.games.surrender.computer.motives import motive_of
from grognard.games.surrender.computer.score import score_of
from grognard.games.surrender.computer.terms import terms_of
from grognard.games.surrender.frames import Match
from grognard.games.surrender.loading import chart_problems
from grognard.games.surrender.nouns import KINDS
from grognard.games.surrender.odds.position import odds_of
from grognard.games.surrender.odds.text import render_case
from grognard.games.surrender.rules.board import has_room, hex_name, zones_again
from grognard.games.surrender.rules.economy import COUNTRIES
from grognard.games.surrender.rules.markers import hand_left
from grognard.games.surrender.rules.victory import city_points
from grognard.games.surrender.scenarios import SCENARIO_NAMES, is_written, world_named
from grognard.games.surrender.sequence import SEQUENCES
from grognard.games.surrender.setup import set_up
from grognard.games.surrender.show.about import about_text, towns
from grognard.games.surrender.show.overlays import overlays
from grognard.games.surrender.show.screen import situation_text
from grognard.games.surrender.show.views import pieces, summary
from grognard.games.surrender.state import Position, world
from grognard.games.surrender.world import AXIS, MARKERS
from grognard.kernel import Action, DataError, Game, IllegalAction, Mind, Option, Order, Refusal, Side, rule
from grognard.kernel.kept import once
from grognard.kernel.rulebook import rulebook
from grognard.kernel.stacks import stacking_problems


class Surrender(Game[Position]):
    """Three factions, months, armies; one table for every combat."""

    name = "surrender"
    version = 6
    minds = ("front",)
    styles = tuple(STYLES)
    sides = ("axis", "western", "soviet")
    scenarios = tuple(name for name in SCENARIO_NAMES if is_written(name))
    options = (
        Option("extra-armour-poor", "assault-drm-extra-tank-shock", ("1", "2"), "2"),
        Option("blocked-dd", "result-DD-blocked", ("eliminated", "reduced"), "eliminated"),
        Option("carrier-flies", "air-drm-air-vs-naval", ("off", "on"), "off"),
        Option("port-lines", "strategic-drm-axis-stack", ("line", "zone"), "line"),
        Option("isolated-by", "ground-isolated-def", ("hexsides", "hexes"), "hexsides"),
        Option("interceptors", "intercept", ("fighters", "aircraft"), "fighters"),
        Option("sea-lines", "supply-sea", ("owner", "program"), "owner"),
    )
    state_type = Position
    kinds = KINDS
    told_elsewhere = ("units",)
    sequences = SEQUENCES
    patience = 150

    def blank(self, scenario: str) -> Position:
        """Columns for the scenario's units and the map's hexes."""
        w = world_named(scenario)
        return Position.blank(
            units=len(w.units), hexes=len(w.theatre.grid), countries=len(COUNTRIES), markers=3 * len(MARKERS)
        )

    def begin(self, s: Position) -> None:
        """The scenario's set-up, then the first month."""
        set_up(s)
        s.frames.append(Match())

    @rule("factions")
    def playing(self, s: Position) -> tuple[Side, ...]:
        """factions The Axis, and those Allied factions that the scenario has."""
        return world(s).factions

    def winner_over(self, s: Position, loser: Side) -> Side:
        """The Axis wins over an Ally; over the Axis the Ally with more city points wins."""
        if loser != AXIS:
            return AXIS
        return max((ally for ally in self.playing(s) if ally != AXIS), key=lambda ally: city_points(s, ally))

    def pieces(self, s: Position, side: Side) -> list[dict[str, Any]]:
        """All counters: nothing is hidden."""
        return pieces(s)

    def view_more(self, s: Position, side: Side) -> dict[str, Any]:
        """Units, control, weather, points and hands in a form that a client can draw."""
        common = once(s, "summary", lambda: summary(s) | {"pieces": pieces(s)})
        return {**common, "overlays": overlays(s, side), "left": hand_left(s, side)}

    def redeal(self, s: Position, side: Side, seed: str) -> Position:
        """A position that this side could not tell apart: any commitment that can be made is plausible."""
        new = s.copy()
        new.seed, new.loaded, new.draws = seed[-64:], (), 0
        self.redeal_more(new, side)
        new.draws = s.draws
        return new

    def problems(self, s: Position) -> list[str]:
        """Stacking, land and port, zones of control, ranges of the tracks."""
        w = world(s)
        found = stacking_problems(s)
        for unit, hex in enumerate(s.at):
            if hex < 0:
                continue
            kind = w.units[unit]
            if not has_room(s, hex, unit):
                found.append(f"{kind.id} shares {hex_name(s, hex)} against the stacking rule")
            if not w.theatre.land[hex] or (kind.ship and not w.theatre.port[hex]):
                found.append(f"{kind.id} cannot be in {hex_name(s, hex)}")
            if s.control[hex] != kind.faction + 1:
                found.append(f"{kind.id} stands in {hex_name(s, hex)}, which is not its faction's")
        if zones_again(s) != (s.axis_zoc, s.allied_zoc):
            found.append("the zones of control do not fit the units")
        if any(not 1 <= value <= 9 for value in s.fac_lost):
            found.append(f"Fac Lost {list(s.fac_lost)} is not from 1 to 9")
        found += [f"{w.units[u].id} carries {n} sorties" for u, n in enumerate(s.sorties) if n > 6]
        return found

    def check_data(self) -> list[DataError]:
        """The charts first: with one of them broken no scenario can be tried."""
        return chart_problems() or super().check_data()

    @rule("refusal-reason")
    def explain(self, s: Position, side: Side, action: Action) -> Refusal | None:
        """refusal-reason Why not, always under a rule of the rulebook."""
        return self._cited(super().explain(s, side, action))

    def read(self, s: Position, side: Side, order: Order) -> Action:
        """The action that a side means; a refusal cites a rule of the rulebook here too."""
        try:
            return super().read(s, side, order)
        except IllegalAction as error:
            cited = self._cited(error.refusal)
            assert cited is not None
            raise IllegalAction(cited) from None

    def _cited(self, refusal: Refusal | None) -> Refusal | None:
        """Rows of a table lend the rule of their phase: `supply-sea-c` is `supply-sea`."""
        if refusal is not None and refusal.rule not in rulebook(self.name):
            return Refusal(refusal.rule.rpartition("-")[0], refusal.reason, refusal.data)
        return refusal

    def score(self, s: Position, side: Side) -> int:
        """Cities, steps, factories and the way to the goals."""
        return score_of(s, side)

    def terms(self, s: Position) -> dict[str, int]:
        """What the chance of winning is fitted to."""
        return terms_of(s)

    def mind(self, name: str = "") -> Mind:
        """The plain judgement, or the one that holds a line, in one of its styles."""
        if name == "front":
            return Mind(front_score, worth_weighing, PATIENCE)
        return (
            Mind(partial(front_score, style=name), worth_weighing, PATIENCE) if name in STYLES else super().mind(name)
        )

    def measures(self, s: Position) -> dict[str, int]:
        """Cities, conquests, steps and ground, for comparison with what happened."""
        return measures_of(s)

    def motive(self, s: Position, side: Side, action: Action) -> tuple[str, dict[str, Any]] | None:
        """Why the computer marches or attacks."""
        return motive_of(self, s, side, action)

    def odds(self, s: Position, side: Side, action: Action) -> dict[str, Any] | None:
        """The chances of an attack before it is declared, and of a combat while the side commits to it."""
        return odds_of(s, side, action)

    def odds_text(self, odds: dict[str, Any], lang: str) -> str:
        """Tallies with their rules, results and consequences, as the odds book prints them."""
        return render_case(odds, lang)

    def situation(self, s: Position, side: Side, say: Callable[..., str]) -> str:
        """Date, weather, tracks, units by place, the attack odds of the active unit."""
        return situation_text(s, side, say)

    def noun(self, word: str, lang: str) -> str:
        """The place in a hex, if it has one."""
        return towns(lang).get(word, "")

    def about(self, s: Position, side: Side, word: str, say: Callable[..., str]) -> str:
        """What there is to say of a hex or of a unit; all of it is open."""
        return about_text(s, side, word, say)


GAME = Surrender()
