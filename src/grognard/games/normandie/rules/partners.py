"""Chapter 11a: three players. One commands the Germans, one the Americans, one the Anglo-Canadians.

The rules know two sides; at the table the Allied one may be played from two seats. Whatever concerns one stack, one
headquarters or one combat is decided by the player of its group. Where both armies have something to do (movement,
headquarters, aircraft, administration ...) the American player finishes first and then hands over; Offensive markers
are placed and moved in turn. The text only says who commands what: this order of deciding is our reading.
"""

from __future__ import annotations

from grognard.kernel import Action, Frame, rule

from .. import frames
from ..state import NormandieState as S
from ..world import ALLIED, AMERICAN, BRITISH, FB, GROUP
from .activation import counter_hqs
from .air import flights, ready
from .dday import SortieAttack, support_group
from .definitions import PARTNER, group_at, hqs_in, units_in

SEATS = (ALLIED, PARTNER)  # by group: American, Anglo-Canadian
BOTH = (AMERICAN, BRITISH)
CLOSING = ("done", "end", "ready", "no-more", "enough")  # verbs that end a decision in which both armies have a say


@rule("11a")
def rules_side(seat: int) -> int:
    """11a The side for which a seat plays: both Allied players are one side."""
    return ALLIED if seat == PARTNER else seat


@rule("11a")
def group_of_frame(s: S, c: Frame) -> int:
    """11a The army whose business the present sequence is, or -1 where both may have something to do."""
    if isinstance(c, frames.MoveStack):
        return GROUP[c.units[0]]
    if isinstance(c, frames.Landing | frames.Return | frames.MarkerMove):
        return GROUP[c.unit]
    if isinstance(c, frames.Barrage | frames.Mission):
        return c.group
    if isinstance(c, frames.LeaveBox):
        return GROUP[c.units[0]] if c.side == ALLIED else AMERICAN  # 4.1.2l the partisans listen to the Americans
    if isinstance(c, frames.Activation | frames.Exploitation):
        return GROUP[c.hq]
    if isinstance(c, frames.Combat):
        return _group_in_combat(s, c)
    if isinstance(c, frames.CounterAttack):
        hqs = [c.hq] if c.hq >= 0 else counter_hqs(s, c)
        return GROUP[hqs[0]] if hqs else AMERICAN
    return -1


def _group_in_combat(s: S, c: frames.Combat) -> int:
    """The Allied army in a combat: who attacks, or who is attacked or just driven off."""
    if c.side == ALLIED:
        units = [*c.attackers, *c.pool, *([c.hq] if c.hq >= 0 else ())]
    else:
        units = [*c.retreating, *units_in(s, c.target, ALLIED), *hqs_in(s, c.target, ALLIED), *c.driven]
    return GROUP[units[0]] if units else AMERICAN


def closes(c: Frame, action: Action) -> bool:
    """11a An action that ends a decision for its player."""
    return action[0] in CLOSING or (isinstance(c, frames.DDay) and action[0] == "land")


def groups_of(s: S, c: Frame, action: Action) -> tuple[int, ...]:
    """11a The armies whose player may take an action: the one concerned, or both (aircraft each his own, closing)."""
    verb, noun = action
    if closes(c, action):
        return BOTH
    if isinstance(c, frames.Opening) and verb == "place":
        return (GROUP[c.unit],)
    if verb == "zone":
        return tuple(group for group in BOTH if ready(s, FB, group))
    if verb == "box":
        return tuple(group for group in BOTH if any(ready(s, kind, group) for _, kind in flights(s, noun)))
    if isinstance(c, frames.DDay):
        return (GROUP[c.unit] if verb == "come-in" else support_group(noun),)
    if isinstance(c, frames.Sortie) and verb == "attack":
        return tuple(SortieAttack().armies(s, c, noun))
    return (GROUP[noun],)


def _done(s: S, c: Frame) -> int:
    """Bits of the armies whose player has finished the present decision."""
    return s.allies_done[2] if s.allies_done[:2] == (len(s.frames), c.row) else 0


@rule("11a")
def seat_for(s: S, legal: list[Action]) -> int:
    """11a Who of the two Allied players decides now: the one concerned; else the American first, markers in turn."""
    c = s.frames[-1]
    group = group_of_frame(s, c)
    if group < 0:
        group = s.ally_next if any(verb == "marker" for verb, _ in legal) else AMERICAN
        able = {g for action in legal if not closes(c, action) for g in groups_of(s, c, action)}
        if _done(s, c) >> group & 1 or (group not in able and 1 - group in able and not _done(s, c) >> 1 - group & 1):
            group = 1 - group
    return SEATS[group]


@rule("11a")
def own_actions(s: S, seat: int, legal: list[Action]) -> list[Action]:
    """11a What one of the Allied players may choose: only what concerns his own army."""
    c = s.frames[-1]
    if group_of_frame(s, c) >= 0:
        return legal
    group = group_at(seat)
    return [action for action in legal if group in groups_of(s, c, action)]


@rule("11a")
def hands_over(s: S, seat: int, action: Action, legal: list[Action]) -> bool:
    """11a True if this Allied player has finished a decision that his partner has still to make."""
    c, group = s.frames[-1], group_at(seat)
    if group_of_frame(s, c) >= 0:
        return False
    if not closes(c, action):
        if action[0] == "marker":
            s.ally_next = 1 - group
        return False
    bits = _done(s, c) | 1 << group
    waits = any(1 - group in groups_of(s, c, a) for a in legal if not closes(c, a))
    goes_on = waits and not bits >> 1 - group & 1
    s.allies_done = (len(s.frames), c.row, bits) if goes_on else ()
    return goes_on


def tidy(s: S) -> None:
    """11a What was said in a decision that is over counts no more."""
    if s.allies_done:
        depth, row, _ = s.allies_done
        if len(s.frames) < depth or s.frames[depth - 1].row != row:
            s.allies_done = ()
