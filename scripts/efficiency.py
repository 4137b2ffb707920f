"""How much of its processors a bulk run uses: the same games in one process, in a pool, and on a local Ray cluster.

    python scripts/efficiency.py surrender channel --games 240 --jobs 2

Two figures for each way: *busy*, the processor time that the games took over what the workers had (jobs times the time
on the clock, from the first game sent to the last one back, with the start of the processes but not that of Ray); and
*gain*, the clock of one process over jobs times the clock of many. Busy shows what the laboratory loses; gain also what
two games at once lose on one machine. Both mean something on a quiet machine alone: `load` is what else ran before.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any

from grognard.games import find_game
from grognard.lab.balance import balance_matches
from grognard.lab.run import AHEAD, Here, Pool, Workers, in_order
from grognard.lab.selfplay import Match


def played(workers: Workers, ahead: int, matches: list[Match]) -> tuple[float, float, list[str]]:
    """Seconds on the clock, processor seconds of the games, and the digests of their ends."""
    start, cpu, ends = time.monotonic(), 0.0, []
    for _, games in in_order(workers, ahead, lambda n: [("", matches[n])], lambda _: {}, 0, len(matches)):
        cpu += sum(score.cpu for _, _, score in games)
        ends += [score.digest for _, _, score in games]
    return time.monotonic() - start, cpu, ends


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("game")
    asked.add_argument("scenario")
    asked.add_argument("--level", default="greedy")
    asked.add_argument("--games", type=int, default=240)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--without-ray", action="store_true")
    said = asked.parse_args()
    seats = len(find_game(said.game).sides)
    matches = balance_matches(said.game, said.scenario, said.level, seats, "efficiency", said.games)
    told: dict[str, Any] = {"games": said.games, "jobs": said.jobs, "load": round(os.getloadavg()[0], 2)}
    alone, cpu, right = played(Here(), 1, matches)
    told["one"] = {"clock": round(alone, 1), "busy": round(cpu / alone, 4)}
    ways: list[tuple[str, Any]] = [("pool", lambda: (Pool(said.jobs), AHEAD * said.jobs))]
    if not said.without_ray:
        from grognard.lab.cluster import Cluster

        ways.append(("ray", lambda: (cluster := Cluster("local", said.jobs), cluster.ahead)))
    for name, begin in ways:
        workers, ahead = begin()
        try:
            clock, cpu, ends = played(workers, ahead, matches)
        finally:
            workers.close()
        assert ends == right, f"{name}: other games"
        told[name] = {
            "clock": round(clock, 1),
            "busy": round(cpu / (said.jobs * clock), 4),
            "gain": round(alone / (said.jobs * clock), 4),
        }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
