"""Tables in a terminal: names in front of cells, words that are wrapped and never cut, colours, definitions."""

import io

from rich.cells import cell_len
from rich.console import Console

from tolman.report.table import Cell, Column, Row, RowGroup, Table, integer, print_parts

COUNT = Column("count", "count", definition="How many there are.", better="higher", unit="things")
WORDS = Column("words", "said", words=True)
LONG = "a sentence that goes on and on, and names a/path/that-has-no-space-in-it-whatever-happens for good measure"


def lines(table: Table, width: int, *, colour: bool = False, explain: bool = False) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="standard" if colour else None)
    print_parts([table], console, explain=explain)
    return out.getvalue().splitlines()


def listing(*names: str, compact: bool = True, columns: tuple[Column, ...] = (COUNT, WORDS)) -> Table:
    entries = tuple(RowGroup(name, (Row((integer(1234), Cell(LONG))[: len(columns)]),)) for name in names)
    return Table("list", "A list", "name", columns, entries, compact=compact)


def test_a_compact_table_has_a_line_for_each_entry_under_the_title_of_names():
    shown = lines(listing("one", "another", columns=(COUNT,)), 80)
    assert shown == ["A list", "name     count", "──────────────", "one      1,234", "another  1,234"]
    spread = lines(listing("one", compact=False, columns=(COUNT,)), 80)
    assert spread == ["A list", "  count", "───────", "one", "  1,234"]


def test_a_last_column_of_words_is_wrapped_within_its_column_and_nothing_is_lost():
    for width in (40, 60, 80, 120, 200):
        shown = lines(listing("one", "another"), width)
        assert max(map(cell_len, shown)) <= width
        assert "".join(" ".join(shown).split()).count("".join(LONG.split())[:20]) == 2
        for word in ("sentence", "measure"):
            assert sum(line.count(word) for line in shown) == 2
    wide = lines(listing("one"), 80)
    start = wide[1].index("said")
    assert all(not line[:start].strip() for line in wide[4:]), "what is left stands below its beginning"


def test_names_that_leave_no_room_stand_on_a_line_of_their_own():
    name = "a name that takes more than half of the line by itself"
    shown = lines(listing(name, columns=(COUNT,)), 56)
    assert name in shown
    assert max(map(cell_len, shown)) <= 56


def test_rows_to_compare_with_stand_below_a_rule_of_their_own():
    entries = (RowGroup("one", (Row((integer(1),)),)), RowGroup("chance", (Row((integer(2),)),), reference=True))
    shown = "\n".join(lines(Table("t", "T", "name", (COUNT,), entries), 60))
    assert "── Measured" in shown
    assert "── For comparison" in shown
    assert "Measured" not in "\n".join(lines(Table("t", "T", "name", (COUNT,), entries[:1]), 60))


def test_tones_are_colours_of_a_terminal_and_nothing_else():
    entries = (RowGroup("one", (Row((Cell("fails", tone="bad"),)),)),)
    table = Table("t", "T", "name", (WORDS,), entries, compact=True)
    assert "\x1b[31mfails" in "\n".join(lines(table, 60, colour=True))
    assert Cell("fails", tone="bad") == Cell("fails")


def test_definitions_tell_the_unit_and_which_way_is_better():
    shown = lines(listing("one", columns=(COUNT,)), 80, explain=True)
    assert shown[-1] == "  count (things): How many there are. Higher is better."


def test_a_table_that_is_too_wide_becomes_several_with_titles_without_rows_that_are_empty_there():
    columns = (Column("a", "a", "One"), Column("b", "b" * 30, "Two"))
    here, nowhere = integer(1), Cell("–")
    entries = (
        RowGroup("run", (Row((here, nowhere)),)),
        RowGroup("chance", (Row((here, nowhere)),), reference=True),
        RowGroup("all", (Row((nowhere, here)),), reference=True),
    )
    table = Table("t", "A wide table", "name", columns, entries, ("A note.",))
    first, second = "\n".join(lines(table, 34)).split("\n\n")
    assert first.startswith("A wide table: One\n")
    assert second.startswith("A wide table: Two\n")
    assert [("run" in part, "chance" in part, "all" in part) for part in (first, second)] == [
        (True, True, False),
        (True, False, True),
    ]
    whole = "\n".join(lines(table, 80))
    assert whole.startswith("A wide table\n")
    assert all(name in whole for name in ("run", "chance", "all"))


def test_a_group_that_is_wider_than_the_terminal_is_split_into_columns_that_are_named():
    columns = tuple(Column(name, name, "Group") for name in "abcd")
    table = Table("t", "T", "name", columns, (RowGroup("run", (Row((Cell("x" * 12),) * 4),)),))
    first, second = "\n".join(lines(table, 40)).split("\n\n")
    assert first.splitlines()[0] == "T: a, b, c"
    assert second.splitlines()[0] == "T: d"
    assert [part.count("Group") for part in (first, second)] == [1, 1]
