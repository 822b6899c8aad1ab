"""The map that is drawn is the map that is scored."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tolman.benchmarks.osr_bench.maps.grid import map_from_instances
from tolman.benchmarks.osr_bench.maps.scores import score_map, scored_places
from tolman.benchmarks.osr_bench.pages.scenes import match_objects, objects_of
from tolman.benchmarks.osr_bench.rules import STRICT

names = st.sampled_from(["chair", "table", "lamp", "door"])
inside = st.tuples(st.integers(0, 9), st.integers(0, 9))
anywhere = st.tuples(st.integers(-2, 12), st.integers(-2, 12))


@given(
    st.dictionaries(names, st.lists(inside, min_size=1, max_size=4), min_size=1),
    st.dictionaries(st.one_of(names, st.just("unicorn")), st.lists(anywhere, min_size=1, max_size=4), min_size=1),
)
def test_what_is_drawn_adds_up_to_the_score(
    there: dict[str, list[tuple[int, int]]], said: dict[str, list[tuple[int, int]]]
):
    truth = map_from_instances(there)
    score = score_map(truth, said, STRICT)
    drawn = match_objects(truth, scored_places(truth, said, STRICT), score.quarters)
    verdicts = Counter(each.verdict for each in drawn)
    assert len(drawn) == score.stated_objects
    assert verdicts["found"] == score.tally.found
    assert verdicts["invented"] == score.invented_objects
    assert round(sum(each.distance or 0 for each in drawn), 6) == round(sum(score.tally.distances), 6)
    partners = [each.partner for each in drawn if each.partner is not None]
    assert len(partners) == len(set(partners))
    objects = objects_of(truth)
    assert all(objects[each.partner][0] == each.name for each in drawn if each.partner is not None)
