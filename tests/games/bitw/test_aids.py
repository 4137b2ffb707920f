"""Play aids and the odds inside play."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grognard.games.bitw.game import GAME
from grognard.games.bitw.odds import odds_case
from grognard.games.bitw.odds import position as in_play
from grognard.games.bitw.rules import colours, production
from grognard.games.bitw.show import about, screen
from grognard.games.bitw.state import MOVED, OFF
from grognard.games.bitw.world import UNITS
from grognard.kernel.narrate import Narrator

from .table import act, go_to, node, position, u


def test_reach_and_lane_of_a_unit() -> None:
    s = position("0508: de-26 | 0507: fr-6")
    found = about.reach_of(s, 0, u("de-26"))
    assert found["hexes"]["0509"] == 1
    assert found["battles"] == ["0507"]
    assert about.reach_of(s, 1, u("de-26")) == {}  # not his
    lane = about.lane_names(s, 0, u("de-26"))
    assert lane is not None
    assert lane[0] == "0508"
    assert about.lane_names(s, 1, u("de-26")) is None


def test_hex_report_hides_what_is_hidden() -> None:
    s = position("0507: fr-6 | 0508: de-26")
    mine, theirs = about.hex_report(s, 1, node("0507")), about.hex_report(s, 0, node("0507"))
    assert mine["units"] == ["fr-6"]
    assert theirs["units"][0].startswith("#")
    assert mine["controller"] == "FR"
    assert about.hex_report(s, 0, node("0407"))["works"] == "bunker"


def test_turn_summary() -> None:
    s = position("0804: de-26 2 | 0509: de-27")
    figures = screen.turn_summary(s, 0)
    assert figures["cut_off"] == ["de-26"]
    assert (figures["units"], figures["steps"]) == (2, 6)


def test_odds_inside_play_are_exact_when_everybody_is_known() -> None:
    s = position("0508: de-26 | 0507: fr-6 2", start=True, options={"fog": "off"})
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    answer = GAME.odds(s, 0, GAME.read(s, 0, ("attack", "0507/0508")))
    assert answer is not None
    assert answer["exact"]
    assert sum(Fraction(x["p"]) for x in answer["outcome"]["results"].values()) == 1
    assert "Exact" in GAME.odds_text(answer, "en")


def test_odds_against_hidden_blocks_tell_nothing_that_is_hidden() -> None:
    def odds(units: str) -> dict[str, Any] | None:
        s = position(units, start=True)
        go_to(s, "7.5", 0)
        act(s, 0, "move", "de-26")
        return GAME.odds(s, 0, GAME.read(s, 0, ("attack", "0507/0508")))

    one = odds("0508: de-26 | 0507: fr-6 2 | 0505: fr-1dcr, fr-3a")
    assert one is not None
    assert not one["exact"]
    assert one["policy"]["deals"] == in_play.DEALS
    assert abs(sum(float(Fraction(x["p"])) for x in one["outcome"]["results"].values()) - 1) < 1e-6
    assert one == odds("0508: de-26 | 0507: fr-6 4 | 0505: fr-1dcr, fr-3a")  # whatever its strength
    assert one == odds("0508: de-26 | 0507: fr-1dcr | 0505: fr-6 3, fr-3a")  # and whoever it is
    assert "full strength" in GAME.odds_text(one, "en")
    assert "au complet" in GAME.odds_text(one, "fr")


def test_odds_count_the_maginot_line_from_the_side_that_is_attacked() -> None:
    works = []
    for whence in ("0508", "0606"):
        s = position(f"{whence}: de-26 | 0507: fr-6 2", options={"fog": "off"})
        cast = {u("fr-6"): (u("fr-6"), 2)}
        case = in_play.case_of(s, node("0507"), 0, in_play.Joining(u("de-26"), "", node(whence)), cast)
        assert case is not None
        works.append(case["hex"]["works"])
    assert works == ["fortress", "bunker"]


# What the table lays over the map


def laid(s: object, side: int) -> dict[str, dict[str, object]]:
    return {o["key"]: o for o in GAME.view(s, side)["overlays"]}  # type: ignore[arg-type]


def test_zones_of_both_sides_are_laid_over_the_map() -> None:
    s = position("0508: de-26 | 0506: fr-6, fr-zn | 0309: de-fort-calais")
    zones = laid(s, 0)
    assert set(zones["zones-axis"]["hexes"]) == neighbours("0508")  # type: ignore[call-overload]
    assert set(zones["zones-allies"]["hexes"]) == neighbours("0506")  # type: ignore[call-overload]
    assert set(laid(s, -1)) == {"zones-axis", "zones-allies"}  # spectators see no lanes


def neighbours(name: str) -> set[str]:
    from .table import THEATRE

    return {THEATRE.names[n] for n in THEATRE.touch[node(name)]}


def test_lanes_and_units_cut_off_are_laid_over_the_map() -> None:
    s = position("0508: de-26 | 0608: de-27 | 0804: de-4")
    mine = laid(s, 0)
    lines = mine["lanes"]["lines"]
    assert isinstance(lines, list)
    assert [line for line in lines if line[0] == "0608"]
    assert not [line for line in lines if line[0] == "0508"]  # it stands on its source
    assert mine["cut-off"]["hexes"] == {"0804": "!"}
    assert "lanes" not in laid(s, 1)


def test_reach_and_battles_of_the_unit_in_hand() -> None:
    s = position("0508: de-26 | 0506: fr-6", start=True)
    go_to(s, "7.5", 0)
    assert "reach" not in laid(s, 0)
    act(s, 0, "move", "de-26")
    mine = laid(s, 0)
    assert mine["reach"]["hexes"]["0509"] == 1  # type: ignore[index]
    assert set(mine["battles"]["hexes"]) == {"0506"}  # type: ignore[call-overload]
    assert "reach" not in laid(s, 1)  # not his unit, not his plans
    assert "reach" not in laid(s, -1)


def test_views_leave_out_what_goes_without_saying() -> None:
    s = position("0508: de-26 | 0506: fr-6")
    piece = next(p for p in GAME.view(s, 0)["pieces"] if p["id"] == "de-26")
    assert not {"half", "flags", "base", "origin", "revealed", "traits"} & set(piece)
    s.flags[u("de-26")] = 1
    assert next(p for p in GAME.view(s, 0)["pieces"] if p["id"] == "de-26")["flags"] == 1


def test_the_terminal_shows_bills_reach_and_lanes() -> None:
    from grognard.kernel.texts import texts_for

    say = texts_for("bitw", "en").say
    s = position("0508: de-26 3 | 0506: fr-6 | 0804: de-27", start=True)
    go_to(s, "7.3", 0)
    text = GAME.situation(s, 0, say)
    assert "26 AK (DE) at 3: the next step costs 1." in text
    assert "Without supply: 0804." in text
    assert "As things stand: Allies, marginal victory." in text
    assert "the next step" not in GAME.situation(s, 1, say)
    go_to(s, "7.5", 0)
    act(s, 0, "move", "de-26")
    text = GAME.situation(s, 0, say)
    assert "0509 1" in text
    assert "Battles in reach: 0506" in text
    assert "Supply lane: 0508." in text
    assert "fr-6" not in text


def test_hexes_are_called_by_their_towns() -> None:
    assert GAME.noun("2526", "en") == "Trier"
    assert GAME.noun("2526", "fr") == "Trèves"
    assert GAME.noun("2526/2724", "en") == "Trier / 2724"
    assert GAME.noun("2724", "en") == ""  # no town
    assert GAME.noun("1940-05", "fr") == "mai 1940"
    assert GAME.noun("de-26", "en") == ""


def test_a_hex_and_a_unit_in_words() -> None:
    s = GAME.setup("SBW3", {}, "seed")
    say = Narrator(GAME, "en").say
    trier = GAME.about(s, 0, "2526", say)
    assert "Trier (2526)" in trier
    assert "bunker" in trier
    assert "de-23" in trier
    assert "Hidden blocks: 3." in GAME.about(s, 1, "trèves", say)  # the enemy sees no more of them
    assert "de-23" not in GAME.about(s, 1, "2526", say)
    assert "Supply lane" in GAME.about(s, 0, "de-19pz", say)
    assert GAME.about(s, 1, "de-19pz", say) == ""  # not his
    assert "Your blocks: 51" in GAME.situation(s, 0, say)


def test_odds_over_eben_emael_count_the_flak_of_liege_alone() -> None:
    case = {
        "hex": {"city": "minor", "works": "fortress"},
        "attacker": [{"unit": "de-1fk"}],
        "defender": [{"unit": "be-1"}],
    }
    dice = []
    for own in (True, False):
        case["hex"] = {"city": "minor", "works": "fortress", "fortress_aa": own}
        flak = [step["locality"] for step in odds_case(case)["first_round"] if step["locality"]]
        dice.append(flak[0]["dice"])
    assert dice == [3, 1]
    s = position("0206: be-1 4 | 0207: de-26", options={"fog": "off"})
    told = in_play.case_of(s, node("0206"), 0, in_play.Joining(u("de-26"), "", node("0207")), {})
    assert told is not None
    assert told["hex"]["fortress_aa"] is False


def test_in_production_the_owner_sees_what_the_next_step_of_each_unit_costs() -> None:
    s = GAME.setup("SBW3", {"advanced": "on"}, "x")
    go_to(s, "7.3", 0)
    shown = GAME.view(s, 0)["prices"]
    for name, entry in shown.items():
        unit = u(name)
        steps = s.steps[unit] if s.place[unit] < OFF else 0
        bill = colours.bill_of(s, unit, steps, production.payer(s, unit))
        assert entry == [bill.yellow, bill.colour, bill.paired]
        assert UNITS[unit].side == 0
        assert steps < UNITS[unit].pattern.top
    assert {tuple(entry[1:]) for entry in shown.values()} >= {("", 0), ("red", 1)}
    assert "prices" not in GAME.view(s, 1)
    s.frames[-1].row = s.frames[-1].labels.index("7.5")
    assert "prices" not in GAME.view(s, 0)


def test_who_has_moved_is_not_told_where_it_could_go() -> None:
    s = position("0508: de-26 | 0507: fr-6")
    say = Narrator(GAME, "en").say
    before = about.unit_text(s, 0, u("de-26"), say)
    s.flags[u("de-26")] |= MOVED
    after = about.unit_text(s, 0, u("de-26"), say)
    assert before.startswith(after)
    assert "0507" in before.removeprefix(after)  # the battle in reach
    assert after


def test_hidden_blocks_of_a_hex_are_counted_in_words() -> None:
    s = position("0507: fr-6, fr-9 | 0508: de-26")
    say = Narrator(GAME, "en").say
    assert "Hidden blocks: 2." in about.about_text(s, 0, "0507", say)
    assert "#" not in about.about_text(s, 0, "0507", say)
    assert "Hidden" not in about.about_text(s, 1, "0507", say)
