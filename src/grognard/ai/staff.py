"""The chief of staff: several manners of fighting the turn, compared by playing it out, and the best one kept.

A large turn has too many moves to search. But a game can play in several *styles* (`Game.styles`, names of minds): bold
or careful, thrifty or not, on one axis or along the whole front. At the start of a turn, and again when dice have
changed it, each style is played out on deals of what the side cannot see, a quick policy for both sides, to the end of
the turn; the field is halved on new deals, the same for all; the winner plays on, one decision at a time.

What was chosen is a short note (`Choice.note`): whoever plays on, in this process or another, reads it and need not
think again. Work is counted in positions.
"""

from __future__ import annotations

from dataclasses import dataclass

from grognard.ai.greedy import GreedyPlayer
from grognard.ai.player import Choice, Seat

LONGEST = 4000  # decisions of a rollout: no turn of ours comes near


@dataclass
class StaffPlayer:
    """Chooses a style for the turn by rollouts. A level is a set of these numbers."""

    mind: str = "front"
    first: int = 2  # deals on which every style is played out; then the better half again on as many, and so on
    last: int = 4  # deals for the last two
    ahead: int = 0  # game turns after the current one that a rollout goes on
    dice: int = 25  # after so many more dice it looks again
    looks: int = 2  # at most so often in a turn
    positions: int = 25_000  # of one look: beyond these it decides
    note: str = ""  # turn, looks, dice drawn at the last look, style

    def choose(self, seat: Seat) -> Choice:
        """Play in the style of the turn; at its start, find it."""
        if len(seat.legal) == 1:
            return Choice(seat.legal[0], [], note=self.note)
        styles = (self.mind, *seat.game.styles)
        deal = seat.sample(0)
        now = seat.game.clock(deal)
        turn, looks, drawn, style = self._read(styles)
        if turn != now:
            looks, style = 0, self.mind
        if len(styles) > 1 and (looks == 0 or (looks < self.looks and deal.draws - drawn >= self.dice)):
            style = self._compare(seat, styles, now)
            looks, drawn = looks + 1, deal.draws
        self.note = f"{now} {looks} {drawn} {style}"
        choice = GreedyPlayer(samples=1, mind=style).choose(seat)
        return Choice(choice.action, choice.weighed, choice.plan, seat.positions, self.note)

    def _read(self, styles: tuple[str, ...]) -> tuple[int, int, int, str]:
        """What the note says; nothing, if it is none of ours."""
        parts = self.note.split()
        if len(parts) == 4 and parts[3] in styles:
            return int(parts[0]), int(parts[1]), int(parts[2]), parts[3]
        return -1, 0, 0, self.mind

    def _compare(self, seat: Seat, styles: tuple[str, ...], now: int) -> str:
        """Sequential halving on common deals: every style still in has seen the same ones."""
        running, sums, deals, done = list(styles), dict.fromkeys(styles, 0), 0, 0
        total = self._rollouts(len(styles))
        plain = GreedyPlayer(samples=1, mind=self.mind).choose(seat).action
        while len(running) > 1:
            for _ in range(self.first if len(running) > 2 else self.last):
                deals += 1
                found = {}
                for style in running:
                    worth = self._play_on(seat, style, deals, now)
                    if worth is None:  # no more work: what was compared on equal terms counts
                        return max(running, key=lambda name: sums[name])
                    found[style] = worth
                    done += 1
                    if seat.tell:
                        seat.tell(done, total, plain)
                for style, worth in found.items():
                    sums[style] += worth
            running.sort(key=lambda name: -sums[name])
            running = running[: fewer(len(running))]
        return running[0]

    def _rollouts(self, running: int) -> int:
        """How many there will be in all."""
        total = 0
        while running > 1:
            total += running * (self.first if running > 2 else self.last)
            running = fewer(running)
        return total

    def _play_on(self, seat: Seat, style: str, number: int, now: int) -> int | None:
        """The turn in this style against the steady player, and what it was worth; nothing if the work ran out."""
        game, s = seat.game, seat.sample(number)
        for step in range(LONGEST):
            if not s.waiting or game.clock(s) > now + self.ahead:
                break
            if seat.positions >= self.positions:
                return None
            side = s.waiting[0]
            inner = Seat(game, s, side, f"{seat.seed} {number} {step}")
            mind = style if same_party(side, seat.side) else self.mind
            action = GreedyPlayer(samples=1, mind=mind).choose(inner).action
            seat.positions += inner.positions + 1  # hints may leave nothing to weigh: the step itself counts
            game.apply(s, side, action, trusted=True)
        return game.mind(self.mind).score(s, seat.side)


def fewer(running: int) -> int:
    """How many go on after a round: half of them, two at the end."""
    return 1 if running <= 2 else max(2, running // 2)


def same_party(a: int, b: int) -> bool:
    """Side 0 stands alone, the others are together, as the ladder counts them."""
    return (a == 0) == (b == 0)
