"""Tables as a reader sees them: they fit, nothing is cut, and what is not known is never a zero."""

import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, case, lived, record
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.runs import score_record
from tolman.benchmarks.theory_of_space.tables import RunSummary, TheoryOfSpaceRun, summarise_run, tables
from tolman.core.rules import RuleSetNames
from tolman.report.statistics import Interval
from tolman.report.table import (
    MISSING,
    Cell,
    Row,
    RowGroup,
    Table,
    heading,
    number,
    p_value,
    percent,
    print_parts,
    share,
)

NAN = float("nan")


def printed(*known: RunSummary, width: int = 100, rules: RuleSetNames = ("strict", "published")) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=False)
    print_parts(tables(known, rules), console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def a_run(model: str = "a/model", seeds: tuple[int, ...] = (0, 1, 2), planned: int = 3) -> TheoryOfSpaceRun:
    scenes = [
        score_record(lived(seed, looks=1 + seed, input_tokens=123_456, output_tokens=78, cost=1.5)) for seed in seeds
    ]
    return TheoryOfSpaceRun(model, OPTIONS, scenes, [], planned, {**OPTIONS.as_dict(), "rooms": 3, "things": 4})


def wide(columns: int) -> Table:
    heads = tuple(heading(f"col\n{i}", f"Group {i // 3}") for i in range(columns))
    cells = tuple(Cell(f"{i}00.0", f"{i}0–{i}9") for i in range(columns))
    entry = RowGroup("a run", (Row(cells, "strict"),), section="Section")
    return Table("name", "Title", "run", heads, (entry,), ("a note",))


def lines_of(of: Table, width: int) -> list[str]:
    console = Console(file=StringIO(), width=width, force_terminal=False)
    print_parts([of], console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_a_table_too_wide_is_stacked_and_loses_nothing(width: int):
    lines = lines_of(wide(12), width)
    assert max(map(cell_len, lines)) <= width
    text = "\n".join(lines)
    for i in range(12):
        assert len(re.findall(rf"(?<![\d.]){i}00\.0", text)) == 1
        assert len(re.findall(rf"(?<!\d){i}0–{i}9", text)) == 1
    assert len([line for line in lines if "a run" in line]) == len([line for line in lines if "strict" in line])


def test_a_number_stands_below_its_head_and_above_its_interval():
    lines = lines_of(wide(6), 100)
    (numbers,) = [line for line in lines if line.startswith("strict")]
    below = lines[lines.index(numbers) + 1]
    heads = [line for line in lines if re.fullmatch(r"[\s\d]+", line)][-1]
    for i in range(6):
        end = numbers.index(f"{i}00.0") + len(f"{i}00.0")
        assert heads[end - 1] == str(i)
        assert below[:end].endswith(f"{i}0–{i}9")


@pytest.mark.parametrize("width", [60, 80, 100])
def test_all_tables_fit(width: int):
    long = "together/" + "a-model-with-quite-a-long-name-" * 2
    text = printed(summarise_run(a_run()), summarise_run(a_run(long)), width=width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text


def test_names_are_printed_as_they_are():
    run = a_run("a/[bold]model[/bold] [red]")
    text = printed(summarise_run(replace(run, failed=[("[7]", "it said [/nonsense]")], planned=4)))
    assert "a/[bold]model[/bold] [red], questions 1 · 3 of 4 scenes" in text
    assert "scene [7] failed: it said [/nonsense]" in text


def test_what_is_not_known_is_a_dash_and_what_nobody_knows_has_no_column():
    fewer = replace(OPTIONS, kinds=("direction",))
    other = TheoryOfSpaceRun("b/model", fewer, [score_record(lived(0, fewer))], [], 1)
    text = printed(summarise_run(a_run(seeds=(0,), planned=1)), summarise_run(other))
    assert "Price" in text
    rows = [line.split() for line in text.splitlines() if re.match(r"(strict|both) ", line)]
    assert [row.count(MISSING) for row in rows[:2]] == [0, 1]
    assert "0.0" not in rows[1]
    assert "rot" not in text.split("Belief")[0]


def test_tables_without_a_number_are_left_out():
    options = replace(OPTIONS, phases=("explore",))
    said = record({"explore/1": "Actions: [Observe()]", "explore/2": "Actions: [Term()]"})
    run = TheoryOfSpaceRun("a/model", options, [score_record(ScoredCase(case(0, options), options, said))], [], 1)
    text = printed(summarise_run(run))
    assert "Exploration" in text
    for title in ("Belief", "Revision", "Correlation", "Price"):
        assert title not in text


def test_strict_stands_first_and_one_rule_set_can_be_had_alone():
    known = summarise_run(a_run())
    rows = [line.split()[0] for line in printed(known).splitlines() if re.match(r"(strict|published) ", line)]
    assert rows[::2] == ["strict"] * (len(rows) // 2)
    assert rows[1::2] == ["published"] * (len(rows) // 2)
    alone = printed(known, rules=("published",))
    assert "\npublished " in alone
    assert "\nstrict " not in alone


def test_each_way_of_asking_with_a_map_has_its_table():
    options = replace(OPTIONS, maps=("none", "true", "own"))
    run = TheoryOfSpaceRun("a/model", options, [score_record(lived(seed, options)) for seed in (0, 1, 2)], [], 3)
    text = printed(summarise_run(run))
    assert text.count("Answers") == 3
    assert "sufficiency" in text
    assert "own last map" in text
    assert "saying" not in text


def test_runs_of_one_model_are_told_apart_by_what_differs():
    run = a_run()
    other = replace(run, settings={**run.settings, "temperature": 0.7, "rooms": 4})
    text = printed(summarise_run(run), summarise_run(other))
    assert "rooms 3, temperature default · 3 scenes" in text
    assert "rooms 4, temperature 0.7 · 3 scenes" in text


def test_a_run_unlike_the_papers_says_how():
    run = a_run()
    assert "a/model, questions 1 · 3 scenes" in printed(summarise_run(run))
    usual = replace(run, settings={**run.settings, "questions": 3})
    assert "a/model · 3 scenes" in printed(summarise_run(usual))


def test_intervals_of_few_scenes_come_with_a_warning():
    few = a_run()
    again = replace(few, cases=few.cases * 4, planned=12)
    named = [
        replace(case, logged=replace(case.logged, case=replace(case.logged.case, id=str(number))))
        for number, case in enumerate(again.cases)
    ]
    many = replace(again, cases=named)
    assert "too narrow" in printed(summarise_run(few), summarise_run(many))
    assert "too narrow" in printed(summarise_run(again)), "the same scenes again are not more scenes"
    assert "too narrow" not in printed(summarise_run(many))


# ---- cells ----


def test_cells():
    assert percent(Interval(0.5, 0.25, 1.0)) == Cell("50.0", "25–100")
    assert percent(Interval(-0.0001, -0.1, 0.05)) == Cell("0.0", "−10–5")
    assert percent(Interval(0.5, NAN, NAN)) == percent(Interval(0.5, 0.5, 0.5)) == Cell("50.0")
    assert percent(Interval(NAN, NAN, NAN)) == share(0, 0) == p_value(NAN) == Cell(MISSING)
    assert number(2)(Interval(6.9, 6.0, 8.25)) == Cell("6.90", "6.00–8.25")
    assert share(1, 8) == Cell("1/8", "12.5 %")
    assert (p_value(0.0001).text, p_value(0.0421).text) == ("<.001", ".042")
