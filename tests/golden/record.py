"""Record golden games: `python -m tests.golden.record GAME [SCENARIO ...] [--seed N] [--steps N]`.

A golden game is a random game kept as a game file in `tests/golden/<game>/`. The suite replays it and compares every
event, die and digest. A change of the rules that moves one says so in its commit, raises the game's `version` where
players may have games in play, and records it again with this command.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

from grognard.games import find_game, playable_names
from grognard.kernel import GrognardError, seed_from
from grognard.kernel.gamefile import save
from grognard.kernel.session import Session
from tests.contract.walk import hopeful

FOLDER = Path(__file__).parent


def record(game_name: str, scenario: str, seed: int, steps: int) -> Path:
    """Play one game at random, by sides that want something, and save it."""
    game = find_game(game_name)
    random = Random(seed)
    session = Session.new(game, scenario, seed=seed_from(f"golden {seed}"), title=f"Golden game {seed} of {scenario}")
    for _ in range(steps):
        actors = game.actors(session.state)
        if not actors:
            break
        side = random.choice(actors)
        action = hopeful(random, game, session.state, side, game.legal(session.state, side))
        session.act(side, game.write(session.state, side, action))
    path = FOLDER / game_name / f"{scenario}-{seed}.txt"
    save(session, path)
    path.chmod(0o644)
    return path


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden.record", description="Record golden games.")
    parser.add_argument("game", choices=playable_names())
    parser.add_argument("scenarios", nargs="*", help="all of them unless told")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=600, help="most actions in one file")
    given = parser.parse_args(words)
    try:
        for scenario in given.scenarios or find_game(given.game).scenarios:
            print(record(given.game, scenario, given.seed, given.steps))
    except GrognardError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
