"""A game on one hex map, with the wiring that such games have in common and a picture for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from grognard.hexes import draw_with_letters
from grognard.kernel import SPECTATOR, Action, Game, Side
from grognard.kernel.fog import HiddenUnits
from grognard.kernel.stacks import place, stacking_problems

from .armies import HEX, UNIT, Armies, sides_in, stack_of

A = TypeVar("A", bound=Armies)
Say = Callable[..., str]


class MapGame(Game[A]):
    """A game whose units stand on the map of its `Armies`. The attributes say what else is on the map and the units."""

    kinds = {"hex": HEX, "unit": UNIT}
    faces: Sequence[dict[str, Any]] = ()  # what is printed on each unit besides its side; `full` is its steps
    setups: Mapping[str, Mapping[str, Any]]  # the scenarios, as `DataFiles.scenarios` reads them
    sizes: Mapping[str, int] = {}  # columns per anything but units, memory, hexes and places
    stacking: int = 0  # most units of a side in a hex; 0: no limit that always holds
    signs: Mapping[int, str] = {}  # a letter in the terminal's picture, by hex
    places: Mapping[int, int] = {}  # hexes with a holder, and which entry it has in the column `holder`
    told: Sequence[str] = ("steps",)  # what the terminal says of a piece, each by its sentence `told.KEY`

    hit_worth: int = 0  # what a hit still to be taken takes off the score, where the frame counts `hits`

    def __init__(self) -> None:
        super().__init__()
        self.scenarios = tuple(self.setups)

    def terms(self, s: A) -> dict[str, int]:
        """The score, with the hits that are still to be taken by the side that is waited for."""
        pending = getattr(s.frames[-1], "hits", 0) if s.frames and s.waiting else 0
        return {"score": self.score(s, 0) + (-1 if s.waiting[:1] == (0,) else 1) * self.hit_worth * pending}

    def motive(self, s: A, side: Side, action: Action) -> tuple[str, dict[str, Any]] | None:
        """Why a computer player goes to a hex: to fight, to take or to guard a place, or on the way."""
        verb, hex = action
        if verb not in ("to", "fight") or not 0 <= hex < len(s.board.grid):
            return None
        key = "march"
        if any(other != side for other in sides_in(s, hex)):
            key = "attack"
        elif hex in self.places:
            holder: Any = getattr(s, "holder", ())
            key = "guard" if holder[self.places[hex]] == side else "take"
        return key, {"hex": s.board.grid.names[hex]}

    def blank(self, scenario: str) -> A:
        """Columns for the units, the hexes, the places and what is in `sizes`."""
        armies = self.state_type
        units, hexes = len(armies.unit_names), len(armies.board.grid)
        memory, places = len(self.sides) * units, len(self.places)
        return armies.blank(units=units, memory=memory, hexes=hexes, places=places, **self.sizes)

    def begin(self, s: A) -> None:
        """The units of the scenario stand in their hexes with all their steps; the first sequence begins."""
        steps: Any = getattr(s, "steps", None)
        for unit, hex in self.setups[s.scenario]["setup"]:
            place(s, unit, hex)
            if steps is not None:
                steps[unit] = self.faces[unit]["full"]
        if self.fog is not None:
            self.fog.deal(s)  # type: ignore[arg-type]
        s.frames.append(self.sequences[0].frame())

    def boards(self) -> dict[str, Any]:
        """The map."""
        return {"map": self.state_type.board.document}

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        """The face of a unit; its back shows whose it is."""
        back: dict[str, Any] = {"side": self.sides[self.state_type.side_of[unit]]}
        return back | self.faces[unit] if known and self.faces else back

    def shows(self, s: A, side: Side, unit: int) -> bool:
        """Units on the map, and those off it that everybody knows, such as the lost."""
        return s.at[unit] >= 0 or (self.fog is not None and self.fog.knows(s, SPECTATOR, unit))

    def problems(self, s: A) -> list[str]:
        """Units that are in no list or in two, stacks that are too high, steps that do not fit the unit."""
        found, names = stacking_problems(s), s.board.grid.names
        for hex in [hex for hex, first in enumerate(s.first_in) if first >= 0 and self.stacking]:
            crowd = [side for side in sides_in(s, hex) if len(stack_of(s, hex, side)) > self.stacking]
            found += [f"too many {self.sides[side]} units in {names[hex]}" for side in crowd]
        for unit, steps in enumerate(getattr(s, "steps", ())):
            if steps > self.faces[unit]["full"] or (s.at[unit] >= 0) != (steps > 0):
                found.append(f"{s.unit_names[unit]} has {steps} steps")
        return found

    # The terminal

    def situation(self, s: A, side: Side, say: Say) -> str:
        """The scenario, the state of the sides, the map drawn with letters and the pieces by hex, all from the view."""
        view = self.view(s, side)
        stacks: dict[str | None, list[Mapping[str, Any]]] = {}
        for piece in view.get("pieces") or self.open_pieces(s, view):
            stacks.setdefault(piece["at"], []).append(piece)
        grid, terrain = s.board.grid, s.board.terrain_data

        def top(hex: int) -> str:
            return str(terrain[s.board.terrain[hex]].get("letter", "")) + self.marks(s, hex, say)

        def bottom(hex: int) -> str:
            return "".join(self.letters(piece, side, say) for piece in stacks.get(grid.names[hex], ()))

        lines = self.heading(s, view, say)
        lines += ["", *draw_with_letters(s.board, top, bottom), say("view.legend"), ""]
        for hex in sorted(hex for hex in stacks if hex is not None):
            lines.append(f"  {hex}  {'; '.join(sorted(self.described(piece, say) for piece in stacks[hex]))}")
        lost = [piece["id"] for piece in stacks.get(None, ())]
        return "\n".join(lines + ([say("view.off-map", units=lost)] if lost else []))

    def heading(self, s: A, view: Mapping[str, Any], say: Say) -> list[str]:
        """A line on the game, from the scenario and the view, and one on each side, from its columns and places."""
        facts = {**self.setups[s.scenario], **view}
        plain = {key: value for key, value in facts.items() if isinstance(value, int | str)}
        plain["title"] = say(f"scenario.{plain.pop('scenario')}")
        plain.pop("side")
        lines = [say("view.head", **plain)]
        by_side = [name for name, f in s.fields.items() if f.per == len(self.sides) and name in view]
        holders = list(getattr(s, "holder", ()))
        for x in range(len(self.sides)):
            lines.append(say("view.side", side=x, held=holders.count(x), **{name: view[name][x] for name in by_side}))
        return lines

    def open_pieces(self, s: A, view: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The pieces of a game without fog, whose view has them as columns."""
        columns = [name for name, f in s.fields.items() if f.per == "units" and name in view]
        return [
            {"id": name, "known": True} | self.unit_facts(unit, True) | {key: view[key][unit] for key in columns}
            for unit, name in enumerate(s.unit_names)
        ]

    def marks(self, s: A, hex: int, say: Say) -> str:
        """A letter or two beside a hex's number and terrain: its sign, and a star with the holder's initial."""
        sign, place = self.signs.get(hex, ""), self.places.get(hex)
        holder: Any = getattr(s, "holder", ())
        return sign if place is None else f"{sign}*{say('view.holder', side=holder[place])[0]}"

    def letters(self, piece: Mapping[str, Any], side: Side, say: Say) -> str:
        """A piece on the map: kind and steps, in capitals for one's own (or the first side's); `?` if not known."""
        if not piece["known"]:
            return "?"
        kind = str(piece.get("kind", "unit"))
        letter = say(f"letter.{kind}")
        text = (kind[0].upper() if letter == f"letter.{kind}" else letter) + str(piece.get("steps", ""))
        return text if piece["side"] == self.sides[max(side, 0)] else text.lower()

    def stranger(self, s: A, side: Side, unit: int, say: Say) -> str:
        """A hidden unit by its side and token, with what is remembered of it."""
        token = f"#{s.token[unit]}" if isinstance(s, HiddenUnits) else ""
        piece = next((piece for piece in self.pieces(s, side) if piece["id"] == token), None)
        if piece is None:
            return ""
        facts = dict(piece) | {"side": self.sides.index(piece["side"])}
        return say("told.hidden", **facts) + (say("told.remembered", **facts) if piece.get("remembered") else "")

    def described(self, piece: Mapping[str, Any], say: Say) -> str:
        """A piece in words, as this side knows it."""
        facts = dict(piece) | {"side": self.sides.index(piece["side"])}
        words = say("told.known" if piece["known"] else "told.hidden", **facts)
        return words + "".join(say(f"told.{key}", **facts) for key in self.told if piece.get(key))
