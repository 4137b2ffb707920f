"""The odds of a battle (5.2), from its own fire and losses and from what the side may know."""

from fractions import Fraction
from typing import Any

from grognard.kernel import Action, Game, Side
from grognard.kit import stack_of
from grognard.odds import average, by_number, mixture, possible_positions, settled, successes

from .loading import NUMBERS, SIDES, UNITS
from .rules.battle import TakeLoss, volley
from .state import FOG, Battle, Position, knows


def odds(game: Game[Position], s: Position, side: Side, action: Action) -> dict[str, Any] | None:
    """5.2 The law of the first round of a battle, exact for what the side knows; of equals the worst shot is hit.

    Remembered blocks count as last seen, others may be any never seen, at full strength. 5.4 To stay: the next round.
    """
    now = s.frames[-1] if action[0] == "stay" else Battle(hex=action[1], attacker=side, round=0)
    if action[0] not in ("fight", "stay") or not isinstance(now, Battle) or now.round >= NUMBERS["rounds"]:
        return None
    c, more = Battle(hex=now.hex, attacker=now.attacker), {"assumes": "enemy_stays"} if now.round else {}
    enemies = stack_of(s, c.hex, 1 - side)
    unseen = sum(not FOG.identified(s, side, u) for u in enemies)
    imagined = s.copy()
    for unit in [u for u in range(len(UNITS)) if not knows(s, side, u)]:
        imagined.steps[unit] = FOG.note(s, side, unit) if FOG.identified(s, side, unit) else UNITS[unit].steps
    cases = list(possible_positions(game, imagined, side, enemies))
    taken = average(fire_law(case, c, c.defender) for case in cases)
    given = average(return_fire_law(case, c) for case in cases)
    law = {SIDES[c.attacker]: by_number(taken), SIDES[c.defender]: by_number(given)}
    return {"rule": "5.2", "round": now.round + 1, **more, "exact": True, "unseen": unseen, "hits_taken": law}


def fire_law(s: Position, c: Battle, side: Side) -> dict[int, Fraction]:
    """5.2 How many hits a side scores, with the chance of each number."""
    return successes([chance for unit in stack_of(s, c.hex, side) for chance in volley(s, c, unit).chances()])


def return_fire_law(s: Position, c: Battle) -> dict[int, Fraction]:
    """5.2e The same for the attacker, with what the losses (5.3) from the defender's fire leave it."""
    first = fire_law(s, c, c.defender)
    left = {hits: settled(TakeLoss(), s, Battle(hex=c.hex, hits=hits), c.attacker) for hits in first}
    return mixture((chance, fire_law(left[hits], c, c.attacker)) for hits, chance in first.items())
