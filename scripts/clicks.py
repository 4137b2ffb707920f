"""Count the clicks that a turn takes at the table, singly and with gestures: `scripts/clicks.py GAME SCENARIO`.

The computer plays; each of its actions is told as a person with a mouse would do it. Singly, a thing on the board takes
two clicks (look, act), a button one, a forced button none. With gestures a piece and where it goes take two together,
the end of what is in hand goes without saying before the next piece, and what is said once for all takes one. A series
is only counted where the rules themselves would let it run: no die, no reveal, no other side (`kernel/series.py`).
Where a game has a standing answer (`stay-through`: for this battle, `stay-on`: for this round of it), it is counted
once if the computer gave the single one every time.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from grognard.ai import Seat, player_named
from grognard.games import find_game
from grognard.kernel import Order, Side
from grognard.kernel.kinds import Kind
from grognard.kernel.session import Session

MANY = 14  # things of one verb that the table offers to take all at once


class Step:
    """One action, and what the table knew when it was chosen."""

    def __init__(self, session: Session, side: Side, order: Order) -> None:
        game, s = session.game, session.state
        decision = game.decision(s)
        assert decision is not None
        self.side, self.order = side, order
        self.turn = game.clock(s)
        self.asks = f"{s.frames[-1].sequence_name} {s.frames[-1].at()} {type(decision).__name__}"
        self.depth = len(s.frames)
        self.all = game.orders(s, side)
        self.legal = [word for verb, word in self.all if verb == order[0]]
        self.forced = len(game.legal(s, side)) == 1 and not session.can_undo(side)
        self.kind = pointed(decision.verbs[order[0]])
        c: Any = s.frames[-1]
        self.battle = self.turn, side, c.sequence_name, getattr(c, "hex", -1)
        self.round = getattr(c, "round", -1)
        session.act(side, order)
        self.stops = not session.can_undo(side)

    @property
    def clicks(self) -> int:
        """Said alone."""
        if self.kind == "none":
            return 0 if self.forced else 1
        return 2 if self.kind in ("hex", "unit", "side", "area", "point") else 1


def pointed(kind: Kind) -> str:
    """The kind of thing that one points at."""
    told: Any = kind.told()
    while isinstance(told, dict):
        told = told["first"]
    return str(told)


def played(name: str, scenario: str, level: str, turns: int, seed: str) -> list[Step]:
    """Some turns by the computer."""
    game = find_game(name)
    session = Session.new(game, scenario, {}, seed=seed)
    player, first, steps = player_named(level), game.clock(session.state), []
    while session.state.waiting and game.clock(session.state) < first + turns:
        side = session.state.waiting[0]
        choice = player.choose(Seat(game, session.state, side, session.luck(side)))
        steps.append(Step(session, side, game.write(session.state, side, choice.action)))
    return steps


def meant(steps: list[Step]) -> list[Step]:
    """Without pieces that were picked up and laid down again where they were: only a program does that."""
    out: list[Step] = []
    for step in steps:
        last = out[-1] if out else None
        lays = last is not None and last.kind == "unit" and step.kind == "none" and last.side == step.side
        if last is not None and lays and step.depth > last.depth and not last.stops:
            out.pop()
        else:
            out.append(step)
    return out


def said_at_once(steps: list[Step]) -> list[Step]:
    """Without the answers that a standing one has given: `VERB-through` for the battle, else `VERB-on`."""
    for how, period in (("through", lambda step: step.battle), ("on", lambda step: (step.battle, step.round))):
        answers: dict[Any, list[Step]] = {}
        for step in steps:
            if any("-through" in verb for verb, _ in step.all):
                answers.setdefault(period(step), []).append(step)
        covered: set[int] = set()
        for asked in answers.values():
            first = asked[0]
            offered = any(verb == f"{first.order[0]}-{how}" for verb, _ in first.all)
            if offered and all(step.order[0] == first.order[0] for step in asked):
                covered.update(id(step) for step in asked[1:])
        steps = [step for step in steps if id(step) not in covered]
    return steps


def by_gestures(steps: list[Step]) -> list[tuple[Step, int]]:
    """Each gesture with its first action and its clicks."""
    out: list[tuple[Step, int]] = []
    i = 0
    while i < len(steps):
        length, clicks = gesture(steps, i)
        out.append((steps[i], clicks))
        i += length
    return out


def gesture(steps: list[Step], i: int) -> tuple[int, int]:
    """How many actions from here go into one gesture, and its clicks."""
    step = steps[i]
    run = 1
    while i + run < len(steps) and goes_on(steps[i + run - 1], steps[i + run]):
        run += 1
    if step.kind == "none" and run > 1:
        return run, 1
    if step.kind != "none" and 1 < len(step.legal) == run <= MANY:
        return run, 1
    if (often := as_often(steps, i, run)) > 1:
        return often, 2
    at = i
    if step.kind == "none" and not step.stops and i + 1 < len(steps):  # lays down what is in hand
        after = steps[i + 1]
        if after.side == step.side and after.kind == "unit" and after.depth < step.depth:
            at = i + 1
    pick = steps[at]
    if pick.kind == "unit" and not pick.stops and at + 1 < len(steps):
        then = steps[at + 1]
        if then.side == pick.side and then.order not in pick.all and then.kind in ("hex", "area", "point", "unit"):
            return at + 2 - i, 2
    return (at + 1 - i, 2) if at > i else (1, step.clicks)


def as_often(steps: list[Step], i: int, run: int) -> int:
    """How often from here one thing is done to one unit until it cannot be done any more; 0 if it still could."""
    often = 1
    while often < run and steps[i + often].order == steps[i].order:
        often += 1
    after = steps[i + often] if i + often < len(steps) else None
    goes_further = after is not None and after.asks == steps[i].asks and steps[i].order in after.all
    return 0 if goes_further or steps[i].kind != "unit" else often


def goes_on(last: Step, step: Step) -> bool:
    """Would a series run from one action to the other?"""
    same = last.order[0] == step.order[0] and last.asks == step.asks and last.side == step.side and not last.stops
    return same and (step.kind == "none" or step.order[1] in last.legal)


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("scenario")
    parser.add_argument("--level", default="greedy")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--seed", default="clicks")
    parser.add_argument("--rows", type=int, default=0, help="tell the questions that take most clicks")
    words = parser.parse_args()
    game = find_game(words.game)
    steps = meant(played(words.game, words.scenario, words.level, words.turns, words.seed))
    decisions, before, after = Counter[tuple[int, str]](), Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for step in steps:
        key = step.turn, game.side_name(step.side)
        decisions[key] += 1
        before[key] += step.clicks
    asked, told = Counter[str](), Counter[str]()
    for step in steps:
        asked[f"{step.asks} {step.order[0]}"] += 1
    for step, clicks in by_gestures(said_at_once(steps)):
        after[step.turn, game.side_name(step.side)] += clicks
        told[f"{step.asks} {step.order[0]}"] += clicks
    print(f"{words.game} {words.scenario}, level {words.level}, seed {words.seed}")
    print("turn side        decisions  singly  gestures   saved")
    for key, total in sorted(before.items()):
        saved = 100 * (total - after[key]) // max(1, total)
        print(f"{key[0]:4} {key[1]:11} {decisions[key]:9} {total:7} {after[key]:9} {saved:6} %")
    total = sum(before.values())
    print(
        f"in all                       {total:7} {sum(after.values()):9} {100 - 100 * sum(after.values()) // total:6} %"
    )
    for row, clicks in told.most_common(words.rows):
        print(f"{row:55} {asked[row]:5} decisions {clicks:5} clicks")


if __name__ == "__main__":
    main()
