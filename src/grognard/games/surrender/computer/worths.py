"""The numbers by which the computer judges: what a step, a goal, a marker or a risk is worth to it."""

from __future__ import annotations

from grognard.games.surrender.world import AXIS, MARKERS

STEP = {"infantry": 40, "motorised": 50, "shock": 55, "tank": 80}
ELITE = 10  # more for each step
SORTIE, FACTORY, BOMBED = 6, 60, 40
MARKER_WORTH = tuple(16 if kind.combat == "strategic" else 8 for kind in MARKERS)  # what it takes to spend one
LACK = (0, 25, 50)  # full, low, no supply
FAR = 50  # an army beyond the reach of every friendly city
EAGER = 1  # to use a unit is better than to leave it
READY = 25  # a unit that may still act this month
ALONE = 20  # each friendly neighbour hex that an army lacks
SIGNS = tuple(  # by side and holder of a hex: 1 ours, -1 an enemy's
    tuple(
        0 if holder in (0, 4) else 1 if holder == side + 1 else -1 if AXIS in (side, holder - 1) else 0
        for holder in range(5)
    )
    for side in range(3)
)
BOMBING = 25  # a raid that may still be intercepted
ABOARD = 12  # an army in a port with a convoy
