"""What an attack is worth before the dice fall: exact chances times what each result takes from either side."""

from __future__ import annotations

from fractions import Fraction

from grognard.games.blitzkrieg.frames import Acting, Reaction
from grognard.games.blitzkrieg.odds.position import odds
from grognard.games.blitzkrieg.state import SHAKEN, Position
from grognard.games.blitzkrieg.world import world
from grognard.kernel import Action, Side

from .harm import WHOLE
from .places import value_of

RESULTS = {  # thousandths of a unit that a result takes
    "stopped": 100,
    "demoralised": 400,
    "commander_lost": 300,
    "immobilised": 400,
    "retreat": 500,
    "abandoned": WHOLE,
    "destroyed": WHOLE,
    "eliminated": WHOLE,
}
SNIPED = 250  # a sniper's shot, roughly
UNKNOWN = 100  # what cannot be worked out: mortars without proposal 108, rockets
CLOSING = 20  # points that it costs to close with the enemy: who charges or overruns does nothing else


def gain(s: Position, side: Side, action: Action) -> int:
    """The points that an attack of the unit in hand, or a reaction, is worth on the mean."""
    c, (verb, noun) = s.frames[-1], action
    if isinstance(c, Reaction):
        unit, target = noun, c.unit
    else:
        assert isinstance(c, Acting)
        unit, target = c.unit, noun
    worth = value_of(target) + breaking(s, 1 - side)
    if verb == "snipe":
        return worth * SNIPED // WHOLE
    found = odds(s, side, action)
    if found is None or "results" not in found:
        return worth * UNKNOWN // WHOLE
    own, total = value_of(unit) + breaking(s, side), Fraction(0)
    for name, p in found["results"].items():
        who, _, what = name.rpartition("_") if name.startswith(("attacker", "defender")) else ("defender", "", name)
        share = RESULTS.get(what, 0)
        total += Fraction(p) * share * (worth if who == "defender" else -own)
    points = int(total) // WHOLE
    if s.condition[target] == SHAKEN:
        points = points * 3 // 4  # it does little as it is
    return points - (CLOSING if verb in ("charge", "overrun") else 0)


def breaking(s: Position, side: Side) -> int:
    """What the next loss of a side counts beyond itself: who loses more than half gives five points and the game."""
    w = world(s)
    if w.offers:
        return 0
    return 120 * s.lost[side] // max(1, w.strength[side])
