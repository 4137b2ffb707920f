"""Map format 2: equal entries written once. It must say exactly what format 1 says, and refuse what it cannot read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hexes.conftest import make_small_map as small_map

from grognard.hexes import MapError, board_from_document, board_from_json, document_from_json
from grognard.hexes.packing import PackingError, pack, unpack

GAMES = Path(__file__).parents[2] / "src" / "grognard" / "games"
MAPS = sorted(GAMES.glob("*/data/map.json")) + sorted(GAMES.glob("*/data/boxes.json"))

NUMBERS = st.integers(0, 120).map(lambda n: f"{n:04d}")
FACTS = st.sampled_from([{"terrain": "sea", "kind": "sea"}, {"terrain": "clear"}, {"terrain": "clear", "tags": ["a"]}])
HEXES = st.dictionaries(NUMBERS, FACTS, min_size=1)
SIDES = st.dictionaries(
    st.tuples(NUMBERS, NUMBERS).map("|".join), st.sampled_from([{"water": True}, {"river": ["A", 1]}])
)


@given(HEXES, SIDES)
def test_packing_and_unpacking_change_nothing(hexes: dict[str, Any], sides: dict[str, Any]) -> None:
    document = {"format": 1, "name": "any", "hexes": hexes, "sides": sides, "links": {}}
    packed = pack(document)
    assert unpack(json.loads(json.dumps(packed))) == document
    assert len(packed["hexes"]) == len({json.dumps(facts) for facts in hexes.values()})


def test_runs_join_numbers_that_follow_one_another() -> None:
    hexes = {number: {"terrain": "sea"} for number in ("0107", "0108", "0109", "0111", "0201")}
    assert list(pack({"hexes": hexes})["hexes"]) == ["0107-0109 0111 0201"]
    assert list(unpack({"hexes": {"0098-0101": {}}})["hexes"]) == ["0098", "0099", "0100", "0101"]


def test_a_board_is_the_same_from_either_format() -> None:
    plain, packed = board_from_document(small_map()), board_from_document(pack(small_map()))
    assert (plain.grid.names, plain.terrain, plain.kinds, plain.tags) == (
        packed.grid.names, packed.terrain, packed.kinds, packed.tags,
    )  # fmt: skip
    assert (plain.hexes, plain.side_data, dict(plain.link_data)) == (
        packed.hexes, packed.side_data, dict(packed.link_data),
    )  # fmt: skip


@pytest.mark.parametrize("path", MAPS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_committed_maps_are_packed_and_of_a_good_size(path: Path) -> None:
    content = path.read_bytes()
    document = json.loads(content)
    assert document["format"] == 2
    assert pack(unpack(document)) == document
    if path.stem == "map":
        assert 50_000 <= len(content) <= 250_000


@pytest.mark.parametrize(
    ("key", "where", "reason"),
    [
        ("0101-0103 0102", "hex 0102", "is told twice"),
        ("0103-0101", "hex 0103-0101", "the lower first"),
        ("0101-103", "hex 0101-103", "two numbers of the same length"),
        ("01a1-01a3", "hex 01a1-01a3", "two numbers of the same length"),
        ("0101  0102", "hex '0101  0102'", "single spaces"),
        ("00000-99999", "hex 00000-99999", "more than 10,000"),
    ],
)
def test_a_key_that_cannot_be_read_is_refused(key: str, where: str, reason: str) -> None:
    document = {**small_map(), "format": 2, "hexes": {key: {"terrain": "clear"}}}
    with pytest.raises(PackingError, match=reason):
        unpack(document)
    with pytest.raises(MapError, match=reason) as caught:
        board_from_json(json.dumps(document).encode(), "packed.json")
    assert (caught.value.file, caught.value.where) == ("packed.json", where)


def test_a_name_in_two_entries_is_refused() -> None:
    document = {**small_map(), "format": 2, "hexes": {"0101-0102": {"terrain": "clear"}, "0102": {"terrain": "sea"}}}
    with pytest.raises(MapError, match="hex 0102: is told twice"):
        document_from_json(json.dumps(document).encode(), "packed.json")


def test_format_1_keys_name_one_thing() -> None:
    document = {**small_map(), "hexes": {"0101-0102": {"terrain": "clear"}}}
    with pytest.raises(MapError, match="is not a hex number of this map"):
        board_from_document(document)
