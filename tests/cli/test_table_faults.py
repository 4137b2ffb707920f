"""What `grognard table` finds wrong with a file: file, place, reason and way out, in English and in French."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import grognard
from grognard.cli.main import main
from grognard.cli.table_cmd import terrain
from grognard.kernel.texts import error_text, texts_for
from grognard.tabletop import problems
from tests.tabletop.test_ground import WRONG

PACKAGE = Path(grognard.__file__).parent

SOUND = """
format = 1
id = "field"
title = {en = "Field", fr = "Champ"}
size = [60, 60]
ground = "open"
north = "N"
theatre = "west-1940"
year = 1940
source = "proposed"
[[building]]
id = "farm"
section = [{id = "barn", floors = 1, outline = [[20, 20], [30, 20], [30, 30], [20, 30]]}]
"""
CHURCH = """[[building]]
id = "church"
section = [{id = "nave", floors = 2, outline = [[25, 25], [40, 25], [40, 40], [25, 40]]}]
"""
FAULTS: dict[str, tuple[str, str, str]] = {
    "two houses in one place": (
        SOUND + CHURCH,
        "building barn: overlaps building nave; move one of them, or cut its outline: edges may touch",
        "building barn : empiète sur building nave ; déplacez l’un des deux ou rognez son contour : "
        "les bords peuvent se toucher",
    ),
    "a corner outside": (
        SOUND.replace("[30, 30]", "[30, 70]"),
        "building farm section barn: [30, 70] is outside the table of 60 x 60 cm; "
        "move the corner in, or enlarge `size`",
        "building farm section barn : [30, 70] est hors de la table de 60 x 60 cm ; "
        "rentrez ce coin ou agrandissez `size`",
    ),
    "an unknown terrain": (
        SOUND + '[[line]]\nid = "l"\nkind = "rampart"\npath = [[0, 0], [9, 9]]\n',
        "line l: unknown terrain “rampart”; known: ",
        "line l : terrain inconnu « rampart » ; terrains connus : ",
    ),
    "ground that is a list": (
        SOUND.replace('"open"', '["open"]'),
        'top level: `ground` must be a text in quotation marks, not ["open"]',
        'en tête : `ground` doit être un texte entre guillemets, et non ["open"]',
    ),
    "an objective that is a number": (
        SOUND + '[[objective]]\nid = "o"\nvp = 1\nsection = [1]\n',
        "objective o: `section` must be a text in quotation marks, not [1]",
        "objective o : `section` doit être un texte entre guillemets, et non [1]",
    ),
    "a bracket that is not closed": (
        SOUND.replace("[60, 60]", "[60, 60"),
        "not TOML: look at line 6, column 1 for a bracket, a quotation mark or an equals sign (",
        "ce n’est pas du TOML : cherchez ligne 6, colonne 1 un crochet, un guillemet ou un signe égal (",
    ),
    "a file that ends too early": (
        SOUND + "[[line",
        "not TOML: the file ends too early; close the last bracket or quotation mark (",
        "ce n’est pas du TOML : le fichier finit trop tôt ; fermez le dernier crochet ou guillemet (",
    ),
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str) -> tuple[int, str, str]:
        code = 0
        try:
            main(list(words))
        except SystemExit as stop:
            code = int(stop.code or 0)
        return code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("case", FAULTS)
def test_every_table_command_says_what_is_wrong_in_the_readers_language(
    run: Any, tmp_path: Path, case: str, lang: str
) -> None:
    content, *told = FAULTS[case]
    file = tmp_path / "field.toml"
    file.write_text(content, "utf-8")
    colon = {"en": ": ", "fr": " : "}[lang]
    wanted = f"field.toml{colon}{told[lang == 'fr']}"
    code, out, err = run("table", "check", str(file), "--lang", lang)
    assert code == 1
    assert (out + err.removeprefix("grognard: ")).startswith(wanted)
    if "TOML" not in wanted:
        assert err == {"en": "grognard: 1 problem\n", "fr": "grognard: 1 défaut\n"}[lang]
    for command in ("info", "render"):
        code, out, err = run("table", command, str(file), "--lang", lang)
        assert (code, out) == (1, "")
        assert err.startswith(f"grognard: {wanted}")
        assert err.count("\n") == 1


def test_a_sound_file_and_one_that_is_not_there(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    file.write_text(SOUND, "utf-8")
    assert run("table", "check", str(file), "--lang", "fr") == (0, "field.toml : bonne, 576 points\n", "")
    assert run("table", "check", str(file), "--lang", "en") == (0, "field.toml: sound, 576 points\n", "")
    missing = str(tmp_path / "none.toml")
    assert run("table", "info", missing, "--lang", "fr")[2].startswith(f"grognard: {missing} : ce fichier n’existe pas")
    assert run("table", "info", missing, "--lang", "en")[2].startswith(f"grognard: {missing}: there is no such file;")


@pytest.mark.parametrize("case", WRONG)
def test_every_fault_has_a_sentence_of_its_own_in_french(case: str) -> None:
    wrong, _, _ = WRONG[case]
    fault = problems(wrong, terrain(), "x.toml")[0]
    english, french = error_text(fault, "en"), error_text(fault, "fr")
    assert english == str(fault)
    assert english != french
    assert french.startswith("x.toml : ")
    assert "table-error" not in english + french
    assert "{" not in english + french


def test_every_fault_that_can_be_found_has_a_sentence_and_every_sentence_a_fault() -> None:
    keys = {"at", "whole", *(f"kind-{kind}" for kind in ("dict", "list", "str", "int", "bool"))}
    places = {"Fault": 0, "TableError": 2, "TableCommandError": 0, "refuse": 1}
    for path in (PACKAGE / "tabletop/loading.py", PACKAGE / "tabletop/making.py", PACKAGE / "cli/table_cmd.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in places and len(node.args) > places[called]:
                told = node.args[places[called]]
                words = [told.body, told.orelse] if isinstance(told, ast.IfExp) else [told]
                keys |= {str(word.value) for word in words if isinstance(word, ast.Constant)}
    for lang in ("en", "fr"):
        told_keys = {key for key in texts_for("", lang).tables[1] if key.startswith("table-error.")}
        assert told_keys == {f"table-error.{key}" for key in keys}
