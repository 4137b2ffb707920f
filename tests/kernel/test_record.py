"""Declared state: declarations, copies, JSON, digests, schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.kernel import OWN, PUBLIC, SECRET, Column, DataError, Frame, State, UnknownName, ask, sequence
from grognard.kernel.record import Record, RecordError, column, items, number, seen_by, text
from tests.conftest import ROOT, SOURCE
from tests.kernel.tiny import BLOCKS_GAME, STROLL, Walk


class Camp(State):
    water: int = number(PUBLIC, 3)
    motto: str = text(SECRET, "hold")
    posts: tuple[int, ...] = items(PUBLIC, (1, (2, "x")))
    tents: Column = column("tents", "B", PUBLIC, 2)
    depth: Column = column(3, "h", SECRET, -1)
    rooms: ClassVar[int] = 4


class Night(Frame):
    side: int = number(PUBLIC)
    fires: tuple[int, ...] = items(SECRET)


NIGHT = sequence(Night, ask("5.1", Walk, lambda s, c: ()), ask("5.2", Walk, lambda s, c: ()))
KINDS = {"night": Night}


def camp() -> Camp:
    s = Camp.blank(tents=4)
    s.frames.append(Night(side=1, fires=(3, 4)))
    return s


def test_an_annotation_without_a_declaration_is_refused() -> None:
    with pytest.raises(RecordError, match=r"Leaky\.gold is not declared: give it number"):

        class Leaky(State):
            gold: int = 5


def test_a_bare_annotation_is_refused_too() -> None:
    with pytest.raises(RecordError, match=r"Bare\.gold"):

        class Bare(State):
            gold: int


def test_visibility_has_no_default() -> None:
    with pytest.raises(TypeError):
        number()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        column("units", "B")  # type: ignore[call-arg]


def test_own_for_a_single_value_needs_to_say_whose() -> None:
    with pytest.raises(RecordError, match=r"Purse\.gold is OWN, but whose"):

        class Purse(State):
            gold: int = number(OWN)


def test_an_unknown_type_code_is_refused() -> None:
    with pytest.raises(RecordError, match="unknown type code 'f'"):
        column("units", "f", PUBLIC)


def test_blank_has_every_field_at_its_start() -> None:
    s = Camp.blank(tents=4)
    assert (s.water, s.motto, s.posts) == (3, "hold", (1, (2, "x")))
    assert list(s.tents) == [2, 2, 2, 2]
    assert list(s.depth) == [-1, -1, -1]
    assert (s.frames, s.waiting, s.draws) == ([], (), 0)


def test_init_takes_fields_by_name_only() -> None:
    assert Night(fires=(1,)).fires == (1,)
    with pytest.raises(TypeError):
        Night(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Night(water=1)


def test_a_copy_shares_nothing_that_can_change() -> None:
    s = camp()
    before = s.digest()
    twin = s.copy()
    assert twin.digest() == before
    twin.water = 9
    twin.tents[0] = 9
    twin.depth[1] = 9
    twin.frames[0].row = 1
    twin.frames[0].fires = ()  # type: ignore[attr-defined]
    twin.frames.append(Night())
    assert s.digest() == before
    assert s.frames[0].row == 0
    assert len(s.frames) == 1


def test_nobody_listens_to_a_copy() -> None:
    s = camp()
    s.events = []
    assert s.copy().events is None


def test_the_digest_sees_every_field_and_the_stack() -> None:
    seen = {camp().digest()}
    for name in Camp.fields:
        s = camp()
        value = getattr(s, name)
        if isinstance(value, int):
            setattr(s, name, value + 1)
        elif isinstance(value, str):
            setattr(s, name, value + "!")
        elif isinstance(value, tuple):
            setattr(s, name, (*value, 1))
        else:
            value[0] += 1
        seen.add(s.digest())
    for change in ("row", "side", "fires", "pop"):
        s = camp()
        if change == "pop":
            s.frames.pop()
        else:
            setattr(s.frames[0], change, (9,) if change == "fires" else 1 - getattr(s.frames[0], change))
        seen.add(s.digest())
    assert len(seen) == 1 + len(Camp.fields) + 4


def test_json_round_trip_is_lossless() -> None:
    s = camp()
    s.frames[0].row = 1
    data = json.loads(json.dumps(s.to_json()))
    twin = Camp.restore(data, KINDS)
    assert twin.digest() == s.digest()
    assert twin.to_json() == s.to_json()
    assert type(twin.posts[1]) is tuple
    assert data["frames"] == [{"sequence": "night", "at": "5.2", "runs": "5.1", "side": 1, "fires": [3, 4]}]


def test_a_frame_past_its_last_row_survives() -> None:
    s = camp()
    s.frames[0].row = 2
    assert Camp.restore(s.to_json(), KINDS).frames[0].row == 2


plain = st.recursive(st.integers(-(2**70), 2**70) | st.text(max_size=5), lambda x: st.lists(x, max_size=3).map(tuple))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.integers(-(2**70), 2**70),
    st.text(max_size=8),
    st.lists(plain, max_size=4).map(tuple),
    st.lists(st.integers(0, 255), min_size=4, max_size=4),
    st.lists(st.integers(-32768, 32767), min_size=3, max_size=3),
)
def test_json_round_trip_of_anything(water: int, motto: str, posts: tuple, tents: list, depth: list) -> None:  # type: ignore[type-arg]
    s = camp()
    s.water, s.motto, s.posts = water, motto, posts
    for i, v in enumerate(tents):
        s.tents[i] = v
    for i, v in enumerate(depth):
        s.depth[i] = v
    twin = Camp.restore(json.loads(json.dumps(s.to_json())), KINDS)
    assert twin.digest() == s.digest()
    assert twin.to_json() == s.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("water"), "field 'water' is missing"),
        (lambda d: d.pop("frames"), "'frames' is missing"),
        (lambda d: d.update(frames=3), "'frames' is missing"),
        (lambda d: d.update(gold=1), "unknown field 'gold'"),
        (lambda d: d.update(water="3"), r"Camp\.water: str where a number belongs"),
        (lambda d: d.update(water=True), r"Camp\.water: bool where a number belongs"),
        (lambda d: d.update(water=1.5), r"Camp\.water: float where a number belongs"),
        (lambda d: d.update(motto=None), r"Camp\.motto: NoneType where a text belongs"),
        (lambda d: d.update(posts=[1, {"a": 1}]), r"Camp\.posts: dict where"),
        (lambda d: d.update(posts=[[1.5]]), r"Camp\.posts: float where"),
        (lambda d: d.update(tents=[1, 2, 3, 256]), r"Camp\.tents: "),
        (lambda d: d.update(tents=[1, 2, 3, "4"]), r"Camp\.tents: "),
        (lambda d: d.update(depth=[1, 2, 40000]), r"Camp\.depth: "),
        (lambda d: d["frames"][0].update(sequence="day"), "unknown sequence 'day'"),
        (lambda d: d["frames"][0].update(at="9.9"), "sequence night: unknown row '9.9'"),
        (lambda d: d["frames"][0].pop("fires"), "Night: field 'fires' is missing"),
    ],
)
def test_a_damaged_save_says_what_is_wrong(change, message) -> None:  # type: ignore[no-untyped-def]
    data = json.loads(json.dumps(camp().to_json()))
    change(data)
    with pytest.raises(RecordError, match=message):
        Camp.restore(data, KINDS)


def test_load_refuses_columns_of_another_length_and_foreign_scenarios() -> None:
    s = BLOCKS_GAME.setup("row", {}, "x")
    assert BLOCKS_GAME.load(s.to_json()).digest() == s.digest()
    data = s.to_json()
    data["box"].pop()
    with pytest.raises(DataError, match="blocks: box: the column needs 6 entries"):
        BLOCKS_GAME.load(data)
    with pytest.raises(UnknownName, match="unknown scenario 'rov'; did you mean: row"):
        BLOCKS_GAME.load(s.to_json() | {"scenario": "rov"})


def test_the_schema_tells_kind_and_visibility() -> None:
    schema = Camp.schema()
    assert schema["tents"] == {"kind": "column", "per": "tents", "visibility": "public", "names": ""}
    assert schema["motto"]["visibility"] == "secret"
    assert schema["seed"]["visibility"] == "secret"
    assert set(schema) == set(Camp.fields)


def test_fields_are_inherited_from_several_parents_in_a_fixed_order() -> None:
    class Left(State):
        left: int = number(PUBLIC)

    class Right(State):
        right: int = number(seen_by(lambda s, side, i: True))

    class Both(Left, Right):
        own: int = number(PUBLIC)

    assert list(Both.fields) == [*State.fields, "right", "left", "own"]
    assert Both().copy().to_json() == Both().to_json()


def test_a_record_without_fields_works() -> None:
    class Empty(Record):
        pass

    assert Empty().copy().to_json() == {}


DIGEST = """
from grognard.kernel import seed_from
from tests.kernel.tiny import BLOCKS_GAME, STROLL
s = STROLL.setup("lane", {"wind": "on"}, seed_from(3))
for verb, target in (("step", "2"), ("roll", ""), ("pass", ""), ("roll", "")):
    STROLL.obey(s, s.mover, (verb, target))
print(s.digest(), BLOCKS_GAME.setup("row", {}, seed_from(4)).digest())
"""


def test_digests_are_equal_in_other_processes_and_hash_seeds() -> None:
    seen = set()
    for hash_seed in ("0", "1", "random"):
        env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join([str(SOURCE), str(ROOT)])}
        run = [sys.executable, "-c", DIGEST]
        seen.add(subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout)
    assert len(seen) == 1


def test_digests_do_not_change_from_release_to_release() -> None:
    """Saved games carry them: a change of the packing must raise the game files' format."""
    s = STROLL.setup("park", {"wind": "off"}, "a seed")  # files name every option that their program knew
    s.place[1] = -2
    assert s.digest() == "3a24a7603d1f352868fd516e3e8eef6d"
