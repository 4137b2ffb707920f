"""19, 23, 24 Odds of looks, drops and landings: the law of the game's own dice, refusals, and the chance in play."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case, read_case, render_case
from grognard.games.bitw.odds.law import run_battle
from grognard.games.bitw.rules import headquarters as hq
from grognard.games.bitw.rules.landings import go_ashore
from grognard.games.bitw.rules.recon import look
from grognard.games.bitw.rules.sea import sail
from grognard.games.bitw.state import DROPPED, FOUGHT, LANDED, MISSION, BitwState
from grognard.games.bitw.world import UNITS
from grognard.kernel import flow
from grognard.kernel.dice import explore
from grognard.odds.law import law_of

from .table import Combat, node, position, set_out, u

ON = {"advanced": "on"}
Steps = dict[str, int]


def share(answer: dict[str, Any], *path: str) -> Fraction:
    found: Any = answer
    for key in path:
        found = found[key]
    return Fraction(found["p"])


# Battles


def round_in_the_game(units: Steps, mark: int, marked: set[str], at: str, month: str) -> dict[Any, Fraction]:
    """The law of the steps of some units after a round of the game's own combat, every fall of the dice played out."""
    s = position("0510: de-26", options=ON, first=month)
    for name, steps in units.items():
        set_out(s, name, at)
        s.steps[u(name)] = steps
        s.flags[u(name)] |= FOUGHT | (MISSION if UNITS[u(name)].is_air else 0)
        s.orders[u(name)] |= mark if name in marked else 0
        s.origin[u(name)] = node("0604") if name not in marked else 65535
    s.events = None
    attacker = UNITS[u(next(iter(marked)))].side
    s.frames.append(Combat(hex=node(at), attacker=attacker))

    def until_the_retreat(s: BitwState) -> None:
        flow.run(GAME.tables, s)
        while s.waiting and type(GAME.decision(s)).__name__ != "Retreat" and s.frames[-1].round == 1:
            legal = GAME.legal(s, s.waiting[0])
            GAME.apply(s, s.waiting[0], next((a for a in legal if a[0] == "stay"), legal[0]), trusted=True)

    here = [u(name) for name in units]
    played = explore(s, until_the_retreat)
    return law_of((p, tuple(t.steps[v] if t.place[v] == node(at) else -1 for v in here)) for p, t in played)


@pytest.mark.rule("23.0f", "23.0g", "24.1d")
@pytest.mark.parametrize(
    ("crossing", "attacker", "defender", "at"),
    [
        ("sea", {"uk-30": 2}, {"de-26": 1}, "0605"),
        ("sea", {"uk-13": 1}, {"de-4a": 2, "de-26": 1}, "0605"),  # the defender's guns fire first
        ("air", {"uk-1ab": 3}, {"de-26": 1}, "0605"),
        ("air", {"uk-1ab": 2, "uk-11g": 1}, {"de-26": 1}, "0605"),  # a hit counts twice
        ("air", {"uk-1ab": 1}, {"de-jf2": 1, "de-26": 1}, "0605"),  # no escort: a fighter meets the drop
        ("air", {"uk-1ab": 2}, {"de-26": 1}, "0307"),  # hills cost a hit
    ],
)
def test_a_round_has_the_law_of_the_games_own_combat(crossing: str, attacker: Steps, defender: Steps, at: str) -> None:
    mark, month = {"sea": LANDED, "air": DROPPED}[crossing], "1944-06"
    hexes = {"0605": {}, "0307": {"terrain": "hills"}}
    case = {
        "tier": "advanced",
        "month": month,
        "rounds": 1,
        "hex": hexes[at],
        "attacker": [
            {"unit": n, "steps": steps} | ({"crossing": crossing} if UNITS[u(n)].is_ground else {})
            for n, steps in attacker.items()
        ],
        "defender": [{"unit": n, "steps": steps} for n, steps in defender.items()],
    }
    checked = read_case(case, in_play=True)
    law = law_of((p, tuple(steps for side in x for steps, _ in side)) for x, p in run_battle(checked).items())
    marked = {n for n in attacker if UNITS[u(n)].is_ground}
    assert law == round_in_the_game(attacker | defender, mark, marked, at, month)


LANDING: dict[str, Any] = {
    "tier": "advanced",
    "month": "1943-09",
    "attacker": [{"unit": "uk-30", "crossing": "sea"}],
    "defender": [{"unit": "de-29pg", "steps": 3}],
}
DROP = LANDING | {"attacker": [{"unit": "uk-1ab", "crossing": "air"}]}


@pytest.mark.rule("24.0a", "24.1b", "24.3", "24.5-wave-d", "23.0a", "23.0b")
@pytest.mark.parametrize(
    ("case", "rule"),
    [
        (LANDING | {"tier": "basic"}, "7.0a"),
        (LANDING | {"weather": "rain"}, "24.1b"),
        (DROP | {"weather": "snow"}, "23.0b"),
        (LANDING | {"attacker": [{"unit": "uk-30", "steps": 3, "crossing": "sea"}]}, "24.1b"),
        (DROP | {"attacker": [{"unit": "uk-1ab", "steps": 2, "crossing": "air"}]}, "23.0b"),
        (LANDING | {"attacker": [{"unit": "uk-30", "tech": 1, "crossing": "sea"}]}, "24.0a"),
        (DROP | {"attacker": [{"unit": "uk-1ab", "tech": 1, "crossing": "air"}]}, "23.0a"),
        (DROP | {"attacker": [{"unit": "uk-30", "crossing": "air"}]}, "23.0a"),
        (LANDING | {"attacker": [{"unit": "uk-5", "crossing": "sea"}]}, "24.0a"),
        (LANDING | {"attacker": [{"unit": "uk-8c", "crossing": "sea"}]}, "24.5-wave-d"),
        (LANDING | {"hex": {"terrain": "hills", "city": "major"}}, "24.3"),
        (DROP | {"hex": {"terrain": "hills", "city": "major"}}, "23.0-tech3"),
        (LANDING | {"hex": {"shoals": True}, "attacker": [{"unit": "uk-30", "tech": 2, "crossing": "sea"}]}, "24.3"),
        (LANDING | {"defender": [{"unit": "de-26", "crossing": "sea"}]}, "24.0a"),
        (LANDING | {"hex": {"mediterranean": True}, "weather": "rain"}, "9.0.1"),
        ({**LANDING, "weather": "rain", "attacker": [{"unit": "uk-30"}, {"unit": "uk-11g"}]}, "9.2b"),
        (LANDING | {"hex": {"front_beach": 1}}, "odds"),
        (LANDING | {"recon": "yes"}, "odds"),
    ],
)  # fmt: skip
def test_impossible_landings_and_drops_name_their_rule(case: dict[str, Any], rule: str) -> None:
    answer = odds_case(case)
    assert answer["error"]["rule"] == rule, answer
    assert "{" not in render_case(answer, "fr") + render_case(answer, "en")


@pytest.mark.rule("24.0a", "24.4", "24.3")
def test_what_is_allowed() -> None:
    front = LANDING | {"hex": {"front_beach": True}, "attacker": [{"unit": "uk-5", "crossing": "sea"}]}
    assert "outcome" in odds_case(front)
    assert "outcome" in odds_case(front | {"hex": {}, "surprise": True})
    assert "outcome" in odds_case(LANDING | {"hex": {"shoals": True}, "month": "1944-06"})
    assert (
        odds_case(LANDING | {"recon": False})["first_round"] == odds_case(LANDING)["first_round"]
    )  # no guns, no bombs
    guns = LANDING | {"attacker": [{"unit": "uk-30"}, {"unit": "uk-8a"}]}
    blind, seen = (odds_case(guns | {"recon": way})["first_round"] for way in (False, True))
    assert [x["shots"][0]["dice"] for x in (blind[0], seen[0])] == [2, 4]


# 24 Landings in waves


@pytest.mark.rule("24.1c", "24.5-wave-c", "24.5-wave-d", "18.1a")
def test_a_landing_in_waves_adds_up() -> None:
    case = LANDING | {
        "kind": "landing",
        "attacker": [{"unit": "uk-30"}],
        "crossing_sea": {"side": "allies", "sea": "mediterranean"},
        "second_wave": [{"unit": "uk-13"}, {"unit": "uk-8a"}],
        "rounds": 2,
    }
    answer = odds_case(case)
    assert sum(share(answer, "results", key) for key in answer["results"]) == 1
    assert answer["sea"] == {"safe": 3, "step": 2, "lost": 1}
    marine, guns = answer["second_wave"]
    assert Fraction(marine["lands"]["p"]) > Fraction(guns["lands"]["p"])  # guns only where the beach is clear
    one = odds_case(case | {"rounds": 1})
    assert share(one, "results", "cleared_later") == 0
    assert share(one, "results", "cleared_first") == share(answer, "results", "cleared_first")
    calm = odds_case(case | {"crossing_sea": None})
    assert share(calm, "results", "beaten") < share(answer, "results", "beaten")
    # without sea and second wave it is the battle itself
    alone = odds_case(case | {"crossing_sea": None, "second_wave": []})
    battle = odds_case(LANDING | {"rounds": 2})["outcome"]["results"]
    cleared = share(alone, "results", "cleared_first") + share(alone, "results", "cleared_later")
    assert cleared == Fraction(battle["attacker_wins"]["p"])
    assert share(alone, "results", "beaten") == Fraction(battle["defender_holds"]["p"])


@pytest.mark.rule("24.1c", "24.5-wave-c", "24.5-wave-d")
def test_the_sea_and_the_second_wave_by_hand() -> None:
    """One step against a fort of no strength left: the beach falls to who arrives, so the sea alone decides."""
    case = LANDING | {
        "kind": "landing",
        "crossing_sea": {"side": "allies", "sea": "atlantic", "month": "1942-06"},
        "month": "1942-06",
        "attacker": [{"unit": "uk-30", "tech": 2}],
        "defender": [{"unit": "de-4a", "steps": 0}],  # guns alone fall at once (7.7.10c)
        "second_wave": [{"unit": "uk-8a"}, {"unit": "uk-8c", "steps": 1}],
    }
    answer = odds_case(case)
    assert share(answer, "results", "cleared_first") == Fraction(5, 6)
    assert share(answer, "results", "beaten") == Fraction(1, 6)
    guns, tanks = answer["second_wave"]
    assert Fraction(guns["lands"]["p"]) == Fraction(5, 6) * Fraction(5, 6)
    assert Fraction(tanks["lands"]["p"]) == Fraction(5, 6) * Fraction(1, 2)  # the last step at sea is lost


@pytest.mark.rule("24.6", "1.2", "3.1")
@pytest.mark.parametrize(
    ("wave", "rule"),
    [
        ([{"unit": "uk-11g"}], "24.6"),
        ([{"unit": "uk-30"}], "1.2"),
        ([{"unit": "de-26"}], "3.1"),
        ([{"unit": "nobody"}], "1.2"),
    ],
)
def test_who_is_no_second_wave(wave: list[Any], rule: str) -> None:
    assert odds_case(LANDING | {"kind": "landing", "second_wave": wave})["error"]["rule"] == rule


# 18.1 The sea


@pytest.mark.rule("18.1a", "18.1.1", "18.1.2", "18.1.3")
@pytest.mark.parametrize(
    ("facts", "die"),
    [
        ({"side": "allies", "sea": "atlantic", "month": "1942-06"}, (3, 2, 1)),
        ({"side": "allies", "sea": "atlantic", "month": "1942-06", "enemy_controls": False}, (6, 0, 0)),
        ({"side": "allies", "sea": "channel", "month": "1942-06", "enemy_controls": False}, (3, 2, 1)),
        ({"side": "axis", "sea": "baltic", "month": "1942-06"}, (6, 0, 0)),
        ({"side": "allies", "sea": "mediterranean", "month": "1943-10", "italy_surrendered": True}, (5, 1, 0)),
        ({"side": "allies", "sea": "channel", "month": "1944-06"}, (6, 0, 0)),
        ({"side": "allies", "sea": "atlantic", "month": "1944-06"}, (5, 0, 1)),
    ],
)
def test_18_1_the_die_of_each_sea(facts: dict[str, Any], die: tuple[int, int, int]) -> None:
    unit = "uk-30" if facts["side"] == "allies" else "de-26"
    answer = odds_case({"kind": "sea", "units": [{"unit": unit}]} | facts)
    assert tuple(answer["die"][key] for key in ("safe", "step", "lost")) == die
    assert share(answer, "all_safe") == Fraction(die[0], 6)


@pytest.mark.rule("18.1b", "18.1.2", "18.1.3", "24.1e")
def test_18_1_what_else_the_sea_does() -> None:
    case = {"kind": "sea", "side": "allies", "sea": "atlantic", "month": "1942-06", "units": [{"unit": "us-5"}]}
    assert share(odds_case(case), "us_morale", "1") == Fraction(1, 36)
    weak = odds_case(case | {"units": [{"unit": "us-1a", "steps": 1}], "calais": True})
    assert weak["units"][0]["law"]["0"]["percent"] == "83.3"  # guns fall to 0, and are only sunk by a 6
    closed = {"kind": "sea", "side": "axis", "units": [{"unit": "de-26"}]}
    assert odds_case(closed | {"sea": "channel", "month": "1944-06"})["error"]["rule"] == "18.1.3"
    late = closed | {"sea": "mediterranean", "month": "1943-10", "italy_surrendered": True}
    assert odds_case(late)["error"]["rule"] == "18.1.2"
    assert odds_case(case | {"reembark": True, "units": [{"unit": "us-1a"}]})["error"]["rule"] == "24.1e"
    assert odds_case(case | {"units": []})["error"]["rule"] == "18.0a"
    assert odds_case(case | {"sea": "puddle"})["error"]["rule"] == "odds"


# 19 Reconnaissance


RECON: dict[str, Any] = {
    "kind": "recon",
    "month": "1940-06",
    "by": "DE",
    "attempts": 4,
    "hex": {"city": "minor"},
    "defender": [{"unit": "fr-6", "steps": 2}, {"unit": "fr-1dcr", "steps": 1}, {"unit": "fr-zn", "steps": 2}],
}


@pytest.mark.rule("19.1c", "19.1d", "19.1a")
def test_19_1_the_worked_example_in_figures() -> None:
    answer = odds_case(RECON)
    free = Fraction(5, 6) * Fraction(4, 6) * Fraction(5, 6)
    assert share(answer, "p_not_interdicted") == free
    assert answer["die"]["faces"] == [1, 2, 3, 4]
    assert share(answer, "p_attempt") == free * Fraction(2, 3)
    assert share(answer, "p_any") == 1 - (1 - free * Fraction(2, 3)) ** 4
    assert "Flak" in render_case(answer, "en")
    assert "DCA" in render_case(answer, "fr")


@pytest.mark.rule("19.1a", "19.1b", "19.1e")
def test_19_1_nonsense_is_refused() -> None:
    assert odds_case(RECON | {"attempts": 5})["error"]["rule"] == "19.1a"
    assert odds_case(RECON | {"by": "BE"})["error"]["rule"] == "odds"
    assert odds_case(RECON | {"tier": "basic"})["error"]["rule"] == "7.0a"
    assert odds_case(RECON | {"defender": []})["error"]["rule"] == "3.22"
    assert odds_case(RECON | {"attacker": []})["error"]["rule"] == "odds"
    assert odds_case(RECON | {"kind": "seance"})["error"]["rule"] == "odds"
    hidden = odds_case(RECON | {"fighter_tech": 1, "hex": {"terrain": "forest", "works": "fortress"}})
    assert hidden["die"]["faces"] == []


# In play


def in_phase(s: BitwState, side: int, row: str = "7.5") -> BitwState:
    s.phasing = side
    turn = PlayerTurn(side=side)
    turn.row = turn.labels.index(row)
    s.frames.append(turn)
    s.events = []
    flow.run(GAME.tables, s)
    return s


@pytest.mark.rule("19.1c", "19.1d")
def test_a_look_in_play_has_the_chances_of_the_dice() -> None:
    s = position("0708: de-2lf | 0404: fr-6 2, fr-1dcr 1", options=ON | {"recon": "on", "fog": "off"}, first="1940-06")
    hq.activate(s, u("de-2lf"))
    in_phase(s, 0)
    answer = GAME.odds(s, 0, GAME.read(s, 0, ("recon", "0404")))
    assert answer is not None
    assert answer["exact"]
    s.events = None
    law = law_of((p, node("0404") in t.seen_hexes) for p, t in explore(s, lambda x: look(x, 0, node("0404"))))
    assert share(answer, "chances", "seen") == law[True]
    fog = position("0708: de-2lf | 0404: fr-6 2 | 0505: fr-9, fr-20", options=ON | {"recon": "on"}, first="1940-06")
    hq.activate(fog, u("de-2lf"))
    in_phase(fog, 0)
    unsure = GAME.odds(fog, 0, GAME.read(fog, 0, ("recon", "0404")))
    assert unsure is not None
    assert not unsure["exact"]
    assert unsure["policy"]["deals"] == 12


@pytest.mark.rule("18.1a")
def test_a_voyage_in_play_has_the_chances_of_the_die() -> None:
    s = position("0101: uk-30 | 0404: uk-5 | 0510: de-26", options=ON | {"sea": "on"}, first="1942-06")
    from grognard.games.bitw.frames import Shipping

    s.frames.append(Shipping(unit=u("uk-30"), side=1))
    answer = GAME.odds(s, 1, ("to", node("0404")))
    assert answer is not None
    s.frames.pop()
    s.events = None
    ends = law_of((p, t.steps[u("uk-30")]) for p, t in explore(s, lambda x: sail(x, u("uk-30"), node("0404"))))
    assert share(answer, "chances", "safe") == ends.get(4, 0)


@pytest.mark.rule("24.1c", "24.1d")
def test_a_landing_in_play_counts_sea_and_beach() -> None:
    from grognard.games.bitw.frames import Disembarking

    s = position("0302: uk-30, uk-13 | 0404: de-26 1", options=ON | {"sea": "on", "fog": "off"}, first="1943-06")
    s.frames.append(Disembarking(unit=u("uk-30"), side=1))
    s.phasing = 1
    first = GAME.odds(s, 1, ("to", node("0404")))
    assert first is not None
    assert sum(share(first, "results", key) for key in first["results"]) == 1
    s.frames.pop()
    s.events = None
    afloat = law_of((p, t.steps[u("uk-30")]) for p, t in explore(s, lambda x: go_ashore(x, u("uk-30"), node("0404"))))
    assert Fraction(first["sea"]["safe"], 6) == afloat[4]
    empty = position("0302: uk-30 | 0510: de-26", options=ON | {"sea": "on"}, first="1943-06")
    empty.frames.append(Disembarking(unit=u("uk-30"), side=1))
    alone = GAME.odds(empty, 1, ("to", node("0404")))
    assert alone is not None
    assert set(alone["chances"]) == {"safe", "damaged", "sunk"}


@pytest.mark.rule("23.0f", "7.7.2b")
def test_a_drop_in_play_counts_flak_and_fight() -> None:
    from grognard.games.bitw.frames import Dropping

    s = position("0101: uk-1ab | 0605: de-26 1 | 0404: de-27", options=ON | {"fog": "off"}, first="1944-06")
    s.owner[node("0806")] = 0
    s.phasing = 1
    s.frames.append(Dropping(unit=u("uk-1ab"), side=1))
    fought = GAME.odds(s, 1, ("to", node("0605")))
    assert fought is not None
    assert fought["first_round"][0]["step"] == "aa"
    quiet = GAME.odds(s, 1, ("to", node("0806")))  # Lyon, a major city: two dice of flak, and hard ground
    assert quiet is not None
    assert share(quiet, "chances", "unhurt") == 0
    assert sum(share(quiet, "chances", key) for key in quiet["chances"]) == 1


@pytest.mark.rule("24.1d", "19.0a")
def test_a_battle_in_play_knows_who_landed_and_what_was_seen() -> None:
    s = position("0605: de-26 2, uk-30, uk-8a", options=ON | {"recon": "on", "fog": "off"}, first="1943-09")
    for name in ("uk-30", "uk-8a"):
        s.orders[u(name)] |= LANDED
        s.flags[u(name)] |= FOUGHT
    in_phase(s, 1, "7.7a")
    answer = GAME.odds(s, 1, GAME.read(s, 1, ("battle", "0605")))
    assert answer is not None
    guns = next(x for x in answer["first_round"] if x["step"] == "guns")
    assert {line["rule"] for shot in guns["shots"] for line in shot["tally"]} >= {"24.1d", "19.0a"}


@pytest.mark.rule("7.8b")
def test_armour_that_goes_on_into_an_enemy_has_the_chances_of_that_battle() -> None:
    from grognard.games.bitw.frames import Blitzing

    s = position("0604: de-19pz | 0605: fr-6 2 | 0404: fr-9", options={"fog": "off"}, first="1940-06")
    s.phasing = 0
    s.frames.append(Blitzing(unit=u("de-19pz"), side=0))
    answer = GAME.odds(s, 0, ("to", node("0605")))
    assert answer is not None
    assert "without" not in answer, "nobody of ours is there yet"
    set_out(s, "de-19pz", "0605")
    joined = GAME.odds(s, 0, ("battle", node("0605")))
    assert joined is not None
    assert answer["outcome"]["results"] == joined["outcome"]["results"]


@pytest.mark.rule("7.6a")
def test_an_aircraft_in_reaction_is_told_with_and_without() -> None:
    from grognard.games.bitw.frames import Reacting

    s = position("0605: de-19pz, fr-6 2 | 0508: fr-b1", options={"fog": "off"}, first="1940-06")
    s.phasing = 0
    s.frames.append(Reacting(unit=u("fr-b1"), side=1))
    answer = GAME.odds(s, 1, ("attack", node("0605")))
    assert answer is not None
    alone = GAME.odds(s, 1, ("battle", node("0605")))
    assert alone is not None
    assert answer["without"] == alone["outcome"]["results"]
    assert answer["without"] != answer["outcome"]["results"]
