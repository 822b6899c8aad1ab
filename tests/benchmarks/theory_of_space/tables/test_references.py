"""Rows to compare with: the paper's numbers, digit by digit, and guesses on the very questions of a run."""

import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO
from pathlib import Path
from statistics import fmean

import pytest
from rich.console import Console

from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, case, lived, passive, sample, write_log
from tests.benchmarks.theory_of_space.scripted_runs import scripted_scene
from tolman.ask import Question, blind_reply, chance_level, constant_reply, grade
from tolman.benchmarks.theory_of_space.blind_baselines import BLIND_STRATEGIES
from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.runs import score_record
from tolman.benchmarks.theory_of_space.tables import TheoryOfSpaceRun, summarise_run, tables
from tolman.benchmarks.theory_of_space.tables.baseline_rows import GUESSES, guesses
from tolman.benchmarks.theory_of_space.tables.references import (
    common_cases,
    paper_tables,
    published_rows,
    reference_rows,
)
from tolman.cli.app import app
from tolman.core.rules import PUBLISHED, STRICT
from tolman.report.table import print_parts

PAPER = Path(__file__).parents[5] / "shared" / "papers" / "theory-of-space-full.tex.txt"
WORLDS = {"Text-based World": "text", "Vision-based World": "vision"}
Printed = dict[tuple[str, str], tuple[Decimal, ...]]
"""Numbers of a table by world and name."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(folder))


# ---- the paper ----


def printed(label: str) -> Printed:
    """The rows of a table in the paper's source."""
    source = "\n".join(line for line in PAPER.read_text(encoding="utf-8").splitlines() if not line.startswith("%"))
    before = source[: source.index(f"\\label{{{label}}}")]
    body = before[before.rindex("\\begin{tabular}") : before.rindex("\\end{tabular}")]
    rows: Printed = {}
    world = ""
    for line in body.split(r"\\"):
        world = next((name for title, name in WORLDS.items() if title in line), world)
        name = re.search(r"\\textsc\{([^{}$]+)(?:\$[^$]*\$)?\}", line)
        if name:
            numbers = tuple(_numbers(line[name.end() :]))
            rows[world, name[1].strip()] = numbers
    return rows


def _numbers(cells: str) -> Iterator[Decimal]:
    """The number that each cell ends with, inside whatever braces."""
    for cell in cells.split("&"):
        found = re.search(r"(\d+(?:\.\d+)?)\}*\s*$", cell.strip().rstrip("}"))
        if found:
            yield Decimal(found[1])


def ours(label: str) -> Printed:
    """The same from our file; a table that is kept in parts is put together again, in order."""
    rows: Printed = {}
    for table in (table for table in paper_tables() if table.label == label):
        for world in ("text", "vision"):
            for name, values in table.rows(world).items():
                rows[world, name] = rows.get((world, name), ()) + tuple(Decimal(str(value)) for value in values)
    return rows


needs_paper = pytest.mark.skipif(not PAPER.exists(), reason="the paper is not beside this checkout")


@needs_paper
@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        ("tab:active", 15 * 11),
        ("tab:passive", 11 * 10),
        ("tab:multi-rooms", 4 * 6),
        ("tab:belief-probe", 4 * 12),
        ("tab:fb-belief-probe", 4 * 8),
    ],
)
def test_every_number_of_the_papers_tables_is_here_as_printed(label: str, numbers: int):
    assert ours(label) == printed(label)
    assert sum(map(len, ours(label).values())) == numbers


@needs_paper
def test_the_correlations_and_what_is_said_in_the_text_are_as_printed():
    source = PAPER.read_text(encoding="utf-8")
    r = ours("tab:correlation")
    for name in ("GPT-5.2", "Gemini-3 Pro"):
        row = rf"\\textsc{{{re.escape(name)}}} *& {r['text', name][0]} & {r['vision', name][0]} "
        assert re.search(row, source), name
    scout = ours("text, Passive Exploration Results")
    assert f"${scout['text', 'GPT-5.2'][0]}$ and ${scout['text', 'Gemini-3 Pro'][0]}$" in source
    assert {table.label for table in paper_tables() if table.label.startswith("tab:")} == _labels_of_results(source)


def _labels_of_results(source: str) -> set[str]:
    found = set(re.findall(r"\\label\{(tab:[\w-]+)\}", source))
    return found - {"tab:route-survey-comparison"}


def test_columns_of_the_paper_have_the_names_that_our_scores_have():
    scored = [scripted_scene("random", seed, Options(questions=1)) for seed in range(2)]
    known = {name for of in scored for name in columns(of.scores(PUBLISHED))}
    assert {name for table in paper_tables() for name in table.columns} - known == {"correlation/map_and_answers"}


def test_rows_are_shares_with_their_source_and_setting():
    rows = {row.name: row for row in published_rows("text", "active")}
    gpt = rows["GPT-5.2"]
    assert gpt.values["ask/none/direction"].mean == pytest.approx(0.688)
    assert gpt.values["explore/cost"].mean == 11.4
    assert gpt.values["revise/f1/position"].mean == pytest.approx(0.984)
    assert math.isnan(gpt.values["ask/none"].low)
    assert (gpt.rules, gpt.scenes, gpt.same_scenes) == ("published", 100, False)
    assert all(label in gpt.source for label in ("Theory of Space", "tab:active", "tab:belief-probe"))
    assert rows["Human with Tool"].scenes == 5
    assert any("inferred" in note for note in gpt.notes)


def test_rows_of_other_explorers_and_rooms_stay_apart():
    passive_rows = {(row.name, row.setting.explorer): row for row in published_rows("text", "passive")}
    assert passive_rows["GPT-5.2", "strategist"].values["ask/none"].mean == pytest.approx(0.904)
    assert passive_rows["GPT-5.2", "scout"].values["ask/none"].mean == pytest.approx(0.839)
    (four,) = [row for row in published_rows("vision", "active", rooms=4) if row.name == "Gemini-3 Pro"]
    assert four.values["ask/none"].mean == pytest.approx(0.515)
    assert published_rows("text", "active", rooms=7) == ()


def test_the_average_that_is_printed_is_the_mean_of_the_nine_kinds_unless_a_note_says_otherwise():
    for table in (table for table in paper_tables() if len(table.columns) >= 10 and "ask/none" in table.columns):
        for world in ("text", "vision"):
            for name, values in table.rows(world).items():
                kinds = [v for column, v in zip(table.columns, values, strict=True) if column.startswith("ask/none/")]
                apart = abs(fmean(kinds) - values[table.columns.index("ask/none")])
                assert apart <= 0.1 or "as printed" in table.notes[name], (table.label, world, name)


# ---- guesses ----


def run(seeds: range, name: str = "openai/gpt-5.2", mode: str = "active") -> TheoryOfSpaceRun:
    options = OPTIONS if mode == "active" else passive()
    scenes = [score_record(lived(seed, options)) for seed in seeds]
    return TheoryOfSpaceRun(name, options, scenes, [], len(scenes))


def test_guesses_are_scored_on_the_very_questions_of_the_runs():
    rows = {(row.name, row.rules): row for row in reference_rows([run(range(4))], published=False)}
    assert {name for name, _ in rows} == {*GUESSES, *BLIND_STRATEGIES}
    questions = [question for seed in range(4) for question in case(seed).questions]
    for rules in (STRICT, PUBLISHED):
        chance = rows["chance", rules.name]
        assert chance.values["ask/none"].mean == pytest.approx(fmean(chance_level(q, rules) for q in questions))
        for name, reply in (("constant", constant_reply), ("blind", _blind)):
            expected = fmean(grade(q, reply(q), rules).score for q in questions if q.kind == "direction")
            assert rows[name, rules.name].values["ask/none/direction"].mean == pytest.approx(expected), name
        assert chance.scenes == 4
        assert chance.values["ask/none/view_to_location"].low < chance.values["ask/none/view_to_location"].high


def _blind(question: Question) -> str:
    return blind_reply(question, next(s for s in range(4) if case(s).scene.digest == question.scene.digest))


def test_what_is_stated_blindly_is_worth_nothing_when_strict_where_it_was_worth_much_as_published():
    rows = {(row.name, row.rules): row for row in reference_rows([run(range(6))], published=False)}

    def worth(name: str, column: str) -> tuple[float, float]:
        return rows[name, "strict"].interval(column).mean, rows[name, "published"].interval(column).mean

    assert worth("all", "map/uncertainty") == (0.0, pytest.approx(2 / 3))
    assert worth("none", "map/uncertainty") == (0.0, 0.0)
    assert abs(worth("blind", "map/uncertainty")[0]) < 0.15
    assert worth("constant", "map/stability/position") == worth("constant", "map/stability/facing") == (1.0, 1.0)
    assert worth("constant", "map/still_right/position")[0] < 0.7
    assert worth("constant", "map/still_right/facing")[0] < 0.4
    assert worth("one thing", "map/consistency/overall")[1] == 1.0
    assert worth("one thing", "map/consistency/overall")[0] < 0.2 > worth("one thing", "map/consistency/coverage")[0]
    strict, published = worth("all", "revise/f1")
    assert strict < 0.1
    assert published > 0.25


def test_only_scenes_that_all_runs_share_count_unless_they_share_none():
    shared = common_cases([run(range(3)), run(range(1, 5), "other")])
    assert [of.id for of in shared] == ["1", "2"]
    assert len(common_cases([run(range(2)), run(range(2, 4), "other")])) == 4


def test_what_was_worked_out_once_is_kept_and_a_damaged_file_is_worked_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    first = guesses(case(0))
    (file,) = (tmp_path / "cache" / "guesses").glob("*.json")
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept["chance"]["strict"][0] = 0.123
    file.write_text(json.dumps(kept), encoding="utf-8")
    assert guesses(case(0))["chance"]["strict"][0] == 0.123, "it is read from the disk"
    for damaged in ("", "{", "[]", json.dumps({**first, "chance": {"strict": ["1.0"]}})):
        file.write_text(damaged, encoding="utf-8")
        assert guesses(case(0)) == first


def test_a_run_without_questions_has_nothing_to_guess():
    assert reference_rows([TheoryOfSpaceRun("someone", OPTIONS, [], [], 0)]) == []


# ---- scripted models ----


def test_scripted_models_take_part_in_the_same_scenes():
    rows = reference_rows([run(range(1))], baselines=False, scripted=True, published=False)
    assert [row.name for row in rows if row.rules == "strict"] == [
        *("tolman/scout", "tolman/strategist", "tolman/ideal", "tolman/oracle")
    ]
    by_name = {(row.name, row.rules): row for row in rows}
    assert by_name["tolman/oracle", "strict"].interval("ask/none").mean == 1.0
    played = [scripted_scene("scout", 0, OPTIONS).scores(PUBLISHED)]
    found = by_name["tolman/scout", "published"]
    for name in ("ask/none", "explore/cost", "explore/gain"):
        expected = fmean(value for scene in played for value in columns(scene)[name])
        assert found.interval(name).mean == pytest.approx(expected), name
    assert math.isnan(found.interval("map/correctness/overall").mean), "they state no maps"


def test_one_that_is_among_the_runs_is_not_set_beside_them_and_readers_of_a_log_are_few():
    found = reference_rows(
        [run(range(1), "tolman/scout"), run(range(1), mode="passive")], baselines=False, scripted=True, published=False
    )
    names = {(row.name, row.setting.mode) for row in found}
    assert ("tolman/scout", "active") not in names
    assert {name for name, mode in names if mode == "passive"} == {"tolman/ideal", "tolman/oracle"}


# ---- tables ----


def shown(*runs: TheoryOfSpaceRun, baselines: bool = True, published: bool = True) -> str:
    console = Console(file=StringIO(), width=160)
    rows = reference_rows(runs, baselines=baselines, published=published)
    print_parts(tables([summarise_run(run) for run in runs], references=rows), console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_guesses_stand_once_below_runs_that_share_their_questions():
    text = shown(run(range(3)), run(range(3), mode="passive"), published=False)
    answers = text[text.index("Answers, %") : text.index("Belief quality")]
    assert answers.count("For comparison") == 1
    assert answers.count("chance · 3 scenes") == 1
    belief, revision = text[text.index("Belief quality") :].split("Revision after", 1)
    for name in ("all", "none", "blind", "constant", "one thing"):
        assert f"\n{name} · 3 scenes" in belief
    for name in ("all", "none", "blind", "constant", "turned"):
        assert f"\n{name} · 3 scenes" in revision
    assert "As published" not in text


def test_the_papers_rows_are_marked_as_of_other_scenes():
    text = shown(run(range(3)))
    answers = text[text.index("Answers, %") : text.index("Belief quality")]
    assert answers.count("As published, on other scenes: Text world, active") == 1
    assert "Human with Tool · 5 scenes" in answers
    assert "68.8" in answers
    assert "97.9" in text[text.index("Revision") : text.index("Which model") if "Which model" in text else None]
    assert "For comparison" not in shown(run(range(3)), baselines=False)


def test_the_command_prints_and_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = write_log(tmp_path, [sample(lived(0))])
    numbers = tmp_path / "numbers.json"

    def printed(*words: str) -> str:
        app(["show", str(file), *words], exit_on_error=False, print_error=False, result_action="return_none")
        return capsys.readouterr().out

    assert "chance · 1 scene" in printed("--json", str(numbers))
    rows = json.loads(numbers.read_text(encoding="utf-8"))["references"]
    assert {row["name"] for row in rows} == {*GUESSES, *BLIND_STRATEGIES}
    assert "GPT-5.2 · 100 scenes" in printed("--references", "all")
    assert "For comparison" not in printed("--references", "none")
