"""What a client hears of the seas, and ports that a scenario makes greater."""

from __future__ import annotations

import pytest

from grognard.games.bitw.game import GAME
from grognard.games.bitw.loading import charts
from grognard.games.bitw.rules.weather import note_conditions
from grognard.games.bitw.state import OUT
from grognard.games.bitw.theatre import MAJOR_PORT, MINOR_PORT, western_europe
from grognard.games.bitw.world import theatre_of, with_ports, world
from grognard.kernel import DataError, seed_from


@pytest.mark.rule("3.1.2b", "18.1.2")
def test_views_tell_who_sails_which_sea() -> None:
    s = GAME.setup("SBW7", {}, seed_from("seas"))
    told = GAME.view(s, 1)["seas"]
    assert told == GAME.view(s, 0)["seas"]  # everybody sees the ports
    assert told["mediterranean"] == {"held": ["axis", "allies"], "closed": []}
    assert told["baltic"]["held"] == ["axis"]
    s.status[charts().power_ids["IT"]] |= OUT
    note_conditions(s)
    assert GAME.view(s, 1)["seas"]["mediterranean"]["closed"] == ["axis"]
    assert "seas" not in GAME.view(GAME.setup("SBW1", {}, seed_from("seas")), 0)


@pytest.mark.rule("3.4-port-major")
def test_a_scenario_may_make_a_port_greater() -> None:
    plain = western_europe()
    assert plain.port[plain.find("siracusa")] == MINOR_PORT
    t = world(GAME.setup("SBW4", {}, seed_from("seas"))).theatre
    assert t.port[t.find("siracusa")] == MAJOR_PORT
    assert with_ports(plain, [{"at": "palermo", "class": "minor"}], "x").port[plain.find("palermo")] == MINOR_PORT
    for wrong in (
        {"at": "enna", "class": "major"},
        {"at": "palermo", "class": "huge"},
        {"at": "nowhere", "class": "minor"},
    ):
        with pytest.raises(DataError):
            theatre_of({"port": [wrong]}, "x.toml")
