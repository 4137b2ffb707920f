"""What a game may do differently from the contract suite's defaults, each with its reason.

Everything here is keyed by game. Keep it short: an entry is a debt or a fact of the rulebook, never a convenience.
"""

from __future__ import annotations

# Rows (`"sequence label"`) and verbs (`"Decision.verb"`) that random self-play cannot reach, with the reason why.
UNREACHED: dict[str, dict[str, str]] = {
    "normandie": {
        "AttackSupport.add": "needs several Supported German headquarters around one battle",
        "AttackSupport.enough": "as AttackSupport.add",
        "combat 5.3c": "as AttackSupport.add",
        "GoThere.cross": "needs a ranger, commando or paratroop beside one of six closed hexsides",
        "OffMap.extend": "needs an Allied headquarters with a marker beyond the edge of the map",
        "PickExploitTarget.attack": "needs an exploitation result with reserves that reach an enemy",
        "PickReserve.go": "needs an exploitation result with reserves",
        "d_day 10-O.1i": "one glider brigade, one evening: it seldom comes down on Germans",
    }
}

# Names of units that everybody may read although nobody has seen the unit (a published order of battle): view keys.
OPEN_LISTS: dict[str, tuple[str, ...]] = {}

# How many decisions of random play the suite takes per game, all scenarios together (walk.STEPS unless told).
STEPS: dict[str, int] = {"picket": 4000}

# How many actions, tried or taken, the search for unused rows may cost (test_reach.ACTIONS unless told).
REACH: dict[str, int] = {}

# How many positions of a game get the expensive questions (walk.SAMPLES unless told).
SAMPLES: dict[str, int] = {"picket": 120}  # small and quick: the fog of the sample game is looked at closely

# More decisions than any game of it can have (walk.LONGEST unless told).
LONGEST: dict[str, int] = {}
