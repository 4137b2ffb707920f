"""The chances of an action, for whoever is about to decide.

A game's own odds come first. Where an action only opens a battle, they are those of what follows once all who can join
have joined. Where dice fall and the game has no law of its own, the losses are counted over what the dice can bring, on
positions that the side could not tell from the true one: exactly where nothing is hidden and the dice are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from grognard.ai.aftermath import TooMany, steps_of
from grognard.ai.greedy import same_but_for_dice
from grognard.kernel.dice import EXPLORING, NeedDie, explore, seed_from
from grognard.kernel.flow import Action, Order
from grognard.kernel.record import REFEREE, Side
from grognard.kernel.session import Session
from grognard.odds.law import law_of

Json = dict[str, Any]
JOINERS = 16  # pieces that are thought to join
EXACT = 100  # runs of the rules for an exact law
SAMPLES = 16
ON_THE_BOARD = ("at", "place", "hex")


def chances(session: Session, side: Side, order: Order, after: Sequence[Order] = ()) -> Json | None:
    """What hangs on an order that is legal, or legal after some others; None if no dice do."""
    game = session.game
    s = session.state if not after else foregone(session, side, after)
    if s is None or game.why(s, side, order) is not None:
        return None
    action = game.read(s, side, order)
    found = game.odds(s, side, action)
    if found:
        return found
    twin = game.redeal(s, side, seed_from(f"{session.luck(side)} chances"))
    then = undiced(session, twin, side, action)
    if then is None:
        return losses(session, s, side, action)
    return with_all(session, then, side) if len(then.frames) > len(s.frames) else None


def foregone(session: Session, side: Side, orders: Sequence[Order]) -> Any | None:
    """A position that the side could take for the one after these orders; None if one is refused or needs a die."""
    game = session.game
    s = game.redeal(session.state, side, seed_from(f"{session.luck(side)} chances"))
    for order in orders:
        if game.why(s, side, order) is not None:
            return None
        s = undiced(session, s, side, game.read(s, side, order))
        if s is None:
            return None
    return s


def undiced(session: Session, s: Any, side: Side, action: Action) -> Any | None:
    """The position after an action, if it needs no die."""
    then = s.copy()
    then.seed, then.loaded, then.events = EXPLORING, (), None
    try:
        session.game.apply(then, side, action, trusted=True)
    except NeedDie:
        return None
    return then


def with_all(session: Session, s: Any, side: Side) -> Json | None:
    """The odds of the battle that an action opens, if everything joins that can."""
    game, joined = session.game, []
    for _ in range(JOINERS):
        decision = game.decision(s)
        if decision is None or side not in s.waiting:
            return None
        legal = game.legal(s, side)
        bare = [action for action in legal if decision.verbs[action[0]].told() == "none"]
        pieces = [action for action in legal if decision.verbs[action[0]].told() == "unit"]
        if pieces:
            joined.append(game.write(s, side, pieces[0])[1])
            before, s = s, undiced(session, s, side, pieces[0])
            if s is not None and game.decision(s) is decision and game.legal(s, side) != legal:
                continue
            s = before
            joined.pop()
        answers = [found for action in bare if (found := game.odds(s, side, action))]
        if answers and len(answers) == len(bare):  # else something could be done as well that needs no dice
            return answers[0] | ({"joined": joined} if joined else {})
        return None
    return None


def losses(session: Session, s: Any, side: Side, action: Action) -> Json | None:
    """The law of the steps that each side loses by the dice of an action; None if nobody can lose any."""
    game = session.game
    one, other = (game.redeal(s, side, seed_from(f"{session.luck(side)} {n}")) for n in (1, 2))
    laws = over_all(session, one, side, action) if same_but_for_dice(one, other) else None
    exact = laws is not None
    laws = laws or over_some(session, s, side, action)
    told = {
        game.side_name(who): {str(n): str(p) for n, p in sorted(law.items())}
        for who, law in laws.items()
        if any(n > 0 for n in law)
    }
    open_still = any(len(law) > 1 for law in told.values())
    return {"exact": exact, "losses": told} if open_still else None


def strengths(session: Session, s: Any) -> list[int]:
    """Steps on the board, by side."""
    total = dict.fromkeys(session.game.sides, 0)
    for piece in session.game.pieces(s, REFEREE):
        if piece.get("side") in total and any(piece.get(key) for key in ON_THE_BOARD):
            total[piece["side"]] += steps_of(piece)
    return list(total.values())


def over_all(session: Session, s: Any, side: Side, action: Action) -> dict[Side, dict[int, Fraction]] | None:
    """Over every outcome; None if they are many."""
    runs = 0

    def run(then: Any) -> None:
        nonlocal runs
        runs += 1
        if runs > EXACT:
            raise TooMany
        session.game.apply(then, side, action, trusted=True)

    start = s.copy()
    start.events = None
    before = strengths(session, s)
    try:
        ends = [(chance, strengths(session, then)) for chance, then in explore(start, run)]
    except TooMany:
        return None
    return {i: law_of((chance, max(0, was - now[i])) for chance, now in ends) for i, was in enumerate(before)}


def over_some(session: Session, start: Any, side: Side, action: Action) -> dict[Side, dict[int, Fraction]]:
    """Over samples, each with a deal and dice of its own."""
    lost: list[list[int]] = []
    for number in range(SAMPLES):
        s = session.game.redeal(start, side, seed_from(f"{session.luck(side)} sample {number}"))
        before = strengths(session, s)
        s.events = None
        session.game.apply(s, side, action, trusted=True)
        lost.append([max(0, was - now) for was, now in zip(before, strengths(session, s))])
    share = Fraction(1, SAMPLES)
    return {i: law_of((share, row[i]) for row in lost) for i in range(len(session.game.sides))}
