"""Chapter 5: battle, and the loss of steps (1.3)."""

from grognard.kernel import No, Side, Tally, emit, enter, no, option, rule
from grognard.kit import FightBattles, StayOrGo, TakeHits, Volley, is_contested, place, shoot, stack_of, units_in

from ..loading import BOARD, GRID, NUMBERS, SIDE_OF, STEPS, TERRAIN, UNIT_NAMES, UNITS
from ..state import FOG, Battle, Position, SideTurn
from .movement import occupy, why_no_room

MUST_RETREAT = no("5.5", "must-retreat", lambda s, c, side, noun: {"round": c.round})
NOT_WHENCE_IT_CAME = no("5.4", "not-whence-it-came")


@rule("5.1")
class PickBattle(FightBattles):
    """5.1 The side that moved fights every battle, in the order it likes."""

    rule_id = "5.1"

    def apply(self, s: Position, c: SideTurn, side: Side, verb: str, noun: int) -> None:
        enter(s, Battle(hex=noun, attacker=side))


@rule("5.1")
def reveal_blocks(s: Position, c: Battle) -> None:
    """5.1 All blocks in the hex are turned face up."""
    for unit in units_in(s, c.hex):
        s.revealed[unit] = 1
    names = [UNIT_NAMES[u] for u in units_in(s, c.hex)]
    emit(s, "battle", "5.1", reveals=True, hex=GRID.names[c.hex], side=c.attacker, units=names)


@rule("5.2", "5.2a", "5.2b", "5.2c")
def volley(s: Position, c: Battle, unit: int) -> Volley:
    """5.2 One die a step; the block's number hits, and a six. 5.2a Cover. 5.2b A river crossed. 5.2c Lack of supply."""
    tally = Tally()
    if SIDE_OF[unit] == c.attacker:
        tally.add("5.2a", TERRAIN[BOARD.terrain[c.hex]]["cover"])
        tally.add("5.2b", NUMBERS["river_fire"] * ("river" in BOARD.side(s.came[unit], c.hex)))
    tally.add("5.2c", NUMBERS["unsupplied_fire"] * s.cut_off[unit])
    return Volley(s.steps[unit], min(6, UNITS[unit].hits_on - tally.total()), tally)


@rule("5.2", "5.2d", "5.2e")
def fire(s: Position, c: Battle, side: Side) -> None:
    """5.2 The blocks of a side fire. 5.2d First the defender's, 5.2e then what is left of the attacker's."""
    c.hits = 0
    for unit in stack_of(s, c.hex, side):
        c.hits += shoot(s, "5.2", UNIT_NAMES[unit], volley(s, c, unit))


@rule("5.3")
class TakeLoss(TakeHits):
    """5.3 Each hit takes a step from the strongest block; its owner chooses among equals."""

    rule_id = "5.3"

    def under_fire(self, s: Position, c: Battle, side: Side) -> list[int]:
        return stack_of(s, c.hex, side)

    def hit(self, s: Position, c: Battle, unit: int) -> None:
        lose_steps(s, unit, 1, "5.3")


@rule("1.3")
def lose_steps(s: Position, unit: int, steps: int, why: str) -> None:
    """1.3 A block without steps is lost: it leaves the map for good and lies face up."""
    emit(s, "loss", why, unit=FOG.veil(s, unit), steps=steps)
    s.steps[unit] -= steps
    if not s.steps[unit]:
        s.revealed[unit], s.came[unit] = 1, -1
        place(s, unit, -1)
        emit(s, "lost", "1.3", reveals=True, unit=UNIT_NAMES[unit])


@rule("5.4", "5.5")
class StayOrRetreat(StayOrGo):
    """5.4 After a round each side may retreat, the attacker first. 5.5 After the last round the attacker must.

    All go to one hex next door: open ground, no enemy, room for all; an attacker goes back whence it came.
    """

    rule_id = "5.4"
    costs = STEPS

    def why_not_stay(self, s: Position, c: Battle, side: Side) -> No | None:
        must_go = side == c.attacker and c.round == NUMBERS["rounds"]
        return MUST_RETREAT if must_go else None

    def why_not_retreat(self, s: Position, c: Battle, side: Side, hex: int) -> No | None:
        blocks = stack_of(s, c.hex, side)
        if side == c.attacker and hex not in [s.came[u] for u in blocks]:
            return NOT_WHENCE_IT_CAME
        return why_no_room(s, hex, side, len(blocks))

    def retreated(self, s: Position, units: list[int], hex: int) -> None:
        for unit in units:
            s.came[unit] = -1
        occupy(s, hex)


@rule("5.5")
def end_round(s: Position, c: Battle) -> None:
    """5.5 After the last round attackers with no way back are lost."""
    if c.round == NUMBERS["rounds"] and is_contested(s, c.hex):
        for unit in stack_of(s, c.hex, c.attacker):
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
