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
from `rules.fire`, the very functions that play uses, and are added up in `law`; tests compare the outcome with
the game's own combat.
"""

from __future__ import annotations

from typing import Any

from grognard.kernel import GrognardError

from ..loading import charts, tech_level
from ..rules import fire
from ..rules.fire import Field
from ..world import POWERS, UNIT_IDS, UNITS
from .battle import ATTACKER, DEFENDER, Case, Fighter

WORKS = {"none": 0, "": 0, "bunker": 1, "fortress": 2}
NAMES = ("attacker", "defender")


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
        aa_dice=fire.locality_aa(city, works, bool(hex.get("fortress_aa", True))),
        aa_face=5 if infantry >= 3 else 6,
        all_cross=crossings.pop() if len(crossings) == 1 else "",
        cancel=bool(case.get("cancel")),
        elite=bool(case.get("elite")),
    )
