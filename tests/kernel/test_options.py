"""Options: defaults, scenarios, what needs or excludes what, and looking them up."""

from __future__ import annotations

import pytest

from grognard.kernel import Option, OptionConflict, UnknownName, is_on, option, settled
from grognard.kernel.options import chosen_from, conflict
from grognard.kernel.session import Session
from tests.kernel.tiny import STROLL

SNOW = Option("snow", "9.1", covers=("9.2", "9.3"))
SKIS = Option("skis", "9.4", needs=("snow",))
HEAT = Option("heat", "9.5", ("off", "mild", "great"), excludes=("snow",))
THREE = (SNOW, SKIS, HEAT)
OFF = {"snow": "off", "skis": "off", "heat": "off"}


def test_an_option_is_found_by_its_name_and_by_every_rule_that_it_covers() -> None:
    table = chosen_from(THREE, {"snow": "on"})
    assert [table[key] for key in ("snow", "9.1", "9.2", "9.3", "skis", "heat")] == ["on"] * 4 + ["off"] * 2


def test_of_two_options_that_cover_a_rule_the_first_counts() -> None:
    line = Option("line", "9.2", ("long", "short"), "long")
    assert chosen_from((SNOW, line), {"snow": "on"})["9.2"] == "on"
    assert chosen_from((line, SNOW), {"snow": "on"})["9.2"] == "long"
    assert chosen_from((SNOW, line), {"line": "short"})["line"] == "short"


def test_a_position_answers_by_looking_up() -> None:
    s = STROLL.setup("park", {"wind": "on"})
    assert (option(s, "wind"), is_on(s, "wind"), is_on(s, "1.5")) == ("on", True, True)
    assert is_on(s.copy(), "1.5")
    assert is_on(STROLL.load(s.to_json()), "1.5")
    assert not is_on(STROLL.setup("park"), "wind")
    for ask in (option, is_on):
        with pytest.raises(UnknownName):
            ask(s, "rain")


def test_a_switch_that_is_added_at_its_default_leaves_the_digest_of_every_game_without_it_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games: dict[str, dict[str, str]] = {"usual": {}, "calm": {"wind": "off"}, "windy": {"wind": "on"}}
    before = {name: STROLL.setup("park", named) for name, named in games.items()}
    digests = {name: s.digest() for name, s in before.items()}
    assert len(set(digests.values())) == 3
    for more in ((SNOW, *STROLL.options), (*STROLL.options, SNOW)):
        monkeypatch.setattr(STROLL, "options", more)
        assert {name: STROLL.setup("park", named).digest() for name, named in games.items()} == digests
        assert {name: STROLL.load(s.to_json()).digest() for name, s in before.items()} == digests
        assert STROLL.setup("park", {"snow": "on"}).digest() not in digests.values()


def test_a_file_without_a_switch_is_played_with_its_default_whatever_the_scenario_would_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = Session.new(STROLL, "park", {"wind": "on"}, seed="seed")
    monkeypatch.setattr(STROLL, "options", (*STROLL.options, SNOW))
    monkeypatch.setattr(STROLL, "usual_options", lambda scenario: {"snow": "on"})
    again = Session(STROLL, old.header)
    assert (again.chain0, option(again.state, "snow")) == (old.chain0, "off")
    assert option(Session.new(STROLL, "park", seed="seed").state, "snow") == "on"


@pytest.mark.parametrize(
    ("values", "other", "needs"), [({"skis": "on"}, "snow", True), ({"snow": "on", "heat": "mild"}, "snow", False)]
)
def test_what_does_not_go_together_is_refused_by_name(values: dict[str, str], other: str, needs: bool) -> None:
    found = conflict(THREE, OFF | values)
    assert isinstance(found, OptionConflict)
    assert (found.other, found.needs) == (other, needs)
    assert conflict(THREE, OFF | {"snow": "on", "skis": "on"}) is None


def test_options_drawn_by_lot_are_settled() -> None:
    drawn = {"snow": "on", "skis": "on", "heat": "great"}
    assert settled(THREE, drawn) == {"snow": "on", "skis": "on", "heat": "off"}
    assert settled(THREE, {"skis": "on"}) == {"skis": "off"}


def test_a_scenario_sets_options_and_players_set_them_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STROLL, "usual_options", lambda scenario: {"wind": "on"} if scenario == "lane" else {})
    assert [option(STROLL.setup(x), "wind") for x in ("park", "lane")] == ["off", "on"]
    assert option(STROLL.setup("lane", {"wind": "off"}), "wind") == "off"


def test_a_conflict_stops_the_set_up_and_says_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STROLL, "options", THREE)
    with pytest.raises(OptionConflict, match=r"skis \(9.4\) needs option snow; switch snow on too"):
        STROLL.setup("park", {"skis": "on"})
