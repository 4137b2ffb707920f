"""From events, refusals and actions to sentences, for one reader in one language."""

from __future__ import annotations

import re
from typing import Any

from .errors import Refusal
from .events import Event
from .flow import Order
from .game import Game, Result
from .record import REFEREE, Side
from .rulebook import rulebook
from .texts import texts_for

SIDE_FACTS = ("side", "winner", "owner", "holder", "by")  # facts that hold the number of a side
PLACE_FACTS = ("hex", "place", "start", "whence")  # facts that hold a hex


AMOUNT = re.compile(r" [+-]\d+")  # the amount that many a modifier has in its title
TABLE_NOTES = ("resign", "draw")  # ways to end that no rulebook knows


class Narrator:
    """Puts what happened into words."""

    def __init__(self, game: Game[Any], lang: str) -> None:
        self.game, self.lang = game, lang
        self.texts = texts_for(game.name, lang)

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

    def refusal(self, refusal: Refusal) -> str:
        """Why not, with the rule."""
        return f"{self.say(f'refusal.{refusal.reason}', **refusal.data)} ({refusal.rule})"

    def action(self, action: Order) -> str:
        """An action as a person would say it."""
        verb, target = action
        sentence = self.texts.find(f"verb.{verb}") or f"{verb} {{target}}"
        name = self.target(target)
        return sentence.format_map({"target": f"{name} [{target}]" if name else target}).strip()

    def target(self, target: str) -> str:
        """What people call the target of an action; empty where they call it nothing else."""
        name = self.game.noun(target, self.lang) or str(self.texts.name(target)) if target else ""
        return "" if name == target else name

    def prompt(self, s: Any) -> str:
        """What the table is waiting for."""
        decision = self.game.decision(s)
        return "" if decision is None else self.say(f"decision.{type(decision).__name__}")

    def _fact(self, name: str, value: Any) -> Any:
        if name in SIDE_FACTS and isinstance(value, int) and -3 < value < len(self.game.sides):
            return self.side(value)
        if isinstance(value, list | tuple) and any(isinstance(v, list | tuple) for v in value):
            return ", ".join(self._item(item) for item in value)
        if isinstance(value, str) and (noun := self.game.noun(value, self.lang)):
            return f"{noun} ({value})" if name in PLACE_FACTS else noun
        return value

    def _item(self, item: Any) -> str:
        """One entry of a list of lists: a rule and its modifier by the rule's title, anything else word by word."""
        cited = rulebook(self.game.name).get(item[0]) if len(item) == 2 and isinstance(item[1], int) else None
        if cited is None:
            return " ".join(str(self.texts.name(v)) for v in item)
        return f"{AMOUNT.sub('', cited.in_language(self.lang)[0])} {item[1]:+d}"
