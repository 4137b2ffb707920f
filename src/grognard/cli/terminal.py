"""Terminal play: the situation in text, numbered legal actions, every action typeable, every refusal explained."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

from grognard.ai import Seat, player_named
from grognard.ai.advice import advise
from grognard.cli.screen import odds_text, situation
from grognard.cli.seats import HUMAN
from grognard.kernel.dice import WrongDie
from grognard.kernel.errors import GameFileError, GrognardError, IllegalAction, UnknownName
from grognard.kernel.flow import Order
from grognard.kernel.gamefile import save
from grognard.kernel.narrate import Narrator
from grognard.kernel.record import REFEREE, Side
from grognard.kernel.rulebook import Rule, find_rule, rulebook
from grognard.kernel.session import UNTOLD, Session
from grognard.kernel.texts import error_text, plain

MOST_LISTED = 60
SHORT_RUN = 8  # actions of one verb that get a line each
SCREEN = 96  # columns
CLEAR = "\n" * 60
YES = ("yes", "y", "oui", "o")
LEAVE = ("quit", "exit", "q")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_FACES = 100


class Numbers:
    """The numbers of a list of actions: each keeps its meaning while the decision lasts, whatever interrupts it."""

    def __init__(self) -> None:
        self.lists: dict[int, tuple[tuple[Any, ...], dict[Order, int]]] = {}  # by depth of the frame that asks
        self.now: dict[Order, int] = {}

    def decide(self, s: Any, side: Side) -> None:
        """A side is about to decide: a decision of deeper frames is over, and so is another at the same place."""
        depth = len(s.frames)
        self.lists = {d: kept for d, kept in self.lists.items() if d <= depth}
        frame = s.frames[-1]
        asks = (side, frame.sequence_name, frame.at())
        if depth not in self.lists or self.lists[depth][0] != asks:
            self.lists[depth] = (asks, {})
        self.now = self.lists[depth][1]

    def give(self, legal: list[Order]) -> None:
        """Number what has no number yet."""
        for action in legal:
            self.now.setdefault(action, len(self.now) + 1)

    def of(self, action: Order) -> int:
        """The number of an action that has one."""
        return self.now[action]

    def action(self, number: int, legal: list[Order]) -> Order | None:
        """The legal action that a number means; None if it means none, or none that is still possible."""
        return next((action for action in legal if self.now.get(action) == number), None)


class Terminal:
    """One table in one terminal."""

    def __init__(
        self,
        session: Session,
        path: Path,
        seats: tuple[str, ...],
        lang: str,
        source: TextIO,
        echo: Callable[[str], Any],
    ) -> None:
        self.session, self.path, self.seats = session, path, seats
        self.source, self.echo = source, echo
        self.game = session.game
        self.narrator = Narrator(self.game, lang)
        self.lang = lang
        self.players = [None if seat == HUMAN else player_named(seat) for seat in seats]
        self.humans = [side for side in self.game.playing(session.state) if seats[side] == HUMAN]
        self.reader: Side | None = None  # who is looking at the screen
        self.told = [len(session.entries)] * len(seats)  # entries that each side has read
        self.warned = False  # somebody wanted to quit and could not be promised that nothing is lost
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "why": self.why,
            "undo": self.undo,
            "redo": self.redo,
            "takeback": self.takeback,
            "save": self.save_as,
            "log": self.log,
            "rules": self.rules,
            "odds": self.odds,
            "hint": self.hint,
            "map": self.map,
            "all": self.all,
            "dice": self.dice,
            "resign": self.resign,
            "help": self.help,
        }
        self.called = {plain(self.narrator.say(f"command.{name}")): name for name in (*self.commands, "quit", "off")}
        self.numbers = Numbers()

    # The loop

    def run(self) -> None:
        """Play until the end, or until somebody quits; nothing is lost either way."""
        self.say("welcome", file=self.path, commitment=self.session.header.commitment[:16])
        while self.session.result is None:
            side = self._next_side()
            player = self.players[side]
            self.numbers.decide(self.session.state, side)
            if player is not None:
                self._let_play(side, player)
            elif not self._ask(side):
                return
        self._end()

    def _let_play(self, side: Side, player: Any) -> None:
        """The computer acts. Typed dice that its roll cannot show are put away; it rolls the program's own."""
        s = self.session.state
        choice = player.choose(Seat(self.game, s, side, self.session.luck(side)))
        action = self.game.write(s, side, choice.action)
        motive = None if self.game.fog else self.game.motive(s, side, choice.action)  # in fog it would tell too much
        try:
            self._act(side, action)
            if motive is not None and self.humans:
                why = self.narrator.say(f"motive.{motive[0]}", **motive[1])
                self.say("because", who=self.narrator.side(side), what=self.narrator.action(action), why=why)
        except WrongDie as error:
            self._explain(error)
            self.session.type_dice(())
            self.say("dice-away")
            self._act(side, action)
        except GameFileError as error:
            self._explain(error)

    def _leave(self, asked: bool) -> bool:
        """Save once more and go; where that fails, say so and stay, unless nobody is there or quit is said twice."""
        try:
            save(self.session, self.path)
        except GameFileError as error:
            self._explain(error)
            self.say("unsafe", file=self.path)
            if asked and not self.warned:
                self.warned = True
                return False
        else:
            self.say("bye", file=self.path)
        return True

    def _next_side(self) -> Side:
        """The reader goes on if it can, so that the curtain falls as seldom as possible."""
        actors = self.game.actors(self.session.state)
        return self.reader if self.reader in actors else actors[0]

    def _ask(self, side: Side) -> bool:
        """Show a person the table and carry out one command; False to leave."""
        if self.reader != side:
            began = self.reader is not None or bool(self.session.entries)  # at the very start nothing is to be hidden
            if began and len(self.humans) > 1 and not self._curtain(side):
                return not self._leave(asked=False)
            self.reader = side
            self.map([])
        self._tell_news(side)
        legal = self.game.orders(self.session.state, side)
        rule = self.session.state.frames[-1].at()
        self.echo("")
        self.say("says", who=self.narrator.side(side), what=f"{self.narrator.prompt(self.session.state)} [{rule}]")
        self.numbers.give(legal)
        self._list(legal[:MOST_LISTED])
        if len(legal) > MOST_LISTED:
            self.say("more", number=len(legal) - MOST_LISTED)
        line = self._read(f"{self.narrator.side(side)}> ")
        if line is None or self._command(line) in LEAVE:
            return not self._leave(asked=line is not None)
        try:
            self._obey(side, line, legal)
        except GrognardError as error:
            self._explain(error)
            if isinstance(error, WrongDie):
                self.say("dice-usage")
        return True

    def _command(self, line: str) -> str:
        """The command that a line begins with, by its name in English; what is no command stays as it is."""
        first = plain(line.split(maxsplit=1)[0]) if line.split() else ""
        return self.called.get(first, first)

    def _obey(self, side: Side, line: str, legal: list[Order]) -> None:
        words = line.split()
        if not words:
            return
        if words[0].isdigit() and len(words) == 1:
            action = self.numbers.action(int(words[0]), legal)
            if action is None:
                self.say("no-number", number=words[0])
                return
            self._act(side, action)
            return
        meant = self._meant(self._typed(words), legal)
        if meant not in legal and self._command(line) in self.commands:
            self.commands[self._command(line)](words[1:])
        else:
            self._act(side, meant)

    def _typed(self, words: list[str]) -> Order:
        """A verb by its word in the player's language, or by its own; and the target."""
        known = self.narrator.words(self._verbs)
        return known.get(plain(words[0]), words[0]), " ".join(words[1:])

    @property
    def _verbs(self) -> list[str]:
        decision = self.game.decision(self.session.state)
        return [] if decision is None else list(decision.verbs)

    def _meant(self, action: Order, legal: list[Order]) -> Order:
        """The legal action whose target people call so (a hex by its town, a marker by its name), if there is one."""
        if action in legal:
            return action
        verb, name = action
        called = [a for a in legal if a[0] == verb and plain(self.narrator.target(a[1])) == plain(name)]
        return called[0] if len(called) == 1 and name else action

    def _act(self, side: Side, action: Order) -> None:
        """Carry out an action, save, and tell those who look."""
        self.session.act(side, action)
        save(self.session, self.path)
        if self.reader is not None and self.players[side] is None:
            self._tell_news(self.reader)

    def _explain(self, error: Exception) -> None:
        refused = isinstance(error, IllegalAction)
        text = self.narrator.refusal(error.refusal) if refused else error_text(error, self.lang)  # type: ignore[attr-defined]
        self.echo(f"! {text}")

    def _end(self) -> None:
        result = self.session.result
        assert result is not None
        for reader in self.humans[:1] or [REFEREE]:
            self._tell_news(reader)
        self.echo(self.narrator.ending(result))
        self.say("revealed", seed=self.session.header.seed, file=self.path)

    # The screen

    def say(self, key: str, **facts: Any) -> None:
        """A sentence of the program's own."""
        self.echo(self.narrator.say(f"play.{key}", **{k: str(v) for k, v in facts.items()}))

    def _curtain(self, side: Side) -> bool:
        self.echo(CLEAR)
        self.say("curtain", side=self.narrator.side(side))
        line = self._read("")
        self.echo(CLEAR)
        return line is not None

    def _read(self, prompt: str) -> str | None:
        """One line, or None at the end of the input."""
        if self.source.isatty():
            try:
                return input(prompt)
            except (EOFError, KeyboardInterrupt):
                return None
        line = self.source.readline()
        return line.rstrip("\n") if line else None

    def _list(self, actions: list[Order]) -> None:
        """One action a line; a long run of the same verb side by side."""
        verbs = self._verbs
        numbered = [(self.numbers.of(action), action) for action in actions]
        for _, run in groupby(numbered, key=lambda item: item[1][0]):
            same = list(run)
            if len(same) <= SHORT_RUN:
                for number, action in same:
                    typed = self.narrator.order(action, verbs)
                    spoken = self.narrator.action(action)
                    self.echo(f"  {number:>3}. {typed}" + (f"   {spoken}" if spoken != typed else ""))
                continue
            names = [self.narrator.target(target) for _, (_, target) in same]
            cells = [
                f"{number:>3}. {self.narrator.order(action, verbs)}" + (f" - {name}" if name else "")
                for (number, action), name in zip(same, names)
            ]
            width = max(map(len, cells)) + 2
            across = max(1, SCREEN // width)
            for start in range(0, len(cells), across):
                self.echo("  " + "".join(cell.ljust(width) for cell in cells[start : start + across]).rstrip())

    def _tell_news(self, reader: Side) -> None:
        """What happened since this side last looked, as it may hear it: who did what, then what came of it.

        A line is headed by the side that chose; what dice, weather and rules then did has no head.
        """
        index = reader if reader >= 0 else 0
        narrator = self.narrator.looking_at(self.session.state, reader)
        for line in self.session.log_for(reader, self.told[index]):
            if "verb" in line and line["side"] in self.game.sides and line["target"] != UNTOLD:
                who = narrator.side(self.game.side_named(line["side"]))
                what = narrator.deed((line["verb"], line["target"]))
                self.echo("  " + narrator.say("play.says", who=who, what=what))
            for sentence in narrator.told(line["events"]):
                self.echo(f"    {sentence}")
        self.told[index] = len(self.session.entries)

    # The commands

    @property
    def _me(self) -> Side:
        assert self.reader is not None
        return self.reader

    def map(self, words: list[str]) -> None:
        """The situation, or what there is to say of one hex or unit."""
        if not words:
            self.echo(situation(self.game, self.session.state, self._me, self.narrator))
            return
        word = " ".join(words)
        told = self.game.about(self.session.state, self._me, word, self.narrator.say)
        self.echo(told) if told else self.say("nothing-known", word=word)

    def all(self, words: list[str]) -> None:
        """Every legal action."""
        legal = self.game.orders(self.session.state, self._me)
        self.numbers.give(legal)
        self._list(legal)

    def why(self, words: list[str]) -> None:
        """Why an action is not allowed."""
        if not words:
            self.say("why-usage")
            return
        legal = self.game.orders(self.session.state, self._me)
        refusal = self.game.why(self.session.state, self._me, self._meant(self._typed(words), legal))
        if refusal is None:
            self.say("allowed")
        else:
            self.echo(self.narrator.looking_at(self.session.state, self._me).refusal(refusal))
            self._show_rule(refusal.rule)

    def _show_rule(self, rule_id: str) -> None:
        try:
            rule = self._rule(rule_id)
        except UnknownName:
            return
        title, text = rule.in_language(self.lang)
        self.echo(f"  {rule.id} " + self.narrator.say("play.says", who=title, what=text))

    def rules(self, words: list[str]) -> None:
        """The text of a rule."""
        rule = self._rule(words[0] if words else self.session.state.frames[-1].at())
        title, text = rule.in_language(self.lang)
        self.echo(f"{rule.id} {title}\n{text}")

    def _rule(self, label: str) -> Rule:
        """A rule by its id or by the label of a row, which may have a letter more than its rule."""
        known = rulebook(self.game.name)
        return known.get(label) or known.get(label.rstrip(LETTERS)) or find_rule(self.game.name, label)

    def undo(self, words: list[str]) -> None:
        """Take the last action back."""
        self.session.undo(self._me)
        self.told = [min(n, len(self.session.entries)) for n in self.told]
        save(self.session, self.path)
        self.say("undone")

    def redo(self, words: list[str]) -> None:
        """Do it again."""
        self.session.redo(self._me)
        save(self.session, self.path)

    def takeback(self, words: list[str]) -> None:
        """Go back by so many entries of the log, dice and reveals included, if the other sides agree."""
        back = int(words[0]) if words and words[0].isdecimal() else 1
        self.session.ask_takeback(self._me, len(self.session.entries) - back)
        for side in self.game.playing(self.session.state):
            if side == self._me or self.session.takeback is None:
                continue
            self.say("takeback-ask", side=self.narrator.side(side), number=back)
            agrees = self.players[side] is not None or self._read("> ") in YES
            self.session.answer_takeback(side, agrees)
            self.say("takeback-yes" if agrees else "takeback-no", side=self.narrator.side(side))
        self.reader = None if len(self.humans) > 1 else self.reader
        save(self.session, self.path)

    def save_as(self, words: list[str]) -> None:
        """Save, here or in a new file elsewhere; a file that exists is never overwritten."""
        path = Path(" ".join(words)) if words else self.path
        if not str(path).isprintable():
            raise GameFileError("no-name", path=str(path))
        if path != self.path and os.path.lexists(path):
            self.say("exists", file=path)
            return
        save(self.session, path)
        self.say("saved", file=path)

    def log(self, words: list[str]) -> None:
        """The last actions, as this side may read them."""
        count = int(words[0]) if words and words[0].isdigit() else 20
        for line in self.session.log_for(self._me)[-count:]:
            said = self.narrator.deed((line["verb"], line["target"])) if "verb" in line else "?"
            known = line["side"] in self.game.sides
            who = self.narrator.side(self.game.side_named(line["side"])) if known else line["side"]
            self.echo(f"  {line['n']}. " + self.narrator.say("play.says", who=who, what=said))

    def odds(self, words: list[str]) -> None:
        """The chances of an action, where the game can tell."""
        if not words:
            self.say("odds-usage")
            return
        action = self._meant(self._typed(words), self.game.orders(self.session.state, self._me))
        refusal = self.game.why(self.session.state, self._me, action)
        if refusal is not None:
            self.echo(self.narrator.looking_at(self.session.state, self._me).refusal(refusal))
            return
        s = self.session.state
        odds = self.game.odds(s, self._me, self.game.read(s, self._me, action))
        if odds is None:
            self.say("no-odds")
        else:
            self.echo(self.game.odds_text(odds, self.narrator.texts.lang) or odds_text(odds, self.narrator))

    def hint(self, words: list[str]) -> None:
        """What the computer would do here, why, and how the game stands."""
        s, me = self.session.state, self._me
        advice = advise(self.game, s, me, self.session.luck(me))
        spoken = self.narrator.action(self.game.write(s, me, advice.action))
        why = self.narrator.say(f"motive.{advice.motive[0]}", **advice.motive[1]) if advice.motive else ""
        self.say("hint-why" if why else "hint", action=spoken, why=why)
        if advice.chance is not None:
            self.say("hint-chance", chance=advice.chance)

    def dice(self, words: list[str]) -> None:
        """Real dice, for the next rolls."""
        words = ["off"] if [self._command(word) for word in words] == ["off"] else words
        if words != ["off"] and (not words or not all(w.isdecimal() and 1 <= int(w) <= MOST_FACES for w in words)):
            self.say("dice-usage")
            return
        self.session.type_dice(() if words == ["off"] else map(int, words))
        save(self.session, self.path)
        if words == ["off"]:
            self.say("dice-away")
        else:
            self.say("dice-typed", dice=" ".join(words))

    def resign(self, words: list[str]) -> None:
        """Give up, after one question: the end shows everything and cannot be taken back."""
        self.say("resign-ask", side=self.narrator.side(self._me))
        if self._read("> ") not in YES:
            return
        self.session.resign(self._me)
        save(self.session, self.path)

    def help(self, words: list[str]) -> None:
        """The commands."""
        self.say("help")
