"""A session: a game being played. Log, events, undo, takebacks, snapshots, replay and the chain of digests.

The log is the truth; the position is a cache of it. An entry is one action of one side, or a *note to the table* (side
`*`): dice typed by hand, a takeback agreed, a resignation, a draw agreed. Undo closes by itself at every die, at
everything revealed and whenever the decision passes on; rules never mention it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, MutableMapping, MutableSequence
from dataclasses import dataclass, field
from sys import intern
from typing import Any

from . import flow
from .ceremony import WITHOUT, WITNESS, Salts, Share, game_key, stirred, witnessed
from .dice import EXPLORING, NeedDie, WrongDie, commitment_of, seed_from
from .errors import GameFileError, GrognardError, IllegalAction, Refusal
from .events import Event
from .flow import Order
from .game import Game, Result
from .record import REFEREE, Side, State

SNAPSHOT_EVERY = 32
FEWER_AFTER = 256  # entries, before which only every eighth snapshot stays: few look so far back
TABLE: Side = -3  # the author of notes to the table
UNTOLD = "?"  # a target that the log keeps from its reader
WITHHELD = "withheld"
NOTHING_DRAWN: list[tuple[int, int]] = []  # of most entries; nobody writes into it


@dataclass
class Header:
    """What is fixed before the first order."""

    game: str
    rules: int
    data: str
    scenario: str
    options: dict[str, str]
    commitment: str
    seed: str  # WITHHELD in files that leave the host before the end
    id: str = ""
    entropy: tuple[str, ...] = ()
    title: str = ""
    players: str = ""  # who plays each side, as the host likes to write it; not part of the chain
    shares: tuple[Share, ...] = ()  # what the players put into the dice
    start: str = ""  # JSON of the position that this game begins at, instead of its set-up; WITHHELD like the seed
    origin: str = ""  # where that position comes from
    mark: str = ""  # what somebody at the table may know: "dice-known", "position-known"
    dice: str = ""  # `all`: every order that throws dice wants a link of every player; see `ceremony`


@dataclass
class Entry:
    """One line of the log and what came of it."""

    side: Side
    action: Order
    events: list[Event] = field(default_factory=list)
    chain: str = ""
    before: tuple[str, tuple[Side, ...]] = ("", ())  # where the game stood and who owed a decision
    salt: str = ""  # what the player's program added to the dice
    drawn: tuple[int, list[tuple[int, int]]] = (0, [])  # the count of the dice before, and what was drawn: of n, value


def chained(before: str, line: str, digest: str) -> str:
    """The next link of the digest chain."""
    return hashlib.blake2b(f"{before}\n{line}\n{digest}".encode(), digest_size=8).hexdigest()


class Session:
    """A game in play. All changes go through `act`, `undo` and the notes to the table."""

    def __init__(self, game: Game[Any], header: Header) -> None:
        self.game, self.header = game, header
        self.entries: MutableSequence[Entry] = []  # a host may hold them as it likes
        self.opening: list[Event] = []
        self.opening_draws: list[tuple[int, int]] = []
        self.salts = Salts(header.shares)
        self.state = self._set_up()
        self.chain0 = chained("", header_line(header), self.state.digest())
        self.snapshots: MutableMapping[int, State] = {0: self.state.copy()}
        self.closed = 0  # entries before this one can no longer be undone
        self.undone: list[Entry] = []
        self.takeback: tuple[Side, int, tuple[Side, ...]] | None = None  # who asks, to which entry, who agreed
        self.draw_offers: tuple[Side, ...] = ()

    @classmethod
    def new(
        cls,
        game: Game[Any],
        scenario: str,
        options: dict[str, str] | None = None,
        *,
        seed: str,
        game_id: str = "",
        entropy: Iterable[str] = (),
        title: str = "",
        **more: Any,
    ) -> Session:
        """Start a game; `seed` is the host's secret, of which only the commitment is published.

        `more` are the other fields of the header: shares of the players, a position to start at and its origin.
        """
        for what, word in (("seed", seed), ("game id", game_id)):
            if word != "".join(word.split()) or word in (EXPLORING, WITHHELD):
                raise GrognardError(f"{word!r} cannot be the {what}: it must be one word, without spaces")
        header = Header(
            game=game.name,
            rules=game.version,
            data=data_digest(game),
            scenario=scenario,
            options=dict(game.resolve_options(options or {}, scenario)),
            commitment=commitment_of(seed),
            seed=seed,
            id=game_id,
            entropy=tuple(entropy),
            title=" ".join(title.encode(errors="replace").decode().split()),
            **more,
        )
        return cls(game, header)

    def _set_up(self) -> State:
        h = self.header
        key = "" if h.seed == WITHHELD else game_key(h.seed, h.id, h.entropy, h.shares)
        if h.start:
            return self._take_up(key)
        s: State = self.game.setup(h.scenario, h.options, key, usual=False)
        self.opening, self.opening_draws = s.events or [], s.drawn or []
        s.events = s.drawn = None
        return s

    def _take_up(self, key: str) -> State:
        """The position that this game goes on from, with dice of its own."""
        s: State = self.game.load(json.loads(self.header.start))
        s.seed, s.draws, s.loaded = key, 0, ()
        self.opening = [Event("goes-on", self._label(s), {"origin": self.header.origin})]
        return s

    def _label(self, s: State) -> str:
        """The label of the row at which a position stands."""
        return s.frames[-1].at() if s.frames else str(s.outcome[2] if s.outcome else "")

    # Playing

    def luck(self, side: Side) -> str:
        """A seed for a computer player's arbitrary choices: the same when replayed, foreseen by nobody.

        It hangs on the host's secret, never on what is published alone.
        """
        return seed_from(f"luck of {side} {self.header.seed} {self.chain}")

    @property
    def chain(self) -> str:
        """The digest of everything so far."""
        return self.entries[-1].chain if self.entries else self.chain0

    @property
    def result(self) -> Result | None:
        """How it ended, if it has."""
        return self.game.result(self.state)

    def act(self, side: Side, action: Order, salt: str = "") -> list[Event]:
        """Carry out an action of a side, in words; IllegalAction, and no change, if the rules refuse.

        `salt` is the next link of that side's share of the dice, if it has one.
        """
        refusal = self.game.why(self.state, side, action)
        if refusal is not None:
            raise IllegalAction(refusal)
        wrong = self.salts.problem(self.game.side_name(side), salt)
        if wrong:
            raise GameFileError(wrong, side=self.game.side_name(side))
        self.undone.clear()
        return self._record(side, action, salt)

    def _record(self, side: Side, action: Order, salt: str = "") -> list[Event]:
        before = self.state
        s = before.copy()
        events: list[Event] = []
        s.events, s.drawn = events, []
        drawn = s.drawn
        self._carry_out(s, side, action, salt)
        s.events = s.drawn = None
        self.state = s
        author = self._author(side)
        line = f"{author} {action[0]} {action[1]}" + (f" +{salt}" if salt else "")
        chain = chained(self.chain, line, s.digest())
        where = (intern(flow.where_are_we(before)), before.waiting)
        if self.entries and self.entries[-1].before == where:
            where = self.entries[-1].before
        self.entries.append(Entry(side, action, events, chain, where, salt, (before.draws, drawn or NOTHING_DRAWN)))
        self.salts.pass_by(len(self.entries), author, action, salt)
        self.takeback, self.draw_offers = None, ()
        if side == TABLE or self.closes_undo(before, s, events):
            self.closed = len(self.entries)
            self.undone.clear()
        often = side == TABLE and action[0] not in (WITNESS, WITHOUT)
        if often or len(self.entries) % SNAPSHOT_EVERY == 0:
            self.snapshots[len(self.entries)] = s.copy()
            self._thin_out(len(self.entries) - FEWER_AFTER)
        return events

    def _thin_out(self, at: int) -> None:
        """Forget a snapshot that has become old, unless it is one of those that stay."""
        if at > 0 and at % SNAPSHOT_EVERY == 0 and at % FEWER_AFTER:
            self.snapshots.pop(at, None)

    def _carry_out(self, s: State, side: Side, action: Order, salt: str) -> None:
        """What an entry does to a position."""
        if side == TABLE:
            self._note(s, action)
            return
        if salt:
            s.seed = stirred(s.seed, salt)
        self.game.apply(s, side, self.game.read(s, side, action), trusted=True)

    def closes_undo(self, before: State, after: State, events: list[Event]) -> bool:
        """A die, a reveal or a change of decider."""
        if after.draws != before.draws or after.loaded != before.loaded or after.waiting != before.waiting:
            return True
        return any(e.reveals or e.kind == "roll" for e in events) or self._uncovered(before, after)

    def _uncovered(self, before: State, after: State) -> bool:
        """True if some side may now know an entry of a field that it could not know before."""
        game = self.game
        apart = game.fog is not None and game.sight is not None  # units are looked at where something changed
        lengths = {  # many fields share a test: each is asked once
            (f.sees.test, len(getattr(after, f.name)) if f.kind in ("items", "column") else 1): None
            for f in after.fields.values()
            if f.sees.kind == "seen" and not (apart and f.per == "units")
        }
        return (apart and game.uncovered(before, after)) or any(
            test(after, side, i) and not test(before, side, i)
            for test, length in lengths
            for side in range(len(game.sides))
            for i in range(length)
        )

    def _author(self, side: Side) -> str:
        return "*" if side == TABLE else self.game.side_name(side)

    # Undo, redo, takeback

    def can_undo(self, side: Side) -> bool:
        """True if the last entry is this side's own and nothing has been learnt since."""
        return len(self.entries) > self.closed and self.entries[-1].side == side and not self.state.outcome

    def undo(self, side: Side) -> None:
        """Take the last action back."""
        if not self.can_undo(side):
            raise IllegalAction(Refusal(self._rule_now(), "undo-closed" if self.entries else "nothing-to-undo"))
        self.undone.append(self.entries.pop())
        self._rewind(len(self.entries))

    def _rule_now(self) -> str:
        """The label of the row at which the game stands."""
        return self.state.frames[-1].at() if self.state.frames else str(self.state.outcome[2])

    def redo(self, side: Side) -> list[Event]:
        """Do again what was undone last."""
        if not self.undone or self.undone[-1].side != side:
            raise IllegalAction(Refusal(self._rule_now(), "nothing-to-redo"))
        entry = self.undone.pop()
        return self._record(entry.side, entry.action, entry.salt)

    def ask_takeback(self, side: Side, to: int) -> None:
        """Ask the other sides to go back to just after entry `to`; never after the end, which shows everything."""
        if self.state.outcome:
            raise IllegalAction(Refusal(str(self.state.outcome[2]), "end-stands"))
        if not 0 <= to < len(self.entries):
            raise GrognardError(f"there is no entry {to} to go back to; the log has {len(self.entries)}")
        self.takeback = (side, to, ())
        self._settle_takeback()

    def answer_takeback(self, side: Side, agree: bool) -> bool:
        """Agree or refuse; True once the takeback is carried out."""
        if self.takeback is None or side == self.takeback[0]:
            raise GrognardError("no other side has asked for a takeback")
        asker, to, agreed = self.takeback
        self.takeback = (asker, to, (*agreed, side)) if agree else None
        return self._settle_takeback()

    def _settle_takeback(self) -> bool:
        if self.takeback is None:
            return False
        asker, to, agreed = self.takeback
        if not set(agreed) | {asker} >= set(self.game.playing(self.state)):
            return False
        self._record(TABLE, ("takeback", str(to)))
        return True

    # Notes to the table

    def type_dice(self, dice: Iterable[int]) -> None:
        """Real dice: the next rolls fall as typed; none puts them away. They are marked in the log and counted."""
        self._record(TABLE, ("dice", " ".join(str(d) for d in dice)))

    def resign(self, side: Side) -> None:
        """A side gives up."""
        self._record(TABLE, ("resign", self.game.side_name(side)))

    def offer_draw(self, side: Side) -> bool:
        """Offer or accept a draw; True once every side has."""
        offers = tuple(sorted({*self.draw_offers, side}))
        self.draw_offers = offers
        if not set(offers) >= set(self.game.playing(self.state)):
            return False
        self._record(TABLE, ("draw", ""))
        return True

    def note(self, action: Order) -> None:
        """Any note to the table, as a log has it."""
        if action[0] == WITNESS:
            side, link = witnessed(action[1])
            wrong = self.salts.problem(side, link or UNTOLD)
            if wrong:
                raise GameFileError(wrong, side=side)
        self._record(TABLE, action)

    def witness(self, side: Side, link: str) -> None:
        """A link of a side that does not act, for the dice of the order that comes next."""
        self.note((WITNESS, f"{self.game.side_name(side)} {link}"))

    def go_without(self, side: Side) -> None:
        """Wait for no more links of a side; the log says so."""
        self.note((WITHOUT, self.game.side_name(side)))

    def throws_dice(self, side: Side, action: Order) -> bool:
        """True if an order that the rules allow wants a die, a draw or a shuffle."""
        s = self.state.copy()
        s.seed = EXPLORING
        try:
            self.game.apply(s, side, self.game.read(s, side, action), trusted=True)
        except (NeedDie, WrongDie):
            return True
        return False

    def _note(self, s: State, action: Order) -> None:
        """Carry out a note to the table on a position."""
        verb, target = action
        if s.outcome and verb != "takeback":  # logs of the time when an end could be taken back are replayed still
            raise GameFileError("too-late", verb=verb, target=target)
        if verb == "dice" and all(map(_is_small, target.split())):
            s.loaded = tuple(int(word) for word in target.split())
        elif verb == "takeback" and _is_small(target) and int(target) < len(self.entries) + 1:
            old = self.position(int(target))
            for name in old.fields:
                if name not in ("draws", "loaded", "seed"):  # the dice already seen never fall again
                    setattr(s, name, getattr(old, name))
            s.frames = old.frames
        elif verb == "resign" and target in self.game.sides:
            winner = self.game.winner_over(s, self.game.side_named(target))
            flow.finish(s, winner, "resignation", "resign")
            s.waiting = ()
        elif verb == "draw":
            flow.finish(s, None, "draw", "draw")
            s.waiting = ()
        elif verb == WITNESS:
            s.seed = stirred(s.seed, witnessed(target)[1])
        elif verb == WITHOUT and target in self.salts.last:
            pass  # the log says it, and whoever reads it
        else:
            raise GameFileError("no-such-note", verb=verb, target=target)

    # Looking back

    def position(self, at: int) -> State:
        """The position after entry `at` (0: the set-up); a copy."""
        if not 0 <= at <= len(self.entries):
            raise GrognardError(f"there is no entry {at}; the log has {len(self.entries)}")
        start = max(k for k in self.snapshots if k <= at)
        s = self.snapshots[start].copy()
        for entry in self.entries[start:at]:
            self._carry_out(s, entry.side, entry.action, entry.salt)
        return s

    def after(self, s: State, number: int) -> State:
        """The position after entry `number`, from the one before it; a copy."""
        new, entry = s.copy(), self.entries[number - 1]
        self._carry_out(new, entry.side, entry.action, entry.salt)
        return new

    def _rewind(self, at: int) -> None:
        for later in [k for k in self.snapshots if k > at]:
            del self.snapshots[later]
        self.state = self.position(at)
        if self.header.shares:
            self.salts = Salts(self.header.shares, ((self._author(e.side), e.action, e.salt) for e in self.entries))
        self.takeback = None

    def log_for(self, side: Side, since: int = 0, until: int | None = None) -> list[dict[str, Any]]:
        """The log as one side may read it: entries with the events it hears, secret choices left out."""
        secret = self._still_secret()
        log = []
        for number, entry in enumerate(self.entries[since:until], since + 1):
            line: dict[str, Any] = {"n": number, "side": self._author(entry.side)}
            if side in (REFEREE, entry.side) or (number not in secret and self._heard(entry, side)):
                line |= {"verb": entry.action[0], "target": self._target_for(entry, side)}
            line["events"] = [e.to_json(side) for e in entry.events if e.heard_by(side)]
            log.append(line)
        return log

    def _heard(self, entry: Entry, side: Side) -> bool:
        """An action is as public as its first event; what follows from it may be heard by more.

        Without an event it is told to others only where nothing is hidden: a gun in hiding that turns makes no noise.
        """
        if entry.events:
            return entry.events[0].heard_by(side)
        return entry.side == TABLE or self.game.fog is None or self.result is not None

    def _target_for(self, entry: Entry, side: Side) -> str:
        """The target as this side may read it: what the entry's own events veil stays veiled."""
        target = entry.action[1]
        fog = self.game.fog
        if side == REFEREE or side == entry.side or fog is None or target not in fog.unit_ids:
            return target
        for event in entry.events:
            for value in event.data.values():
                if isinstance(value, tuple) and getattr(value, "value", None) == target:
                    return str(value.to(side))  # type: ignore[attr-defined]
        return UNTOLD

    def _still_secret(self) -> set[int]:
        """Numbers of the entries made in a simultaneous decision that is not over yet."""
        decision = self.game.decision(self.state)
        if decision is None or not decision.together:
            return set()
        numbers: set[int] = set()
        where, waiting = flow.where_are_we(self.state), self.state.waiting
        for number, entry in zip(range(len(self.entries), 0, -1), reversed(self.entries)):
            if entry.before[0] != where or not set(waiting) <= set(entry.before[1]):
                break  # another decision, or an earlier round of this one: a side that had chosen is asked again
            waiting = entry.before[1]
            if entry.side != TABLE:
                numbers.add(number)
        return numbers


def _is_small(word: str) -> bool:
    """True for a number that a die or the log can have."""
    return word.isdecimal() and len(word) < 10


def header_line(h: Header) -> str:
    """The header as one canonical line, for the chain. The seed is bound by its commitment."""
    options = " ".join(f"{k}={v}" for k, v in sorted(h.options.items()))
    parts = [h.game, str(h.rules), h.data, h.scenario, options, h.commitment, h.id, " ".join(h.entropy)]
    parts += [f"{share.side} {share.commitment} {share.entropy}" for share in h.shares]
    return "|".join([*parts, *(part for part in (h.start, h.origin, h.mark, h.dice and f"dice {h.dice}") if part)])


NOT_PLAYED_WITH = (
    "rulebook.toml",
    "figures.toml",
    "computer.toml",
    "chance.toml",
    "history.toml",
)  # words, and what was learnt


def data_digest(game: Game[Any]) -> str:
    """A digest of the game's data files: a game file says which numbers it was played with."""
    from importlib import resources

    folder = resources.files("grognard") / "games" / game.name / "data"
    total = hashlib.blake2b(digest_size=8)

    def walk(place: Any, path: str) -> None:
        for child in sorted(place.iterdir(), key=lambda c: c.name):
            if child.is_dir():
                if child.name not in ("art", "__pycache__"):
                    walk(child, f"{path}{child.name}/")
            elif child.name not in NOT_PLAYED_WITH and not child.name.endswith((".py", ".pyc", ".svg", ".png")):
                total.update(f"{path}{child.name}\0".encode() + child.read_bytes())

    if folder.is_dir():
        walk(folder, "")
    return total.hexdigest()
