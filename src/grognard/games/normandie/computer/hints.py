"""Which of the legal actions the computer should weigh: for each decision a few lines of staff officer's sense.

`promising` filters the legal list, from open information; what it leaves is compared by `score.score_of`.
Where the front says clearly what is best it leaves one action, which makes a computer's turn a matter of milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grognard.kernel import Action

from ..frames import (
    Activation,
    Barrage,
    Combat,
    CounterAttack,
    DDay,
    Exploitation,
    Landing,
    LeaveBox,
    MarkerMove,
    MoveStack,
    Opening,
    Sortie,
)
from ..nouns import COVER_WORDS
from ..rules.activation import places_next_to, targets_of
from ..rules.air import flights, ready
from ..rules.bombardment import MEANS, coast_targets, means_of
from ..rules.combat import allied_group
from ..rules.dday import SortieAttack
from ..rules.definitions import attack_of, is_there, may_overrun, units_in
from ..rules.logistics import marker_sources
from ..rules.offmap import NEAR, ways_in, why_not_travel
from ..state import STRATEGIC_BOX
from ..state import NormandieState as S
from ..world import (
    AIR,
    AIR_KINDS,
    ALLIED,
    AT,
    BOX_AT,
    DEPOT_HEX,
    ENTRY_HEXES,
    EXIT_BOX,
    FB,
    GERMAN,
    GROUP,
    HB,
    HEXES,
    HQS,
    IS_HQ,
    OPEN_NEXT,
    STEPS,
    STRATEGIC,
    ZONE,
    ZONE_IDS,
    is_box,
)
from .battles import NEVER, attack_worth, best_plan, promise
from .fronts import (
    COVER,
    PLAIN,
    Front,
    Manner,
    followers,
    front_of,
    hex_worth,
    hq_worth,
    is_weak,
    nearest_foe,
)
from .gaps import ARMIES
from .goals import near_goal

Hint = Callable[[S, Any, int, list[Action]], list[Action]]
Rate = Callable[[S, Front, int, tuple[int, ...], int], int]  # how much a side wants units in a hex
CLOSING = ("done", "end", "enough", "no-more", "ready", "hold-fire", "halt", "accept")


def promising(
    s: S, side: int, legal: list[Action], decision: str, hints: dict[str, Hint] | None = None
) -> list[Action]:
    """The actions worth weighing; none only for a side that has no decision to make."""
    hint = (HINTS if hints is None else hints).get(decision) if legal else None
    return (hint(s, s.frames[-1], side, legal) if hint else legal) or legal


def _best(actions: list[Action], worth: Callable[[Action], int]) -> list[Action]:
    """The best action; the first among equals."""
    return [max(actions, key=worth)] if actions else []


def _of(legal: list[Action], *verbs: str) -> list[Action]:
    return [a for a in legal if a[0] in verbs]


# --- movement -------------------------------------------------------------------------------------------------------


def pick_stack(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Land first, fighting units before headquarters; then move the front line, then the rest, headquarters last."""
    landings = _of(legal, "land")
    if landings:
        return [min(landings, key=lambda a: (IS_HQ[a[1]], -attack_of(s, a[1]), a[1]))]
    zone = (1 - side) * HEXES

    def order(action: Action) -> tuple[bool, bool, int]:
        u = action[1]
        return IS_HQ[u], not s.zoc[zone + s.place[u]], u

    moves = _of(legal, "move")
    return [min(moves, key=order)] if moves else legal


def go_there(
    s: S, c: MoveStack, side: int, legal: list[Action], rate: Rate = hex_worth, manner: Manner = PLAIN
) -> list[Action]:
    """The best hex in reach, an overrun with overwhelming odds, or staying; idle armour goes into reserve."""
    units, here = c.units, s.place[c.units[0]]
    for action in _of(legal, "overrun"):
        probe = Combat(kind="overrun", side=side, target=action[1], attackers=units)
        if promise(s, probe, 0, manner).worth >= manner.overrun_from:
            return [action]
    if here >= HEXES:
        return legal
    front = front_of(s, manner)
    goals = _of(legal, "to")
    stay = _of(legal, "stay")

    wanted = followers(s, units[0], manner.lead) if IS_HQ[units[0]] else []

    def worth(h: int) -> int:
        return hq_worth(s, front, units[0], h, wanted) if IS_HQ[units[0]] else rate(s, front, side, units, h)

    best = _best(goals, lambda a: worth(a[1]))
    margin = 3 if not IS_HQ[units[0]] else 0  # no marching to and fro
    if best and worth(best[0][1]) > worth(here) + margin:
        return best
    reserve = _of(legal, "reserve")
    if reserve and 1 < nearest_foe(front, side, here) <= 4 and may_overrun(units[0]):
        return reserve
    return stay


def pick_depot(s: S, c: Landing, side: int, legal: list[Action]) -> list[Action]:
    """The depot nearest to the goals of the army."""
    return _best(legal, lambda a: -near_goal(s, DEPOT_HEX[a[1]], GROUP[c.unit]))


def off_map(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Germans go to the front by the shortest lines; Allies leave the map only for boxes without a stronger enemy."""
    if side == GERMAN:
        taken = _of(legal, "take")
        doors = [a for a in taken if ways_in(s, a[1])]
        steps = [a for a in taken if steps_to_map(s, a[1])]
        return doors[:1] or steps[:1] or _of(legal, "hunt")[:1] or _of(legal, "done")
    out = [a for a in _of(legal, "exit") if _may_leave(s, a[1])]
    ways = [a for a in _of(legal, "take") if conquests(s, a[1])]
    return out[:1] or ways[:1] or _of(legal, "done")


def steps_to_map(s: S, u: int) -> list[int]:
    """Boxes next to a German counter's own that are nearer to the map, and his."""
    box = s.place[u]
    if BOX_AT[box].inside:
        return []
    near = [b for b in NEAR[box] if s.control[b] == GERMAN + 1 and to_map(b) < to_map(box)]
    return [b for b in near if why_not_travel(s, u, b) is None]


def conquests(s: S, u: int) -> list[int]:
    """German boxes next to an Allied counter's own that few defend."""
    near = [b for b in NEAR[s.place[u]] if s.control[b] == GERMAN + 1 and is_weak(s, b)]
    return [b for b in near if why_not_travel(s, u, b) is None]


def pick_goal(
    s: S, c: LeaveBox, side: int, legal: list[Action], rate: Rate = hex_worth, manner: Manner = PLAIN
) -> list[Action]:
    """Onto the map where the front wants the unit, else to the box for which it was picked up."""
    doors = _of(legal, "enter")
    if doors and side == GERMAN:
        front = front_of(s, manner)
        return _best(doors, lambda a: 0 if IS_HQ[c.unit] else rate(s, front, side, (c.unit,), a[1]))
    wanted = steps_to_map(s, c.unit) if side == GERMAN else conquests(s, c.unit)
    return [a for a in _of(legal, "travel") if a[1] in wanted][:1] or legal[:1]


def to_map(box: int) -> int:
    """Lines from a box to one with a way onto the map."""
    seen, todo, far = {box}, [box], 0
    while todo:
        if any(ENTRY_HEXES.get(b) for b in todo):
            return far
        todo = sorted({AT[line] for b in todo for line in BOX_AT[b].lines} - seen)
        seen.update(todo)
        far += 1
    return 99


def _may_leave(s: S, u: int) -> bool:
    """A headquarters follows its units; units go where somebody leads them or a corps is about to follow."""
    box = EXIT_BOX[s.place[u]]
    here = [v for v in units_in(s, s.place[u], ALLIED) if not IS_HQ[v]]
    if IS_HQ[u]:
        return is_weak(s, box) and bool(units_in(s, box, ALLIED) or here)
    led = any(IS_HQ[v] and GROUP[v] == GROUP[u] and s.place[v] in (s.place[u], box) for v in range(len(s.place)))
    return led and is_weak(s, box)


# --- combat ---------------------------------------------------------------------------------------------------------


def pick_hq(s: S, c: Any, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """The headquarters with the best attack, if it is good enough for a marker."""
    rated = [(best_attack(s, side, a[1], manner), a) for a in _of(legal, "activate")]
    good = [row for row in rated if row[0] >= manner.attack_from[side]]
    return [max(good, key=lambda row: row[0])[1]] if good else _of(legal, "end")


def best_attack(s: S, side: int, hq: int, manner: Manner = PLAIN) -> int:
    """The worth of the best attack of a headquarters."""
    return max((attack_worth(s, side, hq, p, manner=manner) for p in targets_of(s, side, hq)), default=NEVER)


def pick_target(s: S, c: Activation, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """The best attack first; the marker is spent, so a slightly worse one will do."""
    rated = [(attack_worth(s, side, c.hq, a[1], manner=manner), a) for a in _of(legal, "attack")]
    good = [row for row in rated if row[0] >= manner.attack_from[side] // 2]
    return [max(good, key=lambda row: row[0])[1]] if good else _of(legal, "done")


def exploit_target(s: S, c: Exploitation, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """As an ordinary attack, by the reserves alone."""
    pool = tuple(u for u in ARMIES[side] if s.reserve[u] == 2)
    rated = []
    for a in _of(legal, "attack"):
        near = tuple(u for u in pool if a[1] in places_next_to(s, u, side))
        rated.append((attack_worth(s, side, c.hq, a[1], near, "exploitation", manner), a))
    good = [row for row in rated if row[0] >= manner.attack_from[side]]
    return [max(good, key=lambda row: row[0])[1]] if good else _of(legal, "done")


def sortie_attack(s: S, c: Sortie, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """D-Day: without headquarters."""
    rated = []
    for a in _of(legal, "attack"):
        pool = SortieAttack().pool(s, c, a[1])
        rated.append((attack_worth(s, side, -1, a[1], pool, manner=manner), a))
    good = [row for row in rated if row[0] >= manner.attack_from[side]]
    return [max(good, key=lambda row: row[0])[1]] if good else _of(legal, "done")


def commit(s: S, c: Combat, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """As many as pay best, the freshest first."""
    chosen = promise(s, c, 0, manner).attackers
    if len(chosen) > len(c.attackers):
        return [("join", chosen[len(c.attackers)])]
    return _of(legal, "fight") or legal[:1]


def bombard(s: S, c: Combat, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """What helps an attack for its price; against a German attack all the ships, then all the medium bombers."""
    group = allied_group(s, c)
    for verb in ("ships", "bombers"):
        actions = _of(legal, verb)
        if actions and c.side == ALLIED:
            if best_plan(s, c, verb, group, c.target, manner=manner) is not None:
                return actions[:1]
        elif actions:
            best = max(actions, key=lambda a: sum(means_of(s, verb, group, a[1])[:2]))
            if any(means_of(s, verb, group, best[1])[:2]):
                return [best]
    return _of(legal, "hold-fire")


def bombard_coast(s: S, c: DDay, side: int, legal: list[Action]) -> list[Action]:
    """D-Day: the hexes in bocage first."""
    for verb in ("ships", "bombers"):
        actions = _of(legal, verb)
        if actions:
            return _best(actions, lambda a: COVER[a[1]])
    return legal


def count_means(s: S, c: Barrage, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """What pays best in an Allied attack; on D-Day a share for each hex; against a German attack all but the heavy."""
    under, names = s.frames[-2], MEANS[c.by]
    limits = means_of(s, c.by, c.group, c.places[0])
    if isinstance(under, Combat) and under.side == ALLIED:
        wanted = best_plan(s, under, c.by, c.group, c.places[0], c.used, c.asked, manner) or limits
    elif isinstance(under, DDay):
        hit = under.shelled if c.by == "ships" else under.bombed
        left = [h for h in coast_targets(s) if h not in hit and any(means_of(s, c.by, c.group, h))]
        weight = 1 + COVER[c.places[0]]
        share = max(1, sum(limits) * weight // (weight + sum(1 + COVER[h] for h in left)))
        wanted = tuple(min(limit, max(0, share - sum(limits[:n]))) for n, limit in enumerate(limits))
    else:
        wanted = (*limits[:2], 0)[: len(limits)]
    for name, amount, used in zip(names, wanted, c.used):
        if amount and not used:
            return [a for a in legal if a == (name, amount)] or _of(legal, "fire") or legal[:1]
    return _of(legal, "fire") or legal[:1]


def take(*verbs: str) -> Hint:
    """The first action of the first of these verbs that is legal."""

    def hint(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
        return next((found[:1] for verb in verbs if (found := _of(legal, verb))), [])

    return hint


def count_cover(s: S, c: Combat, side: int, legal: list[Action]) -> list[Action]:
    """Two columns rather than one and a shorter retreat."""
    return [a for a in legal if COVER_WORDS[a[1]] != "village"]


def defence_support(s: S, c: Combat, side: int, legal: list[Action]) -> list[Action]:
    """A headquarters that will not attack itself this phase helps."""
    idle = [a for a in _of(legal, "support") if side == GERMAN or not s.offensive[s.place[a[1]]]]
    return idle[:1] or _of(legal, "no-support")


def retreat(s: S, c: Combat, side: int, legal: list[Action]) -> list[Action]:
    """The best unit first, towards one's own; in an overrun the attacker sends the worst, and away from there."""
    if legal[0][0] == "first":
        sign = 1 if s.frames[-1].kind != "overrun" else -1  # type: ignore[attr-defined]
        return _best(legal, lambda a: sign * (attack_of(s, a[1]) + s.steps[a[1]]))
    u = c.retreating[0]
    if IS_HQ[u] or s.place[u] >= HEXES or legal[0][1] >= HEXES:
        return legal[:1]
    front = front_of(s)
    sign = 1 if s.frames[-1].kind != "overrun" else -1  # type: ignore[attr-defined]
    return _best(legal, lambda a: sign * (COVER[a[1]] * 2 + nearest_foe(front, 1 - c.side, a[1])))


def advance(s: S, c: Combat, side: int, legal: list[Action]) -> list[Action]:
    """Take the ground with the strongest unit in good order, then halt with five points or the better half of them."""
    goers = _of(legal, "advance")
    if goers and len(c.advanced) < 2:
        return _best(goers, lambda a: 4 * attack_of(s, a[1]) - 10 * s.disorder[a[1]])
    if c.unit >= 0:
        return _best(legal, lambda a: -near_goal(s, a[1], GROUP[c.unit]))
    nearer = side == ALLIED and any(_is_nearer(s, c, h) for h in c.vacated)
    chase = _of(legal, "pursue") if nearer and len(c.advanced) > 1 else []
    return chase[:1] or _of(legal, "halt")


def _is_nearer(s: S, c: Combat, h: int) -> bool:
    group = GROUP[c.attackers[0]]
    return near_goal(s, h, group) < near_goal(s, c.target, group)


def start_counter(s: S, c: CounterAttack, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """Strike back where the odds are good or the hex is empty."""
    from ..rules.activation import counter_pool

    for a in _of(legal, "counter"):
        hq = a[1]
        pool = counter_pool(s, side, c.target, c.driven, hq)
        if not units_in(s, c.target, 1 - side):
            return [a]
        if attack_worth(s, side, hq, c.target, pool, "counter", manner) >= manner.counter_from:
            return [a]
    return _of(legal, "accept")


# --- the rest of the turn -------------------------------------------------------------------------------------------


def move_marker(s: S, c: Any, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """Markers go where the best attack waits; one that lies well stays."""
    found, worth = marker_sources(s, side), Memo(s, side, manner)
    rated = [(max(marker_gain(s, worth, place, a[1]) for place in found[a[1]]), a) for a in _of(legal, "marker")]
    best = max(rated, key=lambda row: row[0], default=None)
    return [best[1]] if best and best[0] > -60 else _of(legal, "no-more")


def pick_source(s: S, c: MarkerMove, side: int, legal: list[Action], manner: Manner = PLAIN) -> list[Action]:
    """From where it is missed least."""
    worth = Memo(s, side, manner)
    return _best(legal, lambda a: marker_gain(s, worth, a[1], c.unit))


class Memo(dict[int, int]):
    """The worth of the best attack of each headquarters, looked for once."""

    def __init__(self, s: S, side: int, manner: Manner) -> None:
        self.s, self.side, self.manner = s, side, manner

    def __missing__(self, hq: int) -> int:
        self[hq] = best_attack(self.s, self.side, hq, self.manner)
        return self[hq]


def marker_gain(s: S, worth: Memo, start: int, hq: int) -> int:
    """What a marker is worth with a headquarters, less what it is worth where it lies."""
    value = worth[hq] - worth.manner.hold_marker * s.offensive[s.place[hq]]
    if start < HEXES:  # taken from another headquarters
        value -= 60 + max((worth[other] for other in HQS if s.place[other] == start), default=0)
    return value


def place_marker(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """With the headquarters that has the best attack."""
    return _best(legal, lambda a: best_attack(s, side, a[1]) - 40 * s.offensive[s.place[a[1]]])


def place_freely(
    s: S, c: Opening, side: int, legal: list[Action], rate: Rate = hex_worth, manner: Manner = PLAIN
) -> list[Action]:
    """Where the front wants the unit."""
    front = front_of(s, manner)
    return _best(legal, lambda a: rate(s, front, side, (c.unit,), a[1]))


def assign_aircraft(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Heavy bombers over the fullest box, some fighter-bombers over the fullest zones, the rest in support."""
    boxes = [
        a for a in _of(legal, "box") if ready(s, HB) and units_in(s, a[1], GERMAN) and ("send", HB) in flights(s, a[1])
    ]
    if boxes:
        return _best(boxes, lambda a: len(units_in(s, a[1], GERMAN)))
    if ready(s, FB) > 4:
        zones = [0] * len(ZONE_IDS)
        for u in ARMIES[GERMAN]:
            if s.place[u] < HEXES and ZONE[s.place[u]] >= 0:
                zones[ZONE[s.place[u]]] += 1
        full = [a for a in _of(legal, "zone") if zones[a[1]] > 3]
        if full:
            return _best(full, lambda a: zones[a[1]])
    return _of(legal, "ready")


def administer(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Steps back first; airborne troops go home when they start to cost; the badly hurt rest."""
    late = _of(legal, "withdraw") if s.turn >= 5 else []
    tired = [a for a in _of(legal, "rest") if s.steps[a[1]] * 2 <= STEPS[a[1]] or s.disorder[a[1]] > 1]
    return _of(legal, "recover")[:1] or _of(legal, "return")[:1] or late[:1] or tired[:1] or _of(legal, "done")


def store_marker(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """Near to the map, where interdiction will least hold it up."""

    def worth(action: Action) -> int:
        box = action[1]
        if not is_box(box):
            return 0
        over = [AIR[a][0] for a in range(len(AIR)) if s.air[a] == STRATEGIC_BOX and s.air_at[a] == box]
        held_up = sum(int(STRATEGIC["interdiction"][AIR_KINDS[kind]]) for kind in over)
        return BOX_AT[box].number - held_up - 4 * to_map(box)

    return _best(legal, worth)


def coastal_fire(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """All the guns."""
    return _of(legal, "aim")[:1] or _of(legal, "fire")


def fly_superiority(s: S, c: Any, side: int, legal: list[Action]) -> list[Action]:
    """From the army with more fighter-bombers."""
    return _best(legal, lambda a: ready(s, FB, a[1]))


def shift_units(s: S, c: CounterAttack, side: int, legal: list[Action]) -> list[Action]:
    """Only units that could not strike from where they stand."""
    if c.unit >= 0:
        return legal[:1]
    near, free = OPEN_NEXT[c.target], not is_there(s, 1 - side, c.target)
    wanted = [a for a in _of(legal, "shift") if free or s.place[a[1]] not in near]
    return wanted[:1] or _of(legal, "strike")


def give_up(s: S, c: Combat, side: int, legal: list[Action]) -> list[Action]:
    """Lose the weakest; an attacker who chooses takes the strongest."""
    sign = 1 if side == c.side else -1
    return _best(legal, lambda a: sign * (attack_of(s, a[1]) + s.steps[a[1]]))


HINTS: dict[str, Hint] = {
    "PickStack": pick_stack,
    "SortieMove": pick_stack,
    "GoThere": go_there,
    "OffMap": off_map,
    "PickGoal": pick_goal,
    "PickDepot": pick_depot,
    "PickSource": pick_source,
    "PickDoor": take("at"),
    "PickAircraft": take("send", "other"),
    "CountMeans": count_means,
    "PickHq": pick_hq,
    "PickTarget": pick_target,
    "PickExploitTarget": exploit_target,
    "SortieAttack": sortie_attack,
    "Commit": commit,
    "Bombard": bombard,
    "BombardCoast": bombard_coast,
    "Fly": take("fly"),
    "AttackSupport": take("add"),
    "CountCover": count_cover,
    "DefenceSupport": defence_support,
    "HoldGround": take("hold"),
    "Retreat": retreat,
    "Advance": advance,
    "PickReserve": take("release", "go"),
    "StartCounter": start_counter,
    "ShiftUnits": shift_units,
    "GiveUp": give_up,
    "GatherStack": take("with", "go"),
    "RouseMaquis": take("rouse"),
    "FlySuperiority": fly_superiority,
    "MoveMarker": move_marker,
    "PlaceMarkers": place_marker,
    "WeakenDivision": take("weaken"),
    "PlaceFreely": place_freely,
    "AssignAircraft": assign_aircraft,
    "Administer": administer,
    "AirSupply": take("air-supply"),
    "StoreMarkers": store_marker,
    "CoastalFire": coastal_fire,
    "PlaceCommandos": take("come-in"),
}
