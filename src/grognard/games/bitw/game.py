"""Blocks in the West, wired: the contract's hooks over the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from grognard.kernel import Action, Game, Mind, Side

from .computer.foresight import foreseen
from .computer.hints import promising_of
from .computer.measures import measures_of
from .computer.score import score_of
from .computer.terms import terms_of
from .knowledge import deal_orders, look_alikes, make_plausible
from .loading import SIDES
from .nouns import FOG, HEX, UNIT
from .odds.position import odds_of, staying_odds
from .odds.text import render_case
from .problems import problems
from .rules.opening import OPTIONS, usual_switches
from .rules.retreat import Retreat
from .sequence import SEQUENCES
from .setup import set_up
from .show.about import about_text
from .show.names import place_noun
from .show.screen import label_of, situation_text
from .show.views import QUIET, more_for_view, slim, unit_facts
from .state import NONE, OFF, BitwState, rebuild
from .world import POWERS, SIDE_OF, UNITS, scenario_names, world_named


class Bitw(Game[BitwState]):
    """The game."""

    name = "bitw"
    version = 9
    sides = SIDES
    scenarios = scenario_names()
    options = OPTIONS
    state_type = BitwState
    sequences = SEQUENCES
    kinds = {"hex": HEX, "unit": UNIT}
    fog = FOG
    minds = ("front",)
    sight = ("open_table",)
    usual = QUIET

    def blank(self, scenario: str) -> BitwState:
        """Columns for the blocks, the nodes of the map and the powers."""
        t = world_named(scenario).theatre
        n = len(UNITS)
        return BitwState.blank(units=n, memory=2 * n, nodes=t.nodes, side_nodes=2 * t.nodes, powers=len(POWERS))

    def begin(self, s: BitwState) -> None:
        """The first position of the scenario."""
        set_up(s)

    def usual_options(self, scenario: str) -> Mapping[str, str]:
        """0-tiers The tier of the scenario and the chapters that it needs."""
        return usual_switches(world_named(scenario).scenario)

    def view(self, s: BitwState, side: Side) -> dict[str, Any]:
        """Plain data: all that a side may know."""
        return slim(s, super().view(s, side))

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        """The back of a block shows its nation and whether it is ground, air or a fort."""
        return unit_facts(unit, known)

    def shows(self, s: BitwState, side: Side, unit: int) -> bool:
        """Blocks on the map; off it each side sees its own."""
        return s.place[unit] < OFF or (side == SIDE_OF[unit] and s.place[unit] != NONE)

    def view_more(self, s: BitwState, side: Side) -> dict[str, Any]:
        """The month and what else a table likes to show."""
        return more_for_view(s, side)

    def interchangeable(self, s: BitwState, side: Side) -> list[Sequence[int]]:
        """1.3 Blocks with the same back; those rebuilt since they were lost, also with the lost ones."""
        return look_alikes(s, side)

    def redeal_more(self, s: BitwState, side: Side) -> None:
        """A deal of hidden blocks as they could stand: nobody without steps, no more in a hex than may be there."""
        make_plausible(s, side)
        deal_orders(s, side)
        super().redeal_more(s, side)

    def rebuild(self, s: BitwState) -> None:
        """Who stands where."""
        rebuild(s)

    def problems(self, s: BitwState) -> list[str]:
        """Stacking, steps within the pattern, one aircraft a base, points never negative, chains in order."""
        return problems(s)

    def score(self, s: BitwState, side: Side) -> int:
        """How good this position looks to a side."""
        return score_of(s, side)

    def measures(self, s: BitwState) -> dict[str, int]:
        """Places, steps and ground, for comparison with what happened."""
        return measures_of(s)

    def terms(self, s: BitwState) -> dict[str, int]:
        """What the chance of winning is fitted to."""
        return terms_of(s)

    def promising(self, s: BitwState, side: Side, legal: list[Action]) -> list[Action]:
        """The actions worth a computer player's time."""
        return promising_of(s, side, legal)

    def mind(self, name: str = "") -> Mind:
        """The plain judgement, or one that sees whole battles and what the enemy could take."""
        if name != "front":
            return super().mind(name)
        return Mind(foreseen, partial(promising_of, wide=True))

    def odds(self, s: BitwState, side: Side, action: Action) -> dict[str, Any] | None:
        """The chances of the battle that an action would start or join, as far as the side can tell."""
        if action[0] == "stay" and type(self.decision(s)) is Retreat:
            return staying_odds(s, side)
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

    def stranger(self, s: BitwState, side: Side, unit: int, say: Any) -> str:
        """By nation and shape, or as it was last seen."""
        return label_of(s, side, unit, say)

    def situation(self, s: BitwState, side: Side, say: Any) -> str:
        """The position as text."""
        return situation_text(s, side, say)


GAME = Bitw()
