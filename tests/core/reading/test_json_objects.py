"""JSON that is nearly JSON is read under `strict` and counted; nothing else is taken for JSON."""

import pytest

from tolman.belief.map_parsing import NoMap, read_global_map
from tolman.core.reading import ParseFailure, asserted_objects, load_repaired_json
from tolman.core.rules import PUBLISHED, STRICT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ("{'a': 'it is \"b\"'}", {"a": 'it is "b"'}),
        ("{'a': 'it\\'s'}", {"a": "it's"}),
        ('{"a": 1, // the first\n "b": 2 # the second\n}', {"a": 1, "b": 2}),
        ('{"a": /* none */ 1}', {"a": 1}),
        ('{"url": "http://a, ]"}', {"url": "http://a, ]"}),
        ("{'url': 'http://a, ]',}", {"url": "http://a, ]"}),
        ('{"a": (1, -2)}', {"a": [1, -2]}),
        ('{"a": [+1, None, True]}', {"a": [1, None, True]}),
    ],
)
def test_small_faults_are_repaired(text: str, value: object):
    read, repaired = load_repaired_json(text)
    assert read == value
    assert repaired == (text != '{"url": "http://a, ]"}')


@pytest.mark.parametrize(
    "text", ["{'a': 1", '{"a": /* 1}', "{'a: 1}", "{a}", "{", "", "/*", "'", "{'a': __import__('os')}"]
)
def test_what_can_not_be_told_is_nothing(text: str):
    assert load_repaired_json(text)[0] is None


def test_a_repaired_map_counts_under_strict_only():
    reply = "{'sofa': {'position': [1, 2,], 'facing': 'north'}, /* the rest is hidden */}"
    strict, published = (read_global_map(reply, ("sofa",), rules) for rules in (STRICT, PUBLISHED))
    assert not isinstance(strict, NoMap)
    assert strict.places["sofa"].position == (1.0, 2.0)
    assert isinstance(published, NoMap)
    said = asserted_objects(reply)
    assert not isinstance(said, ParseFailure)
    assert [each.repaired for each in said] == [True]


def test_thoughts_and_drafts_do_not_count_where_an_answer_is_marked():
    draft = '{"sofa": {"position": [1, 2]}, "lamp": {"position": [0, 0]}}'
    reply = f'<think>{draft}</think>{draft}\nFINAL ANSWER: {{"sofa": {{"position": [3, 4]}}}}'
    said = asserted_objects(reply)
    assert not isinstance(said, ParseFailure)
    assert [each.value for each in said] == [{"sofa": {"position": [3, 4]}}]
