"""The contract: eight functions, and the few things a game must give to get them.

Server, terminal, players, odds and laboratory know `Game` and no particular game. A game is one object, immutable and
shared; a position is a `State`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeVar

from . import flow
from .errors import DataError, GrognardError, IllegalAction, No, Refusal, UnknownName
from .flow import Action, Decision, Order
from .fog import Fog
from .kept import COLUMNS, once
from .kinds import Kind, Named
from .options import Option, conflict, set_options
from .pieces import Pieces
from .record import REFEREE, SPECTATOR, Field, Frame, Side, State
from .schema import Schema, schema_of
from .stacks import OnMap, restack

Plan = tuple[list[str], Callable[[Any], tuple[Any, ...]], list[Field], list[Field]]  # of views: see `_plan`
S = TypeVar("S", bound=State)
BESIDE = {SPECTATOR: "spectator", REFEREE: "referee"}  # who looks without playing
TRIES = 20  # redeals tried until the game calls one plausible


class Result(NamedTuple):
    """How a game ended. `winner` is None for a draw."""

    winner: Side | None
    level: str
    rule: str


class Mind(NamedTuple):
    """How a computer player judges a game: what a position is worth to a side, and which actions are worth weighing."""

    score: Callable[[Any, Side], int]
    promising: Callable[[Any, Side, list[Action]], list[Action]]
    patience: int = (
        0  # positions that a player with this judgement weighs for one decision; 0: as many as the game says
    )
    samples: int = 0  # deals and dice on which it needs at least to be weighed; 0: as many as the player takes


class Game(Generic[S]):
    """A rule system. Subclasses set the attributes and write `blank`, `begin` and, as needed, the other hooks."""

    name: str
    version: int = 1  # raise it when a rule change makes old games replay differently
    sides: tuple[str, ...]
    scenarios: tuple[str, ...]
    options: tuple[Option, ...] = ()
    state_type: type[S]
    sequences: tuple[flow.Sequence, ...]
    kinds: Mapping[str, Kind] = {}  # what the numbers of fields declared with `names=` are
    fog: Fog | None = None
    sight: tuple[str, ...] | None = None  # what who-sees-which-unit hangs on beside its own columns; None: on anything
    told_elsewhere: tuple[str, ...] = ()  # kinds of columns that the game's own `view_more` tells better
    usual: Mapping[str, Any] = {}  # values that go without saying: a piece that lacks a fact has its usual value
    minds: tuple[str, ...] = ()  # judgements beside the plain one: see `mind`
    styles: tuple[str, ...] = ()  # manners of play among which a player with time chooses: names of minds
    patience: int = 600  # positions that the greedy player judges for one decision and sample

    def __init__(self) -> None:
        self.tables = {q.name: q for q in self.sequences}
        if len(self.tables) < len(self.sequences):
            raise GrognardError(f"{self.name}: two sequences have the same name; rename one of the frames")
        self.frame_kinds: dict[str, type[Frame]] = {q.name: q.frame for q in self.sequences}
        self._schemas: dict[str, Schema] = {}
        self._told: dict[Decision, dict[str, Any]] = {}
        self._alike: dict[type[Frame], bool] = {}
        self._frame_plans: dict[tuple[type[Frame], bool], list[tuple[str, Field | None]]] = {}

    # What a game gives

    def blank(self, scenario: str) -> S:
        """An empty position with columns of the right length."""
        raise NotImplementedError

    def begin(self, s: S) -> None:
        """Set the scenario up and enter the first sequence. Options and dice are ready."""
        raise NotImplementedError

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        """What never changes about a unit: everything if it is known, else what its back shows."""
        return {}

    def shows(self, s: S, side: Side, unit: int) -> bool:
        """False for a unit of which this side may not even see the token (not yet arrived, lost)."""
        return True

    def depth(self, s: S, side: Side) -> int:
        """How many frames of the stack a side may see, from the outermost: all, unless a hidden unit acts."""
        return len(s.frames)

    def view_more(self, s: S, side: Side) -> dict[str, Any]:
        """Derived things a client likes to have, from what the side may know."""
        return {}

    def interchangeable(self, s: S, side: Side) -> list[Sequence[int]]:
        """Groups of units that this side could not tell apart if they changed places: those with the same back.

        Only units of which the side sees the token; a game that hides its reserves as well says so here.
        """
        groups: dict[str, list[int]] = {}
        for unit in range(len(self.fog.unit_names) if self.fog else 0):
            if self.shows(s, side, unit):
                groups.setdefault(json.dumps(self.unit_facts(unit, False), sort_keys=True), []).append(unit)
        return list(groups.values())

    def redeal_more(self, s: S, side: Side) -> None:
        """Deal again whatever else this side cannot know: draw piles, and what the others chose in secret."""
        decision = self.decision(s)
        if decision is not None:
            decision.redeal(s, s.frames[-1], side)

    def rebuild(self, s: S) -> None:
        """Recompute derived columns after units changed places; who stands where on the map comes by itself."""
        if isinstance(s, OnMap):
            restack(s)

    def problems(self, s: S) -> list[str]:
        """Invariants that do not hold; empty for a sound position."""
        return []

    def score(self, s: S, side: Side) -> int:
        """How good this position looks to a side; the greedy player maximises it."""
        return 0

    def promising(self, s: S, side: Side, legal: list[Action]) -> list[Action]:
        """The legal actions worth a computer player's time; a game with long lists leaves the dull ones out."""
        return legal

    def mind(self, name: str = "") -> Mind:
        """The judgement of that name; the plain one where a game has no other.

        Players ask for `front` (lines, gaps, supply), for `yardstick` (the plain judgement as the ladder measures by
        it: a game whose plain judgement learns keeps the old one under this name) and for the names in `styles`.
        """
        return Mind(self.score, self.promising)

    def clock(self, s: S) -> int:
        """A number that grows with the game: look-ahead is counted in it. The turn, where a position has one."""
        return int(getattr(s, "turn", 0))

    def terms(self, s: S) -> dict[str, int]:
        """What the chance of winning is fitted to: named numbers, good for the first side when they grow."""
        return {"score": self.score(s, 0)}

    def measures(self, s: S) -> dict[str, int]:
        """Named numbers to compare with history (`data/history.toml`): who holds what, lines, losses."""
        return {}

    def motive(self, s: S, side: Side, action: Action) -> tuple[str, dict[str, Any]] | None:
        """Why a computer player does this: a sentence `motive.KEY` and its facts; None where it goes without saying."""
        return None

    def playing(self, s: S) -> tuple[Side, ...]:
        """The sides that somebody plays in this game; a game may have more seats than a scenario or option needs."""
        return tuple(range(len(self.sides)))

    def winner_over(self, s: S, loser: Side) -> Side:
        """Who wins when a side gives up."""
        return next(side for side in self.playing(s) if side != loser)

    def odds(self, s: S, side: Side, action: Action) -> dict[str, Any] | None:
        """Exact chances of what an action would start, if it starts anything by dice."""
        return None

    def odds_text(self, odds: dict[str, Any], lang: str) -> str:
        """The same chances in words for the terminal, in a language; empty for the plain listing."""
        return ""

    def noun(self, word: str, lang: str) -> str:
        """What people call a hex or a date, if not by its number (a town); empty where the text files know better."""
        return ""

    def stranger(self, s: S, side: Side, unit: int, say: Callable[..., str]) -> str:
        """A unit that a side sees and does not know, in words: what its back shows, or what the side remembers."""
        return ""

    def boards(self) -> dict[str, Any]:
        """The maps that views refer to, in map format 1, for a game that has no `data/map.json`."""
        return {}

    def situation(self, s: S, side: Side, say: Callable[..., str]) -> str:
        """The position as text for the terminal, from what the side may know; empty for the plain listing."""
        return ""

    def about(self, s: S, side: Side, word: str, say: Callable[..., str]) -> str:
        """What a side may know of a hex or of a unit of its own, in words; empty where there is nothing to say."""
        return ""

    # The eight functions

    def setup(
        self, scenario: str, options: Mapping[str, str] | None = None, seed: str = "", *, usual: bool = True
    ) -> S:
        """A new position. Options that are not named are as the scenario sets them; not `usual`: at their default."""
        if scenario not in self.scenarios:
            raise UnknownName("scenario", scenario, self.scenarios)
        s = self.blank(scenario)
        s.scenario, s.seed = scenario, seed
        set_options(
            s, self.options, dict(self.resolve_options(options or {}, scenario if usual else "")), options or {}
        )
        s.events, s.drawn = [], []
        self.begin(s)
        flow.run(self.tables, s)
        return s

    def actors(self, s: S) -> tuple[Side, ...]:
        """Who owes a decision now; none when the game is over."""
        return s.waiting

    def legal(self, s: S, side: Side) -> list[Action]:
        """Every legal action, in a stable order, from what that side may know."""
        if side not in s.waiting:
            return []
        c = s.frames[-1]
        decision = self.tables[c.sequence_name].rows[c.row].decision
        return decision.legal(s, c, side)  # type: ignore[union-attr]

    def apply(self, s: S, side: Side, action: Action, *, trusted: bool = False) -> None:
        """Carry out an action and run on to the next decision; raises IllegalAction and changes nothing if it may not.

        `trusted` skips the check, for callers who took the action from `legal` this moment.
        """
        if not trusted and (refusal := self.explain(s, side, action)) is not None:
            raise IllegalAction(refusal)
        c = s.frames[-1]
        decision = self.tables[c.sequence_name].rows[c.row].decision
        decision.apply(s, c, side, action[0], action[1])  # type: ignore[union-attr]
        flow.run(self.tables, s)

    def view(self, s: S, side: Side) -> dict[str, Any]:
        """Plain data: all that a side may know, built from what is declared visible."""
        shown, get, steady, others = self._plan(type(s), side == REFEREE)
        out: dict[str, Any] = {"game": self.name, "side": self.side_name(side)}
        out |= once(s, ("fields", side == REFEREE), lambda: self._for_all(s, dict(zip(shown, get(s))), steady))
        for f in others:
            out[f.name] = self._visible(s, s, f, side)
        if self.fog is not None:
            out["pieces"] = self.pieces(s, side)
        out["waiting"] = [self.side_name(w) for w in s.waiting]
        out["frames"] = [
            once(s, (n, "frame"), lambda c=c: self._frame_view(s, c, SPECTATOR))  # type: ignore[misc]
            if self._looks_alike(type(c)) and side != REFEREE
            else self._frame_view(s, c, side)
            for n, c in enumerate(s.frames[: self.depth(s, side)])
        ]
        decision = self.asked(s, side)
        out["decision"] = None if decision is None else type(decision).__name__
        out["verbs"] = {} if decision is None else self._verbs_told(decision)
        out |= self.view_more(s, side)
        return out

    def _for_all(self, s: S, out: dict[str, Any], steady: list[Field]) -> dict[str, Any]:
        """The fields of a view that look the same to everybody, under the names of all of them."""
        latest: dict[Any, Any] = {} if s.shared is None else s.shared.latest  # as `last_made`, which here costs much
        for f in steady:
            name, value = f.name, out[f.name]
            known = latest.get(name)
            if known is None or known[0] != value:
                known = latest[name] = (value, self._visible(s, s, f, SPECTATOR))
            out[name] = known[1]
        return out

    def _verbs_told(self, decision: Decision) -> dict[str, Any]:
        """What a client is told of the verbs of a decision; made once."""
        told = self._told.get(decision)
        if told is None:
            told = self._told[decision] = {verb: kind.told() for verb, kind in decision.verbs.items()}
        return told

    def pieces(self, s: S, side: Side) -> list[dict[str, Any]]:
        """The units that a side may see, under the names it may know them by; a game may draw them otherwise."""
        return self._pieces.seen_by(s, side) if self.fog is not None else []

    def uncovered(self, before: S, after: S) -> bool:
        """True if some side may now know more of a unit; for a game with hidden units that says what sight hangs on."""
        return self._pieces.uncovered(before, after)

    def redeal(self, s: S, side: Side, seed: str) -> S:
        """A position that this side could not tell apart, with other dice to come.

        Some deals are tried until one is sound; if none is, the last one stands: the truth is never given away.
        """
        for attempt in range(TRIES):
            new = s.copy()
            new.seed, new.loaded, new.draws = f"{seed}/{attempt}"[-64:], (), 0
            if self.fog is not None:
                self.fog.exchange(new, side, self.interchangeable(new, side))  # type: ignore[arg-type]
            self.redeal_more(new, side)
            self.rebuild(new)
            new.draws = s.draws
            if not self.problems(new):
                break
        return new

    def explain(self, s: S, side: Side, action: Action) -> Refusal | None:
        """Why not: the rule and the reason; None if and only if the action is legal. Only this one noun is asked."""
        verb, noun = action
        closed = self._closed(s, side, verb)
        if closed is not None:
            return closed
        c = s.frames[-1]
        decision: Any = self.tables[c.sequence_name].rows[c.row].decision
        kind: Kind = decision.verbs[verb]
        if not kind.has(s, noun):
            return Refusal(c.at(), "unknown-target", {"verb": verb, "target": str(noun)})
        why: No | None = decision.why_not(s, c, side, verb, noun)
        if why is None:
            return None
        facts = self._in_hand(s, c, side) | kind.facts(s, side, noun)
        return Refusal(why.rule, why.reason, facts | why.facts(s, c, side, noun) if why.facts else facts)

    def _closed(self, s: S, side: Side, verb: str) -> Refusal | None:
        """Why a side cannot use a verb at all now."""
        if s.outcome:
            return Refusal(s.outcome[2], "game-over")
        if side not in s.waiting:
            waiting = [self.side_name(w) for w in s.waiting]
            return Refusal(s.frames[-1].at(), "not-your-decision", {"waiting": waiting})
        decision = self.decision(s)
        assert decision is not None
        if verb not in decision.verbs:
            open_now = {verb for verb, _ in self.legal(s, side)}
            verbs = [name for name in decision.verbs if name in open_now]
            return Refusal(s.frames[-1].at(), "unknown-verb", {"verb": verb, "verbs": verbs})
        return None

    def _in_hand(self, s: S, c: Frame, side: Side) -> dict[str, Any]:
        """The unit that the frame holds, for the sentence of a refusal."""
        f = c.fields.get("unit")
        kind = self.kinds.get("unit")
        if f is None or f.kind != "number" or kind is None or not kind.has(s, c.unit):  # type: ignore[attr-defined]
            return {}
        return {"unit": self._visible(s, c, f, side)}

    def result(self, s: S) -> Result | None:
        """Winner, level of victory and the rule that ended it; None while the game goes on."""
        if not s.outcome:
            return None
        winner, level, rule = s.outcome
        return Result(None if winner < 0 else winner, level, rule)

    # The same in words: what files, wire and people say. Kinds write and read them.

    def orders(self, s: S, side: Side) -> list[Order]:
        """Every legal action in words."""
        return [self.write(s, side, action) for action in self.legal(s, side)]

    def write(self, s: S, side: Side, action: Action) -> Order:
        """An action of the present decision in the words of a side."""
        decision = self.decision(s)
        if decision is None or action[0] not in decision.verbs:
            return action[0], str(action[1])
        return action[0], decision.verbs[action[0]].word(s, side, action[1])

    def read(self, s: S, side: Side, order: Order) -> Action:
        """The action that a side means; IllegalAction if it may not act now or has no such words."""
        verb, word = order
        refusal = self._closed(s, side, verb)
        if refusal is None:
            decision = self.decision(s)
            assert decision is not None
            try:
                return verb, decision.verbs[verb].read(s, side, word)
            except (LookupError, ValueError):
                refusal = Refusal(s.frames[-1].at(), "unknown-target", {"verb": verb, "target": word})
        raise IllegalAction(refusal)

    def obey(self, s: S, side: Side, order: Order) -> None:
        """Carry out an order, as `apply` does an action."""
        self.apply(s, side, self.read(s, side, order))

    def why(self, s: S, side: Side, order: Order) -> Refusal | None:
        """Why not, for an order: as `explain`, and for words that mean nothing here."""
        try:
            return self.explain(s, side, self.read(s, side, order))
        except IllegalAction as error:
            return error.refusal

    # Helpers on top of them

    def decision(self, s: S) -> Decision | None:
        """The decision that the table is waiting for."""
        if not s.waiting:
            return None
        c = s.frames[-1]
        return self.tables[c.sequence_name].rows[c.row].decision

    def asked(self, s: S, side: Side) -> Decision | None:
        """The same as far as a side may know it: who cannot see what goes on knows only whom the table waits for."""
        return self.decision(s) if self.depth(s, side) == len(s.frames) else None

    def schema(self, scenario: str) -> Schema:
        """How a view of a scenario looks as one row of integers, for programs that learn; made once."""
        if scenario not in self._schemas:
            self._schemas[scenario] = schema_of(self, scenario)
        return self._schemas[scenario]

    def load(self, data: dict[str, Any]) -> S:
        """The position that `to_json` wrote."""
        s = self.state_type.restore(data, self.frame_kinds)
        if s.scenario not in self.scenarios:
            raise UnknownName("scenario", s.scenario, self.scenarios)
        blank = self.blank(s.scenario)
        for name in (name for name, f in s.fields.items() if f.kind == "column"):
            if len(getattr(s, name)) != len(getattr(blank, name)):
                raise DataError(self.name, name, f"the column needs {len(getattr(blank, name))} entries")
        set_options(s, self.options, dict(s.options), dict(s.options))
        return s

    def side_name(self, side: Side) -> str:
        """`spectator` and `referee` are not sides but have views."""
        return self.sides[side] if side >= 0 else BESIDE[side]

    def side_named(self, name: str) -> Side:
        """The number of a side from its name."""
        if name in self.sides:
            return self.sides.index(name)
        try:
            return {"spectator": SPECTATOR, "referee": REFEREE}[name]
        except KeyError:
            raise UnknownName("side", name, self.sides) from None

    def usual_options(self, scenario: str) -> Mapping[str, str]:
        """The options that a scenario sets; players may set them otherwise."""
        return {}

    def resolve_options(self, given: Mapping[str, str], scenario: str = "") -> tuple[tuple[str, str], ...]:
        """Every option with its value: given, or the scenario's, or the default.

        Unknown names and values are errors, and so are values that do not go together.
        """
        known = {o.name: o for o in self.options}
        for name, value in given.items():
            if name not in known:
                raise UnknownName("option", name, known)
            if value not in known[name].choices:
                raise UnknownName(f"value of option {name}", value, known[name].choices)
        usual = self.usual_options(scenario) if scenario else {}
        values = {o.name: given.get(o.name, usual.get(o.name, o.default)) for o in self.options}
        if (found := conflict(self.options, values)) is not None:
            raise found
        return tuple(values.items())

    def check_data(self) -> list[DataError]:
        """Everything wrong with the data files and scenarios; `grognard check` prints it."""
        found = []
        for scenario in self.scenarios:
            s = self.setup(scenario, {}, "check")
            found += [DataError(self.name, f"scenario {scenario}", p) for p in self.problems(s)]
        return found

    # How a view is made

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(self)

    @cached_property
    def _plans(self) -> dict[tuple[type[State], bool], Plan]:
        return {}

    def _plan(self, kind: type[State], referee: bool) -> Plan:
        """Names of the fields that are shown, in order; their values as they are; those that are shown otherwise.

        First those of them that look the same to everybody while they stay the same, then the rest.
        """
        if (kind, referee) not in self._plans:
            self._plans[kind, referee] = self._fields_of_views(kind, referee)
        return self._plans[kind, referee]

    def _fields_of_views(self, kind: type[State], referee: bool) -> Plan:
        shown = [
            f
            for f in kind.fields.values()
            if (f.sees.kind != "secret" or referee)
            and not (self.fog is not None and f.per in ("units", "memory") and not referee)
            and f.per not in self.told_elsewhere
        ]
        names = [f.name for f in shown]
        others = [f for f in shown if f.sees.kind != "public" or f.names or f.kind in ("items", "column")]
        steady = [f for f in others if self._is_steady(f)]
        return names, attrgetter(*names), steady, [f for f in others if f not in steady]  # all have several fields

    def _visible(self, s: S, record: Any, f: Field, side: Side) -> Any:
        """A field as one side may read it; entries it may not know are None."""
        value = getattr(record, f.name)
        if f.sees.kind == "public" and not f.names:  # most of a view: long columns of numbers
            if f.kind == "column":
                key = bytes(value) if f.code == "B" else (f.code, value.tobytes())
                return COLUMNS.get(key) or COLUMNS.keep(key, list(value))
            if f.kind != "items" or not value:
                return [] if f.kind == "items" else value
            return COLUMNS.get(value) or COLUMNS.keep(value, self._shown(s, side, "", value))
        if f.sees.kind == "public":
            if f.kind in ("items", "column"):
                return [self._shown(s, side, f.names, v) for v in value]
            return self._shown(s, side, f.names, value)
        if f.kind in ("items", "column"):
            may = f.sees.allows
            return [self._shown(s, side, f.names, v) if may(s, side, i) else None for i, v in enumerate(value)]
        if f.sees.allows(s, side, record.side if f.sees.kind == "own" else 0):
            return self._shown(s, side, f.names, value)
        return None

    def _shown(self, s: S, side: Side, names: str, value: Any) -> Any:
        """A value with its names. No closure: one that calls itself keeps the whole position until it is collected."""
        if isinstance(value, tuple):
            return [self._shown(s, side, names, v) for v in value]
        return self.named(s, side, names, value) if names and isinstance(value, int) else value

    def named(self, s: Any, side: Side, kind: str, value: int) -> Any:
        """A number under the name that this side has for it: of a unit it may not know, the token."""
        return self.kinds[kind].shown(s, side, value)

    def _looks_alike(self, kind: type[Frame]) -> bool:
        """True of frames in which nothing looks otherwise to one side than to another."""
        known = self._alike.get(kind)
        if known is None:
            told = [f for f in kind.fields.values() if f.sees.kind != "secret"]
            known = self._alike[kind] = all(self._is_steady(f) for f in told)
        return known

    def _is_steady(self, f: Field) -> bool:
        """True of a field that looks the same to everybody while it stays the same."""
        return f.sees.kind == "public" and type(self.kinds.get(f.names)) in (Named, NoneType)

    def _frame_view(self, s: S, c: Frame, side: Side) -> dict[str, Any]:
        out: dict[str, Any] = {"sequence": c.sequence_name, "at": c.runs()}
        for name, f in self._frame_plan(type(c), side == REFEREE):
            out[name] = getattr(c, name) if f is None else self._visible(s, c, f, side)
        return out

    def _frame_plan(self, kind: type[Frame], referee: bool) -> list[tuple[str, Field | None]]:
        """The fields of a frame that are shown; with None those that are shown to everybody as they are."""
        plan = self._frame_plans.get((kind, referee))
        if plan is None:
            shown = [f for f in kind.fields.values() if f.sees.kind != "secret" or referee]
            plan = self._frame_plans[kind, referee] = [
                (f.name, None if f.sees.kind == "public" and not f.names and f.kind not in ("items", "column") else f)
                for f in shown
            ]
        return plan
