"""Normandie 1944, wired: the contract's hooks over the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import compress
from operator import gt
from typing import Any

from grognard.kernel import Action, Game, IllegalAction, Mind, Refusal, Side, option, rule
from grognard.kernel.flow import run
from grognard.kernel.kept import once

from .computer.hints import promising
from .computer.score import score_of
from .frames import Combat, Opening
from .nouns import KINDS
from .options import OPTIONS
from .rules.definitions import PARTNER, rebuild, stale_columns, why_not_stack
from .rules.partners import hands_over, own_actions, rules_side, seat_for, tidy
from .rules.tables import dates
from .sequence import SEQUENCES
from .setup import set_up
from .show.about import about_text, target_noun
from .show.overlays import aids_for, left_for, overlays_for
from .show.screen import situation_text
from .show.views import pieces, track
from .state import SIZES
from .state import NormandieState as S
from .world import ALLIED, CODES, COUNTERS, GERMAN, HEXES, PLACE_COUNT, STEPS

TWO_ARMIES = ("cobra", "campaign")  # 11a scenarios that two Allied players may share


class Normandie(Game[S]):
    """The game."""

    name = "normandie"
    version = 6
    minds = ("front",)
    sides = ("allied", "german", "british")  # the third seat is for games of three players (11a)
    scenarios = ("cherbourg", "cobra", "campaign")
    options = OPTIONS
    state_type = S
    kinds = KINDS
    told_elsewhere = ("units",)  # the pieces of the view say it, without the zeros
    sequences = SEQUENCES

    def blank(self, scenario: str) -> S:
        """Columns for the counters, the places, the depots and the aircraft."""
        return S.blank(**SIZES)

    def begin(self, s: S) -> None:
        """11b The scenario's set-up, then the free placements."""
        set_up(s)
        s.partners = int(option(s, "players") == "3" and s.scenario in TWO_ARMIES)
        s.frames.append(Opening())

    def pieces(self, s: S, side: Side) -> list[dict[str, Any]]:
        """All counters: nothing is hidden."""
        return pieces(s)

    def view_more(self, s: S, side: Side) -> dict[str, Any]:
        """The pieces in play, and the aids of the decision under way."""
        found: dict[str, Any] = once(s, "more", lambda: self._more(s))  # nothing is hidden: the same for everybody
        return found

    def _more(self, s: S) -> dict[str, Any]:
        more = {"pieces": pieces(s), "track": track(s), "aids": aids_for(s), "overlays": overlays_for(s)}
        return more | {"left": left_for(s), "dates": list(dates(s.turn))}

    def noun(self, word: str, lang: str) -> str:
        """The town of a hex, and what a compound target is made of."""
        return target_noun(word, lang)

    def situation(self, s: S, side: Side, say: Callable[..., str]) -> str:
        """The armies by place, with the aids of the decision under way; nothing is hidden."""
        return situation_text(s, say)

    def about(self, s: S, side: Side, word: str, say: Callable[..., str]) -> str:
        """What there is to say of a hex, a box or a counter."""
        return about_text(s, word, say)

    def rebuild(self, s: S) -> None:
        """Who stands where."""
        rebuild(s)

    def problems(self, s: S) -> list[str]:
        """Stacking, steps, places, derived columns."""
        found = stale_columns(s)
        if found:
            return found  # what follows would look at the wrong stacks
        if any(map(gt, s.steps, STEPS)) or max(s.disorder) > 2:
            found.append("a counter has more steps or disorder than there are")
        found += [
            f"{COUNTERS[u].id} stands on the map without steps"
            for u, place in enumerate(s.place) if place < HEXES and not s.steps[u]
        ]  # fmt: skip
        fighting = bool(s.frames) and isinstance(s.frames[-1], Combat)
        crowds: list[tuple[Side, int]] = []
        for h in compress(range(HEXES), s.head):
            allied, german = s.there[h], s.there[PLACE_COUNT + h]
            if allied and german:
                if not s.confusion[h]:
                    found.append(f"both sides in {CODES[h]}")
            elif s.confusion[h] and not fighting:
                found.append(f"confusion without an enemy in {CODES[h]}")
            if allied > 1:
                crowds.append((ALLIED, h))
            if german > 1:
                crowds.append((GERMAN, h))
        if any(isinstance(c, Combat) and (c.retreating or c.crowded) for c in s.frames):
            return found  # 6.6c, 6.6d units on their way
        for side, h in crowds:
            refusal = why_not_stack(s, side, h, ())
            if refusal and (s.scenario != "cherbourg" or refusal.reason != "stacking-battalions"):  # ruling A21
                found.append(f"{refusal.reason} in {CODES[h]}")
        return found

    def odds(self, s: S, side: Side, action: Action) -> dict[str, Any] | None:
        """The law of the combat that an action launches, or of the one under way."""
        from .odds.position import odds_of

        return odds_of(s, action)

    def odds_text(self, odds: dict[str, Any], lang: str) -> str:
        """The same in words."""
        from .odds.text import render_case

        return render_case(odds, lang)

    def score(self, s: S, side: Side) -> int:
        """How good the position looks."""
        return score_of(s, rules_side(side))

    def terms(self, s: S) -> dict[str, int]:
        """What the chance of winning is fitted to."""
        from .computer.terms import terms_of

        return terms_of(s)

    def promising(self, s: S, side: Side, legal: list[Action]) -> list[Action]:
        """What the computer weighs."""
        return promising(s, rules_side(side), legal, type(self.decision(s)).__name__)

    def mind(self, name: str = "") -> Mind:
        """The plain judgement, or the one that holds a line."""
        if name != "front":
            return super().mind(name)
        from .computer.steady import STEADY

        def hints(s: S, side: Side, legal: list[Action]) -> list[Action]:
            return promising(s, rules_side(side), legal, type(self.decision(s)).__name__, STEADY)

        return Mind(self.score, hints)

    def motive(self, s: S, side: Side, action: Action) -> tuple[str, dict[str, Any]] | None:
        """Why the computer marches or attacks."""
        from .computer.motives import motive_of

        return motive_of(s, rules_side(side), action)

    def measures(self, s: S) -> dict[str, int]:
        """Hexes, towns and strengths, for comparison with what happened."""
        from .computer.measures import measures_of

        return measures_of(s)

    def redeal(self, s: S, side: Side, seed: str) -> S:
        """Nothing is hidden: the same position, with other dice to come."""
        new = s.copy()
        new.seed, new.loaded = seed[-64:], ()
        return new

    # 11a three players: the contract, with the Allied side played from two seats

    @rule("11a")
    def playing(self, s: S) -> tuple[Side, ...]:
        """11a Two players, or three."""
        return (ALLIED, GERMAN, PARTNER) if s.partners else (ALLIED, GERMAN)

    def winner_over(self, s: S, loser: Side) -> Side:
        """11a The Allied players win and lose together."""
        return ALLIED if loser == GERMAN else GERMAN

    def setup(
        self, scenario: str, options: Mapping[str, str] | None = None, seed: str = "", *, usual: bool = True
    ) -> S:
        """A new position."""
        s = super().setup(scenario, options, seed, usual=usual)
        self._seat(s)
        return s

    def legal(self, s: S, side: Side) -> list[Action]:
        """Every legal action of a seat."""
        if not s.partners or side == GERMAN:
            return super().legal(s, side)
        return own_actions(s, side, self._allied_actions(s)) if side in s.waiting else []

    def apply(self, s: S, side: Side, action: Action, *, trusted: bool = False) -> None:
        """Carry out an action of a seat; one of two Allied players may only hand over to the other."""
        if not s.partners:
            super().apply(s, side, action, trusted=trusted)
            return
        if not trusted and (refusal := self.explain(s, side, action)):
            raise IllegalAction(refusal)
        if side == GERMAN or not hands_over(s, side, action, self._allied_actions(s)):
            c = s.frames[-1]
            decision = self.decision(s)
            assert decision is not None
            decision.apply(s, c, rules_side(side), action[0], action[1])
            run(self.tables, s)
        tidy(s)
        self._seat(s)

    def explain(self, s: S, side: Side, action: Action) -> Refusal | None:
        """Why not; 11a also because it concerns the other Allied army."""
        if not s.partners or side == GERMAN or side not in s.waiting:
            return super().explain(s, side, action)
        twin = s.copy()
        twin.waiting = (ALLIED,)
        refusal = super().explain(twin, ALLIED, action)
        return refusal if refusal or own_actions(s, side, [action]) else Refusal("11a", "other-army")

    def _allied_actions(self, s: S) -> list[Action]:
        decision = self.decision(s)
        return decision.legal(s, s.frames[-1], ALLIED) if decision is not None else []

    def _seat(self, s: S) -> None:
        """11a Which of the two Allied players is waited for."""
        if s.partners and s.waiting and s.waiting[0] != GERMAN:
            s.waiting = (seat_for(s, self._allied_actions(s)),)


GAME = Normandie()
