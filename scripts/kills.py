"""Kill the server hundreds of times while people play, on each database, and with two servers; nothing may be lost.

    GROGNARD_TEST_POSTGRES=postgresql+psycopg://USER@HOST/postgres python scripts/kills.py --rounds 300

Without a PostgreSQL only SQLite is tried. `./test` does the same eight times. Takes about two seconds a round.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run the test of durability with so many rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    args = parser.parse_args()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "tests/server/test_durability.py", "--durations=0"]
    environment = os.environ | {"GROGNARD_KILLS": str(args.rounds)}
    sys.exit(subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode)


if __name__ == "__main__":
    main()
