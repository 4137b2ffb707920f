"""Exact chances of a battle typed in by hand, step by step and as a whole.

`odds_case(case, lang)` takes

    {"month": "1940-05",
     "hex": {"terrain": "forest", "city": "major", "works": "bunker"},       # all optional; clear open ground
     "attacker": [{"unit": "de-19pz", "steps": 5, "crossing": "river"}, ...],  # steps: full strength unless told
     "weather": "good",                                                      # the only one of the Basic game
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
Numbered = dict[tuple[int, int], Any]  # the same over numbered states of the attacker and the defender
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
    known = {
        "month",
        "weather",
        "hex",
        "attacker",
        "defender",
        "assisted",
        "cancel",
        "elite",
        "rounds",
        "air_rounds",
        "ties",
    }
    for key in case:
        if key not in known:
            raise CaseError("odds", f"unknown key {key!r}; known: {', '.join(sorted(known))}")
    if case.get("weather", "good") != "good":
        raise CaseError("7.0a", f"weather {case['weather']!r} is Advanced; the Basic game has good weather only")
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
    tech = entry.get("tech", _tech(unit.index, month, assisted))
    if tech not in (0, 1, 2, 3):
        raise CaseError("3.13a", f"{name} cannot have TECH {tech!r}; levels are 0 to 3")
    return Fighter(unit.index, side, entry.get("crossing", ""), bool(entry.get("grounded")), tech), steps


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
    """The dice of one case. A side's fire depends on its own units (and its enemy's forts); losses on the side hit.

    The states that a side can come to are numbered as they are met: a law is kept over pairs of numbers, and what one
    side's fire does to the other is worked out once for each such pair.
    """

    def __init__(self, case: Case, floats: bool = False) -> None:
        self.case, self.floats = case, floats
        self.sides = tuple(tuple(f for f in case.fighters if f.side == side) for side in (ATTACKER, DEFENDER))
        cut = len(self.sides[ATTACKER])
        self.start: Position = (case.start[:cut], case.start[cut:])
        self.states: tuple[list[State], list[State]] = ([], [])
        self.numbers: tuple[dict[State, int], dict[State, int]] = ({}, {})
        self.volley = lru_cache(maxsize=None)(self._volley)
        self.law = lru_cache(maxsize=None)(self._law)
        self.moves = lru_cache(maxsize=None)(self._moves)
        self.shifts = lru_cache(maxsize=None)(self._shifts)
        self.spent = lru_cache(maxsize=None)(self._spent)
        self.fort = lru_cache(maxsize=None)(lambda number: self._fort(self.states[DEFENDER][number]))
        self.can_be_hit = lru_cache(maxsize=None)(
            lambda side, number, *when: bool(self.prey(side, self.states[side][number], *when))
        )
        self.strikes = lru_cache(maxsize=None)(lambda side, number: self._striking(side, self.states[side][number]))
        self.holds = lru_cache(maxsize=None)(lambda side, number: self.fights(side, self.states[side][number]))
        self.is_gone = lru_cache(maxsize=None)(lambda side, number: self.gone(self.states[side][number], side))
        self.lone_support_falls = lru_cache(maxsize=None)(self._lone_support_falls)

    def number(self, side: int, state: State) -> int:
        """The number of a side's state."""
        found = self.numbers[side].get(state)
        if found is None:
            found = self.numbers[side][state] = len(self.states[side])
            self.states[side].append(state)
        return found

    def _moves(
        self, side: int, mine: int, theirs: int, kind: str, round_no: int, duel: bool = False
    ) -> tuple[tuple[int, Any], ...] | None:
        """Where the fire of a side in one state takes the other in another, with chances; None if nobody can fire."""
        other = 1 - side
        if not self.can_be_hit(other, theirs, kind, round_no):
            return None
        fort = 0 if duel else self.fort(theirs if side == ATTACKER else mine)
        law = self.law(side, mine, kind, round_no, fort)
        if len(law) <= 1 and not duel:
            return None
        return self.shifts(other, theirs, kind, round_no, law)

    def _shifts(
        self, side: int, number: int, kind: str, round_no: int, law: tuple[Any, ...]
    ) -> tuple[tuple[int, Any], ...]:
        """The states that a law of hits brings a side to, each once."""
        found: dict[int, Any] = {}
        state = self.states[side][number]
        for n, p in enumerate(law):
            new = self.number(side, state)
            found[new] = found.get(new, 0) + p
            state = self.after(side, state, 1, kind, round_no) if n + 1 < len(law) else state
        return tuple(found.items())

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

    def _law(self, side: int, number: int, kind: str, round_no: int, fort: int) -> tuple[Any, ...]:
        """The law of the hits of a side's fire."""
        shots, locality = self.volley(side, self.states[side][number], kind, round_no, fort)
        pairs = [(shot.dice, shot.face) for shot in shots] + ([locality] if locality[0] else [])
        law = law_of_hits(tuple(pairs))
        return tuple(float(p) for p in law) if self.floats else law

    def after(self, side: int, state: State, hits: int, kind: str, round_no: int) -> State:
        """Hits placed one by one on the strongest; ties by the policy of the case."""
        units = list(state)
        for _ in range(hits):
            choice = fire.strongest(self.prey(side, tuple(units), kind, round_no))
            if not choice:
                break
            i = choice[-1] if self.case.last_tie else choice[0]
            units[i] = fire.after_hit(UNITS[self.sides[side][i].unit].pattern, *units[i])
        return tuple(units)

    def _spent(self, side: int, number: int) -> int:
        """7.7.4c Artillery that fired drops a position."""
        spent = tuple(
            (fire.after_firing(UNITS[f.unit].pattern, steps), 0)
            if UNITS[f.unit].kind == "artillery" and steps > 0
            else (steps, half)
            for f, (steps, half) in zip(self.sides[side], self.states[side][number])
        )
        return self.number(side, spent)

    def _lone_support_falls(self, attacker: int, defender: int) -> tuple[int, int]:
        """7.7.10c Support and 0-step units alone with an enemy combat unit are lost."""
        numbers = (attacker, defender)
        out = [attacker, defender]
        for side in (ATTACKER, DEFENDER):
            if self.strikes(1 - side, numbers[1 - side]) and not self.holds(side, numbers[side]):
                mine = zip(self.sides[side], self.states[side][numbers[side]])
                out[side] = self.number(side, tuple((LOST, 0) if UNITS[f.unit].is_ground else unit for f, unit in mine))
        return (out[0], out[1])

    def gone(self, state: State, side: int) -> bool:
        """True if a side that had ground units has none left."""
        ground = [unit for f, unit in zip(self.sides[side], state) if UNITS[f.unit].is_ground]
        return bool(ground) and all(steps < 0 for steps, _ in ground)

    def duel(self) -> bool:
        """7.7.1a Aircraft of both sides in the air, a fighter among them."""
        up = [f for f in self.case.fighters if self.in_the_air(f, 1)]
        return len({f.side for f in up}) == 2 and any(UNITS[f.unit].kind == "fighter" for f in up)


# Steps and rounds

# 7.7-seq. AA and bombs of the two sides fall at the same time, but neither weakens the other's present fire, so they
# may be worked out one after the other.
STEPS = ((AA, 0), (AA, 1), (BOMB, 0), (BOMB, 1), (GUNS, 0), (GUNS, 1), (GROUND, 1), (GROUND, 0))


def run_step(b: Battle, law: Numbered, kind: str, side: int, round_no: int) -> Numbered:
    """The fire of one side."""
    after: Numbered = {}
    get = after.get
    forward = side == ATTACKER
    for (a, d), chance in law.items():
        mine, theirs = (a, d) if forward else (d, a)
        moves = b.moves(side, mine, theirs, kind, round_no)
        if moves is None:
            after[a, d] = get((a, d), 0) + chance
            continue
        mine = b.spent(side, mine) if kind == GUNS else mine
        for target, p in moves:
            new = (mine, target) if forward else (target, mine)
            after[new] = get(new, 0) + chance * p
    if kind in (GUNS, GROUND):
        fallen: Numbered = {}
        for pair, chance in after.items():
            new = b.lone_support_falls(*pair)
            fallen[new] = fallen.get(new, 0) + chance
        return fallen
    return after


def run_duel(b: Battle, law: Numbered) -> Numbered:
    """7.7.1b A round of air combat: both sides fire from the strength they had before it."""
    after: Numbered = {}
    for (a, d), chance in law.items():
        on_defender = b.moves(ATTACKER, a, d, AIR, 1, duel=True)
        on_attacker = b.moves(DEFENDER, d, a, AIR, 1, duel=True)
        if on_defender is None or on_attacker is None:
            after[a, d] = after.get((a, d), 0) + chance
            continue
        for new_d, p in on_defender:
            for new_a, q in on_attacker:
                after[new_a, new_d] = after.get((new_a, new_d), 0) + chance * p * q
    return after


def run_battle(case: Case, one: Any = Fraction(1)) -> Law:
    """The law of the position after the rounds of the case, in fractions, or in floats if `one` is 1.0."""
    b = Battle(case, isinstance(one, float))
    start = (b.number(ATTACKER, b.start[ATTACKER]), b.number(DEFENDER, b.start[DEFENDER]))
    law: Numbered = {b.lone_support_falls(*start): one}
    for _ in range(case.air_rounds if b.duel() else 0):
        law = run_duel(b, law)
    for round_no in range(1, case.rounds + 1):
        going = {x: p for x, p in law.items() if not (b.is_gone(ATTACKER, x[0]) or b.is_gone(DEFENDER, x[1]))}
        law = {x: p for x, p in law.items() if x not in going}
        for kind, side in STEPS:
            going = run_step(b, going, kind, side, round_no)
        for x, p in going.items():
            law[x] = law.get(x, 0) + p
    return {(b.states[ATTACKER][a], b.states[DEFENDER][d]): p for (a, d), p in law.items()}


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
    fort = b.fort(b.number(DEFENDER, b.start[DEFENDER]))
    for kind, side in steps:
        if not b.prey(1 - side, b.start[1 - side], kind, 1):
            continue
        shots, locality = b.volley(side, b.start[side], kind, 1, fort)
        if not shots and not locality[0]:
            continue
        law = b.law(side, b.number(side, b.start[side]), kind, 1, fort)
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
        lost, won = b.gone(position[ATTACKER], ATTACKER), b.gone(position[DEFENDER], DEFENDER)
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
