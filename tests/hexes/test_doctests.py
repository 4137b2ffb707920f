import doctest
from importlib import import_module
from pathlib import Path

import pytest

MODULES = ["board", "coords", "grid", "loading", "numbering", "paths", "regions", "sight", "sketch"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    result = doctest.testmod(import_module(f"grognard.hexes.{name}"))
    assert result.failed == 0


def test_examples_in_the_manual():
    manual = Path(__file__).parents[2] / "docs" / "hexes.md"
    result = doctest.testfile(str(manual), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
