"""What a side may see, for the terminal: the board drawn with letters, and the odds of a battle (5.2)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

from grognard.hexes import draw_with_letters
from grognard.kernel import REFEREE, Action, Side
from grognard.kernel.stacks import place, units_in
from grognard.odds.law import mixture, successes

from .loading import BASES, BLUE, BOARD, GRID, RED, SCENARIOS, SIDE_OF, SIDES, TERRAIN, UNITS, VILLAGES
from .rules.battle import TakeLoss, fire_tally, is_hit
from .rules.movement import blocks_of
from .state import FOG, Battle, Position, knows

Say = Callable[..., str]


def situation(s: Position, side: Side, say: Say) -> str:
    """The turn, the board, and the blocks by hex."""

    def top(hex: int) -> str:
        village = "*" + say("view.initial", side=s.holder[VILLAGES[hex]])[0] if hex in VILLAGES else ""
        return str(TERRAIN[BOARD.terrain[hex]]["letter"]) + "^" * (hex in BASES[RED] + BASES[BLUE]) + village

    def bottom(hex: int) -> str:
        return "".join(letters(s, side, unit, say) for unit in units_in(s, hex))

    lines = [say("view.turn", turn=s.turn, **{key: SCENARIOS[s.scenario][key] for key in ("turns", "needs")})]
    lines += [say("view.side", side=x, orders=s.orders[x], held=list(s.holder).count(x)) for x in range(len(SIDES))]
    lines += ["", *draw_with_letters(BOARD, top, bottom), say("view.legend"), ""]
    for hex in [hex for hex in range(len(GRID)) if s.first_in[hex] >= 0]:
        blocks = sorted(describe(s, side, unit, say) for unit in units_in(s, hex))  # their order tells nothing
        lines.append(f"  {GRID.names[hex]}  {'; '.join(blocks)}")
    lost = [unit.id for u, unit in enumerate(UNITS) if s.at[u] < 0 and s.revealed[u]]
    return "\n".join(lines + ([say("view.lost", units=lost)] if lost else []))


def letters(s: Position, side: Side, unit: int, say: Say) -> str:
    """A block on the board: kind and steps, in capitals for one's own (or Red's); `?` for one that is not known."""
    if side != REFEREE and not knows(s, side, unit):
        return "?"
    text = say(f"letter.{UNITS[unit].kind}") + str(s.steps[unit])
    return text if SIDE_OF[unit] == max(side, 0) else text.lower()


def describe(s: Position, side: Side, unit: int, say: Say) -> str:
    """A block in words, as this side knows it."""
    marks = "".join(say(f"view.{m}") for m, on in (("moved", s.moved[unit]), ("cut-off", s.cut_off[unit])) if on)
    if side == REFEREE or knows(s, side, unit):
        return say("view.block", unit=UNITS[unit].id, steps=s.steps[unit], full=UNITS[unit].steps) + marks
    facts = {"side": SIDE_OF[unit], "token": f"#{s.token[unit]}"}
    if side < 0 or (seen := FOG.recall(s, side, unit)) < 0:
        return say("view.token", **facts) + marks
    return say("view.remembered", **facts, unit=UNITS[seen].id, steps=FOG.note(s, side, unit)) + marks


def odds(s: Position, side: Side, action: Action) -> dict[str, Any] | None:
    """5.2 The law of the first round of a battle, exact for what the side knows.

    Remembered blocks count as last seen; a block never seen is equally likely to be any that was never seen, at full
    strength. Of equals the worst shot takes the hit.
    """
    if action[0] != "fight":
        return None
    c = Battle(hex=GRID.hex_named(action[1]), attacker=side)
    enemies = blocks_of(s, c.hex, 1 - side)
    unseen = [u for u, h in enumerate(s.at) if h >= 0 and SIDE_OF[u] != side and not FOG.identified(s, side, u)]
    seen = [u for u in enemies if u not in unseen]
    cases = [imagine(s, c, seen, case) for case in permutations(unseen, len(enemies) - len(seen))]
    share = Fraction(1, len(cases))
    taken = mixture((share, fire_law(case, c, 1 - side)) for case in cases)
    given = mixture(
        (share * chance, fire_law(after_losses(case, c, side, hits), c, side))
        for case in cases
        for hits, chance in fire_law(case, c, 1 - side).items()
    )
    law = {SIDES[side]: taken, SIDES[1 - side]: given}
    shown = {name: {str(n): str(chance) for n, chance in sorted(one.items()) if chance} for name, one in law.items()}
    return {"rule": "5.2", "round": 1, "exact": True, "unseen": len(enemies) - len(seen), "hits_taken": shown}


def imagine(s: Position, c: Battle, seen: list[int], case: tuple[int, ...]) -> Position:
    """The position as the attacker may think it is: known blocks as last seen, these in the places of the others."""
    twin, hidden = s.copy(), [u for u in blocks_of(s, c.hex, 1 - c.attacker) if u not in seen]
    for unit in hidden:
        place(twin, unit, -1)
    for unit in [u for u in (*seen, *case) if not knows(s, c.attacker, u)]:
        twin.steps[unit] = FOG.note(s, c.attacker, unit) if unit in seen else UNITS[unit].steps
    for unit, stands_for in zip(case, hidden):
        place(twin, unit, c.hex)
        twin.cut_off[unit] = s.cut_off[stands_for]
    return twin


def fire_law(s: Position, c: Battle, side: Side) -> dict[int, Fraction]:
    """5.2 How many hits a side scores, with the chance of each number: the dice of `fire`."""
    chances: list[Fraction] = []
    for unit in blocks_of(s, c.hex, side):
        modifier = fire_tally(s, c, unit).total()
        chances += [Fraction(sum(is_hit(unit, die, modifier) for die in range(1, 7)), 6)] * s.steps[unit]
    return successes(chances)


def after_losses(s: Position, c: Battle, side: Side, hits: int) -> Position:
    """5.3 The position after a side has taken its hits."""
    twin, frame, decision = s.copy(), c.copy(), TakeLoss()
    frame.hits = hits
    while choices := decision.legal(twin, frame, side):
        decision.apply(twin, frame, side, *choices[0])
    return twin
