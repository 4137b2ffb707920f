"""Which actions are worth a computer player's time: shots that can do something, ways that lead somewhere."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import Acting, Moving
from grognard.games.blitzkrieg.loading import VEHICLES
from grognard.games.blitzkrieg.rules.buying import cost_of, free_units, had
from grognard.games.blitzkrieg.rules.ground import enemies, friends, ground_cover
from grognard.games.blitzkrieg.rules.mines import leads_over
from grognard.games.blitzkrieg.rules.movement import full_reach, way_to
from grognard.games.blitzkrieg.rules.reaction import may_react
from grognard.games.blitzkrieg.state import ABOARD, Position, has
from grognard.games.blitzkrieg.world import IS_TEAM, world
from grognard.kernel import Action, Side

from . import sky
from .danger import turned_best
from .rides import lift, ride
from .score import goal_field

MOST = 16  # points of a reach that are weighed
APART = 28  # quarter centimetres between them
NEAR_GOAL = 8  # cm from an objective at which a unit stays
CHOICES = {"activate", "barrage", "sortie", "unit", "react"}
TRUCKS = {name for name, model in VEHICLES.items() if model.type in ("light-truck", "heavy-truck")}
FIGHTS = (
    "shoot",
    "fire",
    "panzerfaust",
    "snipe",
    "second",
    "tracks",
    "charge",
    "overrun",
    "flame",
    "heat",
    "apcr",
    "apds",
)


def promising(s: Position, side: Side, legal: list[Action]) -> list[Action]:
    """The set-up is left alone; who can fight fights, who is far from its goal moves, turrets look at the enemy."""
    if len(legal) < 2:
        return legal
    verbs = {verb for verb, _ in legal}
    if "mustered" in verbs or "buy" in verbs:
        return [shop(s, side, legal)]
    if "ready" in verbs:
        return [action for action in legal if action[0] == "ready"]
    if "at" in verbs:
        return [action for action in legal if action[0] == "at"][:MOST]
    c = s.frames[-1]
    if isinstance(c, Moving):
        return (
            _points(s, c, side, legal) if "to" in verbs else _facings(s, c, side, legal) if "face" in verbs else legal
        )
    if "mark" in verbs or "cease" in verbs:
        return _marks(s, side, legal)
    if "let-pass" in verbs and "react" not in verbs:
        return [("let-pass" if any(may_react(s, u) for u in world(s).of_side[side]) else "stand-down", 0)]
    special = sky.promising(s, c, side, legal, verbs)
    if special:
        return special
    if verbs & CHOICES:
        return [action for action in legal if action[0] in CHOICES or action[0] == "let-pass"]
    return _deeds(s, c, side, legal) if isinstance(c, Acting) else legal


def shop(s: Position, side: Side, legal: list[Action]) -> Action:
    """A balanced force: a commander first, then what least has been spent on, a battery only with eyes for it."""
    w = world(s)
    may = [n for verb, n in legal if verb == "buy"]
    heads = [n for n in may if w.offers[n].model == "command" and not free_units(s, n, True)]
    seen = any(
        w.offers[n].model == "observer" and free_units(s, n, True)
        for n in range(len(w.offers))
        if w.offers[n].side == side
    )
    may = [n for n in may if (w.offers[n].what != "battery" or seen) and w.offers[n].model not in TRUCKS]
    if heads or may:
        spent = {n: had(s, n) * cost_of(s, n) for n in may}
        return "buy", (heads or sorted(may, key=lambda n: (spent[n], -cost_of(s, n), n)))[0]
    return "mustered", 0


def _marks(s: Position, side: Side, legal: list[Action]) -> list[Action]:
    """The same place again; else where known enemies stand close together and no friend is near; else nothing."""
    same = [action for action in legal if action[0] == "same"]
    if same:
        return same
    table, may = world(s).table, {action[1] for action in legal if action[0] == "mark"}
    foes, mates = ([s.at[u] for u in units] for units in (enemies(s, side), friends(s, side)))

    def near(point: int, others: list[int], cm: int) -> int:
        x, y = table.x[point], table.y[point]
        return sum(abs(table.x[p] - x) <= 4 * cm and abs(table.y[p] - y) <= 4 * cm for p in others)

    good = [p for p in sorted(set(foes)) if p in may and not near(p, mates, 12)]
    good.sort(key=lambda p: (-near(p, foes, 6), p))
    return [("mark", p) for p in good[:4]] or [action for action in legal if action[0] == "cease"]


def _deeds(s: Position, c: Acting, side: Side, legal: list[Action]) -> list[Action]:
    """Fight, move or hold; nobody opens hatches, turns or reverses for nothing."""
    blinding = sky.smoke_first(s, c, side, legal)
    if blinding:
        return blinding
    fights = [action for action in legal if action[0] in FIGHTS]
    if has(s, c.unit, ABOARD):
        return ride(s, c, side, legal, fights)
    w = world(s)
    if not fights:
        indirect = sky.indirect(s, c, side, legal)
        if indirect:
            return indirect
    far = goal_field(w, side)[s.at[c.unit]] > NEAR_GOAL
    wanted = {"hold", "free"}
    if not fights and w.attacker == side:
        wanted.add("demine")
    if far and (w.attacker == side or not enemies(s, side)):
        wanted.add("move")
    if not fights and IS_TEAM[c.unit] and w.attacker != side:
        wanted |= {"dig", "upstairs"}
    if not fights:
        mounts = lift(s, c, side, legal)
        if mounts:
            return mounts
    if not fights and "move" in wanted and any(action[0] == "move" for action in legal):
        return [action for action in legal if action[0] == "move"]
    return fights + [action for action in legal if action[0] in wanted]


def _facings(s: Position, c: Moving, side: Side, legal: list[Action]) -> list[Action]:
    """The front to the enemy that would hurt most, else to the nearest; without one, straight on."""
    if not enemies(s, side):
        straight = ("face", s.facing[c.unit])
        return [straight] if straight in legal else legal[:1]
    return [("face", turned_best(s, side, c.unit, [facing for _, facing in legal]))]


def _points(s: Position, c: Moving, side: Side, legal: list[Action]) -> list[Action]:
    """Ways that lead nearer to the goal or into cover, apart from each other, not over mines."""
    w, found = world(s), full_reach(s, c)
    table, field = w.table, goal_field(w, side)
    points = sorted((a for a in legal if a[0] == "to"), key=lambda a: (field[a[1]] - 8 * ground_cover(w, a[1]), a[1]))
    kept: list[Action] = []
    for action in points:
        x, y = table.x[action[1]], table.y[action[1]]
        if any(s.mined) and leads_over(s, c.unit, way_to(s, c, found, action[1])):
            continue
        if all(abs(table.x[p] - x) + abs(table.y[p] - y) >= APART for _, p in kept):
            kept.append(action)
            if len(kept) == MOST:
                break
    return kept + [a for a in legal if a[0] in ("exit", "stay")]
