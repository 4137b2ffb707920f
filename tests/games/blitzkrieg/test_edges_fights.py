"""Charges, overruns, losses, reactions: each refusal by its reason, each result at the die that makes it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.games.blitzkrieg.doors import Book
from grognard.games.blitzkrieg.frames import CLOSE, OPPORTUNITY, RAM, Activation, Moving, Reaction
from grognard.games.blitzkrieg.laws import destruction
from grognard.games.blitzkrieg.odds import charging
from grognard.games.blitzkrieg.rules import assault, losses, reaction
from grognard.games.blitzkrieg.rules.riding import set_on
from grognard.games.blitzkrieg.state import (
    ABOARD,
    ACTIVATED,
    AWAY,
    FIRED,
    GOOD,
    HIDDEN,
    LEADERLESS,
    LOST,
    OUT,
    REACTED,
    SHAKEN,
    SHOT_AT,
    STOPPED,
    STUCK,
    SUPPRESSED,
    WRECK,
    has,
)
from grognard.games.blitzkrieg.switches import DEFAULTS

from .edges import reason

SMG, SMG_2, GREN, GREN_2, MG = "su-smg-1", "su-smg-2", "de-pzgren-1", "de-pzgren-2", "de-mmg-1"
T34, PANZER, TIGER, PAK, HEAD = "su-t34-43-1", "de-pz4h-1", "de-pz6-1", "de-pak40-1", "su-command-1"


# Who may


@pytest.mark.rule("base-assault", "base-infantry-v-armour")
def test_each_reason_not_to_charge(steppe):
    s = steppe.s
    men, foe, tank = steppe.put(SMG, 166, 60), steppe.put(GREN, 150, 60), steppe.put(PANZER, 150, 70, "W")
    friend, far, own = steppe.put(SMG_2, 170, 60), steppe.put(GREN_2, 130, 60), steppe.put(T34, 175, 70, "W")

    def why(target=foe, unit=men):
        return reason(assault.why_no_charge(s, unit, target))

    assert why() is None
    assert why(tank) is None
    assert why(friend) == "not-an-enemy"
    assert why(unit=own) == "only-infantry-charges"
    assert why(far) == "charge-too-far"
    for condition, found in ((LOST, "not-an-enemy"), (SHAKEN, None), (WRECK, "not-an-enemy")):
        s.condition[foe] = condition
        assert why() == found
    s.condition[foe] = GOOD
    s.at[foe], here = 0, s.at[foe]
    assert why() == "not-an-enemy"
    s.at[foe] = here
    s.flags[foe] |= HIDDEN
    assert why() == "not-an-enemy"
    s.flags[foe] &= ~HIDDEN
    s.condition[men] = SHAKEN
    assert why() == "demoralised"
    s.condition[men] = GOOD
    s.flags[men] |= SUPPRESSED
    assert why() == "suppressed"
    s.flags[men] &= ~SUPPRESSED
    s.smoke = ((156 * 4, 40 * 4, 8, 160, 9),)
    assert why() == "charge-unseen"


@pytest.mark.rule("base-assault")
def test_men_do_not_storm_what_is_not_armoured(table):
    made = table("arras40")
    made.put("uk-rifle-1", 60, 20)
    truck = made.put("de-opel-1", 60, 10, "E")
    assert reason(assault.why_no_charge(made.s, made.unit("uk-rifle-1"), truck)) == "shoot-soft-vehicles"


@pytest.mark.rule("base-overrun", "214a")
def test_each_reason_not_to_run_over(steppe):
    s = steppe.s
    tank, foe, far = steppe.put(T34, 180, 60, "W"), steppe.put(GREN, 160, 60), steppe.put(GREN_2, 60, 20)
    men = steppe.put(SMG, 150, 62)
    s.flags[tank] |= OUT

    def why(target=foe, unit=tank):
        return reason(assault.why_no_overrun(s, unit, target))

    assert why() is None
    assert why(men) == "not-an-enemy"
    assert why(unit=men) == "only-vehicles-overrun"
    s.condition[tank] = SHAKEN
    assert why() == "demoralised"
    s.condition[tank] = GOOD
    assert why(far) in ("charge-too-far", "charge-unseen")
    s.smoke = ((168 * 4, 40 * 4, 8, 160, 9),)
    assert why() == "charge-unseen"


@pytest.mark.rule("base-assault")
def test_contact_is_only_what_reached_its_target(steppe):
    s = steppe.s
    men, foe = steppe.put(SMG, 153, 60), steppe.put(GREN, 150, 60)
    c = Moving(side=0, unit=men, target=foe)
    assert assault.in_contact(s, c)
    assert not assault.in_contact(s, Moving(side=0, unit=men))
    assert not assault.in_contact(s, Moving(side=0, unit=men, target=foe, stopped=1))
    for unit in (men, foe):
        s.condition[unit] = LOST
        assert not assault.in_contact(s, c)
        s.condition[unit] = GOOD
    s.loaded = (1, 1, 1, 3, 3)
    assault.resolve(s, c)
    assert c.stopped == 1
    assert has(s, foe, SHOT_AT)
    s.loaded = ()


# The fight


@pytest.mark.rule("base-defensive-fire", "102a", "102c")
def test_how_many_dice_a_defender_throws_and_what_they_need(steppe):
    s = steppe.s
    men = steppe.put(SMG, 153, 60)
    foe, smg = steppe.put(GREN, 150, 60), steppe.put("su-smg-3", 30, 60)

    def fired(condition=GOOD, flags=0, covered=0, target=foe):
        s.condition[target], s.flags[target], s.covered[target] = condition, flags, covered
        s.condition[men], s.events, s.loaded = GOOD, [], (1,) * 6
        goes_on = assault.defensive_fire(s, men, target)
        s.loaded = ()
        told = next(e for e in s.events if e.kind == "fires").data
        return len(told["dice"]), told["number"], goes_on

    dice, number, goes_on = fired()
    assert goes_on
    assert fired(SHAKEN)[:2] == ((dice - 1, number) if dice > 1 else (1, number + 1))
    assert fired(flags=SUPPRESSED)[:2] == ((dice - 1, number) if dice > 1 else (1, number + 1))
    least = fired(SHAKEN, SUPPRESSED)
    assert least[:2] == (max(1, dice - 2), number + (dice < 3))
    assert fired(covered=2)[1] == fired(covered=1)[1] + 1 == number + 2
    s.at[smg] = s.at[foe]
    assert fired(target=smg)[0] == 1 + assault.fire.team_dice(Book(DEFAULTS), steppe.w and assault.MODEL_OF[smg])


@pytest.mark.rule("base-defensive-fire")
@pytest.mark.parametrize(("save", "goes_on"), [(6, True), (1, False)])
def test_a_charge_goes_on_only_in_good_order(steppe, save, goes_on):
    s = steppe.s
    men, foe, gun = steppe.put(SMG, 153, 60), steppe.put(GREN, 150, 60), steppe.put(PAK, 150, 80)
    dice = assault.fire.team_dice(Book(DEFAULTS), assault.MODEL_OF[foe])
    s.loaded = (6,) * dice + (save,) * dice
    assert assault.defensive_fire(s, men, foe) is goes_on
    s.loaded, draws = (), s.draws
    assert assault.defensive_fire(s, men, gun)  # a gun throws no dice
    assert s.draws == draws


@pytest.mark.rule("base-close-combat")
@pytest.mark.parametrize(
    ("result", "who", "condition", "moved"),
    [
        ("tie", SMG, GOOD, 5),
        ("defender_eliminated", GREN, LOST, 0),
        ("attacker_eliminated", SMG, LOST, 0),
        ("defender_demoralised", GREN, SHAKEN, 10),
        ("attacker_demoralised", SMG, SHAKEN, 10),
    ],
)
def test_what_a_fight_does(steppe, result, who, condition, moved):
    s, table = steppe.s, steppe.w.table
    men, foe = steppe.put(SMG, 153, 60), steppe.put(GREN, 150, 60)
    one = steppe.unit(who)
    other = men + foe - one
    before = table.x[s.at[one]]
    assault._after(s, men, foe, result)
    assert (s.condition[one], s.condition[other]) == (condition, GOOD)
    if condition <= SHAKEN:
        assert abs(abs(table.x[s.at[one]] - before) - moved * 4) <= 10


@pytest.mark.rule("base-close-combat")
def test_friends_in_contact_help_either_side_and_a_gun_fights_worse(steppe):
    s = steppe.s
    men, foe, gun = steppe.put(SMG, 153, 60), steppe.put(GREN, 150, 60), steppe.put(PAK, 150, 90)

    def fight(target, *helpers):
        for unit in (men, target, *helpers):
            s.condition[unit] = GOOD
        steppe.put(SMG, 153, 60 if target == foe else 90)
        s.events, s.loaded = (
            [],
            (*(1,) * (assault.fire.team_dice(Book(DEFAULTS), assault.MODEL_OF[foe]) if target == foe else 0), 3, 3),
        )
        assault.assault(s, men, target)
        s.loaded = ()
        told = next(e for e in s.events if e.kind == "melee").data
        return told["attack"] - 3, told["defence"] - 3

    alone = fight(foe)
    steppe.put(GREN, 150, 60)
    helper = steppe.put(SMG_2, 150, 63)
    helped = fight(foe, helper)
    assert (helped[0] - alone[0], helped[1] - alone[1]) == (1, 0)
    s.at[helper] = 0
    steppe.put(GREN, 150, 60)
    mate = steppe.put(GREN_2, 153, 63)
    both = fight(foe, mate)
    assert (both[0] - alone[0], both[1] - alone[1]) == (0, 1)
    s.at[mate] = 0
    quality = steppe.w.quality[gun]
    assert fight(gun)[1] == -1 + assault.quality.QUALITY["close"][quality]


@pytest.mark.rule("214a", "214b", "214e")
def test_214_who_survives_goes_back_and_a_vehicle_flees(table):
    made = table("arras40")
    s, points = made.s, made.w.table
    tank, truck, gun = (
        made.put("uk-mat2-1", 60, 20, "N"),
        made.put("de-opel-1", 60, 14, "E"),
        made.put("de-pak36-1", 90, 14),
    )
    men = made.put("de-rifle-1", 120, 14)

    def run(target, die):
        x, y = points.x[s.at[target]], points.y[s.at[target]]
        s.at[tank] = points.point_at(x, y + 20)
        s.loaded = (die,)
        assault.overrun(s, tank, target)
        s.loaded = ()
        return s.condition[target], ((points.x[s.at[target]] - x) ** 2 + (points.y[s.at[target]] - y) ** 2) ** 0.5 / 4

    condition, gone = run(truck, 1)
    assert condition == GOOD
    assert 15 <= gone <= 20
    assert run(gun, 1) == (SHAKEN, 0)
    condition, gone = run(men, 2)
    assert condition == SHAKEN
    assert 2.5 <= gone <= 5
    assert run(men, 3)[0] == LOST


@pytest.mark.rule("base-infantry-v-armour", "215a", "215c")
def test_215_the_dice_of_an_assault_on_armour(steppe):
    s = steppe.s

    def storm(*dice, moving=False):
        men, tank = steppe.put(SMG, 150, 64), steppe.put(PANZER, 150, 60, "N")
        for name in (SMG_2, "su-smg-3", HEAD):
            steppe.put(name, 20, 20)  # the formation is whole
        s.moved[tank] = 10 * moving
        s.loaded, s.events = dice, []
        assault.assault_armour(s, men, tank)
        s.loaded = ()
        return s.condition[tank] == WRECK

    assert not storm(1)  # nerve fails
    assert "storms" not in steppe.kinds()
    assert storm(6, 1, 4)  # nerve, the machine gun of the turret, the assault
    assert not storm(6, 1, 3)
    assert storm(6, 1, 6)
    assert not storm(6, 1, 1)
    assert not storm(6, 1, 4, moving=True)
    assert storm(6, 1, 5, moving=True)


@pytest.mark.rule("base-infantry-v-armour")
def test_a_hull_defends_itself_with_what_bears_and_the_storm_ends_with_who_runs(steppe):
    s = steppe.s
    men, tank = steppe.put(SMG, 146, 60), steppe.put(PANZER, 150, 60, "W")
    bearing = assault.mgs_bearing(s, tank, men)
    assert bearing == ("hull", "coax")
    s.loaded, s.events = (6, 6, 6, 1, 1, 1), []
    assault.assault_armour(s, men, tank)
    s.loaded = ()
    fired = next(e for e in s.events if e.kind == "fires")
    assert fired.data["hits"] == len(fired.data["dice"]) >= 2
    assert "storms" not in steppe.kinds()
    assert (s.condition[men] != GOOD, s.condition[tank]) == (True, GOOD)


@pytest.mark.rule("base-infantry-v-armour", "215c")
def test_the_odds_of_an_assault_on_armour_are_those_of_its_dice(steppe):
    s = steppe.s
    men, tank = steppe.put(SMG, 150, 66), steppe.put(PANZER, 150, 60, "N", flags=ACTIVATED)
    share = {name: Fraction(p) for name, p in charging.charge_odds(s, men, tank)["results"].items()}
    assert sum(share.values()) == 1
    assert share["destroyed"] == share["none"]  # 4, 5 and 6 of what comes so far
    s.moved[tank] = 10
    share = {name: Fraction(p) for name, p in charging.charge_odds(s, men, tank)["results"].items()}
    assert 2 * share["destroyed"] == share["none"]  # 5 and 6


# Losses


@pytest.mark.rule("base-bailed-crew")
def test_a_crew_is_of_the_nation_of_its_vehicle_and_only_while_one_is_left(table):
    made = table("encounter44")
    s = made.s
    nations = {losses.NATION_OF[u] for u in made.w.of_side[0] if losses.IS_CREW[u]}
    tank = next(u for u in made.w.of_side[0] if losses.IS_ARMOUR[u] and losses.NATION_OF[u] in nations)
    own = [u for u in made.w.of_side[0] if losses.IS_CREW[u] and losses.NATION_OF[u] == losses.NATION_OF[tank]]
    here = made.w.table.point_at(240, 360)
    for crew in own:
        assert s.condition[crew] == AWAY
        losses.bail_out(s, tank, here)
        assert (s.condition[crew], s.flags[crew]) == (SHAKEN, ACTIVATED)
    draws = [s.condition[u] for u in made.w.units]
    losses.bail_out(s, tank, here)
    assert [s.condition[u] for u in made.w.units] == draws
    s.condition[own[0]] = LOST
    losses.bail_out(s, tank, here)
    assert s.condition[own[0]] == SHAKEN


@pytest.mark.rule("base-damage")
def test_a_crew_that_keeps_its_nerve_stays(steppe):
    s, tank = steppe.s, steppe.put(PANZER, 150, 60, "W")
    s.loaded = (6,)
    assert losses.damage(s, tank, "base-damage") == destruction.IMMOBILISED
    assert (s.condition[tank], has(s, tank, STUCK)) == (GOOD, True)
    s.loaded = (1,)
    assert losses.damage(s, tank, "base-damage") == destruction.ABANDONED
    assert s.condition[tank] > SHAKEN
    s.loaded = ()
    other = steppe.put(TIGER, 100, 60, "W")
    assert losses.damage(s, other, "218a", test=False) == destruction.IMMOBILISED


@pytest.mark.rule("base-destruction", "base-damage")
def test_a_test_of_armour_is_carried_out_as_it_ends(steppe):
    s = steppe.s
    for result, dice, condition, stuck in (
        (destruction.NONE, (), GOOD, False),
        (destruction.DAMAGED, (6,), GOOD, True),
        (destruction.DESTROYED, (), WRECK, False),
    ):
        tank = steppe.put(PANZER, 150, 60, "W")
        s.loaded = dice
        losses.wrecked(s, tank, result, "base-destruction")
        s.loaded = ()
        assert (s.condition[tank], has(s, tank, STUCK)) == (condition, stuck)


@pytest.mark.rule("base-victory-points", "205a")
def test_what_is_lost_is_counted_once_and_a_wreck_stays(table):
    for choice, condition in (("on", WRECK), ("off", LOST)):
        made = table("prokhorovka43", p205=choice)
        s = made.s
        tank, men = made.put(PANZER, 150, 60, "W"), made.put(GREN, 100, 60)
        s.points[0] = s.lost[1] = 0
        for _ in range(2):
            losses.lose(s, tank, "base-destruction")
        assert (s.condition[tank], s.points[0], s.lost[1], bool(s.at[tank])) == (condition, 2, 1, condition == WRECK)
        losses.lose(s, men, "base-save")
        assert (s.condition[men], s.points[0], s.lost[1], s.at[men]) == (LOST, 3, 2, 0)


@pytest.mark.rule("base-transport", "203d")
def test_who_was_aboard_is_beside_the_wreck_and_a_towed_gun_lives(table):
    for choice, lives in (("on", True), ("off", False)):
        made = table("arras40", p203=choice)
        s = made.s
        truck, men, gun = (
            made.put("de-opel-1", 60, 10, "E"),
            made.put("de-rifle-1", 60, 10),
            made.put("de-pak36-1", 60, 10),
        )
        set_on(s, men, truck)
        set_on(s, gun, truck)
        s.loaded = (6, 6)
        losses.lose(s, truck, "base-destruction")
        s.loaded = ()
        assert (s.condition[men] == GOOD, s.condition[gun]) == (lives, GOOD)
        assert not has(s, gun, ABOARD)
        assert s.at[gun] != made.w.table.point_at(240, 40)


@pytest.mark.rule("base-save-again")
def test_who_cannot_go_back_is_no_more(steppe, monkeypatch):
    s = steppe.s
    men, foe = steppe.put(SMG, 150, 60), steppe.put(GREN, 140, 60)
    assert losses.fall_back(s, men, s.at[foe], 10)
    monkeypatch.setattr(losses, "stops", lambda *_: {})
    assert not losses.fall_back(s, men, s.at[foe], 10)
    assert s.condition[men] == LOST


@pytest.mark.rule("base-save-again", "base-hidden")
def test_nobody_falls_back_onto_who_hides(steppe):
    s = steppe.s
    men, foe = steppe.put(SMG, 150, 60), steppe.put(GREN, 140, 60)
    copy = s.copy()
    losses.fall_back(copy, men, s.at[foe], 10)
    hidden = steppe.put(GREN_2, 160, 60, flags=HIDDEN)
    s.at[hidden] = copy.at[men]
    assert losses.hidden_points(s, men) == {s.at[hidden]}
    losses.fall_back(s, men, s.at[foe], 10)
    assert s.at[men] not in (s.at[hidden], steppe.w.table.point_at(600, 240))
    s.flags[hidden] &= ~HIDDEN
    assert losses.hidden_points(s, men) == set()


@pytest.mark.rule("base-exposed-crew")
@pytest.mark.parametrize(("die", "condition"), [(6, GOOD), (2, SHAKEN)])
def test_small_arms_at_a_crew_that_looks_out(steppe, die, condition):
    s = steppe.s
    tank = steppe.put(PANZER, 150, 60, "W", flags=OUT)
    s.loaded = (die,)
    losses.exposed_hits(s, tank, 1)
    s.loaded = ()
    assert s.condition[tank] == condition
    draws = s.draws
    losses.exposed_hits(s, tank, 0)
    s.condition[tank] = WRECK
    losses.exposed_hits(s, tank, 3)
    assert s.draws == draws


@pytest.mark.rule("216b")
def test_216_a_lost_commander_closes_the_hatch_for_good(steppe):
    tank = steppe.put(PANZER, 150, 60, "W", flags=OUT)
    losses.close_for_good(steppe.s, tank)
    assert [has(steppe.s, tank, f) for f in (LEADERLESS, STOPPED, OUT)] == [True, True, False]


@pytest.mark.rule("base-save", "base-demoralised")
def test_a_save_for_each_hit_and_the_worst_counts(steppe):
    s, men = steppe.s, steppe.put(GREN, 150, 60)
    s.loaded = (6, 6, 6)
    assert losses.take_hits(s, men, 3, 0, "base-save", s.at[men] + 1) == losses.quality.SAFE
    assert s.condition[men] == GOOD
    s.loaded = (6, 2)
    losses.take_hits(s, men, 2, 0, "base-save", s.at[men] + 1)
    assert s.condition[men] == SHAKEN
    s.loaded, draws = (), s.draws
    s.condition[men] = LOST
    assert losses.take_hits(s, men, 2, 0, "base-save", 1) == losses.quality.SAFE
    s.condition[men] = GOOD
    assert losses.take_hits(s, men, 0, 0, "base-save", 1) == losses.quality.SAFE
    assert s.draws == draws


# Reactions


@pytest.mark.rule("base-opportunity-fire")
def test_who_may_react_at_all(steppe):
    s, gun = steppe.s, steppe.put(PAK, 150, 60, "E")
    assert reaction.may_react(s, gun)
    for flag in (SUPPRESSED, ACTIVATED, FIRED, STOPPED):
        s.flags[gun] = flag
        assert not reaction.may_react(s, gun)
    s.flags[gun], s.condition[gun] = 0, SHAKEN
    assert not reaction.may_react(s, gun)


@pytest.mark.rule("base-opportunity-fire", "221a", "214c", "214h")
def test_who_is_asked_by_the_reason_of_asking(steppe):
    s = steppe.s
    mover = steppe.put(T34, 160, 60, "W")
    near, far = steppe.put(PAK, 154, 60, "E"), steppe.put(PANZER, 110, 60, "E")
    gone = steppe.put(TIGER, 100, 60, "E", condition=LOST)

    def who(why):
        return reaction.reactors(s, Reaction(side=1, unit=mover, why=why))

    assert who(OPPORTUNITY) == sorted([near, far], key=steppe.w.of_side[1].index)
    assert who(RAM) == [near]
    assert who(CLOSE) == []
    s.condition[gone], s.at[gone] = GOOD, 0
    assert gone not in who(OPPORTUNITY)
    s.flags[near] |= SUPPRESSED
    assert who(RAM) == []
    s.flags[near] = REACTED
    assert who(RAM) == []
    s.flags[near] = 0
    s.condition[mover] = WRECK
    assert [who(why) for why in (OPPORTUNITY, CLOSE, RAM)] == [[], [], []]


@pytest.mark.rule("214c", "214h")
def test_214_who_fires_at_what_runs_over_it(steppe):
    s, book = steppe.s, Book(DEFAULTS)
    mover, men, gun = steppe.put(T34, 160, 60, "W"), steppe.put(GREN, 157, 60), steppe.put(PAK, 156, 60, "E")
    panzer, smg = steppe.put(PANZER, 156, 70, "E"), steppe.put(SMG, 170, 60)
    assert reaction.ram_reaction(book, s, gun, mover)
    assert not reaction.ram_reaction(book, s, men, mover)  # no anti-tank weapon
    assert not reaction.ram_reaction(book, s, panzer, mover)  # a vehicle
    assert not reaction.ram_reaction(book, s, gun, smg)  # nobody on foot runs over
    s.condition[gun] = SHAKEN
    assert not reaction.ram_reaction(book, s, gun, mover)


@pytest.mark.rule("base-opportunity-fire")
def test_the_question_ends_with_an_answer_and_a_stand_down_lasts(steppe):
    s = steppe.s
    mover, gun = steppe.put(T34, 160, 60, "W"), steppe.put(PAK, 130, 60, "E")
    ask = reaction.React()
    c = Reaction(side=1, unit=mover, why=OPPORTUNITY)
    assert ask.needed(s, c, 1)
    assert (ask.nouns(s, c, 1, "react"), ask.nouns(s, c, 1, "let-pass")) == ([gun], [0])
    assert ask.why_not(s, c, 1, "let-pass", 0) is None
    assert ask.why_not(s, c, 1, "react", gun) is None
    assert ask.why_not(s, c, 1, "react", mover).reason == "not-your-unit"
    assert ask.why_not(s, c, 1, "react", steppe.unit(MG)).reason == "cannot-react"
    frame = Activation(side=0)
    s.frames.append(frame)
    ask.apply(s, c, 1, "let-pass", 0)
    assert (c.over, frame.quiet) == (1, 0)
    assert not ask.needed(s, c, 1)
    c = Reaction(side=1, unit=mover, why=OPPORTUNITY)
    ask.apply(s, c, 1, "stand-down", 0)
    assert (c.over, frame.quiet) == (1, 1)
    assert not ask.needed(s, Reaction(side=1, unit=mover, why=OPPORTUNITY), 1)
    frame.quiet = 0
    s.condition[mover] = WRECK
    assert not ask.needed(s, Reaction(side=1, unit=mover, why=OPPORTUNITY), 1)


@pytest.mark.rule("base-opportunity-fire", "221b")
@pytest.mark.parametrize(
    ("why", "dice", "flags"), [(OPPORTUNITY, (1, 2, 2), ACTIVATED | FIRED), (CLOSE, (1,), ACTIVATED | REACTED)]
)
def test_who_reacts_has_acted_and_in_a_close_reaction_needs_nerve(steppe, why, dice, flags):
    s = steppe.s
    mover, gun = steppe.put(T34, 160, 60, "W"), steppe.put(PANZER, 152, 60, "E", flags=HIDDEN)
    s.loaded, s.events = dice, []
    reaction.react(s, gun, mover, why)
    s.loaded = ()
    assert s.flags[gun] & (ACTIVATED | FIRED | REACTED | HIDDEN) == flags
    assert ("shoots" in steppe.kinds()) is (why == OPPORTUNITY)
