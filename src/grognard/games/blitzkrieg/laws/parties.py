"""Who fires and who is fired at, as the laws need to know them: made from a position, or from a case typed by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from grognard.games.blitzkrieg.loading import Gun, Model, Team, Vehicle, Weapon

COVERS = ("open", "light", "heavy", "building", "ruins", "entrenchment", "bunker")  # base-cover-levels
OPEN, LIGHT, HEAVY, BUILDING, RUINS, TRENCH, BUNKER = range(len(COVERS))
FACES = ("front", "side", "rear")  # base-facing
FRONT, FLANK, REAR = range(3)
REGULAR = 1


def is_roofed(cover: int) -> bool:
    """Building, ruins, entrenchment or bunker: what blunts indirect fire (417)."""
    return cover >= BUILDING


@dataclass(slots=True)
class Target:
    """Somebody who may be hit. `moved` is in centimetres, this turn."""

    model: Model | None  # None for infantry of no particular model
    quality: int = REGULAR
    demoralised: bool = False
    cover: int = OPEN
    moving: bool = False
    moved: int = 0
    continuous: bool = False
    immobilised: bool = False
    out: bool = False  # the commander looks out
    lost: bool = False  # the commander is lost (216)
    face: int = FRONT
    hull_down: bool = False
    dug_in: bool = False
    crawling: bool = False
    shield: bool = False
    camouflaged: bool = False
    passengers: tuple[tuple[int, bool], ...] = ()  # quality, demoralised

    @property
    def kind(self) -> str:
        """Infantry, gun or vehicle."""
        return self.model.kind if self.model is not None else "infantry"

    @property
    def vehicle(self) -> Vehicle:
        """The model of a vehicle."""
        assert isinstance(self.model, Vehicle)
        return self.model

    @property
    def gun(self) -> Gun:
        """The model of a gun."""
        assert isinstance(self.model, Gun)
        return self.model

    @property
    def is_moving(self) -> bool:
        """Moved this turn, or in continuous movement (213)."""
        return self.moving or self.moved > 0 or self.continuous

    @property
    def shelter(self) -> int:
        """The cover that counts: infantry that has dug in is in light cover (111a)."""
        return LIGHT if self.dug_in and self.cover == OPEN and self.kind == "infantry" else self.cover

    @property
    def is_armoured(self) -> bool:
        """A vehicle with armour."""
        return isinstance(self.model, Vehicle) and not self.model.is_soft

    @property
    def is_closed(self) -> bool:
        """A roofed armoured vehicle with nobody looking out (base-commander-out)."""
        return isinstance(self.model, Vehicle) and not self.model.is_open and not self.out


@dataclass(slots=True)
class Firer:
    """Somebody who fires."""

    model: Model
    weapon: Weapon | None = None
    stance: str = "still"  # still, traverse, pivot, moving, unhitched, hitched
    quality: int = REGULAR
    demoralised: bool = False
    suppressed: bool = False
    moved: int = 0
    crawl: bool = False
    relay: bool = False
    out: bool = False
    lost: bool = False
    second: bool = False
    later: bool = False
    spotted: bool = False  # a sniper who fires like others (701d)
    rockets: int = 1
    aboard: bool = False  # fires from a half-track or a carrier (base-transport)
    above: str = "none"  # none, hill, floor2
    mgs: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Infantry, gun or vehicle."""
        return self.model.kind

    @property
    def vehicle(self) -> Vehicle:
        """The model of a vehicle."""
        assert isinstance(self.model, Vehicle)
        return self.model

    @property
    def team(self) -> Team:
        """The model of a team."""
        assert isinstance(self.model, Team)
        return self.model

    @property
    def is_closed(self) -> bool:
        """A roofed armoured vehicle with nobody looking out."""
        return isinstance(self.model, Vehicle) and not self.model.is_open and not self.out

    @property
    def first_gun(self) -> bool:
        """The gun in the turret, of those that have two (A-57)."""
        return not isinstance(self.model, Vehicle) or not self.model.guns or self.weapon == self.model.guns[0]


@dataclass(slots=True)
class Shot:
    """A 2D6 shot: who at whom, how far, with what."""

    firer: Firer
    target: Target
    cm: int
    ammo: str = "AP"  # AP, HE, HEAT, APCR, APDS
    low: bool = False  # aimed at the tracks (212)
    reaction: str = "none"  # none, opportunity, overrun, close
    already: bool = False
    outside_arc: bool = False
    others: tuple[Target, ...] = field(default=())
    year: int = 1944

    @property
    def weapon(self) -> Weapon:
        """What fires."""
        assert self.firer.weapon is not None
        return self.firer.weapon
