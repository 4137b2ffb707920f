"""18.1 The chances of a voyage: what the sea does to each transport."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from grognard.kit.cases import REMARKS, CaseError, Part, a_flag, a_list, a_word, an_object

from ..loading import ALLIES, AXIS, SIDES, Unit
from ..rules.landings import IS_MARINE
from ..rules.sea import risk_of, risky_seas
from ..rules.waters import MAPLE
from ..world import UNITS
from .answer import share_of
from .battle import ATTACKER, LOST
from .cases import a_month, read_rulings, read_unit

SEAS = ("atlantic", "channel", "mediterranean", "baltic")
KEYS = (
    "kind",
    "tier",
    "side",
    "sea",
    "month",
    "units",
    "enemy_controls",
    "italy_surrendered",
    "calais",
    "reembark",
    "rulings",
)


class Voyage(NamedTuple):
    """The dice of a sea: from which face a transport is hurt, from which lost; 7 for never."""

    side: int
    hurt: int
    sunk: int

    @property
    def faces(self) -> dict[str, int]:
        """Of six faces how many are safe, cost a step, and sink."""
        return {"safe": self.hurt - 1 if self.hurt < 7 else 6, "step": self.sunk - self.hurt, "lost": 7 - self.sunk}


def read_voyage(data: Part) -> Voyage:
    """18.1a-18.1.3 Whose ships, on which sea, when."""
    side = SIDES.index(a_word(data, "side", SIDES, "odds"))
    sea, month = a_word(data, "sea", SEAS, "odds"), a_month(data)
    italy_out = a_flag(data, "italy_surrendered", "odds")
    if side == AXIS and sea == "mediterranean" and italy_out:
        raise CaseError("18.1.2", "sea-closed")
    if side == AXIS and sea in ("channel", "atlantic") and month >= MAPLE:
        raise CaseError("18.1.3", "sea-closed")
    threat = a_flag(data, "enemy_controls", "odds", True) or sea == "channel"  # mines
    risky = risky_seas(side, ["atlantic" if sea == "channel" else sea])
    softly = read_rulings(data)["atlantic_six"]
    return Voyage(side, *risk_of(side, risky, threat, italy_out, month >= MAPLE, sea == "channel", softly))


def step_down(unit: Unit, steps: int) -> int:
    """18.1a A step lost at sea: a position of the block; LOST beyond the last."""
    return unit.pattern.below[steps] if steps > 0 else steps


def sea_law(voyage: Voyage, unit: Unit, steps: int) -> dict[int, Fraction]:
    """What becomes of one transport: the law of its steps."""
    found: dict[int, Fraction] = {}
    if steps == LOST:
        return {LOST: Fraction(1)}
    for key, ends in (("safe", steps), ("step", step_down(unit, steps)), ("lost", LOST)):
        if faces := voyage.faces[key]:
            found[ends] = found.get(ends, Fraction(0)) + Fraction(faces, 6)
    return found


def chances_at_sea(voyage: Voyage) -> dict[str, Any]:
    """What the die of one transport brings."""
    words = {"safe": "safe", "step": "damaged", "lost": "sunk"}
    return {words[key]: share_of(Fraction(faces, 6)) for key, faces in voyage.faces.items()}


def sea_answer(case: dict[str, Any], in_play: bool = False) -> dict[str, Any]:
    """18.1 The die, what becomes of each unit, and of the morale of the United States (18.1b)."""
    data = an_object(case, "", "odds", (*KEYS, *REMARKS))
    if a_word(data, "tier", ("basic", "advanced"), "odds", "advanced") == "basic":
        raise CaseError("7.0a", "advanced-words")
    voyage, month = read_voyage(data), a_month(data)
    price = 2 * a_flag(data, "calais", "odds") + a_flag(data, "reembark", "odds")
    units, all_safe = [], Fraction(1)
    morale = {0: Fraction(1)}
    for i, entry in enumerate(a_list(data, "units", "odds")):
        f, steps = read_unit(entry, ATTACKER, f"units[{i}]", month, set())
        unit = UNITS[f.unit]
        if unit.side != voyage.side:
            raise CaseError("3.1", "mixed-attacker")
        if data.get("reembark") and not IS_MARINE[f.unit]:
            raise CaseError("24.1e", "not-a-marine", unit=unit.id)
        left = steps
        for _ in range(price):
            left = step_down(unit, left) if left != LOST else LOST
        law = sea_law(voyage, unit, left)
        units.append({"unit": unit.id, "law": {str(n) if n >= 0 else "lost": share_of(p) for n, p in law.items()}})
        all_safe *= law.get(steps, Fraction(0))
        if unit.nation == "US" and unit.is_ground:
            morale = with_loss(morale, law.get(LOST, Fraction(0)) / 6)
    if not units:
        raise CaseError("18.0a", "nobody-sails")
    faces = voyage.faces
    return {
        "game": "bitw",
        "exact": True,
        "chances": chances_at_sea(voyage),
        "die": faces | {"rule": "18.1a"},
        "units": units,
        "us_morale": {str(n): share_of(p) for n, p in morale.items() if p} if voyage.side == ALLIES else {},
        "all_safe": share_of(all_safe),
    }


def with_loss(law: dict[int, Fraction], p: Fraction) -> dict[int, Fraction]:
    """18.1b One more unit whose loss moves the marker with this chance."""
    found: dict[int, Fraction] = {}
    for n, q in law.items():
        for more, share in ((0, 1 - p), (1, p)):
            found[n + more] = found.get(n + more, Fraction(0)) + q * share
    return found
