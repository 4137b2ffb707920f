"""Plays seeded random games of those named, or of all, a line for each: in the pure and in the compiled edition."""

from __future__ import annotations

import hashlib
import sys
from random import Random

import grognard.kernel.record as record
from grognard.games import find_game, playable_names
from grognard.kernel import seed_from

STEPS = 250  # decisions of one game, at most


def main(names: list[str]) -> None:
    print("compiled" if not str(record.__file__).endswith(".py") else "pure")
    for name in names or playable_names():
        game = find_game(name)
        for scenario in game.scenarios:
            for seed in (1, 2):
                s, luck = game.setup(scenario, {}, seed_from(seed)), Random(f"{name} {scenario} {seed}")
                s.events = None
                seen = hashlib.blake2b(digest_size=8)
                for _ in range(STEPS):
                    if not s.waiting:
                        break
                    side = s.waiting[0]
                    legal = game.legal(s, side)
                    seen.update(repr(legal).encode())
                    action = legal[int(luck.random() * len(legal))]
                    if luck.random() < 0.2:
                        s = s.copy()
                        s = game.load(s.to_json())
                    game.apply(s, side, action)
                print(name, scenario, seed, seen.hexdigest(), s.digest(), game.score(s, 0))


if __name__ == "__main__":
    main(sys.argv[1:])
