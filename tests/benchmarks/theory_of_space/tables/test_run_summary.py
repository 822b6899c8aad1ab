"""A run in numbers: pooled scores, correlations, the curve of information gain, reliability and price."""

import json
import math
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, case, lived, passive, record, replies
from tolman.ask import find_kind
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.runs import score_record
from tolman.benchmarks.theory_of_space.tables import TheoryOfSpaceRun, as_dict, summarise_run
from tolman.benchmarks.theory_of_space.tables.run_summary import Share, pearson_correlation
from tolman.explore.agents.registry import run_explorer


def run_of(*scenes: ScoredCase, planned: int | None = None) -> TheoryOfSpaceRun:
    return TheoryOfSpaceRun(
        "a/model", scenes[0].options, [score_record(scene) for scene in scenes], [], planned or len(scenes)
    )


def test_answers_are_pooled_over_scenes():
    of = case(1)
    kept = {call: reply for call, reply in replies(of).items() if not call.startswith("ask/none/direction")}
    wrong = {q.kind: find_kind(q.kind).wrong(q) for q in of.questions}
    said = kept | {"ask/none/view_to_location/1": wrong["view_to_location"]}
    measured = summarise_run(run_of(lived(0), ScoredCase(of, OPTIONS, record(said)))).measured["strict"]
    assert measured.interval("ask/none").mean == pytest.approx(2 / 3)
    assert measured.interval("ask/none/direction").mean == 1.0
    assert measured.values["ask/none"] == {"0": (1.0, 1.0), "1": (0.0,)}
    assert math.isnan(measured.interval("ask/none/mental_rotation").mean)


def test_the_same_scene_lived_through_twice_is_one_scene():
    once = summarise_run(run_of(lived(0), lived(1, looks=1), lived(2, looks=3)))
    twice = summarise_run(
        run_of(*(scene for s in (lived(0), lived(1, looks=1), lived(2, looks=3)) for scene in (s, s)))
    )
    assert twice.measured["strict"].interval("explore/cost") == once.measured["strict"].interval("explore/cost")
    assert [point.mean for point in twice.curve] == pytest.approx([point.mean for point in once.curve])


def test_the_curve_carries_the_last_value_forward():
    short, long = lived(0, looks=1), lived(1, looks=3)
    curve = [point.mean for point in summarise_run(run_of(short, long)).curve]
    alone = [[point.mean for point in summarise_run(run_of(scene)).curve] for scene in (short, long)]
    assert len(alone[0]) == 2 < len(alone[1]) == len(curve) == 4
    assert curve[3] == pytest.approx((alone[0][-1] + alone[1][3]) / 2)
    assert curve == sorted(curve)


# ---- correlations ----


def test_correlation_is_pearsons_with_its_p_value():
    pairs = [(0.1, 0.3), (0.5, 0.4), (0.6, 0.9), (0.9, 0.8), (0.2, 0.1)]
    found = pearson_correlation(pairs)
    r = float(np.corrcoef(np.array(pairs).T)[0, 1])
    t = r * math.sqrt(3 / (1 - r * r))
    chance = 2 * float(cast("Any", stats).t.sf(abs(t), 3))
    assert (found.r.mean, found.p, found.scenes) == pytest.approx((r, chance, 5))
    assert found.r.low < found.r.mean < found.r.high


@pytest.mark.parametrize("pairs", [[], [(0, 1), (1, 0)], [(0.5, 0), (0.5, 1), (0.5, 0.3)], [(0, 1), (1, 1), (2, 1)]])
def test_too_few_scenes_or_no_spread_have_no_correlation(pairs: list[tuple[float, float]]):
    found = pearson_correlation(pairs)
    assert math.isnan(found.r.mean)
    assert math.isnan(found.p)
    assert found.scenes == len(pairs)


# ---- reliability and price ----


def test_what_could_not_be_read_is_counted_by_what_was_asked_for():
    of = case(0)
    said = {f"explore/{i + 2}": reply for i, reply in enumerate(["Let me see.", "Actions: [Goto(nowhere), Observe()]"])}
    said |= {"explore/1": "Actions: [Observe()]", "explore/4": "Actions: [Term()]"}
    said |= {"explore/1/global/1": "no map", "explore/1/local/1": '{"origin": "agent", "objects": {}}'}
    said |= {"explore/1/points/1": "I can't say", "explore/4/global/1": '{"agent": {"position": [0, 0]}}'}
    said |= {"ask/none/direction/1": "?", "revise/1": "hm", "revise/2": 'Actions: [Term(changes="")]'}
    known = summarise_run(run_of(ScoredCase(of, OPTIONS, record(said)), planned=3)).reliability
    assert known.unparseable["strict"] == {
        "turns": Share(2, 6),
        "maps": Share(1, 3),
        "points": Share(1, 1),
        "answers": Share(1, 1),
    }
    assert (known.finished, known.failed, known.not_done, known.replies) == (1, 0, 2, len(said))
    assert (known.failed_turns, known.budget_exhausted) == (Share(1, 4), Share(0, 2))


def test_maps_of_a_revision_count_too():
    said = replies(case(0)) | {"revise/1/global/1": "no map"}
    known = summarise_run(run_of(ScoredCase(case(0), OPTIONS, record(said)))).reliability
    assert known.unparseable["published"]["maps"] == Share(1, 4)


def test_a_phase_that_the_budget_ends_is_a_forced_end():
    options = replace(OPTIONS, budget=1, phases=("explore",))
    said = record({"explore/1": "Actions: [Observe()]"})
    known = summarise_run(run_of(ScoredCase(case(0, options), options, said)))
    assert known.reliability.budget_exhausted == Share(1, 1)


def test_replies_that_a_limit_cut_are_counted():
    assert summarise_run(run_of(lived(0, stop="max_tokens"))).reliability.truncated == Share(
        *[len(lived(0).record.calls)] * 2
    )


def test_a_scripted_explorer_adds_nothing_to_the_replies_of_a_passive_model():
    options = passive()
    of = case(0, options)
    log = [str(turn.asked) for turn in run_explorer(options.passive_explorer, of.scene, of.seed).turns]
    asked = {call: reply for call, reply in replies(of, options).items() if call.startswith("ask/")}
    known = summarise_run(run_of(ScoredCase(of, options, SceneRecord(log=log, calls=record(asked).calls))))
    assert known.reliability.unparseable["strict"]["turns"] == known.reliability.budget_exhausted == Share(0, 0)
    assert known.reliability.replies == len(asked)
    assert known.measured["strict"].interval("explore/cost").mean > 5


def test_tokens_and_dollars_add_up():
    calls = [len(lived(seed).record.calls) for seed in (0, 1, 2)]
    scenes = [lived(seed, input_tokens=1000, output_tokens=10, cost=0.5) for seed in (0, 1, 2)]
    price = summarise_run(run_of(*scenes)).price
    assert price.input_tokens.total == 1000 * sum(calls)
    assert price.output_tokens.scene.mean == pytest.approx(10 * sum(calls) / 3)
    assert price.dollars.total == pytest.approx(0.5 * sum(calls))
    assert price.priced


def test_a_replay_has_neither_tokens_nor_a_price():
    price = summarise_run(run_of(lived(0), lived(1), lived(2))).price
    assert price.input_tokens.total is price.output_tokens.total is price.dollars.total is None
    assert not price.priced


# ---- as plain values ----


def test_plain_values_are_json_without_nan():
    written = json.dumps(as_dict([summarise_run(run_of(lived(0), lived(1)))]), allow_nan=False)
    (run,) = json.loads(written)["runs"]
    column: dict[str, Any] = run["scores"]["strict"]["columns"]["ask/none"]
    assert (column["mean"], column["low"], column["values"]) == (1.0, None, 4)
    assert column["by_scene"] == {"0": [1.0, 1.0], "1": [1.0, 1.0]}
    assert run["scores"].keys() == {"strict", "published"}
    assert run["price"]["dollars"]["total"] is None
