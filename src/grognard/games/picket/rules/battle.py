"""Chapter 5: battle, and the loss of steps (1.3)."""

from grognard.kernel import Action, Decision, Refusal, Side, Tally, emit, enter, option, roll, rule
from grognard.kernel.stacks import place, units_in

from ..loading import BOARD, GRID, NUMBERS, SIDE_OF, STEPS, TERRAIN, UNIT_IDS, UNITS, river_between
from ..state import FOG, Battle, Position, SideTurn
from .movement import blocks_of, has_room, occupy


@rule("5.1")
class PickBattle(Decision):
    """5.1 The side that moved fights every battle, in the order it likes."""

    verbs = ("fight",)

    def candidates(self, s: Position, c: SideTurn, side: Side) -> list[Action]:
        return [("fight", GRID.names[hex]) for hex in sorted({s.at[u] for u, came in enumerate(s.came) if came >= 0})]

    def why_not(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> Refusal | None:
        contested = goes_on(s, Battle(hex=GRID.hex_named(target)))
        return None if contested else Refusal("5.1", "no-battle", {"hex": target})

    def apply(self, s: Position, c: SideTurn, side: Side, verb: str, target: str) -> None:
        enter(s, Battle(hex=GRID.hex_named(target), attacker=side))


def goes_on(s: Position, c: Battle) -> bool:
    """A battle lasts while both sides are there."""
    return len({SIDE_OF[u] for u in units_in(s, c.hex)}) > 1


@rule("5.2e")
def attacker(s: Position, c: Battle) -> tuple[Side]:
    """5.2e The side that moved in is the attacker; it fires second, with what is left."""
    return (c.attacker,)


@rule("5.2d")
def defender(s: Position, c: Battle) -> tuple[Side]:
    """5.2d The side that was there is the defender; it fires first."""
    return (1 - c.attacker,)


@rule("5.1")
def reveal_blocks(s: Position, c: Battle) -> None:
    """5.1 All blocks in the hex are turned face up."""
    for unit in units_in(s, c.hex):
        s.revealed[unit] = 1
    names = [UNITS[u].id for u in units_in(s, c.hex)]
    emit(s, "battle", "5.1", reveals=True, hex=GRID.names[c.hex], side=c.attacker, units=names)


@rule("5.2a", "5.2b", "5.2c")
def fire_tally(s: Position, c: Battle, unit: int) -> Tally:
    """5.2a The defender's cover. 5.2b A river crossed to attack. 5.2c Lack of supply."""
    tally = Tally()
    if SIDE_OF[unit] == c.attacker:
        tally.add("5.2a", TERRAIN[BOARD.terrain[c.hex]]["cover"])
        tally.add("5.2b", NUMBERS["river_fire"] * river_between(s.came[unit], c.hex))
    tally.add("5.2c", NUMBERS["unsupplied_fire"] * s.cut_off[unit])
    return tally


@rule("5.2")
def is_hit(unit: int, die: int, modifier: int) -> bool:
    """5.2 A die hits if it shows the block's number or more after modifiers; a six always hits."""
    return die == 6 or die + modifier >= UNITS[unit].hits_on


@rule("5.2")
def fire(s: Position, c: Battle, side: Side) -> None:
    """5.2 Each block of a side rolls one die a step."""
    c.hits = 0
    for unit in blocks_of(s, c.hex, side):
        tally = fire_tally(s, c, unit)
        total = tally.total()
        hits = sum(is_hit(unit, die, total) for die in roll(s, "5.2", s.steps[unit]))
        emit(s, "fire", "5.2", unit=UNITS[unit].id, tally=tally.lines, modifier=total, hits=hits)
        c.hits += hits


@rule("5.3")
class TakeLoss(Decision):
    """5.3 Each hit takes a step from the strongest block; its owner chooses among equals."""

    verbs = ("lose",)

    def candidates(self, s: Position, c: Battle, side: Side) -> list[Action]:
        return [("lose", UNITS[u].id) for u in blocks_of(s, c.hex, side) if c.hits]

    def why_not(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> Refusal | None:
        blocks, unit = blocks_of(s, c.hex, side), UNIT_IDS[target]
        best = [UNITS[u].id for u in blocks if s.steps[u] == max(s.steps[b] for b in blocks)]
        if unit not in blocks:
            return Refusal("5.3", "not-in-battle", {"unit": target, "hex": GRID.names[c.hex]})
        return None if target in best else Refusal("5.3", "not-strongest", {"unit": target, "strongest": best})

    def apply(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> None:
        c.hits -= 1
        lose_steps(s, UNIT_IDS[target], 1, "5.3")


@rule("1.3")
def lose_steps(s: Position, unit: int, steps: int, why: str) -> None:
    """1.3 A block without steps is lost: it leaves the map for good and lies face up."""
    emit(s, "loss", why, unit=FOG.veil(s, unit), steps=steps)
    s.steps[unit] -= steps
    if not s.steps[unit]:
        s.revealed[unit], s.came[unit] = 1, -1
        place(s, unit, -1)
        emit(s, "lost", "1.3", reveals=True, unit=UNITS[unit].id)


@rule("5.4", "5.5")
class StayOrRetreat(Decision):
    """5.4 After a round each side may retreat, the attacker first. 5.5 After the last round the attacker must."""

    verbs = ("stay", "retreat")

    def candidates(self, s: Position, c: Battle, side: Side) -> list[Action]:
        if side in c.stays or not goes_on(s, c):
            return []
        return [("stay", "")] + [("retreat", GRID.names[hex]) for hex in GRID.neighbours[c.hex]]

    def why_not(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> Refusal | None:
        if verb == "retreat":
            return why_not_retreat(s, c, side, GRID.hex_named(target))
        must_go = side == c.attacker and c.round == NUMBERS["rounds"]
        return Refusal("5.5", "must-retreat", {"round": c.round}) if must_go else None

    def apply(self, s: Position, c: Battle, side: Side, verb: str, target: str) -> None:
        c.stays = (*c.stays, side)
        if verb == "retreat":
            emit(s, "retreat", "5.4", side=side, hex=target)
            for unit in blocks_of(s, c.hex, side):
                place(s, unit, GRID.hex_named(target))
                s.came[unit] = -1
            occupy(s, GRID.hex_named(target))


@rule("5.4")
def why_not_retreat(s: Position, c: Battle, side: Side, hex: int) -> Refusal | None:
    """5.4 All go to one hex next door: open ground, no enemy, room for all; an attacker goes back whence it came."""
    facts, blocks = {"hex": GRID.names[hex]}, blocks_of(s, c.hex, side)
    if STEPS.cost(c.hex, hex) is None:
        return Refusal("5.4", "not-next", facts)
    if blocks_of(s, hex, 1 - side):
        return Refusal("5.4", "enemy-there", facts)
    if not has_room(s, hex, side, len(blocks)):
        return Refusal("4.3", "stacking", facts | {"limit": NUMBERS["stacking"]})
    strayed = side == c.attacker and hex not in [s.came[u] for u in blocks]
    return Refusal("5.4", "not-whence-it-came", facts) if strayed else None


@rule("5.5")
def end_round(s: Position, c: Battle) -> None:
    """5.5 After the last round attackers with no way back are lost."""
    if c.round == NUMBERS["rounds"] and goes_on(s, c):
        for unit in blocks_of(s, c.hex, c.attacker):
            lose_steps(s, unit, s.steps[unit], "5.5")
    c.round, c.stays = c.round + 1, ()


@rule("5.6")
def hide_blocks(s: Position, c: Battle) -> None:
    """5.6 Blocks stand up again, remembered as they were last seen; a village may have changed hands."""
    for unit in units_in(s, c.hex):
        s.came[unit] = -1
    for unit in [u for u, hex in enumerate(s.at) if hex >= 0 and s.revealed[u] and option(s, "fog") == "on"]:
        s.revealed[unit] = 0
        FOG.remember(s, 1 - SIDE_OF[unit], unit, s.steps[unit])
    occupy(s, c.hex)
    emit(s, "battle-over", "5.6", hex=GRID.names[c.hex])
