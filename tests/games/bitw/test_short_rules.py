"""Rules of a line or two that other chapters play: 3.12, 6.1.6b, 7.4g, 38."""

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules.exploitation import why_not_motorised
from grognard.games.bitw.rules.headquarters import action_points, activate, why_not_activate
from grognard.games.bitw.rules.opening import commands
from grognard.games.bitw.rules.production import payer
from grognard.games.bitw.state import BitwState
from grognard.games.bitw.world import UNITS

from .table import u

ON = {"advanced": "on"}


def ardennes(**more: str) -> BitwState:
    return GAME.setup("SBW2", ON | more, "x")


@pytest.mark.rule("3.12")
def test_3_12_the_steps_of_an_hq_are_its_action_points() -> None:
    s = ardennes()
    for steps in (4, 3, 1):
        s.steps[u("us-pat")] = steps
        assert action_points(s, u("us-pat")) == steps
    s.steps[u("us-pat")] = 3
    activate(s, u("us-pat"))
    assert s.fuel[u("us-pat")] == 3


@pytest.mark.rule("7.4g")
def test_7_4g_only_supreme_hqs_in_the_rail_phase() -> None:
    s = ardennes()
    assert why_not_activate(s, u("de-f"), 0, "rail") is None
    for name in ("de-6ss", "de-5pza"):
        assert why_not_activate(s, u(name), 0, "rail") is not None
    assert why_not_activate(s, u("us-ike"), 1, "rail") is None
    assert why_not_activate(s, u("us-pat"), 1, "rail") is not None


@pytest.mark.rule("6.1.6b")
def test_6_1_6b_motorised_infantry_needs_an_order_to_act_as_armour() -> None:
    s = ardennes()
    unit = next(x.index for x in UNITS if x.kind == "motorised" and s.place[x.index] < 60000 and x.side == 1)
    assert why_not_motorised(s, unit) is not None
    basic = GAME.setup("SBW2", {}, "x")
    assert why_not_motorised(basic, unit) is None


@pytest.mark.rule("38.1")
def test_38_1_a_team_shares_its_resources() -> None:
    assert [len(commands(n)) for n in (2, 3, 4)] == [2, 3, 4]
    s = ardennes(players="4")
    assert len(GAME.view(s, 0)["commands"]) == 4
    assert payer(s, u("us-pat")) == payer(s, u("uk-mon"))


@pytest.mark.rule("38.2")
def test_38_2_alone_the_fog_stays() -> None:
    assert GAME.setup("SBW2", {"players": "1", "fog": "off"}, "x").open_table == 0
    assert GAME.setup("SBW2", {"players": "2", "fog": "off"}, "x").open_table == 1
