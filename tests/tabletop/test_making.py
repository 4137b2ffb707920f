"""Tables drawn by lot, and the commands."""

import json

import pytest

from grognard.cli.main import main
from grognard.cli.table_cmd import drawing_digest, theatres
from grognard.games.blitzkrieg.world import tables
from grognard.tabletop import Table, document_from_toml, problems, sketch
from grognard.tabletop.making import Lot, make, mirrored, to_toml
from tests.conftest import ROOT

from .tables import DATA, TERRAIN

THEATRES = theatres()


@pytest.mark.parametrize("theatre", THEATRES)
def test_tables_of_every_theatre_pass_the_checks(theatre):
    for seed in ("1", "2", "seven"):
        document = make(theatre, THEATRES[theatre], seed, TERRAIN)
        assert problems(document, TERRAIN) == []
        assert problems(mirrored(document), TERRAIN) == []
        assert document_from_toml(to_toml(document).encode()) == document
        table = Table(document, TERRAIN)
        assert len(table.objectives) >= 2
        assert {zone.facts["side"] for zone in table.zones} == set(THEATRES[theatre]["sides"])


def test_the_same_seed_gives_the_same_table_and_another_another():
    one, again, other = (make("west-1940", THEATRES["west-1940"], seed, TERRAIN) for seed in ("1", "1", "2"))
    assert one == again
    assert sketch(Table(one, TERRAIN)) != sketch(Table(other, TERRAIN))


def test_a_mirrored_table_is_upside_down_and_twice_is_the_same():
    document = make("east-1943", THEATRES["east-1943"], "1", TERRAIN)
    twice = mirrored(mirrored(document))
    assert twice | {"id": document["id"]} == document
    assert sketch(Table(mirrored(document), TERRAIN))[1:] != sketch(Table(document, TERRAIN))[1:]


def test_lots_are_even_and_repeat():
    lot = Lot("a", 1)
    drawn = [lot.below(6) for _ in range(600)]
    again = Lot("a", 1)
    assert drawn == [again.below(6) for _ in range(600)]
    assert all(60 < drawn.count(n) < 140 for n in range(6))


def run(capsys, *argv):
    code = 0
    try:
        main(list(argv))
    except SystemExit as stop:
        code = stop.code
    told = capsys.readouterr()
    return code, told.out + told.err


def test_the_commands_of_tables(capsys, tmp_path):
    code, told = run(capsys, "table", "check")
    assert code == 0
    assert told.count(": sound") == 7
    code, told = run(capsys, "table", "info", "stonne40", "--lang", "fr")
    assert code == 0
    assert "180 x 120 cm" in told
    assert "objectifs: eglise 3" in told
    code, told = run(capsys, "table", "info", "stonne40", "091-061")
    assert code == 0
    assert "ground: road" in told
    assert "grand-rue" in told
    file = tmp_path / "new.toml"
    assert run(capsys, "table", "make", "desert", "--seed", "4", "-o", str(file))[0] == 0
    assert run(capsys, "table", "check", str(file))[0] == 0


def test_the_commands_say_what_is_wrong(capsys, tmp_path):
    bad = tmp_path / "bad.toml"
    content = (DATA / "tables" / "stonne40.toml").read_text("utf-8")
    bad.write_text(content.replace("[[76, 49], [86, 49]", "[[75, 49], [86, 49]", 1), encoding="utf-8")
    code, told = run(capsys, "table", "check", str(bad))
    assert code == 1
    assert "bad.toml: building stonne-1: overlaps building stonne-2" in told
    code, told = run(capsys, "table", "info", "stone40")
    assert code == 2
    assert "stonne40" in told
    code, told = run(capsys, "table", "make", "moon")
    assert code == 2
    code, told = run(capsys, "table", "info", "stonne40", "092-040")
    assert code == 2
    assert run(capsys, "table", "check", str(tmp_path / "none.toml"))[0] == 1


def test_the_pictures_of_the_tables_are_of_these_tables() -> None:
    """A table that was changed wants `grognard table render NAME`, which notes what it drew."""
    art = ROOT / "src" / "grognard" / "games" / "blitzkrieg" / "data" / "art"
    drawn = json.loads((art / "drawn.json").read_text("utf-8"))
    assert drawn == {name: drawing_digest(table) for name, table in tables().items()}
    for name in drawn:
        assert {f"table.{name}.{layer}.webp" for layer in ("ground", "standing")} <= {f.name for f in art.iterdir()}


def test_what_is_drawn_changes_the_digest_and_a_zone_does_not() -> None:
    table = tables()["stonne40"]
    before = drawing_digest(table)
    moved = Table({**table.document, "zone": []}, table.terrain)
    assert drawing_digest(moved) == before
    fewer = Table({**table.document, "line": table.document["line"][1:]}, table.terrain)
    assert drawing_digest(fewer) != before
