"""What a game may do differently from the contract suite's defaults, each with its reason.

Everything here is keyed by game. Keep it short: an entry is a debt or a fact of the rulebook, never a convenience.
"""

from __future__ import annotations

NO_QUESTION = "SBW3 settles assistance by the plan; the question is for scenarios without plans"
NO_INSTALMENTS = "6.7d: where Mulberries are used they are paid for at the start"
NO_AFRICA = "5.1-armistice-b: only where the African game is joined"

# Rows (`"sequence label"`) and verbs (`"Decision.verb"`) that no play of our scenarios can reach, with the reason why.
# What guided play does reach may not stand here.
UNREACHED: dict[str, dict[str, str]] = {
    "bitw": {
        "Assist.assist": NO_QUESTION,
        "Assist.refuse": NO_QUESTION,
        "player_turn 5.6.2a": NO_QUESTION,
        "AnswerArmistice.accept": NO_AFRICA,
        "AnswerArmistice.reject": NO_AFRICA,
        "match 5.1-armistice-b": NO_AFRICA,
        "Produce.harbour": NO_INSTALMENTS,
    },
    "blitzkrieg": {
        "Act.demolish": "no scenario has a bunker yet; test_a_bunker_covers_and_falls_to_a_heavy_gun shows it"
    },
}

TEN_TURNS = "15.1a: a factory takes ten turns of saving, in SBW10 alone; test_factories shows it"
ROCKETS = "26.2a: needs the 65th Corps within five hexes of the Allies after August 1944; test_26_2 shows it"
MULBERRY = "6.7.1b: needs a beach cleared in the first round of a landing; test_harbours shows it"
CAPITAL = "guide-berlin: needs Berlin surrounded in SBW10 and a 1 or a 6; test_guide shows it"
PORTS = "guide-ports: needs a landing in Italy with the switch on; test_guide shows it"
DUNKIRK = "A78: needs SBW3 without chapter 18 and a corps of the BEF in a Channel port; test_5_3 shows it"
RESERVE = (
    "31.0d: needs armour in reserve with two battles or more in reach; met in one search of two, test_reserves shows it"
)
AIMED = "19.2 needs a hex looked into before the battle and targets to choose among; test_19_2 shows it"
CROWDED = "12.1a needs two units besieged in one minor port; test_siege shows it"
FOLLOWED = "7.8c: needs a unit that fought beside armour which then blitzes and wins room; test_blitz shows it"
MARINES = "24.1e: needs marines that landed, live after a round and have a port in reach; test_24_1e shows it"
ALARM = "28.0: needs an Allied unit in Germany while turns are left and a lost corps; test_28_0 shows it"
STACKS = "needs two units in a box in Confusion, or armour beside a box of the enemy; met in two searches of four"

# What can happen but is met in some searches and not in others: not looked for, and no mistake if it is met.
SELDOM: dict[str, dict[str, str]] = {
    "bitw": {
        "Site.at": TEN_TURNS,
        "siting 15.1b": TEN_TURNS,
        "AimRockets.rocket-city": ROCKETS,
        "AimRockets.rocket-units": ROCKETS,
        "player_turn 26.2b": ROCKETS,
        "DeployInBattle.deploy": MULBERRY,
        "DeployInBattle.done": MULBERRY,
        "combat 6.7.1b": MULBERRY,
        "MoveCapital.seat": CAPITAL,
        "match guide-berlin-seat": CAPITAL,
        "MarkPorts.mark": PORTS,
        "MarkPorts.done": PORTS,
        "player_turn guide-ports": PORTS,
        "RailPhase.sail": DUNKIRK,
        "sailing 5.3-evac": DUNKIRK,
        "combat 31.0d": "needs armour in reserve beside a hex that the enemy blitzes; test_31_0d shows it",
        "CommitTo.to": RESERVE,
        "committing 31.0d": RESERVE,
        "Muster.done": ALARM,
        "Muster.muster": ALARM,
        "MusterAt.at": ALARM,
        "mustering 28.0": ALARM,
        "player_turn 28.0": ALARM,
        "PickTarget.target": AIMED,
        "combat 19.2": AIMED,
        "combat 19.2a": AIMED,
        "combat 19.2b": AIMED,
        "combat 7.7.9h": "needs a charge (20.0) that hits one of several equally strong units",
        "combat 24.6": "needs a second wave on an embattled beach and armour in reserve; test_24_6 shows it",
        "ReEmbark.re-embark": MARINES,
        "ReEmbark.stay": MARINES,
        "combat 24.1e": MARINES,
        "combat 13.8.1d": "needs the defender's armour HQ, or a minor leader, with steps in a battle with his corps",
        "Endure.endure": CROWDED,
        "Blitz.follow": FOLLOWED,
        "following 7.8c": FOLLOWED,
        "player_turn 12.1a": CROWDED,
    },
    "blitzkrieg": {
        "Act.flame": "needs a Crocodile of the second lesson beside the enemy; test_only_flame_tanks_flame shows it",
        "Act.apds": "needs a Firefly that sees a tank; test_special_rounds_are_fired_at_tanks shows it",
        "Act.heat": "needs a howitzer tank that sees a tank; test_special_rounds_are_fired_at_tanks shows it",
        "Shift.shift": "needs a 1 of the ranging die with friends near, then 4 or more; test_303bis shows it",
        "barrage 303bis-a": "as Shift.shift",
        "Act.clear": "needs a unit beside a wreck that it may move; test_205d and test_205e show it",
        "Act.climb": "needs a tank that begins in contact with a barricade; test_502c shows it",
        "Act.dismantle": "needs infantry that comes to a barricade and lives; test_502 shows it",
        "Act.demolish": "needs a unit that comes to a barricade, wire or bunker; test_works shows it",
        "Act.reload": "needs a launcher that fired and lives; test_406 shows it",
        "Join.alone": "needs two American batteries at hand in one turn; test_409 shows it",
        "Join.join": "needs two American batteries at hand in one turn; test_409 shows it",
        "barrage 409b": "needs two American batteries at hand in one turn; test_409 shows it",
        "Run.bomb": "needs Sturmoviks, who come on 5, and that choice of three; test_a_small_bomb shows it",
        "Act.demine": "needs infantry that comes to a mined street and lives; test_mines shows it",
        "Act.panzerfaust": "needs a Sherman within 10 cm of a hidden group; test_107bis shows it",
        "moving 221a": "needs a vehicle within 10 cm of one that it saw at the start; test_221 shows it",
        "Act.free": "needs a vehicle that bogged and kept its crew; test_soft_ground_bogs_and_a_test_frees shows it",
        "To.exit": "needs a German vehicle across the whole table; test_vehicles_leave_by_the_exit shows it",
    },
    "normandie": {
        "SortieAttack.other-attack": "needs both Allied armies beside one German hex on D-Day; test_8b shows it",
        "Advance.to": "needs a retreat of two hexes that left two ways on; test_6_7a shows it",
        "combat 6.6d": "needs units that retreat into a full hex with no way on; test_6_6d shows it",
        "GiveUp.give-up": "as combat 6.6d",
        "GatherStack.with": STACKS,
        "GatherStack.go": STACKS,
        "leave_box 6.12e": STACKS,
        "leave_box 4.1.2b": STACKS,
        "PickGoal.ride": "needs armour beside a box held by the enemy; met in two searches of four",
        "OffMap.extend": "needs an Allied headquarters with a marker beyond the edge of the map; met in one search of "
        "400,000 actions out of three",
    },
}

# Names of units that everybody may read although nobody has seen the unit (a published order of battle): view keys.
OPEN_LISTS: dict[str, tuple[str, ...]] = {}

# How many decisions of random play the suite takes per game, all scenarios together (walk.STEPS unless told).
STEPS: dict[str, int] = {"picket": 4000}

# How many actions, tried or taken, the search for unused rows may cost (test_reach.ACTIONS unless told).
REACH: dict[str, int] = {
    "bitw": 400_000,  # ten scenarios; a Siegfried line bought in SBW1, where the Axis seldom saves 9 points
    "normandie": 300_000,  # exploitation and counter-attack, units beyond the edge of the map
    "surrender": 250_000,  # invasions of a held coast, forts stormed with a way out
}

# How many positions of a game get the expensive questions (walk.SAMPLES unless told).
SAMPLES: dict[str, int] = {"picket": 120}  # small and quick: the fog of the sample game is looked at closely

# More decisions than any game of it can have (walk.LONGEST unless told).
LONGEST: dict[str, int] = {}

# Functions of a game that nothing in the package calls, with the reason (`module.py:name`).
UNCALLED: dict[str, dict[str, str]] = {
    "bitw": {
        "rules/opening.py:choose_sides": "2.1: at our tables people take their seats; for who uses the rules alone",
        "rules/opening.py:campaign_options": "0-campaign: it needs the eastern game, which is not in this box",
        "rules/sisters.py:highest_tech": "13.8.1.1: research of ships and submarines comes with the sister game",
        "rules/wonder.py:war_goes_on": "26.3: no scenario of this box lasts until July 1945 (ruling A46)",
    },
    "surrender": {
        "odds/law.py:case_law": "the law of a case in one call, for tests and for who studies it",
    },
}
