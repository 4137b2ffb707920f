"""Options: rules that can be switched. Declared once, with the rule, the tier and what they need or exclude.

A switch changes behaviour in one place, which cites its rule and asks `is_on` or `option`: a dictionary look-up. The
values of a game are fixed at its set-up; a file that does not know an option has its default.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from .errors import GrognardError, UnknownName
from .record import State

OFF = "off"


@dataclass(frozen=True)
class Option:
    """A rule that can be switched: its name, its rule id, its values, the one we play by default.

    `covers` are further rule ids that come and go with it; `tier` is the part of the rulebook it belongs to; an option
    that is not off needs those in `needs` not off and those in `excludes` off.
    """

    name: str
    rule: str
    choices: tuple[str, ...] = (OFF, "on")
    default: str = OFF
    tier: str = ""
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()


class OptionConflict(GrognardError):
    """Two options that do not go together: which, by what rule, and the way out."""

    def __init__(self, option: Option, other: str, needs: bool) -> None:
        way = f"switch {other} on too, or leave {option.name} off" if needs else "leave one of them off"
        verb = "needs" if needs else "does not go with"
        super().__init__(f"option {option.name} ({option.rule}) {verb} option {other}; {way}")
        self.option, self.rule, self.other, self.needs = option.name, option.rule, other, needs


def option(s: State, name: str) -> str:
    """The value of an option in this game, by its name or by a rule that it covers."""
    try:
        return s.chosen[name]
    except KeyError:
        raise UnknownName("option", name, s.chosen) from None


def is_on(s: State, name: str) -> bool:
    """True if an option, or the one that covers this rule, is `on`."""
    try:
        return s.chosen[name] == "on"
    except KeyError:
        raise UnknownName("option", name, s.chosen) from None


def chosen_from(options: Iterable[Option], values: Mapping[str, str]) -> dict[str, str]:
    """The table that `option` and `is_on` look things up in: by name, and by each rule that an option covers.

    Of two options that cover the same rule the first counts: a chapter before the reading of one of its lines.
    """
    table: dict[str, str] = {}
    options = tuple(options)
    for o in reversed(options):
        value = values.get(o.name, o.default)
        table |= dict.fromkeys((o.rule, *o.covers), value)
    return table | {o.name: values.get(o.name, o.default) for o in options}


def set_options(s: State, options: Iterable[Option], values: Mapping[str, str], named: Container[str] = ()) -> None:
    """Give a position its options: the table to look them up in, and in the position itself those that were named.

    What nobody named and is at its default is not part of the position: a switch that is added later leaves the
    digests of every game without it alone, and a file of then, which names all that it knew, has its own again.
    """
    options = tuple(options)
    s.chosen = table = chosen_from(options, values)
    s.options = tuple((o.name, table[o.name]) for o in options if o.name in named or table[o.name] != o.default)


def conflict(options: Iterable[Option], values: Mapping[str, str]) -> OptionConflict | None:
    """The first pair of values that do not go together."""
    for o in options:
        if values[o.name] == OFF:
            continue
        for other in o.needs:
            if values[other] == OFF:
                return OptionConflict(o, other, needs=True)
        for other in o.excludes:
            if values[other] != OFF:
                return OptionConflict(o, other, needs=False)
    return None


def settled(options: Iterable[Option], values: Mapping[str, str]) -> dict[str, str]:
    """The same values with those off that do not go together with others: for options drawn by lot."""
    options, out = tuple(options), dict(values)
    whole = {o.name: out.get(o.name, o.default) for o in options}
    while (found := conflict(options, whole)) is not None:
        out[found.option] = whole[found.option] = OFF
    return out
