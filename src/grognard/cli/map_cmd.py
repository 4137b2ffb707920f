"""`grognard map`: build, look into and draw the maps.

`info` reads the compiled map of a game and needs nothing else. `build` and `render` need the repository (its `maps/`
folder) and the extra `maps` (shapely, pyproj, scipy), which are imported only when asked for.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import time
import tomllib
from collections import Counter
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import click

from grognard.cli.main import language_option
from grognard.hexes.board import Board
from grognard.hexes.loading import board_from_document
from grognard.hexes.packing import PACKED, PLAIN, unpack
from grognard.kernel.errors import GrognardError, UnknownName

ROOT = Path(__file__).resolve().parents[3]
WORDS = {
    "hexes": "hexagones", "sides": "côtés", "links": "liaisons", "places": "lieux", "areas": "zones",
    "terrain": "terrain", "kind": "nature", "country": "pays", "neighbours": "voisins", "override": "correction",
    "digest": "empreinte", "credits": "sources", "file": "fichier",
}  # fmt: skip


class MapCommandError(GrognardError):
    """A map command that cannot be done; the message says why and what to do."""


# ---------------------------------------------------------------------- the compiled maps


def compiled_maps() -> dict[str, tuple[Traversable, dict[str, Any]]]:
    """Every compiled map of the games by its name: the file and its content."""
    found: dict[str, tuple[Traversable, dict[str, Any]]] = {}
    games = resources.files("grognard") / "games"
    for game in sorted(games.iterdir(), key=lambda child: child.name):
        data = game / "data"
        if not data.is_dir():
            continue
        for file in sorted(data.iterdir(), key=lambda child: child.name):
            if not file.name.endswith(".json"):
                continue
            document = json.loads(file.read_text("utf-8"))
            if isinstance(document, dict) and document.get("format") in (PLAIN, PACKED) and "hexes" in document:
                plain = unpack(document) if document["format"] == PACKED else document
                found.setdefault(str(document.get("name")), (file, plain))
    return found


def find_map(name: str) -> tuple[Traversable, dict[str, Any]]:
    """A compiled map by its name, its folder (of sources, or its game's) or its file; else others are suggested."""
    maps = compiled_maps()
    if name in maps:
        return maps[name]
    file = _file_of(name)
    if file is None:
        raise UnknownName("map", name, maps)
    if not file.is_file():
        raise MapCommandError(f"map {name} is not built yet ({file}): run `grognard map build {Path(name).name}`")
    document = json.loads(file.read_text("utf-8"))
    if not isinstance(document, dict) or document.get("format") not in (PLAIN, PACKED):
        raise MapCommandError(f"{file} is no compiled map")
    return file, unpack(document) if document["format"] == PACKED else document


def _file_of(name: str) -> Path | None:
    """The file of the map whose folder or file is named: maps/<name> (or <name> alone), a game's folder, a map file."""
    given = Path(name)
    if given.is_file():
        return given
    for folder in (given, ROOT / "maps" / name, ROOT / "src/grognard/games" / name):
        if (folder / "map.toml").is_file() and not (folder / "map.json").is_file():
            told = _toml(folder / "map.toml").get("output")
            return None if told is None else (folder.resolve().parents[1] if folder == given else ROOT) / str(told)
        for file in (folder / "map.json", folder / "data" / "map.json"):
            if file.is_file():
                return file
    return None


def _toml(path: Path) -> dict[str, Any]:
    """A TOML file; broken TOML is told with file and line."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise MapCommandError(f"{path}: {error}") from None


def find_hex(document: dict[str, Any], word: str) -> str:
    """A printed number, the id of a place, or its name in either language."""
    if word in document["hexes"]:
        return word
    for key, place in document.get("places", {}).items():
        if word.lower() in {key, place["name"]["en"].lower(), place["name"]["fr"].lower()}:
            return str(place["hexes"][0])
    raise UnknownName("hex or place", word, [*document["hexes"], *document.get("places", {})])


def source_of(document: dict[str, Any], section: str, entry: dict[str, Any], key: str) -> str:
    """Which pass, rule or override said so: the entry's own `src`, or the usual one of the section."""
    told = entry.get("src", {})
    if isinstance(told, dict) and key in told:
        return str(told[key])
    usual = document.get("provenance", {}).get("default", {}).get(section, {})
    return str(usual.get(key, "")) if isinstance(usual, dict) else str(usual)


def override_reasons(name: str) -> dict[str, str]:
    """Why hexes, sides and links were corrected by hand: from the map's overrides.toml, if the repository is here."""
    path = ROOT / "maps" / name / "overrides.toml"
    if not path.is_file():
        return {}
    told = _toml(path)
    reasons = {entry["at"]: entry["why"] for entry in told.get("hex", [])}
    for section in ("side", "link"):
        reasons |= {"|".join(sorted(entry["between"])): entry["why"] for entry in told.get(section, [])}
    return reasons


# ---------------------------------------------------------------------- what to tell


def summary_of(name: str) -> dict[str, Any]:
    """A map at a glance."""
    file, document = find_map(name)
    content = file.read_bytes()
    hexes = document["hexes"].values()
    return {
        "name": str(document.get("name", name)),
        "title": document["title"],
        "file": file.name,
        "bytes": len(content),
        "digest": hashlib.sha256(content).hexdigest(),
        "grid": document["grid"],
        "hexes": len(document["hexes"]),
        "kind": dict(sorted(Counter(entry.get("kind", "land") for entry in hexes).items())),
        "terrain": dict(sorted(Counter(entry["terrain"] for entry in hexes).items())),
        "country": dict(sorted(Counter(entry["country"] for entry in hexes if "country" in entry).items())),
        **{key: len(document.get(key, {})) for key in ("sides", "links", "places", "areas")},
        "credits": document.get("credits", []),
    }


def hex_report(name: str, word: str) -> dict[str, Any]:
    """All that a map knows of a hex: facts, places, sides, links, each with who said so."""
    _, document = find_map(name)
    board = board_from_document(document, name)
    number = find_hex(document, word)
    reasons = override_reasons(str(document.get("name", name)))
    return {
        "map": str(document.get("name", name)),
        "hex": number,
        "facts": _told(document, "hexes", document["hexes"][number], reasons.get(number)),
        "places": {key: place for key, place in document.get("places", {}).items() if number in place.get("hexes", [])},
        "areas": sorted(key for key, area in document.get("areas", {}).items() if number in area.get("hexes", [])),
        "neighbours": _neighbours(document, board, number, reasons),
        "links": {
            key: _told(document, "links", entry, reasons.get(key))
            for key, entry in document.get("links", {}).items()
            if number in key.split("|")
        },
    }


def _told(document: dict[str, Any], section: str, entry: dict[str, Any], why: str | None) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in entry.items():
        if key == "src":
            continue
        out[key] = {"value": value, "src": source_of(document, section, entry, key)}
        if out[key]["src"] == "override" and why:
            out[key]["why"] = why
    return out


def _neighbours(document: dict[str, Any], board: Board, number: str, reasons: dict[str, str]) -> dict[str, Any]:
    grid = board.grid
    here = grid.hex_named(number)
    found = {}
    for other in grid.neighbours[here]:
        name = grid.names[other]
        key = "|".join(sorted((number, name)))
        side = document.get("sides", {}).get(key, {})
        found[grid.compass(here, other)] = {
            "hex": name,
            "terrain": document["hexes"][name]["terrain"],
            "side": _told(document, "sides", side, reasons.get(key)),
        }
    return found


# ---------------------------------------------------------------------- the commands


@click.group("map", help="Build, look into and draw the maps.")
def map_group() -> None:
    """The group of map commands."""


@map_group.command("info")
@click.argument("name")
@click.argument("hex", required=False)
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@language_option
def info_command(name: str, hex: str | None, as_json: bool, lang: str) -> None:
    """What a map holds, or what is in one HEX (a number or a place) and who said so.

    Example: grognard map info western-europe dover
    """
    told = summary_of(name) if hex is None else hex_report(name, hex)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    elif hex is None:
        _show_summary(told, lang)
    else:
        _show_hex(told, lang)


def _word(word: str, lang: str) -> str:
    return WORDS.get(word, word) if lang == "fr" else word


def _show_summary(told: dict[str, Any], lang: str) -> None:
    grid = told["grid"]
    click.echo(f"{told['name']}: {told['title'][lang]}")
    click.echo(f"  {grid['cols']} x {grid['rows']}, {grid['km']} km, {grid['orientation']}")
    click.echo(f"  {_word('file', lang)}: {told['file']}, {told['bytes'] // 1024} kB")
    click.echo(f"  {_word('digest', lang)}: {told['digest']}")
    for key in ("hexes", "sides", "links", "places", "areas"):
        click.echo(f"  {_word(key, lang)}: {told[key]}")
    for key in ("kind", "terrain", "country"):
        if told[key]:
            click.echo(f"  {_word(key, lang)}: " + ", ".join(f"{name} {count}" for name, count in told[key].items()))
    for credit in told["credits"]:
        click.echo(f"  {credit['name']} ({credit['licence']})")


def _show_hex(told: dict[str, Any], lang: str) -> None:
    names = ", ".join(place["name"][lang] for place in told["places"].values())
    click.echo(f"{told['map']} {told['hex']}{f': {names}' if names else ''}")
    for line in _lines(told["facts"]):
        click.echo(f"  {line}")
    for key, place in told["places"].items():
        rest = {k: v for k, v in place.items() if k not in {"name", "hexes", "src"}}
        click.echo(f"  {key}: {json.dumps(rest, ensure_ascii=False)} [{place.get('src', 'historical')}]")
    if told["areas"]:
        click.echo(f"  {_word('areas', lang)}: {', '.join(told['areas'])}")
    click.echo(f"  {_word('neighbours', lang)}:")
    for way, near in told["neighbours"].items():
        click.echo(f"    {way:2} {near['hex']} {near['terrain']}  {'; '.join(_lines(near['side']))}".rstrip())
    if told["links"]:
        click.echo(f"  {_word('links', lang)}:")
        for key, link in told["links"].items():
            click.echo(f"    {key}  {'; '.join(_lines(link))}")


def _lines(facts: dict[str, Any]) -> list[str]:
    out = []
    for key, fact in facts.items():
        why = f": {fact['why']}" if "why" in fact else ""
        value = fact["value"] if isinstance(fact["value"], str) else json.dumps(fact["value"], ensure_ascii=False)
        out.append(f"{key} {value} [{fact['src']}{why}]" if fact["src"] else f"{key} {value}")
    return out


def _compiled(build: Any, name: str, tick: Any, labels: bool) -> tuple[bytes, Path, dict[str, Any]]:
    """The bytes of a map, where they belong, and what the passes report. A map of boxes has a builder of its own."""
    if (ROOT / "maps" / name / "build.py").is_file():
        own = _maps_module(f"maps.{name}.build")
        return own.to_bytes(own.to_data(own.read_boxes())), own.OUTPUT, {}
    m, world = build.compile_map(name, tick)
    if labels:
        began = time.perf_counter()
        findings = _maps_module("maps.check").label_findings(m, world)
        tick("labels", time.perf_counter() - began)
        if findings:
            rows = "\n".join(f"  {finding}" for finding in findings)
            raise MapCommandError(f"map {name}: move or shorten these names in maps/{name}/labels.toml:\n{rows}")
    return build.map_bytes(m), build.output_path(m), m.report


@map_group.command("build")
@click.argument("name")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the committed file would change.")
@click.option("--labels/--no-labels", default=True, help="Audit the names on the drawn map; takes longest of all.")
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
def build_command(name: str, check: bool, labels: bool, as_json: bool) -> None:
    """Compile a map from its sources and write it into its game.

    Example: grognard map build western-europe --check
    """
    build = _maps_module("maps.compiler.build")
    began = time.perf_counter()

    def tick(step: str, seconds: float) -> None:
        if not as_json:
            click.echo(f"  {step:10} {seconds:6.2f} s")

    content, path, report = _guarded(lambda: _compiled(build, name, tick, labels))
    same = path.is_file() and path.read_bytes() == content
    if not check:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    told = {
        "map": name,
        "file": str(path.relative_to(ROOT)),
        "bytes": len(content),
        "digest": hashlib.sha256(content).hexdigest(),
        "changed": not same,
        "seconds": round(time.perf_counter() - began, 2),
        "report": report,
    }
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, indent=1, default=str))
    else:
        for step, lines in report.items():
            click.echo(f"  {step}: {json.dumps(lines, ensure_ascii=False, default=str)}")
        state = "unchanged" if same else ("differs" if check else "written")
        click.echo(f"{told['file']}: {len(content) // 1024} kB, {state}, {told['digest'][:16]}")
    if check and not same:
        raise MapCommandError(f"{told['file']} is not what the sources give: run `grognard map build {name}`")


@map_group.command("render")
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the SVG layers (default: beside the map).")
@click.option("--png", type=click.Path(path_type=Path), help="Write one picture instead.")
@click.option("--style", default="classic", help="classic, colour-blind or contrast (with --png).")
@click.option("--wide", default=1800, help="Width of the picture in pixels.")
@language_option
def render_command(name: str, out: Path | None, png: Path | None, style: str, wide: int, lang: str) -> None:
    """Draw a map as SVG layers, in every style and language.

    Example: grognard map render normandy --png /tmp/normandy.png
    """
    publish = _maps_module("maps.draw.publish")
    if png is None:
        for path in _guarded(lambda: publish.publish(name, out)):
            click.echo(f"{path} {path.stat().st_size // 1024} kB")
        return
    draw, _, _, prefix, _ = _guarded(lambda: publish.drawer(name))
    whole = _guarded(lambda: draw(style, lang)).files[f"{prefix or 'map.'}{style}.{lang}.svg"]
    box = whole.split('viewBox="', 1)[1].split('"', 1)[0].split()
    _guarded(lambda: publish.picture(whole, (float(box[2]), float(box[3])), png, wide, style))
    click.echo(f"{png} {png.stat().st_size // 1024} kB")


def _maps_module(name: str) -> Any:
    """A module of the map tools; they live in the repository, not in the installed package."""
    if not (ROOT / "maps" / "compiler").is_dir():
        raise MapCommandError("the map compiler is not installed: it is in the folder maps/ of the repository")
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if error.name and error.name.split(".")[0] == "maps":
            raise MapCommandError(f"{error.name} is missing from the folder maps/ of the repository") from error
        raise MapCommandError(f"{error.name} is missing: install the extra, pip install 'grognard[maps]'") from error


def _guarded(job: Any) -> Any:
    """Run a job of the map tools; their errors are errors of data (exit code 1)."""
    errors = importlib.import_module("maps.compiler.errors")
    try:
        return job()
    except errors.MapError as error:
        raise MapCommandError(str(error)) from error
    except RuntimeError as error:
        raise MapCommandError(str(error)) from error
