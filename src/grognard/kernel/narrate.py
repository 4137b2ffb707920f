"""From events, refusals and actions to sentences, for one reader in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from string import Formatter
from typing import Any

from .errors import Refusal
from .events import Event
from .flow import Order
from .game import Game, Result
from .record import REFEREE, Side
from .rulebook import rulebook
from .texts import counted, plain, texts_for

SIDE_FACTS = ("side", "winner", "owner", "holder", "by")  # facts that hold the number of a side
PLACE_FACTS = ("hex", "place", "start", "whence")  # facts that hold a hex
VERB_FACTS = ("verb", "verbs")  # facts that hold what can be typed
DIE_FACTS = ("die", "dice", "face", "coloured", "white")  # facts by which a sentence tells what was rolled


AMOUNT = re.compile(r" [+-]\d+")  # the amount that many a modifier has in its title
TABLE_NOTES = ("resign", "draw")  # ways to end that no rulebook knows
HIDDEN = re.compile(r"#\d+")  # a hidden unit's name: its token
IN_BRACKETS = re.compile(r" \[[^\]]*\]")
ROLL = "roll"  # the kind of event that every die makes
FIRST_WORD = re.compile(r"(?:l[ae] |[ls]['’])?([^\W\d_]{3,}(?:-[^\W\d_]+)*)")  # of what a verb does, pronouns left out


class Narrator:
    """Puts what happened into words."""

    def __init__(self, game: Game[Any], lang: str) -> None:
        self.game, self.lang = game, lang
        self.texts = texts_for(game.name, lang)
        self.looks: tuple[Any, Side] | None = None  # a position and who looks at it

    def looking_at(self, s: Any, side: Side) -> Narrator:
        """One that tells hidden units as this side sees them on the table: by their backs, or as it remembers them."""
        if self.game.fog is None:
            return self
        other = Narrator(self.game, self.lang)
        other.looks = s, side
        return other

    def _stranger(self, token: str) -> str:
        """A hidden unit that is on the table, by its token; empty where there is nothing to say of it."""
        if self.looks is None or not HIDDEN.fullmatch(token):
            return ""
        s, side = self.looks
        assert self.game.fog is not None
        unit = self.game.fog.bearer(s, int(token[1:]))
        known = side == REFEREE or self.game.fog.knows(s, side, unit) or not self.game.shows(s, side, unit)
        return "" if known else self.game.stranger(s, side, unit, Narrator(self.game, self.lang).say)

    def say(self, key: str, /, **facts: Any) -> str:
        """A sentence by its key."""
        return self.texts.say(key, **{name: self._fact(name, value) for name, value in facts.items()})

    def side(self, side: Side) -> str:
        """A side's name."""
        name = self.game.side_name(side)
        return self.texts.find(f"side.{name}") or name

    def ending(self, result: Result) -> str:
        """How the game ended, with its rule; what the players agreed among themselves has none."""
        level = self.texts.find(f"level.{result.level}") or result.level
        agreed = "-agreed" if result.rule in TABLE_NOTES else ""
        if result.winner is None:
            return self.say(f"play.draw{agreed}", rule=result.rule)
        return self.say(f"play.won{agreed}", winner=self.side(result.winner), level=level, rule=result.rule)

    def event(self, event: Event, reader: Side = REFEREE) -> str:
        """What happened, as this reader may hear it."""
        return self.happening(event.to_json(reader))

    def happening(self, facts: dict[str, Any]) -> str:
        """The sentence of an event that is already plain data for one reader."""
        said = {name: self._fact(name, value) for name, value in facts.items() if name not in ("kind", "rule")}
        sentence = self.texts.say(f"event.{facts['kind']}", **said)
        return f"{sentence} ({facts['rule']})"

    def told(self, events: Iterable[dict[str, Any]]) -> list[str]:
        """The sentences of one entry's events: dice once, rolls under one rule together."""
        listed = list(events)
        told_later = self.rolls_said(listed)
        kept = [facts for number, facts in enumerate(listed) if number not in told_later]
        sentences = []
        for rule, run in groupby(kept, key=lambda facts: facts["rule"] if facts["kind"] == ROLL else None):
            if rule is None:
                sentences += [self.happening(facts) for facts in run]
            else:
                rolls = list(run)
                sentences.append(self.happening(rolls[0] | {"dice": [die for facts in rolls for die in facts["dice"]]}))
        return sentences

    def rolls_said(self, events: Sequence[dict[str, Any]]) -> set[int]:
        """Which of these events are rolls whose dice the sentence of a later one tells."""
        found: set[int] = set()
        if not any(facts["kind"] == ROLL for facts in events):
            return found
        for number, facts in enumerate(events):
            dice = [] if facts["kind"] == ROLL else self._dice_in(facts)
            for before in reversed([n for n in range(number) if events[n]["kind"] == ROLL and n not in found]):
                thrown = list(events[before]["dice"])
                if dice and dice[-len(thrown) :] == thrown:
                    found.add(before)
                    del dice[-len(thrown) :]
                elif not dice or events[before]["rule"] != facts["rule"]:
                    break  # the last dice are another matter's
        return found

    def _dice_in(self, facts: dict[str, Any]) -> list[int]:
        """The dice that an event's sentence tells, in the order of the sentence."""
        kind = facts["kind"]
        sentence = self.texts.find(f"event.{kind}") or ""
        names = [name for _, name, _, _ in Formatter().parse(sentence) if name in DIE_FACTS]
        if not kind.startswith("die"):
            names = [name for name in names if name != "face"]  # elsewhere the face that is wanted
        values = [facts.get(name) for name in names]
        return [die for v in values for die in (v if isinstance(v, list | tuple) else [v]) if isinstance(die, int)]

    def refusal(self, refusal: Refusal) -> str:
        """Why not, with the rule."""
        return f"{self.say(f'refusal.{refusal.reason}', **refusal.data)} ({refusal.rule})"

    def action(self, action: Order) -> str:
        """An action as a person would say it."""
        verb, target = action
        sentence = self.texts.find(f"verb.{verb}") or f"{verb} {{target}}"
        name = self.texts.find(f"called.{verb}.{target}") or self.target(target)  # a verb may have its own word for it
        return sentence.format_map({"target": f"{name} [{target}]" if name else target}).strip()

    def deed(self, action: Order) -> str:
        """An action that was done, for a log: as `action`, by names alone where things have names."""
        return IN_BRACKETS.sub("", self.action(action))

    def word(self, verb: str, verbs: Iterable[str] = ()) -> str:
        """What people type for a verb: the game's word in this language, or the first word of what the verb does.

        A word that two of `verbs` would share stands for neither: then it is the verb itself.
        """
        own = self.texts.find(f"order.{verb}")
        if own or self.lang == "en":
            return own or verb.replace("_", "-")
        word = self._first_word(verb)
        others = {plain(self.texts.find(f"order.{v}") or self._first_word(v)) for v in verbs if v != verb}
        return verb if plain(word) in others else word

    def _first_word(self, verb: str) -> str:
        found = FIRST_WORD.match(self.texts.find(f"verb.{verb}") or "")
        return found[1] if found else verb

    def words(self, verbs: Iterable[str]) -> dict[str, str]:
        """What can be typed for each of some verbs, without accents; the verbs themselves are always understood."""
        listed = list(verbs)
        return {plain(self.word(v, listed)): v for v in listed} | {plain(v): v for v in listed}

    def order(self, action: Order, verbs: Iterable[str] = ()) -> str:
        """An action as it can be typed."""
        return f"{self.word(action[0], verbs)} {action[1]}".strip()

    def target(self, target: str) -> str:
        """What people call the target of an action; empty where they call it nothing else."""
        name = (
            self._stranger(target) or self.game.noun(target, self.lang) or str(self.texts.name(target))
            if target
            else ""
        )
        return "" if name == target else name

    def prompt(self, s: Any) -> str:
        """What the table is waiting for."""
        decision = self.game.decision(s)
        if decision is None:
            return ""
        return self.say(f"decision.{decision.wording(s, s.frames[-1])}", **decision.asks(s, s.frames[-1]))

    def _fact(self, name: str, value: Any) -> Any:
        if name in SIDE_FACTS and isinstance(value, int) and -3 < value < len(self.game.sides):
            return self.side(value)
        if name in VERB_FACTS:
            verbs = [value] if isinstance(value, str) else list(value)
            return ", ".join(self.word(verb, verbs) for verb in verbs)
        if isinstance(value, list | tuple) and not value and (nobody := self.texts.find(f"empty.{name}")):
            return nobody
        if isinstance(value, list | tuple) and any(isinstance(v, list | tuple) for v in value):
            return ", ".join(counted([self._item(item) for item in value]))
        if isinstance(value, list | tuple):
            return [self._stranger(v) or v if isinstance(v, str) else v for v in value]
        if isinstance(value, str) and (stranger := self._stranger(value)):
            return stranger
        if isinstance(value, str) and (noun := self.game.noun(value, self.lang)):
            return f"{noun} ({value})" if name in PLACE_FACTS else noun
        return value

    def _item(self, item: Any) -> str:
        """One entry of a list of lists: a rule and its modifier by the rule's title, anything else word by word."""
        cited = rulebook(self.game.name).get(item[0]) if len(item) == 2 and isinstance(item[1], int) else None
        if cited is None:
            return " ".join(str(self.texts.name(v)) for v in item)
        return f"{AMOUNT.sub('', cited.in_language(self.lang)[0])} {item[1]:+d}"
