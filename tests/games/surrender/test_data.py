"""Data files that are wrong: `grognard check` names the file and the place, and never falls over."""

import shutil

import pytest

from grognard.cli.data_cmd import problems_of
from grognard.games.surrender import loading


@pytest.fixture
def data_copy(tmp_path, monkeypatch):
    """The shared charts in a folder that a test may spoil."""
    for name in ("charts.toml", "countries.toml", "crt.csv"):
        shutil.copy(loading.FILES.folder / name, tmp_path / name)
    readers = (loading.charts, loading.drm_rows, loading.countries, loading.country_words, loading.combat_table)
    monkeypatch.setattr(loading.FILES, "folder", tmp_path)
    for reader in readers:
        reader.cache_clear()
    yield tmp_path
    for reader in readers:
        reader.cache_clear()


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("crt.csv", "\n2,", "\n2,XX+2,", "crt.csv: line 3: "),
        ("crt.csv", "DR+2", "XX+2", "unknown result 'XX+2'"),
        ("charts.toml", "drm = -1", "drm = 0", "is worth 0"),
        ("charts.toml", "[", "[[[", "charts.toml: "),
        ("countries.toml", 'aliases = ["', 'aliases = ["uk", "', "countries.toml: uk: names both"),
    ],
)
def test_a_bad_chart_is_a_problem_and_no_traceback(data_copy, file, old, new, said):
    text = (data_copy / file).read_text("utf-8")
    assert old in text
    (data_copy / file).write_text(text.replace(old, new, 1), "utf-8")
    assert any(said in problem for problem in problems_of("surrender"))
