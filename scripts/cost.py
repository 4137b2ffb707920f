"""What an action costs at a table with two players watching: processor time by part, without store and sockets.

    python scripts/cost.py bitw SBW3
    python scripts/cost.py --against ../before          # another edition, in alternation with this one

Random legal actions, the same in every run; the rules' own time (check, carry out, legal lists) is told apart from
what the server adds (views, differences, log, sentences, JSON). Only ratios of one run count: a busy machine makes
everything dearer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TITLES = [("bitw", "SBW3"), ("normandie", "campaign"), ("surrender", "two-fronts"), ("picket", "crossing")]
LONGEST = 400  # actions of one game


async def play(name: str, scenario: str, actions: int) -> dict[str, float]:
    """Microseconds an action: in all, and in the rules."""
    from grognard.games import find_game
    from grognard.kernel.game import Game
    from grognard.kernel.session import Session
    from grognard.server import table as tables
    from grognard.server.people import Person

    try:
        from grognard.server.standing import Seat, Watcher
    except ImportError:  # an edition that had all in one module
        Seat, Watcher = tables.Seat, tables.Watcher  # type: ignore[attr-defined,misc]

    spent: dict[str, int] = {"rules": 0, "views": 0}
    open_parts: list[int] = []

    def counted(owner: Any, method: str, part: str) -> None:
        call = getattr(owner, method)

        def timed(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time_ns()
            open_parts.append(0)
            try:
                return call(*args, **kwargs)
            finally:
                took = time.process_time_ns() - start
                spent[part] += took - open_parts.pop()
                if open_parts:
                    open_parts[-1] += took

        setattr(owner, method, timed)

    game, luck = find_game(name), random.Random(1)
    counted(Session, "act", "rules")
    counted(Game, "orders", "rules")
    for kind in type(game).__mro__:
        if "view" in vars(kind):
            counted(kind, "view", "views")
            break

    async def record(change: Any) -> None:
        return None

    whole, done, number = 0, 0, 0
    while done < actions:
        number += 1
        session = Session.new(game, scenario, seed=f"cost{number}")
        me = Person("me", "me", "Me")
        seats = [Seat(side, "human", "me", "Me") for side in game.playing(session.state)]
        table = tables.Table("t", "t", session, seats, 0, {}, record)
        said: dict[int, bytes] = {}
        for side in game.playing(session.state)[:2]:
            watcher = Watcher(me, partial(said.__setitem__, side), side)
            table.watchers.add(watcher)
            watcher.send(table.state_for(watcher, 0))
        for _ in range(LONGEST):
            if session.result is not None or done == actions:
                break
            side = session.state.waiting[0]
            latest = json.loads(said[side]) if side in said else {"legal": game.orders(session.state, side)}
            verb, target = luck.choice(latest["legal"])
            start = time.process_time_ns()
            await table.act(me, side, (verb, target), table.version)
            whole += time.process_time_ns() - start
            done += 1
    told = {part: took / actions / 1000 for part, took in spent.items()}
    return {"whole": whole / actions / 1000} | told


def run(edition: Path, name: str, scenario: str, actions: int) -> dict[str, float]:
    """The same in a process of its own, with that edition's program."""
    command = [sys.executable, __file__, name, scenario, "--actions", str(actions), "--here"]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(edition / "src")}, check=True, capture_output=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure one title or all, this edition or two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("scenario", nargs="?", default="")
    parser.add_argument("--actions", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        print(json.dumps(asyncio.run(play(args.game, args.scenario, args.actions))))
        return
    titles = [title for title in TITLES if args.game in (None, title[0])]
    if args.scenario:
        titles = [(args.game, args.scenario)]
    editions = [ROOT] if args.against is None else [args.against.resolve(), ROOT]
    for name, scenario in titles:
        found: list[list[dict[str, float]]] = [[] for _ in editions]
        for _ in range(args.rounds):
            for edition, rows in zip(editions, found):
                rows.append(run(edition, name, scenario, args.actions))
        outside = [[row["whole"] - row["rules"] for row in rows] for rows in found]
        for edition, rows, more in zip(editions, found, outside):
            whole, rules, views = (statistics.median(row[part] for row in rows) for part in ("whole", "rules", "views"))
            told = f"{whole:.0f} us, rules {rules:.0f}, views {views:.0f}, the rest {whole - rules - views:.0f}"
            print(f"{name} {scenario} ({edition.name}): {told}; outside the rules {statistics.median(more):.0f}")
        if len(editions) == 2:
            each = [statistics.median(row["whole"] for row in rows) for rows in found]
            ratios = each[1] / each[0], statistics.median(outside[1]) / statistics.median(outside[0])
            print(f"{name} {scenario}: ratio {ratios[0]:.2f} in all, {ratios[1]:.2f} outside the rules")


if __name__ == "__main__":
    main()
