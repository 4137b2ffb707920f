"""The frames: what each sequence remembers between two decisions, and nothing else."""

from __future__ import annotations

from grognard.kernel import PUBLIC, Frame, items, number, text


class Opening(Frame):
    """11b Free placement, then the game."""

    unit: int = number(PUBLIC, -1, names="unit")  # the counter to be placed next


class Turn(Frame):
    """1.0 One turn after the other until the game ends."""


class DDay(Frame):
    """10 Turn 0: what is still to drop or to land in the present wave."""

    wave: str = text(PUBLIC)  # O, A1, A2, B, B3
    queue: tuple[int, ...] = items(PUBLIC, names="unit")  # airborne units still to drop
    beaches: tuple[int, ...] = items(PUBLIC, names="place")  # hexes still to assault in this wave
    here: int = number(PUBLIC, -1, names="place")  # the hex just landed on
    landed: tuple[int, ...] = items(PUBLIC, names="unit")  # units that have just come down or ashore
    shelled: tuple[int, ...] = items(PUBLIC, names="place")  # bombarded by ships
    bombed: tuple[int, ...] = items(PUBLIC, names="place")  # bombarded from the air
    unit: int = number(PUBLIC, -1, names="unit")  # the commando that chooses its hex
    done: int = number(PUBLIC)  # the bombardment is over


class Sortie(Frame):
    """10 A short move and attacks without headquarters, on D-Day."""

    side: int = number(PUBLIC)
    who: str = text(PUBLIC)  # para, contact, ashore, special, german
    reach: str = text(PUBLIC, "half")  # one, confusion, half
    done: int = number(PUBLIC)  # bits: 1 moves, 2 attacks


class Shelling(Frame):
    """6.2j German coastal guns on a unit coming ashore."""

    unit: int = number(PUBLIC, names="unit")
    place: int = number(PUBLIC, names="place")
    guns: tuple[int, ...] = items(PUBLIC, names="unit")  # batteries chosen so far
    done: int = number(PUBLIC)


class Phase(Frame):
    """1.0b Phase A or B: the air step, then both players."""

    name: str = text(PUBLIC, "A")


class PlayerPhase(Frame):
    """1.0c One player's part of a phase."""

    side: int = number(PUBLIC)
    done: int = number(PUBLIC)  # bits: 1 off-map, 2 moves, 4 combats


class LeaveBox(Frame):
    """4.1.2 A stack about to leave a box of the strategic map."""

    kind: str = text(PUBLIC, "travel")  # travel, ride
    side: int = number(PUBLIC)
    unit: int = number(PUBLIC, -1, names="unit")  # the counter picked up first
    goal: int = number(PUBLIC, -1, names="place")  # -1: not chosen yet
    units: tuple[int, ...] = items(PUBLIC, names="unit")
    ready: int = number(PUBLIC)  # the stack is complete
    delay: int = number(PUBLIC)  # the partisans: 0 not asked, 1 lie low, 2 strike
    tested: int = number(PUBLIC)  # units that have thrown their die
    out: tuple[int, ...] = items(PUBLIC, names="unit")  # units that may leave


class MoveStack(Frame):
    """4.1.1b One stack on the move."""

    side: int = number(PUBLIC)
    units: tuple[int, ...] = items(PUBLIC, names="unit")
    spent: int = number(PUBLIC)
    hexes: int = number(PUBLIC)  # hexes moved so far
    gone: int = number(PUBLIC)  # 1 once it has moved, 2 when an overrun lets it move on
    over: int = number(PUBLIC)
    lifted: tuple[int, ...] = items(PUBLIC, names="place")  # zones of the units just driven off
    overran: tuple[int, ...] = items(PUBLIC, names="place")  # hexes already overrun
    reach: str = text(PUBLIC)  # on D-Day: one, confusion, half


class Activation(Frame):
    """1.1.3 A headquarters fights."""

    side: int = number(PUBLIC)
    hq: int = number(PUBLIC, names="unit")
    over: int = number(PUBLIC)


class Exploitation(Frame):
    """6.8 Reserves let loose by a headquarters."""

    side: int = number(PUBLIC)
    hq: int = number(PUBLIC, names="unit")
    stacks: int = number(PUBLIC)
    stage: int = number(PUBLIC)  # 0 choose stacks, 1 move, 2 fight, 3 over


class Combat(Frame):
    """6.3 One combat, from the declaration to the advance."""

    kind: str = text(PUBLIC, "attack")  # attack, overrun, exploitation, counter, drop, assault
    side: int = number(PUBLIC)  # the attacker
    hq: int = number(PUBLIC, -1, names="unit")  # the headquarters that declared it
    target: int = number(PUBLIC, names="place")
    attackers: tuple[int, ...] = items(PUBLIC, names="unit")
    pool: tuple[int, ...] = items(PUBLIC, names="unit")  # who may join; empty: whoever the HQ controls
    asked: int = number(PUBLIC)  # bits of the questions already answered
    support: tuple[int, ...] = items(PUBLIC, names="unit")  # attacking headquarters that add their bonus
    shield: int = number(PUBLIC, -1, names="unit")  # defending headquarters
    plane: int = number(PUBLIC, -1, names="air")  # air counter in tactical support
    cover: str = text(PUBLIC)  # terrain that the defender counts
    column: int = number(PUBLIC)
    die: int = number(PUBLIC)
    retreat: int = number(PUBLIC)  # hexes the defenders must retreat
    exploit: int = number(PUBLIC)
    retreating: tuple[int, ...] = items(PUBLIC, names="unit")
    picked: int = number(PUBLIC)  # the first of them was chosen to go next
    leg: int = number(PUBLIC)  # hexes already retreated by the first of them
    seen: int = number(PUBLIC)  # that one went through a hex open to aircraft
    vacated: tuple[int, ...] = items(PUBLIC, names="place")  # hexes through which the defenders went
    crowded: tuple[int, ...] = items(PUBLIC, names="place")  # hexes that their retreat has overfilled for good
    driven: tuple[int, ...] = items(PUBLIC, names="unit")  # units that retreated
    advanced: tuple[int, ...] = items(PUBLIC, names="unit")
    unit: int = number(PUBLIC, -1, names="unit")  # the unit about to go further
    won: int = number(PUBLIC)  # the hex was left or cleared by the defenders
    sea: int = number(PUBLIC)  # an assault from the sea
    extra: int = number(PUBLIC)  # attack points lent by the 79th Armoured


class CounterAttack(Frame):
    """6.9 The defender strikes back at once."""

    side: int = number(PUBLIC)
    target: int = number(PUBLIC, names="place")
    driven: tuple[int, ...] = items(PUBLIC, names="unit")
    hq: int = number(PUBLIC, -1, names="unit")
    unit: int = number(PUBLIC, -1, names="unit")  # the unit about to move its one hex
    stage: int = number(PUBLIC)  # 0 choose, 1 move one hex, 2 fight, 3 over
    driven_moved: tuple[int, ...] = items(PUBLIC, names="unit")  # units that have moved their one hex
    pool: tuple[int, ...] = items(PUBLIC, names="unit")


class Barrage(Frame):
    """6.2f Ships or bombers on a target: how many of each, 9.4c and on which second hex."""

    by: str = text(PUBLIC, "ships")  # ships, bombers
    group: int = number(PUBLIC)  # whose
    places: tuple[int, ...] = items(PUBLIC, names="place")
    used: tuple[int, ...] = items(PUBLIC)  # cruisers and destroyers, or medium, light and heavy bombers
    asked: int = number(PUBLIC)  # bits of the means already counted
    fired: int = number(PUBLIC)


class Mission(Frame):
    """9.5a A box of the strategic map, over which an aircraft is to be sent."""

    box: int = number(PUBLIC, names="place")
    group: int = number(PUBLIC, -1)  # 11a the army of the player who sends it
    sent: int = number(PUBLIC)


class Landing(Frame):
    """4.2a A counter of the reserve about to land."""

    unit: int = number(PUBLIC, names="unit")


class Return(Frame):
    """1.1.1.3i A rebuilt unit about to come back."""

    side: int = number(PUBLIC)
    unit: int = number(PUBLIC, names="unit")


class MarkerMove(Frame):
    """1.1.1.2g An Offensive marker about to go to a headquarters."""

    side: int = number(PUBLIC)
    unit: int = number(PUBLIC, names="unit")  # the headquarters
    over: int = number(PUBLIC)
