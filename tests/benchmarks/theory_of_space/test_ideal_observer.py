"""What an ideal observer makes of records: ceilings that add up, and maps held against what was told."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean

import pytest

from tests.benchmarks.theory_of_space.logged_runs import case, lived
from tests.benchmarks.theory_of_space.plain_stage import PlainStage, scripted
from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight, StatedMap, scene_insight
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.record import Call, ScoredCase
from tolman.core.rules import STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.ideal.scene_prior import prior_of

ALL_KINDS = Options(phases=("explore", "probe", "ask"))


@cache
def played(agent: str, seed: int, options: Options = ALL_KINDS) -> ScoredCase:
    """A scripted agent through one scene; a passive one reads the log of the explorer that the options name."""
    stage = PlainStage(scripted(agent))
    of = case(seed, options)
    log: Episode | None = run_explorer(options.passive_explorer, of.scene, seed) if options.mode == "passive" else None
    asyncio.run(SceneRun(of, options, stage).run(log))
    return ScoredCase(of, options, stage.record([str(turn.asked) for turn in log.turns] if log else ()))


@cache
def insight(agent: str, seed: int, options: Options = ALL_KINDS) -> SceneInsight:
    return scene_insight(played(agent, seed, options), observer="relations")


@pytest.mark.parametrize("agent", ["random", "scout", "ideal"])
def test_every_point_is_accounted_for(agent: str):
    found, scores = insight(agent, 2), played(agent, 2).scores(STRICT)
    assert [(q.kind, q.mode, q.score, q.unparseable) for q in found.questions] == [
        (answer.kind, answer.mode, answer.score, answer.unparseable) for answer in scores.answers
    ]
    for question in found.questions:
        assert 0 < question.ceiling <= 1
        parts = question.score + question.exploration + question.reasoning + question.format_errors
        assert parts == pytest.approx(1)


def test_a_reply_that_cannot_be_read_is_lost_to_its_form_and_not_to_reasoning():
    scene = lived(3)
    calls = [c if not c.name.startswith("ask/") else Call(name=c.name, reply="Mu.") for c in scene.record.calls]
    found = scene_insight(ScoredCase(scene.case, scene.options, scene.record.model_copy(update={"calls": calls})))
    for question in found.questions:
        assert question.unparseable
        assert (question.format_errors, question.reasoning) == (question.ceiling, 0)


def test_with_the_true_map_in_hand_nothing_is_lost_to_exploration():
    options = replace(ALL_KINDS, maps=("none", "true"), phases=("explore", "ask"), kinds=("direction",))
    found = insight("random", 2, options)
    assert {q.exploration for q in found.questions if q.mode == "true"} == {0}
    assert any(q.exploration > 0 for q in found.questions if q.mode == "none")


@pytest.mark.parametrize(("explorer", "least"), [("strategist", 0.97), ("scout", 0.85)])
def test_the_ideal_observer_makes_the_most_of_another_ones_log(explorer: str, least: float):
    options = replace(ALL_KINDS, mode="passive", explorer=explorer, phases=("explore", "ask"))
    answers = [q for seed in range(3) for q in insight("ideal", seed, options).questions]
    assert fmean(q.score for q in answers) >= least
    assert fmean(q.score for q in answers) == pytest.approx(fmean(q.ceiling for q in answers), abs=0.05)


def test_the_ideal_observer_states_the_best_map_and_never_an_impossible_one():
    options = replace(ALL_KINDS, mode="passive", explorer="scout", phases=("explore", "probe"), probe="every")
    found = insight("ideal", 2, options)
    stated = [turn.stated for turn in found.turns if turn.stated]
    assert len(stated) == len(found.turns)
    for known in stated:
        assert known.score is not None
        assert known.ceiling is not None
        assert all(position.verdict != "impossible" and position.chance > 0 for position in known.positions)
    assert fmean(s.score or 0 for s in stated) == pytest.approx(fmean(s.ceiling or 0 for s in stated), abs=0.05)


def test_knowledge_only_grows():
    turns = insight("scout", 2).turns
    assert [turn.gain for turn in turns] == sorted(turn.gain for turn in turns)
    assert [turn.entropy for turn in turns] == sorted((turn.entropy for turn in turns), reverse=True)
    for turn in turns:
        assert all(sum(cells.values()) == pytest.approx(1) for cells in turn.marginals.values())


@pytest.mark.parametrize("agent", ["random", "scout"])
def test_the_generative_observer_accounts_for_every_point_too(agent: str):
    known = played(agent, 2)
    found, told = scene_insight(known, observer="generative"), insight(agent, 2)
    assert (found.observer, told.observer) == ("generative", "relations")
    for question in found.questions:
        assert 0 < question.ceiling <= 1
        parts = question.score + question.exploration + question.reasoning + question.format_errors
        assert parts == pytest.approx(1)
    for a, b in zip(found.turns, told.turns, strict=True):
        assert (a.gain, a.entropy, a.marginals) == (b.gain, b.entropy, b.marginals)


def test_by_default_ceilings_are_generative_and_positions_are_judged_by_what_was_told():
    known = played("random", 2)
    found, told = scene_insight(known), insight("random", 2)
    assert found.observer == "generative"
    assert [q.ceiling for q in found.questions] != [q.ceiling for q in told.questions]
    for a, b in zip(found.turns, told.turns, strict=True):
        assert (a.stated is None) == (b.stated is None)
        if a.stated is not None and b.stated is not None:
            assert a.stated.positions == b.stated.positions


def test_in_a_world_that_the_generator_does_not_make_relations_takes_its_place():
    scene = lived(0)
    world = scene.case.scene
    gone = next(thing for thing in world.things if thing.room == 2)
    fewer = replace(world, things=tuple(thing for thing in world.things if thing != gone))
    assert prior_of(world) is not None
    assert prior_of(fewer) is None


# ---- stated maps, by hand ----


def stating(scene: ScoredCase, maps: Sequence[Mapping[str, tuple[float, float]] | str]) -> list[StatedMap]:
    """The scene, with these maps stated after its turns."""
    said = [m if isinstance(m, str) else json.dumps({n: {"position": [*at]} for n, at in m.items()}) for m in maps]
    other = [call for call in scene.record.calls if "/global/" not in call.name]
    probes = [Call(name=f"explore/{turn}/global/1", reply=reply) for turn, reply in enumerate(said, start=1)]
    record = scene.record.model_copy(update={"calls": [*other, *probes]})
    found = scene_insight(ScoredCase(scene.case, scene.options, record), observer="relations")
    return [turn.stated for turn in found.turns if turn.stated]


def test_positions_are_right_unlucky_or_impossible():
    scene = lived(0)
    first = scene_insight(scene, observer="relations").turns[0]
    name, chances = max(first.marginals.items(), key=lambda item: len(item[1]))
    true = scene.case.scene.from_start(name)
    other = next(cell for cell in chances if cell != true)
    unseen = next(n for n in scene.case.scene.names if n not in first.marginals)

    def verdict(said: str, at: tuple[float, float]) -> tuple[str, float]:
        (position,) = stating(scene, [{said: at}])[0].positions
        assert (position.name, position.position) == (said, at)
        return position.verdict, position.chance

    assert verdict(name, true) == ("right", chances[true])
    assert verdict(name, (true[0] + 0.4, true[1] - 0.4)) == ("right", chances[true])
    assert verdict(name, other) == ("unlucky", chances[other])
    assert verdict(name, (-500, 1e6)) == ("impossible", 0)
    assert verdict(unseen, (true[0] + 1, true[1]))[0] == "unlucky"


def test_a_right_belief_that_is_lost_is_reported_with_what_took_its_place():
    scene = lived(0)
    first, second = scene_insight(scene).turns[:2]
    a, b, c = sorted(set(first.marginals))[:3]
    where = scene.case.scene.from_start
    wrong = (where(a)[0] + 400, where(a)[1])
    maps = [{a: where(a), b: where(b), c: wrong}, {a: wrong, c: where(c)}, "No map.", {c: where(c)}]
    stated = stating(scene, maps)
    assert stated[0].overwritten == ()
    moved, dropped = sorted(stated[1].overwritten, key=lambda lost: lost.name)
    assert (moved.name, moved.before, moved.after, moved.verdict) == (a, where(a), wrong, "impossible")
    assert (dropped.name, dropped.after, dropped.verdict) == (b, None, None)
    assert stated[2].positions == ()
    assert stated[2].overwritten == ()
    assert second.number == 2
