"""Combat cases: what the modifiers of one combat depend on, as small frozen values.

The game builds a case from its state, the odds book from a description; the arithmetic never knows which.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ATTACKER = "attacker"
DEFENDER = "defender"
ROLES = (ATTACKER, DEFENDER)

MISSIONS = (
    "air_strike", "ground_support", "escort", "interdiction_invasion", "interdiction_bombing",
    "interdiction_naval", "interdiction_supply",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rulings:
    """Doubtful lines of the sheet as switches, each with our reading as its default (docs/decisions)."""

    extra_armour_poor: int = 2  # an extra tank or shock attacker in poor weather
    port_lines: str = "line"  # Axis port lines count once per "line" or once per "zone"
    carrier_flies: bool = False  # does a carrier have the +1 of aircraft against ships?
    blocked_dd: str = "eliminated"  # a full unit under DD that cannot retreat: "eliminated" or "reduced"


@dataclass(frozen=True, slots=True)
class Marker:
    """An event marker as one combat sees it, listed with the side whose die it changes."""

    name: str
    drm: int = 0
    halve: bool = False
    bridges: bool = False  # cancels the river or canal line (airdrop)


@dataclass(frozen=True, slots=True)
class Army:
    """A ground unit in a combat."""

    nation: str
    type: str
    elite: bool = False
    reduced: bool = False
    supply: str = "full"


@dataclass(frozen=True, slots=True)
class Wing:
    """An air or naval unit in a combat."""

    nation: str
    type: str
    faction: str
    supply: str = "full"
    sorties: int = 0
    in_england: bool = False

    @property
    def flies(self) -> bool:
        """R-12: fighters and bombers are air units; warships, carriers and convoys are naval units."""
        return self.type in ("fighter", "bomber")


@dataclass(frozen=True, slots=True)
class GroundCase:
    """A mobile attack, an assault or an amphibious invasion."""

    action: str
    attacker: Army
    defender: Army
    weather: str = "good"
    city: bool = False
    difficult: bool = False
    fort: bool = False
    island: bool = False
    coastal: bool = False
    hexside: str = "none"
    additional: tuple[Army, ...] = ()
    isolated: bool = False
    can_retreat: bool = True
    naval_support: bool = False
    air_attacker: bool = False
    air_defender: bool = False
    events: dict[str, tuple[Marker, ...]] = field(default_factory=dict)
    rulings: Rulings = Rulings()

    def unit(self, role: str) -> Army:
        """The principal unit of a side."""
        return self.attacker if role == ATTACKER else self.defender


@dataclass(frozen=True, slots=True)
class AirCase:
    """A fight between two air or naval units."""

    mission: str
    attacker: Wing
    defender: Wing
    weather: str = "good"
    maritime: bool = False
    events: dict[str, tuple[Marker, ...]] = field(default_factory=dict)
    rulings: Rulings = Rulings()

    def unit(self, role: str) -> Wing:
        """The unit of a side."""
        return self.attacker if role == ATTACKER else self.defender


@dataclass(frozen=True, slots=True)
class StrategicCase:
    """The month's strategic combat of the Axis against one Allied faction."""

    versus: str
    axis_port_zones: frozenset[int] = frozenset()
    usa_western: bool = False
    western_in_13: bool = False
    soviet_air_in_13: bool = False
    conquered_allied: int = 0
    bombed_german_factories: int = 0
    events: dict[str, tuple[Marker, ...]] = field(default_factory=dict)
    rulings: Rulings = Rulings()


Case = GroundCase | AirCase | StrategicCase
