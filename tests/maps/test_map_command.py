"""`grognard map`: info with provenance, build with a check, clear refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grognard.cli import map_cmd
from grognard.kernel.errors import UnknownName


def run(*words: str) -> Result:
    return CliRunner().invoke(map_cmd.map_group, list(words))


def test_info_of_a_map_counts_what_it_holds() -> None:
    told = json.loads(run("info", "western-europe", "--json").output)
    assert told["hexes"] == 1920
    assert sum(told["kind"].values()) == 1920
    assert any("GeoNames" in credit["name"] for credit in told["credits"])


def test_info_of_a_hex_says_who_said_so() -> None:
    told = json.loads(run("info", "western-europe", "torino", "--json").output)
    terrain = told["facts"]["terrain"]
    assert terrain["value"] == "forest"
    assert terrain["src"] == "override"
    assert "19.1e" in terrain["why"]
    assert told["facts"]["country"]["src"] == "owners"
    assert len(told["neighbours"]) == 6


def test_info_shows_sides_and_links() -> None:
    told = json.loads(run("info", "western-europe", "calais", "--json").output)
    side = next(near["side"] for near in told["neighbours"].values() if near["hex"] == "1923")
    assert side["passage"] == {"value": "Calais", "src": "text:7.5.5d"}
    assert told["links"]["1923|2023"]["front_beach"]["src"] == "text:24.0b"


def test_info_in_words_and_in_french() -> None:
    english, french = run("info", "europe", "moscow").output, run("info", "europe", "moscow", "--lang", "fr").output
    assert "Moscow" in english
    assert "neighbours" in english
    assert "Moscou" in french
    assert "voisins" in french
    assert "hexagones" in run("info", "europe", "--lang", "fr").output


@pytest.mark.parametrize("word", ["maps/europe", "maps/europe/", "surrender", "src/grognard/games/surrender/data"])
def test_info_finds_a_map_by_its_folder(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(map_cmd.ROOT)
    told = json.loads(run("info", word, "gibraltar", "--json").output)
    assert told["map"] == "europe"
    assert told["facts"]["country"] == {
        "value": "uk", "src": "override", "why": "Gibraltar: too small for the political sources"
    }  # fmt: skip


def test_info_finds_a_new_theatre_by_its_folder_once_it_is_built(tmp_path: Path) -> None:
    folder = tmp_path / "maps" / "tiny"
    folder.mkdir(parents=True)
    (folder / "map.toml").write_text('output = "build/tiny.json"\n', encoding="utf-8")
    with pytest.raises(map_cmd.MapCommandError, match=r"not built yet .*grognard map build tiny"):
        raise run("info", str(folder)).exception
    (tmp_path / "build").mkdir()
    compiled = map_cmd.compiled_maps()["normandy_boxes"][1]
    (tmp_path / "build" / "tiny.json").write_text(json.dumps(compiled), encoding="utf-8")
    assert json.loads(run("info", str(folder), "--json").output)["areas"] == 11
    (folder / "map.toml").write_text('title = 1\noutput = "build\n', encoding="utf-8")
    with pytest.raises(map_cmd.MapCommandError, match=r"map\.toml.*line 2"):
        raise run("info", str(folder)).exception


def test_unknown_map_and_hex_suggest_others() -> None:
    with pytest.raises(UnknownName, match="western-europe"):
        raise run("info", "western-europ").exception
    with pytest.raises(UnknownName, match="dover"):
        raise run("info", "western-europe", "doverr").exception


def test_build_check_says_whether_the_file_is_up_to_date(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("shapely")
    from maps.compiler import build

    class Done:
        report = {"land": 1}

    target = tmp_path / "map.json"
    monkeypatch.setattr(build, "compile_map", lambda name, tick: (Done(), None))
    monkeypatch.setattr(build, "map_bytes", lambda m: b"{}")
    monkeypatch.setattr(build, "output_path", lambda m: target)
    monkeypatch.setattr(map_cmd, "ROOT", tmp_path)
    monkeypatch.setattr(map_cmd, "_maps_module", lambda name: build)
    stale = run("build", "tiny", "--check", "--no-labels")
    assert isinstance(stale.exception, map_cmd.MapCommandError)
    assert not target.exists()
    assert run("build", "tiny", "--no-labels").exit_code == 0
    assert target.read_bytes() == b"{}"
    assert run("build", "tiny", "--check", "--no-labels").exit_code == 0


def test_names_that_overlap_stop_the_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("shapely")
    from maps.compiler import build

    from maps import check

    target = tmp_path / "map.json"
    monkeypatch.setattr(build, "output_path", lambda m: target)
    monkeypatch.setattr(check, "label_findings", lambda m, world: ["fr: 'CAEN' overlaps number 0908"])
    result = run("build", "normandy")
    assert isinstance(result.exception, map_cmd.MapCommandError)
    assert "maps/normandy/labels.toml:\n  fr: 'CAEN' overlaps number 0908" in str(result.exception)
    assert not target.exists()


def test_label_findings_are_those_of_both_languages() -> None:
    pytest.importorskip("shapely")
    from maps.check import label_findings
    from maps.compiler.build import compile_map

    m, world = compile_map("normandy")
    crowd = {"text": {"en": "A VERY LONG NAME INDEED", "fr": "UN NOM BIEN TROP LONG POUR CECI"}, "at": [1200, 800]}
    m.labels += [crowd | {"style": "country", "size": 3}] * 2
    found = label_findings(m, world)
    assert any(finding.startswith("en: ") and "A VERY LONG NAME" in finding for finding in found)
    assert any(finding.startswith("fr: ") and "UN NOM BIEN TROP LONG" in finding for finding in found)


def test_the_map_of_boxes_has_its_own_builder() -> None:
    pytest.importorskip("shapely")
    result = run("build", "normandy_boxes", "--check")
    assert result.exit_code == 0
    assert "boxes.json: 3 kB, unchanged" in result.output


def test_build_of_an_unknown_map_is_a_clear_error() -> None:
    pytest.importorskip("shapely")
    result = run("build", "atlantis")
    assert isinstance(result.exception, map_cmd.MapCommandError)
    assert "no map 'atlantis'" in str(result.exception)


def test_without_the_maps_folder_the_message_says_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(map_cmd, "ROOT", tmp_path)
    result = run("build", "western-europe")
    assert isinstance(result.exception, map_cmd.MapCommandError)
    assert "folder maps/ of the repository" in str(result.exception)


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError("No module named 'shapely'", name="shapely")

    monkeypatch.setattr(map_cmd.importlib, "import_module", missing)
    result = run("render", "western-europe")
    assert isinstance(result.exception, map_cmd.MapCommandError)
    assert "grognard[maps]" in str(result.exception)
