"""A game of earlier rules that the present ones would play otherwise: to be looked at for ever, and perhaps continued.

It is shown from its chronicle; a game from before there were chronicles has its log only. A running one may go on from
its last position under the present rules, at a new table with dice of its own, if all its players agree.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from grognard.kernel.errors import GrognardError
from grognard.kernel.game import Game
from grognard.kernel.gamefile import GameFile, Line, header_text
from grognard.kernel.narrate import Narrator
from grognard.kernel.record import REFEREE, SPECTATOR, Side, State
from grognard.kernel.session import TABLE, Header, Session
from grognard.server import chronicle, intake
from grognard.server.clock import Clock
from grognard.server.errors import Problem
from grognard.server.journal import Logged
from grognard.server.messages import LOG_LINES, Json, narrator_for
from grognard.server.people import Person
from grognard.server.schema import CONSENTS
from grognard.server.standing import Seat
from grognard.server.store import Store
from grognard.server.terms import Terms
from grognard.server.titles import entitled

Parts = list[tuple[int, int, Json]]


class OldRules(Problem):
    """Raised where a table is wanted to be played whose rules have changed under it."""

    def __init__(self, table: OldTable) -> None:
        game, theirs = table.game, table.header.rules
        super().__init__(409, "other-rules", game=game.name, theirs=theirs, ours=game.version)
        self.table = table


class OldTable:
    """What is left to see of such a game."""

    def __init__(
        self,
        game: Game[Any],
        header: Header,
        row: Json,
        seats: list[Seat],
        actions: list[Logged],
        chat: list[Json],
        parts: Parts,
        agreed: list[Side],
        terms: Terms,
    ) -> None:
        self.game, self.header, self.row, self.seats, self.actions = game, header, row, seats, actions
        self.chat, self.parts, self.agreed, self.terms = chat, parts, agreed, terms
        self.id: str = row["id"]
        self.going_on = asyncio.Lock()  # held while somebody agrees, or all have
        self.over: bool = row["over"]

    # Who may see what

    def sides_of(self, person: Person) -> list[Side]:
        """The sides that a person plays."""
        return [seat.side for seat in self.seats if seat.kind == "human" and seat.person == person.id]

    def viewpoint(self, person: Person, name: str | None) -> Side:
        """Where a person may look from; everywhere once it is over."""
        own = self.sides_of(person)
        if not own and self.terms.watchers == "nobody":
            raise Problem(403, "no-watchers")
        if not own and self.terms.delay and not self.over:
            raise Problem(403, "delayed")  # it may go on from where it stands, which watchers were not to see yet
        if name is None:
            return (own or [SPECTATOR])[0]
        side = self.game.side_named(name)
        if side == SPECTATOR or side in own or self.over:
            return side
        raise Problem(403, "not-your-seat", side=name)

    # Telling

    def state(self, person: Person, side: Side, lang: str, at: int | None = None) -> Json:
        """A `state` message that cannot be answered."""
        most = len(self.actions)
        if at is not None and not 0 <= at <= most:
            raise Problem(422, "bad-entry", most=most)
        now = most if at is None else at
        view = chronicle.view_at(self.parts, self.game.side_name(side), min(now, self.told)) if self.parts else None
        result = self.parts[-1][2]["results"].get(lang) if self.parts and at is None else None
        waiting = [] if self.over or not self.parts else self.parts[-1][2]["waiting"]
        message: Json = {
            "type": "state",
            "as": self.game.side_name(side),
            "version": self.row["version"],
            "view": view or {"game": self.game.name, "side": self.game.side_name(side), "waiting": waiting},
            "log": self.log(side, lang, max(0, now - LOG_LINES), now),
            "opening": [],
            "commitment": self.header.commitment,
            "digest": self.actions[now - 1].chain if now else self.parts[0][2]["chain0"] if self.parts else "",
            "legal": [],
            "prompt": {"waiting": waiting, "decision": None, "rule": "", "text": ""},
            "can_undo": False,
            "can_redo": False,
            "salted": 0,
            "result": result,
        }
        return message | ({} if at is None else {"at": at}) | self.around(person)

    @property
    def told(self) -> int:
        """The last entry that the chronicle tells of."""
        return self.parts[-1][1] if self.parts else 0

    def around(self, person: Person) -> Json:
        """What stands around the board."""
        shares = [asdict(share) for share in self.header.shares]
        own = self.sides_of(person)
        return {
            "table": self.id,
            **entitled(self.row["title"], self.game.name, self.header.scenario),
            "game": self.game.name,
            "scenario": self.header.scenario,
            "options": self.header.options,
            "seats": self.seats_json(),
            "mine": [self.game.side_name(side) for side in own],
            "chat": self.chat[-100:] if own or self.terms.chat == "all" else [],
            "clock": {},
            "offers": [],
            "actions": len(self.actions),
            "seed": self.header.seed if self.over else None,
            "next_table": self.row["next_table"],
            "dice": {"step": "made", "id": self.header.id, "commitment": self.header.commitment, "shares": shares},
            "mark": self.header.mark,
            "origin": self.header.origin,
            "terms": asdict(self.terms),
            "owner": False,
            "old": {
                "theirs": self.header.rules,
                "ours": self.game.version,
                "over": self.over,
                "views": bool(self.parts),
                "can_continue": self.can_continue(),
                "agreed": [self.game.side_name(side) for side in self.agreed],
            },
        }

    def seats_json(self) -> list[Json]:
        """The seats; nobody is counted as present."""
        return [
            {
                "side": self.game.side_name(seat.side),
                "kind": seat.kind,
                "name": seat.level if seat.kind == "ai" else seat.name,
                "online": seat.kind == "ai",
            }
            for seat in self.seats
        ]

    def summary(self, person: Person) -> Json:
        """One line of the lobby, with more."""
        facts: Json = {"waiting": [], "turn": None} | json.loads(self.row["lobby"])
        card = facts | {"id": self.id, "over": self.over, "version": self.row["version"], "stage": "", "admitted": True}
        return card | {"commitment": self.header.commitment} | self.around(person)

    def log(self, side: Side, lang: str, since: int, until: int) -> list[Json]:
        """Lines of the log: as they were told, or what the bare log says."""
        narrator = narrator_for(self.game.name, lang)

        def narrate(line: Json) -> Json:
            events = [facts | {"text": self._words(narrator, facts)} for facts in line["events"]]
            text = {"text": narrator.action((line["verb"], line["target"]))} if "verb" in line else {}
            return line | {"events": events} | text

        known = chronicle.log_of(self.parts, self.game.side_name(side), lang, narrate)
        return [known.get(n) or self._bare(n, side, lang) for n in range(since + 1, until + 1)]

    def _words(self, narrator: Narrator, facts: Json) -> str:
        """The sentence of an event; the present texts may have none for it any more."""
        try:
            return narrator.happening(facts)
        except (GrognardError, LookupError, ValueError, TypeError):
            return f"{facts['kind']} ({facts['rule']})"

    def _bare(self, n: int, side: Side, lang: str) -> Json:
        """An entry of which nothing but the action was kept; what others did stays theirs until the end."""
        entry = self.actions[n - 1]
        line: Json = {"n": n, "side": "*" if entry.side == TABLE else self.game.side_name(entry.side), "events": []}
        if self.over or entry.side in (side, TABLE):
            text = narrator_for(self.game.name, lang).action((entry.verb, entry.target))
            line |= {"verb": entry.verb, "target": entry.target, "text": text}
        return line

    def file(self, side: Side) -> GameFile:
        """The game file as it would have been written."""
        name = self.game.side_name(side)
        header = header_text(self.header, withheld=side != REFEREE)
        lines: list[Line] = []
        opening: list[str] = []
        for start, _, part in self.parts:
            told = part["sides"][name]
            opening = opening or told["opening"]
            lines += [Line(**line) for line in told["file"]][max(0, len(lines) - start) :]
        for n in range(len(lines) + 1, len(self.actions) + 1):
            bare, entry = self._bare(n, side, "en"), self.actions[n - 1]
            chain = entry.chain if side == REFEREE else "-"
            whole = side == REFEREE
            verb, target = (entry.verb, entry.target) if whole else (bare.get("verb", "?"), bare.get("target", ""))
            lines.append(Line(bare["side"], verb, target, [], chain, entry.salt))
        draws = self.parts[0][2]["sides"][name]["opening_draws"] if self.parts else ""
        return GameFile(header, opening, lines, draws)

    # Going on

    def can_continue(self) -> bool:
        """True if the present rules accept the position."""
        if self.over or self.row["next_table"]:
            return False
        try:
            self.position()
        except (GrognardError, LookupError, ValueError, TypeError):
            return False
        return True

    def position(self) -> State:
        """The last position, as the present rules read it."""
        if not self.parts:
            raise Problem(409, "cannot-go-on")
        _, upto, part = self.parts[-1]
        s: State = load_leniently(self.game, part["position"])
        session = Session(self.game, self.taken_up(s, "probe"))
        for entry in self.actions[upto:]:  # a few that were not written down before the program was changed
            intake.take(session, entry.side, (entry.verb, entry.target), "")
        s = session.state
        if s.outcome or not s.waiting or self.game.problems(s):
            raise Problem(409, "cannot-go-on")
        if not all(self.game.legal(s, side) for side in s.waiting):
            raise Problem(409, "cannot-go-on")
        return s

    def taken_up(self, s: State, seed: str) -> Header:
        """The header of the game that goes on."""
        options = {name: value for name, value in self.header.options.items() if self._knows(name, value)}
        start = json.dumps(s.to_json() | {"seed": "", "loaded": []}, separators=(",", ":"))
        origin = f"{self.header.id} {len(self.actions)} rules {self.header.rules}"
        more = {"start": start, "origin": origin, "mark": self.header.mark, "dice": self.header.dice}
        new = Session.new(
            self.game, self.header.scenario, options, seed=seed, game_id=secrets.token_urlsafe(9), title="", **more
        )
        return new.header

    def _knows(self, name: str, value: str) -> bool:
        return any(option.name == name and value in option.choices for option in self.game.options)

    def clock(self) -> Json:
        """The time that is left."""
        clock = Clock(**json.loads(self.row["clock"]))
        clock.since = 0.0
        return clock.to_json()


def load_leniently(game: Game[Any], data: Json) -> State:
    """A position of earlier rules: what is new stands at its start value, what is gone is left out."""
    scenario, options = str(data["scenario"]), dict(data["options"])
    known = {name: data.get(name, value) for name, value in game.blank(scenario).to_json().items()}
    kept = {option.name: options[option.name] for option in game.options if options.get(option.name) in option.choices}
    settled = [list(pair) for pair in game.resolve_options(kept, scenario)]
    s: State = game.load(known | {"frames": data["frames"], "options": settled})
    return s


def consents(store: Store, table_id: str) -> list[Side]:
    """Who has agreed to go on."""
    with store.engine.connect() as db:
        query = sa.select(CONSENTS.c.side).where(CONSENTS.c.table_id == table_id).order_by(CONSENTS.c.side)
        return list(db.execute(query).scalars())


def consent(store: Store, table_id: str, sides: list[Side], *, agree: bool) -> None:
    """Agree, or think again."""
    with store.writing() as db:
        mine = (CONSENTS.c.table_id == table_id) & CONSENTS.c.side.in_(sides)
        db.execute(CONSENTS.delete().where(mine))
        if agree:
            db.execute(CONSENTS.insert(), [{"table_id": table_id, "side": side} for side in sides])
