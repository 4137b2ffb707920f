"""Kill the server hundreds of times while people play, on each database, and with two servers; nothing may be lost.

    GROGNARD_TEST_POSTGRES=postgresql+psycopg://USER@HOST/postgres python scripts/kills.py --rounds 300

Without a PostgreSQL only SQLite is tried. `./test` does the same eight times. Takes about two seconds a round.
`--told FILE` gets a line after every round, so that a run that was stopped still says what it tried; `--only sqlite`,
`postgres` or `two` runs one of the three. Long runs go in pieces, each with a `--seed` of its own on a new database;
`--warm` forks each server from a process that has the program
in memory, which spares nothing but the reading of it; `--count FILE` adds up what the lines of a file tell.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ONLY = {"": "", "sqlite": "no_ack and sqlite", "postgres": "no_ack and postgres", "two": "two_servers and postgres"}


LINE = re.compile(r"(.+): (\d+) kills, (\d+) actions acknowledged, none lost")


def added_up(lines: list[str]) -> dict[str, tuple[int, int, int]]:
    """Pieces, kills and acknowledged actions by what was run; the last line of a piece counts."""
    total: dict[str, tuple[int, int, int]] = {}
    last: dict[str, tuple[int, int]] = {}
    for line in lines:
        found = LINE.fullmatch(line.strip())
        if found is None:
            continue
        what, kills, actions = found[1], int(found[2]), int(found[3])
        pieces, before, acknowledged = total.get(what, (0, 0, 0))
        if kills == 1:
            last[what] = 0, 0
            pieces += 1
        total[what] = pieces, before + kills - last[what][0], acknowledged + actions - last[what][1]
        last[what] = kills, actions
    return total


def main() -> None:
    """Run the test of durability with so many rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--told", default="")
    parser.add_argument("--only", choices=sorted(ONLY), default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0, help="make an end after so long")
    parser.add_argument("--warm", action="store_true", help="fork the servers from a process that has all imported")
    parser.add_argument("--count", type=Path)
    args = parser.parse_args()
    if args.count:
        for what, (pieces, kills, actions) in added_up(args.count.read_text("utf-8").splitlines()).items():
            print(f"{what}: {kills} kills in {pieces} pieces, {actions} actions acknowledged, none lost")
        return
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-k", ONLY[args.only]]
    command.append("tests/server/test_durability.py")
    environment = os.environ | {"GROGNARD_KILLS": str(args.rounds), "GROGNARD_KILLS_TOLD": args.told}
    environment["GROGNARD_KILLS_WARM"] = "1" if args.warm else ""
    environment |= {"GROGNARD_KILLS_SEED": str(args.seed), "GROGNARD_KILLS_SECONDS": str(args.seconds)}
    sys.exit(subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode)


if __name__ == "__main__":
    main()
