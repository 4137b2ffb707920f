"""Edges of what happens behind the fronts: partisans, new factories, upgrades, Volkssturm, V-weapons, the republic."""

from __future__ import annotations

import pytest

from grognard.games.bitw.frames import PlayerTurn, Siting
from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import charts
from grognard.games.bitw.rules import colours, factories, italy, recruits, resistance, wonder
from grognard.games.bitw.rules.sites import has_factory
from grognard.games.bitw.scenarios import COLOURED
from grognard.games.bitw.state import HELD, NOWHERE, OOS, OUT, POOL, BitwState, put, side_holding
from grognard.games.bitw.theatre import MAJOR
from grognard.games.bitw.world import POWERS, UNITS, world

from .ladder import climb, given, made, marked, moved_to, reason
from .table import u

IDS = {p.id: p.index for p in POWERS}
DE, UK, US, FR = (IDS[x] for x in ("DE", "UK", "US", "FR"))
RED, BLUE, BLACK = 0, 1, 2


def at(s: BitwState, place: str) -> int:
    return world(s).theatre.find(place)


def occupied(option: str = "on") -> BitwState:
    """SBW8 with no Axis unit in France and the Low Countries, no discs, and three to be placed for France."""
    s = GAME.setup("SBW8", {"partisans": option}, "x")
    t = world(s).theatre
    for x in range(len(UNITS)):
        if UNITS[x].side == 0 and s.place[x] < t.hexes and t.country[s.place[x]] in ("FRA", "BEL", "NED"):
            put(s, x, POOL)
    s.partisans, s.events = (), []
    return s


# 29 Partisans


@pytest.mark.rule("29.1c", "29.1b", "29.0a")
def test_29_1c_each_condition_of_a_disc() -> None:
    s = occupied()
    dijon, paris, berlin, lyon, reims = (at(s, x) for x in ("dijon", "paris", "berlin", "lyon", "reims"))
    c = PlayerTurn(side=1)
    c.discs = ((FR, 1),)
    s.pp[UK] = 0
    rungs = [
        (made("partisans", ((dijon, 2),)), None),
        (made("partisans", ((dijon, 3),)), "full-of-partisans"),
        (made("partisans", ((dijon, 2), (paris, 3), (lyon, 3), (reims, 1))), None),
        (made("partisans", ((dijon, 2), (paris, 3), (lyon, 3), (reims, 2))), "no-disc-left"),
        (moved_to("de-84", dijon), "under-guard"),
        (given("owner", dijon, US), "not-restive"),
        (given("status", FR, 0), "not-restive"),
        (made("chosen", s.chosen | {"partisans": "off"}), "no-partisans"),
    ]
    if FR not in world(s).scenario.in_play:
        rungs.pop(6)
    climb(s, lambda x: resistance.why_not_disc(x, c, dijon, paid=False), rungs)
    assert reason(resistance.why_not_disc(s, c, berlin, paid=False)) == "not-restive"
    assert reason(resistance.why_not_disc(s, PlayerTurn(side=0), dijon, paid=False)) == "no-partisans"
    assert reason(resistance.why_not_disc(s, c, dijon, paid=True)) == "too-dear"
    s.pp[UK] = 1
    assert resistance.why_not_disc(s, c, dijon, paid=True) is None
    c.discs = ((FR, 0), (IDS["NL"], 4))
    assert reason(resistance.why_not_disc(s, c, dijon, paid=False)) == "no-free-partisans"


@pytest.mark.rule("29.0a", "29.1c", "29.1b")
@pytest.mark.parametrize("points", [0, 1, 9])
@pytest.mark.parametrize("free", [(), ("FR",), ("NL",), ("FR", "BE")])
def test_29_0a_the_list_of_hexes_is_what_the_rule_allows(points: int, free: tuple[str, ...]) -> None:
    s = occupied()
    s.partisans = ((at(s, "dijon"), 3), (at(s, "lyon"), 2))
    put(s, u("de-84"), at(s, "reims"))
    s.pp[UK] = points
    c, resist = PlayerTurn(side=1), resistance.Resist()
    c.discs = tuple((IDS[x], 1) for x in free)
    everywhere = range(world(s).theatre.hexes)
    for verb in ("partisan", "pay-partisan"):
        paid = verb == "pay-partisan"
        allowed = [n for n in everywhere if resistance.why_not_disc(s, c, n, paid) is None]
        assert list(resist.legal_nouns(s, c, 1, verb)) == allowed
        assert bool(allowed) == (points > 0 if paid else bool(free))
        assert set(allowed) <= set(resist.nouns(s, c, 1, verb))
        assert at(s, "dijon") not in allowed
        assert at(s, "reims") not in allowed
        assert at(s, "berlin") not in allowed
    assert resist.legal_nouns(s, c, 1, "done") == [0]
    assert list(resist.nouns(s, c, 1, "done")) == [0]
    assert resist.why_not(s, c, 1, "done", 0) is None
    assert resist.needed(s, c, 1) == bool(free)
    assert not resist.needed(s, c, 0)
    c.finished = c.at()
    assert not resist.needed(s, c, 1)
    full = s.copy()
    full.partisans = tuple((at(s, x), 3) for x in ("dijon", "lyon", "paris")) + ((at(s, "rennes"), 1),)
    assert resist.legal_nouns(full, c, 1, "partisan") == []
    off = occupied("off")
    off.pp[UK] = 5
    assert resist.legal_nouns(off, c, 1, "pay-partisan") == []
    assert resist.legal_nouns(s, PlayerTurn(side=0), 1, "pay-partisan") == []


@pytest.mark.rule("29.0a", "29.1c")
def test_29_1c_a_disc_costs_what_it_says() -> None:
    s = occupied()
    c, resist, dijon = PlayerTurn(side=1), resistance.Resist(), at(s, "dijon")
    c.discs, s.pp[UK] = ((FR, 2), (IDS["NL"], 1)), 3
    resist.apply(s, c, 1, "partisan", dijon)
    assert (c.discs, s.pp[UK], s.partisans) == (((FR, 1), (IDS["NL"], 1)), 3, ((dijon, 1),))
    resist.apply(s, c, 1, "pay-partisan", dijon)
    assert (c.discs, s.pp[UK], s.partisans) == (((FR, 1), (IDS["NL"], 1)), 2, ((dijon, 2),))
    resist.apply(s, c, 1, "partisan", dijon)
    assert c.discs == ((IDS["NL"], 1),)  # France has none left
    assert c.finished != c.at()
    resist.apply(s, c, 1, "done", 0)
    assert c.finished == c.at()


@pytest.mark.rule("29.1a", "29.1b")
def test_29_1a_a_third_of_the_loose_minor_cities_and_each_major_one() -> None:
    s = occupied()
    t = world(s).theatre
    cities = [n for n in t.cities if t.country[n] == "FRA" and t.playable[n]]
    for n in cities:
        s.owner[n] = US
    assert resistance.free_discs(s, FR) == 0
    minor = [n for n in cities if t.city[n] != MAJOR]
    major = next(n for n in cities if t.city[n] == MAJOR)
    for held, discs in ((2, 0), (3, 1), (5, 1), (6, 2)):
        for n in minor[:held]:
            s.owner[n] = DE
        assert resistance.free_discs(s, FR) == discs
    s.owner[major] = DE
    assert resistance.free_discs(s, FR) == 3
    put(s, u("de-84"), major)  # its garrison may watch cities next door too
    watched = sum(resistance.is_garrisoned(s, n) for n in minor[:6])
    assert resistance.free_discs(s, FR) == (6 - watched) // 3
    put(s, u("de-84"), POOL)
    abroad = next(n for n in t.cities if t.country[n] == "BEL" and t.playable[n])
    s.owner[abroad] = DE
    c = PlayerTurn(side=1)
    resistance.count_partisans(s, c)
    assert dict(c.discs)[FR] == 3
    assert all(number > 0 for _, number in c.discs)
    for other, option in ((PlayerTurn(side=0), "on"), (PlayerTurn(side=1), "off")):
        s.chosen = s.chosen | {"partisans": option}
        resistance.count_partisans(s, other)
        assert other.discs == ()


@pytest.mark.rule("29.1c", "27.0")
def test_29_1c_who_watches_a_hex() -> None:
    s = occupied()
    t = world(s).theatre
    loose = set(resistance.unwatched(s))
    assert at(s, "dijon") in loose
    assert all(side_holding(s, n) == 0 and t.playable[n] for n in loose)
    assert all(not resistance.is_garrisoned(s, n) for n in loose)
    put(s, u("de-84"), at(s, "dijon"))
    watched = loose - set(resistance.unwatched(s))
    assert at(s, "dijon") in watched
    assert {at(s, "dijon")} < watched <= {at(s, "dijon"), *t.touch[at(s, "dijon")]}
    s.owner[at(s, "lyon")] = US
    assert at(s, "lyon") not in resistance.unwatched(s)


@pytest.mark.rule("29.1e", "29.1f", "7.7.10c")
def test_29_1e_guns_alone_are_lost_to_a_brigade_not_beside_a_fort() -> None:
    for fort, lost in ((False, True), (True, False)):
        s = occupied()
        dijon = at(s, "dijon")
        s.partisans = ((dijon, 2),)
        guns = next(x.index for x in UNITS if x.kind == "artillery" and x.nation == "DE")
        put(s, guns, dijon)
        if fort:
            block = next(x for x in UNITS if x.is_fort and x.side == 0)
            put(s, block.index, dijon)
            s.steps[block.index] = block.pattern.top
        s.loaded = (1,) * 40
        resistance.lone_support_falls(s, dijon)
        assert (s.place[guns] == POOL) == lost


@pytest.mark.rule("29.1e", "29.1d")
def test_29_1e_a_hit_is_taken_by_the_strongest() -> None:
    s = occupied()
    dijon = at(s, "dijon")
    for name, steps in (("de-84", 1), ("de-26", 3)):
        put(s, u(name), dijon)
        s.steps[u(name)] = steps
    resistance.hurt(s, dijon)
    assert (s.steps[u("de-84")], s.steps[u("de-26")]) == (1, 2)
    put(s, u("de-26"), POOL)
    for _ in range(4):
        resistance.hurt(s, dijon)
    assert s.place[u("de-84")] == POOL
    resistance.hurt(s, dijon)  # nobody is left


# 15 New factories


def europe(**chosen: str) -> BitwState:
    s = GAME.setup("SBW2", {"advanced": "on", "factories": "on"} | chosen, "x")
    s.events = []
    return s


@pytest.mark.rule("15.0a", "15.0b", "15.1a")
@pytest.mark.parametrize(("side", "payer"), [(0, DE), (1, UK)])
def test_15_0a_who_may_work_on_a_factory(side: int, payer: int) -> None:
    s = europe()
    pool = factories.pool_of(s, payer)
    s.pp[pool] = 1
    climb(
        s,
        lambda x: factories.why_not_work(x, side, RED),
        [
            (given("pp", pool, 0), "too-dear"),
            (given("pp", pool, 2), None),
            (made("chosen", s.chosen | {"factories": "off"}), "no-factories"),
        ],
    )
    assert factories.why_not_work(s, side, BLUE) is None
    assert reason(factories.why_not_work(s, side, BLACK)) == (None if side == 0 else "no-oil-plant")
    assert list(factories.works_of(s, side)) == [RED, BLUE, BLACK]
    assert list(factories.works_of(s, -1)) == []
    assert list(factories.works_of(europe(factories="off"), side)) == []


@pytest.mark.rule("15.1a")
def test_15_1a_the_work_that_is_furthest_on_and_had_nothing_this_turn() -> None:
    s = europe()
    s.turn, s.pp[DE] = 5, 9
    s.works_begun = ((0, RED, 3, 4), (0, RED, 6, 5), (0, BLUE, 8, 4), (1, RED, 7, 4))
    factories.work_on(s, 0, RED)  # not the 6, which had its point; not blue, not the enemy's
    assert s.works_begun == ((0, RED, 4, 5), (0, RED, 6, 5), (0, BLUE, 8, 4), (1, RED, 7, 4))
    assert s.pp[DE] == 8
    factories.work_on(s, 0, RED)
    assert s.works_begun == ((0, RED, 1, 5), (0, RED, 4, 5), (0, RED, 6, 5), (0, BLUE, 8, 4), (1, RED, 7, 4))
    frames = len(s.frames)
    for paid, done in ((8, False), (9, True)):
        s.works_begun = ((0, RED, paid, 4), (0, RED, 2, 4))
        s.loaded = (1,)
        factories.work_on(s, 0, RED)
        assert s.works_begun == (((0, RED, 2, 4),) if done else ((0, RED, 2, 4), (0, RED, 9, 5)))
        assert len(s.frames) == frames + done
    siting = s.frames[-1]
    assert isinstance(siting, Siting)
    assert (siting.side, siting.colour, siting.die) == (0, RED, 1)


@pytest.mark.rule("15.1b")
def test_15_1b_how_many_of_a_colour_a_city_takes() -> None:
    s = europe()
    berlin, frankfurt, ruhr = (at(s, x) for x in ("berlin", "frankfurt", "ruhr"))
    named = charts().tracker[0]
    assert named[0] == ("berlin", "frankfurt") or list(named[0]) == ["berlin", "frankfurt"]
    assert factories.free_of(s, 0, RED, 1) == [berlin, frankfurt]
    s.plants = ((0, RED, berlin, 1), (0, RED, frankfurt, 1))
    assert factories.free_of(s, 0, RED, 1) == [berlin]  # the tracker names Berlin twice, Frankfurt once
    assert factories.free_of(s, 0, BLUE, 1) == [berlin, frankfurt]
    s.plants = ((0, RED, berlin, 1), (0, RED, berlin, 1))
    assert factories.free_of(s, 0, RED, 1) == [frankfurt]
    s.plants = ((1, RED, frankfurt, 1),)
    assert factories.free_of(s, 0, RED, 1) == [berlin, frankfurt]  # the enemy's do not count
    s.owner[frankfurt] = US
    assert factories.free_of(s, 0, RED, 1) == [berlin]
    assert ruhr in factories.free_of(s, 0, RED, 6)
    assert ruhr in factories.free_of(s, 0, RED, 4)
    assert at(s, "london") in factories.free_of(s, 1, RED, 1)
    assert at(s, "reading") in factories.free_of(s, 1, RED, 6)


@pytest.mark.rule("15.1b", "15.1c")
def test_15_1c_only_major_cities_at_home_when_the_tracker_is_full() -> None:
    s = europe()
    t = world(s).theatre
    siting = Siting(side=0, colour=RED, die=0)
    offered = factories.sites(s, siting)
    assert offered
    for n in t.cities:
        home = t.country[n] in POWERS[DE].home
        assert (n in offered) == (t.city[n] == MAJOR and home and side_holding(s, n) == 0)
    s.owner[at(s, "hamburg")] = US
    assert at(s, "hamburg") in offered
    assert at(s, "hamburg") not in factories.sites(s, siting)
    assert factories.Site().needed(s, siting, 0)
    assert factories.sites(s, Siting(side=0, colour=RED, die=1)) == sorted((at(s, "berlin"), at(s, "frankfurt")))


@pytest.mark.rule("15.1d", "15.0a", "16.1", "7.3.1b")
def test_15_1d_which_new_factories_give_points() -> None:
    s = europe()
    s.turn = 4
    hamburg, kassel = at(s, "hamburg"), at(s, "kassel")
    assert factories.points_of_plants(s, DE, "red") == 0
    s.plants = ((0, RED, hamburg, 3), (0, RED, kassel, 4), (0, BLUE, kassel, 3), (1, RED, at(s, "london"), 3))
    assert [factories.points_of_plants(s, DE, x) for x in COLOURED[:3]] == [1, 1, 0]
    british = factories.pool_of(s, UK)
    assert [factories.points_of_plants(s, british, x) for x in COLOURED[:3]] == [1, 0, 0]
    assert factories.points_of_plants(s, IDS["IT"], "red") == 0
    assert [factories.has_plant(s, hamburg, x) for x in COLOURED[:3]] == [True, False, False]
    assert [factories.has_plant(s, kassel, x) for x in COLOURED[:3]] == [False, True, False]  # red from next turn
    s.turn = 5
    assert factories.points_of_plants(s, DE, "red") == 2
    assert factories.has_plant(s, kassel, "red")
    s.burnt[hamburg] = 1
    assert factories.points_of_plants(s, DE, "red") == 1
    assert not factories.has_plant(s, hamburg, "red")
    assert not has_factory(s, hamburg, "red")
    s.owner[kassel] = US
    assert factories.points_of_plants(s, DE, "red") == 0


# 40.0 Upgrades


@pytest.mark.rule("40.0a", "40.0b", "40.0c")
def test_40_0c_each_condition_of_an_upgrade() -> None:
    s = GAME.setup("SBW3", {"advanced": "on", "upgrade": "on"}, "x")
    corps, group = u("de-19pz"), u("de-2pzg")
    assert reason(recruits.why_not_upgrade(s, corps)) == "upgrade-later"
    s.turn = next(turn for turn in range(1, 9) if world(s).scenario.month(turn) == "1940-06")
    top = UNITS[corps].pattern.top
    climb(
        s,
        lambda x: recruits.why_not_upgrade(x, corps),
        [
            (given("steps", corps, top - 1), "upgrade-waits"),
            (marked("flags", "de-19pz", OOS), "upgrade-waits"),
            (moved_to("de-19pz", HELD), "upgrade-waits"),
            (moved_to("de-2pzg", at(s, "berlin")), "upgrade-done"),
            (moved_to("de-2pzg", POOL), "upgrade-done"),
            (given("lost", group, 1), "upgrade-done"),
            (made("turn", s.turn - 1), "upgrade-later"),
            (made("turn", s.turn + 1), None),
        ],
    )
    assert reason(recruits.why_not_upgrade(s, u("de-39pz"))) == "no-upgrade"
    c, upgrade = PlayerTurn(side=0), recruits.Upgrade()
    assert upgrade.needed(s, c, 0)
    assert not upgrade.needed(s, c, 1)
    waiting = s.copy()
    waiting.steps[corps] -= 1
    assert upgrade.needed(waiting, c, 0)  # whether it is ready is not told
    gone = s.copy()
    put(gone, corps, NOWHERE)
    assert not upgrade.needed(gone, c, 0)
    assert not upgrade.needed(GAME.setup("SBW3", {"advanced": "on", "upgrade": "off"}, "x"), c, 0)
    assert list(upgrade.nouns(s, c, 0, "upgrade")) == [corps]
    assert list(upgrade.nouns(s, c, 0, "done")) == [0]
    assert upgrade.why_not(s, c, 0, "done", 0) is None
    assert upgrade.why_not(s, c, 0, "upgrade", corps) is None
    assert reason(upgrade.why_not(s, c, 0, "upgrade", u("de-39pz"))) == "no-upgrade"
    assert reason(upgrade.why_not(s, c, 1, "upgrade", corps)) == "not-yours"
    upgrade.apply(s, c, 0, "done", 0)
    assert c.finished == c.at()
    assert not upgrade.needed(s, c, 0)
    where = s.place[corps]
    upgrade.apply(s, c, 0, "upgrade", corps)
    assert (s.place[corps], s.place[group], s.steps[group]) == (NOWHERE, where, UNITS[group].pattern.top)


# 28 Volkssturm


@pytest.mark.rule("28.0")
def test_28_0_each_condition_of_the_free_corps() -> None:
    s = GAME.setup("SBW2", {"advanced": "on", "volkssturm": "on"}, "x")
    c = PlayerTurn(side=0)
    put(s, u("de-84"), POOL)
    s.alarm = 1
    t = world(s).theatre
    cities = wonder.muster_cities(s, u("de-84"))
    assert cities
    for n in t.cities:
        fits = t.city[n] == MAJOR and t.country[n] == "GER" and side_holding(s, n) == 0
        assert (n in cities) <= fits
    climb(
        s,
        lambda x: wonder.why_not_muster(x, c, u("de-84")),
        [
            (made("alarm", 0), "no-muster"),
            (moved_to("de-84", at(s, "berlin")), "not-a-corps"),
            (moved_to("de-84", HELD), "not-a-corps"),
            (lambda x: [x.owner.__setitem__(n, US) for n in t.cities if t.country[n] == "GER"], "no-city-left"),
        ],
    )
    ally = next(x.id for x in UNITS if x.nation == "IT" and x.kind == "infantry")
    tanks = next(x.id for x in UNITS if x.nation == "DE" and x.kind == "tank")
    for name in (ally, tanks):
        put(s, u(name), POOL)
        assert reason(wonder.why_not_muster(s, c, u(name))) == "not-a-corps"
    c.mustered = 1
    assert reason(wonder.why_not_muster(s, c, u("de-84"))) is not None
    assert not wonder.Muster().needed(s, c, 0)
    c.mustered = 0
    assert wonder.Muster().needed(s, c, 0)
    assert not wonder.Muster().needed(s, c, 1)
    muster = wonder.Muster()
    assert list(muster.nouns(s, c, 0, "done")) == [0]
    assert set(muster.nouns(s, c, 0, "muster")) >= {u("de-84")}
    assert muster.why_not(s, c, 0, "done", 0) is None
    assert muster.why_not(s, c, 0, "muster", u("de-84")) is None
    assert reason(muster.why_not(s, c, 1, "muster", u("de-84"))) == "not-yours"
    assert reason(muster.why_not(s, c, 0, "muster", u("de-19pz"))) == "not-a-corps"
    hamburg = at(s, "hamburg")
    s.owner[hamburg] = US
    assert hamburg in cities
    assert hamburg not in wonder.muster_cities(s, u("de-84"))
    other = next(n for n in cities if n != hamburg)
    put(s, u("us-5"), other)  # a battle
    assert other not in wonder.muster_cities(s, u("de-84"))


@pytest.mark.rule("28.0")
def test_28_0_an_enemy_on_the_ground_in_germany_gives_the_alarm() -> None:
    s = GAME.setup("SBW2", {"advanced": "on", "volkssturm": "on"}, "x")
    t, c = world(s).theatre, PlayerTurn(side=0)
    s.alarm, s.turn = 0, 3
    for x in range(len(UNITS)):
        if UNITS[x].side == 1 and s.place[x] < t.nodes and t.country[s.place[x]] == "GER":
            put(s, x, POOL)
    koln = next(n for n in t.cities if t.country[n] == "GER")
    off, air, ground = s.copy(), s.copy(), s.copy()
    wonder.raise_alarm(s, c)
    assert s.alarm == 0
    put(air, u("us-12f"), koln)
    wonder.raise_alarm(air, c)
    assert air.alarm == 0
    put(ground, u("us-5"), koln)
    wonder.raise_alarm(ground, c)
    assert ground.alarm == 3
    ground.turn = 4
    wonder.raise_alarm(ground, c)
    assert ground.alarm == 3
    put(off, u("us-5"), koln)
    off.chosen = off.chosen | {"volkssturm": "off"}
    wonder.raise_alarm(off, c)
    assert off.alarm == 0


# 26 V-weapons


def ardennes() -> BitwState:
    """SBW2 with the V-weapons, and a German Dunkerque that rails join to Berlin."""
    s = GAME.setup("SBW2", {"advanced": "on", "wunderwaffen": "on"}, "x")
    t = world(s).theatre
    for n in range(t.hexes):
        if t.country[n] in ("FRA", "BEL", "NED"):
            s.owner[n] = DE
            for x in [x for x in range(len(UNITS)) if s.place[x] == n and UNITS[x].side == 1]:
                put(s, x, POOL)
    s.events = []
    return s


def turn_of(s: BitwState, month: str) -> int:
    return next(turn for turn in range(-9, 20) if world(s).scenario.month(turn) == month)


@pytest.mark.rule("26.1a", "26.1b")
def test_26_1a_from_where_the_v1_flies() -> None:
    s = ardennes()
    t = world(s).theatre
    s.turn = turn_of(s, "1944-06")
    assert wonder.v1_can_fly(s)
    s.turn -= 1
    assert not wonder.v1_can_fly(s)
    s.turn += 1
    coast = [n for n in t.cities if t.coastal[n] and t.country[n] in ("FRA", "BEL") and not t.southern[n]]
    for n in coast:
        s.owner[n] = US
    assert not wonder.v1_can_fly(s)  # neither the Dutch coast nor the south of France will do
    s.owner[coast[0]] = DE
    c = PlayerTurn(side=1)
    s.loaded, before = (6, 6), s.convoy_loss
    wonder.launch_v1(s, PlayerTurn(side=0))
    assert s.convoy_loss == before
    for n in coast:
        s.owner[n] = DE
    for dice, hits in (((6, 5), 1), ((1, 2), 0), ((6, 6), 2)):
        s.loaded, s.convoy_loss = dice, 0
        wonder.launch_v1(s, c)
        assert s.convoy_loss == hits
    out = s.copy()
    out.status[UK] |= OUT
    assert not wonder.v1_can_fly(out)


@pytest.mark.rule("26.2a")
def test_26_2a_what_rockets_may_aim_at() -> None:
    s = ardennes()
    t = world(s).theatre
    s.turn = turn_of(s, "1944-09")
    put(s, u("de-65"), at(s, "aachen"))
    metz = at(s, "metz")
    far = t.distances(at(s, "aachen"))
    assert far[metz] <= 5
    assert metz not in wonder.v2_targets(s)
    s.owner[metz] = US
    assert metz in wonder.v2_targets(s)  # a city of theirs
    field = next(n for n in range(t.hexes) if far[n] == 2 and t.playable[n] and not t.city[n] and s.owner[n] == DE)
    assert field not in wonder.v2_targets(s)
    put(s, u("us-12f"), field)
    assert field not in wonder.v2_targets(s)  # aircraft are no target
    put(s, u("us-5"), field)
    assert field in wonder.v2_targets(s)
    put(s, u("us-5"), t.node_ids["usa"])
    aims = wonder.v2_targets(s)
    assert aims == sorted(aims)
    cities = {n for n in t.cities if side_holding(s, n) == 1 and far[n] <= 5}
    assert set(aims) == cities
    for change in (made("turn", s.turn - 1), given("owner", at(s, "berlin"), US), moved_to("de-65", POOL)):
        twin = s.copy()
        change(twin)
        assert wonder.v2_targets(twin) == []
    assert wonder.AimRockets().needed(s, PlayerTurn(side=1), 0)
    assert not wonder.AimRockets().needed(s, PlayerTurn(side=0), 0)


# 36 The republic


@pytest.mark.rule("36.1b")
def test_36_1b_the_republic_needs_salo() -> None:
    from .table import node, position

    for owner, in_play, declared in (("DE", True, True), ("US", True, False), ("DE", False, False)):
        powers = ["BE", "NL", POWERS[italy.REPUBLIC].id] if in_play else ["BE", "NL"]
        s = position("", in_play=powers)
        s.events = []
        salo = node("salo")
        s.owner[salo] = IDS[owner]
        s.status[italy.REPUBLIC] |= OUT
        put(s, italy.LIGURIA, NOWHERE)
        before = s.duce
        italy.declare_republic(s)
        if declared:
            assert (s.duce, s.capital[italy.REPUBLIC], s.owner[salo]) == (italy.DECLARED, salo, italy.REPUBLIC)
            assert not s.status[italy.REPUBLIC] & OUT
            assert s.place[italy.LIGURIA] == HELD
            assert s.steps[italy.LIGURIA] == UNITS[italy.LIGURIA].pattern.top
        else:
            assert (s.duce, s.owner[salo]) == (before, IDS[owner])
            assert s.status[italy.REPUBLIC] & OUT
    put(s, italy.LIGURIA, POOL)
    again = position("", in_play=["BE", "NL", POWERS[italy.REPUBLIC].id])
    again.owner[node("salo")] = DE
    put(again, italy.LIGURIA, node("milano"))
    italy.declare_republic(again)
    assert again.place[italy.LIGURIA] == node("milano")  # it is there already


@pytest.mark.rule("36.0b")
def test_36_0b_which_islands_bring_italy_down() -> None:
    s = GAME.setup("SBW4", {}, "x")
    t = world(s).theatre
    land = {key: [n for n in range(t.hexes) if t.region[n] == key and t.playable[n]] for key in
            ("sicily", "sardinia", "corsica")}  # fmt: skip
    assert all(land.values())
    for taken, falls in (
        ((), False), (("sicily",), True), (("sardinia",), False), (("corsica",), False),
        (("sardinia", "corsica"), True), (("sicily", "sardinia", "corsica"), True),
    ):  # fmt: skip
        for key, hexes in land.items():
            for n in hexes:
                s.owner[n] = US if key in taken else DE
        assert italy.islands_lost(s) == falls
    s.owner[land["sicily"][0]] = DE
    s.owner[land["corsica"][-1]] = DE
    assert not italy.islands_lost(s)  # wholly


# 11 Colours


@pytest.mark.rule("11.2d")
def test_11_2d_what_cannot_be_saved_is_discarded() -> None:
    s = GAME.setup("SBW3", {"advanced": "on"}, "x")
    c = PlayerTurn(side=0)
    pool = next(colours.pools_of(s, 0))

    def left(yellow: int, red: int, blue: int) -> tuple[int, int, int]:
        s.events = []
        s.pp[pool] = yellow
        for colour, points in (("red", red), ("blue", blue), ("black", 0)):
            colours.points_of(s, colour)[pool] = points
        colours.drop_unpaired(s, c)
        return s.pp[pool], colours.points_of(s, "red")[pool], colours.points_of(s, "blue")[pool]

    assert left(2, 5, 0) == (2, 2, 0)  # one colour: no choice
    assert left(5, 5, 0) == (5, 5, 0)
    assert left(0, 3, 4) == (0, 0, 0)  # nothing to pair them with
    assert left(2, 3, 4) == (2, 3, 4)  # the owner says which
    assert left(7, 3, 4) == (7, 3, 4)
    save = colours.SaveColours()
    for yellow, red, blue, asked in ((2, 3, 4, True), (7, 3, 4, False), (6, 3, 4, True)):
        left(yellow, red, blue)
        assert save.needed(s, c, 0) == asked
        assert (save.pool(s, 0) == pool) == asked
    left(2, 1, 2)
    assert save.why_not(s, c, 0, "discard", RED) is None
    assert save.why_not(s, c, 0, "discard", BLACK) is colours.NONE_TO_DISCARD
    save.apply(s, c, 0, "discard", BLUE)
    assert (colours.points_of(s, "red")[pool], colours.points_of(s, "blue")[pool]) == (1, 1)
    assert not save.needed(s, c, 0)
    plain = GAME.setup("SBW3", {}, "x")
    assert not save.needed(plain, c, 0)


@pytest.mark.rule("11.2d", "11.0a")
def test_11_2d_each_pool_of_the_side_for_itself() -> None:
    s = GAME.setup("SBW3", {"advanced": "on"}, "x")
    allies, axis = list(colours.pools_of(s, 1)), list(colours.pools_of(s, 0))
    assert len(allies) > 1
    assert not set(allies) & set(axis)
    assert {POWERS[p].side for p in allies} == {1}
    s.events = []
    for pool in (*allies, *axis):
        s.pp[pool] = 0
        for colour in COLOURED:
            colours.points_of(s, colour)[pool] = 0
        colours.points_of(s, "red")[pool] = 3
    colours.drop_unpaired(s, PlayerTurn(side=1))
    assert [colours.points_of(s, "red")[p] for p in allies] == [0] * len(allies)
    assert [colours.points_of(s, "red")[p] for p in axis] == [3] * len(axis)
