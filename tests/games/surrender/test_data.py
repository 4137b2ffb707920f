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
        (
            "charts.toml",
            "drm = 2",
            'drm = "two"',
            "charts.toml: drm.ground, entry 1 (ground-drm-german): drm: 'two' is no",
        ),
        ("charts.toml", "drm = 2", "drm = 1.5", "(ground-drm-german): drm: 1.5 is no whole number"),
        ("charts.toml", "drm = 2", "drm = true", "(ground-drm-german): drm: True is no whole number"),
        ("charts.toml", "drm = 2\n", "", "(ground-drm-german): drm: None is no whole number"),
        ("charts.toml", 'versus = ["western"]', 'versus = "western"', "versus: 'western' is no list"),
        ("charts.toml", "die = { value = 6", 'die = { value = "6"', "charts.toml: settings.die.value: '6' is no"),
        ("charts.toml", "fighter = 5", 'fighter = "five"', "charts.toml: ranges.fighter: 'five' is no whole number"),
        (
            "charts.toml",
            "clear = [1, 2, 3]",
            "clear = [1, 2.5, 3]",
            "charts.toml: movement.clear: 2.5 is no whole number",
        ),
        ("charts.toml", "[", "[[[", "charts.toml: "),
        ("countries.toml", 'aliases = ["', 'aliases = ["uk", "', "countries.toml: uk: names both"),
    ],
)
def test_a_bad_chart_is_a_problem_and_no_traceback(data_copy, file, old, new, said):
    text = (data_copy / file).read_text("utf-8")
    assert old in text
    (data_copy / file).write_text(text.replace(old, new, 1), "utf-8")
    assert any(said in problem for problem in problems_of("surrender"))
