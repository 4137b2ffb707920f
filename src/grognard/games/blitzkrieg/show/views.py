"""The view of a table: pieces with their models and marks, markers, overlays, points."""

from __future__ import annotations

from typing import Any

from grognard.games.blitzkrieg.frames import Acting, Activation, Match, Moving, Sortie
from grognard.games.blitzkrieg.loading import QUALITIES, Gun, Team, Vehicle
from grognard.games.blitzkrieg.rules import buying, victory
from grognard.games.blitzkrieg.rules.indirect import has_tubes
from grognard.games.blitzkrieg.rules.movement import To, ends, full_reach, may_end
from grognard.games.blitzkrieg.state import (
    ABOARD,
    AWAY,
    BOUGHT,
    CONDITIONS,
    DEEDS,
    FLAGS,
    FOG,
    HIDDEN,
    LOST,
    WRECK,
    Position,
    bearer,
)
from grognard.games.blitzkrieg.switches import book_of
from grognard.games.blitzkrieg.world import IS_CREW, KIND_OF, MODEL_OF, NATION_OF, SIDE_OF, SIDES, UNIT_NAMES, world
from grognard.kernel import REFEREE, Side
from grognard.kit.tablegame import ways_of
from grognard.tabletop.paths import PER_CM

CLASSES = {
    "halftrack": "half-track",
    "light-truck": "truck",
    "heavy-truck": "truck",
    "light-vehicle": "car",
    "aa": "aa-vehicle",
    "rocket": "truck",
    "at": "at-gun",
    "field-gun": "gun",
    "recoilless": "gun",
}
TEAMS = {
    "command": "command",
    "seccmd": "command",
    "commissar": "command",
    "observer": "observer",
    "sniper": "sniper",
    "pioneer": "engineers",
    "pioneer_ft": "engineers",
    "scout": "recon",
    "scout_full": "recon",
    "moto": "recon",
}
SIZE = {"TP": 1, "P": 2, "N": 2, "G": 3, "TG": 4}
BARREL = {"none": 0, "short": 1, "normal": 2, "L": 3, "LL": 4}
STANDS = {"vehicle": "vehicle", "gun": "gun", "infantry": "stand"}


def class_of(unit: int) -> str:
    """What to draw."""
    model = MODEL_OF[unit]
    if isinstance(model, Vehicle):
        return CLASSES.get(model.type, model.type)
    if isinstance(model, Gun):
        if model.category == "aa":
            return "aa-gun"
        return CLASSES.get(model.category, model.category)
    if model.id in TEAMS:
        return TEAMS[model.id]
    return {"mg": "mg", "at": "at-team"}.get(model.sort, "rifle")


def _faces(unit: int) -> dict[str, Any]:
    model = MODEL_OF[unit]
    face: dict[str, Any] = {"class": class_of(unit), "base": STANDS[KIND_OF[unit]], "army": NATION_OF[unit]}
    face |= {"side": SIDES[SIDE_OF[unit]], "model": model.id}
    if isinstance(model, Vehicle):
        barrel = BARREL[model.guns[0].length] if model.guns else 0
        facts = {
            "size": SIZE[model.size],
            "barrel": barrel,
            "armour": list(model.armour),
            "move": [model.off, model.road],
        }
        face |= facts | {"turreted": model.turret == "full", "open": "open-top" in model.traits}
        face["guns"] = [gun.id for gun in model.guns]
    elif isinstance(model, Gun):
        face |= {
            "barrel": BARREL[model.weapon.length],
            "guns": [model.weapon.id],
            "move": [model.hand, model.hand_road],
        }
    elif isinstance(model, Team):
        face |= {"dice": model.dice, "range": [model.near, model.far], "figures": 2 if model.sort == "half" else 4}
    return face


FACES = tuple(_faces(unit) for unit in range(len(UNIT_NAMES)))


def marks_of(s: Position, unit: int) -> list[str]:
    """The words of a unit's flags, for badges."""
    flags = s.flags[unit]
    marks = [word for word, flag in FLAGS.items() if flags & flag]
    marks += [word for word, bit in DEEDS.items() if s.rounds[unit] & bit]
    return [*marks, "moved"] if s.moved[unit] else marks


def pieces(s: Position, side: Side) -> list[dict[str, Any]]:
    """The units that a side knows of, sorted by name."""
    w, found = world(s), []
    names = w.table.names
    for unit in w.units:
        if side != REFEREE and not FOG.knows(s, side, unit):
            continue
        condition = s.condition[unit]
        if condition == AWAY and (IS_CREW[unit] or (w.offers and not s.flags[unit] & BOUGHT)):
            continue
        piece = {"id": UNIT_NAMES[unit], "known": True} | FACES[unit]
        piece |= {"at": names[s.at[unit]] or None, "facing": s.facing[unit], "turret": s.turret[unit]}
        piece |= {"state": CONDITIONS[condition], "marks": marks_of(s, unit), "quality": QUALITIES[w.quality[unit]]}
        piece |= {"formation": w.formations[w.formation_of[unit]].name, "floor": s.floor[unit]}
        if s.flags[unit] & ABOARD:
            piece["aboard"] = UNIT_NAMES[bearer(s, unit)]
        if s.moved[unit]:
            piece["moved"] = s.moved[unit]
        if has_tubes(unit):
            piece["rockets"] = s.rockets[unit]
        found.append(piece)
    return sorted(found, key=lambda piece: str(piece["id"]))


def view_more(s: Position, side: Side) -> dict[str, Any]:
    """Table, pieces, markers, points and overlays."""
    w = world(s)
    out: dict[str, Any] = {"map": w.table.id, "turns": w.turns, "year": w.year, "attacker": SIDES[w.attacker]}
    out["score"] = (
        {SIDES[each]: victory.score_of(s, each) for each in range(2)} if side == REFEREE else open_score(s, side)
    )
    out["markers"] = markers(s)
    out["overlays"] = overlays(s, side)
    out |= ways(s, side)
    out["in_hand"] = _in_hand(s, side)
    c = s.frames[0] if s.frames else None
    if w.offers and side in (0, 1) and isinstance(c, Match) and not c.bought >> side & 1:
        out["muster"] = muster(s, side)
    return out


def muster(s: Position, side: Side) -> dict[str, Any]:
    """What a side may buy, what it has, and why not more of it (base-points)."""
    w, offers = world(s), []
    for number, offer in enumerate(w.offers):
        if offer.side != side:
            continue
        most, had = buying.on_offer(s, number), buying.had(s, number)
        why = buying.why_not_buy(s, side, number)
        entry: dict[str, Any] = {"id": offer.name, "model": offer.model, "had": had, "most": most}
        entry["cost"] = buying.cost_of(s, number)
        group = {"battery": "", "air": "air-support"}.get(offer.what, "works")
        entry["formation"] = w.formations[offer.formation].name if offer.formation >= 0 else group
        entry["quality"] = QUALITIES[offer.quality]
        if offer.units:
            entry |= {"unit": UNIT_NAMES[offer.units[0]], "face": FACES[offer.units[0]]}
        if why is not None:
            entry["why"] = {"rule": why.rule, "reason": why.reason}
        offers.append(entry)
    whose = {"nation": w.muster_nation[side], "year": w.year, "points": w.muster[side]}
    return whose | {"spent": buying.force_of(s, side).cost, "offers": offers}


def open_score(s: Position, side: Side) -> dict[str, int]:
    """The points as everybody can count them: what hides holds no ground that others see, but losses are public."""
    return {SIDES[each]: s.points[each] + held_points(s, each) for each in range(2)}


def held_points(s: Position, side: Side) -> int:
    """Points of objectives by their last holder; those counted by the vehicle come at the end."""
    total = 0
    for number, zone in enumerate(world(s).objectives):
        if s.holder[number] == side and zone.facts.get("each") != "vehicle":
            if "side" not in zone.facts or victory.side_named(zone.facts["side"]) == side:
                total += int(zone.facts.get("vp", 3))
    return total


def markers(s: Position) -> list[dict[str, Any]]:
    """Objectives with their points and holders; sections of mines."""
    w, found = world(s), []
    for number, zone in enumerate(w.objectives):
        if not zone.points or zone.facts.get("each") == "vehicle":
            continue
        x = sum(w.table.x[p] for p in zone.points) // len(zone.points)
        y = sum(w.table.y[p] for p in zone.points) // len(zone.points)
        mark: dict[str, Any] = {
            "kind": "objective",
            "id": zone.id,
            "x": x,
            "y": y,
            "text": str(zone.facts.get("vp", 3)),
        }
        if s.holder[number] >= 0:
            mark["side"] = SIDES[s.holder[number]]
        found.append(mark)
    for work in w.works:
        if s.built[work.number]:
            x, y = work.box.x + work.box.wide // 2, work.box.y + work.box.deep // 2
            size = {"wide": work.box.wide, "deep": work.box.deep}
            found.append({"kind": work.kind, "id": work.name, "x": x, "y": y} | size)
    for number, mine in enumerate(w.mines):
        if s.mined[number]:
            x, y = mine.x + mine.wide // 2, mine.y + mine.deep // 2
            size = {"wide": mine.wide, "deep": mine.deep}
            found.append({"kind": "mines", "id": mine.name, "x": x, "y": y, "text": ""} | size)
    return found + clouds(s) + laid_fire(s) + aircraft(s)


def clouds(s: Position) -> list[dict[str, Any]]:
    """Smoke with its outline; what stands for its last turn is thin."""
    return [
        {"kind": "smoke", "x": x + wide // 2, "y": y + deep // 2, "box": [x, y, wide, deep], "thin": until <= s.turn}
        for x, y, wide, deep, until in s.smoke
    ]


def laid_fire(s: Position) -> list[dict[str, Any]]:
    """The markers of batteries and pieces that range, with the number of their tries."""
    w = world(s)
    marks = [(s.mark[n], s.attempt[n], battery.side) for n, battery in enumerate(w.batteries)]
    marks += [(s.aim[u], s.tries[u], SIDE_OF[u]) for u in w.units if not s.flags[u] & HIDDEN]
    return [
        {"kind": "ranging", "x": w.table.x[point], "y": w.table.y[point], "side": SIDES[side], "text": str(tries)}
        for point, tries, side in marks
        if point
    ]


def aircraft(s: Position) -> list[dict[str, Any]]:
    """Aircraft over their target, or over the middle of the table."""
    c, w = (s.frames[-1] if s.frames else None), world(s)
    if not isinstance(c, Sortie):
        return []
    x, y = w.table.wide // 2, w.table.deep // 2
    if c.target >= 0 and s.at[c.target]:
        x, y = w.table.x[s.at[c.target]], w.table.y[s.at[c.target]]
    return [{"kind": "aircraft", "x": x, "y": y, "side": SIDES[c.side], "id": w.flights[c.flight].name}]


def overlays(s: Position, side: Side) -> list[dict[str, Any]]:
    """Where the unit in hand gets to, for its owner."""
    c = s.frames[-1] if s.frames else None
    if not isinstance(c, Moving) or side != c.side or c.path or c.stopped or side not in s.waiting:
        return []
    names, book = world(s).table.names, book_of(s)
    found = ends(s, c)
    reach = {names[p]: -(-(found[p] >> 4) // PER_CM) for p in may_end(book, s, c, found)}
    return [{"key": "reach", "points": reach, "side": SIDES[side]}] if reach else []


def ways(s: Position, side: Side) -> dict[str, Any]:
    """The ways of the unit in hand, for its owner's ribbon."""
    c = s.frames[-1] if s.frames else None
    if not isinstance(c, Moving) or side != c.side or c.path or c.stopped or side not in s.waiting:
        return {}
    return {"ways": ways_of(world(s).table, s.at[c.unit], full_reach(s, c))}


def _in_hand(s: Position, side: Side) -> str | None:
    for c in reversed(s.frames):
        if isinstance(c, (Match, Activation, Acting, Moving)) and c.unit >= 0:
            return FOG.name_for(s, side, c.unit) if FOG.knows(s, side, c.unit) or side == REFEREE else None
    return None


def is_gone(s: Position, unit: int) -> bool:
    """Lost or a wreck."""
    return s.condition[unit] in (LOST, WRECK)


def hides(s: Position, unit: int) -> bool:
    """Hidden from the enemy."""
    return bool(s.flags[unit] & HIDDEN)


__all__ = ["FACES", "To", "class_of", "hides", "is_gone", "marks_of", "pieces", "view_more"]
