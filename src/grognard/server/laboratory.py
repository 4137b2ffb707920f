"""The designer's page: an experiment chosen with the mouse, run in a process of its own, looked at while it runs.

Off unless `GROGNARD_LAB` names a folder (as `./play` does): it uses a processor for as long as it runs. One experiment
at a time; the process is `grognard ab` on a file like any other, so that what the page did can be repeated by hand.
Balance, history and data sets are in `counting`.
"""

from __future__ import annotations

import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from grognard.ai import Seat, offered
from grognard.games import find_game
from grognard.kernel.dice import seed_from
from grognard.kernel.errors import LabError
from grognard.kernel.gamefile import GameFile, from_session
from grognard.kernel.session import Session
from grognard.kernel.texts import Texts, texts_for
from grognard.lab.balance import thinned
from grognard.lab.keyed import Stream, player_for
from grognard.lab.plan import plan_of
from grognard.lab.report import Answer, answers
from grognard.lab.selfplay import Match
from grognard.lab.store import Results, match_of
from grognard.server import counting, opening
from grognard.server.asking import body_of, hall_of, lang_of, person_of, text_field
from grognard.server.errors import Problem
from grognard.server.labwork import STORE, folder_of, is_running, launch, number_of, running, scenario_title

MOST_PAIRS = 2000
SHOWN = 200  # games of a run that are listed, the latest first


async def begin(request: Request) -> Response:
    """Start an experiment, or go on with it."""
    await person_of(request)
    folder, body = folder_of(request), await body_of(request)
    wish = {key: text_field(body, key) for key in ("game", "scenario", "option", "first", "second", "level")}
    text = file_of(wish, number_of(body, "worth", 10, 1, 50), number_of(body, "most", 400, 64, MOST_PAIRS))
    name = f"{wish['game']}-{wish['scenario']}-{wish['option']}-{wish['second']}-{wish['level']}.toml"
    try:
        plan = plan_of(name, text, tomllib.loads(text))
    except LabError as error:
        raise Problem(422, "bad-experiment", reason=error.facts.get("reason", error)) from None
    if wish["level"] not in offered(wish["game"], wish["scenario"]):
        raise Problem(422, "bad-experiment", reason=wish["level"])
    path = folder / f"{plan.run_id}.toml"
    await asyncio.to_thread(path.write_text, text, "utf-8")
    await launch(plan.run_id, ["ab", str(path), "--store", str(folder / STORE), "--jobs", "1"], folder)
    return JSONResponse({"run": plan.run_id}, 201)


def file_of(wish: dict[str, str], worth: int, most: int) -> str:
    """The experiment file of what was chosen on the page; games use their own dice, so that each can be opened."""
    said = {key: json.dumps(value, ensure_ascii=False) for key, value in wish.items()}
    seeds = json.dumps(f"page {wish['game']} {wish['scenario']} {wish['option']} {wish['second']} {wish['level']}")
    asked = json.dumps(f"{wish['option']}: {wish['first']} / {wish['second']}", ensure_ascii=False)
    return (
        f"question = {asked}\nfamily = {said['game']}\ngame = {said['game']}\nscenarios = [{said['scenario']}]\n"
        f'players = [{said["level"]}]\nseeds = {seeds}\nchance = "stream"\n'
        f"[arms.{named(wish, 'first')}]\noptions = {{ {said['option']} = {said['first']} }}\n"
        f"[arms.{named(wish, 'second')}]\noptions = {{ {said['option']} = {said['second']} }}\n"
        f"[stop]\nworth = {worth / 100}\nmost = {most}\n"
    )


def named(wish: dict[str, str], way: str) -> str:
    """What an arm is called: the option and its value."""
    return json.dumps(f"{wish['option']} {wish[way]}", ensure_ascii=False)


async def stop(request: Request) -> Response:
    """Let it rest; it goes on when it is begun again."""
    await person_of(request)
    folder_of(request)
    process = running.pop(request.path_params["run"], None)
    if process is not None:
        process.terminate()
        await asyncio.to_thread(process.wait)
    return JSONResponse({})


async def look(request: Request) -> Response:
    """All experiments, or one with its games."""
    if "there" in request.query_params:  # the first page asks whether there is one: no is no error
        return JSONResponse({"there": bool(hall_of(request).settings.laboratory)})
    await person_of(request)
    folder, lang = folder_of(request), lang_of(request)
    run = request.path_params.get("run", "")
    is_running()
    found = await asyncio.to_thread(told, folder / STORE, run, lang)
    if run and not found:
        raise Problem(404, "no-experiment")
    if run:
        return JSONResponse(found[0])
    files, formats = await asyncio.to_thread(counting.files_in, folder), counting.formats()
    return JSONResponse({"runs": found, "busy": bool(running), "files": files, "formats": formats})


def told(store: Path, run: str, lang: str) -> list[dict[str, Any]]:
    """What the page shows."""
    if not store.exists():
        return []
    results = Results(store)
    try:
        wanted = [run] if run else ()
        found = [answer.as_json() | {"kind": "ab"} | words_of(answer, lang) for answer in answers(results, wanted)]
        found += counting.told(results, store.parent, run, lang)
        for one in found:
            one["running"] = one["run"] in running
            if run:
                one["games_list"] = listed(results, run, texts_for(one["game"], lang))
                one["pictures"] = [] if one["running"] else counting.picture_list(results, run, lang)
        return found
    finally:
        results.close()


def listed(results: Results, run: str, texts: Texts) -> list[dict[str, Any]]:
    """The latest games of a run."""
    return [
        {key: row[key] for key in ("pair", "place", "arm", "turns", "decisions")}
        | {"ended": ended(texts, row["winner"], row["level"])}
        for row in reversed(list(results.games(run))[-SHOWN:])
    ]


def ended(texts: Texts, winner: str, level: str) -> str:
    """Who won, and how."""
    who = texts.find(f"side.{winner}") or texts.find(f"cli.{winner}") or winner
    how = texts.find(f"level.{level}") or level
    return f"{who}, {how}" if winner != "draw" else who


def words_of(answer: Answer, lang: str) -> dict[str, Any]:
    """The parts of an answer that are words or pictures."""
    game = answer.plan.game
    texts = texts_for(game.name, lang)
    first, second = (dict(arm.options) for arm in answer.plan.experiment.arms.values())
    return {
        "game": game.name,
        "scenario": answer.plan.scenarios[0],
        "title": f"{texts.find('game.title') or game.name}, {scenario_title(texts, answer.plan.scenarios[0])}",
        "sentence": answer.sentence(texts),
        "what": switch_title(texts, next(iter(second), "")),
        "side": texts.find(f"side.{game.sides[0]}") or game.sides[0],
        "first": first,
        "second": second,
        "level": answer.plan.seats[0][0],
        "most": answer.plan.stop.most,
        "worth": answer.plan.stop.worth,
        "course": thinned(answer.state.course),
    }


def switch_title(texts: Texts, option: str) -> str:
    """The first words of what a switch is called."""
    return (texts.find(f"option.{option}") or option).split(":")[0].strip()


async def open_game(request: Request) -> Response:
    """A game of a run as a finished table, to be looked at in the replay."""
    person, hall = await person_of(request), hall_of(request)
    folder, body = folder_of(request), await body_of(request)
    pair, place = number_of(body, "pair", 0, 0, 10**6), number_of(body, "place", 0, 0, 9)
    match = await asyncio.to_thread(stored_match, folder / STORE, request.path_params["run"], pair, place)
    file = await asyncio.to_thread(file_of_match, match)
    wishes = dict.fromkeys(find_game(match.game).sides, "me")
    table, _ = await opening.take_in(hall, person, file, wishes, lang_of(request))
    return JSONResponse({"id": table.id}, 201)


def stored_match(store: Path, run: str, pair: int, place: int) -> Match:
    """The match of a stored game."""
    if store.exists():
        results = Results(store)
        try:
            for row in results.runs([run]):
                for game in results.games(row["id"]):
                    if (game["pair"], game["place"]) == (pair, place):
                        return match_of(row["game"], game)
        finally:
            results.close()
    raise Problem(404, "no-experiment")


def file_of_match(match: Match) -> GameFile:
    """Play a match again, and keep what was done."""
    game, luck = find_game(match.game), Stream(match.seed)
    players = [player_for(level, match.chance) for level in match.players]
    session = Session.new(game, match.scenario, dict(match.options), seed=seed_from(match.seed), title=match.seed)
    while session.result is None:
        side = session.state.waiting[0]
        action = players[side].choose(Seat(game, session.state, side, luck.whim(session.state, side))).action
        session.act(side, game.write(session.state, side, action))
    return from_session(session)
