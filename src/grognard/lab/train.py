"""Training that anyone can repeat: self-play with slips, a fitted chance of winning, kept back games to check it on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from grognard.ai import GreedyPlayer
from grognard.ai.player import Player
from grognard.ai.value import features, fit, logistic
from grognard.games import find_game
from grognard.kernel.game import Game
from grognard.lab.ladder import play_game

BINS = 5  # of the reliability curve
APART = 9  # decisions between two positions of a turn that are taken


def players_of(game: Game[Any], number: int) -> list[Player]:
    """Plain players who slip now and then, some more than others: positions of all sorts."""
    slips = ((5, 5), (30, 5), (5, 30), (15, 15))[number % 4]
    return [GreedyPlayer(samples=1, slips=slips[min(side, 1)]) for side in range(len(game.sides))]


def courses(game_name: str, scenario: str, games: int, seed: int, progress: Callable[[int], None] | None) -> list[Any]:
    """For each game the terms at the start of each turn and now and then within it, and whether the first side won."""
    game, found = find_game(game_name), []
    for n in range(games):
        rows: list[tuple[int, dict[str, int]]] = []
        seen = [0]

        def watch(s: Any, rows: list[tuple[int, dict[str, int]]] = rows, seen: list[int] = seen) -> None:
            seen[0] += 1
            if s.waiting and (not rows or rows[-1][0] != game.clock(s) or seen[0] % APART == 0):
                rows.append((game.clock(s), game.terms(s)))

        names = tuple(f"trainee {n}" for n in range(len(game.sides)))
        word = f"train {game_name} {scenario} {seed} {n}"
        played = play_game(game, scenario, names, word, watch, players_of(game, n))
        found.append((rows, 0.5 if played.winner < 0 else float(played.winner == 0)))
        if progress:
            progress(1)
    return found


def train(
    game_name: str, scenario: str, games: int, seed: int, progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Fit on two games of three, check on the third; the row of `data/chance.toml`."""
    played = courses(game_name, scenario, games, seed, progress)
    clocks = [clock for rows, _ in played for clock, _ in rows]
    span = (min(clocks), max(clocks))
    names = list(played[0][0][0][1])
    scales = {}
    for name in names:
        values = [terms[name] for rows, _ in played for _, terms in rows]
        scales[name] = max(1, round(math.sqrt(sum(v * v for v in values) / len(values))))
    made: list[list[tuple[list[float], float]]] = [[], []]
    for n, (rows, won) in enumerate(played):
        made[n % 3 == 2] += [(features(terms, scales, clock, span), won) for clock, terms in rows]
    fit_rows, kept = made
    weights = fit([row for row, _ in fit_rows], [won for _, won in fit_rows])
    guesses = [(logistic(sum(w * x for w, x in zip(weights, row))), won) for row, won in kept]
    mean = sum(won for _, won in fit_rows) / len(fit_rows)
    return {
        "scenario": scenario,
        "first": span[0],
        "last": span[1],
        "scales": scales,
        "weights": [round(1000 * w) for w in weights],
        "games": games,
        "loss_kept_back": round(loss(guesses), 3),
        "loss_of_a_constant": round(loss([(mean, won) for _, won in guesses]), 3),
        "reliability": reliability(guesses),
        "rules": find_game(game_name).version,
        "command": f"grognard train {game_name} {scenario} --games {games} --seed {seed}",
    }


def loss(guesses: list[tuple[float, float]]) -> float:
    """The mean surprise, in nats; ln 2 is a coin."""
    total = 0.0
    for p, won in guesses:
        p = min(0.999, max(0.001, p))
        total -= won * math.log(p) + (1 - won) * math.log(1 - p)
    return total / max(1, len(guesses))


def reliability(guesses: list[tuple[float, float]]) -> list[list[int]]:
    """By fifths of the scale: what was said on the mean, what was won, in hundredths, and of how many positions."""
    found = []
    for n in range(BINS):
        inside = [(p, won) for p, won in guesses if n / BINS <= p < (n + 1) / BINS or (n == BINS - 1 and p == 1)]
        if inside:
            said = round(100 * sum(p for p, _ in inside) / len(inside))
            found.append([said, round(100 * sum(won for _, won in inside) / len(inside)), len(inside)])
    return found
