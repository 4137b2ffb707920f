"""The terminal: the situation in text."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grognard.kit.overlays import by_cost

from ..rules.definitions import attack_of, defence_of
from ..rules.tables import first_day, last_day
from ..state import CLEAR_SKY, DESTROYED, NO_DEPOT
from ..state import NormandieState as S
from ..world import (
    AMERICAN,
    BRITISH,
    CODES,
    COUNT,
    COUNTERS,
    DEPOTS,
    GERMANS,
    GROUP,
    IS_HQ,
    LAST_BOX,
    MOVE,
    RESERVE,
    REST_BOX,
    STEPS,
)
from .overlays import aids_for
from .picture import picture
from .views import display_order, track

Say = Callable[..., str]
DEPOT_WORDS = ("", "building", "reduced", "full", "destroyed")


def calendar(turn: int, say: Say) -> str:
    """0a The days of a turn in words."""
    (first, start), (last, end) = first_day(turn), last_day(turn) if turn > 0 else first_day(turn)
    if turn <= 0:
        return say("screen.day", day=start, month=say(f"screen.month-{first}"))
    key = "screen.days" if first == last else "screen.days-of-two"
    return say(key, start=start, end=end, month=say(f"screen.month-{first}"), later=say(f"screen.month-{last}"))


def situation_text(s: S, say: Say) -> str:
    """The calendar, the armies by place, depots, arrivals, and the aids of the decision under way."""
    sky = "screen.storm" if s.storm else "screen.clear-sky" if s.weather == CLEAR_SKY else "screen.overcast"
    lines = [
        say(
            "screen.head",
            turn=s.turn,
            days=calendar(s.turn, say),
            phase=s.phase,
            sky=say(sky),
            first=say(f"side.{('allied', 'german')[s.first]}"),
        ),
        say("screen.points", allied=s.points[0], german=s.points[1]),
    ]
    if any(s.ships):
        lines.append(say("screen.ships", wtf=f"{s.ships[0]}+{s.ships[1]}", etf=f"{s.ships[2]}+{s.ships[3]}"))
    for group in (AMERICAN, BRITISH, GERMANS):
        rows = army_lines(s, group, say)
        lines += ["", say(f"screen.army-{group}").upper(), *rows] if rows else []
    return "\n".join([*lines, *depot_lines(s, say), *arrival_lines(s, say), *picture(s, say), *aid_lines(s, say)])


def army_lines(s: S, group: int, say: Say) -> list[str]:
    """One army, place by place: hexes first, then boxes, then reserve and rest."""
    there: dict[int, list[int]] = {}
    for u in display_order(s, range(COUNT)):
        if GROUP[u] == group and (s.place[u] <= LAST_BOX or s.place[u] in (RESERVE, REST_BOX)):
            there.setdefault(s.place[u], []).append(u)
    return [
        say("screen.stack", hex=CODES[place], units=", ".join(counter_text(s, u, say) for u in units))
        + (say("screen.markers", number=s.offensive[place]) if s.offensive[place] else "")
        for place, units in sorted(there.items())
    ]


def counter_text(s: S, u: int, say: Say) -> str:
    """A counter: its name, what is printed on it, and its marks."""
    if IS_HQ[u]:
        values = f"+{COUNTERS[u].bonus}"
    else:
        values = f"{attack_of(s, u)}-{MOVE[u]}-{defence_of(s, u)}"  # 0.1.2 as printed
    marks = [f"{s.steps[u]}/{STEPS[u]}"] if s.steps[u] < STEPS[u] else []
    marks += [f"D{s.disorder[u]}"] if s.disorder[u] else []
    marks += [f"A{s.affected[u]}"] if s.affected[u] else []
    marks += [say(f"screen.mark-{key}") for key, on in mark_columns(s, u) if on]
    return " ".join([say("screen.unit", unit=COUNTERS[u].id), values, *([f"({', '.join(marks)})"] if marks else [])])


def mark_columns(s: S, u: int) -> Iterable[tuple[str, int]]:
    """What may have befallen a counter, besides its levels."""
    return (
        ("unsupplied", s.unsupplied[u]), ("resting", s.resting[u]), ("reserve", s.reserve[u]),
        ("moved", s.moved[u]), ("finished", s.finished[u]),
    )  # fmt: skip


def depot_lines(s: S, say: Say) -> list[str]:
    """The Allied depots that are open or being built."""
    rows = [
        say("screen.depot", depot=d.id, state=say(f"screen.{DEPOT_WORDS[s.depot[d.index]]}"))
        for d in DEPOTS
        if s.depot[d.index] not in (NO_DEPOT, DESTROYED)
    ]
    return ["", say("screen.depots", depots=", ".join(rows))] if rows else []


def arrival_lines(s: S, say: Say) -> list[str]:
    """Who is due this turn and the next."""
    due = track(s)
    return [say("screen.due", turn=turn, units=due[str(turn)]) for turn in (s.turn, s.turn + 1) if str(turn) in due]


def aid_lines(s: S, say: Say) -> list[str]:
    """What a player would otherwise count: reach by cost, supply line, who obeys the headquarters, targets."""
    aids = aids_for(s)
    lines = [say("screen.interdicted", zones=aids["interdicted"])] if aids["interdicted"] else []
    lines += [say("screen.reach", points=cost, hexes=hexes) for cost, hexes in by_cost(aids.get("reach", {}))]
    if aids.get("supply"):
        lines.append(say("screen.supply", hexes=" - ".join(aids["supply"])))
    if "command" in aids:
        lines.append(say("screen.command", **aids["command"]))
    if aids.get("targets"):
        lines.append(say("screen.targets", hexes=" ".join(aids["targets"])))
    return ["", *lines] if lines else []
