"""What a game may do differently from the contract suite's defaults, each with its reason.

Everything here is keyed by game. Keep it short: an entry is a debt or a fact of the rulebook, never a convenience.
"""

from __future__ import annotations

RARE = "met in a search of 90,000 actions, but not within the suite's 20,000"
PURPOSE = "purposeful play meets it (greedy in cobra), chance hardly ever; the tests of the game show it"

STACKS = "needs two units in a box in Confusion, or armour beside a box of the enemy; met in 120,000 random actions"

# Rows (`"sequence label"`) and verbs (`"Decision.verb"`) that random self-play cannot reach, with the reason why.
UNREACHED: dict[str, dict[str, str]] = {
    "bitw": {
        "Assist.assist": "SBW3 settles assistance by the plan; the question is for scenarios without plans",
        "Assist.refuse": "as Assist.assist",
        "player_turn 5.6.2a": "as Assist.assist",
        "Produce.siegfried": "only SBW1 starts without the line, and its Axis never saves 9 points",
        "homecoming 7.8.1b": "the attacker's aircraft mostly leave during the battle",
        "Produce.aid": "neither Italy nor Free France plays in SBW1-SBW3",
        "RailPhase.sail": "a BEF corps must first be brought to a Channel port: two turns of purposeful play",
        "SharePorts.forgo": "needs more units behind ports than these can feed",
        "SharePorts.done": "as SharePorts.forgo",
        "player_turn 3.4-port-major": "as SharePorts.forgo",
        "AnswerArmistice.accept": "5.1-armistice-b: only where the African game is joined",
        "AnswerArmistice.reject": "as AnswerArmistice.accept",
        "match 5.1-armistice-b": "as AnswerArmistice.accept",
        "Produce.harbour": "6.7, A59: Mulberries need landings, which SBW1-SBW3 do not have",
        "DeployHarbour.deploy": "as Produce.harbour",
        "DeployHarbour.done": "as Produce.harbour",
        "DeployInBattle.deploy": "as Produce.harbour",
        "DeployInBattle.done": "as Produce.harbour",
        "player_turn 6.7.1b": "as Produce.harbour",
        "combat 6.7.1b": "as Produce.harbour",
    },
    "normandie": {
        "AttackSupport.add": "needs several Supported German headquarters around one battle",
        "AttackSupport.enough": "as AttackSupport.add",
        "combat 5.3c": "as AttackSupport.add",
        "GoThere.cross": "needs a ranger, commando or paratroop beside one of six closed hexsides",
        "PickGoal.ride": "needs armour beside a box held by the enemy",
        "OffMap.extend": "needs an Allied headquarters with a marker beyond the edge of the map",
        "PickExploitTarget.attack": "needs an exploitation result with reserves that reach an enemy",
        "PickReserve.go": "needs an exploitation result with reserves",
        "d_day 10-O.1i": "one glider brigade, one evening: it seldom comes down on Germans",
        "Advance.pursue": RARE,
        "Advance.to": "as Advance.pursue, and two hexes that the enemy left; test_6_7a shows it",
        "StartCounter.accept": RARE,
        "combat 6.8a": RARE,
        "combat 6.9a": RARE,
        "counter_attack 6.9a": RARE,
        "counter_attack 6.9d": RARE,
        "exploitation 0.1.1b": RARE,
        "exploitation 6.8a": RARE,
        "exploitation 6.8b": RARE,
        "exploitation 6.8c": RARE,
        "GoThere.storm": "needs a ranger, commando or paratroop beside an enemy; test_permissions shows it",
        "PickExploitTarget.done": PURPOSE,
        "PickReserve.release": PURPOSE,
        "ShiftUnits.shift": "as ShiftUnits.strike, and a unit not yet next to the lost hex; test_6_9f shows it",
        "ShiftUnits.to": "as ShiftUnits.shift, and two hexes to choose from; test_6_9f shows it",
        "ShiftUnits.strike": "needs an advance within 2 hexes of an Available enemy headquarters with a marker: 7 "
        "times in 8 games of greedy (cobra, campaign), once in 120,000 random actions; test_6_9 shows it",
        "SortieAttack.other-attack": "needs both Allied armies beside one German hex on D-Day; test_8b shows it",
        "GatherStack.with": STACKS,
        "GatherStack.go": STACKS,
        "leave_box 6.12e": STACKS,
        "leave_box 4.1.2b": STACKS,
        "GiveUp.give-up": "needs a retreat of several units into a pocket without room; met in 120,000 random actions",
        "combat 6.6d": "as GiveUp.give-up",
        "StartCounter.counter": PURPOSE,
        "counter_attack 6.9f": PURPOSE,
        "exploitation 4.1.1a": PURPOSE,
        "exploitation 6.8d": PURPOSE,
    },
    "surrender": {
        "Advance.hold": "needs an assault that empties its target",
        "Advance.advance": "as Advance.hold",
        "ground_combat advance": "as Advance.hold",
        "JoinAssault.launch": "needs an assault launched while others could still join",
        "ChooseSeaLine.feed": "needs more than three units near one port that only the sea supplies",
        "ChooseEscort.far_escort": "needs a Western mission far from its fighters; only Two Fronts has the markers",
        "ChooseRefuge.shelter": "needs an interdicted convoy between two ports that are equally near",
        "naval_move interdiction-naval-port": "as ChooseRefuge.shelter",
        "CancelInvasion.cancel": "needs an invasion, an escort, and an interceptor that beats it",
        "CancelInvasion.go_on": "as CancelInvasion.cancel",
        "mission escort-invasion-cancel": "as CancelInvasion.cancel",
        "Evacuate.abandon": "needs a Western army eliminated in a port while a marker is left",
        "Evacuate.evacuate": "as Evacuate.abandon",
        "ground_combat event-evacuation": "as Evacuate.abandon",
        "FortChoice.leave": "needs DR in the assault of a fort whose garrison has a way out",
        "FortChoice.stand": "as FortChoice.leave",
        "ground_combat result-DR-fort": "as FortChoice.leave",
        "GatherFleet.join": "needs a loaded convoy that invades while others could join",
        "GatherFleet.support": "as GatherFleet.join",
        "GatherFleet.launch": "as GatherFleet.join",
        "invasion invasion": "as GatherFleet.join",
        "invasion seq-1-assault": "as GatherFleet.join",
        "invasion amphib-is-assault": "needs an invasion of a coast that an army holds",
    },
}

# Names of units that everybody may read although nobody has seen the unit (a published order of battle): view keys.
OPEN_LISTS: dict[str, tuple[str, ...]] = {}

# How many decisions of random play the suite takes per game, all scenarios together (walk.STEPS unless told).
STEPS: dict[str, int] = {"picket": 4000}

# How many actions, tried or taken, the search for unused rows may cost (test_reach.ACTIONS unless told).
REACH: dict[str, int] = {"bitw": 60_000}  # a tie between two aircraft under anti-aircraft fire is rare

# How many positions of a game get the expensive questions (walk.SAMPLES unless told).
SAMPLES: dict[str, int] = {"picket": 120}  # small and quick: the fog of the sample game is looked at closely

# More decisions than any game of it can have (walk.LONGEST unless told).
LONGEST: dict[str, int] = {}
