"""A map is found wherever it stands in a reply, and no text whatever breaks the reader."""

import json
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import headings, json_values
from tolman.belief.cognitive_map import CognitiveMap, Placement, global_form, local_form
from tolman.belief.map_parsing import NoMap, fenced_blocks, longest_json, read_global_map, read_local_map, read_old_map
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT, Rules

NAMES = ("sofa", "red door", "agent")
BOTH = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
PLAIN = '{"sofa": {"position": [3, -2], "facing": "west"}, "agent": {"position": [0, 0], "facing": "north"}}'
READ = {"sofa": Placement((3.0, -2.0), Heading.WEST), "agent": Placement((0.0, 0.0), Heading.NORTH)}


def places(text: str, rules: Rules = STRICT) -> dict[str, Placement]:
    found = read_global_map(text, NAMES, rules)
    assert isinstance(found, CognitiveMap)
    return dict(found.places)


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"THINK: where is it?\nFINAL ANSWER:\n```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n``` and so on",
        f'First I thought {{"sofa": {{"position": [9, 9]}}}}, but no: {PLAIN}.',
        f"A set {{A, B}} and a stray }} first, then {PLAIN}",
        f'{{"objects": {PLAIN}}}',
        '{"objects": [{"name": "sofa", "position": [3, -2], "facing": "W"}, '
        '{"label": "agent", "position": ["0", 0.0], "facing": "+y"}], "gates": []}',
    ],
)
def test_a_map_is_found_anywhere(text: str, rules: Rules):
    assert places(text, rules) == READ


def test_a_brace_that_is_never_closed_hides_the_map_only_as_published():
    text = f"An open {{ brace, then {PLAIN}"
    assert places(text, STRICT) == READ
    assert isinstance(read_global_map(text, NAMES, PUBLISHED), NoMap)


@BOTH
def test_a_map_that_was_cut_short_is_none(rules: Rules):
    assert isinstance(read_global_map(PLAIN[:-1], NAMES, rules), NoMap)


@BOTH
@pytest.mark.parametrize("text", ["", "I don't know.", "[1, 2]", "{", "{'sofa': 1}", "{A} {B}", "```{```"])
def test_a_reply_without_a_map_is_told_apart_from_an_empty_map(text: str, rules: Rules):
    assert isinstance(read_global_map(text, NAMES, rules), NoMap)
    assert places("{}", rules) == {}


@BOTH
@pytest.mark.parametrize("entry", ["[1, 2]", '{"position": [1]}', '{"position": [1, null]}', '{"position": [NaN, 1]}'])
def test_an_entry_that_is_no_place_is_dropped(entry: str, rules: Rules):
    assert places(f'{{"sofa": {entry}, "piano": {{"position": [0, 0]}}, "agent": {{"position": [0, 1]}}}}', rules) == {
        "agent": Placement((0.0, 1.0), None)
    }


@pytest.mark.parametrize("name", ["red_door", "Red Door", "the red door", "RED_DOOR", "red-door"])
def test_strict_forgives_how_names_are_spelt(name: str):
    text = json.dumps({name: {"position": [1, 2]}})
    assert places(text, STRICT) == {"red door": Placement((1.0, 2.0), None)}
    assert places(text, PUBLISHED) == {}


def test_the_exact_spelling_wins_over_a_likely_one():
    assert places('{"Sofa": {"position": [9, 9]}, "sofa": {"position": [1, 2]}}') == {
        "sofa": Placement((1.0, 2.0), None)
    }


def test_published_forgives_underscores_in_the_nested_form_only():
    nested = '{"objects": {"red_door": {"position": [1, 2]}}}'
    assert places(nested, PUBLISHED) == {"red door": Placement((1.0, 2.0), None)}


@pytest.mark.parametrize(
    ("key", "published", "strict"),
    [
        ("shoppingcart", True, True),
        ("shopping_cart", True, True),
        ("_shopping__cart", True, True),
        ("shopping cart", False, True),
        ("shopping-cart", False, True),
        ("Shopping_Cart", False, True),
        ("the shopping cart", False, True),
        ("shoppingcarts", False, False),
        ("cart", False, False),
    ],
)
def test_a_name_may_have_underscores_more_than_the_world_as_published_and_any_spelling_when_strict(
    key: str, published: bool, strict: bool
):
    text = json.dumps({key: {"position": [1, 2]}, "agent": {"position": [0, 0]}})
    for rules, found in ((PUBLISHED, published), (STRICT, strict)):
        said = read_global_map(text, ("shoppingcart", "agent"), rules)
        assert isinstance(said, CognitiveMap)
        assert ("shoppingcart" in said.places) is found


def test_of_two_spellings_the_last_counts_as_published_even_if_it_is_no_place():
    first = '{"shopping_cart": {"position": [9, 9]}, "shoppingcart": {"position": [1, 2]}}'
    last = '{"shoppingcart": {"position": [1, 2]}, "shopping_cart": {"position": [9, 9]}}'
    none = '{"shoppingcart": {"position": [1, 2]}, "shopping_cart": {"position": null}}'
    found = [read_global_map(text, ("shoppingcart",), PUBLISHED) for text in (first, last, none)]
    placed = [dict(said.places) if isinstance(said, CognitiveMap) else None for said in found]
    assert placed == [{"shoppingcart": Placement((1, 2), None)}, {"shoppingcart": Placement((9, 9), None)}, {}]


@BOTH
def test_what_stands_beside_the_sections_of_a_nested_map_is_on_it_too(rules: Rules):
    text = """{"origin": "start", "agent": {"position": [0, 1], "facing": "east"},
        "objects": {"sofa": {"pos": [3, -2]}}, "gates": [{"type": "red_door", "xy": [5, 5]}, {"id": 7}]}"""
    assert places(text, rules) == {
        "agent": Placement((0, 1), Heading.EAST),
        "sofa": Placement((3, -2), None),
        "red door": Placement((5, 5), None),
    }


@BOTH
@pytest.mark.parametrize("text", ['{"objects": null}', '{"objects": []}', '{"objects": {}, "gates": null}', "{}"])
def test_a_map_of_nothing_is_empty(text: str, rules: Rules):
    assert places(text, rules) == {}


def test_a_word_for_a_coordinate_loses_the_map_as_published_and_the_thing_when_strict():
    text = '{"sofa": {"position": ["?", 2]}, "agent": {"position": ["0", 1.5], "facing": null}}'
    assert isinstance(read_global_map(text, NAMES, PUBLISHED), NoMap)
    assert places(text, STRICT) == {"agent": Placement((0, 1.5), None)}
    unknown = '{"sofa": {"position": ["?", null]}, "agent": {"position": [0, 1]}}'
    assert places(unknown, PUBLISHED) == {"agent": Placement((0, 1), None)}


@pytest.mark.parametrize(
    ("said", "published", "strict"),
    [
        (" Behind ", Heading.SOUTH, Heading.SOUTH),
        ("left", Heading.WEST, Heading.WEST),
        ("E", Heading.EAST, Heading.EAST),
        ("down", Heading.NORTH, Heading.SOUTH),
        ("north-west", Heading.NORTH, None),
    ],
)
def test_words_for_a_facing_on_a_global_map(said: str, published: Heading, strict: Heading | None):
    text = json.dumps({"sofa": {"position": [1, 2], "facing": said}})
    assert places(text, PUBLISHED)["sofa"].facing is published
    assert places(text, STRICT)["sofa"].facing is strict


@given(headings, st.sampled_from(["north", "east", "south", "west", "right", "ahead", "+z"]))
def test_on_a_local_map_only_axes_are_relative_as_published(heading: Heading, said: str):
    text = json.dumps({"objects": {"sofa": {"position": [1, 2], "facing": said}}})
    found = read_local_map(text, NAMES, heading, PUBLISHED)
    assert isinstance(found, CognitiveMap)
    assert found.places["sofa"].facing is {h.word: h for h in Heading}.get(said, Heading.NORTH)


def test_an_old_map_is_read_as_it_stands_as_published():
    text = """{"red_door": {"position": [1, 2], "facing": "+x"}, "sofa": {"position": [3, 4], "facing": "WEST"},
        "agent": {}}"""
    found = read_old_map(text, NAMES, PUBLISHED)
    assert isinstance(found, CognitiveMap)
    assert dict(found.places) == {
        "red door": Placement((1, 2), Heading.NORTH),
        "sofa": Placement((3, 4), Heading.WEST),
    }
    nested = read_old_map(f'{{"objects": {text}}}', NAMES, PUBLISHED)
    assert isinstance(nested, CognitiveMap)
    assert not nested.places
    assert read_old_map(text, NAMES, STRICT) == read_global_map(text, NAMES, STRICT)


# ---- fences ----


@pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    "text",
    [
        f"{PLAIN}\n```json\n{{}}\n```",
        f"```JSON {PLAIN}```\n```json\n{{}}\n```\n```\nno map\n```",
        f"```\nthoughts\n```\n{PLAIN}\n```json\n{PLAIN[:-1]}\n```",
    ],
)
def test_the_longest_map_wins_wherever_fences_stand(text: str, rules: Rules):
    assert places(text, rules) == READ


@given(st.text(alphabet="`{}jsonJ \n", max_size=60))
def test_fenced_blocks_are_those_of_the_published_pattern(text: str):
    pattern = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL | re.IGNORECASE)
    assert fenced_blocks(text) == pattern.findall(text)


def test_an_unknown_facing_is_north_as_published_and_none_when_strict():
    text = '{"sofa": {"position": [1, 2], "facing": "sideways"}}'
    assert places(text, PUBLISHED)["sofa"].facing is Heading.NORTH
    assert places(text, STRICT)["sofa"].facing is None


@pytest.mark.parametrize(("said", "heading"), [("+y", Heading.EAST), ("-x", Heading.NORTH), ("+x", Heading.SOUTH)])
def test_local_facings_become_absolute(said: str, heading: Heading):
    text = f'{{"origin": "agent", "objects": {{"sofa": {{"position": [1, 2], "facing": "{said}"}}}}}}'
    found = read_local_map(text, NAMES, Heading.EAST, STRICT)
    assert isinstance(found, CognitiveMap)
    assert found.places["sofa"].facing is heading


# ---- there and back ----

coordinates = st.floats(-1e6, 1e6)
places_said = st.builds(Placement, st.tuples(coordinates, coordinates), st.none() | headings)
maps = st.dictionaries(st.sampled_from(NAMES), places_said).map(lambda said: CognitiveMap({**said}))


@given(maps, st.sampled_from([PUBLISHED, STRICT]))
def test_a_global_map_is_read_as_it_was_written(stated: CognitiveMap, rules: Rules):
    text = global_form(stated).model_dump_json()
    assert read_global_map(text, NAMES, rules) == stated
    assert read_global_map(f"Here:\n```json\n{text}\n```", NAMES, rules) == stated


@given(maps, headings, st.sampled_from([PUBLISHED, STRICT]))
def test_a_local_map_is_read_as_it_was_written(stated: CognitiveMap, heading: Heading, rules: Rules):
    assert read_local_map(local_form(stated, heading).model_dump_json(), NAMES, heading, rules) == stated


# ---- nothing raises ----

noise = st.text(alphabet='{}[]":,`\\ \n-+eE.0189NaIfnity_agentsof', max_size=40)
wrapped = st.builds("{}{}{}".format, noise, json_values.map(json.dumps), noise)
entries = st.dictionaries(st.sampled_from([*NAMES, "objects", "gates", "position", "facing"]), json_values, max_size=4)
nested = st.dictionaries(st.sampled_from([*NAMES, "objects", "gates"]), entries | st.lists(entries, max_size=3))
replies = st.text() | noise | wrapped | entries.map(json.dumps) | nested.map(json.dumps)


def check_any_reply(text: str, heading: Heading) -> None:
    for rules in (PUBLISHED, STRICT):
        for found in (read_global_map(text, NAMES, rules), read_local_map(text, NAMES, heading, rules)):
            assert isinstance(found, CognitiveMap | NoMap)
            if isinstance(found, CognitiveMap):
                assert set(found.places) <= set(NAMES)


@given(replies, headings)
def test_any_reply_can_be_read(text: str, heading: Heading):
    check_any_reply(text, heading)


@pytest.mark.slow
@settings(max_examples=100_000)
@given(noise, headings)
def test_a_hundred_thousand_replies_can_be_read(text: str, heading: Heading):
    check_any_reply(text, heading)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        "{" * 50_000 + "}" * 50_000,
        "{}" * 50_000,
        '{"a":' * 20_000 + "1" + "}" * 20_000,
        '{"sofa":' + "[" * 50_000 + "]" * 50_000 + "}",
        "```{" * 25_000,
        "```{}" * 20_000,
        '{"sofa": {"position": [' + "9" * 100_000 + ", 1]}}",
        "}{" * 50_000 + PLAIN,
    ],
    ids=lambda text: text[:6],
)
def test_long_and_hostile_replies_take_little_time(text: str):
    begin = time.perf_counter()
    longest_json(text, PUBLISHED)
    longest_json(text, STRICT)
    check_any_reply(text, Heading.EAST)
    assert time.perf_counter() - begin < 2.0
