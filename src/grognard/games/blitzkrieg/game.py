"""Blitzkrieg, wired: what the kernel asks of a game, answered by the rules and the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grognard.kernel import Action, Game, Side
from grognard.kernel.game import Mind
from grognard.kit.tablegame import table_boards
from grognard.tabletop import Table

from .computer import hints, steady, tactics
from .computer.measures import measures_of
from .computer.score import score
from .computer.terms import terms_of
from .frames import Acting, Match, Moving, Smoking, Volley
from .odds import position
from .odds.text import odds_text
from .problems import problems
from .proposals import ALL
from .redealing import redeal_hidden
from .sequence import SEQUENCES
from .show import screen, views
from .state import BATTERY, FACING, FLIGHT, FOG, FORMATION, OFFER, POINT, UNIT, Position
from .switches import OPTIONS, packed
from .world import DOCUMENTS, SIDES, UNIT_NAMES, tables, world, world_named

assert ALL  # the proposals' doors are open once they are imported


class Blitzkrieg(Game[Position]):
    """The game."""

    name = "blitzkrieg"
    version = 7
    sides = SIDES
    scenarios = tuple(DOCUMENTS)
    options = OPTIONS
    state_type = Position
    sequences = SEQUENCES
    kinds = {
        "offer": OFFER,
        "point": POINT,
        "battery": BATTERY,
        "flight": FLIGHT,
        "unit": UNIT,
        "formation": FORMATION,
        "word": FACING,
    }
    fog = FOG
    minds = ("front", "yardstick")

    def measured(self) -> Mapping[str, Table]:
        """The tables by name, for questions of sight (`tables` are the kernel's, of the sequence)."""
        return tables()

    def blank(self, scenario: str) -> Position:
        """Columns for every unit of the catalogue and every objective of the table."""
        units = len(UNIT_NAMES)
        w = world_named(scenario)
        sizes = {"objectives": len(w.objectives), "batteries": len(w.batteries), "formations": len(w.formations)}
        sizes |= {"mines": len(w.mines), "works": len(w.works), "flights": len(w.flights), "offers": len(w.offers)}
        return Position.blank(units=units, memory=2 * units, **sizes)

    def begin(self, s: Position) -> None:
        """The options are packed, the tokens dealt; the set-up follows."""
        s.packed = packed(s)
        FOG.deal(s)
        s.frames.append(Match())

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        """What never changes about a unit; nothing of one that hides."""
        return dict(views.FACES[unit]) if known else {}

    def shows(self, s: Position, side: Side, unit: int) -> bool:
        """Units of the scenario; of the enemy those that are known."""
        return unit in world(s).formation_of and FOG.knows(s, side, unit)

    def depth(self, s: Position, side: Side) -> int:
        """Base-hidden: what a hidden unit is doing, and where, its owner alone sees."""
        if side in s.waiting:
            return len(s.frames)
        for i, c in enumerate(s.frames):
            if isinstance(c, Acting | Moving | Volley | Smoking) and not FOG.knows(s, side, c.unit):
                return i
        return len(s.frames)

    def view_more(self, s: Position, side: Side) -> dict[str, Any]:
        """Table, markers, overlays, points."""
        return views.view_more(s, side)

    def pieces(self, s: Position, side: Side) -> list[dict[str, Any]]:
        """The units as a table draws them."""
        return views.pieces(s, side)

    def situation(self, s: Position, side: Side, say: Callable[..., str]) -> str:
        """The picture of the terminal."""
        return screen.situation(s, side, say)

    def redeal_more(self, s: Position, side: Side) -> None:
        """Hidden units of the others, dealt again over their zones."""
        super().redeal_more(s, side)
        redeal_hidden(s, side)

    def problems(self, s: Position) -> list[str]:
        """Invariants."""
        return problems(s)

    def score(self, s: Position, side: Side) -> int:
        """How good it looks."""
        return score(s, side)

    def terms(self, s: Position) -> dict[str, int]:
        """What the chance of winning is fitted to."""
        return terms_of(s)

    def measures(self, s: Position) -> dict[str, int]:
        """Losses and what is left, for the laboratory."""
        return measures_of(s)

    def promising(self, s: Position, side: Side, legal: list[Action]) -> list[Action]:
        """What is worth weighing."""
        return tactics.promising(s, side, legal)

    def mind(self, name: str = "") -> Mind:
        """`front`: the judgement that fights for the objectives; `yardstick`: the plain one as it was when frozen."""
        if name == "yardstick":
            return Mind(score, hints.promising)
        if name != "front":
            return super().mind(name)
        return Mind(steady.score, steady.promising, steady.PATIENCE, steady.SAMPLES)

    def odds(self, s: Position, side: Side, action: Action) -> dict[str, Any] | None:
        """Exact chances of a shot or a fire."""
        return position.odds(s, side, action)

    def odds_text(self, odds: dict[str, Any], lang: str) -> str:
        """The same in words."""
        return odds_text(odds, lang)

    def boards(self) -> dict[str, Any]:
        """The tables for clients."""
        return table_boards(tables())


GAME = Blitzkrieg()
