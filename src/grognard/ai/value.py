"""The chance of winning: a fitted curve over a game's terms and its clock, whole numbers, by scenario.

`grognard train` writes `data/chance.toml`: for each scenario the weights, in thousandths, of a constant, of each term
(by its scale), of how much of the game is over, and of the products of both; with the command, the seeds and how well
it held on games kept back.
"""

from __future__ import annotations

import math
import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

from grognard.kernel.dice import seed_from
from grognard.kernel.game import Game
from grognard.kernel.record import Side

DEALS = 3  # of what is hidden, for the chance of a side that plays


@lru_cache(maxsize=64)
def fitted(game: str) -> dict[str, dict[str, Any]]:
    """What is on record, by scenario."""
    try:
        text = resources.files(f"grognard.games.{game}").joinpath("data").joinpath("chance.toml").read_text("utf-8")
    except (FileNotFoundError, ModuleNotFoundError):
        return {}
    return {row["scenario"]: row for row in tomllib.loads(text).get("fit", ())}


def features(terms: dict[str, int], scales: dict[str, int], clock: int, span: tuple[int, int]) -> list[float]:
    """A constant, the terms by their scales, the share of the game that is over, and the products of both."""
    first, last = span
    over = min(1.0, max(0.0, (clock - first) / max(1, last - first)))
    x = [max(-4.0, min(4.0, terms.get(name, 0) / scale)) for name, scale in scales.items()]
    return [1.0, *x, over, *(value * over for value in x)]


def chance_at(game: Game[Any], s: Any) -> float | None:
    """The chance, 0 to 1, that the first side wins from this very position; None where nothing was fitted."""
    if s.outcome:
        return 0.5 if s.outcome[0] < 0 else float(s.outcome[0] == 0)
    fit = fitted(game.name).get(s.scenario)
    if fit is None:
        return None
    row = features(game.terms(s), fit["scales"], game.clock(s), (fit["first"], fit["last"]))
    return logistic(sum(w * x for w, x in zip(fit["weights"], row)) / 1000)


def chance(game: Game[Any], s: Any, side: Side, seed: str = "chance") -> int | None:
    """The chance in hundredths that a side wins, from what it may know: the mean over a few deals."""
    found = [chance_at(game, game.redeal(s, side, seed_from(f"{seed} {n}"))) for n in range(DEALS if game.fog else 1)]
    known = [value for value in found if value is not None]
    if not known:
        return None
    mean = sum(known) / len(known)
    first = side == 0 or game.winner_over(s, side) == game.winner_over(s, 0)
    return round(100 * (mean if first else 1 - mean))


def logistic(x: float) -> float:
    """The curve from never to always."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))


def fit(rows: list[list[float]], wins: list[float], ridge: float = 3.0, rounds: int = 12) -> list[float]:
    """Weights by Newton's method; the ridge keeps few games from saying too much. The constant is free."""
    size = len(rows[0])
    weights = [0.0] * size
    for _ in range(rounds):
        slope = [-(ridge if i else 0.01) * w for i, w in enumerate(weights)]
        curve = [[(ridge if i else 0.01) * (i == j) for j in range(size)] for i in range(size)]
        for row, won in zip(rows, wins):
            p = logistic(sum(w * x for w, x in zip(weights, row)))
            for i, x in enumerate(row):
                slope[i] += (won - p) * x
                for j, y in enumerate(row):
                    curve[i][j] += p * (1 - p) * x * y
        step = solve(curve, slope)
        weights = [w + d for w, d in zip(weights, step)]
        if max(abs(d) for d in step) < 1e-6:
            break
    return weights


def solve(a: list[list[float]], b: list[float]) -> list[float]:
    """Gauss, with the largest pivot."""
    n = len(b)
    m = [[*row, value] for row, value in zip(a, b)]
    for i in range(n):
        best = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[best] = m[best], m[i]
        for r in range(i + 1, n):
            factor = m[r][i] / m[i][i]
            m[r] = [x - factor * y for x, y in zip(m[r], m[i])]
    out = [0.0] * n
    for i in reversed(range(n)):
        out[i] = (m[i][n] - sum(m[i][j] * out[j] for j in range(i + 1, n))) / m[i][i]
    return out
