"""What a side may see, for the terminal: the board drawn with letters, and the odds of a battle (5.2)."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from grognard.kernel import REFEREE, Action, Side
from grognard.kernel.stacks import place, units_in

from .loading import BOARD, GRID, SCENARIOS, SIDE_OF, SIDES, TERRAIN, UNITS, VILLAGES
from .rules.battle import TakeLoss, fire_tally, is_hit
from .rules.movement import blocks_of
from .state import FOG, Battle, Position, knows

WIDTH = 8  # letters a hex
Say = Callable[..., str]


def situation(s: Position, side: Side, say: Say) -> str:
    """The turn, the board, and the blocks by hex."""
    lines = [say("view.turn", turn=s.turn, turns=SCENARIOS[s.scenario].turns, needs=SCENARIOS[s.scenario].needs)]
    lines += [say("view.side", side=x, orders=s.orders[x], held=list(s.holder).count(x)) for x in range(len(SIDES))]
    lines += ["", *draw_board(s, side, say), say("view.legend"), ""]
    for hex, name in enumerate(GRID.names):
        if s.first_in[hex] >= 0:
            blocks = sorted(describe(s, side, unit, say) for unit in units_in(s, hex))  # their order tells nothing
            lines.append(f"  {name}  {'; '.join(blocks)}")
    lost = [unit.id for u, unit in enumerate(UNITS) if s.at[u] < 0 and s.revealed[u]]
    return "\n".join(lines + ([say("view.lost", units=lost)] if lost else []))


def describe(s: Position, side: Side, unit: int, say: Say) -> str:
    """A block in words, as this side knows it."""
    marks = "".join(say(f"view.{m}") for m, on in (("moved", s.moved[unit]), ("cut-off", s.cut_off[unit])) if on)
    if side == REFEREE or knows(s, side, unit):
        return say("view.block", unit=UNITS[unit].id, steps=s.steps[unit], full=UNITS[unit].steps) + marks
    facts = {"side": SIDE_OF[unit], "token": f"#{s.token[unit]}"}
    if side < 0 or (seen := FOG.recall(s, side, unit)) < 0:
        return say("view.token", **facts) + marks
    return say("view.remembered", **facts, unit=UNITS[seen].id, steps=last_seen(s, side, unit)) + marks


def last_seen(s: Position, side: Side, unit: int) -> int:
    """5.6 How many steps a block had when this side last saw it."""
    return s.memory_note[side * len(s.token) + s.token[unit]]


def draw_board(s: Position, side: Side, say: Say) -> list[str]:
    """Three lines a row of hexes: number, terrain and village; blocks; the rivers down to the next row."""
    where = [(3 * int(n[:2]) - 3, WIDTH * int(n[2:]) - (WIDTH if int(n[:2]) % 2 else WIDTH // 2)) for n in GRID.names]
    height, width = max(where)[0] + 3, max(x for _, x in where) + WIDTH
    canvas = [[" "] * width for _ in range(height)]

    def put(y: int, x: int, text: str) -> None:
        canvas[y][x : x + len(text)] = text

    for river in BOARD.sides_with("river"):
        (y, x), (below, right) = (where[hex] for hex in GRID.hexes_of_side(river))
        if y == below:
            put(y, right - 1, "|")
            put(y + 1, right - 1, "|")
        else:
            put(y + 2, (x + right) // 2 + 2, "/" if right > x else "\\")
    for hex, (y, x) in enumerate(where):
        village = "*" + say("view.initial", side=s.holder[VILLAGES[hex]])[0] if hex in VILLAGES else ""
        put(y, x, GRID.names[hex] + TERRAIN[BOARD.terrain[hex]]["letter"] + village)
        put(y + 1, x, "".join(letters(s, side, unit, say) for unit in units_in(s, hex)))
    return ["".join(line).rstrip() for line in canvas[:-1]]


def letters(s: Position, side: Side, unit: int, say: Say) -> str:
    """A block on the board: kind and steps, in capitals for one's own (or Red's); `?` for one that is not known."""
    if side != REFEREE and not knows(s, side, unit):
        return "?"
    text = say(f"letter.{UNITS[unit].kind}") + str(s.steps[unit])
    return text if SIDE_OF[unit] == max(side, 0) else text.lower()


def odds(s: Position, side: Side, action: Action) -> dict[str, Any] | None:
    """5.2 The law of the first round of a battle: exact for what the side knows.

    Remembered blocks count as last seen; a block never seen is equally likely to be any that was never seen, at full
    strength. Of equals the worst shot takes the hit.
    """
    if action[0] != "fight":
        return None
    c = Battle(hex=GRID.hex_named(action[1]), attacker=side)
    enemies = blocks_of(s, c.hex, 1 - side)
    unseen = [u for u, h in enumerate(s.at) if h >= 0 and SIDE_OF[u] != side and not FOG.identified(s, side, u)]
    seen = [u for u in enemies if u not in unseen]
    cases = list(combinations(unseen, len(enemies) - len(seen)))
    taken: dict[int, Fraction] = defaultdict(Fraction)
    given: dict[int, Fraction] = defaultdict(Fraction)
    for case in cases:
        twin = s.copy()
        for unit in enemies:
            place(twin, unit, -1)
        for unit in (*seen, *case):
            place(twin, unit, c.hex)
            twin.cut_off[unit] = s.cut_off[enemies[0]]
            if not knows(s, side, unit):
                twin.steps[unit] = last_seen(s, side, unit) if unit in seen else UNITS[unit].steps
        for hits, chance in fire_law(twin, c, 1 - side).items():
            taken[hits] += chance / len(cases)
            for back, more in fire_law(after_losses(twin, c, side, hits), c, side).items():
                given[back] += chance * more / len(cases)
    law = {SIDES[side]: taken, SIDES[1 - side]: given}
    shown = {name: {str(n): str(chance) for n, chance in sorted(one.items()) if chance} for name, one in law.items()}
    return {"rule": "5.2", "round": 1, "exact": True, "unseen": len(enemies) - len(seen), "hits_taken": shown}


def fire_law(s: Position, c: Battle, side: Side) -> dict[int, Fraction]:
    """5.2 How many hits a side scores, with the chance of each number: the dice of `fire`, added one by one."""
    law = {0: Fraction(1)}
    for unit in blocks_of(s, c.hex, side):
        modifier = fire_tally(s, c, unit).total()
        hit = Fraction(sum(is_hit(unit, die, modifier) for die in range(1, 7)), 6)
        for _ in range(s.steps[unit]):
            law = {n: law.get(n, 0) * (1 - hit) + law.get(n - 1, 0) * hit for n in range(len(law) + 1)}
    return law


def after_losses(s: Position, c: Battle, side: Side, hits: int) -> Position:
    """5.3 The position after a side has taken its hits."""
    twin, frame, decision = s.copy(), c.copy(), TakeLoss()
    frame.hits = hits
    while decision.needed(twin, frame, side):
        decision.apply(twin, frame, side, *decision.legal(twin, frame, side)[0])
    return twin
