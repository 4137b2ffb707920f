"""Games of a few lines, for the tests of the kernel."""

from __future__ import annotations

from typing import Any

from grognard.kernel import (
    NOTHING,
    NUMBER,
    OWN,
    PUBLIC,
    SECRET,
    Column,
    Decision,
    Fog,
    Frame,
    Game,
    HiddenUnits,
    No,
    Option,
    Side,
    State,
    Units,
    again,
    ask,
    column,
    do,
    draw,
    emit,
    finish,
    items,
    no,
    number,
    roll,
    seen_by,
    sequence,
    words,
)

# Stroll: one walker at a time. It steps, rolls, peeks, hands over or stops: everything undo cares about.


class StrollState(State):
    mover: Side = number(PUBLIC)
    place: Column = column(2, "h", PUBLIC)
    purse: Column = column(2, "B", OWN, 3)
    peeked: int = number(PUBLIC)
    prize: int = number(seen_by(lambda s, side, i: bool(s.peeked)), 7)
    plan: int = number(SECRET, 5)


class Stroll(Frame):
    pass


ONE_TO_THREE = no("1.1", "one-to-three", lambda s, c, side, noun: {"steps": noun})


class Walk(Decision):
    verbs = {"step": NUMBER} | dict.fromkeys(("roll", "sift", "peek", "tell", "look", "pass", "stop"), NOTHING)

    def needed(self, s: StrollState, c: Stroll, side: Side) -> bool:
        return True

    def nouns(self, s: StrollState, c: Stroll, side: Side, verb: str) -> range:
        return range(5) if verb == "step" else range(1)

    def why_not(self, s: StrollState, c: Stroll, side: Side, verb: str, noun: int) -> No | None:
        return ONE_TO_THREE if verb == "step" and not 1 <= noun <= 3 else None

    def apply(self, s: StrollState, c: Stroll, side: Side, verb: str, noun: int) -> None:
        if verb == "step":
            s.place[side] += noun
            emit(s, "stepped", "1.1", side=side, steps=noun)
        elif verb == "roll":
            s.place[side] += roll(s, "1.2", side=side)[0]
        elif verb == "sift":
            draw(s, 6)  # chance that nobody hears of
        elif verb == "peek":
            s.peeked = 1
        elif verb == "tell":
            emit(s, "told", "1.3", reveals=True)
        elif verb == "look":
            emit(s, "looked", "1.3", audience=(side,), purse=s.purse[side])
        elif verb == "pass":
            s.mover = 1 - s.mover
        else:
            finish(s, side, "stopped", "1.4")


class StrollGame(Game[StrollState]):
    name = "stroll"
    sides = ("ann", "bob")
    scenarios = ("park", "lane")
    options = (Option("wind", "1.5"),)
    state_type = StrollState
    sequences = (sequence(Stroll, ask("1.1", Walk, lambda s, c: (s.mover,))),)

    def blank(self, scenario: str) -> StrollState:
        return StrollState.blank()

    def begin(self, s: StrollState) -> None:
        if s.scenario == "lane":
            s.place[1] = roll(s, "1.0")[0]
        s.frames.append(Stroll())


STROLL = StrollGame()

# Hands: stone, paper, scissors; three rounds, both sides at once and in secret.

HANDS = ("stone", "paper", "scissors")


class HandsState(State):
    round: int = number(PUBLIC)
    hand: Column = column(2, "b", OWN, -1)
    points: Column = column(2, "B", PUBLIC)


class Rounds(Frame):
    pass


class Show(Decision):
    verbs = {"show": words(*HANDS)}
    together = True

    def needed(self, s: HandsState, c: Rounds, side: Side) -> bool:
        return s.hand[side] < 0

    def nouns(self, s: HandsState, c: Rounds, side: Side, verb: str) -> range:
        return range(3)

    def why_not(self, s: HandsState, c: Rounds, side: Side, verb: str, noun: int) -> No | None:
        return None

    def apply(self, s: HandsState, c: Rounds, side: Side, verb: str, noun: int) -> None:
        s.hand[side] = noun


def compare(s: HandsState, c: Rounds) -> None:
    a, b = s.hand
    emit(s, "hands", "2.2", reveals=True, ann=HANDS[a], bob=HANDS[b])
    if a != b:
        s.points[0 if (a - b) % 3 == 1 else 1] += 1
    s.hand[0] = s.hand[1] = -1
    s.round += 1
    if s.round == 3:
        a, b = s.points
        finish(s, None if a == b else int(b > a), "points", "2.3")


class HandsGame(Game[HandsState]):
    name = "hands"
    sides = ("ann", "bob")
    scenarios = ("best-of-three",)
    state_type = HandsState
    sequences = (sequence(Rounds, ask("2.1", Show, lambda s, c: (0, 1)), do("2.2", compare), again("2.3", "2.1")),)

    def blank(self, scenario: str) -> HandsState:
        return HandsState.blank()

    def begin(self, s: HandsState) -> None:
        s.frames.append(Rounds())

    def redeal_more(self, s: HandsState, side: Side) -> None:
        for other in (0, 1):
            if other != side and s.hand[other] >= 0:
                s.hand[other] = (s.hand[other] + 1) % 3


HANDS_GAME = HandsGame()

# Blocks: six hidden blocks of two sides in a row of boxes; one may be turned, moved or shuffled with its neighbours.

BLOCKS = ("ann-king", "ann-pawn", "ann-rook", "bob-king", "bob-pawn", "bob-rook")


def block_side(unit: int) -> Side:
    return unit // 3


def knows(s: Any, side: Side, unit: int) -> bool:
    return block_side(unit) == side or bool(s.face_up[unit])


FOG = Fog(BLOCKS, knows)


class BlocksState(HiddenUnits):
    mover: Side = number(PUBLIC)
    box: Column = column("units", "B", PUBLIC)
    face_up: Column = column("units", "B", PUBLIC)
    strength: Column = column("units", "B", seen_by(knows))
    note: Column = column("units", "B", SECRET)
    guard: Column = column(2, "b", PUBLIC, -1, names="unit")


class Table(Frame):
    side: Side = number(PUBLIC)
    in_hand: int = number(OWN, -1, names="unit")
    ambush: int = number(SECRET, 78)
    scout: int = number(PUBLIC, -1, names="unit")
    queue: tuple[int, ...] = items(PUBLIC, names="unit")


UNIT = Units(FOG)
NOT_YOURS, NO_BOX, HAND = no("3.1", "not-yours"), no("3.1", "no-box"), no("3.1", "hand")


class Handle(Decision):
    verbs = {"take": UNIT, "put": NUMBER, "turn": UNIT, "mix": NOTHING, "pass": NOTHING}

    def needed(self, s: BlocksState, c: Table, side: Side) -> bool:
        return True

    def nouns(self, s: BlocksState, c: Table, side: Side, verb: str) -> range:
        return {"take": range(6), "turn": range(6), "put": range(4)}.get(verb, range(1))

    def why_not(self, s: BlocksState, c: Table, side: Side, verb: str, noun: int) -> No | None:
        if verb in ("take", "turn") and block_side(noun) != side:
            return NOT_YOURS
        if verb == "put" and noun > 3:
            return NO_BOX
        return HAND if (verb == "put") != (c.in_hand >= 0) else None

    def apply(self, s: BlocksState, c: Table, side: Side, verb: str, noun: int) -> None:
        if verb == "take":
            c.in_hand = noun
        elif verb == "put":
            s.box[c.in_hand] = noun
            emit(s, "moved", "3.1", unit=FOG.veil(s, c.in_hand), box=noun)
            c.in_hand = -1
        elif verb == "turn":
            s.face_up[noun] = 1
            FOG.remember(s, 1 - side, noun, note=9)
            emit(s, "turned", "3.2", reveals=True, unit=FOG.veil(s, noun))
        elif verb == "mix":
            for unit in range(3 * side, 3 * side + 3):
                s.face_up[unit] = 0
            FOG.mix(s, range(3 * side, 3 * side + 3))
        else:
            c.side = s.mover = 1 - s.mover


class BlocksGame(Game[BlocksState]):
    name = "blocks"
    sides = ("ann", "bob")
    scenarios = ("row",)
    state_type = BlocksState
    sequences = (sequence(Table, ask("3.1", Handle, lambda s, c: (s.mover,))),)
    kinds = {"unit": UNIT}
    fog = FOG

    def blank(self, scenario: str) -> BlocksState:
        return BlocksState.blank(units=6, memory=12)

    def begin(self, s: BlocksState) -> None:
        for unit in range(6):
            s.box[unit] = unit % 3
            s.strength[unit] = 10 + unit
            s.note[unit] = 77
        FOG.deal(s)
        s.frames.append(Table())

    def unit_facts(self, unit: int, known: bool) -> dict[str, Any]:
        return {"side": self.sides[block_side(unit)]} | ({"kind": BLOCKS[unit].split("-")[1]} if known else {})

    def interchangeable(self, s: BlocksState, side: Side) -> list[range]:
        return [range(3 * other, 3 * other + 3) for other in (0, 1) if other != side]


BLOCKS_GAME = BlocksGame()


def find_tiny(name: str) -> Game[Any]:
    """Stands in for the registry."""
    return {"stroll": STROLL, "hands": HANDS_GAME, "blocks": BLOCKS_GAME}[name]
