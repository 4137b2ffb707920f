"""The arithmetic of counting: intervals, a sequential test of pairs, and the correction for asking many questions.

Nothing here knows a game. Floating point is allowed in the laboratory: it judges results, it never makes them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

CONFIDENCE = 0.95
SAMPLES = 2000  # of a bootstrap
STRICTER = 0.8  # the law of a pair is measured, not known: without this a promised 5 % was 5.2 % in simulation


def z_of(confidence: float = CONFIDENCE) -> float:
    """How many standard errors a two-sided interval reaches."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(hits: float, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a share; honest for few trials and for shares near 0 and 1. Draws may count a half."""
    if trials == 0:
        return 0.0, 1.0
    z = z_of(confidence)
    share, zz = hits / trials, z * z / trials
    middle = (share + zz / 2) / (1 + zz)
    reach = z * math.sqrt(share * (1 - share) / trials + zz / (4 * trials)) / (1 + zz)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Mean, and the interval by the bootstrap (percentiles, fixed luck, so equal values give equal intervals)."""
    if not values:
        return 0.0, 0.0, 0.0
    mean = sum(values) / len(values)
    if len(values) == 1 or min(values) == max(values):
        return mean, mean, mean
    luck = random.Random(len(values))
    size = len(values)
    means = sorted(sum(luck.choices(values, k=size)) / size for _ in range(SAMPLES))
    tail = (1 - confidence) / 2
    return mean, means[int(tail * SAMPLES)], means[min(SAMPLES - 1, int((1 - tail) * SAMPLES))]


def middle_80(values: Sequence[float]) -> tuple[float, float, float]:
    """The tenth part from below, the median, the tenth part from above."""
    ranked = sorted(values)
    last = len(ranked) - 1
    return ranked[round(last * 0.1)], ranked[round(last * 0.5)], ranked[round(last * 0.9)]


def holm(chances: dict[str, float]) -> dict[str, float]:
    """Error probabilities of several questions asked together, corrected by Holm: none is believed by mere number."""
    out: dict[str, float] = {}
    worst = 0.0
    for place, (name, chance) in enumerate(sorted(chances.items(), key=lambda pair: pair[1])):
        worst = max(worst, min(1.0, chance * (len(chances) - place)))
        out[name] = worst
    return out


@dataclass(frozen=True)
class Stop:
    """The stopping rule: fixed before the first game, and never changed."""

    least: float = 0.0  # the mean of a pair is this or less: no
    worth: float = 0.10  # it is this or more: yes
    two_sided: bool = True  # the other direction is asked too, with half the error each
    alpha: float = 0.05
    beta: float = 0.05
    most: int = 4000  # pairs; then it is undecided, and said so
    first_look: int = 64  # pairs before the first look
    unequal: int = 16  # pairs that differ before it: a law with few surprises is not yet known ...
    patience: int = 400  # ... unless so many pairs have shown that it hardly ever does


@dataclass
class Walk:
    """The pairs so far: enough to judge, to draw the way of the test, and to go on."""

    pairs: int = 0
    unequal: int = 0
    total: float = 0.0
    squares: float = 0.0
    looks: list[tuple[int, float, float]] = field(default_factory=list)  # pairs, ratio for more, ratio for less

    def add(self, difference: float) -> None:
        """One more pair."""
        self.pairs += 1
        self.unequal += difference != 0
        self.total += difference
        self.squares += difference * difference

    @property
    def mean(self) -> float:
        """The estimate; after an early stop a little too bold, so it is told with its interval."""
        return self.total / self.pairs if self.pairs else 0.0

    @property
    def variance(self) -> float:
        """Of one pair, kept off zero by one imagined surprise."""
        if not self.pairs:
            return 1.0
        return max(self.squares / self.pairs - self.mean**2, 0.0) + 1.0 / (self.pairs + 1) ** 2

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.pairs) if self.pairs else 1.0

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Of the mean."""
        reach = z_of(confidence) * self.error
        return self.mean - reach, self.mean + reach

    def chance_of_zero(self) -> float:
        """Two-sided: how likely a difference so large is if there is none."""
        return 2 * (1 - NormalDist().cdf(abs(self.mean) / self.error)) if self.pairs else 1.0


def log_ratio(walk: Walk, least: float, worth: float) -> float:
    """How much better `worth` explains the pairs than `least`, as a logarithm; a pair's law is the measured one."""
    return walk.pairs * (worth - least) * (walk.mean - (least + worth) / 2) / walk.variance


def bounds(stop: Stop) -> tuple[float, float]:
    """The ratio below which the answer is no, and above which it is yes."""
    alpha = STRICTER * (stop.alpha / 2 if stop.two_sided else stop.alpha)
    return math.log(stop.beta / (1 - alpha)), math.log((1 - stop.beta) / alpha)


def judge(stop: Stop, walk: Walk) -> str:
    """`more`, `less`, `same` (no difference worth the name), `undecided` (the pairs are spent) or `` (play on)."""
    if walk.pairs >= stop.first_look and (walk.unequal >= stop.unequal or walk.pairs >= stop.patience):
        low, high = bounds(stop)
        up = log_ratio(walk, stop.least, stop.worth)
        down = log_ratio(walk, -stop.least, -stop.worth) if stop.two_sided else -math.inf
        walk.looks.append((walk.pairs, up, down))
        if up >= high:
            return "more"
        if down >= high:
            return "less"
        if up <= low and (not stop.two_sided or down <= low):
            return "same"
    return "undecided" if walk.pairs >= stop.most else ""


def walked(stop: Stop, differences: Iterable[float]) -> tuple[Walk, str]:
    """All pairs in order, up to the verdict."""
    walk = Walk()
    for difference in differences:
        walk.add(difference)
        verdict = judge(stop, walk)
        if verdict:
            return walk, verdict
    return walk, ""
