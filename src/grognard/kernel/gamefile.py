"""The game file: text that a person can read, its JSON twin, atomic saving, and `verify`.

A header of `key: value` lines, an empty line, then one line an action (`side verb target`). Under each action stand
indented lines: what happened (events, dice), `%` what the generator gave (the count before, then `of:value` for each
draw), `+` the player's salt and `=` the digest chain. Replay needs only the salts, `verify` checks everything. The last
line is a checksum of the whole file, so that a single changed byte is noticed. Format 1 had no draws, salts and shares.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .ceremony import ALL, Salts, Share, check_shares, unwitnessed
from .errors import GameFileError, GrognardError, IllegalAction
from .events import Event
from .game import Game
from .record import REFEREE, Side
from .session import WITHHELD, Header, Session, data_digest

FORMAT = 2
FORMATS = ("1", "2")  # that can be read
LARGEST = 64 * 1024 * 1024
WAY = "way"  # the hexes that a move crossed: for the eye, and no part of a file, which has where it began and ended
INDENT = "    "
KEYS = (
    "grognard",
    "game",
    "rules",
    "data",
    "scenario",
    "options",
    "commitment",
    "seed",
    "id",
    "entropy",
    "players",
    "title",
)
MORE_KEYS = ("shares", "dice", "mark", "origin", "start")  # written where there is something to write
FindGame = Callable[[str], Game[Any]]


@dataclass
class Line:
    """One action as it stands in a file, with its indented lines."""

    side: str
    verb: str
    target: str
    notes: list[str] = field(default_factory=list)
    chain: str = ""
    salt: str = ""
    draws: str = ""


@dataclass
class GameFile:
    """A game file taken apart: the readable text and the JSON twin hold exactly this."""

    header: dict[str, str]
    opening: list[str]
    lines: list[Line]
    opening_draws: str = ""


# Writing


def note_of(event: Event, side: Side = REFEREE) -> str:
    """An event as an indented line, as one side may read it."""
    facts = event.to_json(side)
    facts.pop("kind"), facts.pop("rule"), facts.pop(WAY, None)
    words = [f"{key}={json.dumps(value, ensure_ascii=False, separators=(',', ':'))}" for key, value in facts.items()]
    heard = "" if event.audience is None else "!" + ",".join(str(a) for a in event.audience)
    return " ".join([event.kind + heard, f"[{event.rule}]", *words])


def from_session(session: Session, side: Side = REFEREE) -> GameFile:
    """The file of a session. For a side: its copy, without the seed and without what it may not know.

    A side's copy can be read but not replayed before the end of the game; the referee's can.
    """
    header = header_text(session.header, withheld=side != REFEREE)
    opening = [note_of(e, side) for e in session.opening if e.heard_by(side)]
    draws = draws_text(0, session.opening_draws) if side == REFEREE else ""
    return GameFile(header, opening, lines_of(session, side), draws)


def lines_of(session: Session, side: Side, since: int = 0, until: int | None = None) -> list[Line]:
    """The lines of a file for the entries after the first `since`."""
    lines = []
    for entry, seen in zip(session.entries[since:until], session.log_for(side, since, until)):
        notes = [note_of(e, side) for e in entry.events if e.heard_by(side)]
        chain, draws = (entry.chain, draws_text(*entry.drawn)) if side == REFEREE else ("-", "")
        lines.append(Line(seen["side"], seen.get("verb", "?"), seen.get("target", ""), notes, chain, entry.salt, draws))
    return lines


def header_text(h: Header, *, withheld: bool) -> dict[str, str]:
    """The header as a file has it."""
    header = {
        "grognard": str(FORMAT),
        "game": h.game,
        "rules": str(h.rules),
        "data": h.data,
        "scenario": h.scenario,
        "options": " ".join(f"{k}={v}" for k, v in sorted(h.options.items())),
        "commitment": h.commitment,
        "seed": WITHHELD if withheld else h.seed,
        "id": h.id,
        "entropy": json.dumps(list(h.entropy)) if h.entropy else "",
        "players": h.players,
        "title": " ".join(h.title.split()),
    }
    more = {
        "shares": " ".join(f"{share.side}={share.commitment}:{share.entropy or '-'}" for share in h.shares),
        "dice": h.dice,
        "mark": h.mark,
        "origin": h.origin,
        "start": WITHHELD if withheld and h.start else h.start,
    }
    return header | {key: value for key, value in more.items() if value}


def draws_text(start: int, draws: list[tuple[int, int]]) -> str:
    """What the generator gave: the count before, then each draw as `of:value`, values from 0."""
    return " ".join([str(start), *(f"{n}:{value}" for n, value in draws)]) if draws else ""


def to_text(file: GameFile) -> str:
    """The readable form."""
    rows = [f"{key}: {file.header[key]}".rstrip() for key in (*KEYS, *MORE_KEYS) if key in file.header]
    rows += ["", *(INDENT + note for note in file.opening), *_marked("%", file.opening_draws)]
    for line in file.lines:
        rows.append(f"{line.side} {line.verb} {line.target}".rstrip())
        rows += [INDENT + note for note in line.notes]
        rows += [*_marked("%", line.draws), *_marked("+", line.salt)]
        rows.append(f"{INDENT}= {line.chain}")
    body = "\n".join(rows) + "\n"
    return f"{body}end: {len(file.lines)} actions, checksum {_checksum(body)}\n"


def _marked(sign: str, value: str) -> list[str]:
    return [f"{INDENT}{sign} {value}"] if value else []


def _checksum(body: str) -> str:
    return hashlib.blake2b(body.encode(), digest_size=16).hexdigest()


def to_json(file: GameFile) -> dict[str, Any]:
    """The JSON twin."""
    actions = [
        {"side": x.side, "verb": x.verb, "target": x.target, "notes": x.notes, "chain": x.chain}
        | ({"salt": x.salt} if x.salt else {})
        | ({"draws": x.draws} if x.draws else {})
        for x in file.lines
    ]
    whole = {"header": file.header, "opening": file.opening, "actions": actions, "checksum": _twin_sum(file)}
    return whole | ({"opening_draws": file.opening_draws} if file.opening_draws else {})


def _twin_sum(file: GameFile) -> str:
    return to_text(file).rsplit(" ", 1)[1].strip()


def save(session: Session, path: Path, side: Side = REFEREE) -> None:
    """Write the game, by its ending as text or JSON; the old file stays whole until the new one is."""
    file = from_session(session, side)
    if path.suffix == ".json":
        write_atomically(path, json.dumps(to_json(file), ensure_ascii=False, indent=1) + "\n")
    else:
        write_atomically(path, to_text(file))


def write_atomically(path: Path, content: str) -> None:
    """Write beside, flush to disk, then rename: a kill or a full disk leaves the old file as it was."""
    path = Path(os.path.realpath(path)) if path.is_symlink() else path  # a link goes on pointing at the game
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise GameFileError("cannot-write", path=path, why=error.strerror) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
        with contextlib.suppress(OSError):  # some file systems cannot sync a folder
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise GameFileError("not-saved", path=path, why=error.strerror) from error


# Reading


def read(path: Path, *, recover: bool = False) -> GameFile:
    """Take a file apart; `recover` reads what is whole of a damaged text file."""
    try:
        with path.open("rb") as source:
            raw = source.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise GameFileError("too-large", path=path, most=LARGEST // 1024 // 1024)
        content = raw.decode("utf-8")
    except FileNotFoundError:
        raise GameFileError("no-file", path=path) from None
    except IsADirectoryError:
        raise GameFileError("folder", path=path) from None
    except UnicodeDecodeError as error:
        raise GameFileError("not-utf8", path=path, byte=error.start) from error
    except OSError as error:
        raise GameFileError("cannot-read", path=path, why=error.strerror) from error
    if not content.strip():
        raise GameFileError("empty", path=path)
    try:
        return from_json(content) if content.lstrip().startswith("{") else from_text(content, recover=recover)
    except GameFileError as error:
        raise GameFileError("in", path=path, what=error) from error


def from_text(content: str, *, recover: bool = False) -> GameFile:
    """Read the readable form."""
    body, mark, tail = content.rpartition("end: ")
    whole = bool(mark) and body.endswith("\n") and tail.endswith("\n")
    if not whole and not recover:
        raise GameFileError("cut-off")
    rows = (body if whole else content).split("\n")
    header, at = _read_header(rows)
    opening: list[str] = []
    lines: list[Line] = []
    file = GameFile(header, opening, lines)
    for number, row in enumerate(rows[at:], at + 1):
        if not row.strip():
            continue
        if not row.startswith(INDENT):
            words = row.split(" ", 2)
            if len(words) < 2:
                if recover:
                    break
                raise GameFileError("no-action", line=number, row=row)
            lines.append(Line(words[0], words[1], words[2] if len(words) > 2 else ""))
        elif row.startswith(f"{INDENT}= ") and lines:
            lines[-1].chain = row[len(INDENT) + 2 :]
        elif row.startswith(f"{INDENT}+ ") and lines:
            lines[-1].salt = row[len(INDENT) + 2 :]
        elif row.startswith(f"{INDENT}% ") and lines:
            lines[-1].draws = row[len(INDENT) + 2 :]
        elif row.startswith(f"{INDENT}% "):
            file.opening_draws = row[len(INDENT) + 2 :]
        elif not row.startswith(f"{INDENT}#"):
            (lines[-1].notes if lines else opening).append(row[len(INDENT) :])
    if recover:
        while lines and not lines[-1].chain:
            lines.pop()
    elif tail != f"{len(lines)} actions, checksum {_checksum(body)}\n":
        raise GameFileError("changed-text")
    return file


def _read_header(rows: list[str]) -> tuple[dict[str, str], int]:
    header: dict[str, str] = {}
    for number, row in enumerate(rows):
        if not row.strip():
            break
        key, colon, value = row.partition(":")
        if not colon or key not in (*KEYS, *MORE_KEYS):
            raise GameFileError("no-header-line", line=number + 1, row=row[:60])
        header[key] = value.strip()
    missing = [key for key in KEYS if key not in header]
    if missing:
        raise GameFileError("header-lacks", keys=missing)
    if header["grognard"] not in FORMATS:
        raise GameFileError("format", theirs=header["grognard"], ours=FORMAT)
    return header, len(header) + 1


def from_json(content: str) -> GameFile:
    """Read the JSON twin."""
    try:
        data = json.loads(content)
        header = {key: str(data["header"][key]) for key in KEYS}
        header |= {key: str(data["header"][key]) for key in MORE_KEYS if key in data["header"]}
        lines = [
            Line(
                str(a["side"]),
                str(a["verb"]),
                str(a["target"]),
                [str(n) for n in a["notes"]],
                str(a["chain"]),
                str(a.get("salt", "")),
                str(a.get("draws", "")),
            )
            for a in data["actions"]
        ]
        file = GameFile(header, [str(n) for n in data["opening"]], lines, str(data.get("opening_draws", "")))
        checksum, ours = data["checksum"], _twin_sum(file)
    except json.JSONDecodeError as error:
        raise GameFileError("broken-json", line=error.lineno, why=error.msg) from error
    except (KeyError, TypeError, AttributeError) as error:
        raise GameFileError("json-lacks", what=str(error)) from error
    except (ValueError, RecursionError) as error:
        raise GameFileError("other-json", why=str(error)) from error
    if header["grognard"] not in FORMATS:
        raise GameFileError("format", theirs=header["grognard"], ours=FORMAT)
    if checksum != ours:
        raise GameFileError("changed-json")
    return file


# Replaying


def header_of(file: GameFile) -> Header:
    """The header with its values read."""
    h = file.header
    try:
        options = {name: value for name, sign, value in (word.partition("=") for word in h["options"].split()) if sign}
        entropy = json.loads(h["entropy"]) if h["entropy"] else []
        rules = int(h["rules"])
        if len(options) < len(h["options"].split()) or not isinstance(entropy, list):
            raise ValueError("options are NAME=VALUE, entropy is a JSON list of words")
        shares = tuple(_share(word) for word in h.get("shares", "").split())
    except (ValueError, TypeError, RecursionError) as error:
        raise GameFileError("bad-header", why=str(error)) from error
    words = tuple(str(word) for word in entropy)
    fixed = (h["game"], rules, h["data"], h["scenario"], options, h["commitment"], h["seed"], h["id"], words)
    more = {key: h.get(key, "") for key in ("mark", "origin", "start", "dice")}
    named = {"title": h["title"], "players": h["players"]} | more
    return Header(*fixed, shares=shares, **named)  # type: ignore[arg-type]


def _share(word: str) -> Share:
    """One share of the header: `SIDE=COMMITMENT:ENTROPY`."""
    side, sign, rest = word.partition("=")
    commitment, colon, entropy = rest.partition(":")
    if not (sign and colon):
        raise ValueError("shares are SIDE=COMMITMENT:ENTROPY")
    return Share(side, commitment, "" if entropy == "-" else entropy)


def replay(file: GameFile, find_game: FindGame) -> Session:
    """Play a file again. Says which action fails, and why, if the rules do not accept it.

    A file of another version of the rules is accepted if every position comes out as it was written.
    """
    header = header_of(file)
    game = find_game(header.game)
    if header.seed == WITHHELD:
        raise GameFileError("withheld")
    if header.rules != game.version:
        try:
            return _replay(game, header, file, exactly=True)
        except GameFileError as error:
            raise GameFileError("other-rules", theirs=header.rules, game=header.game, ours=game.version) from error
    return _replay(game, header, file)


def _replay(game: Game[Any], header: Header, file: GameFile, *, exactly: bool = False) -> Session:
    """Play a file again; `exactly` wants every digest to be the one that was written."""
    try:
        session = Session(game, header)
    except (GrognardError, ValueError, TypeError, KeyError, RecursionError) as error:
        if not header.start and not exactly:
            raise
        raise GameFileError("bad-start", why=error) from error
    for number, line in enumerate(file.lines, 1):
        try:
            if line.side == "*":
                session.note((line.verb, line.target))
            else:
                session.act(game.side_named(line.side), (line.verb, line.target), line.salt)
            if exactly and line.chain != session.chain:
                raise GameFileError("other-position", number=number)
        except IllegalAction as error:
            what = f"{line.side} {line.verb} {line.target}"
            raise GameFileError("refused", number=number, action=what, why=error, game=game.name) from error
        except GrognardError as error:
            raise GameFileError("action-fails", number=number, why=error) from error
    return session


def load(path: Path, find_game: FindGame, *, recover: bool = False) -> Session:
    """The session that a file holds."""
    file = read(path, recover=recover)
    try:
        return replay(file, find_game)
    except GameFileError as error:
        raise GameFileError("in", path=path, what=error) from error


@dataclass
class Verdict:
    """What `verify` found."""

    actions: int
    rolls: int
    typed: int  # dice typed by hand
    found: list[GameFileError]
    withheld: list[str] = field(default_factory=list)  # sides that committed to a share and never showed it
    unsalted: dict[str, int] = field(default_factory=dict)  # sides that stopped adding salt, and at which action
    mark: str = ""

    @property
    def problems(self) -> list[str]:
        """What is wrong, in English; empty for an honest file."""
        return [str(error) for error in self.found]

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        told = {"actions": self.actions, "rolls": self.rolls, "typed": self.typed, "problems": self.problems}
        return told | {"withheld": self.withheld, "unsalted": self.unsalted, "mark": self.mark}


def verify(file: GameFile, find_game: FindGame) -> Verdict:
    """Replay a game and recompute every commitment, share, salt, draw, event and digest."""
    header = header_of(file)
    found: list[GameFileError] = []
    if header.seed != WITHHELD:
        found += check_shares(header.id, header.commitment, header.seed, header.shares)
    try:
        session = replay(file, find_game)
    except GameFileError as error:
        if not found:
            raise
        return Verdict(len(file.lines), 0, 0, [*found, error])  # no wonder: with other dice other actions are legal
    if header.data != data_digest(session.game):
        found.append(GameFileError("other-data"))
    ours, traced = from_session(session), file.header["grognard"] != "1"
    if ours.opening != file.opening or (traced and ours.opening_draws != file.opening_draws):
        found.append(GameFileError("other-opening"))
    for number, (mine, theirs) in enumerate(zip(ours.lines, file.lines), 1):
        if mine.notes != theirs.notes:
            wrong = next((n for n in theirs.notes if n not in mine.notes), "")
            found.append(GameFileError("other-event" if wrong else "event-missing", number=number, line=wrong))
            break
        if traced and mine.draws != theirs.draws:
            found.append(GameFileError("other-draws", number=number))
            break
        if mine.chain != theirs.chain:
            found.append(GameFileError("other-position", number=number))
            break
    rolls = sum(1 for line in file.lines for note in line.notes if note.startswith("roll"))
    typed = sum(len(line.target.split()) for line in file.lines if (line.side, line.verb) == ("*", "dice"))
    withheld = [share.side for share in header.shares if not share.entropy]
    salts = Salts(header.shares, ((line.side, (line.verb, line.target), line.salt) for line in file.lines))
    threw = ((x.side, (x.verb, x.target), x.salt, bool(x.draws)) for x in file.lines)
    if header.dice == ALL and (number := unwitnessed(header.shares, threw)):
        found.append(GameFileError("unwitnessed", number=number))
    return Verdict(len(file.lines), rolls, typed, found, withheld, salts.ended, header.mark)
