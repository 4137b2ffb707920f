"""Errors travel between processes."""

import pickle

import pytest

from grognard.kernel import DataError, GrognardError, IllegalAction, Refusal, UnknownName


@pytest.mark.parametrize(
    "error",
    [
        UnknownName("side", "purple", ["red", "blue"]),
        DataError("units.csv", "line 3", "no such kind"),
        IllegalAction(Refusal("4.3", "stacking", {"hex": "0101"})),
        GrognardError("plain"),
    ],
)
def test_an_error_is_the_same_in_another_process(error: GrognardError) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)
