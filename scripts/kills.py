"""Kill the server hundreds of times while people play, on each database, and with two servers; nothing may be lost.

    GROGNARD_TEST_POSTGRES=postgresql+psycopg://USER@HOST/postgres python scripts/kills.py --rounds 300

Without a PostgreSQL only SQLite is tried. `./test` does the same eight times. Takes about two seconds a round.
`--told FILE` gets a line after every round, so that a run that was stopped still says what it tried; `--only sqlite`,
`postgres` or `two` runs one of the three.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ONLY = {"": "", "sqlite": "no_ack and sqlite", "postgres": "no_ack and postgres", "two": "two_servers and postgres"}


def main() -> None:
    """Run the test of durability with so many rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--told", default="")
    parser.add_argument("--only", choices=sorted(ONLY), default="")
    args = parser.parse_args()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-k", ONLY[args.only]]
    command.append("tests/server/test_durability.py")
    environment = os.environ | {"GROGNARD_KILLS": str(args.rounds), "GROGNARD_KILLS_TOLD": args.told}
    sys.exit(subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode)


if __name__ == "__main__":
    main()
