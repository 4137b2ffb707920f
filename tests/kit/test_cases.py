"""Reading a case: what is refused, with its place, and what a word that is left out means."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.kit.cases import CaseError, Part, a_flag, a_list, a_number, a_part, a_word, an_object, quoted, refused

TERRAIN = ("clear", "wood")


def read(case: Any) -> tuple[Any, ...]:
    """A small case: its parts, one of each kind."""
    data = an_object(case, "", "1", ("hex", "units", "rounds", "night", "die"))
    hex = a_part(data, "hex", "2", ("terrain",))
    return (
        a_word(hex, "terrain", TERRAIN, "3", "clear"),
        a_list(data, "units", "4"),
        a_number(data, "rounds", "5", 1, 9, 3),
        a_flag(data, "night", "6", True),
        a_number(data, "die", "7", 1, 6, None) if "die" in data else 0,
    )


def test_what_is_left_out_or_null_has_its_usual_value() -> None:
    usual = ("clear", [], 3, True, 0)
    assert read({}) == read(dict.fromkeys(("hex", "units", "rounds", "night"))) == usual
    assert read({"hex": {"terrain": "Wood"}, "units": (1, 2), "rounds": 9, "night": False, "die": 1}) == (
        "wood", [1, 2], 9, False, 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("case", "rule", "reason", "where"),
    [
        ([], "1", "not-an-object", ""),
        ({"moon": 1}, "1", "unknown-word", ""),
        ({"hex": {"moon": 1}}, "2", "unknown-word", "hex"),
        ({"hex": 3}, "2", "not-an-object", "hex"),
        ({"hex": {"terrain": "lava"}}, "3", "unknown-value", "hex.terrain"),
        ({"hex": {"terrain": 3}}, "3", "unknown-value", "hex.terrain"),
        ({"units": "one"}, "4", "not-a-list", "units"),
        ({"rounds": 0}, "5", "no-number", "rounds"),
        ({"rounds": 10}, "5", "no-number", "rounds"),
        ({"rounds": True}, "5", "no-number", "rounds"),
        ({"night": 1}, "6", "not-a-flag", "night"),
        ({"die": None}, "7", "missing-number", "die"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place_in_both_languages(
    case: Any, rule: str, reason: str, where: str
) -> None:
    with pytest.raises(CaseError) as caught:
        read(case)
    error = caught.value
    assert (error.rule, error.reason, error.facts["where"]) == (rule, reason, where)
    for lang, whole in (("en", "the case"), ("fr", "le cas")):
        answer = refused("picket", error, lang)["error"]
        assert answer["rule"] == rule
        assert answer["message"].startswith(where or whole)
        assert "{" not in answer["message"].replace(quoted(case), "")


def test_an_object_or_a_word_that_must_be_there_is_said_to_be_missing() -> None:
    with pytest.raises(CaseError, match="missing-object"):
        an_object(None, "attacker", "1", ("unit",))
    with pytest.raises(CaseError, match=r"missing .*clear, wood"):
        a_word(Part(), "terrain", TERRAIN, "3")


def test_long_values_are_cut_and_facts_of_a_game_go_over_those_of_the_error() -> None:
    assert len(quoted("x" * 500)) == 60
    error = CaseError("5", "no-number", where="rounds", value="0", least=1, most=9)
    assert refused("picket", error, "en", value="nothing")["error"]["message"].startswith("rounds is nothing")
    assert refused("picket", CaseError("5", "unheard-of"), "en")["error"]["message"].startswith("unheard-of (5)")
