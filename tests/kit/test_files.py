"""Data files: what is wrong is refused with its file, its place and the reason."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from grognard.kernel import DataError
from grognard.kit import DataFiles

UNITS, HEXES = ("a", "b"), ("0101", "0102")
CHART = {"foot": {"steps": 3}, "guns": {"steps": 2}}


class Piece(NamedTuple):
    id: str
    side: int
    kind: str
    steps: int


@pytest.fixture
def files(tmp_path):
    found = DataFiles("picket")
    found.folder = tmp_path
    (tmp_path / "scenarios").mkdir()
    return found


def refusal(call, *words, **more):
    with pytest.raises(DataError) as caught:
        call(*words, **more)
    return str(caught.value)


def test_tables_and_their_errors(files):
    (files.folder / "a.toml").write_text("x = 1", "utf-8")
    assert files.toml("a.toml") == {"x": 1}
    (files.folder / "a.toml").write_text("x = ", "utf-8")
    assert refusal(files.toml, "a.toml").startswith("picket/data/a.toml: Invalid value")
    (files.folder / "a.toml").write_bytes(b"\xff")
    assert "utf-8" in refusal(files.toml, "a.toml")
    assert refusal(files.toml, "none.toml") == "picket/data/none.toml: the file is missing"


def test_rows_become_objects_with_the_numbers_of_a_chart(files):
    table = files.folder / "units.csv"
    table.write_text("id,side,kind,source\na,red,foot,proposed\nb,blue,guns,proposed\n", "utf-8")
    pieces = files.records("units.csv", Piece, side=("red", "blue"), kind=CHART)
    assert pieces == [Piece("a", 0, "foot", 3), Piece("b", 1, "guns", 2)]
    table.write_text("id,side,kind,source\na,red,foot,proposed\nb,green,guns,proposed\n", "utf-8")
    said = refusal(files.records, "units.csv", Piece, side=("red", "blue"), kind=CHART)
    assert said == "picket/data/units.csv: line 3: side is 'green'; known: red, blue"
    table.write_text("id,side,kind\na,red\n", "utf-8")
    assert "kind is ''" in refusal(files.records, "units.csv", Piece, side=("red", "blue"), kind=CHART)


def test_scenarios_come_with_numbers_for_units_and_hexes(files):
    file = files.folder / "scenarios" / "day.toml"
    file.write_text('turns = 3\nsetup = "a 0102 b 0101"', "utf-8")
    (files.folder / "scenarios" / "notes.txt").write_text("not a scenario", "utf-8")
    assert files.scenarios(UNITS, HEXES) == {"day": {"turns": 3, "setup": [(0, 1), (1, 0)]}}


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ("a 0102 b", "'b' has no place: write a unit, then its hex"),
        ("a 0102 c 0101", "unknown unit 'c' in 'c 0101'"),
        ("a 0909", "unknown hex '0909' in 'a 0909'"),
    ],
)
def test_a_set_up_that_does_not_fit(files, setup, reason):
    (files.folder / "scenarios" / "day.toml").write_text(f'setup = "{setup}"', "utf-8")
    assert refusal(files.scenarios, UNITS, HEXES) == f"picket/data/scenarios/day.toml: setup: {reason}"
