"""The frames of the sequences: what each part of the sequence of play has to remember.

Only the commitments of a combat are hidden (`committed` and `sent`, by faction, until the reveal).
"""

from __future__ import annotations

from grognard.kernel.record import OWN, PUBLIC, Frame, Side, items, number, text


class Match(Frame):
    """turn-phases The whole game, month by month."""


class Rail(Frame):
    """strategic-move One faction's strategic movement."""

    side: Side = number(PUBLIC)
    moved: int = number(PUBLIC)
    unit: int = number(PUBLIC, -1, names="unit")
    finished: int = number(PUBLIC)


class Operations(Frame):
    """activation One faction's Operations."""

    side: Side = number(PUBLIC)
    finished: int = number(PUBLIC)


class GroundMove(Frame):
    """activation-choice One ground unit's activation."""

    side: Side = number(PUBLIC)
    unit: int = number(PUBLIC, -1, names="unit")
    points: int = number(PUBLIC)
    moved: int = number(PUBLIC)  # it has moved or attacked: no assault any more
    in_zone: int = number(PUBLIC)  # it stands in EZOC that it entered: it may attack or end
    finished: int = number(PUBLIC)


class AssaultPlan(Frame):
    """assault-setup Gathering the units of an assault."""

    side: Side = number(PUBLIC)
    target: int = number(PUBLIC, -1, names="hex")
    units: tuple[int, ...] = items(PUBLIC, names="unit")
    principal: int = number(PUBLIC, -1, names="unit")
    launched: int = number(PUBLIC)


class AirMove(Frame):
    """air-action One air unit's activation."""

    side: Side = number(PUBLIC)
    stopped: str = text(PUBLIC)  # intercept: "through", "interdicted" or "cancelled"
    caught: int = number(PUBLIC, -1, names="hex")  # where an interdicted action was met
    escort: int = number(PUBLIC, -1, names="unit")
    unit: int = number(PUBLIC, -1, names="unit")
    target: int = number(PUBLIC, -1, names="hex")  # bombing
    enemy: int = number(PUBLIC, -1, names="unit")  # air strike
    finished: int = number(PUBLIC)


class NavalMove(Frame):
    """naval-move One naval unit's activation: sailing, transport."""

    side: Side = number(PUBLIC)
    stopped: str = text(PUBLIC)  # intercept: "through", "interdicted" or "cancelled"
    caught: int = number(PUBLIC, -1, names="hex")  # where an interdicted action was met
    escort: int = number(PUBLIC, -1, names="unit")
    unit: int = number(PUBLIC, -1, names="unit")
    cargo: int = number(PUBLIC, -1, names="unit")
    start: int = number(PUBLIC, -1, names="hex")
    target: int = number(PUBLIC, -1, names="hex")
    refuge: int = number(PUBLIC, -1, names="hex")  # interdiction-naval-port: where an interdicted ship goes
    finished: int = number(PUBLIC)


class Invasion(Frame):
    """invasion Convoys with armies aboard, against one coastal hex."""

    side: Side = number(PUBLIC)
    stopped: str = text(PUBLIC)  # intercept: "through", "interdicted" or "cancelled"
    caught: int = number(PUBLIC, -1, names="hex")  # where an interdicted action was met
    escort: int = number(PUBLIC, -1, names="unit")
    target: int = number(PUBLIC, -1, names="hex")
    units: tuple[int, ...] = items(PUBLIC, names="unit")
    convoys: tuple[int, ...] = items(PUBLIC, names="unit")
    ship: int = number(PUBLIC, -1, names="unit")  # naval support
    principal: int = number(PUBLIC, -1, names="unit")
    launched: int = number(PUBLIC)


class Mission(Frame):
    """intercept An action that the enemy may intercept: bombing, naval, invasion or supply."""

    kind: str = text(PUBLIC)
    side: Side = number(PUBLIC)
    unit: int = number(PUBLIC, -1, names="unit")  # the bomber or the convoy that would be hit
    convoys: tuple[int, ...] = items(PUBLIC, names="unit")  # invasion: all of them
    ship: int = number(PUBLIC, -1, names="unit")  # invasion: naval support, which may escort
    route: tuple[int, ...] = items(PUBLIC, names="hex")
    escort: int = number(PUBLIC, -2, names="unit")  # -2 not chosen yet, -1 none
    reacted: tuple[int, ...] = items(PUBLIC, names="unit")
    passed: tuple[Side, ...] = items(PUBLIC, names="side")
    interceptor: int = number(PUBLIC, -1, names="unit")
    escort_beaten: int = number(PUBLIC)
    may_press: int = number(PUBLIC)  # the interceptor may attack the escorted unit
    decided: int = number(PUBLIC)  # the phasing side has decided to go on with its invasion
    pressed: int = number(PUBLIC)  # the interceptor has decided to attack
    stopped: str = text(PUBLIC)  # "interdicted" or "cancelled"
    caught: int = number(PUBLIC, -1, names="hex")  # where an interdicted action was met


class AirCombat(Frame):
    """air-result-steps An air/naval combat."""

    mission: str = text(PUBLIC)
    hex: int = number(PUBLIC, -1, names="hex")
    attacker: int = number(PUBLIC, -1, names="unit")
    defender: int = number(PUBLIC, -1, names="unit")
    committed: tuple[tuple[int, ...], ...] = items(OWN, ((), (), ()), names="marker")  # seq-2-events: by faction
    ready: tuple[Side, ...] = items(PUBLIC, names="side")
    code: str = text(PUBLIC)


class GroundCombat(Frame):
    """seq-order A ground combat, in six steps."""

    action: str = text(PUBLIC)
    hex: int = number(PUBLIC, -1, names="hex")
    attacker: int = number(PUBLIC, -1, names="unit")
    others: tuple[int, ...] = items(PUBLIC, names="unit")
    defender: int = number(PUBLIC, -1, names="unit")
    ship: int = number(PUBLIC, -1, names="unit")
    committed: tuple[tuple[int, ...], ...] = items(OWN, ((), (), ()), names="marker")  # seq-2-events: by faction
    sent: tuple[int, ...] = items(OWN, (-1, -1, -1), names="unit")  # seq-2-air: by faction, an air unit
    ready: tuple[Side, ...] = items(PUBLIC, names="side")
    air: tuple[int, int] = items(PUBLIC, (-1, -1), names="unit")  # after the reveal: attacker's, defender's
    support: tuple[int, int] = items(PUBLIC, (0, 0))
    code: str = text(PUBLIC)
    fort_choice: str = text(PUBLIC)
    retreating: int = number(PUBLIC)
    doomed: int = number(PUBLIC)  # the defender is about to be eliminated (evacuation)
    emptied: int = number(PUBLIC)
    ends: int = number(PUBLIC)  # the attackers' activation is over
    advanced: int = number(PUBLIC)


class StrategicCombat(Frame):
    """strategic-sides The Axis against one Allied faction."""

    versus: Side = number(PUBLIC, names="side")
    committed: tuple[tuple[int, ...], ...] = items(OWN, ((), (), ()), names="marker")  # seq-2-events: by faction
    ready: tuple[Side, ...] = items(PUBLIC, names="side")
    code: str = text(PUBLIC)


class SupplyPhase(Frame):
    """supply-check One faction's Supply."""

    side: Side = number(PUBLIC)
    stopped: str = text(PUBLIC)
    caught: int = number(PUBLIC, -1, names="hex")  # where an interdicted action was met
    escort: int = number(PUBLIC, -1, names="unit")
    convoy: int = number(PUBLIC, -1, names="unit")
    port: int = number(PUBLIC, -1, names="hex")
    units: tuple[int, ...] = items(PUBLIC, names="unit")
    route: tuple[int, ...] = items(PUBLIC, names="hex")
    used: tuple[int, ...] = items(PUBLIC, names="unit")
    declined: int = number(PUBLIC)  # supply-sea: the owner traces no further line


class Logistics(Frame):
    """logistics-restore One faction's Logistics."""

    side: Side = number(PUBLIC)
    unit: int = number(PUBLIC, -1, names="unit")  # being rebuilt or arriving
    paid: int = number(PUBLIC)
    finished: int = number(PUBLIC)
