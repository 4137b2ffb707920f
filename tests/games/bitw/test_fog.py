"""1.3 Fog of war: what a side sees, what its choices may depend on, and when blocks stand up again."""

from __future__ import annotations

import json

import pytest

from grognard.games.bitw.frames import PlayerTurn
from grognard.games.bitw.game import GAME
from grognard.games.bitw.rules.combat import hide_all
from grognard.kernel import seed_from

from .table import go_to, node, position, u


def enemy_pieces(s: object, side: int) -> list[dict[str, object]]:
    name = GAME.sides[1 - side]
    return [p for p in GAME.view(s, side)["pieces"] if p["side"] == name]  # type: ignore[arg-type]


@pytest.mark.rule("1.3")
def test_1_3_the_enemy_sees_nation_and_hex_only() -> None:
    s = position("0507: fr-6 3, fr-3a | 0508: de-26")
    pieces = enemy_pieces(s, 0)
    assert {p["nation"] for p in pieces} == {"FR"}
    assert {p["place"] for p in pieces} == {"0507"}
    for p in pieces:
        assert not {"kind", "steps", "name", "pattern", "half"} & set(p)
        assert str(p["id"]).startswith("#")


@pytest.mark.rule("1.3")
def test_1_3_fog_off_shows_everything() -> None:
    s = position("0507: fr-6 3 | 0508: de-26", options={"fog": "off"})
    assert [(p["id"], p["steps"]) for p in enemy_pieces(s, 0)] == [("fr-6", 3)]


@pytest.mark.rule("1.3")
def test_1_3_blocks_stand_up_again_and_are_remembered() -> None:
    s = position("0507: fr-6 3 | 0508: de-26")
    s.revealed[u("fr-6")] = 1
    assert enemy_pieces(s, 0)[0]["id"] == "fr-6"
    hide_all(s, PlayerTurn(side=0))
    piece = enemy_pieces(s, 0)[0]
    assert str(piece["id"]).startswith("#")
    assert piece["remembered"] == "fr-6"


@pytest.mark.rule("1.3")
def test_1_3_off_map_blocks_of_the_enemy_are_not_shown() -> None:
    s = position("0507: fr-6")
    assert len(enemy_pieces(s, 0)) == 1


@pytest.mark.parametrize("seed", range(4))
def test_redealt_positions_cannot_be_told_apart(seed: int) -> None:
    s = position(
        "0507: fr-6 3, fr-9 2, fr-3a | 0505: fr-1dcr 3, fr-20 1 | 0605: fr-11 4 | 0508: de-26, de-27 2"
        " | 0510: de-19pz 3",
        start=True,
    )
    for side, row in ((0, "7.5"), (1, "7.5")):
        go_to(s, row, side)
        other = GAME.redeal(s, side, seed_from(seed))
        assert json.dumps(GAME.view(other, side), sort_keys=True) == json.dumps(GAME.view(s, side), sort_keys=True)
        assert GAME.orders(other, side) == GAME.orders(s, side)
        mine = (
            [u(x) for x in ("de-26", "de-27", "de-19pz")] if side == 0 else [u(x) for x in ("fr-6", "fr-9", "fr-1dcr")]
        )
        assert [(other.place[x], other.steps[x]) for x in mine] == [(s.place[x], s.steps[x]) for x in mine]


def test_redealing_changes_what_is_hidden() -> None:
    s = position("0507: fr-6 3, fr-9 2 | 0505: fr-1dcr 3, fr-20 1 | 0605: fr-11 4 | 0508: de-26")
    places = {tuple(GAME.redeal(s, 0, seed_from(i)).place[u(x)] for x in ("fr-6", "fr-9", "fr-20")) for i in range(12)}
    assert len(places) > 1


def test_events_name_hidden_units_by_token() -> None:
    s = position("0509: de-26 | 0505: fr-6", start=True)
    go_to(s, "7.5", 0)
    s.events = []
    GAME.obey(s, 0, ("move", "de-26"))
    GAME.obey(s, 0, ("to", "0508"))
    moved = next(e for e in s.events if e.kind == "moved")
    assert moved.to_json(0)["unit"] == "de-26"
    assert str(moved.to_json(1)["unit"]).startswith("#")
    assert moved.to_json(1)["hex"] == "0508"
    assert node("0508") == s.place[u("de-26")]
