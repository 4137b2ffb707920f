"""The variables of each sequence."""

from __future__ import annotations

from grognard.kernel import PUBLIC, SECRET, Frame, items, number

NOBODY = -1


class Match(Frame):
    """The whole game: set-up, then turn by turn."""

    side: int = number(PUBLIC)  # whose choice of formation it is
    winner: int = number(PUBLIC)  # of the initiative
    formation: int = number(PUBLIC, -1, names="formation")
    battery: int = number(PUBLIC, -1, names="battery")
    flight: int = number(PUBLIC, -1, names="flight")
    unit: int = number(PUBLIC, NOBODY, names="unit")  # in hand while setting up
    bought: int = number(PUBLIC)  # sides that have bought their force, a bit each
    ready: int = number(PUBLIC)  # sides that have set up, a bit each
    passed: int = number(PUBLIC)  # sides that have passed since the last activation, a bit each


class Activation(Frame):
    """One formation acts, unit by unit."""

    side: int = number(PUBLIC)
    formation: int = number(PUBLIC, -1, names="formation")
    unit: int = number(PUBLIC, NOBODY, names="unit")
    over: int = number(PUBLIC)
    quiet: int = number(PUBLIC)  # the enemy has said that nobody fires at these while they act


class Acting(Frame):
    """One unit acts: it may move, then fire; or do one thing that takes all its time."""

    side: int = number(PUBLIC)
    unit: int = number(PUBLIC, NOBODY, names="unit")
    formation: int = number(PUBLIC, -1, names="formation")
    over: int = number(PUBLIC)
    mode: int = number(PUBLIC)  # what it has begun: a number of MODES
    has_moved: int = number(PUBLIC)
    shot: int = number(PUBLIC)  # weapons that have fired, a bit each
    stuck: int = number(PUBLIC)  # failed the test of command: no move
    target: int = number(PUBLIC, NOBODY, names="unit")
    hatch: int = number(PUBLIC)  # the commander has looked out or in


class Moving(Frame):
    """A unit goes its way, watched by the enemy."""

    side: int = number(PUBLIC)
    unit: int = number(PUBLIC, NOBODY, names="unit")
    mode: int = number(PUBLIC)
    start: int = number(PUBLIC, names="point")
    path: tuple[int, ...] = items(PUBLIC, names="point")
    facings: tuple[int, ...] = items(PUBLIC)
    step: int = number(PUBLIC)  # how far on the path
    left: int = number(PUBLIC)  # movement left at the end of the path, in 1/48 cm
    budget: int = number(PUBLIC)
    watched: int = number(PUBLIC)  # the last place on the path where the enemy was asked
    gone: int = number(PUBLIC)  # quarter centimetres gone
    target: int = number(PUBLIC, NOBODY, names="unit")  # of a charge or overrun
    stopped: int = number(PUBLIC)
    leaving: int = number(PUBLIC)  # it goes off the table
    faced: int = number(PUBLIC)
    began_shaken: int = number(PUBLIC)
    window: int = number(PUBLIC)  # the enemy is to be asked
    could: tuple[int, ...] = items(SECRET, names="unit")  # who could react at the last point
    unseen: tuple[int, ...] = items(SECRET, names="unit")  # enemies that hid when it set out
    close: tuple[int, ...] = items(PUBLIC, names="unit")  # 221: enemy vehicles that were asked at 10 cm
    began_seen: tuple[int, ...] = items(PUBLIC, names="unit")  # enemy vehicles in view at the start (221, 222)


class Reaction(Frame):
    """The enemy may fire at who moves."""

    side: int = number(PUBLIC)  # who may react
    unit: int = number(PUBLIC, NOBODY, names="unit")  # who moves
    why: int = number(PUBLIC)  # OPPORTUNITY, CLOSE or OVERRUN
    over: int = number(PUBLIC)


class Smoking(Frame):
    """A section throws smoke grenades."""

    side: int = number(PUBLIC)
    formation: int = number(PUBLIC, -1, names="formation")
    unit: int = number(PUBLIC, NOBODY, names="unit")  # who began
    points: tuple[int, ...] = items(PUBLIC, names="point")  # markers laid in this use
    over: int = number(PUBLIC)


class Volley(Frame):
    """A launcher fires rockets at what it sees."""

    side: int = number(PUBLIC)
    unit: int = number(PUBLIC, NOBODY, names="unit")
    target: int = number(PUBLIC, NOBODY, names="unit")
    rockets: int = number(PUBLIC)


class Sortie(Frame):
    """Aircraft attack."""

    side: int = number(PUBLIC)
    flight: int = number(PUBLIC, -1, names="flight")
    target: int = number(PUBLIC, NOBODY, names="unit")
    weapon: int = number(PUBLIC)
    flown: int = number(PUBLIC)  # attacks made
    hits: int = number(PUBLIC)  # of anti-aircraft fire on the present run
    held: int = number(PUBLIC)  # the gunners let it through
    over: int = number(PUBLIC)


class Barrage(Frame):
    """A battery fires, off the table or of pieces on it."""

    side: int = number(PUBLIC)
    battery: int = number(PUBLIC, -1, names="battery")
    joined: int = number(PUBLIC, -1, names="battery")  # 409b: another that fires with it
    asked: int = number(PUBLIC)  # 409b: it was offered
    pieces: tuple[int, ...] = items(PUBLIC, names="unit")  # on the table
    rockets: int = number(PUBLIC)
    point: int = number(PUBLIC, names="point")  # where it comes down
    marked: int = number(PUBLIC)
    shifts: int = number(PUBLIC)  # 303bis: the opponent lays the template
    shape: int = number(PUBLIC)
    shaped: int = number(PUBLIC)
    load: int = number(PUBLIC)  # 0 not chosen, HE or SMOKE
    over: int = number(PUBLIC)


MOVE, CRAWL, REVERSE, CHARGE, OVERRUN, TURN, CLIMB = range(1, 8)  # modes of a move
HE, SMOKE = 1, 2  # what a barrage fires
OPPORTUNITY, CLOSE, RAM = range(3)  # why somebody may react
