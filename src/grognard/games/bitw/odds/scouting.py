"""19.1 The chances of air reconnaissance: the flak of the hex, then a die."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.kit.cases import REMARKS, CaseError, Part, a_list, a_number, a_word, an_object, quoted

from ..loading import tech_level
from ..rules import fire
from ..rules.fire import AA, Combatant, Field
from ..rules.recon import recon_modifiers
from ..rules.weather import KINDS, stands_snow
from ..world import LIMITS, POWERS, UNITS
from .answer import share_of, shot_told
from .battle import DEFENDER, Fighter, law_of_hits
from .cases import a_month, check_side, read_assisted, read_country, read_field, read_unit

KEYS = (
    *("kind", "tier", "month", "weather", "hex", "defender", "assisted", "elite", "by", "fighter_tech", "attempts"),
    "rulings",
)
MOST_ATTEMPTS = 4


def recon_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """19.1c-e What the flak rolls and how likely it misses, the die, one attempt, and all of them."""
    data = an_object(case, "", "odds", (*KEYS, *REMARKS))
    if a_word(data, "tier", ("basic", "advanced"), "odds", "advanced") == "basic":
        raise CaseError("7.0a", "advanced-words")
    attempts, tech = read_attempts(data), fighter_tech(data)
    weather = a_word(data, "weather", KINDS, "odds", "good")
    entries = read_defenders(data)
    field = read_field(data, [f for f, _ in entries], a_month(data))
    shots = flak_of(entries, field, read_country(data))
    place = [(field.aa_dice, field.aa_face)] if field.aa_dice else []
    law = law_of_hits(tuple(sorted([(shot.dice, shot.face) for shot in shots if shot.dice] + place)))
    forts = [steps == UNITS[f.unit].pattern.top for f, steps in entries if UNITS[f.unit].is_fort]
    tally = recon_modifiers(tech, field.terrain, field.major, field.works, forts, weather == "good")
    faces = [die for die in range(1, 7) if die + tally.total() <= LIMITS["recon_face"]]
    free, good = law[0], Fraction(len(faces), 6)
    chances = {"stopped": 1 - free, "missed": free * (1 - good), "seen": free * good}
    return {
        "game": "bitw",
        "exact": True,
        "chances": {key: share_of(p) for key, p in chances.items()},
        "interdiction": {
            "rule": "19.1c",
            "shots": [shot_told(shot) for shot in shots],
            "locality": {"dice": field.aa_dice, "face": field.aa_face} if field.aa_dice else None,
            "hits": {str(n): share_of(p) for n, p in enumerate(law)},
        },
        "p_not_interdicted": share_of(free),
        "die": {
            "rule": "19.1d",
            "modifier": tally.total(),
            "faces": faces,
            "tally": [{"rule": r, "drm": n} for r, n in tally.lines],
        },
        "p_attempt": share_of(free * good),
        "attempts": attempts,
        "p_any": share_of(1 - (1 - free * good) ** attempts),
    }


def read_attempts(data: Part) -> int:
    """19.1a As many as the HQ has points: 4 at most."""
    number = data.get("attempts")
    if isinstance(number, int) and number > MOST_ATTEMPTS:
        raise CaseError("19.1a", "many-attempts", value=quoted(number))
    return a_number(data, "attempts", "odds", 1, MOST_ATTEMPTS, 1)


def fighter_tech(data: Part) -> int:
    """19.1b The fighter tech of who looks: told, or by power and month."""
    if data.get("fighter_tech") is not None:
        return a_number(data, "fighter_tech", "odds", 1, 3)
    powers = tuple(p.id.lower() for p in POWERS if not p.follows)
    return max(1, tech_level(a_word(data, "by", powers, "odds").upper(), "fighters", a_month(data)))


def read_defenders(data: Part) -> list[tuple[Fighter, int]]:
    """The units in the hex, with their steps."""
    month, assisted = a_month(data), read_assisted(data)
    listed = enumerate(a_list(data, "defender", "odds"))
    entries = [read_unit(x, DEFENDER, f"defender[{i}]", month, assisted) for i, x in listed]
    fighters = [f for f, _ in entries]
    for f in fighters:
        if sum(other.unit == f.unit for other in fighters) > 1:
            raise CaseError("1.2", "twice", unit=UNITS[f.unit].id)
    check_side(fighters, DEFENDER)
    return entries


def flak_of(entries: list[tuple[Fighter, int]], field: Field, land: str) -> list[fire.Shot]:
    """19.1c The dice of the anti-aircraft step; aircraft in the hex do not roll."""
    ground = [(UNITS[f.unit], f.tech, steps) for f, steps in entries if UNITS[f.unit].is_ground]
    who = [
        Combatant(u, steps, tech, False, half_aa=fire.halves_flak(u, field.reading), hardy=stands_snow(u, land))
        for u, tech, steps in ground
    ]
    return fire.volley(who, AA, field, 1)
