"""Record golden games: `python -m tests.golden.record [GAME ...]`, all of them unless told.

Golden games pin the behaviour of a whole system: the suite replays them and compares the positions. Each system has a
book of short games over all scenarios and options (`<game>/book.xz`, see `book.py`), played by a seeded mixture of
random and guided play, and a few readable ones (`<game>/<scenario>-<seed>.txt`) whose events and dice are compared too.
A change of the rules that moves one says so in its commit, raises the game's `version` where players may have games in
play, and records them again with this command; equal sources give equal books.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from typing import Any

from grognard.games import find_game, playable_names
from grognard.kernel import Game, GrognardError, seed_from, settled
from grognard.kernel.gamefile import save
from grognard.kernel.session import Session
from grognard.lab.guided import Explorer, Pick, any_action, any_verb, guided_pick, hopeful
from tests.golden.book import EVERY, Golden, chained, write_book

FOLDER = Path(__file__).parent
GAMES = 28  # in a book
WAYS = {"any_action": 400, "any_verb": 1200, "hopeful": 400, "guided": 400}  # how they are played, and how far at most
READABLE = {  # scenarios and seeds of the readable ones
    "bitw": ("SBW1 1", "SBW2 1", "SBW3 1", "SBW5 1"),
    "normandie": ("cherbourg 1", "cobra 1", "campaign 1"),
    "picket": ("crossing 2", "crossing 7", "raid 1"),
    "surrender": ("fall-gelb 4", "channel 4", "atlantic 4"),
}
STEPS = 240  # most actions in a readable one


def plan(game: Game[Any], games: int = GAMES) -> list[Golden]:
    """Which games a book holds: every scenario as it is and with every value of every option, played in every way."""
    found = []
    ways = list(WAYS)
    switched = 0
    for number in range(games):
        scenario = game.scenarios[number % len(game.scenarios)]
        turn = number // len(game.scenarios)
        options: dict[str, str] = {}
        if turn % 2:  # every second round of the scenarios with options, each value of each in its turn
            options = {
                o.name: o.choices[(switched // (2 if o.needs else 1) + place) % len(o.choices)]
                for place, o in enumerate(game.options)
            }  # what needs another option changes half as often, so that each value meets the other one on
            switched += 1
            options = settled(game.options, options)
        found.append(
            Golden(scenario, options, f"golden {number}", ways[(number % len(game.scenarios) + turn) % len(ways)])
        )
    return found


def ways_of(golden: Golden, game: Game[Any]) -> Pick:
    """The way of choosing by its name."""
    if golden.way == "guided":
        return guided_pick(Explorer(game, golden.seed))
    return {"any_action": any_action, "any_verb": any_verb, "hopeful": hopeful}[golden.way]


def record(game: Game[Any], golden: Golden) -> Golden:
    """Play one game of the plan and write its orders down."""
    random = Random(f"{game.name} {golden.seed}")
    pick = ways_of(golden, game)
    s: Any = golden.setup(game)
    s.events = None
    chain = chained("", "", s)
    for _ in range(WAYS[golden.way]):
        if not s.waiting:
            break
        side = random.choice(s.waiting)
        action = pick(random, game, s, side, game.legal(s, side))
        verb, word = game.write(s, side, action)
        golden.orders.append((game.side_name(side), verb, word))
        game.apply(s, side, action)
        chain = chained(chain, " ".join(golden.orders[-1]), s)
        if len(golden.orders) % EVERY == 0:
            golden.chains.append(chain)
    if len(golden.orders) % EVERY:
        golden.chains.append(chain)
    return golden


def readable(game: Game[Any], scenario: str, seed: int, steps: int = STEPS) -> Path:
    """Play one game by sides that want something, and save it as a game file."""
    random = Random(seed)
    session = Session.new(game, scenario, seed=seed_from(f"golden {seed}"), title=f"Golden game {seed} of {scenario}")
    for _ in range(steps):
        actors = game.actors(session.state)
        if not actors:
            break
        side = random.choice(actors)
        action = hopeful(random, game, session.state, side, game.legal(session.state, side))
        session.act(side, game.write(session.state, side, action))
    path = FOLDER / game.name / f"{scenario}-{seed}.txt"
    save(session, path)
    path.chmod(0o644)
    return path


def record_all(name: str, games: int = GAMES) -> list[Path]:
    """The book and the readable games of one system."""
    game = find_game(name)
    book = FOLDER / name / "book.xz"
    write_book(book, [record(game, golden) for golden in plan(game, games)])
    paths = [book]
    for words in READABLE.get(name, ()):
        scenario, seed = words.split()
        paths.append(readable(game, scenario, int(seed)))
    return paths


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden.record", description="Record golden games.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all of them unless told")
    given = parser.parse_args(words)
    try:
        for name in given.games or playable_names():
            for path in record_all(name):
                print(path, f"{path.stat().st_size:,} bytes")
    except GrognardError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
