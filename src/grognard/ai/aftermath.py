"""The report after a game: how it stood at each entry, what the dice gave, what turned it, which decisions cost much.

A position is worth the chance of winning where one was fitted (`data/chance.toml`), else what the computer's plain
judgement says; the report names which. Luck is what came less what was to be expected: exactly, over every outcome of
the dice, where these are few enough, else over samples. A decision is judged from what its side could know, with other
dice. Work is counted in positions, never in seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.player import Seat
from grognard.ai.value import chance_at, fitted
from grognard.kernel.dice import explore, seed_from
from grognard.kernel.flow import Action
from grognard.kernel.game import Game
from grognard.kernel.record import REFEREE, Side, State
from grognard.kernel.session import TABLE, Entry, Session

Json = dict[str, Any]
Tell = Callable[[int, int], None]
EXACT = 20_000  # positions for exact expectations in one report, those of the fewest dice first
SAMPLES = 24
DEALS = 4
MOST_ROLLS = 240  # actions with dice that are weighed; of more those that moved the game most
MOST_JUDGED = 48  # decisions that are judged
POINTS = 240  # of a curve
TOLD = 8  # of each list
APART = 4  # entries between two turning points
LEAST = (3, 4)  # what a decision must cost to be told: hundredths of a win; hundredths of the game's span of judgement


class TooMany(Exception):
    """More outcomes than are looked at."""


class Reader:
    """One finished game, entry by entry."""

    def __init__(self, session: Session, tell: Tell | None = None) -> None:
        self.session, self.game, self.tell = session, session.game, tell
        self.chance = session.header.scenario in fitted(session.game.name)
        self.sides = [side for side in self.game.playing(session.state) if side >= 0]
        self.done = self.total = 0
        self.before: dict[int, State] = {}  # positions before the entries that are looked at again
        self.worths: list[list[float]] = []  # by entry, by side
        self.cap = 0.0  # the most that an end is worth, where ends are judged by points

    def worth(self, s: Any, side: Side) -> float:
        """What a position is worth to a side: hundredths of a win, or points of judgement."""
        if self.chance:
            first = chance_at(self.game, s)
            value = 50.0 if first is None else 100 * first
            return value if side == self.sides[0] else 100 - value
        score = float(self.game.score(s, side))
        return max(-self.cap, min(self.cap, score)) if s.outcome else score

    def step(self, by: int = 1) -> None:
        """So much more is done."""
        self.done += by
        if self.tell is not None:
            self.tell(self.done, max(self.total, self.done))

    # Reading

    def read(self, people: Iterable[Side]) -> Json:
        """The whole report; `people` are the sides whose decisions are judged."""
        entries = self.session.entries
        mine = set(people)
        self.total = len(entries) + MOST_ROLLS + 4 * MOST_JUDGED
        strength, turns = self._walk()
        span = self._span()
        self.cap = 1.2 * max(abs(value) for row in self.worths for value in row)
        rolled = [n for n, entry in enumerate(entries, 1) if entry.side != TABLE and entry.drawn[1]]
        rolls = self._luck(sorted(self._most_moving(rolled, MOST_ROLLS)))
        self.done = max(self.done, len(entries) + MOST_ROLLS)
        judged = self._judge_all([n for n, entry in enumerate(entries, 1) if entry.side in mine])
        least = LEAST[0] if self.chance else span * LEAST[1] / 100
        names = [self.game.side_name(side) for side in self.sides]
        luck = dict.fromkeys(names, 0.0)
        for roll in rolls:
            for name, value in zip(names, roll["by_side"]):
                luck[name] += value
        costly = sorted((j for j in judged if j["cost"] >= least), key=lambda j: -j["cost"])
        return {
            "measure": "chance" if self.chance else "score",
            "sides": names,
            "entries": len(entries),
            "span": round(span, 1),
            "curve": self._curve(turns),
            "strength": strength,
            "luck": {name: round(value, 1) for name, value in luck.items()},
            "rolls": sorted(rolls, key=lambda r: -abs(r["luck"]))[:TOLD],
            "weighed": [len(rolls), len(rolled), sum(1 for r in rolls if r["exact"])],
            "dice": self._dice(),
            "turning": self._turning(),
            "costly": costly[:TOLD],
            "judged": len(judged),
        }

    def _walk(self) -> tuple[list[Json], list[int]]:
        """Every position once: its worth, the strength of the sides at each turn, the turn of each entry."""
        s = self.session.position(0)
        self.worths = [[self.worth(s, side) for side in self.sides]]
        turns, strength = [self.game.clock(s)], [self._strength(0, s)]
        wanted = {n for n, e in enumerate(self.session.entries, 1) if e.side != TABLE}
        for n in range(1, len(self.session.entries) + 1):
            after = self.session.after(s, n)
            if n in wanted:
                self.before[n] = s
            ended = after.outcome and not self.chance  # the prize of an end would dwarf all that led to it
            self.worths.append(self.worths[-1] if ended else [self.worth(after, side) for side in self.sides])
            turns.append(self.game.clock(after) if not after.outcome else turns[-1])
            if turns[-1] != turns[-2] or n == len(self.session.entries):
                strength.append(self._strength(n, after if not after.outcome else s))
            s = after
            self.step()
        return strength, turns

    def _strength(self, n: int, s: Any) -> Json:
        return {"n": n, "turn": self.game.clock(s), "sides": strength_of(self.game, s, self.sides)}

    def _span(self) -> float:
        """From the worst to the best that the first side stood."""
        first = [row[0] for row in self.worths]
        return max(1.0, max(first) - min(first))

    def _curve(self, turns: list[int]) -> list[Json]:
        """Some of the points; the last one always."""
        last = len(self.worths) - 1
        step = max(1, -(-last // POINTS))
        chosen = sorted({*range(0, last + 1, step), last})
        return [{"n": n, "turn": turns[n], "values": [round(v, 1) for v in self.worths[n]]} for n in chosen]

    def _moved(self, n: int) -> float:
        """How far an entry moved the game, for the first side."""
        return self.worths[n][0] - self.worths[n - 1][0]

    def _most_moving(self, numbers: list[int], most: int) -> list[int]:
        return sorted(numbers, key=lambda n: -abs(self._moved(n)))[:most]

    def _turning(self) -> list[Json]:
        """Where it moved most, not all in one place."""
        found: list[int] = []
        for n in self._most_moving(list(self.before), len(self.before)):
            if len(found) == TOLD or not self._moved(n):
                break
            if all(abs(n - other) >= APART for other in found):
                found.append(n)
        return [
            {"n": n, "side": self._side(n), "moved": round(self._moved(n), 1), "dice": bool(self._entry(n).drawn[1])}
            for n in sorted(found)
        ]

    def _entry(self, n: int) -> Entry:
        return self.session.entries[n - 1]

    def _side(self, n: int) -> str:
        return self.game.side_name(self._entry(n).side)

    # Luck

    def _luck(self, numbers: list[int]) -> list[Json]:
        found = []
        left = EXACT
        for n in sorted(numbers, key=self._outcomes):
            entry, before = self._entry(n), self.before[n]
            action = self.game.read(before, entry.side, entry.action)
            ways = self._outcomes(n)
            expected = self._over_all(before, entry, action, 2 * ways) if 2 * ways <= left else None
            exact = expected is not None
            left -= 2 * ways if 2 * ways <= left else 0
            expected = expected or self._over_some(before, entry, action)
            by_side = [came - meant for came, meant in zip(self.worths[n], expected)]
            own = self.sides.index(entry.side) if entry.side in self.sides else 0
            found.append(
                {
                    "n": n,
                    "side": self._side(n),
                    "luck": round(by_side[own], 1),
                    "by_side": [round(value, 2) for value in by_side],
                    "exact": exact,
                }
            )
            self.step()
        return found

    def _outcomes(self, n: int) -> int:
        """In how many ways the dice of an entry could have fallen."""
        return math.prod(faces for faces, _ in self._entry(n).drawn[1])

    def _over_all(self, before: Any, entry: Entry, action: Action, most: int) -> list[float] | None:
        """The mean worth after an action over all its dice; None if they are more than they seemed."""
        means, runs = [0.0] * len(self.sides), 0

        def run(s: Any) -> None:
            nonlocal runs
            runs += 1
            if runs > most:  # ties that are thrown again have no last outcome
                raise TooMany
            self.game.apply(s, entry.side, action, trusted=True)

        try:
            for chance, s in explore(before, run):
                for i, side in enumerate(self.sides):
                    means[i] += float(chance) * self.worth(s, side)
        except TooMany:
            return None
        return means

    def _over_some(self, before: Any, entry: Entry, action: Action) -> list[float]:
        """The same over samples."""
        totals = [0.0] * len(self.sides)
        for number in range(SAMPLES):
            s = before.copy()
            s.seed, s.loaded = seed_from(f"luck {number} {entry.chain}"), ()
            self.game.apply(s, entry.side, action, trusted=True)
            for i, side in enumerate(self.sides):
                totals[i] += self.worth(s, side) / SAMPLES
        return totals

    def _dice(self) -> list[Json]:
        """What fell, by side (where the rules say who throws) and kind of die: how many, the means."""
        sums: dict[tuple[str, int], list[int]] = {}
        for entry in self.session.entries:
            for event in entry.events:
                if event.kind == "roll":
                    facts = event.to_json(REFEREE)
                    side = facts.get("side")
                    thrower = self.game.sides[side] if isinstance(side, int) and side >= 0 else side or ""
                    sums.setdefault((thrower, facts["faces"]), []).extend(facts["dice"])
        return [
            {"side": side, "faces": faces, "n": len(d), "mean": round(sum(d) / len(d), 2), "expected": (faces + 1) / 2}
            for (side, faces), d in sorted(sums.items())
            if d
        ]

    # Decisions

    def _judge_all(self, numbers: list[int]) -> list[Json]:
        """Of a person's decisions those where something could be decided: the worst first, then some of the others."""
        real = [n for n in numbers if n in self.before and self._decides(n)]
        half = sorted(real, key=self._gain)[: MOST_JUDGED // 2]
        rest = [n for n in real if n not in set(half)]
        room = MOST_JUDGED - len(half)
        step = max(1, -(-len(rest) // room)) if rest else 1
        chosen = sorted({*half, *rest[::step]})
        self.total = self.done + 4 * len(chosen)
        found = []
        for n in chosen:
            found.append(self.judged(n))
            self.step(4)
        return found

    def _decides(self, n: int) -> bool:
        """There was a choice, and more came of it than a piece in hand."""
        entry, before = self._entry(n), self.before[n]
        if len(self.game.legal(before, entry.side)) < 2:
            return False
        return bool(entry.drawn[1]) or self.worths[n] != self.worths[n - 1]

    def _gain(self, n: int) -> float:
        side = self._entry(n).side
        own = self.sides.index(side) if side in self.sides else 0
        return self.worths[n][own] - self.worths[n - 1][own]

    def judged(self, n: int) -> Json:
        """One decision: what the computer would have done, and what that would have brought more, on the mean."""
        entry, before = self._entry(n), self.before[n]
        side, action = entry.side, self.game.read(before, entry.side, entry.action)
        seat = Seat(self.game, before, side, f"judge {n}")
        weighed = [a for a, _ in GreedyPlayer(samples=1).choose(seat).weighed][:3]
        deals = [self.game.redeal(before, side, seed_from(f"judge {n} {d}")) for d in range(DEALS)]
        means = {option: self._mean(deals, side, option) for option in dict.fromkeys([action, *weighed])}
        better = max(means, key=lambda option: means[option])
        cost = means[better] - means[action]
        verb, target = self.game.write(before, side, better)
        return {
            "n": n,
            "side": self.game.side_name(side),
            "cost": round(cost, 1),
            "better": [verb, target],
            "chance": [round(means[action], 1), round(means[better], 1)],
        }

    def _mean(self, deals: list[Any], side: Side, action: Action) -> float:
        total = 0.0
        for deal in deals:
            s = deal.copy()
            self.game.apply(s, side, action, trusted=True)
            total += self.worth(s, side) / len(deals)
        return total


def strength_of(game: Game[Any], s: Any, sides: Iterable[Side]) -> dict[str, int]:
    """Steps on the board, by side."""
    total = dict.fromkeys((game.side_name(side) for side in sides), 0)
    for piece in game.pieces(s, REFEREE):
        side, where = piece.get("side"), next((piece[k] for k in ("at", "place", "hex") if piece.get(k)), None)
        if side in total and isinstance(where, str):
            total[side] += steps_of(piece)
    return total


def steps_of(piece: Json) -> int:
    """How many losses a piece can take; one where it does not say."""
    steps = piece.get("steps")
    if isinstance(steps, int):
        return steps
    return 2 - int(bool(piece["reduced"])) if "reduced" in piece else 1


def report(session: Session, people: Iterable[Side], tell: Tell | None = None) -> Json:
    """The report of a finished game."""
    return Reader(session, tell).read(people)
