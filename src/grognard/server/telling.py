"""What the people at a table are told, and how it reaches them; and the other servers that show the same table."""

from __future__ import annotations

from dataclasses import asdict

from grognard.kernel.record import Side
from grognard.server.errors import Problem
from grognard.server.lobby import lobby_facts
from grognard.server.messages import (
    Json,
    difference,
    encode,
    past_message,
    shared_part,
    state_message,
    update_message,
)
from grognard.server.people import Person
from grognard.server.standing import Standing, Watcher
from grognard.server.titles import entitled

MOST_CHAT = 100  # lines that a table remembers


class Telling(Standing):
    """A table that speaks."""

    def letters(self, version: int, since: int) -> list[tuple[Watcher, bytes]]:
        """For every watcher what is new at a version, if it knows so many entries; one message per audience."""
        known, self.views = self.views, {}
        undone = len(self.session.entries) <= since
        said: dict[tuple[Side, str, bool], bytes] = {}
        common: dict[str, tuple[Json, dict[bytes, str]]] = {}  # by language: what all are told, sentences so far
        letters = []
        for watcher in self.watchers:
            acting = self.acting(watcher.person, watcher.side)
            side, lang, _ = audience = watcher.side, watcher.lang, acting
            if undone or side not in known or self.delay_for(watcher.person):
                letters.append((watcher, self.state_for(watcher, version)))
                continue
            if lang not in common:
                common[lang] = self.for_everybody(lang, version), {}
            if audience not in said:
                said[audience] = encode(self.update(side, lang, acting, known[side], since, *common[lang]))
            letters.append((watcher, said[audience]))
        return letters

    def take_over(self, old: Telling) -> None:
        """Those who looked at an object that was thrown away look at this one, and see where it really stands."""
        self.watchers, self.sockets = old.watchers, old.sockets
        for watcher in list(self.watchers):
            watcher.send(self.state_for(watcher, self.version))

    def broadcast_offers(self) -> None:
        """Takebacks asked and draws offered."""
        for message in self.offers():
            self.tell_all(message)

    # To everybody

    def tell_dice(self) -> None:
        """How far the dice are, to everybody."""
        self.tell_all({"type": "dice", "dice": self.dice_json(), "seats": self.seats_json()})

    def tell_seats(self) -> None:
        """Who sits where, to everybody here; and how far the dice are, while they are made."""
        told = {"type": "dice", "dice": self.dice_json()} if self.stage else {"type": "presence"}
        self.tell_all(told | {"seats": self.seats_json()}, relay=False)

    def tell_states(self) -> None:
        """Everything, to everybody."""
        for watcher in list(self.watchers):
            watcher.send(self.state_for(watcher, self.version))

    def tell_chat(self, message: Json) -> None:
        """A line of chat, to those who may read it."""
        self._say_chat(message)
        self.pass_on({"said": self.id, "message": message})

    def _say_chat(self, message: Json) -> None:
        text = encode(message)
        for watcher in list(self.watchers):
            if self.may_chat(watcher.person):
                watcher.send(text)

    def tell_all(self, message: Json, relay: bool = True) -> None:
        """The same message for everybody; `relay`: at other servers too."""
        text = encode(message)
        for watcher in list(self.watchers):
            watcher.send(text)
        if relay:
            short = {"type": "dice"} if message["type"] == "dice" else message
            self.pass_on({"told": self.id, "message": short})

    def tell_presence(self) -> None:
        """Who is here, to everybody, if it has changed: who watches anew all the time is no news."""
        present = frozenset(self.present)
        if present == self.told_present:
            return
        self.told_present = present
        self.tell_all({"type": "presence", "seats": self.seats_json()}, relay=False)
        self.pass_on({"seen": self.id, "people": sorted({watcher.person.id for watcher in self.watchers})[:200]})

    def add_chat(self, line: Json) -> None:
        """Remember a line of chat, and forget the oldest; the store has them all."""
        self.chat.append(line)
        del self.chat[:-MOST_CHAT]

    def hear_chat(self, message: Json) -> None:
        """A line that was said at another server."""
        line = {key: message[key] for key in ("n", "author", "text", "at")}
        if line["n"] == (self.chat[-1]["n"] if self.chat else 0) + 1:
            self.add_chat(line)
        self._say_chat(message)

    def pass_on(self, message: Json) -> None:
        """Tell the other servers that show this table."""
        if self.relay is not None:
            self.relay(message)

    # What is told

    def state_for(self, watcher: Watcher, version: int) -> bytes:
        """The whole table for one watcher."""
        return encode(self.state(watcher.person, watcher.side, watcher.lang, version))

    def state(self, person: Person, side: Side, lang: str, version: int, at: int | None = None) -> Json:
        """The whole table from a side, now or as it was; for watchers as late as the terms want it."""
        entries, delay = len(self.session.entries), self.delay_for(person)
        if at is not None or delay:
            latest = max(0, entries - delay)
            if at is not None and not 0 <= at <= latest:
                raise Problem(422, "bad-entry", most=latest)
            message = past_message(self.session, side, lang, version, latest if at is None else at)
            if at is None:
                del message["at"]
            return message | self.around(person)
        message = state_message(self.session, side, lang, version, self.view(side), self.acting(person, side))
        if self.stage:
            message["prompt"] = {"waiting": [], "decision": None, "rule": "", "text": ""}
        return message | self.around(person)

    def update(
        self, side: Side, lang: str, acting: bool, known: Json, since: int, shared: Json, said: dict[bytes, str]
    ) -> Json:
        """What changed since a side knew this view and so many entries of the log."""
        changed = difference(known, self.view(side))
        return update_message(self.session, side, lang, acting, changed, since, shared, said)

    def for_everybody(self, lang: str, version: int) -> Json:
        """The part of an update that is the same for all who read a language."""
        part = shared_part(self.session, lang)
        part["version"], part["clock"] = version, self.clock.for_clients(self.uptime())
        if self.session.result is not None:
            part["seed"] = self.session.header.seed
        return part

    def around(self, person: Person) -> Json:
        """What stands around the board."""
        game = self.session.game
        return {
            "table": self.id,
            **entitled(self.title, game.name, self.session.header.scenario),
            "game": game.name,
            "scenario": self.session.header.scenario,
            "options": self.session.header.options,
            "seats": self.seats_json(),
            "mine": [game.side_name(side) for side in self.sides_of(person)],
            "chat": self.chat if self.may_chat(person) else [],
            "clock": self.clock.for_clients(self.uptime()),
            "offers": self.offers(),
            "actions": len(self.session.entries),
            "seed": self.session.header.seed if self.session.result is not None else None,
            "next_table": self.next_table,
            "dice": self.dice_json(),
            "mark": self.session.header.mark,
            "origin": self.session.header.origin,
            "terms": asdict(self.terms),
            "owner": bool(self.owner) and self.owner == person.id,
        }

    def summary(self, person: Person) -> Json:
        """One line of the lobby."""
        game = self.session.game
        return {
            "id": self.id,
            **entitled(self.title, game.name, self.session.header.scenario),
            "game": game.name,
            "scenario": self.session.header.scenario,
            "seats": self.seats_json(),
            "mine": [game.side_name(side) for side in self.sides_of(person)],
            "over": self.session.result is not None,
            "version": self.version,
            "stage": self.stage,
            "mark": self.session.header.mark,
        } | lobby_facts(self.session, self.owing())
