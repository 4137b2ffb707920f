"""The passes on a tiny theatre: what they find, that they are pure, and that the same inputs give the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from tests.maps.conftest import ROOT, Tiny

from grognard.hexes.loading import board_from_json

shapely = pytest.importorskip("shapely")


def cell(m, place: str):
    return m.grid.cell(m.places[place]["hexes"][0])


def test_land_coast_and_sea_are_told_apart(tiny: Tiny) -> None:
    m = tiny.compile()
    assert m.kind(m.grid.cell("0105")) == "sea"
    assert m.kind(cell(m, "haven")) == "coast"
    assert m.kind(cell(m, "mid")) == "land"
    assert all("terrain" in m.hexes[c] for c in m.cells if m.dry(c))


def test_places_lie_where_they_truly_lie(tiny: Tiny) -> None:
    m = tiny.compile()
    for name in ("Haven", "Mid", "South", "East"):
        town = m.towns[name]
        assert m.grid.cell_at(town.x, town.y) == town.cell


def test_owner_of_a_hex_is_the_owner_of_its_place(tiny: Tiny) -> None:
    m = tiny.compile()
    assert m.hexes[cell(m, "mid")]["country"] == "WES"
    assert m.hexes[cell(m, "east")]["country"] == "EAS"
    assert any(facts.get("frontier") for facts in m.sides.values())


def test_the_river_runs_from_source_to_sea_between_the_banks(tiny: Tiny) -> None:
    m = tiny.compile()
    (path,) = m.rivers["Stream"]
    assert m.grid.point(path[0])[0] > m.grid.point(path[-1])[0]
    assert all(b in m.mesh.around[a] for a, b in pairwise(path))
    left = {m.mesh.left_right(a, b)[0] for a, b in pairwise(path)}
    assert min(m.grid.distance(cell(m, "south"), c) for c in left) <= 1
    assert cell(m, "mid") not in left


def test_rail_is_a_chain_of_neighbours_over_land(tiny: Tiny) -> None:
    m = tiny.compile()
    rails = [pair for pair, facts in m.links.items() if "rail" in facts]
    assert rails
    assert all(b in m.grid.neighbours(a) and m.dry(a) and m.dry(b) for a, b in rails)


def test_every_fact_has_a_provenance(tiny: Tiny) -> None:
    m = tiny.compile()
    for facts, src in ((m.hexes, m.hex_src), (m.sides, m.side_src), (m.links, m.link_src)):
        for key, entry in facts.items():
            assert set(entry) <= set(src.get(key, {})), key


def test_a_pass_leaves_its_input_alone(tiny: Tiny) -> None:
    from maps.compiler.build import PASSES, start, write
    from maps.compiler.config import read_config
    from maps.compiler.project import projection_of

    config = read_config(tiny.folder)
    m, world = start(tiny.folder, config, projection_of(config, tiny.folder), tiny.sources)
    for name, step in PASSES:
        before = repr((m.hexes, m.sides, m.links, m.places, m.areas, m.stats, m.rivers))
        after = step(m, world)
        assert repr((m.hexes, m.sides, m.links, m.places, m.areas, m.stats, m.rivers)) == before, name
        m = after
    assert write.to_bytes(write.to_dict(m))


def test_same_inputs_same_bytes_in_another_process(tiny: Tiny) -> None:
    from maps.compiler.build import map_bytes

    here = map_bytes(tiny.compile())
    code = (
        "import sys; from pathlib import Path; from maps.compiler.build import compile_folder, map_bytes;"
        f"m, _ = compile_folder(Path({str(tiny.folder)!r}), Path({str(tiny.sources)!r}));"
        "sys.stdout.buffer.write(map_bytes(m))"
    )
    for seed in ("1", "7"):
        env = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}", "PYTHONHASHSEED": seed}
        out = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True, cwd=ROOT)
        assert out.stdout == here


def test_the_engine_reads_what_the_compiler_writes(tiny: Tiny) -> None:
    from maps.compiler.build import map_bytes

    board = board_from_json(map_bytes(tiny.compile()))
    assert board.place("haven").data["port"] == "major"
    assert board.kind_of(board.place("haven").hexes[0]) == "coast"


def test_overrides_have_the_last_word_and_say_so(tiny: Tiny) -> None:
    number = tiny.compile().places["mid"]["hexes"][0]
    tiny.write("overrides.toml", f'[[hex]]\nat = "{number}"\nset = {{ terrain = "forest" }}\nwhy = "a wood"\n')
    m = tiny.compile()
    assert m.hexes[m.grid.cell(number)]["terrain"] == "forest"
    assert m.hex_src[m.grid.cell(number)]["terrain"] == "override"


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("shifted", ["odd", "even"])
def test_grid_and_engine_agree_on_neighbours_and_distances(orientation: str, shifted: str) -> None:
    from maps.compiler.config import GridConfig, Numbering
    from maps.compiler.grid import Grid, numbering_of

    from grognard.hexes.grid import Grid as EngineGrid

    shift = "south" if orientation == "flat" else "west"
    numbering = Numbering(order="row-col", cols_grow="west")
    config = GridConfig(orientation, 7, 6, 10.0, (3.0, 4.0), numbering, shifted, shift)  # type: ignore[arg-type]
    grid, engine = Grid.of(config), EngineGrid(numbering_of(config))
    assert grid.centre(grid.cell("0101")) == pytest.approx((3.0, 4.0))
    for one in grid.cells:
        here = engine.hex_named(grid.id(one))
        near = {grid.id(other) for other in grid.neighbours(one) if grid.has(other)}
        assert near == {engine.names[other] for other in engine.neighbours[here]}
        x, y = grid.centre(one)
        assert grid.cell_at(x + 1.5, y - 1.5) == one
        for other in grid.cells:
            assert grid.distance(one, other) == engine.distance(here, engine.hex_named(grid.id(other)))


def test_written_numbers_are_rounded_and_keys_sorted(tiny: Tiny) -> None:
    from maps.compiler.write import to_bytes

    text = to_bytes({"hexes": {"0102": {"b": 1.23456, "a": 2.0}, "0101": {}}, "format": 1}).decode()
    assert json.loads(text) == {"format": 2, "hexes": {"0101": {}, "0102": {"a": 2, "b": 1.235}}}
    assert text.index('"0101"') < text.index('"0102"')


@pytest.mark.parametrize("name", ["western-europe", "europe"])
def test_every_source_of_a_map_lies_in_the_repository(name: str) -> None:
    from maps.compiler.build import start
    from maps.compiler.config import map_folder, read_config
    from maps.compiler.project import projection_of

    folder = map_folder(name)
    config = read_config(folder)
    _, world = start(folder, config, projection_of(config, folder))
    told = config.sources
    names = [*told.land, *told.lakes, *told.corrections, *told.rivers, *told.elevation, *told.forest, *told.units]
    names += [
        *told.towns,
        *told.ports,
        *config.rivers.banks,
        *(source for net in config.nets for source in net.sources),
    ]
    for source in names:
        assert world.path(source).resolve().is_relative_to(ROOT / "maps"), source


def test_every_source_says_its_licence() -> None:
    readme = (ROOT / "maps/sources/README.md").read_text(encoding="utf-8")
    assert "GeoNames" in readme
    assert "CC-BY 4.0" in readme
    for path in sorted((ROOT / "maps/sources").rglob("*.geojson")):
        meta = json.loads(path.read_text(encoding="utf-8")).get("meta", {})
        assert meta.get("licence"), Path(path).name


def test_towns_left_out_by_class_are_reported(tiny: Tiny) -> None:
    towns = json.loads((tiny.sources / "towns.geojson").read_text("utf-8"))
    towns["features"].append(
        {"type": "Feature", "properties": {"name": "Hamlet", "cls": "minor", "pop1939_k": 3},
         "geometry": {"type": "Point", "coordinates": [11.0, 50.9]}}
    )  # fmt: skip
    tiny.source("towns.geojson", towns)
    m = tiny.compile()
    assert "hamlet" not in m.places
    assert m.report["places"]["left out by class"] == {"minor": ["Hamlet"]}


CREST = """\
[[crest]]
name = "Ridge"
line = [[50.9, 10.9], [50.5, 10.95], [49.6, 10.9]]

[[pass]]
name = "Gap"
at = [50.3, 10.93]
"""


def test_a_crest_makes_mountain_sides_but_for_its_passes(tiny: Tiny) -> None:
    tiny.write("features.toml", CREST)
    m = tiny.compile()
    sides = {pair: facts for pair, facts in m.sides.items() if facts.get("mountain") or facts.get("pass")}
    assert [facts["pass"] for facts in sides.values() if "pass" in facts] == ["Gap"]
    assert sum(bool(facts.get("mountain")) for facts in sides.values()) >= 2
    assert not any(facts.get("mountain") and facts.get("pass") for facts in sides.values())


def test_a_main_railway_opens_the_crest_it_crosses(tiny: Tiny) -> None:
    rail = json.loads((tiny.sources / "rail.geojson").read_text("utf-8"))
    rail["features"].append(
        {"type": "Feature", "properties": {"a": "Mid", "b": "East", "class": "1"},
         "geometry": {"type": "LineString", "coordinates": [[10.0, 50.6], [12.0, 50.5]]}}
    )  # fmt: skip
    tiny.source("rail.geojson", rail)
    tiny.write("features.toml", CREST.split("[[pass]]", maxsplit=1)[0])
    m = tiny.compile()
    assert m.report["crests"]["passes"] >= 1
    assert [pair for pair, facts in m.sides.items() if facts.get("mountain") and m.links.get(pair)] == []


def test_hexes_may_be_told_to_be_sea(tiny: Tiny) -> None:
    number = next(m.grid.id(cell) for m in [tiny.compile()] for cell in m.cells if m.kind(cell) == "land")
    tiny.edit("[terrain.names]", f'[land]\nsea = ["{number}"]\n\n[terrain.names]')
    m = tiny.compile()
    assert m.kind(m.grid.cell(number)) == "sea"


def test_only_land_or_only_sea_may_be_cut(tiny: Tiny) -> None:
    before = tiny.compile()
    tiny.write("features.toml", '[[out]]\nwhy = "x"\nlon_below = 20.0\nonly = "sea"\n')
    after = tiny.compile()
    assert after.cells == [cell for cell in before.cells if before.dry(cell)]


def sides_of_the_stream(m) -> list[tuple[str, str]]:
    """The sides of the tiny river, from source to sea."""
    (path,) = m.rivers["Stream"]
    pairs = [m.mesh.edges[(a, b) if a < b else (b, a)] for a, b in pairwise(path)]
    return [(m.grid.id(one), m.grid.id(other)) for one, other in pairs]


def dropped(*sides: tuple[str, str]) -> str:
    return "".join(f'[[side]]\nbetween = ["{a}", "{b}"]\ndrop = ["river"]\nwhy = "gone"\n\n' for a, b in sides)


def test_a_river_that_an_override_tears_is_found(tiny: Tiny) -> None:
    sides = sides_of_the_stream(tiny.compile())
    tiny.write("overrides.toml", dropped(sides[len(sides) // 2]))
    with pytest.raises(Exception, match=r"\[gap\] Stream: overrides leave it in 2 pieces"):
        tiny.compile()
    tiny.write("overrides.toml", dropped(sides[0]))  # shorter, but whole
    tiny.compile()


def test_sides_that_an_override_took_from_a_river_part_no_town_from_its_bank(tiny: Tiny) -> None:
    """A town on the wrong bank is found, until the river is led round its hex."""
    from maps.compiler.rivers import wrong_banks

    m = tiny.compile()
    (path,) = m.rivers["Stream"]
    banks = [m.mesh.left_right(a, b) for a, b in pairwise(path)]
    right = next(cell for _, cell in banks if cell not in [left for left, _ in banks])
    m.banks = [(name, way, {"South": 1}) for name, way, _ in m.banks]
    m.places["south"]["hexes"] = [m.grid.id(right)]  # South belongs on the left bank
    assert [finding.key for finding in wrong_banks(m)] == ["South/Stream"]
    for a, b in pairwise(path):
        pair = m.pair(*m.mesh.edges[(a, b) if a < b else (b, a)])
        if right in pair:
            del m.sides[pair]["river"]
    assert wrong_banks(m) == []
