"""The law of a battle against a plain enumeration: position by position, die by die, in fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from grognard.games.bitw.odds import odds_case, read_case
from grognard.games.bitw.odds.battle import Case
from grognard.games.bitw.odds.law import run_battle
from grognard.games.bitw.rules import fire
from grognard.games.bitw.rules.fire import AA, AIR, BOMB, GROUND, GUNS, Combatant
from grognard.games.bitw.world import POWERS, UNITS
from grognard.odds.law import law_of

Where = tuple[tuple[int, int], ...]  # (steps, half-hit) of every unit of the case
Chances = dict[Where, Fraction]


@cache
def hits_of(faces: tuple[int, ...]) -> dict[int, Fraction]:
    """The law of the hits of some dice, given by their lowest hitting faces."""
    law = {0: Fraction(1)}
    for face in faces:
        hit = Fraction(7 - face, 6)
        law = law_of((p * q, n + k) for n, p in law.items() for k, q in ((0, 1 - hit), (1, hit)))
    return law


class Plain:
    """A battle worked out the long way."""

    def __init__(self, case: Case) -> None:
        self.case, self.units = case, [UNITS[f.unit] for f in case.fighters]

    def result(self) -> Chances:
        """The law after the rounds of the case."""
        law = {self.lone_support(self.case.start): Fraction(1)}
        flying = {f.side for i, f in enumerate(self.case.fighters) if self.flies(i, 1)}
        if len(flying) == 2 and any(u.kind == "fighter" and self.flies(i, 1) for i, u in enumerate(self.units)):
            for number in range(1, self.case.air_rounds + 1):
                law = law_of((p * q, end) for x, p in law.items() for q, end in self.both(x, AIR, number))
        for round_no in range(1, self.case.rounds + 1):
            law = law_of((p * q, end) for x, p in law.items() for q, end in self.round(x, round_no))
        return law

    def round(self, start: Where, round_no: int) -> list[tuple[Fraction, Where]]:
        if self.over(start):
            return [(Fraction(1), start)]
        law = {start: Fraction(1)}
        for kind in (AA, BOMB):
            law = law_of((p * q, end) for x, p in law.items() for q, end in self.both(x, kind, round_no))
        law = law_of((p, self.lone_support(x)) for x, p in law.items())
        for kind, side in ((GUNS, 0), (GUNS, 1), (GROUND, 1), (GROUND, 0)):
            found = []
            for x, p in law.items():
                fought = bool(self.prey(x, kind, 1 - side, round_no)) and bool(self.dice(x, kind, side, round_no))
                for hits, q in self.hits(x, kind, side, round_no).items():
                    end = self.struck(x, kind, 1 - side, round_no, hits)
                    end = self.spent(end, side) if fought and kind == GUNS else end
                    found.append((p * q, self.lone_support(end)))
            law = law_of(found)
        return [(p, x) for x, p in law.items()]

    def both(self, x: Where, kind: str, round_no: int) -> list[tuple[Fraction, Where]]:
        """Both sides fire at once."""
        found = []
        up = [self.prey(x, AIR, side, round_no) for side in (0, 1)]
        hunters = [i for i, _ in (*up[0], *up[1]) if self.units[i].kind == "fighter"]
        shoot = kind != AIR or bool(up[0] and up[1] and hunters)
        laws = [self.hits(x, kind, side, round_no) if shoot else {0: Fraction(1)} for side in (0, 1)]
        for mine, p in laws[0].items():
            for theirs, q in laws[1].items():
                end = self.struck(self.struck(x, kind, 1, round_no, mine), kind, 0, round_no, theirs)
                found.append((p * q, end))
        return found

    def flies(self, i: int, round_no: int) -> bool:
        u, grounded = self.units[i], self.case.fighters[i].grounded
        first = 2 if grounded and u.is_bomber and self.attacked_from_the_air() else 1
        return u.is_air and (round_no == first if u.kind == "strategic_bomber" else round_no >= first)

    def attacked_from_the_air(self) -> bool:
        return any(u.is_air and f.side == 0 for u, f in zip(self.units, self.case.fighters))

    def duels(self, i: int, air_round: int) -> bool:
        return self.flies(i, 1) and not (self.units[i].kind == "strategic_bomber" and air_round > 1)

    def prey(self, x: Where, kind: str, side: int, round_no: int) -> list[tuple[int, int]]:
        """Whom fire may hit, with their steps."""
        found = []
        for i, f in enumerate(self.case.fighters):
            down = f.grounded and self.units[i].is_air and round_no == 1 and not self.flies(i, 1)
            flies = self.duels(i, round_no) if kind == AIR else self.flies(i, round_no)
            hit = flies if kind in (AIR, AA) else self.units[i].is_ground or (kind == BOMB and down)
            if f.side == side and hit and x[i][0] > 0:
                found.append((i, x[i][0]))
        return found

    def dice(self, x: Where, kind: str, side: int, round_no: int) -> list[int]:
        """The lowest hitting face of every die."""
        fort = max((s for (s, _), u in zip(x, self.units) if u.is_fort), default=0)
        field, firing = self.case.field._replace(fort_steps=max(0, fort)), []
        for i, f in enumerate(self.case.fighters):
            u = self.units[i]
            if kind == AIR:
                foes = [self.units[j].kind for j, _ in self.prey(x, AIR, 1 - side, round_no)]
                mute = not self.duels(i, round_no) or (u.kind != "fighter" and "fighter" not in foes)
            else:
                mute = u.is_air and not self.flies(i, round_no)
            if f.side == side and x[i][0] > 0 and not mute:
                half = POWERS[u.power].half_aa
                firing.append(Combatant(u, x[i][0], f.tech, side == 0, f.crossing, half))
        if kind == GUNS and not self.holds(x, side):
            firing = []
        shots = fire.volley(firing, kind, field, round_no)
        place = [field.aa_face] * field.aa_dice if kind == AA and side == 1 else []
        return [shot.face for shot in shots for _ in range(shot.dice)] + place

    def hits(self, x: Where, kind: str, side: int, round_no: int) -> dict[int, Fraction]:
        found = self.prey(x, kind, 1 - side, round_no)
        return hits_of(tuple(self.dice(x, kind, side, round_no)) if found else ())

    def struck(self, x: Where, kind: str, side: int, round_no: int, hits: int) -> Where:
        for _ in range(hits):
            choice = fire.strongest(self.prey(x, kind, side, round_no))
            if choice:
                i = choice[-1] if self.case.last_tie else choice[0]
                x = (*x[:i], fire.after_hit(self.units[i].pattern, *x[i]), *x[i + 1 :])
        return x

    def spent(self, x: Where, side: int) -> Where:
        fired = [f.side == side and u.kind == "artillery" for f, u in zip(self.case.fighters, self.units)]
        return tuple(
            (fire.after_firing(u.pattern, steps), 0) if yes and steps > 0 else (steps, half)
            for yes, u, (steps, half) in zip(fired, self.units, x)
        )

    def holds(self, x: Where, side: int) -> bool:
        mine = [i for i, f in enumerate(self.case.fighters) if f.side == side]
        return any(x[i][0] > 0 and (self.units[i].is_combat or self.units[i].is_fort) for i in mine)

    def lone_support(self, x: Where) -> Where:
        fallen = set()
        for side in (0, 1):
            enemy = [i for i, f in enumerate(self.case.fighters) if f.side != side]
            if not self.holds(x, side) and any(x[i][0] > 0 and self.units[i].is_combat for i in enemy):
                fallen |= {i for i, f in enumerate(self.case.fighters) if f.side == side and self.units[i].is_ground}
        return tuple((-1, 0) if i in fallen else state for i, state in enumerate(x))

    def gone(self, x: Where, side: int) -> bool:
        ground = [i for i, f in enumerate(self.case.fighters) if f.side == side and self.units[i].is_ground]
        return bool(ground) and all(x[i][0] < 0 for i in ground)

    def over(self, x: Where) -> bool:
        return self.gone(x, 0) or self.gone(x, 1)


def units(*names: str, **more: Any) -> list[dict[str, Any]]:
    """Units by `name` or `name:steps`; `more` holds for all of them."""
    found = [name.partition(":") for name in names]
    return [{"unit": name, **({"steps": int(steps)} if steps else {}), **more} for name, _, steps in found]


BATTLES: dict[str, dict[str, Any]] = {
    "ground, artillery, a river": {
        "attacker": units("de-19pz:3", "de-26:2", "de-4a:2", crossing="river"),
        "defender": units("fr-6:2", "fr-3a:2"),
        "hex": {"terrain": "forest"},
    },
    "aircraft on both sides": {
        "attacker": units("de-26:2", "de-jf2:2", "de-1fk:2"),
        "defender": units("fr-6:1", "fr-9:1", "fr-zn:1", "fr-b1:2"),
        "air_rounds": 2,
        "ties": "last",
    },
    "a heavy bomber leaves after a round": {
        "month": "1944-12",
        "attacker": units("us-5:2", "us-1a:2", "us-9f:2", "us-1bd"),
        "defender": units("de-1ss:2", "de-jf2:2"),
        "hex": {"city": "minor"},
        "elite": True,
    },
    "aircraft on the ground": {
        "attacker": units("de-26:3", "de-jf2:2", "de-1fk:2"),
        "defender": units("fr-6:2") + units("fr-zn:2", "fr-b1:2", grounded=True),
        "hex": {"works": "bunker"},
    },
    "a fort under bombs": {
        "month": "1944-06",
        "attacker": units("us-5:2", "us-9f:1", "us-9b:2"),
        "defender": units("de-fort-lorient:3", "de-26:1", "de-jf2:1", "de-9fk:2"),
        "cancel": True,
    },
    "support alone once the bombs have fallen": {
        "attacker": units("de-26:1", "de-4a:2"),
        "defender": units("fr-6:3", "fr-3a:4", "fr-b1:4"),
    },
}


@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_has_the_law_of_a_plain_enumeration(name: str) -> None:
    battle = {"month": "1940-05", "rounds": 2} | BATTLES[name]
    case = read_case(battle)
    plain = Plain(case)
    expected = plain.result()
    cut = sum(f.side == 0 for f in case.fighters)
    assert run_battle(case) == {(x[:cut], x[cut:]): p for x, p in expected.items()}
    answer = odds_case(battle)["outcome"]
    for i, unit in enumerate(answer["units"]):
        assert Fraction(unit["survives"]["p"]) == sum(p for x, p in expected.items() if x[i][0] >= 0), unit["unit"]
        mean = sum((p * max(0, x[i][0]) for x, p in expected.items()), Fraction(0))
        assert unit["mean_steps"] == f"{float(mean):.3f}"
    ends = {"attacker_wins": Fraction(0), "defender_holds": Fraction(0), "undecided": Fraction(0)}
    for x, p in expected.items():
        ends["defender_holds" if plain.gone(x, 0) else "attacker_wins" if plain.gone(x, 1) else "undecided"] += p
    assert {end: Fraction(share["p"]) for end, share in answer["results"].items()} == ends
