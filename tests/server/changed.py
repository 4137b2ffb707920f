"""`grognard` with another Picket: `GROGNARD_TEST_CHANGE` is `version` (only its number changes) or `rule`."""

from __future__ import annotations

import os
from typing import Any

from grognard.cli.main import main
from grognard.games import find_game


def change(what: str) -> None:
    """Raise the version; with `rule`, also play otherwise: every position counts one more draw."""
    game: Any = find_game("picket")
    kind = type(game)
    kind.version += 1
    if what == "rule":
        begin = kind.begin

        def begin_otherwise(self: Any, s: Any) -> None:
            begin(self, s)
            s.draws += 1

        kind.begin = begin_otherwise


change(os.environ["GROGNARD_TEST_CHANGE"])
if __name__ == "__main__":  # workers read this file too
    main()
