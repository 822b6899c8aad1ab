"""One table, four formats: each is read back by a reader of its own kind."""

import csv
import json
import re

import pytest

from tolman.report.table import Cell, Column, Interval, Row, RowGroup, Table, formatted, number, percent

NAN = float("nan")
COLUMNS = (
    Column("score", "a score", "Scores", better="higher", definition="What it is."),
    Column("cost", "cost", "Scores", style=number(1), better="lower"),
    Column("note", "a_note", words=True),
)


def rows(shift: float) -> tuple[Cell, ...]:
    return (
        percent(Interval(0.51234 + shift, 0.4, 0.6)),
        number(1)(Interval(3.0, NAN, NAN)),
        Cell("a | b & <i>100 %</i>"),
    )


TABLE = Table(
    "main",
    "Main_results, %",
    "run",
    COLUMNS,
    (
        RowGroup(
            "one *model*", (Row(rows(0), "strict"), Row(rows(0.1), "published")), "2 scenes", section="Text world"
        ),
        RowGroup("same", (Row(rows(0), "strict"), Row(rows(0), "published")), section="Text world"),
        RowGroup("chance", (Row((percent(Interval(0.25, NAN, NAN)), Cell(), Cell()), "strict"),), reference=True),
    ),
    ("A note with $ and _.",),
)


def test_csv_holds_numbers_before_rounding_and_the_ends_of_intervals():
    lines = formatted([TABLE], "csv").splitlines()
    assert lines[0] == "# Main_results, %"
    read = list(csv.DictReader(lines[1:]))
    assert [row["run"] for row in read] == ["one *model*", "one *model*", "same", "same", "chance"]
    assert [row["rules"] for row in read][:2] == ["strict", "published"]
    assert float(read[0]["score"]) == pytest.approx(51.234)
    assert (read[0]["score low"], read[0]["score high"]) == ("40", "60")
    assert read[0]["note"] == "a | b & <i>100 %</i>"
    assert read[4]["cost"] == ""
    assert "cost low" not in read[0]


def test_json_defines_its_columns_and_never_holds_nan():
    (read,) = json.loads(formatted([TABLE], "json"), parse_constant=pytest.fail)
    assert read["columns"][0] == {
        "key": "score",
        "title": "a score",
        "group": "Scores",
        "better": "higher",
        "definition": "What it is.",
    }
    first, last = read["rows"][0], read["rows"][-1]
    assert first["cells"]["score"] == {"mean": pytest.approx(51.234), "low": 40, "high": 60}
    assert first["cells"]["cost"] == {"mean": 3.0, "low": None, "high": None}
    assert last["reference"] is True
    assert last["cells"]["cost"] is None


def test_markdown_has_as_many_cells_in_every_line():
    lines = [line for line in formatted([TABLE], "markdown").splitlines() if line.startswith("|")]
    borders = [len(re.findall(r"(?<!\\)\|", line)) for line in lines]
    assert set(borders) == {6}
    assert "51.2 (40–60)" in lines[2]
    assert "(text world · 2 scenes)" in lines[2]
    assert "one \\*model\\*" in lines[2]
    assert sum("same" in line for line in lines) == 1
    assert "both" in next(line for line in lines if "same" in line)


def test_latex_escapes_what_latex_would_take_for_a_command():
    text = formatted([TABLE], "latex")
    assert r"\caption{Main\_results, \%}" in text
    assert r"\multicolumn{2}{c}{Scores}" in text
    assert r"a | b \& <i>100 \%</i>" in text
    assert r"51.2 {\scriptsize 40--60}" in text
    assert r"\multicolumn{5}{l}{\emph{Text world}}" in text
    body = text.split(r"\midrule", 1)[1].split(r"\bottomrule")[0]
    counts = {len(re.findall(r"(?<!\\)&", line)) for line in body.splitlines() if " & " in line}
    assert counts == {4}
    assert not re.search(r"(?<!\\)[_%$#](?![-\\])", text.replace("$-$", ""))


def test_several_tables_stand_below_each_other():
    assert formatted([TABLE, TABLE], "csv").count("# Main_results") == 2
    assert len(json.loads(formatted([TABLE, TABLE], "json"))) == 2
