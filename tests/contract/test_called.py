"""A rule that nothing calls is not played, whatever its own test says: every function of a game is used by the game."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from grognard.games import playable_names
from tests.conftest import SOURCE

from .exceptions import UNCALLED

REGISTER = ("answers", "adds", "forbids", "line", "halving")  # decorators that put a function where the game finds it


def uncalled(game: str) -> set[str]:
    """The functions at the top of a game's modules whose name stands nowhere else in the package."""
    folder = SOURCE / "grognard" / "games" / game
    words: Counter[str] = Counter()
    for path in SOURCE.rglob("*.py"):
        words.update(set(re.findall(r"\w+", path.read_text("utf-8"))) if folder not in path.parents else ())
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        words.update(re.findall(r"\w+", text))
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                marks = {ast.unparse(d).partition("(")[0] for d in node.decorator_list}
                if not marks & set(REGISTER):
                    found[node.name] = str(path.relative_to(folder))
    return {f"{path}:{name}" for name, path in found.items() if words[name] == 1}


@pytest.mark.parametrize("game", playable_names())
def test_every_function_of_a_game_is_used(game):
    excused = UNCALLED.get(game, {})
    found = uncalled(game)
    assert found - set(excused) == set(), "nothing calls these: use them, or let them go"
    assert set(excused) - found == set(), "these are called now: take the excuse away"
    assert all(len(reason) > 20 for reason in excused.values())
