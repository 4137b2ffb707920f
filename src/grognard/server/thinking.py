"""Thinking that can be watched and stopped: a few shared numbers between the server and the workers that think.

Each piece of thinking has a slot of four numbers: whether to stop, how much is done of how much, and the number of the
best action so far. The worker writes the last three and looks at the first; the server does the reverse.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.ai import Seat, StaffPlayer, Stopped, player_named
from grognard.games import find_game
from grognard.kernel.flow import Action
from grognard.kernel.record import Side

SLOTS = 64  # tables that think at once and can be watched; more think unwatched
STOP, DONE, TOTAL, BEST = range(4)
MEMORY = 3 << 30  # bytes that a worker may ask for

board: Any = None  # in a worker: the shared numbers


class Thought(NamedTuple):
    """What came of it: the action, what the player means to do next until a die falls, dice drawn when it thought.

    `note` is what it wants to be told at its next decision, which another worker may think about.
    """

    action: Action
    plan: list[Action]
    drawn: int
    note: str = ""


def bounded(shared: Any) -> None:
    """Runs in a worker: remember the shared numbers, and never ask for all the memory of the machine."""
    global board  # noqa: PLW0603
    board = shared
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        pass  # a system without such limits


def think(
    game_name: str, position: dict[str, Any], side: Side, level: str, seed: str, slot: int = -1, note: str = ""
) -> Thought:
    """Choose one action; runs in a worker. Told to stop, it gives the best it has, or the plainest."""
    game = find_game(game_name)
    s = game.load(position)
    legal = game.legal(s, side)
    best: list[Action] = []

    def tell(done: int, total: int, action: Action) -> None:
        best[:] = [action]
        if slot >= 0 and board is not None:
            at = 4 * slot
            board[at + DONE], board[at + TOTAL] = done, total
            board[at + BEST] = legal.index(action) if action in legal else -1
            if board[at + STOP]:
                raise Stopped

    try:
        player = player_named(level)
        if isinstance(player, StaffPlayer):
            player.note = note
        choice = player.choose(Seat(game, s, side, seed, tell))
        return Thought(choice.action, choice.plan, s.draws, choice.note)
    except Stopped:
        return Thought(best[0] if best and best[0] in legal else legal[0], [], s.draws, note)


class Slots:
    """The server's end of the shared numbers."""

    def __init__(self, context: Any) -> None:
        self.shared = context.RawArray("q", 4 * SLOTS)
        self.free = list(range(SLOTS))

    def take(self) -> int:
        """A slot for a piece of thinking, or -1 if all are taken."""
        if not self.free:
            return -1
        slot = self.free.pop()
        self.shared[4 * slot : 4 * slot + 4] = [0, 0, 0, -1]
        return slot

    def give_back(self, slot: int) -> None:
        """It has ended."""
        if slot >= 0:
            self.free.append(slot)

    def stop(self, slot: int) -> None:
        """Ask for an end at the next look."""
        if slot >= 0:
            self.shared[4 * slot + STOP] = 1

    def progress(self, slot: int) -> tuple[int, int, int]:
        """Done, in all, and the number of the best action in the legal list (-1: not known yet)."""
        if slot < 0:
            return 0, 0, -1
        _, done, total, best = self.shared[4 * slot : 4 * slot + 4]
        return done, total, best
