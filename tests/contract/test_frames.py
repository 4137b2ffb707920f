"""A rule says which frame and which position it works on, and those are what the sequence of play gives it.

The compiled edition believes these words; a rule that names another frame would play in one edition and stop the other.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grognard.games import find_game, playable_names
from grognard.kernel import Decision
from grognard.kernel.flow import Sequence

ASKED = ("needed", "nouns", "legal_nouns", "why_not", "apply", "redeal", "legal")


def functions(sequence: Sequence) -> Iterator[tuple[str, Callable[..., Any]]]:
    """What the rows of a sequence call, with the label of the row."""
    for row in sequence.rows:
        for function in (row.function, row.who, row.when):
            if inspect.isfunction(function):
                yield row.label, function
        for name in ASKED if row.decision is not None else ():
            if getattr(type(row.decision), name, None) is not getattr(Decision, name, None):
                yield row.label, getattr(type(row.decision), name)


def meant(function: Callable[..., Any], parameter: str) -> Any:
    """The class that a parameter is said to be; None if it says nothing, or nothing that can be looked up."""
    said = inspect.unwrap(function).__annotations__.get(parameter)
    try:
        found = eval(said, vars(sys.modules[function.__module__])) if isinstance(said, str) else said
    except NameError:
        return None
    return found if isinstance(found, type) or hasattr(found, "__args__") else None


@pytest.mark.parametrize("name", playable_names())
def test_rules_name_the_frame_and_the_position_that_they_get(name: str) -> None:
    game, wrong, seen = find_game(name), [], 0
    for sequence in game.sequences:
        for label, function in functions(sequence):
            names = list(inspect.signature(function).parameters)
            names = names[1:] if names and names[0] == "self" else names
            for parameter, given in zip(names, (game.state_type, sequence.frame)):
                wanted = meant(function, parameter)
                if wanted is not None and wanted is not Any:
                    seen += 1
                    if not issubclass(given, wanted):
                        wrong.append(f"{sequence.name} {label}: {function.__qualname__} wants {wanted}, gets {given}")
    assert not wrong, "\n".join(wrong)
    assert seen > 20
