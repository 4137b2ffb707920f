"""Chapter 5: battle."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.kernel import Action, Decision, Refusal, Side, Tally, emit, enter, roll, rule
from grognard.kernel.stacks import place, units_in

from ..loading import BOARD, COVER, NUMBERS, STEPS, UNIT_IDS, UNITS, river_between
from ..state import FOG, Battle, Position, SideTurn
from .movement import is_full, occupy

GRID = BOARD.grid


def blocks_of(s: Position, hex: int, side: Side) -> list[int]:
    """The blocks of a side in a hex."""
    return [u for u in units_in(s, hex) if UNITS[u].side == side]


def battle_hexes(s: Position) -> list[int]:
    """Where both sides stand."""
    return [h for h in sorted({h for h in s.at if h >= 0}) if blocks_of(s, h, 0) and blocks_of(s, h, 1)]


@rule("5.1")
class PickBattle(Decision):
    """5.1 The side that moved fights every battle, in the order it likes."""

    verbs = ("fight",)

    def needed(self, s: Position, c: SideTurn, side: Side) -> bool:
        """While both sides share a hex."""
        return bool(battle_hexes(s))

    def candidates(self, s: Position, c: SideTurn, side: Side) -> Iterator[Action]:
        """Every hex of the map."""
        return (("fight", name) for name in GRID.names)

    def why_not(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> Refusal | None:
        """A battle needs both sides."""
        here = GRID.hex_named(target)
        return None if blocks_of(s, here, 0) and blocks_of(s, here, 1) else Refusal("5.1", "no-battle", {"hex": target})

    def apply(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> None:
        """Begin it."""
        enter(s, Battle(hex=GRID.hex_named(target), attacker=side))


def attacker(s: Position, c: Battle) -> tuple[Side, ...]:
    """The side that moved in."""
    return (c.attacker,)


def defender(s: Position, c: Battle) -> tuple[Side, ...]:
    """The side that was there."""
    return (1 - c.attacker,)


@rule("5.1")
def reveal_blocks(s: Position, c: Battle) -> None:
    """5.1 All blocks in the hex are turned face up, and remembered."""
    for unit in units_in(s, c.hex):
        s.revealed[unit] = 1
        FOG.remember(s, 1 - UNITS[unit].side, unit, s.turn)
    units = [[UNITS[u].id, s.steps[u]] for u in units_in(s, c.hex)]
    emit(s, "battle", "5.1", reveals=True, hex=GRID.names[c.hex], units=units)


@rule("5.2")
def fire_tally(s: Position, c: Battle, unit: int) -> Tally:
    """5.2 What changes the dice of a block: the target's cover, a river crossed to attack, lack of supply."""
    tally = Tally()
    if UNITS[unit].side == c.attacker:
        tally.add("5.2a", COVER[c.hex])
        if s.came[unit] >= 0 and river_between(s.came[unit], c.hex):
            tally.add("5.2b", NUMBERS["river_fire"])
    if s.cut_off[unit]:
        tally.add("5.2c", NUMBERS["unsupplied_fire"])
    return tally


@rule("5.2", "5.2a", "5.2b", "5.2c")
def fire(s: Position, c: Battle, side: Side) -> None:
    """5.2 Each block rolls a die a step and hits on its number or more; a six always hits."""
    hits = 0
    for unit in blocks_of(s, c.hex, side):
        tally = fire_tally(s, c, unit)
        dice = roll(s, "5.2", s.steps[unit], side=side)
        scored = sum(die == 6 or die + tally.total() >= UNITS[unit].hits_on for die in dice)
        emit(s, "fire", "5.2", unit=UNITS[unit].id, tally=tally.lines, hits=scored)
        hits += scored
    c.hits = (hits, c.hits[1]) if side == 1 else (c.hits[0], hits)


@rule("5.3")
class TakeLoss(Decision):
    """5.3 Each hit takes a step from the strongest block; its owner chooses among equals."""

    verbs = ("lose",)

    def needed(self, s: Position, c: Battle, side: Side) -> bool:
        """While there are hits to take and blocks to take them."""
        return c.hits[side] > 0 and bool(blocks_of(s, c.hex, side))

    def candidates(self, s: Position, c: Battle, side: Side) -> Iterator[Action]:
        """Own blocks in the hex."""
        return (("lose", UNITS[u].id) for u in blocks_of(s, c.hex, side))

    def why_not(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> Refusal | None:
        """Only the strongest."""
        blocks = blocks_of(s, c.hex, side)
        unit = UNIT_IDS[target]
        if unit not in blocks:
            return Refusal("5.3", "not-in-battle", {"unit": target})
        strongest = max(s.steps[u] for u in blocks)
        if s.steps[unit] < strongest:
            names = [UNITS[u].id for u in blocks if s.steps[u] == strongest]
            return Refusal("5.3", "not-strongest", {"unit": target, "strongest": names})
        return None

    def apply(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> None:
        """Lose a step."""
        c.hits = (c.hits[0] - 1, c.hits[1]) if side == 0 else (c.hits[0], c.hits[1] - 1)
        lose_step(s, UNIT_IDS[target], "5.3")


@rule("1.3")
def lose_step(s: Position, unit: int, why: str) -> None:
    """1.3 A block without steps is lost."""
    s.steps[unit] -= 1
    emit(s, "loss", why, unit=FOG.veil(s, unit))
    if not s.steps[unit]:
        remove(s, unit)


def remove(s: Position, unit: int) -> None:
    """Take a block off the map for good."""
    emit(s, "lost", "1.3", unit=FOG.veil(s, unit))
    s.steps[unit] = 0
    s.revealed[unit] = 1
    place(s, unit, -1)


@rule("5.4")
def why_not_retreat(s: Position, c: Battle, side: Side, hex: int) -> Refusal | None:
    """5.4 A retreat goes to one neighbouring hex that can be entered, has no enemy and room for all."""
    facts = {"hex": GRID.names[hex], "limit": NUMBERS["stacking"]}
    blocks = blocks_of(s, c.hex, side)
    if STEPS.cost(c.hex, hex) is None:
        return Refusal("5.4", "not-next", facts)
    if blocks_of(s, hex, 1 - side):
        return Refusal("5.4", "enemy-there", facts)
    if is_full(s, hex, side) or len(blocks_of(s, hex, side)) + len(blocks) > NUMBERS["stacking"]:
        return Refusal("4.3", "stacking", facts)
    if side == c.attacker and hex not in [s.came[u] for u in blocks]:
        return Refusal("5.4", "back-where-it-came-from", facts)
    return None


@rule("5.4", "5.5")
class StayOrRetreat(Decision):
    """5.4 After a round each side may retreat, the attacker first. 5.5 After the last round the attacker must."""

    verbs = ("stay", "retreat", "perish")

    def needed(self, s: Position, c: Battle, side: Side) -> bool:
        """While both sides are there; once each."""
        return is_contested(s, c) and side not in c.stays

    def candidates(self, s: Position, c: Battle, side: Side) -> Iterator[Action]:
        """Stay, or one of the neighbours; perish where nothing else is left."""
        yield ("stay", "")
        yield from (("retreat", GRID.names[h]) for h in GRID.neighbours[c.hex])
        yield ("perish", "")

    def why_not(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> Refusal | None:
        """The last round leaves the attacker no choice but where to go."""
        must_go = side == c.attacker and c.round >= NUMBERS["rounds"]
        if verb == "retreat":
            return why_not_retreat(s, c, side, GRID.hex_named(target))
        if target:
            return Refusal("5.4", "no-target", {"verb": verb})
        if verb == "stay":
            return Refusal("5.5", "must-retreat", {"round": c.round}) if must_go else None
        if not must_go or any(why_not_retreat(s, c, side, h) is None for h in GRID.neighbours[c.hex]):
            return Refusal("5.5", "not-lost-yet")
        return None

    def apply(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> None:
        """Stay, leave, or be lost."""
        if verb == "stay":
            c.stays = (*c.stays, side)
            return
        blocks = blocks_of(s, c.hex, side)
        if verb == "perish":
            for unit in blocks:
                remove(s, unit)
            return
        hex = GRID.hex_named(target)
        emit(s, "retreat", "5.4", side=side, hex=target)
        for unit in blocks:
            place(s, unit, hex)
        occupy(s, hex)


def is_contested(s: Position, c: Battle) -> bool:
    """True while both sides stand in the hex."""
    return bool(blocks_of(s, c.hex, 0)) and bool(blocks_of(s, c.hex, 1))


def end_round(s: Position, c: Battle) -> None:
    """5.5 Count the rounds; hits beyond the last block are lost."""
    c.hits, c.stays = (0, 0), ()
    c.round += 1


@rule("5.6")
def hide_blocks(s: Position, c: Battle) -> None:
    """5.6 When the battle is over the surviving blocks stand up again and the village changes hands."""
    for unit, hex in enumerate(s.at):
        if hex >= 0:
            s.revealed[unit] = 0
            s.came[unit] = -1 if hex == c.hex else s.came[unit]
    occupy(s, c.hex)
    emit(s, "battle-over", "5.6", hex=GRID.names[c.hex])
