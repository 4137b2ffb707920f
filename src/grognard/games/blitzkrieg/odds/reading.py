"""A case typed by hand: its words read and checked; what is wrong is refused with a rule."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.laws.parties import COVERS, FACES, OPEN, Firer, Target
from grognard.games.blitzkrieg.loading import GUNS, MODELS, QUALITIES, VEHICLES, Gun, Model, Team, Vehicle
from grognard.games.blitzkrieg.switches import DEFAULTS, NAMES

INPUT = "input"
FREE = ("id", "name", "title", "note", "comment")
MOST_CM = 300
YEARS = (1939, 1945)


class CaseError(ValueError):
    """A case that is refused: by `input` where it cannot be understood, else by a rule."""

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(what)
        self.rule, self.what = rule, what


class Words:
    """An object of a case: every word is asked for by name, and none may be left over."""

    def __init__(self, data: Any, where: str, free: Collection[str] = (), later: list[CaseError] | None = None) -> None:
        if not isinstance(data, dict):
            raise CaseError(INPUT, f"{where}: an object is wanted")
        self.data = {key: value for key, value in data.items() if value is not None}
        self.where, self.asked = where, set(free)
        self.later: list[CaseError] = [] if later is None else later

    def _take(self, key: str) -> Any:
        self.asked.add(key)
        return self.data.get(key)

    def has(self, key: str) -> bool:
        """True if the word is given."""
        return key in self.data

    def word(self, key: str, known: Collection[str], default: str | None = None) -> str:
        """One of some words."""
        value = self._take(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or value not in known:
            raise CaseError(INPUT, f"{self.where}.{key}: {value!r} is not one of {', '.join(list(known)[:12])}")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._take(key)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise CaseError(INPUT, f"{self.where}.{key}: true or false is wanted")
        return value

    def truth(self, key: str, default: bool) -> bool:
        """A flag with a default."""
        return self.flag(key) if self.has(key) else (self._take(key) or default)

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number."""
        value = self._take(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise CaseError(INPUT, f"{self.where}.{key}: a whole number from {low} to {high} is wanted")
        return value

    def inner(self, key: str) -> Words:
        """An object within."""
        if not self.has(key):
            raise CaseError(INPUT, f"{self.where}.{key} is missing")
        return Words(self._take(key), key, (), self.later)

    def rows(self, key: str) -> list[Any]:
        """A list, empty if it is not given."""
        value = self._take(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise CaseError(INPUT, f"{self.where}.{key}: a list is wanted")
        return value

    def quality(self) -> int:
        """The quality, regular unless told."""
        return QUALITIES.index(self.word("quality", QUALITIES, "regular"))

    def shaken(self) -> bool:
        """The state."""
        return self.word("state", ("good", "demoralised"), "good") == "demoralised"

    def objects(self, key: str) -> list[Words]:
        """A list of objects."""
        return [Words(entry, key, (), self.later) for entry in self.rows(key)]

    def refuse(self, rule: str, what: str) -> None:
        """A rule refuses; said by `settle` after all words have been looked at."""
        self.later.append(CaseError(rule, what))

    def settle(self) -> None:
        """Refuse what the rules refuse."""
        if self.later:
            raise self.later[0]

    def done(self) -> None:
        """Nothing may be left over."""
        left = sorted(set(self.data) - self.asked)
        if left:
            raise CaseError(INPUT, f"{self.where}: unknown word {left[0]!r}")


def read_book(case: Words) -> Book:
    """The proposals and options of a case."""
    on = set(DEFAULTS)
    if case.has("proposals"):
        switches = case.inner("proposals")
        given = {key: switches.rows(key) for key in ("on", "off")}
        switches.done()
        for ids in given.values():
            if not all(isinstance(name, str) for name in ids):
                raise CaseError(INPUT, "proposals: ids are words")
            for name in ids:
                if name not in NAMES:
                    raise CaseError("base-toggle", f"there is no proposal {name}")
        both = set(given["on"]) & set(given["off"])
        if both:
            raise CaseError("base-toggle", f"{sorted(both)[0]} is on and off")
        on = (on | set(given["on"])) - set(given["off"])
    options = case.inner("options") if case.has("options") else Words({}, "options")
    case.asked |= {"proposals", "options"}
    destruction = options.word("destruction", ("1d6", "2d6"), "1d6")
    twice = options.word("twice", ("retreat", "eliminated", "nothing"), "retreat")
    double, per_gun = options.truth("narrow_double", True), options.flag("per_gun")
    options.done()
    return Book(frozenset(on), destruction, twice, double, per_gun)


def read_model(words: Words, known: Collection[str], key: str = "unit") -> Model:
    """A model by its id."""
    return MODELS[words.word(key, known)]


def need_recoilless(book: Book, words: Words, model: Model) -> None:
    """110 Recoilless guns exist with their proposal only."""
    if isinstance(model, Gun) and model.category == "recoilless" and not book.has("110"):
        words.refuse("110", "recoilless guns need proposal 110")


def read_passengers(words: Words) -> tuple[tuple[int, bool], ...]:
    """Who rides."""
    found = []
    for inner in words.objects("passengers"):
        found.append((inner.quality(), inner.shaken()))
        inner.done()
    return tuple(found)


def read_target(book: Book, words: Words) -> Target:
    """A target; camouflage and the like are for the kind of fire to judge."""
    kind = words.word("type", ("infantry", "gun", "vehicle"))
    if kind == "vehicle":
        return _vehicle_target(book, words)
    if kind == "gun":
        model = read_model(words, GUNS)
        need = (words.quality(), words.shaken(), COVERS.index(words.word("cover", COVERS, "open")))
        target = Target(model, *need, words.flag("moving"), shield=words.flag("shield"))
        words.done()
        need_recoilless(book, words, model)
        return target
    target = Target(None, words.quality(), words.shaken(), COVERS.index(words.word("cover", COVERS, "open")))
    target.moving, target.crawling, target.dug_in = words.flag("moving"), words.flag("crawling"), words.flag("dug_in")
    observer = words.word("observer", ("camouflaged", "detected"), "") if words.has("observer") else ""
    target.camouflaged = observer == "camouflaged"
    words.done()
    if target.crawling and (target.cover != OPEN or target.moving):
        raise CaseError(INPUT, "crawling: in the open and not moving only")
    if target.dug_in and (target.cover != OPEN or target.moving):
        raise CaseError(INPUT, "dug_in: in the open and still only")
    if target.crawling and not book.has("101"):
        words.refuse("101c", "nobody crawls without proposal 101")
    if target.dug_in and not book.has("111"):
        words.refuse("111a", "nobody digs in without proposal 111")
    return target


def _vehicle_target(book: Book, words: Words) -> Target:
    model = VEHICLES[words.word("unit", VEHICLES)]
    target = Target(model, words.quality(), cover=COVERS.index(words.word("cover", COVERS[:3], "open")))
    target.moved, target.continuous = words.number("moved", 0, MOST_CM, 0), words.flag("continuous")
    target.immobilised = words.flag("immobilised")
    crew = words.word("crew", ("closed", "out"), "") if words.has("crew") else ""
    target.lost = words.flag("commander_lost")
    target.face = FACES.index(words.word("facing", FACES, "front"))
    target.hull_down, target.dug_in = words.flag("hull_down"), words.flag("dug_in")
    target.passengers = read_passengers(words)
    words.done()
    if target.immobilised and (target.moved or target.continuous):
        raise CaseError(INPUT, "immobilised and moving do not go together")
    if target.dug_in and (target.moved or target.continuous or model.is_soft):
        raise CaseError(INPUT, "dug_in: a still armoured vehicle only")
    target.out = crew_of(book, words, model, crew, target.lost)
    if target.dug_in and not book.has("224"):
        words.refuse("224a", "no tank is dug in without proposal 224")
    return target


def crew_of(book: Book, words: Words, model: Vehicle, crew: str, lost: bool) -> bool:
    """Whether the commander looks out; what does not go together is refused."""
    if crew == "closed" and model.is_open:
        words.refuse("base-commander-out", "an open vehicle is never closed")
    if lost and (not book.has("216") or crew == "out"):
        words.refuse("216b", "a lost commander: with proposal 216, and closed")
    return crew == "out"


def read_dice_firer(book: Book, words: Words) -> tuple[Firer, str]:
    """Who fires dice, and with what: team, mg, 20mm, flame."""
    model = read_model(words, MODELS)
    if isinstance(model, Team):
        firer = Firer(model, moved=words.number("moved", 0, MOST_CM, 0), crawl=words.flag("crawl"))
        firer.relay, firer.suppressed, firer.demoralised = words.flag("relay"), words.flag("suppressed"), words.shaken()
        words.done()
        return firer, "team"
    if isinstance(model, Gun):
        words.word("weapon", ("20mm",), "20mm")
        firer = Firer(model, model.weapon, moved=words.number("moved", 0, MOST_CM, 0))
        firer.suppressed, firer.demoralised = words.flag("suppressed"), words.shaken()
        words.done()
        need_recoilless(book, words, model)
        return firer, "20mm"
    weapon = words.word("weapon", ("mg", "20mm", "flame"), "mg")
    firer = Firer(model, moved=words.number("moved", 0, MOST_CM, 0))
    crew = words.word("crew", ("closed", "out"), "") if words.has("crew") else ""
    firer.lost, firer.demoralised = words.flag("commander_lost"), words.shaken()
    has_mgs = [mg for mg in ("hull", "coax", "aa") if getattr(model, mg)]
    given = words.rows("mgs") if words.has("mgs") else [mg for mg in has_mgs if mg != "aa"]
    words.asked.add("mgs")
    words.done()
    if words.has("mgs") and weapon != "mg":
        raise CaseError(INPUT, "mgs: with weapon mg only")
    if weapon == "mg":
        if not given or any(mg not in has_mgs for mg in given) or len(set(given)) < len(given):
            raise CaseError(INPUT, "mgs: some that the vehicle has")
        firer.mgs = tuple(given)
    firer.out = crew_of(book, words, model, crew, firer.lost)
    return firer, weapon
