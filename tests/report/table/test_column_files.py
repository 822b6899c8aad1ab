"""Columns and headings whose titles and meanings are in TOML files."""

from tolman.core.files import packaged_table
from tolman.report.table import heading, percent, point_estimate, points, read_columns

PACKAGE = "tolman.benchmarks.theory_of_space"


def test_columns_are_those_of_the_file_with_their_styles() -> None:
    listed = packaged_table(PACKAGE, "columns.toml")
    columns = read_columns(PACKAGE)
    assert {name: [column.key for column in found] for name, found in columns.items()} == {
        name: [fields["key"] for fields in found] for name, found in listed.items()
    }
    for name, found in columns.items():
        for column, fields in zip(found, listed[name], strict=True):
            shown = column.style(point_estimate(0.25)).text
            if "digits" in fields:
                assert shown == f"{0.25:.{fields['digits']}f}"
            else:
                assert column.style is (points if fields.get("style") == "points" else percent)


def test_every_column_of_a_file_is_defined_and_has_its_own_key() -> None:
    columns = [column for found in read_columns(PACKAGE).values() for column in found]
    assert len({column.key for column in columns}) == len(columns)
    assert all(column.title and column.definition.endswith(".") for column in columns)


def test_a_heading_without_a_score_has_the_meaning_of_its_titles() -> None:
    assert heading("trun-\ncated").definition == "Replies that a token limit or a filter ended."
    assert heading("maps", "Unparseable replies").definition.startswith("Stated maps")
    assert heading("12").definition == "After this many turns."
    assert heading("of no table").definition == ""
