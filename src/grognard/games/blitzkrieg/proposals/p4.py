"""401-417 Guns on the table."""

from __future__ import annotations

from grognard.games.blitzkrieg.doors import Book, adds, answers
from grognard.games.blitzkrieg.laws import barrage, destruction, detect, shot
from grognard.games.blitzkrieg.laws.parties import Shot, is_roofed
from grognard.games.blitzkrieg.loading import CHARTS, ROCKETS, Gun, Vehicle, Weapon
from grognard.games.blitzkrieg.rules import artillery, indirect, reaction, transport, walking
from grognard.games.blitzkrieg.state import ENTRENCHED, Position, has
from grognard.games.blitzkrieg.world import MODEL_OF, NATION_OF, world
from grognard.kernel import No, Tally, rule

MODS, TOWING = CHARTS["to_hit_modifiers"], CHARTS["towing"]


@answers(shot.gun_class, "401")
@rule("401a")
def gun_sizes(book: Book, gun: Gun) -> int:
    """401a Small, medium and large guns."""
    return int(MODS["gun_size"][gun.size])


@answers(detect.large_is_hard, "401")
@rule("401b")
def large_guns_are_seen(book: Book) -> bool:
    """401b Large guns are seen like vehicles."""
    return True


@answers(shot.hitched_may_fire, "404")
@rule("404")
def hitched_flak(book: Book) -> bool:
    """404 The 88 mm Flak fires hitched."""
    return True


@answers(shot.gun_cover_modifier, "405")
@rule("405")
def guns_in_cover(book: Book, gun: Gun) -> tuple[str, int]:
    """405 Every gun in cover is hit at -2."""
    return "405", int(MODS["gun_cover"])


@adds(shot.to_hit_lines, "406")
@rule("406b")
def direct_rockets(book: Book, tally: Tally, fired: Shot) -> None:
    """406b Rockets fired direct are inaccurate."""
    if fired.weapon.id in ROCKETS:
        tally.add("406b", MODS["rockets"])


@answers(destruction.he_number, "407")
@rule("407a")
def he_in_houses(book: Book, cover: int) -> int:
    """407a Direct HE hits on 5+ in heavy cover too."""
    return int(CHARTS["direct_he"]["cover" if cover else "open"])


@answers(walking.gun_moves, "402")
@rule("402a", "402b", "base-gun-move")
def moved_by_hand(book: Book, gun: Gun) -> tuple[int, int]:
    """402a All anti-tank guns are moved by their crews; 402b light howitzers like 50 mm guns."""
    return gun.hand, gun.hand_road


@answers(walking.packs, "402")
@rule("402e")
def carried_in_pieces(book: Book, gun: Gun) -> bool:
    """402e Guns that men or mules carry in pieces count as infantry for the ground."""
    return gun.id in CHARTS["pack"]["guns"]


@answers(walking.houses_for, "402")
@rule("402c")
def pushed_into_houses(book: Book, gun: Gun) -> tuple[str, ...]:
    """402c Light guns, up to 50 mm, and light howitzers are pushed into a building in play; no others."""
    return ("building",) if gun.building == "enter" else ()


@answers(walking.stays_put, "402")
@rule("402d")
def stays_in_its_house(book: Book, s: Position, unit: int) -> bool:
    """402d Other guns may begin the scenario in a building or an entrenchment; then they move no more."""
    gun = MODEL_OF[unit]
    if not isinstance(gun, Gun) or gun.is_mortar or gun.building == "enter":
        return False
    return has(s, unit, ENTRENCHED) or world(s).table.kind[s.at[unit]] == "building"


@answers(transport.hitch_share, "403")
@rule("403b")
def half_or_all(book: Book, gun: Gun) -> int:
    """403b Half the move of the tractor; all of it above 80 mm or on a mount that turns all round."""
    heavy = gun.weapon.calibre > int(TOWING["heavy_calibre"]) or gun.mount
    return int(TOWING["heavy_share"] if heavy else TOWING["share"])


@answers(transport.may_fire_and_hitch, "403")
@rule("403c", "403d")
def fire_around(book: Book) -> bool:
    """403c A gun fires before it is hitched, 403d and after it is unhitched."""
    return True


@answers(walking.tow_slows, "403")
@rule("403e")
def slower_with_a_gun(book: Book) -> int:
    """403e A gun behind it costs a vehicle 10 cm."""
    return int(TOWING["slower"])


# Indirect fire


@answers(barrage.deviates, "408")
@rule("408b")
def rockets_stray(book: Book) -> bool:
    """408b Each rocket is on the aiming point on 1 or 2 only."""
    return True


@answers(barrage.no_russian_mortars, "409")
@rule("409e")
def no_mortar_radio(book: Book) -> bool:
    """409e Soviet mortars on the table are not guided by radio."""
    return True


@answers(barrage.why_not_category, "410")
@rule("410a")
def who_fires_indirect(book: Book, model: Gun | Vehicle) -> No | None:
    """410a Mortars, howitzers, field and infantry guns, self-propelled guns and rockets only."""
    fits = model.category in barrage.INDIRECT if isinstance(model, Gun) else model.type in barrage.INDIRECT_VEHICLES
    return None if fits else barrage.NOT_INDIRECT


@answers(barrage.minimum, "413")
@rule("413")
def minimum_range(book: Book, weapon: Weapon) -> int:
    """413 10 cm for light mortars, 20 for 81 mm, 60 for the rest."""
    table = CHARTS["minimum"]
    return int(table.get(weapon.id, table["other"]))


@answers(barrage.is_ranged, "416")
@rule("416a")
def ranged_like_others(book: Book) -> bool:
    """416a Pieces on the table range like batteries off it."""
    return True


@answers(barrage.effect_on_men, "417")
@rule("417b", "417c", "417d")
def effect_of_indirect(book: Book, he: int, cover: int) -> tuple[int, int]:
    """417c 5+, under a roof 6 with a die less, 417d in a bunker three less."""
    table = barrage.BARRAGE
    number = int(table["roofed"] if is_roofed(cover) else table["hit"])
    return max(0, he - barrage.reduced(cover)), number


@answers(artillery.may_observe, "415")
@rule("415a", "415b", "409a")
def who_has_a_radio(book: Book, unit: int) -> bool:
    """415a Only observers have a radio; 415b American commanders too (409a)."""
    name = MODEL_OF[unit].id
    return name == "observer" or (name in ("command", "seccmd") and NATION_OF[unit] == "US")


@answers(artillery.may_join, "409")
@rule("409b")
def time_on_target(book: Book, nation: str) -> bool:
    """409b The Americans fire two batteries at once."""
    return nation == "US"


@answers(indirect.needs_wire, "409")
@rule("409e", "414c")
def no_soviet_radio(book: Book, unit: int) -> bool:
    """409e Soviet observers have a radio for artillery off the table only (A-53)."""
    return NATION_OF[unit] == "SU"


@answers(indirect.may_hurry, "412")
@rule("412b")
def back_into_battery(book: Book) -> bool:
    """412b A piece that moved needs a whole turn to go back into battery."""
    return False


@answers(indirect.may_guide, "414")
@rule("414a", "409a", "415b")
def who_guides(book: Book, s: Position, unit: int, piece: int) -> bool:
    """414a The observer; 409a American commanders for 60 mm mortars."""
    if MODEL_OF[unit].id == "observer":
        return True
    weapon = indirect.piece_weapon(piece)
    return artillery.may_observe(book, unit) and NATION_OF[unit] == "US" and weapon is not None and weapon.id == "m60"


@answers(artillery.one_fire_each, "414")
@rule("414b")
def one_fire(book: Book) -> bool:
    """414b An observer guides one fire at a time."""
    return True


@answers(indirect.runs_short, "417")
@rule("417e")
def shells_run_out(book: Book, s: Position, unit: int) -> bool:
    """417e A coloured 1, then 1 or 2."""
    return indirect.coloured_then(s, unit)


@answers(reaction.indirect_reaction, "411")
@rule("411")
def no_indirect_reaction(book: Book, s: Position, unit: int, mover: int) -> bool:
    """411 Indirect fire is no opportunity fire."""
    return False
