"""One door for chance: every die, draw and shuffle of every game comes through here.

Each byte of chance is derived by a keyed hash from the secret seed and a running number kept in the position, so a
finished game can be checked roll by roll by anyone who is given the seed. Before the generator comes a queue of loaded
dice, also in the position: tests play worked examples, players type real dice, `explore` enumerates outcomes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from .errors import GrognardError
from .events import emit
from .record import Side, State

S = TypeVar("S", bound=State)
BLOCK = 64  # bytes of chance per hash
EXPLORING = "?"  # the seed of a position whose dice are being enumerated


class NeedDie(GrognardError):
    """Raised while exploring: the rules want a die with this many faces and the queue is empty."""

    def __init__(self, faces: int) -> None:
        super().__init__(f"a die with {faces} faces is wanted")
        self.faces = faces


def seed_from(number: int | str) -> str:
    """A 32-byte seed, in hexadecimal, from a plain number or word: for tests, self-play and the laboratory."""
    return hashlib.sha256(f"grognard seed {number}".encode()).hexdigest()


def commitment_of(seed: str) -> str:
    """What is published before the first order, so that the seed cannot be changed afterwards."""
    return hashlib.sha256(f"grognard commitment {seed}".encode()).hexdigest()


def mixed_seed(secret: str, game_id: str, entropy: Sequence[str] = ()) -> str:
    """The key of a game's dice: the host's secret, the game's id and whatever words the players add.

    With no id and no words the secret is the key itself.
    """
    if not game_id and not entropy:
        return secret
    message = "\n".join([game_id, *entropy])
    return hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()


@lru_cache(maxsize=4096)
def _block(seed: str, index: int) -> bytes:
    return hashlib.blake2b(index.to_bytes(8, "big"), key=seed.encode()[:64], person=b"grognard dice").digest()


class WrongDie(GrognardError):
    """A loaded die shows what the die that the rules want cannot show."""


def draw(s: State, n: int, *, hidden: bool = False) -> int:
    """A number from 0 to n-1, each equally likely (rejection, no bias). A loaded die d gives d-1.

    A `hidden` draw is none that players could make with dice on the table; it leaves the dice that they typed alone.
    """
    if s.loaded and (not hidden or s.seed == EXPLORING):
        value = s.loaded[0]
        s.loaded = s.loaded[1:]
        if not 1 <= value <= n:
            raise WrongDie(f"a loaded die shows {value} where 1 to {n} is wanted")
        return value - 1
    if s.seed == EXPLORING:
        raise NeedDie(n)
    width = 1 if n <= 256 else 4
    span = 256**width
    if not 0 < n <= span:
        raise GrognardError(f"a number below {n} cannot be drawn; 1 to {256**4} are possible")
    limit = span - span % n
    while True:
        value = 0
        for _ in range(width):
            value = value << 8 | _block(s.seed, s.draws // BLOCK)[s.draws % BLOCK]
            s.draws += 1
        if value < limit:
            if s.drawn is not None:
                s.drawn.append((n, value % n))
            return value % n


def roll(
    s: State,
    rule: str,
    count: int = 1,
    faces: int = 6,
    *,
    side: Side | None = None,
    audience: tuple[Side, ...] | None = None,
) -> tuple[int, ...]:
    """Roll dice under a rule and tell the table."""
    dice = tuple(draw(s, faces) + 1 for _ in range(count))
    emit(s, "roll", rule, audience=audience, dice=dice, faces=faces, side=side)
    return dice


def shuffled(s: State, things: Sequence[Any], *, hidden: bool = False) -> list[Any]:
    """The same things in a random order (Fisher and Yates), through the same door."""
    out = list(things)
    for i in range(len(out) - 1, 0, -1):
        j = draw(s, i + 1, hidden=hidden)
        out[i], out[j] = out[j], out[i]
    return out


def explore(start: S, run: Callable[[S], None]) -> Iterator[tuple[Fraction, S]]:
    """Every outcome of `run` with its exact probability.

    `run` plays on a copy of `start`; whenever it wants a die, all its faces are tried. The positions come out in the
    order of the dice, and their probabilities add up to one.
    """
    pending: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while pending:
        dice, chance = pending.pop()
        s = start.copy()
        s.seed, s.loaded = EXPLORING, dice
        try:
            run(s)
        except NeedDie as need:
            share = chance / need.faces
            pending.extend((dice + (face,), share) for face in range(need.faces, 0, -1))
        else:
            yield chance, s
