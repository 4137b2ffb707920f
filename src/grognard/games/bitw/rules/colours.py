"""Chapter 11: points of four colours. What a step costs in each, what comes in, what is saved, what is lost at sea.

Yellow is `s.pp`, as in the Basic game; red, blue and black have columns of their own. White is waived (11.0e): there
is nothing in this box that it would be spent on but marines. Lend-Lease points (34.0) wait in `s.lent`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from grognard.kernel import Column, Decision, No, Side, emit, no, roll, rule
from grognard.kernel.kinds import words

from ..frames import PlayerTurn
from ..loading import AXIS, HQ_KINDS, charts
from ..scenarios import COLOURED, NOBODY, Pool
from ..state import OFF, OUT, BitwState, enemy_of, is_battle, month, side_holding
from ..world import POWER_SIDE, POWERS, UNITS, world
from .chapters import ADVANCED
from .definitions import controls_sea, pool_of, port_is_open
from .supply import by_rail, lanes_from, main_source, open_ports
from .targets import lost_plants, lost_to_bombs
from .waters import CARGO_LOST

UK: Final = charts().power_ids["UK"]
COLOUR: Final = words(*COLOURED)
LENT: Final = ("red", "blue")  # the colours of Lend-Lease, in the order of `s.lent`


class Bill(NamedTuple):
    """What a step costs: yellow, points of a colour, and Lend-Lease points of that colour, which need no yellow."""

    yellow: int
    colour: str = ""
    paired: int = 0
    lent: int = 0


def in_colours(s: BitwState) -> bool:
    """11.0a Whether points have colours in this game."""
    return s.chosen[ADVANCED] == "on"


def points_of(s: BitwState, colour: str) -> Column:
    """The points of a colour, by power."""
    return s.pp if colour == "yellow" else getattr(s, colour)


# 11.0 Prices


@rule("11.0b", "11.0c", "11.0e", "11.2a")
def pairing(unit: int, steps: int) -> str:
    """11.0b The colour that goes with the yellow of the next step; empty for infantry, artillery and forts.

    Motorised infantry needs red for its first and its last step (11.0c); marines waive their white (11.0e).
    """
    u = UNITS[unit]
    if u.kind in HQ_KINDS:
        return "black"
    if u.is_air or u.kind == "para":
        return "blue"
    if u.kind in ("tank", "tankette"):
        return "red"
    if u.kind in ("motorised", "motorised_cavalry"):
        bought = u.pattern.above[steps] if steps > 0 else u.pattern.first
        return "red" if bought in (u.pattern.first, u.pattern.top) else ""
    return ""


@rule("11.0b", "11.0d", "34.0-lend-b")
def bill_of(s: BitwState, unit: int, steps: int, pool: int) -> Bill:
    """11.0d What the next step costs: 1, 2 or 3 of every colour involved; Lend-Lease points pay without yellow."""
    cost = UNITS[unit].step_cost(steps)
    colour = pairing(unit, steps) if in_colours(s) else ""
    if not colour:
        return Bill(cost)
    lent = min(cost, s.lent[LENT.index(colour)]) if pool == UK and colour in LENT else 0
    return Bill(cost - lent, colour, cost - lent, lent)


TOO_FEW = no(
    "11.0b",
    "too-few-coloured",
    lambda s, c, side, unit: _wanted(s, unit),
)


def _wanted(s: BitwState, unit: int) -> dict[str, object]:
    from .production import payer

    pool = payer(s, unit)
    bill = bill_of(s, unit, s.steps[unit] if s.place[unit] < OFF else 0, pool)
    return {"colour": bill.colour, "cost": bill.paired, "points": points_of(s, bill.colour or "yellow")[pool]}


def why_not_afford(s: BitwState, unit: int, bill: Bill, pool: int) -> No | None:
    """11.0b The pool must hold as many points of the colour as of yellow."""
    return TOO_FEW if bill.paired and points_of(s, bill.colour)[pool] < bill.paired else None


def pay(s: BitwState, bill: Bill, pool: int, side: Side) -> None:
    """11.0b Take the points."""
    s.pp[pool] -= bill.yellow
    if bill.paired:
        points_of(s, bill.colour)[pool] -= bill.paired
        emit(s, "paired", "11.0b", audience=(side,), power=POWERS[pool].id, points=bill.paired, colour=bill.colour)
    if bill.lent:
        s.lent[LENT.index(bill.colour)] -= bill.lent
        emit(s, "lent-spent", "34.0-lend-b", audience=(side,), points=bill.lent, colour=bill.colour)


@rule("11.2a", "12.5")
def colour_of(unit: int) -> str:
    """12.5 The colour of a unit's type: what it brings the enemy, besides yellow, when it surrenders."""
    u = UNITS[unit]
    if u.kind in HQ_KINDS:
        return "black"
    return "blue" if u.is_air else "red" if u.kind in ("tank", "tankette") else ""


# 11.1, 11.2 Income


@rule("11.0a")
def stated(s: BitwState, pool: Pool, colour: str) -> int:
    """11.0a What the scenario states for a pool this month, in a colour."""
    found = pool.income if colour == "yellow" else pool.colours.get(colour, 0)
    now = month(s)
    for entry in world(s).scenario.incomes:
        if entry.power not in pool.nations or entry.month > now:
            continue
        if entry.if_open >= 0 and not port_is_open(s, entry.if_open, POWERS[entry.power].side):
            continue
        found = entry.sets.get(colour, found) + entry.adds.get(colour, 0)
    return found


@rule("11.1c", "11.2b", "11.2e", "3.3b")
def lost_points(s: BitwState, pool: int, colour: str) -> int:
    """11.2e Points of a colour that factories, oilfields and plants of a pool no longer give.

    They stand in the pool's total while they are active (11.2b), held, and joined to the main source.
    """
    w, now, lost = world(s), month(s), 0
    for node, made in w.theatre.factories.items():
        number, since = made.get(colour, (0, ""))
        first = w.scenario.owners[node]
        if not number or since > now or first == NOBODY or pool_of(s, first) != pool:
            continue
        if s.burnt[node] or side_holding(s, node) != POWER_SIDE[first] or is_battle(s, node) or cut_off(s, first, node):
            lost += number
        else:
            lost += lost_to_bombs(s, node, colour, number)
    return lost


def cut_off(s: BitwState, power: int, node: int) -> bool:
    """11.2e True if a factory is not joined to its power's main source by rail or sea."""
    from .income import is_linked

    return not is_linked(s, power, node)


@rule("11.0a", "11.1c", "11.2b", "15.1d")
def coloured_income(s: BitwState, pool: Pool, colour: str) -> int:
    """11.0a The points of a colour that a pool receives: what is stated, less what is lost, never below 0.

    New factories (15.1d) add theirs.
    """
    power = pool.nations[0]
    return max(0, stated(s, pool, colour) - lost_points(s, power, colour)) + new_points(s, power, colour)


def new_points(s: BitwState, power: int, colour: str) -> int:
    """15.1d What new factories give."""
    from .factories import points_of_plants

    if not s.plants:
        return 0
    return max(0, points_of_plants(s, power, colour) - lost_plants(s, POWERS[power].side, colour))


def collect_colours(s: BitwState, side: Side) -> None:
    """11.0a The coloured points of a turn."""
    if not in_colours(s):
        return
    for pool in world(s).scenario.pools:
        power = pool.nations[0]
        if POWERS[power].side != side or is_gone(s, power):
            continue
        gained = {colour: coloured_income(s, pool, colour) for colour in COLOURED}
        for colour, points in gained.items():
            points_of(s, colour)[power] += points
        if any(gained.values()):
            red, blue, black = gained.values()
            emit(s, "coloured-income", "11.0a", power=POWERS[power].id, red=red, blue=blue, black=black)


def is_gone(s: BitwState, power: int) -> bool:
    """5.0b A power that has left the war collects nothing."""
    return bool(s.status[power] & OUT)


# 11.3 Points that come by sea


@rule("11.3a", "11.3b", "18.2a", "18.2b", "18.1.1")
def sea_of_centre(s: BitwState, power: int, node: int) -> str:
    """11.3a The sea by which alone a centre is joined to the main source; empty if rails or safe waters join it.

    Routes inside shoals (11.3b) and the Baltic for the Axis (18.1.1) are safe.
    """
    t, side = world(s).theatre, POWERS[power].side
    start = main_source(s, POWERS[power].id, power)
    if start is None or node >= t.hexes:
        return ""
    own = by_rail(s, side, start)
    if node in own or node in lanes_from(s, side, own):
        return ""
    net = by_rail(s, side, node)
    near = lanes_from(s, side, net)
    ports = [n for n in open_ports(s, side) if n in net or n in near]
    if any(t.board.hexes[n].get("shoals") for n in ports):
        return ""
    seas = {t.sea[n] for n in ports} - ({"baltic"} if side == AXIS else set())
    return min(seas, default="") if ports and len(seas) == len({t.sea[n] for n in ports}) else ""


@rule("11.3a", "18.2a")
def points_at_sea(s: BitwState, power: int, node: int, points: int) -> int:
    """11.3a How many points of a centre arrive: over waters that the enemy controls a die each, lost on a 6."""
    sea = sea_of_centre(s, power, node) if in_colours(s) else ""
    enemy = enemy_of(POWERS[power].side)
    if not sea or not controls_sea(s, enemy, sea):
        return points
    dice = roll(s, "11.3a", points, side=enemy)
    lost = sum(die >= CARGO_LOST for die in dice)
    emit(s, "mine-dice", "11.3a", hex=world(s).theatre.names[node], dice=dice, lost=lost)
    return points - lost


# 11.2d Saving


def excess(s: BitwState, pool: int) -> int:
    """11.2d Coloured points of a pool beyond its yellow ones."""
    return sum(points_of(s, colour)[pool] for colour in COLOURED) - max(0, s.pp[pool])


@rule("11.2d")
def drop_unpaired(s: BitwState, c: PlayerTurn) -> None:
    """11.2d Coloured points are saved with a yellow one each; what no choice could save is discarded."""
    if not in_colours(s):
        return
    for pool in pools_of(s, c.side):
        over = excess(s, pool)
        held = [colour for colour in COLOURED if points_of(s, colour)[pool] > 0]
        if over > 0 and (len(held) == 1 or s.pp[pool] <= 0):
            for colour in held:
                discard(s, pool, colour, min(over, points_of(s, colour)[pool]))


def pools_of(s: BitwState, side: Side) -> Iterator[int]:
    """The pools of a side, by the power that names them."""
    for pool in world(s).scenario.pools:
        if POWERS[pool.nations[0]].side == side:
            yield pool.nations[0]


def discard(s: BitwState, pool: int, colour: str, points: int) -> None:
    """11.2d Points that cannot be saved."""
    points_of(s, colour)[pool] -= points
    emit(s, "discarded", "11.2d", power=POWERS[pool].id, points=points, colour=colour)


NONE_TO_DISCARD = no("11.2d", "none-to-discard")


@rule("11.2d")
class SaveColours(Decision):
    """11.2d Where more coloured points are left than yellow ones, the owner says which are given up."""

    verbs = {"discard": COLOUR}

    def pool(self, s: BitwState, side: Side) -> int:
        """The first pool with too many; -1 if there is none."""
        return next((pool for pool in pools_of(s, side) if excess(s, pool) > 0), -1) if in_colours(s) else -1

    def needed(self, s: BitwState, c: PlayerTurn, side: Side) -> bool:
        """While a pool holds more than it can save."""
        return self.pool(s, side) >= 0

    def nouns(self, s: BitwState, c: PlayerTurn, side: Side, verb: str) -> Iterable[int]:
        """The colours."""
        return range(len(COLOURED))

    def why_not(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> No | None:
        """A colour that the pool has."""
        pool = self.pool(s, side)
        return None if pool >= 0 and points_of(s, COLOURED[noun])[pool] > 0 else NONE_TO_DISCARD

    def apply(self, s: BitwState, c: PlayerTurn, side: Side, verb: str, noun: int) -> None:
        """One point goes."""
        discard(s, self.pool(s, side), COLOURED[noun], 1)
        drop_unpaired(s, c)
