"""A book of golden games: many short recordings of one system in one compressed text.

    > crossing fog=off players=2 | golden 7 | any_verb
    red pledge 2
    blue pledge 1
    = 3fd0c2a9b1e87654

A head line (scenario and options, the seed, how it was played), the orders, and every so often the chain: a digest of
all positions so far. A replay that gives another chain has strayed since the chain before.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grognard.kernel import Game, seed_from

EVERY = 20  # actions between two chains


@dataclass
class Golden:
    """One recorded game."""

    scenario: str
    options: dict[str, str]
    seed: str
    way: str
    orders: list[tuple[str, str, str]] = field(default_factory=list)  # side, verb, word
    chains: list[str] = field(default_factory=list)  # after every EVERY orders, and at the end

    @property
    def name(self) -> str:
        return f"{self.scenario}-{self.seed.rsplit(' ', 1)[-1]}"

    def setup(self, game: Game[Any]) -> Any:
        """The position before the first order."""
        return game.setup(self.scenario, self.options, seed_from(self.seed))

    def text(self) -> str:
        """The lines of the book."""
        options = "".join(f" {key}={value}" for key, value in sorted(self.options.items()))
        lines = [f"> {self.scenario}{options} | {self.seed} | {self.way}"]
        chains = iter(self.chains)
        for number, order in enumerate(self.orders, 1):
            lines.append(" ".join(order).rstrip())
            if number % EVERY == 0 or number == len(self.orders):
                lines.append(f"= {next(chains)}")
        return "\n".join(lines) + "\n"


def chained(before: str, line: str, s: Any) -> str:
    """The next link."""
    return hashlib.blake2b(f"{before}\n{line}\n{s.digest()}".encode(), digest_size=8).hexdigest()


def replayed(game: Game[Any], golden: Golden) -> Iterator[str]:
    """Play a recording again, every order checked by the rules; gives the chains, each when it is due."""
    s = golden.setup(game)
    chain = chained("", "", s)
    for number, (side, verb, word) in enumerate(golden.orders, 1):
        s.events = []
        game.obey(s, game.side_named(side), (verb, word))
        chain = chained(chain, f"{side} {verb} {word}", s)
        if number % EVERY == 0 or number == len(golden.orders):
            yield chain


def read_book(path: Path) -> list[Golden]:
    """Every game of a book."""
    found: list[Golden] = []
    for line in lzma.decompress(path.read_bytes()).decode().splitlines():
        if line.startswith("> "):
            head, seed, way = line[2:].split(" | ")
            scenario, *options = head.split(" ")
            found.append(Golden(scenario, dict(word.split("=", 1) for word in options), seed, way))  # type: ignore[misc]
        elif line.startswith("= "):
            found[-1].chains.append(line[2:])
        else:
            side, verb, *word = line.split(" ", 2)
            found[-1].orders.append((side, verb, word[0] if word else ""))
    return found


def write_book(path: Path, games: list[Golden]) -> None:
    """One text, compressed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress("".join(golden.text() for golden in games).encode(), preset=9))
