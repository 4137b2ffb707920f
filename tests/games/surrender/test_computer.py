"""How good a position looks to the computer: marches, voyages, hunger, landings."""

from grognard.games.surrender.computer.goals import EMBARK, FARTHEST, Goals, goals
from grognard.games.surrender.computer.promises import landing_promise
from grognard.games.surrender.computer.score import score_of
from grognard.games.surrender.frames import Invasion, Operations
from grognard.games.surrender.game import GAME
from grognard.games.surrender.scenarios import world_named

AXIS, WESTERN = 0, 1


def test_goals_are_as_far_as_an_army_must_march(drill):
    aims = goals(drill().world)
    london = aims.distances[aims.great.index(drill().hex("1004"))]
    assert london[drill().hex("1006")] == 2
    assert london[drill().hex("0704")] == FARTHEST  # the Channel is three hexes wide, and no army walks on it
    paris = aims.distances[aims.great.index(drill().hex("0309"))]
    assert paris[drill().hex("0307")] == 2


def test_only_who_has_convoys_looks_across_the_sea():
    assert Goals(world_named("barbarossa")).sails == [False, False, True]
    aims = Goals(world_named("two-fronts"))
    assert aims.sails == [False, True, False]
    held = bytes(3 if hex == world_named("two-fronts").capitals["uk"] else 1 for hex in aims.great)
    calais = world_named("two-fronts").theatre.places["calais"]
    assert aims.pull(held, AXIS + 1)[calais] == 3 * FARTHEST


def test_a_port_is_a_voyage_away_from_the_nearest_coast(drill):
    d = drill()
    aims = goals(d.world)
    number = aims.great.index(d.hex("0309"))  # Paris: its coast 0707 is four hexes away
    ashore = min(aims.distances[number][d.hex(f"07{col:02d}")] for col in range(1, 13))
    assert aims.voyages[number][d.hex("1007")] == ashore + EMBARK
    assert aims.voyages[number][d.hex("1008")] == ashore + EMBARK + 1


def test_an_ally_does_not_march_on_its_allys_cities(drill):
    d = drill()
    for hex in goals(d.world).great:
        d.s.control[hex] = WESTERN + 1
    held = goals(d.world).holdings(d.s.control).great
    assert not any(goals(d.world).pull(held, 3))  # the Soviets want nothing there
    assert any(goals(d.world).pull(held, AXIS + 1))


def test_a_hungry_army_looks_back_to_its_source(drill):
    def worth(hex, flag):
        d = drill(f"{hex}: DE infantry {flag}")
        d.s.frames = [Operations(side=AXIS)]
        return score_of(d.s, AXIS)

    assert worth("0404", "") > worth("0403", "")  # fed, it goes east
    assert worth("0403", "none") > worth("0404", "none")  # hungry, it goes back to Berlin


def test_a_landing_is_worth_the_ground_it_gives(drill):
    d = drill("1007: UK infantry | UK convoy", side="western")
    unit, convoy = d.unit("UK-infantry-1"), d.unit("UK-convoy-1")

    def promise(target):
        return landing_promise(
            d.s, goals(d.world), Invasion(side=WESTERN, target=d.hex(target), units=(unit,), convoys=(convoy,))
        )

    assert promise("0702") > promise("0701")  # Hamburg is a city, the beach beside it is none
    strong = drill("1007: UK infantry | UK convoy\n0702: DE tank e", side="western")
    fought = landing_promise(
        strong.s,
        goals(strong.world),
        Invasion(side=WESTERN, target=d.hex("0702"), units=(strong.unit("UK-infantry-1"),), convoys=(convoy,)),
    )
    assert fought < promise("0702")  # and it is worth less where somebody waits


def test_the_computer_is_in_every_scenario():
    for scenario in GAME.scenarios:
        s = GAME.setup(scenario, {}, "computer")
        assert isinstance(GAME.score(s, s.waiting[0]), int)
