"""Overruns, assaults, and infantry against armour."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, question
from grognard.games.blitzkrieg.loading import CHARTS, SIZES, Team, Vehicle
from grognard.kernel import No, Tally, no, rule

from .fire import HALF_GROUPS
from .parties import BUILDING, BUNKER, TRENCH, Target
from .quality import QUALITY

RUN, CLOSE, ROW = CHARTS["overrun"], CHARTS["close"], CHARTS["tank_assault"]
HEAVIES = ("tank", "assault-gun", "tank-destroyer", "spg", "aa")  # O-25
SOFT_ATTACKER = no("214a", "soft-overruns")
NOT_SO_HEAVY = no("214d", "cannot-crush-vehicle")
CONTINUOUS = no("214f", "target-in-motion")
TOO_SMALL = no("214g", "too-small-for-gun")
NO_MOLOTOV = no("215b", "no-molotov")
IMMUNE = no("215e", "target-in-motion")
NOT_ARMOUR = no("base-infantry-v-armour", "not-armour")


@question
@rule("214g")
def may_crush(book: Book, size: str, crush: str) -> bool:
    """Without proposal 214 any vehicle crushes any gun."""
    return True


@rule("214a", "214d", "214e", "214f")
def why_no_overrun(book: Book, vehicle: Vehicle, target: Target) -> No | None:
    """214: who may run over whom."""
    if vehicle.is_soft:
        return SOFT_ATTACKER
    if target.kind == "vehicle":
        light = target.vehicle.type == "light-vehicle"
        heavy = light or target.vehicle.type in ("light-truck", "heavy-truck")
        if not (vehicle.type in HEAVIES and heavy) and not (vehicle.type == "halftrack" and light):
            return NOT_SO_HEAVY
        return CONTINUOUS if target.continuous else None
    if target.kind == "gun" and not may_crush(book, vehicle.size, target.gun.crush):
        return TOO_SMALL
    return None


@rule("214a", "214b")
def overrun_number(target: Target) -> int:
    """214a: 3 against a unit in the open, 5 in any cover."""
    return int(RUN["cover"] if target.shelter else RUN["open"])


def at_least(size: str, other: str) -> bool:
    """Sizes in their order (A-56)."""
    return SIZES.index(size) >= SIZES.index(other)


# Infantry against infantry


@question
def half_group_modifier(book: Book, team: Team) -> int:
    """Without proposal 001 the half-groups of the roster are groups (O-01)."""
    return int(CLOSE["weak"]) if team.sort == "half" and team.id not in HALF_GROUPS else 0


@rule("base-close-combat", "base-quality")
def melee_lines(book: Book, team: Team, quality: int, demoralised: bool, extra: int, cover: int | None) -> Tally:
    """Base-close-combat: quality, weapon, friends in contact, shelter of a defender (`cover`), state, weak teams."""
    tally = Tally()
    tally.add("base-quality", QUALITY["close"][quality])
    tally.add("base-close-combat", team.close)
    tally.add("base-close-combat", min(extra, CLOSE["extra"]))
    if cover in (BUILDING, TRENCH, BUNKER):
        tally.add("base-close-combat", CLOSE["shelter"])
    tally.add("base-close-combat", CLOSE["demoralised"] if demoralised else 0)
    weak = CLOSE["weak"] if team.sort in ("mg", "at") else half_group_modifier(book, team)
    tally.add("base-close-combat", weak)
    return tally


@rule("base-close-combat")
def melee_result(attack: int, defence: int) -> str:
    """Base-close-combat: ahead by three eliminates, by one or two demoralises; level ends in a fall-back."""
    ahead = attack - defence
    if ahead >= CLOSE["rout"]:
        return "defender_eliminated"
    if ahead > 0:
        return "defender_demoralised"
    if ahead == 0:
        return "tie"
    return "attacker_demoralised" if ahead > -CLOSE["rout"] else "attacker_eliminated"


# Infantry against armour


def assault_row(team: Team, weapon: str) -> str:
    """The row of the table: the weapon, else the kind of team."""
    if weapon:
        return weapon
    if team.id == "pioneer_ft":
        return "flame"
    return "assault" if team.id in ("smg", "assault", "scout") else "infantry"


@question
def row_number(book: Book, row: str) -> int:
    """The numbers without proposal 215 (O-26)."""
    return int(CHARTS["off"]["215"][row])


@question
def early_modifier(book: Book, year: int) -> int:
    """Without proposal 215 the first years count like the others."""
    return 0


@question
def only_immobilises(book: Book, row: str) -> bool:
    """Without proposal 215 an assault in opportunity destroys like any other."""
    return False


@question
@rule("215e")
def why_no_tank_assault(book: Book, row: str, target: Target) -> No | None:
    """Without proposal 215 a vehicle in continuous movement is immune, and there are Molotov cocktails."""
    if not target.is_armoured:
        return NOT_ARMOUR
    return IMMUNE if target.continuous else None


@rule("base-infantry-v-armour")
def needs_test(row: str) -> bool:
    """215b: charges, mines and flame need no experience test."""
    return row not in ("charge", "magnetic", "flame")


@rule("215d", "224d")
def tank_assault_lines(target: Target) -> Tally:
    """215d: a moving target is harder, an immobilised or open one easier; 224d a dug-in tank is immobilised."""
    tally = Tally()
    tally.add("215d", ROW["moving"] if target.is_moving else 0)
    tally.add("224d" if target.dug_in else "215d", ROW["immobilised"] if target.immobilised or target.dug_in else 0)
    tally.add("215d", ROW["open_top"] if "open-top" in target.vehicle.traits else 0)
    return tally
