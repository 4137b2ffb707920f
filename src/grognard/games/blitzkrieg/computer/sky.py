"""What a computer player does with smoke, indirect fire, rockets and aircraft."""

from __future__ import annotations

from typing import Any

from grognard.games.blitzkrieg.frames import Acting, Barrage, Smoking
from grognard.games.blitzkrieg.laws import shot
from grognard.games.blitzkrieg.laws.parties import BUILDING, OPEN
from grognard.games.blitzkrieg.rules.aiming import GUN, make_shot
from grognard.games.blitzkrieg.rules.artillery import mark_of
from grognard.games.blitzkrieg.rules.ground import detects, enemies, friends, ground_cover, within
from grognard.games.blitzkrieg.rules.indirect import cm_to, guide_to
from grognard.games.blitzkrieg.state import Position
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_VEHICLE, world
from grognard.kernel import Action, Side

DANGER = 60  # cm at which known enemies are worth a cloud
HARD = 10  # what a shot must need on two dice before a smoke shell is better
CLOSE_BY = 3  # friends who would gain from blinding a house


def promising(s: Position, c: Any, side: Side, legal: list[Action], verbs: set[str]) -> list[Action]:
    """The decisions of this chapter; nothing for others."""
    if "puff" in verbs:
        return _puffs(s, c, side, legal)
    if "high-explosive" in verbs:
        wanted = "smoke-shells" if _blinds(s, c, side) else "high-explosive"
        return [action for action in legal if action[0] == wanted]
    if "join" in verbs:
        return [action for action in legal if action[0] == "join"]
    if "salvo" in verbs:
        return legal[-1:]
    if "break-off" in verbs:
        return [action for action in legal if action[0] != "break-off"] or legal
    if "flak" in verbs:
        return [action for action in legal if action[0] == "flak"] or legal
    return []


def _distance(s: Position, a: int, b: int) -> int:
    table = world(s).table
    return abs(table.x[a] - table.x[b]) + abs(table.y[a] - table.y[b])


def _puffs(s: Position, c: Smoking, side: Side, legal: list[Action]) -> list[Action]:
    """Towards the nearest known enemy, as far as it can be thrown, clouds side by side."""
    foes, table = [s.at[u] for u in enemies(s, side)], world(s).table
    points = [p for verb, p in legal if verb == "puff"]
    if c.points:
        points = [p for p in points if all(_distance(s, p, q) >= 20 for q in c.points)]
    if not foes or not points:
        return [action for action in legal if action[0] == "enough"] or legal[:1]
    foe = min(foes, key=lambda p: (_distance(s, p, s.at[c.unit]), p))
    best = min(points, key=lambda p: ((table.x[p] - table.x[foe]) ** 2 + (table.y[p] - table.y[foe]) ** 2, p))
    return [("puff", best)]


def _blinds(s: Position, c: Barrage, side: Side) -> bool:
    """Smoke instead of shells: an attacker with men near a house that shells hardly hurt."""
    w, mark = world(s), mark_of(s, c)
    if side != w.attacker or ground_cover(w, mark) < BUILDING:
        return False
    near = [u for u in friends(s, side) if not IS_VEHICLE[u] and cm_to(s, u, mark) <= DANGER]
    return len(near) >= CLOSE_BY


def smoke_first(s: Position, c: Acting, side: Side, legal: list[Action]) -> list[Action]:
    """Smoke before anything else: pioneers in the open under the eyes of the enemy; tanks that can hardly hit a gun."""
    verbs = {verb for verb, _ in legal}
    w, unit = world(s), c.unit
    if "smoke" in verbs and side == w.attacker and ground_cover(w, s.at[unit]) == OPEN:
        if any(within(s, unit, u, DANGER) and detects(s, u, unit) for u in enemies(s, side)):
            return [action for action in legal if action[0] == "smoke"]
    if "smoke-shell" not in verbs or side != w.attacker or "shoot" not in verbs:
        return []
    needs = {u: _needed(s, c, u) for verb, u in legal if verb == "shoot"}
    if min(needs.values()) < HARD:
        return []
    guns = [u for u in needs if not IS_VEHICLE[u] and ("smoke-shell", u) in legal]
    return [("smoke-shell", min(guns, key=lambda u: (needs[u], u)))] if guns else []


def _needed(s: Position, c: Acting, target: int) -> int:
    fired = make_shot(s, c.unit, target, GUN, bool(c.has_moved))
    if fired is None:
        return HARD
    base, _, tally = shot.to_hit(book_of(s), fired)
    return base - tally.total()


def indirect(s: Position, c: Acting, side: Side, legal: list[Action]) -> list[Action]:
    """Pieces that see nobody fire where an observer sees an enemy; empty launchers are loaded."""
    verbs = {verb for verb, _ in legal}
    if "reload" in verbs and not s.rockets[c.unit]:
        return [action for action in legal if action[0] == "reload"]
    if "bombard" in verbs:
        for foe in enemies(s, side):
            if guide_to(s, side, c.unit, s.at[foe]) >= 0:
                return [action for action in legal if action[0] == "bombard"]
    return [action for action in legal if action[0] == "reload"]
