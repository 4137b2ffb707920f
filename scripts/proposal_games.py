"""The table of games in `docs/blitzkrieg-proposals.md`: `python scripts/proposal_games.py STORE`."""

from __future__ import annotations

import sys
from pathlib import Path

from grognard.lab.measures import value_of
from grognard.lab.report import Answer, answers
from grognard.lab.selfplay import Score
from grognard.lab.stats import mean_interval
from grognard.lab.store import Results, score_of

HEAD = (
    *("proposal", "scenarios", "measure", "touched", "on less off"),
    *("Allied points", "turns", "decisions", "left, Allies / Axis"),
)
BESIDES = (("points", "allies"), ("turns", ""), ("decisions", ""), ("fact:steps.allies", ""), ("fact:steps.axis", ""))


def number(value: float, places: int = 2) -> str:
    """With a sign that is a minus."""
    return f"{value:+.{places}f}".replace("-", "−")


def told(values: tuple[float, float, float], places: int = 2) -> str:
    """An estimate and its interval."""
    mean, low, high = (number(value, places) for value in values)
    return f"{mean} [{low}; {high}]"


def row(store: Results, answer: Answer) -> str:
    """One proposal."""
    plan = answer.plan
    pairs: dict[int, dict[str, Score]] = {}
    for game in store.games(answer.run):
        pairs.setdefault(game["pair"], {})[game["arm"]] = score_of(game)
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    besides = []
    for name, side in BESIDES:
        values = [value_of(plan.game, p["on"], name, side) - value_of(plan.game, p["off"], name, side) for p in whole]
        by = 100 if name == "points" else 1
        mean, low, high = mean_interval([value * by for value in values])
        besides.append(told((mean, low, high), 1 if name == "points" else 2))
    cells = [
        plan.name.removesuffix(".toml"),
        ", ".join(plan.scenarios),
        plan.experiment.measure.name,
        f"{answer.state.touched} of {answer.state.walk.pairs}",
        told((answer.state.walk.mean, *answer.state.walk.interval())),
        *besides[:3],
        f"{besides[3]} / {besides[4]}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    results = Results(Path(sys.argv[1]))
    found = answers(results)
    print(f"| {' | '.join(HEAD)} |")
    print("|---" * len(HEAD) + "|")
    for answer in found:
        print(row(results, answer))
    print(sum(answer.state.games for answer in found), "games", file=sys.stderr)
