"""The end of a move: which way a unit faces, and what a turn costs."""

from __future__ import annotations

from grognard.games.blitzkrieg.frames import CHARGE, OVERRUN, REVERSE, TURN, Moving
from grognard.games.blitzkrieg.loading import Gun, Team
from grognard.games.blitzkrieg.state import FACING, PIVOTED, STUCK, Position, has, raise_flag, stands
from grognard.games.blitzkrieg.world import BASE_OF, IS_VEHICLE, MODEL_OF, SIDE_OF, world
from grognard.kernel import Decision, No, Side, no, rule
from grognard.tabletop.measure import AROUND, Base, turn_between
from grognard.tabletop.paths import PER_CM

from .ground import bodies
from .losses import show
from .movement import NO_ROOM
from .riding import follow

FREE_TURN, QUARTER = 1, 4
TURNS_TOO_FAR = no("base-vehicle-move", "turns-too-far")


def has_front(s: Position, c: Moving) -> bool:
    """Vehicles, guns and machine guns choose a facing at the end of a move."""
    model = MODEL_OF[c.unit]
    front = not isinstance(model, Team) or model.sort == "mg"
    free = stands(s, c.unit) and not c.stopped and s.at[c.unit] > 0 and not has(s, c.unit, STUCK)
    return front and free and c.mode not in (REVERSE, CHARGE, OVERRUN) and not c.faced


def _others(s: Position, unit: int) -> list[tuple[Base, int, int]]:
    """The bases around a vehicle, for its turns; none for who turns freely."""
    if not IS_VEHICLE[unit]:
        return []
    return [(BASE_OF[u], s.at[u], s.facing[u]) for u in bodies(s, SIDE_OF[unit], unit)]


@rule("base-vehicle-move", "base-arcs")
class Face(Decision):
    """B-08: at the end a unit turns as far as what is left of its move pays for; the facing of arrival is free."""

    verbs = {"face": FACING}

    def needed(self, s: Position, c: Moving, side: Side) -> bool:
        """Once."""
        return has_front(s, c)

    def nouns(self, s: Position, c: Moving, side: Side, verb: str) -> range:
        """All facings."""
        return range(AROUND)

    def legal_nouns(self, s: Position, c: Moving, side: Side, verb: str) -> list[int]:
        """The same as asking for each, with who stands around looked for once."""
        others = _others(s, c.unit)
        return [facing for facing in range(AROUND) if self._why_not(s, c, facing, others) is None]

    def why_not(self, s: Position, c: Moving, side: Side, verb: str, noun: int) -> No | None:
        """A hull pays 5 cm for a quarter turn and needs room for its base; men and guns turn freely."""
        return self._why_not(s, c, noun, _others(s, c.unit))

    def _why_not(self, s: Position, c: Moving, noun: int, others: list[tuple[Base, int, int]]) -> No | None:
        unit = c.unit
        if IS_VEHICLE[unit]:
            turn = turn_between(s.facing[unit], noun)
            cost = 0 if turn <= FREE_TURN else 5 if turn <= QUARTER else 10
            if c.mode != TURN and cost * PER_CM > c.left:
                return TURNS_TOO_FAR
            if noun != s.facing[unit] and not world(s).bases.fits(BASE_OF[unit], s.at[unit], noun, others):
                return NO_ROOM
        return None

    def apply(self, s: Position, c: Moving, side: Side, verb: str, noun: int) -> None:
        """It turns; on the spot that counts as a pivot."""
        unit = c.unit
        c.faced = 1
        if c.mode == TURN and noun != s.facing[unit]:
            raise_flag(s, unit, PIVOTED)
            show(s, unit)
        s.turret[unit] = (s.turret[unit] + noun - s.facing[unit]) % AROUND
        s.facing[unit] = noun
        follow(s, unit)
        if MODEL_OF[unit].kind != "vehicle" or isinstance(MODEL_OF[unit], Gun):
            s.turret[unit] = noun
