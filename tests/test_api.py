"""What `import tolman as tm` offers, what it imports, and how its values show themselves in a notebook."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import gymnasium
import polars
import pytest

import tolman as tm
from tolman.belief.cognitive_map import CognitiveMap, Placement
from tolman.core.errors import SettingsError, UnknownNameError
from tolman.core.geometry import Heading
from tolman.explore import STRICT, read_actions
from tolman.report.table import Cell, Column, Row, RowGroup, Table

RUNS = Path(__file__).parent / "golden" / "runs"
NASTY = "<script>alert('&')</script>"


def test_importing_registers_the_environment_and_imports_nothing_heavy():
    code = (
        "import sys, tolman, gymnasium\n"
        "heavy = {'inspect_ai', 'scipy', 'matplotlib', 'pydantic', 'altair', 'polars'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert not [name for name in sys.modules if name.startswith('tolman.')]\n"
        "gymnasium.make('tolman/TheoryOfSpace-v0').reset(seed=7)\n"
        "assert tolman.generate(7).names and 'evaluate' in dir(tolman)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_public_name_is_there_and_others_are_not():
    for name in tm._PLACES:
        assert getattr(tm, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'genrate'"):
        _ = tm.genrate  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]


def test_an_environment_is_the_one_that_gymnasium_makes():
    ours, theirs = tm.environment(), gymnasium.make("tolman/TheoryOfSpace-v0")
    assert ours.spec == theirs.spec
    assert ours.reset(seed=7)[0] == theirs.reset(seed=7)[0]
    with pytest.raises(SettingsError, match="choose from TheoryOfSpace-v0"):
        tm.environment("TheoryOfTime-v0")


@pytest.fixture(scope="module")
def results() -> tm.Results:
    return tm.load([RUNS / "osr-oracle", str(RUNS / "sparrta-oracle")])


def test_logs_of_several_benchmarks_are_one_value(results: tm.Results):
    assert results.benchmarks == ("osr_bench", "sparrta")
    assert repr(results).startswith("Results(")
    assert "\n" not in repr(results)
    assert {"osr_bench/reliability", "sparrta/reliability"} <= set(results.table_names)
    assert results.table("sparrta/accuracy").name == "accuracy"
    assert "Main results" in results._repr_html_()
    with pytest.raises(UnknownNameError, match="choose from"):
        results.table("no such table")


def test_scores_are_those_behind_the_tables(results: tm.Results):
    frame = results.to_polars()
    assert set(frame.columns) >= {"benchmark", "model", "run", "rules", "scene", "epoch", "column", "question", "value"}
    column = "map/f1"
    strict = frame.filter((polars.col("rules") == "strict") & (polars.col("column") == column))
    (shown,) = (headline.cells[column] for headline in results.reported[0].results.headlines()[:1])
    first = strict.filter(polars.col("run") == strict["run"][0])
    assert shown.value is not None
    assert 100 * float(first["value"].to_numpy().mean()) == pytest.approx(shown.value.mean)


def test_a_table_as_a_data_frame_has_its_numbers_before_rounding(results: tm.Results):
    name = results.table_names[0]
    table, frame = results.table(name), results.to_polars(name)
    assert len(frame) == sum(len(entry.rows) for entry in table.entries)
    key, cell = table.columns[0].key, table.entries[0].rows[0].cells[0]
    assert cell.value is not None
    assert frame[key][0] == cell.value.mean


def test_pandas_holds_the_same_scores(results: tm.Results):
    pytest.importorskip("pandas")
    assert results.to_pandas().to_dict("list") == results.to_polars().to_dict(as_series=False)


def test_values_show_themselves_in_one_line_and_as_drawings():
    scene = tm.generate(7)
    episode = tm.step(tm.Episode(scene), read_actions("Rotate(90), Observe()", STRICT))
    stated = CognitiveMap({"agent": Placement((0, 0), Heading.EAST), "lamp": Placement((1e9, -2.5), None)})
    for value in (scene, episode, stated):
        assert len(repr(value)) < 200
        assert "\n" not in repr(value)
        drawing = ET.fromstring(value._repr_svg_())  # noqa: S314 our own
        assert float(drawing.attrib["width"]) < 5000
    assert "seen" not in repr(scene)
    assert "1 turn, cost 1" in repr(episode)


def test_all_texts_are_escaped():
    plain = tm.generate(7)
    first, *others = plain.things
    scene = replace(plain, things=(replace(first, name=NASTY), *others), label=NASTY)
    stated = CognitiveMap({NASTY: Placement((1, 2), Heading.NORTH)})
    cells = (Cell(NASTY, NASTY),)
    column = Column("key", NASTY, NASTY, definition=f'"{NASTY}')
    table = Table("t", NASTY, NASTY, (column,), (RowGroup(NASTY, (Row(cells, NASTY),), NASTY),), (NASTY,))
    for page in (scene._repr_svg_(), tm.Episode(scene)._repr_svg_(), stated._repr_svg_(), table._repr_html_()):
        assert "<script" not in page
        assert "&lt;script&gt;" in page


def test_where_nothing_is_done_an_error_says_why(tmp_path: Path):
    with pytest.raises(SettingsError, match="there is no option 'scens' of theory-of-space; did you mean scenes"):
        tm.evaluate("theory-of-space", "tolman/random", scens="0")
    with pytest.raises(SettingsError, match="epochs: input should be a valid integer"):
        tm.evaluate("theory-of-space", "tolman/random", epochs="three", log_dir=tmp_path)
