"""Maps read from replies: what models write, and what nobody should write."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.osr_bench.grid_maps import grid_maps
from tests.strategies import json_values
from tolman.benchmarks.osr_bench.maps.grid import GridMap, map_from_instances, read_map
from tolman.benchmarks.osr_bench.maps.scores import score_map
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT

PLAIN = '{"bed": [[3, 1]], "lamp": [[0, 0], [9, 9]]}'
READ = {"bed": [(1, 3)], "lamp": [(0, 0), (9, 9)]}
BOTH = (PUBLISHED, STRICT)


@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "Here it is: {} ", "A set {{1}} and the map: {}\nDone."])
def test_a_map_is_found_wherever_it_stands_last(around: str):
    reply = around.replace("{}", PLAIN)
    assert read_map(reply, STRICT) == read_map(reply, PUBLISHED) == READ


@pytest.mark.parametrize(
    "reply",
    [
        '{"bed": [(3, 1)], "lamp": [(0, 0), (9, 9)]}',
        '{"bed": [[3.4, 1.9]], "lamp": [[0, 0], [9, 9]]}',
        '{"bed": [3, 1], "lamp": [[0, 0], [9, 9]]}',
        '{"bed": [[3, 1]], "lamp": [[0, 0], [9, 9],],}',
        f'{{"map": {PLAIN}}}',
        PLAIN + " The set {} is empty, and } closes nothing.",
        '{"Bed": [[3, 1], "by the wall"], "LAMP": [[0, 0], [9, 9]]}',
    ],
)
def test_strict_reads_what_is_plain_where_the_released_reader_fails(reply: str):
    assert read_map(reply, STRICT) == READ
    assert read_map(reply, PUBLISHED) in (None, {})


@pytest.mark.parametrize("reply", ["", "no map", "}{", "{", '{"bed": "here"}', "[[1, 2]]", '{"bed": {"x": 1}}'])
def test_where_there_is_no_map_none_is_read(reply: str):
    assert read_map(reply, STRICT) is None
    assert read_map(reply, PUBLISHED) is None


@given(grid_maps)
def test_what_a_map_states_is_read_back(world: GridMap):
    for rules in BOTH:
        stated = read_map(json.dumps(world.as_coordinates), rules)
        assert stated is not None
        assert map_from_instances(stated).counts.items() == world.counts.items()
        assert {name: sorted(places) for name, places in stated.items()} == {
            name: sorted(places) for name, places in world.instances.items()
        }


@given(st.text() | json_values.map(json.dumps) | st.text(alphabet='{}[]()",:0123456789eE-+. ab'))
def test_no_text_is_too_much(text: str):
    for rules in BOTH:
        read_map(text, rules)


@given(grid_maps, st.data())
def test_no_damage_is_too_much(world: GridMap, data: st.DataObject):
    text = json.dumps(world.as_coordinates)
    for _ in range(3):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.text(alphabet='{}[](),:"-.e019NaInfity', max_size=6)) + text[at + 1 :]
    for rules in BOTH:
        score_map(world, read_map(text, rules), rules)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        "}" * 200_000,
        "{}" * 100_000,
        '{"a":' * 30_000 + "1" + "}" * 30_000,
        '{"a": [[' + "9" * 5000 + ", 1]]}",
        '{"a": [[1e999, NaN]]}',
        '{"a": [[' + "1" * 400 + ", 2]]}",
        '{"a": [' + "[1, 1]," * 20_000 + "[1, 1]]}",
        "(" * 100_000 + "{(" * 1000,
    ],
)
def test_hostile_texts_are_read_quickly(text: str):
    begin = time.process_time()
    for rules in BOTH:
        score_map(GridMap(((("a",), ()), ((), ("a",)))), read_map(text, rules), rules)
    assert time.process_time() - begin < 3.0
