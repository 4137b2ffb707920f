"""What a game may do differently from the contract suite's defaults, each with its reason.

Everything here is keyed by game. Keep it short: an entry is a debt or a fact of the rulebook, never a convenience.
"""

from __future__ import annotations

# Rows (`"sequence label"`) and verbs (`"Decision.verb"`) that random self-play cannot reach, with the reason why.
UNREACHED: dict[str, dict[str, str]] = {}

# Names of units that everybody may read although nobody has seen the unit (a published order of battle): view keys.
OPEN_LISTS: dict[str, tuple[str, ...]] = {}

# How many decisions of random play the suite takes per game, all scenarios together (walk.STEPS unless told).
STEPS: dict[str, int] = {}

# How many positions of a game get the expensive questions (walk.SAMPLES unless told).
SAMPLES: dict[str, int] = {"picket": 300}  # small and quick: the fog of the sample game is looked at closely

# More decisions than any game of it can have (walk.LONGEST unless told).
LONGEST: dict[str, int] = {}
