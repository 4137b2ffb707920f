"""Chapter 10: D-Day, turn 0. Drops in the night, assault waves in the morning, the follow-up in the afternoon."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grognard.kernel import Decision, No, emit, enter, no, roll, rule

from ..frames import Combat, DDay, MoveStack, Shelling, Sortie
from ..nouns import HEX, NOTHING, UNIT
from ..state import ATTACKED, CLEAR_SKY, OVERCAST
from ..state import NormandieState as S
from ..world import (
    ALLIED,
    AMERICAN,
    ARMOURED,
    AT,
    BEACH,
    BRITISH_BEACHES,
    CHARTS,
    CODES,
    COLUMN,
    COMMANDO,
    COUNT,
    COUNTERS,
    DIRECTIONS,
    DIVISION,
    FIXED,
    GERMAN,
    GROUP,
    HEXES,
    INDEX,
    IS_HQ,
    LAND,
    LAND_NEXT,
    NEXT,
    OPEN_NEXT,
    PARA,
    PLACES,
    RANGER,
    RESERVE,
    SETTLEMENT,
    SIDE,
    TOWN_SIZE,
)
from .air import aircraft_return, draw_aircraft, empty_the_sky, set_ships
from .bombardment import coast_targets, guns_on, means_of, plan_barrage
from .combat_choices import COMMITTED
from .command import refresh_hqs
from .definitions import attack_of, is_there, name_of, own_group, put, units_in, why_not_stack
from .losses import disorganise, lift_confusion, lose_steps, occupy
from .movement import why_not_move
from .turn import recover

ZONES = {INDEX[name]: AT[code] for name, code in PLACES["drop_zones"].items()}
CLIFF = AT[PLACES["landing"]["rangers_cliff"]]
STRETCH = tuple(AT[code] for code in PLACES["landing"]["commando_stretch"])
COMMANDO_ONLY = frozenset(AT[code] for code in PLACES["landing"]["commando_only"])
OMAHA_WEST = AT["0714"]
WALKERS = tuple(tuple(u for u in range(COUNT) if SIDE[u] == side and (IS_HQ[u] or not FIXED[u])) for side in (0, 1))


@rule("10a", "1.1.1.1b", "10-O.1a", "11.3b")
def begin_night(s: S, c: DDay) -> None:
    """10a Turn 0 opens with the night: overcast, no aircraft and no ships; the Allies have the initiative."""
    s.turn, s.phase, s.weather, s.first = 0, "O", OVERCAST, ALLIED
    c.wave = "O"
    c.queue = tuple(counter.index for counter in COUNTERS if counter.phase == "O")
    emit(s, "phase", "10a", phase="O")


# --- 10-O.1 drops ---------------------------------------------------------------------------------------------------


@rule("10-O.1c")
def jump_modifier(u: int, daylight: bool) -> int:
    """10-O.1c What is added to the coloured die: cloud and flak over the Americans, less by day and for gliders."""
    chart, kind = CHARTS["jump"], COUNTERS[u].kind.name
    if daylight:
        return int(chart["daylight"])
    if "glider" in kind:
        return int(chart["glider"])
    return int(chart["american_para" if GROUP[u] == AMERICAN else "british_para"])


@rule("10-O.1b", "10-O.1d", "10-O.1e", "10-O.1f")
def landing_hex(zone: int, coloured: int, white: int) -> int:
    """10-O.1d A modified 1 to 5 comes down on the zone; 10-O.1e from 6 on in the hex that the white die shows.

    10-O.1f Never in the sea nor in a town: then on the zone after all.
    """
    if coloured < CHARTS["jump"]["scatter_from"]:
        return zone
    hex_there = NEXT[zone][DIRECTIONS.index(CHARTS["jump"]["directions"][white - 1])]
    if hex_there < 0 or not LAND[hex_there] or SETTLEMENT[hex_there] == TOWN_SIZE:
        return zone
    return hex_there


@rule("10-O.1c", "10-O.1e", "0b")
def drop_next(s: S, c: DDay) -> None:
    """10-O.1c Two dice for the next unit: where it comes down and, scattered, what it loses."""
    u, c.queue = c.queue[0], c.queue[1:]
    coloured, white = roll(s, "10-O.1c", 2, side=ALLIED)
    modified = coloured + jump_modifier(u, c.wave == "B3")
    wanted = landing_hex(ZONES[u], modified, white)
    around = [n for n in OPEN_NEXT[ZONES[u]] if SETTLEMENT[n] != TOWN_SIZE]
    room = [n for n in (wanted, ZONES[u], *around) if why_not_stack(s, ALLIED, n, [u]) is None]
    if not room:  # every hex is full: the unit stays at its airfield
        put(s, u, RESERVE)
        c.here, c.landed = -1, ()
        return
    h = room[0]
    put(s, u, h)
    s.unlinked[u] = 1
    c.here, c.landed = h, (u,)
    emit(s, "dropped", "10-O.1c", unit=name_of(u), place=CODES[h], coloured=coloured, white=white, modified=modified)
    if is_there(s, GERMAN, h):
        s.confusion[h] = 1
    elif not is_there(s, GERMAN, h):
        occupy(s, ALLIED, h)
    if modified >= CHARTS["jump"]["scatter_from"]:
        worst = max(int(k) for k in CHARTS["jump"]["losses"] if int(k) <= modified)
        loss = CHARTS["jump"]["losses"][str(worst)]
        if loss[0].isdigit():
            lose_steps(s, u, int(loss[0]), "10-O.1e")
        if s.steps[u]:
            disorganise(s, u, int(loss[-1]), "10-O.1e")
        lift_confusion(s, h)


@rule("10-O.1g")
def must_fight(s: S, c: DDay) -> bool:
    """10-O.1g A unit that came down on Germans must attack at once."""
    return bool(c.here >= 0 and is_there(s, GERMAN, c.here) and any(s.place[u] == c.here for u in c.landed))


@rule("10-O.1g", "10-O.1h", "10-O.1i", "10-A.1d", "10-A.1h", "6.11a")
def melee(s: S, c: DDay) -> Combat:
    """10-O.1g The fight on the spot: whoever does not retreat stays, and the hex is in Confusion."""
    sea = c.wave in ("A1", "A2", "B")
    units = [u for u in units_in(s, c.here, ALLIED) if attack_of(s, u) and (sea or u in c.landed)]
    extra = sum(attack_of(s, u) for u in astride(s)) if sea and c.here in BRITISH_BEACHES else 0
    s.confusion[c.here] = 1
    return Combat(kind="assault" if sea else "drop", side=ALLIED, target=c.here, attackers=tuple(units), sea=int(sea),
                  asked=COMMITTED, extra=extra)  # fmt: skip


def more_drops(s: S, c: DDay) -> bool:
    """10-O.1b Units still in the air."""
    return bool(c.queue)


# --- 10 sorties -----------------------------------------------------------------------------------------------------


def is_near_ally(s: S, u: int) -> bool:
    """10-O.2a The German unit touches an Allied unit, or shares its hex."""
    here = s.place[u]
    return any(units_in(s, n, ALLIED) for n in (here, *LAND_NEXT[here]))


@rule("10-O.1j", "10-O.2a", "10-A.1k", "10-A.2a", "10-B.1a", "10-B.2a", "4.4d", "4.4e")
def called(s: S, c: Sortie, u: int) -> bool:
    """Which units a sortie calls: the paratroops of the night, Germans in contact, everybody ashore, all Germans..."""
    if SIDE[u] != c.side or s.place[u] >= HEXES or (FIXED[u] and not IS_HQ[u]):
        return False
    if c.who == "para":
        return PARA[u]
    if c.who == "contact":
        return not IS_HQ[u] and is_near_ally(s, u)
    if c.who == "special":
        return (COMMANDO[u] or RANGER[u]) and bool(s.trips[u])
    return True


@rule("10c")
def begin_sortie(s: S, c: Sortie) -> None:
    """10c On turn 0 everybody is under control and supplied: no headquarters is needed to move or to attack."""
    s.active = c.side
    for u in range(COUNT):
        s.moved[u] = 0
        if c.done != ATTACKS:
            s.fought[u] = 0


def sortie_side(s: S, c: Sortie) -> Iterable[int]:
    """The side that acts."""
    return (c.side,)


NOT_CALLED, IN_MELEE = no("10a", "not-called"), no("6.11c", "in-confusion")
NOT_ADJACENT, NOT_TOGETHER = no("6.1a", "not-adjacent"), no("8b", "one-army")
NOT_THE_COAST, ALREADY_BOMBARDED = no("10-A.1c", "not-this-combat"), no("6.2b", "already-bombarded")
NOT_IN_RANGE, NOT_THERE = no("6.2c", "not-in-range"), no("10-A.1n", "not-there")


@rule("10-O.1j", "10-O.2a", "10-A.1k", "10-A.2a", "10-B.1a", "10-B.2a")
class SortieMove(Decision):
    """10 Move the units called: one hex, into a melee, or at half allowance."""

    verbs = {"move": UNIT, "done": NOTHING}

    def needed(self, s: S, c: Sortie, side: int) -> bool:
        """Until the side has finished."""
        return not c.done & 1 and bool(self.legal_nouns(s, c, side, "move"))

    def nouns(self, s: S, c: Sortie, side: int, verb: str) -> Iterable[int]:
        """Units called that have not moved."""
        return (0,) if verb == "done" else [u for u in WALKERS[side] if not s.moved[u] and called(s, c, u)]

    def why_not(self, s: S, c: Sortie, side: int, verb: str, noun: int) -> No | None:
        """10 Not called, in a melee, or already moved."""
        if verb == "done":
            return None
        if not called(s, c, noun):
            return NOT_CALLED
        if s.confusion[s.place[noun]]:
            if c.who != "special":
                return IN_MELEE
            if not s.moved[noun]:
                return None  # 4.4d they slip on even while a garrison holds the beach
        return why_not_move(s, noun)

    def apply(self, s: S, c: Sortie, side: int, verb: str, noun: int) -> None:
        """10 One stack at a time."""
        if verb == "done":
            c.done |= 1
        else:
            enter(s, MoveStack(side=side, units=(noun,), reach=c.reach))


@rule("10-O.1j", "10-O.2a", "10-A.2a", "10-B.2a", "8b")
class SortieAttack(Decision):
    """10 Attack neighbours, without headquarters or markers; 8b where both Allied armies could, one of them does."""

    verbs = {"attack": HEX, "other-attack": HEX, "done": NOTHING}

    def able(self, s: S, c: Sortie) -> list[int]:
        """Units called that have not attacked."""
        fought = s.fought
        return [u for u in WALKERS[c.side]
                if not fought[u] & ATTACKED and not IS_HQ[u] and called(s, c, u) and attack_of(s, u)]  # fmt: skip

    def near(self, s: S, c: Sortie, place: int) -> list[int]:
        """Those of them that touch a place."""
        return [u for u in self.able(s, c)
                if (s.place[u] == place and s.confusion[place])
                or (place in OPEN_NEXT[s.place[u]] and not s.confusion[s.place[u]])]  # fmt: skip

    def armies(self, s: S, c: Sortie, place: int) -> list[int]:
        """8b The armies that could attack a place."""
        return sorted({GROUP[u] for u in self.near(s, c, place)})

    def pool(self, s: S, c: Sortie, place: int, other: bool = False) -> tuple[int, ...]:
        """8b The units of one army: 11a the player's own, else the first that can, or the other."""
        armies = self.armies(s, c, place)
        own = own_group(s)
        group = own if own in armies else armies[-1 if other else 0]
        return tuple(u for u in self.near(s, c, place) if GROUP[u] == group)

    def needed(self, s: S, c: Sortie, side: int) -> bool:
        """While there is something to attack."""
        return not c.done & 2 and bool(self.targets(s, c, side))

    def targets(self, s: S, c: Sortie, side: int) -> dict[int, set[int]]:
        """The enemy places that they touch, fresh, each with the armies that could attack it."""
        armies: dict[int, set[int]] = {}
        for u in self.able(s, c):
            here = s.place[u]
            for p in (here,) if s.confusion[here] else OPEN_NEXT[here]:
                if is_there(s, 1 - side, p):
                    armies.setdefault(p, set()).add(GROUP[u])
        return {p: armies[p] for p in sorted(armies) if not self._fought(s, p, 1 - side)}

    def nouns(self, s: S, c: Sortie, side: int, verb: str) -> Iterable[int]:
        """Enemy places that they touch; 8b those that both armies touch."""
        if verb == "done":
            return (0,)
        found = self.targets(s, c, side)
        return found if verb == "attack" else [p for p in found if len(found[p]) > 1 and not s.partners]

    def legal_nouns(self, s: S, c: Sortie, side: int, verb: str) -> list[int]:
        """All of them are legal by construction."""
        return list(self.nouns(s, c, side, verb))

    def _fought(self, s: S, place: int, side: int) -> bool:
        return any(s.fought[u] & 2 for u in units_in(s, place, side))

    def why_not(self, s: S, c: Sortie, side: int, verb: str, noun: int) -> No | None:
        """6.1 Only what they touch, once; 8b by one army."""
        if verb == "done":
            return None
        armies = self.targets(s, c, side).get(noun)
        if not armies:
            return NOT_ADJACENT
        return None if verb == "attack" or (len(armies) > 1 and not s.partners) else NOT_TOGETHER

    def apply(self, s: S, c: Sortie, side: int, verb: str, noun: int) -> None:
        """6.1 Declare it."""
        if verb == "done":
            c.done |= 2
        else:
            enter(s, Combat(side=side, target=noun, pool=self.pool(s, c, noun, verb == "other-attack")))


BOTH, MOVES, ATTACKS = 0, 2, 1  # parts of a sortie, as the bits that skip the other part


@rule("10-A.1o", "10-B.1b")
def sortie(side: int, who: str, reach: str, part: int = BOTH) -> Callable[[S, DDay], Sortie]:
    """A maker of frames for the table; 10-A.1o after a landing come the attacks of those who moved before it."""

    def make(s: S, c: DDay) -> Sortie:
        return Sortie(side=side, who=who, reach=reach, done=part)

    return make


# --- 10-A the morning -----------------------------------------------------------------------------------------------


@rule("10-A.1a", "10-A.1c", "1.1.1.1l")
def begin_morning(s: S, c: DDay) -> None:
    """10-A.1a The aircraft and ships of turn 0 are there."""
    s.phase, s.air_assigned = "A", 0
    draw_aircraft(s, c)
    set_ships(s)
    emit(s, "phase", "10a", phase="A")


def support_group(h: int) -> int:
    """6.2d The group whose ships and aircraft serve a hex of the coast: Americans west of 0713, it included."""
    return AMERICAN if COLUMN[h] >= 13 else 1


@rule("10-A.1a", "10-A.1c", "9.4f")
class BombardCoast(Decision):
    """10-A.1c Before the landing ships and bombers hit beach garrisons and batteries; 9.4f carpets are free today.

    Each hex once by ships and once from the air, as before a combat (our reading).
    """

    verbs = {"ships": HEX, "bombers": HEX, "land": NOTHING}

    def needed(self, s: S, c: DDay, side: int) -> bool:
        """Until the landing starts."""
        return not c.done and any(self.legal_nouns(s, c, side, verb) for verb in ("ships", "bombers"))

    def nouns(self, s: S, c: DDay, side: int, verb: str) -> Iterable[int]:
        """Beaches and batteries."""
        return (0,) if verb == "land" else coast_targets(s)

    def why_not(self, s: S, c: DDay, side: int, verb: str, noun: int) -> No | None:
        """10-A.1c Only beaches and batteries, in range, once each."""
        if verb == "land":
            return None
        if noun not in coast_targets(s):
            return NOT_THE_COAST
        if noun in (c.shelled if verb == "ships" else c.bombed):
            return ALREADY_BOMBARDED
        return None if any(means_of(s, verb, support_group(noun), noun)) else NOT_IN_RANGE

    def apply(self, s: S, c: DDay, side: int, verb: str, noun: int) -> None:
        """6.2f Fire; with how much is asked next."""
        if verb == "land":
            c.done = 1
            return
        if verb == "ships":
            c.shelled = (*c.shelled, noun)
        else:
            c.bombed = (*c.bombed, noun)
        plan_barrage(s, verb, support_group(noun), noun)


@rule("10-A.1i")
def astride(s: S) -> list[int]:
    """10-A.1i The brigades of the 79th Armoured that lie off the British beaches and lend their weight to all."""
    return [u for u in range(COUNT) if DIVISION[u] == "79arm" and s.place[u] == RESERVE and s.steps[u]]


@rule("10-A.1d", "10-A.1m", "10-B.1b", "10-A.1l")
def call_wave(s: S, c: DDay, wave: str) -> None:
    """10-A.1d The hexes on which a wave lands; its units wait in the reserve until their hex comes up."""
    c.wave = wave
    hexes: set[int] = set()
    for counter in COUNTERS:
        if counter.phase != wave:
            continue
        u = counter.index
        put(s, u, RESERVE)
        s.trips[u] = 0
        if DIVISION[u] != "79arm" and not COMMANDO[u]:
            s.due_at[u] = AT[counter.place]
            hexes.add(AT[counter.place])
        else:
            s.due_at[u] = RESERVE
    c.beaches = tuple(sorted(hexes, key=lambda h: -COLUMN[h]))
    emit(s, "wave", "10-A.1d", wave=wave)


def first_wave(s: S, c: DDay) -> None:
    """10-A.1d The first wave."""
    call_wave(s, c, "A1")


@rule("10-A.1l")
def second_wave(s: S, c: DDay) -> None:
    """10-A.1m The second wave; 10-A.1l a die sends the 5th Rangers to the cliff (1-3) or to Omaha (4-6)."""
    call_wave(s, c, "A2")
    rangers = INDEX["us-5ranger"]
    (die,) = roll(s, "10-A.1l", side=ALLIED)
    s.due_at[rangers] = CLIFF if die <= 3 else OMAHA_WEST
    hexes = {*c.beaches, s.due_at[rangers]} - ({CLIFF} if die > 3 else set())
    c.beaches = tuple(sorted(hexes, key=lambda h: -COLUMN[h]))
    next_commando(s, c)


@rule("10-A.1n", "0b")
class PlaceCommandos(Decision):
    """10-A.1n Each commando chooses any hex from Arromanches to Ouistreham, two of which are for it alone."""

    verbs = {"come-in": HEX}

    def needed(self, s: S, c: DDay, side: int) -> bool:
        """While one has no hex."""
        return c.unit >= 0

    def nouns(self, s: S, c: DDay, side: int, verb: str) -> Iterable[int]:
        """The stretch of coast."""
        return STRETCH

    def why_not(self, s: S, c: DDay, side: int, verb: str, noun: int) -> No | None:
        """10-A.1n Elsewhere."""
        return None if noun in STRETCH else NOT_THERE

    def apply(self, s: S, c: DDay, side: int, verb: str, noun: int) -> None:
        """10-A.1n There."""
        s.due_at[c.unit] = noun
        if noun not in c.beaches:
            c.beaches = tuple(sorted((*c.beaches, noun), key=lambda h: -COLUMN[h]))
        next_commando(s, c)


def next_commando(s: S, c: DDay) -> None:
    """10-A.1n The next commando of the wave without a hex."""
    waits = (u for u in range(COUNT) if COMMANDO[u] and s.place[u] == RESERVE and s.due_at[u] == RESERVE)
    c.unit = next(waits, -1)


@rule("10-A.1n")
def may_land_on(u: int, h: int) -> bool:
    """10-A.1n From the sea 0712 and 0808 are open to the commandos only."""
    return h not in COMMANDO_ONLY or COMMANDO[u]


@rule("10-A.1d", "10-A.1e", "10-A.1m", "10-B.1b")
def land_next(s: S, c: DDay) -> None:
    """10-A.1d The units bound for the next hex come ashore, five points at most (ruling A57), 10-B.1b the rest waits.

    10-A.1e Tanks of the first wave swim: each throws on the DD table.
    """
    h, c.beaches = c.beaches[0], c.beaches[1:]
    c.here, c.landed = h, ()
    for u in range(COUNT):
        if s.place[u] != RESERVE or s.due_at[u] != h or not s.steps[u] or not may_land_on(u, h):
            continue
        if why_not_stack(s, ALLIED, h, [u]) is not None:
            continue
        if c.wave == "A1" and ARMOURED[u]:
            swim(s, u, h)
            if not s.steps[u]:
                continue
        put(s, u, h)
        s.trips[u] = 1
        c.landed = (*c.landed, u)
        emit(s, "ashore", "10-A.1d", unit=name_of(u), place=CODES[h])
    if is_there(s, GERMAN, h) and c.landed:
        s.confusion[h] = 1
    elif any(not IS_HQ[u] for u in c.landed):
        occupy(s, ALLIED, h)
    for u in reversed(c.landed):
        if not IS_HQ[u] and guns_on(s, h):
            enter(s, Shelling(unit=u, place=h))


@rule("10-A.1e")
def swim(s: S, u: int, h: int) -> None:
    """10-A.1e DD tanks: 1 or 2 costs a step; worse in the swell off Omaha, better at Gold, where they land dry."""
    chart = CHARTS["dd"]
    (die,) = roll(s, "10-A.1e", side=ALLIED)
    modified = die + chart.get(BEACH.get(h, ""), 0)
    emit(s, "swam", "10-A.1e", unit=name_of(u), die=die, modified=modified)
    if modified <= chart["lost_upto"]:
        put(s, u, h)  # so that the log says where
        lose_steps(s, u, 1, "10-A.1e")


def more_beaches(s: S, c: DDay) -> bool:
    """10-A.1d Hexes still to land on."""
    return bool(c.beaches)


# --- 10-B the afternoon and the end ---------------------------------------------------------------------------------


@rule("10-A.2b")
def begin_afternoon(s: S, c: DDay) -> None:
    """10-A.2b Phase B: the sky clears; neither aircraft nor ships come back."""
    s.phase, s.weather = "B", CLEAR_SKY
    emit(s, "phase", "10-A.2b", phase="B")


def follow_up(s: S, c: DDay) -> None:
    """10-B.1b The last wave."""
    call_wave(s, c, "B")


@rule("10-B.3a")
def glide(s: S, c: DDay) -> None:
    """10-B.3a In the evening the 6th Airlanding Brigade comes in."""
    c.wave = "B3"
    c.queue = tuple(counter.index for counter in COUNTERS if counter.phase == "B3")


@rule("10-B.3b", "10-B.3c", "10b")
def end_dday(s: S, c: DDay) -> None:
    """10-B.3b Affected marks go, disorder falls by a level; 10-B.3c on to turn 1, which is clear."""
    for u in range(COUNT):
        s.affected[u] = s.fought[u] = s.moved[u] = s.trips[u] = 0
    recover(s)
    refresh_hqs(s)
    aircraft_return(s)
    empty_the_sky(s)
    s.turn, s.phase, s.overcast_run = 1, "A", 0
