"""The parts that pages are made of."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tolman.report.site import environment
from tolman.report.site.page import script_json
from tolman.report.table import Cell, Row, RowGroup, Table, heading

TEMPLATE = environment().get_template("table.html")


@given(st.dictionaries(st.text(max_size=9), st.lists(st.none() | st.integers() | st.text(max_size=9), max_size=3)))
def test_data_in_a_script_element_can_not_leave_it(value: object):
    text = str(script_json(value))
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)


def test_what_is_no_number_is_null_in_data():
    assert json.loads(script_json({"a": [float("nan"), (1.5, -float("inf"))]})) == {"a": [None, [1.5, None]]}


def table_of(text: str) -> str:
    entry = RowGroup(text, (Row((Cell(text, text), Cell()), "strict"),), text, reference=True)
    table = Table("t", text, text, (heading(text, text), heading("b")), (entry,), (text,), (text,))
    return TEMPLATE.render(block=table)


@given(st.text(alphabet="<>&\"'{}%#/abc \n", min_size=1, max_size=40))
def test_texts_of_a_table_are_never_markup(text: str):
    assert table_of(text).count("<") == table_of("x").count("<")


def test_groups_span_neighbouring_columns():
    heads = (heading("a"), heading("b", "B"), heading("c", "B"), heading("d", "D"))
    assert Table("t", "", "", heads, ()).groups == [("", 1), ("B", 2), ("D", 1)]
    assert Table("t", "", "", heads[:1], ()).groups == []
