"""What never changes while the server runs: games, maps, pictures, rules, texts and the client itself.

Each answer is compressed once, as well as gzip can, and kept; a browser asks again with the tag it has and hears 304.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from grognard.ai import offered
from grognard.games import find_game, playable_names, rulebook_names
from grognard.hexes import document_from_json
from grognard.kernel.chapters import chapters
from grognard.kernel.errors import UnknownName
from grognard.kernel.rulebook import rulebook
from grognard.kernel.texts import texts_for
from grognard.kit.tablegame import seen_runs
from grognard.server.asking import hall_of, lang_of, person_of
from grognard.server.errors import Problem
from grognard.teach import lesson_names, lesson_of
from grognard.teach.figures import drawn, figures

SMALL = 1000  # bytes that are not worth compressing
JSON_KIND = "application/json"
KINDS = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".json": JSON_KIND,
    ".js": "text/javascript",
    ".css": "text/css",
    ".woff2": "font/woff2",
}
PACKED_ALREADY = ("image/png", "image/jpeg", "image/webp", "font/woff2")
ASK_AGAIN = "no-cache"
FOR_EVER = "public, max-age=31536000, immutable"


class Kept(NamedTuple):
    """An answer that is ready to be sent."""

    body: bytes
    zipped: bool
    tag: str
    kind: str


def keep(body: bytes, kind: str) -> Kept:
    """Compress and tag."""
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    zipped = len(body) > SMALL and kind not in PACKED_ALREADY
    return Kept(gzip.compress(body, 9, mtime=0) if zipped else body, zipped, tag, kind)


def keep_json(content: Any) -> Kept:
    """The same for plain data."""
    return keep(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(), JSON_KIND)


def answer(request: Request, kept: Kept, cache: str = ASK_AGAIN) -> Response:
    """Send what is kept, or say that the browser has it."""
    headers = {"ETag": kept.tag, "Cache-Control": cache, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == kept.tag:
        return Response(status_code=304, headers=headers)
    if not kept.zipped:
        return Response(kept.body, headers=headers, media_type=kept.kind)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(kept.body), headers=headers, media_type=kept.kind)
    return Response(kept.body, headers=headers | {"Content-Encoding": "gzip"}, media_type=kept.kind)


def rules_name(request: Request) -> str:
    """A game of which we have the rules."""
    name: str = request.path_params["game"]
    if name not in rulebook_names():
        raise UnknownName("game", name, rulebook_names())
    return name


# Games


@lru_cache(maxsize=4)
def _games(lang: str) -> Kept:
    from grognard.cli.games_cmd import describe

    cards = [describe(name, lang) | {"levels": offered(name)} for name in rulebook_names()]
    for card in cards:
        card["lessons"] = [lesson_of(card["game"], name).card(lang) for name in lesson_names(card["game"])]
        for scenario in card.get("scenarios", ()):
            scenario["levels"] = offered(card["game"], scenario["name"])
    return keep_json(cards)


async def list_games(request: Request) -> Response:
    """Every game with its scenarios and options."""
    return answer(request, _games(lang_of(request)))


@lru_cache(maxsize=64)
def seats_of(game: str, scenario: str, options: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The sides that somebody plays with this scenario and these options."""
    found = find_game(game)
    position = found.setup(scenario or found.scenarios[0], dict(options), "seats")
    return tuple(found.side_name(side) for side in found.playing(position))


async def list_seats(request: Request) -> Response:
    """Who is wanted at a table that somebody is about to set up: `?scenario=NAME&OPTION=CHOICE`."""
    wishes = dict(request.query_params)
    scenario = wishes.pop("scenario", "")
    wishes.pop("lang", None)
    game = find_game(request.path_params["game"])
    options = game.resolve_options(wishes, scenario)
    return JSONResponse({"sides": await asyncio.to_thread(seats_of, game.name, scenario, options)})


@lru_cache(maxsize=16)
def maps_of(game: str) -> Kept:
    """The boards of a game in map format 1, without the notes on where each fact comes from."""
    found = find_game(game)
    data = resources.files("grognard") / "games" / game / "data"
    maps: dict[str, Any] = {}
    for child in sorted(data.iterdir(), key=lambda c: c.name):
        if child.name in ("map.json", "boxes.json"):
            maps[child.name.removesuffix(".json")] = document_from_json(child.read_bytes(), child.name)
    return keep_json({"maps": _without_sources(maps or found.boards())})


def _without_sources(value: Any) -> Any:
    """Provenance is for `grognard data`; no client reads it."""
    if isinstance(value, dict):
        return {key: _without_sources(v) for key, v in value.items() if key not in ("src", "provenance")}
    return value


async def game_map(request: Request) -> Response:
    """The boards that views refer to."""
    name = request.path_params["game"]
    if name not in playable_names():
        raise UnknownName("game", name, playable_names())
    return answer(request, maps_of(name))


@lru_cache(maxsize=256)
def _seen(game: str, name: str, point: str, up: int) -> Kept:
    """What is seen from a point of a measured table."""
    measured: Any = getattr(find_game(game), "measured", None)
    tables = measured() if measured is not None else {}
    if name not in tables:
        raise UnknownName("table", name, tables)
    table = tables[name]
    try:
        number = table.point_named(point)
    except KeyError:
        raise UnknownName("point", point, [n for n in table.names if n]) from None
    return keep_json({"map": name, "from": point, "up": up, "runs": seen_runs(table, number, up)})


async def game_sight(request: Request) -> Response:
    """What is seen from a point: `?map=NAME&from=POINT&up=STOREY`. It hangs on the table alone, on no game."""
    asked = request.query_params
    up = asked.get("up", "0")
    if up not in ("0", "1", "2", "3"):
        raise UnknownName("value", up, ("0", "1", "2", "3"))
    name = request.path_params["game"]
    kept = await asyncio.to_thread(_seen, name, asked.get("map", ""), asked.get("from", ""), int(up))
    return answer(request, kept)


def _art_folder(game: str) -> Path:
    return Path(str(resources.files("grognard") / "games" / game / "data" / "art"))


@lru_cache(maxsize=64)
def _file(path: Path, changed: int) -> Kept:
    """A file as it was when last changed."""
    return keep(path.read_bytes(), KINDS[path.suffix])


async def game_art(request: Request) -> Response:
    """A picture of a game's map."""
    folder, name = _art_folder(rules_name(request)), request.path_params["file"]
    if Path(name).suffix not in KINDS or not folder.is_dir() or name not in (c.name for c in folder.iterdir()):
        raise Problem(404, "no-page")
    path = folder / name
    return answer(request, _file(path, path.stat().st_mtime_ns))


async def art_list(request: Request) -> Response:
    """The names of the pictures."""
    folder = _art_folder(rules_name(request))
    names = sorted(c.name for c in folder.iterdir() if c.suffix in KINDS) if folder.is_dir() else []
    return answer(request, keep_json(names))


@lru_cache(maxsize=32)
def _rules(game: str, lang: str) -> Kept:
    rows, rules = [], rulebook(game)
    switches = {option.rule: option.name for option in find_game(game).options} if game in playable_names() else {}
    titles = texts_for(game, lang)
    for chapter in chapters(game):
        for rule in (rules[name] for name in chapter.rules):
            title, text = rule.in_language(lang)
            row = {"id": rule.id, "tier": rule.tier, "chapter": chapter.in_language(lang), "title": title, "text": text}
            if rule.id in switches:
                row["switch"] = titles.find(f"option.{switches[rule.id]}") or switches[rule.id]
            rows.append(row)
    return keep_json(rows)


async def game_rules(request: Request) -> Response:
    """The rulebook, in our own words."""
    return answer(request, _rules(rules_name(request), lang_of(request)))


@lru_cache(maxsize=32)
def _figures(game: str, lang: str) -> Kept:
    return keep_json([drawn(figure, lang) for figure in figures(game)])


async def game_figures(request: Request) -> Response:
    """The pictures of the rulebook, as positions to draw."""
    kept = await asyncio.to_thread(_figures, rules_name(request), lang_of(request))
    return answer(request, kept)


@lru_cache(maxsize=32)
def _texts(game: str, lang: str) -> Kept:
    return keep_json(texts_for(game, lang).all)


async def game_texts(request: Request) -> Response:
    """Every sentence and name."""
    return answer(request, _texts(rules_name(request), lang_of(request)))


# The client's pages


async def page(request: Request) -> Response:
    """Every page is the same small program."""
    await person_of(request)
    index = hall_of(request).settings.static / "index.html"
    if not index.is_file():
        return PlainTextResponse(
            "The client is not built: run ./play with Node.js installed, or npm run build in client/.", 503
        )
    return FileResponse(index, headers={"Cache-Control": ASK_AGAIN})


async def asset(request: Request) -> Response:
    """A part of the client; its name carries its digest."""
    root = (hall_of(request).settings.static / "assets").resolve()
    try:
        file = (root / request.path_params["file"]).resolve()
        found = file.is_relative_to(root) and file.is_file()
    except (OSError, ValueError):  # a name that no file can have
        found = False
    if not found:
        raise Problem(404, "no-page")
    if file.suffix not in KINDS:
        return FileResponse(file, headers={"Cache-Control": FOR_EVER})
    return answer(request, _file(file, file.stat().st_mtime_ns), FOR_EVER)


async def icon(request: Request) -> Response:
    """No picture: an empty answer keeps the log clean."""
    return (
        RedirectResponse("/assets/icon.svg")
        if (hall_of(request).settings.static / "assets" / "icon.svg").is_file()
        else Response(status_code=204)
    )
