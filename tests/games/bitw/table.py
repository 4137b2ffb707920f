"""A small map and small scenarios for rule tests, and positions built from one line of text.

The sketch map, 9 rows of 10 hexes (row-column numbers), west to east Britain, the Channel, France, Belgium, Germany:

    row 1   ~ ~ ~ ~ . . . . . .      Netherlands in the north-west of the continent
    ...
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.games.obeying import obey, why

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules.combat import Combat
from grognard.games.bitw.state import BitwState, put
from grognard.games.bitw.theatre import Theatre, build_theatre
from grognard.games.bitw.world import UNIT_IDS, add_world, make_world, world
from grognard.hexes import board_from_rows
from grognard.kernel import flow

ROWS = """
    . . ~ . . . . . . .
     . . ~ . . f . . . .
    . . ~ . . . h . . .
     . . ~ . . . M . . .
    . . ~ . . . s . . .
     ~ ~ ~ . . . . . . .
    . . ~ . . . . . . .
     . . ~ . . . . . . .
    ~ ~ ~ . . . . . . .
"""
KEY = {".": "clear", "f": "forest", "h": "hills", "M": "mountain", "s": "swamp", "~": "sea"}
COUNTRY = dict.fromkeys((1, 2), "GBR") | dict.fromkeys((4, 5, 6), "FRA") | dict.fromkeys((7, 8, 9, 10), "GER")
CITIES = {
    "0101": ("london", "capital"), "0302": ("dover", "minor"), "0404": ("calais", "minor"),
    "0505": ("paris", "capital"),
    "0806": ("lyon", "major"), "0604": ("bordeaux", "major"), "0309": ("ruhr", "major"), "0510": ("berlin", "capital"),
    "0507": ("metz", "minor"), "0708": ("koln", "minor"), "0105": ("bruxelles", "capital"), "0104": ("gent", "minor"),
    "0206": ("liege", "fortress"), "0702": ("roma", "capital"), "0701": ("milano", "major"),
    "0904": ("cherbourg", "minor"),
    "0908": ("munchen", "major"), "0407": ("la-spezia", "minor"), "0207": ("aachen", "minor"),
    "0802": ("salo", "minor"),
}  # fmt: skip
PORTS = {"0101": "major", "0302": "minor", "0404": "minor", "0604": "major", "0904": "minor"}
RAILS = ["0505 0506 0507 0508 0509 0510", "0505 0504 0404", "0505 0605 0705 0806", "0604 0605",
         "0510 0410 0309 0208 0207",
         "0510 0610 0709 0708", "0105 0104", "0505 0405 0305 0205 0105", "0101 0201 0302", "0105 0206",
         "0510 0909 0908",
         "0702 0701", "0701 0802", "0904 0805 0806"]  # fmt: skip


def sketch() -> Theatre:
    """The board of the rule tests."""
    hexes: dict[str, dict[str, Any]] = {}
    for row in range(1, 10):
        for col in range(1, 11):
            name = f"{row:02d}{col:02d}"
            country = COUNTRY.get(col, "")
            if row <= 2 and col in (4, 5, 6):
                country = "BEL"
            if row in (7, 8) and col in (1, 2):
                country = "ITA"
            if ROWS.split("\n")[row].split()[col - 1] != "~":
                hexes[name] = {"country": country} | ({"region": "great-britain"} if country == "GBR" else {})
    places = {}
    for name, (key, kind) in CITIES.items():
        hexes[name]["city"] = kind
        data: dict[str, Any] = {"name": {"en": key, "fr": key}, "hexes": [name], "class": kind}
        if name in PORTS:
            hexes[name]["port"] = PORTS[name]
            hexes[name]["kind"] = "coast"
            data |= {"port": PORTS[name], "sea": "atlantic"}
        places[key] = data
    places["paris"]["population"] = 3
    places["ruhr"]["population"] = 3
    places["munchen"]["factories"] = [{"colour": "blue", "n": 1, "from": "1939"}]
    places["ruhr"]["factories"] = [{"colour": "red", "n": 1, "from": "1939"}]
    places["london"]["factories"] = [{"colour": "white", "n": 1, "from": "1939"}]
    places["sedan"] = {"name": {"en": "Sedan", "fr": "Sedan"}, "hexes": ["0406"], "class": "site"}
    hexes["0206"] |= {"fort": "fortress", "tags": ["eben-emael"]}
    hexes["0407"] |= {"fort": "bunker"}
    hexes["0507"]["tags"] = ["maginot"]
    hexes["0508"] = hexes["0508"] | {"fort": "siegfried"}
    hexes["0110"]["closed"] = "edge"
    sides = {
        "0507|0508": {"fort": "maginot"},
        "0605|0606": {"river": ["Seine", 1]},
        "0705|0706": {"river": ["Seine", 1]},
    }
    links: dict[str, dict[str, Any]] = {}
    for line in RAILS:
        stops = line.split()
        for a, b in pairwise(stops):
            x, y = sorted((a, b))
            links[f"{x}|{y}"] = {"rail": 1, "far": True}
    links["0302|0404"] = {"arrow": True, "far": True}
    areas = {
        key: {"name": {"en": key, "fr": key}, "kind": "box", "country": land, "port": "major", "sea": "atlantic"}
        for key, land in (("usa", "USA"), ("canada", "CAN"), ("iceland", "ICE"), ("azores", "POR"))
    }
    board = board_from_rows(ROWS, KEY, hexes=hexes, places=places, links=links, sides=sides, areas=areas)
    return build_theatre(board, {"closed": {"countries": ["YUG"]}})


THEATRE = sketch()
COUNTRIES = {"GER": "DE", "FRA": "FR", "GBR": "UK", "BEL": "BE", "ITA": "IT"}


def scenario(**more: Any) -> dict[str, Any]:
    """A scenario document on the sketch, with nobody on the map."""
    table: dict[str, Any] = {
        "id": "test", "title": {"en": "t", "fr": "t"}, "first": "1940-05", "turns": 3, "level": 1, "tier": "basic",
        "setup": [], "control": {"countries": COUNTRIES}, "in_play": ["BE", "NL"],
        "pool": [{"nations": [n], "income": 5} for n in ("DE", "FR", "UK", "US", "IT")],
        "rules": ["maginot", "siegfried", "eben-emael", "open-city", "armistice", "evacuation"],
        "victory": [{"winner": "allies", "level": "marginal", "ways": [[]]}],
    }  # fmt: skip
    return table | more


_count = [0]


def position(units: str = "", *, options: dict[str, str] | None = None, start: bool = False, **more: Any) -> BitwState:
    """A position from lines such as `0507: de-19pz 5, de-12a | 0508: fr-6 3`; steps default to full strength."""
    _count[0] += 1
    name = f"test-{_count[0]}"
    setup = []
    for part in filter(None, (p.strip() for p in units.replace("\n", "|").split("|"))):
        at, _, names = part.partition(":")
        setup.append({"at": at.strip(), "units": [u.strip() for u in names.split(",")]})
    add_world(name, make_world(THEATRE, scenario(setup=setup, **more)))
    game_scenarios = GAME.scenarios
    try:
        GAME.scenarios = (name,)
        s = GAME.setup(name, options or {}, "seed")
    finally:
        GAME.scenarios = game_scenarios
    if not start:
        s.frames[:] = []
        s.waiting = ()
        s.flags[:] = bytearray(len(s.flags))
    return s


def node(name: str) -> int:
    """A node of the sketch."""
    return THEATRE.find(name)


def u(name: str) -> int:
    """A unit."""
    return UNIT_IDS[name]


def battle(s: BitwState, at: str, attacker: int = 0, dice: tuple[int, ...] = ()) -> Combat:
    """Open a combat in a hex with loaded dice, up to its first decision."""
    c = Combat(hex=node(at), attacker=attacker)
    s.frames.append(c)
    s.loaded = dice
    s.events = []
    flow.run(GAME.tables, s)
    return c


def rolls(s: BitwState) -> list[tuple[str, tuple[int, ...]]]:
    """The dice that were rolled, with their rules."""
    return [(e.rule, e.data["dice"]) for e in s.events or [] if e.kind == "roll"]


def fires(s: BitwState) -> list[tuple[str, int, int]]:
    """Who fired: unit, dice, face."""
    return [(e.data["unit"], len(e.data["dice"]), e.data["face"]) for e in s.events or [] if e.kind == "fire"]


def refusal(s: BitwState, side: int, verb: str, target: str = "") -> str | None:
    """The rule that forbids an action now, or None if it is legal."""
    found = why(GAME, s, side, (verb, target))
    return None if found is None else found.rule


def refused(s: BitwState, side: int, verb: str, noun: int) -> str | None:
    """The same for a noun that the side has no word for, such as an enemy block."""
    found = GAME.explain(s, side, (verb, noun))
    return None if found is None else found.rule


def act(s: BitwState, side: int, verb: str, target: str = "") -> None:
    """Carry out an action."""
    obey(GAME, s, side, (verb, target))


def go_to(s: BitwState, label: str, side: int) -> None:
    """Say `done` until the player turn of a side stands at a row."""
    for _ in range(300):
        frames = {f.sequence_name: f for f in s.frames}
        turn = frames.get("player_turn")
        if turn is not None and turn.side == side and turn.at() == label and s.frames[-1] is turn:
            return
        who = s.waiting[0]
        legal = GAME.orders(s, who)
        quiet = [a for a in legal if a[0] in ("done", "stay", "fight-on", "refuse", "halt")]
        GAME.obey(s, who, quiet[0] if quiet else legal[0])
    raise AssertionError(f"never came to {label}")


def set_out(s: BitwState, unit: str, at: str) -> None:
    """Put a unit somewhere, whatever the rules say."""
    put(s, u(unit), node(at))


def theatre_of(s: BitwState) -> Theatre:
    """The theatre of a position."""
    return world(s).theatre
