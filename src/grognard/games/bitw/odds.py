"""Exact chances of a battle typed in by hand, step by step and as a whole.

`odds_case(case, lang)` takes

    {"month": "1940-05",
     "hex": {"terrain": "forest", "city": "major", "works": "bunker"},       # all optional; clear open ground
     "attacker": [{"unit": "de-19pz", "steps": 5, "crossing": "river"}, ...],  # steps: full strength unless told
     "defender": [{"unit": "fr-6"}, {"unit": "fr-zn", "grounded": true}, ...],
     "assisted": ["BE"], "cancel": false, "elite": false, "rounds": 3, "air_rounds": 1, "ties": "first"}

and gives, as reduced fractions, the law of the hits of every fire step of the first round with each unit's dice, faces
and cited tally, and the law of the outcome after the rounds asked for. Policies, stated in the answer: nobody retreats;
air combat lasts `air_rounds` rounds; of equally strong units the first (or last) listed takes the hit. The dice come
from `rules.fire`, the very functions that play uses; a test compares the outcome with the game's own combat.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

from grognard.kernel import DataError, GrognardError

from .loading import charts, tech_level
from .odds_text import render_case
from .rules import fire
from .rules.fire import AA, AIR, BOMB, GROUND, GUNS, Combatant, Field, Shot
from .world import POWERS, UNIT_IDS, UNITS

__all__ = ["CaseError", "odds_case", "read_case", "render_case", "run_battle"]

ATTACKER, DEFENDER = 0, 1
LOST = -1
Volley = tuple[list[Shot], tuple[int, int]]
State = tuple[tuple[int, int], ...]  # (steps, half-hit) of each unit of a side
Position = tuple[State, State]
Law = dict[Position, Any]  # chances, in fractions or floats
WORKS = {"none": 0, "": 0, "bunker": 1, "fortress": 2}
NAMES = ("attacker", "defender")


class Fighter(NamedTuple):
    """One unit of the case."""

    unit: int
    side: int
    crossing: str
    grounded: bool
    tech: int


class Case(NamedTuple):
    """A battle, checked."""

    fighters: tuple[Fighter, ...]
    start: State
    field: Field
    rounds: int
    air_rounds: int
    last_tie: bool


class CaseError(GrognardError):
    """A case that the rules do not know: the rule and the reason."""

    def __init__(self, rule_id: str, message: str) -> None:
        super().__init__(f"{message} ({rule_id})")
        self.rule, self.message = rule_id, message


# Reading a case


def read_case(case: dict[str, Any]) -> Case:
    """Check a case and complete it; CaseError names the rule."""
    known = {"month", "hex", "attacker", "defender", "assisted", "cancel", "elite", "rounds", "air_rounds", "ties"}
    for key in case:
        if key not in known:
            raise CaseError("odds", f"unknown key {key!r}; known: {', '.join(sorted(known))}")
    month, assisted = case.get("month", "1940-05"), set(case.get("assisted", ()))
    fighters: list[Fighter] = []
    start: list[tuple[int, int]] = []
    for side, name in enumerate(NAMES):
        for entry in case.get(name, ()):
            fighter, steps = _fighter(entry, side, month, assisted)
            fighters.append(fighter)
            start.append((steps, 0))
    _check_sides(fighters)
    return Case(
        tuple(fighters),
        tuple(start),
        _field(case, fighters, month),
        int(case.get("rounds", 3)),
        int(case.get("air_rounds", 1)),
        case.get("ties", "first") == "last",
    )


def _fighter(entry: dict[str, Any], side: int, month: str, assisted: set[str]) -> tuple[Fighter, int]:
    name = entry.get("unit", "")
    if name not in UNIT_IDS:
        raise CaseError("1.2", f"unknown unit {name!r}")
    unit = UNITS[UNIT_IDS[name]]
    steps = int(entry.get("steps", unit.pattern.top))
    if steps not in unit.pattern.steps:
        raise CaseError("3.11", f"{name} cannot stand at {steps}; its steps: {list(unit.pattern.steps)}")
    if entry.get("crossing", "") not in ("", "river", "strait"):
        raise CaseError("7.7.11-rivers", f"unknown crossing {entry['crossing']!r}")
    return Fighter(
        unit.index, side, entry.get("crossing", ""), bool(entry.get("grounded")), _tech(unit.index, month, assisted)
    ), steps


def _tech(unit: int, month: str, assisted: set[str]) -> int:
    """3.13a, 5.6a The tech level of a unit at a date."""
    u = UNITS[unit]
    power, field = POWERS[u.power], charts().tech[u.kind].field
    if not power.follows:
        return tech_level(power.id, field, month)
    if not (power.assisted or power.id in assisted):
        return 0
    return max(1, tech_level(power.follows, field, month) - 1)


def _check_sides(fighters: list[Fighter]) -> None:
    limits = charts().limits
    for side in (ATTACKER, DEFENDER):
        units = [UNITS[f.unit] for f in fighters if f.side == side]
        ground = [u for u in units if u.is_ground]
        if not units:
            raise CaseError("3.22", f"the {NAMES[side]} has no unit")
        if len(ground) > limits["stack_ground"] or sum(u.is_combat for u in ground) > limits["stack_combat"]:
            raise CaseError("3.10a", f"too many ground units for the {NAMES[side]}")
        fliers = [u.is_bomber for u in units if u.is_air]
        if len(fliers) != len(set(fliers)):
            raise CaseError("3.10b", f"the {NAMES[side]} may have one fighter and one bomber")
        if side == ATTACKER and ground and not any(u.is_combat for u in ground):
            raise CaseError("3.8", "support units do not attack alone")
        if len({u.side for u in units}) > 1:
            raise CaseError("3.1", f"units of both alliances stand with the {NAMES[side]}")


def _field(case: dict[str, Any], fighters: list[Fighter], month: str) -> Field:
    hex = case.get("hex", {})
    terrain = charts().terrain_names.get(hex.get("terrain", "clear"))
    if terrain is None:
        raise CaseError("7.5.3b", f"unknown terrain {hex['terrain']!r}")
    works = WORKS.get(hex.get("works", ""))
    if works is None:
        raise CaseError("7.7.11-fortress", f"unknown works {hex['works']!r}")
    city = {"capital": "major", "none": ""}.get(hex.get("city", ""), hex.get("city", ""))
    crossings = {f.crossing for f in fighters if f.side == ATTACKER and UNITS[f.unit].is_ground}
    holder = next(UNITS[f.unit] for f in fighters if f.side == DEFENDER)
    infantry = tech_level(holder.nation, "infantry", month)
    return Field(
        terrain=terrain,
        major=city == "major",
        works=works,
        aa_dice=fire.locality_aa(city, works),
        aa_face=5 if infantry >= 3 else 6,
        all_cross=crossings.pop() if len(crossings) == 1 else "",
        cancel=bool(case.get("cancel")),
        elite=bool(case.get("elite")),
    )


# The law of hits


@lru_cache(maxsize=4096)
def law_of_hits(shots: tuple[tuple[int, int], ...]) -> tuple[Fraction, ...]:
    """How likely each number of hits is, for shots given as (dice, lowest hitting face).

    >>> law_of_hits(((1, 5), (2, 6)))[3]
    Fraction(1, 108)
    """
    ways, total = [1], 0
    for dice, face in shots:
        good = max(0, 7 - face)
        one = [comb(dice, k) * good**k * (6 - good) ** (dice - k) for k in range(dice + 1)]
        ways = [
            sum(ways[j] * one[i - j] for j in range(len(ways)) if 0 <= i - j <= dice) for i in range(len(ways) + dice)
        ]
        total += dice
    return tuple(Fraction(n, 6**total) for n in ways)


# A battle in flight: each side's units are a substate, so that fire and losses are looked up once


class Battle:
    """The dice of one case. A side's fire depends on its own units (and its enemy's forts); losses on the side hit."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.sides = tuple(tuple(f for f in case.fighters if f.side == side) for side in (ATTACKER, DEFENDER))
        cut = len(self.sides[ATTACKER])
        self.start: Position = (case.start[:cut], case.start[cut:])
        self.volley = lru_cache(maxsize=None)(self._volley)
        self.law = lru_cache(maxsize=None)(self._law)
        self.after = lru_cache(maxsize=None)(self._after)
        self.spent = lru_cache(maxsize=None)(self._spent)
        self.can_be_hit = lru_cache(maxsize=None)(lambda *args: bool(self.prey(*args)))
        self.fort = lru_cache(maxsize=None)(self._fort)
        self.hardy = lru_cache(maxsize=None)(self.fights)
        self.striking = lru_cache(maxsize=None)(self._striking)

    def _striking(self, side: int, state: State) -> bool:
        """True while the side has a combat unit with steps."""
        return any(UNITS[f.unit].is_combat and steps > 0 for f, (steps, _) in zip(self.sides[side], state))

    def _fort(self, state: State) -> int:
        """The strength of a fort block among the defender's units."""
        units = zip(self.sides[DEFENDER], state)
        return max((steps for f, (steps, _) in units if UNITS[f.unit].is_fort and steps > 0), default=0)

    def fights(self, side: int, state: State) -> bool:
        """True while the side has a combat unit or fort with steps."""
        return any(
            steps > 0 and (UNITS[f.unit].is_combat or UNITS[f.unit].is_fort)
            for f, (steps, _) in zip(self.sides[side], state)
        )

    def in_the_air(self, f: Fighter, round_no: int) -> bool:
        """Aircraft that fly now: based bombers rise in round 2, strategic bombers have left by then."""
        unit = UNITS[f.unit]
        down = f.grounded and unit.is_bomber and round_no == 1
        return unit.is_air and not down and not (unit.kind == "strategic_bomber" and round_no > 1)

    def prey(self, side: int, state: State, kind: str, round_no: int) -> list[tuple[int, int]]:
        """The units of a side that this fire can hit, with their steps."""
        found = []
        for i, (f, (steps, _)) in enumerate(zip(self.sides[side], state)):
            unit = UNITS[f.unit]
            if kind in (AIR, AA):
                hit = self.in_the_air(f, round_no)
            else:
                hit = unit.is_ground or (
                    kind == BOMB and unit.is_air and not self.in_the_air(f, round_no) and f.grounded
                )
            if hit and steps > 0:
                found.append((i, steps))
        return found

    def _volley(
        self, side: int, state: State, kind: str, round_no: int, fort: int
    ) -> tuple[list[Shot], tuple[int, int]]:
        """The shots of a side and, for the defender's AA, the dice of the locality."""
        firing = []
        for i, (f, (steps, _)) in enumerate(zip(self.sides[side], state)):
            unit = UNITS[f.unit]
            if steps <= 0 or (unit.is_air and not self.in_the_air(f, round_no)):
                continue
            if kind == GUNS and not self.fights(side, state):
                continue
            half = POWERS[unit.power].half_aa
            firing.append(Combatant(unit, steps, f.tech, side == ATTACKER, f.crossing, half, False, i))
        field = self.case.field._replace(fort_steps=fort)
        shots = fire.volley(firing, kind, field, round_no)
        return shots, (field.aa_dice, field.aa_face) if kind == AA and side == DEFENDER else (0, 0)

    def _law(self, side: int, state: State, kind: str, round_no: int, fort: int) -> tuple[Fraction, ...]:
        """The law of the hits of a side's fire."""
        shots, locality = self.volley(side, state, kind, round_no, fort)
        pairs = [(shot.dice, shot.face) for shot in shots] + ([locality] if locality[0] else [])
        return law_of_hits(tuple(pairs))

    def _after(self, side: int, state: State, hits: int, kind: str, round_no: int) -> State:
        """Hits placed one by one on the strongest; ties by the policy of the case."""
        units = list(state)
        for _ in range(hits):
            choice = fire.strongest(self.prey(side, tuple(units), kind, round_no))
            if not choice:
                break
            i = choice[-1] if self.case.last_tie else choice[0]
            units[i] = fire.after_hit(UNITS[self.sides[side][i].unit].pattern, *units[i])
        return tuple(units)

    def _spent(self, side: int, state: State) -> State:
        """7.7.4c Artillery that fired drops a position."""
        return tuple(
            (fire.after_firing(UNITS[f.unit].pattern, steps), 0)
            if UNITS[f.unit].kind == "artillery" and steps > 0
            else (steps, half)
            for f, (steps, half) in zip(self.sides[side], state)
        )

    def lone_support_falls(self, position: Position) -> Position:
        """7.7.10c Support and 0-step units alone with an enemy combat unit are lost."""
        out = list(position)
        for side in (ATTACKER, DEFENDER):
            if self.striking(1 - side, position[1 - side]) and not self.hardy(side, position[side]):
                mine = zip(self.sides[side], position[side])
                out[side] = tuple((LOST, 0) if UNITS[f.unit].is_ground else unit for f, unit in mine)
        return (out[0], out[1])

    def gone(self, position: Position, side: int) -> bool:
        """True if a side that had ground units has none left."""
        ground = [unit for f, unit in zip(self.sides[side], position[side]) if UNITS[f.unit].is_ground]
        return bool(ground) and all(steps < 0 for steps, _ in ground)

    def duel(self) -> bool:
        """7.7.1a Aircraft of both sides in the air, a fighter among them."""
        up = [f for f in self.case.fighters if self.in_the_air(f, 1)]
        return len({f.side for f in up}) == 2 and any(UNITS[f.unit].kind == "fighter" for f in up)


# Steps and rounds

# 7.7-seq. AA and bombs of the two sides fall at the same time, but neither weakens the other's present fire, so they
# may be worked out one after the other.
STEPS = ((AA, 0), (AA, 1), (BOMB, 0), (BOMB, 1), (GUNS, 0), (GUNS, 1), (GROUND, 1), (GROUND, 0))


def run_step(b: Battle, law: Law, kind: str, side: int, round_no: int) -> Law:
    """The fire of one side."""
    after: Law = {}
    get = after.get
    other = 1 - side
    for position, chance in law.items():
        if not b.can_be_hit(other, position[other], kind, round_no):
            after[position] = after.get(position, 0) + chance
            continue
        hits = b.law(side, position[side], kind, round_no, b.fort(position[DEFENDER]))
        mine = b.spent(side, position[side]) if kind == GUNS and len(hits) > 1 else position[side]
        for n, p in enumerate(hits):
            theirs = b.after(other, position[other], n, kind, round_no)
            new: Position = (mine, theirs) if side == ATTACKER else (theirs, mine)
            after[new] = get(new, 0) + chance * p
    if kind in (GUNS, GROUND):
        fallen: Law = {}
        for position, chance in after.items():
            new = b.lone_support_falls(position)
            fallen[new] = fallen.get(new, 0) + chance
        return fallen
    return after


def run_duel(b: Battle, law: Law) -> Law:
    """7.7.1b A round of air combat: both sides fire from the strength they had before it."""
    after: Law = {}
    for position, chance in law.items():
        if any(not b.prey(side, position[side], AIR, 1) for side in (ATTACKER, DEFENDER)):
            after[position] = after.get(position, 0) + chance
            continue
        by_attacker = b.law(ATTACKER, position[0], AIR, 1, 0)
        by_defender = b.law(DEFENDER, position[1], AIR, 1, 0)
        for n, p in enumerate(by_attacker):
            theirs = b.after(DEFENDER, position[1], n, AIR, 1)
            for m, q in enumerate(by_defender):
                new: Position = (b.after(ATTACKER, position[0], m, AIR, 1), theirs)
                after[new] = after.get(new, 0) + chance * p * q
    return after


def run_battle(case: Case, one: Any = Fraction(1)) -> Law:
    """The law of the position after the rounds of the case, in fractions, or in floats if `one` is 1.0."""
    b = Battle(case)
    if isinstance(one, float):
        exact = b._law
        b.law = lru_cache(maxsize=None)(lambda *args: tuple(float(p) for p in exact(*args)))
    law: Law = {b.lone_support_falls(b.start): one}
    for _ in range(case.air_rounds if b.duel() else 0):
        law = run_duel(b, law)
    for round_no in range(1, case.rounds + 1):
        going = {x: p for x, p in law.items() if not (b.gone(x, ATTACKER) or b.gone(x, DEFENDER))}
        law = {x: p for x, p in law.items() if x not in going}
        for kind, side in STEPS:
            going = run_step(b, going, kind, side, round_no)
        for x, p in going.items():
            law[x] = law.get(x, 0) + p
    return law


def fine_enough(case: Case) -> bool:
    """True if the case is small enough for fractions within a second: few aircraft, few rounds."""
    return sum(UNITS[f.unit].is_air for f in case.fighters) == 0 and case.rounds <= 3


# The answer


def _share(p: Any) -> dict[str, Any]:
    exact = isinstance(p, Fraction)
    return {"p": f"{p.numerator}/{p.denominator}" if exact else f"{p:.9f}", "percent": _percent(p)}


def _percent(p: Any) -> str:
    """A percentage that says 0 or 100 only when it is certain."""
    if p in (0, 1):
        return "100" if p else "0"
    shown = f"{float(100 * p):.1f}"
    return {"0.0": "<0.1", "100.0": ">99.9"}.get(shown, shown)


def first_round(case: Case) -> list[dict[str, Any]]:
    """Dice, faces, tally and law of hits of every fire step of the first round, each from the starting strengths."""
    b = Battle(case)
    steps = ([(AIR, 0), (AIR, 1)] if b.duel() else []) + list(STEPS)
    rule_ids = {AIR: "7.7.1b", AA: "7.7.2a", BOMB: "7.7.3a", GUNS: "7.7.4b", GROUND: "7.7.5a"}
    out = []
    for kind, side in steps:
        if not b.prey(1 - side, b.start[1 - side], kind, 1):
            continue
        shots, locality = b.volley(side, b.start[side], kind, 1, b.fort(b.start[DEFENDER]))
        if not shots and not locality[0]:
            continue
        law = b.law(side, b.start[side], kind, 1, b.fort(b.start[DEFENDER]))
        out.append(
            {
                "step": kind,
                "rule": rule_ids[kind],
                "side": NAMES[side],
                "shots": [_shot(x) for x in shots],
                "locality": {"dice": locality[0], "face": locality[1]} if locality[0] else None,
                "hits": {str(n): _share(p) for n, p in enumerate(law)},
                "mean": str(sum((n * p for n, p in enumerate(law)), Fraction(0))),
            }
        )
    return out


def _shot(shot: Shot) -> dict[str, Any]:
    mods = shot.modifiers
    tally = [{"rule": r, "malus": n} for r, n in mods.mali] + [{"rule": r, "bonus": n} for r, n in mods.boni]
    faces = f"{shot.face}-6" if shot.face < 6 else "6"
    return {"unit": shot.who.unit.id, "dice": shot.dice, "hits_on": faces, "tally": tally}


def outcome(case: Case, law: Law) -> dict[str, Any]:
    """What the law says about who is left."""
    b = Battle(case)
    results: dict[str, Any] = {"attacker_wins": 0, "defender_holds": 0, "undecided": 0}
    fighters = [*b.sides[ATTACKER], *b.sides[DEFENDER]]
    left: list[Any] = [0] * len(fighters)
    alive: list[Any] = [0] * len(fighters)
    for position, p in law.items():
        lost, won = b.gone(position, ATTACKER), b.gone(position, DEFENDER)
        results["defender_holds" if lost else "attacker_wins" if won else "undecided"] += p
        for i, (steps, _) in enumerate((*position[ATTACKER], *position[DEFENDER])):
            if steps >= 0:
                left[i] += p * steps
                alive[i] += p
    units = [
        {"unit": UNITS[f.unit].id, "survives": _share(alive[i]), "mean_steps": f"{float(left[i]):.3f}"}
        for i, f in enumerate(fighters)
    ]
    return {"results": {k: _share(p) for k, p in results.items()}, "units": units, "positions": len(law)}


def odds_case(case: dict[str, Any], lang: str = "en") -> dict[str, Any]:
    """The answer to a case; an illegal one gives {"error": {"rule", "message"}}."""
    try:
        checked = read_case(case)
    except CaseError as error:
        return {"error": {"rule": error.rule, "message": error.message}}
    except (DataError, TypeError, ValueError, AttributeError) as error:
        return {"error": {"rule": "odds", "message": f"the case cannot be read: {error}"}}
    in_fractions = fine_enough(checked)
    law = run_battle(checked, Fraction(1) if in_fractions else 1.0)
    policy = {"retreat": "nobody", "ties": "last" if checked.last_tie else "first", "air_rounds": checked.air_rounds}
    return {
        "game": "bitw",
        "exact": True,  # every outcome is enumerated; large cases add up in double precision
        "arithmetic": "fractions" if in_fractions else "floats",
        "policy": policy | {"rounds": checked.rounds},
        "first_round": first_round(checked),
        "outcome": outcome(checked, law),
    }
