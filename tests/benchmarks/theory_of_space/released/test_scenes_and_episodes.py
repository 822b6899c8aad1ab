"""The authors' released scenes and runs come out here as they did there, to the digit."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import (
    FOLDER,
    SCENES,
    ReleasedRun,
    active_runs,
    passive_runs,
)
from tolman.belief import Belief, coverage
from tolman.core.rules import PUBLISHED
from tolman.explore.actions import Actions, Query, Term
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, EpisodeSettings, Turn, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.sense import Observation, describe_sighting
from tolman.world import Change, find_released, generate, perturb, read_released
from tolman.world.files import mask_of

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)

EACH_SCENE = pytest.mark.parametrize("folder", find_released(SCENES), ids=lambda folder: folder.name)
EACH_ACTIVE_RUN = pytest.mark.parametrize("run", active_runs(), ids=str)
EACH_PASSIVE_RUN = pytest.mark.parametrize("run", passive_runs(), ids=str)


def test_there_is_something_to_compare_with():
    assert find_released(SCENES)
    assert {run.medium for run in active_runs()} == {"text", "vision"}
    assert {run.agent for run in passive_runs()} == {"scout", "strategist"}


# ---- scenes ----


def number_of(folder: Path) -> int:
    return int(folder.name.removeprefix("run"))


@EACH_SCENE
def test_a_seed_has_the_walls_and_doors_of_its_released_scene(folder: Path):
    released, ours = read_released(folder), generate(number_of(folder))
    listed = json.loads((folder / "meta_data.json").read_text(encoding="utf-8"))["mask"]
    assert mask_of(ours) == mask_of(released) == listed
    assert [(door.cell, door.rooms, door.axis) for door in ours.doors] == [
        (door.cell, door.rooms, door.axis) for door in released.doors
    ]


@EACH_SCENE
def test_a_seed_changes_the_released_scene_as_the_authors_did(folder: Path):
    changed = perturb(read_released(folder), number_of(folder)).scene
    assert changed == read_released(folder / "falsebelief_exp.json")


# ---- scripted agents ----


@EACH_PASSIVE_RUN
def test_scripted_agents_do_what_the_released_ones_did(run: ReleasedRun):
    turns = run_explorer(run.agent, read_released(run.scene_folder)).turns
    theirs = re.findall(r"^\d+\. (Actions: \[.*?\])\.", history_told(run), re.MULTILINE)
    assert [str(turn.asked).replace("Goto(", "JumpTo(") for turn in turns] == theirs


@pytest.mark.parametrize("run", [run for run in passive_runs() if run.medium == "text"], ids=str)
def test_scripted_agents_see_what_the_released_ones_saw(run: ReleasedRun):
    turns = run_explorer(run.agent, read_released(run.scene_folder)).turns
    _, *theirs = re.split(r"^\d+\. Actions: ", history_told(run), flags=re.MULTILINE)
    assert [bullets_of(turn) for turn in turns] == [bullets_in(entry) for entry in theirs]


def history_told(run: ReleasedRun) -> str:
    """The first message to the model: its instructions and the log of the scripted agent."""
    content = run.load("messages.json")[1]["content"]
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def bullets_in(text: str) -> list[str]:
    """What a released message lists as seen."""
    return [line.removesuffix(".") for line in re.findall(r"^• (.*)", text, re.MULTILINE)]


def bullets_of(turn: Turn) -> list[str]:
    """What we tell after a turn, in the released wording."""
    if not isinstance(turn.feedback, Observation):
        return []
    pairs = (f"{pair.name} is {pair.direction}, {pair.distance} to {pair.other}" for pair in turn.feedback.near_pairs)
    return [*map(describe_sighting, turn.feedback.sightings), *pairs]


# ---- models that explored by themselves ----


@dataclass(frozen=True)
class Replayed:
    """One released turn: what the authors logged, and our episode and belief after the same reply."""

    log: dict[str, Any]
    answer: str
    """What the released world told the model next; empty after the last turn."""
    episode: Episode
    belief: Belief

    @property
    def turn(self) -> Turn:
        return self.episode.turns[-1]


@cache
def exploration_of(run: ReleasedRun) -> tuple[Replayed, ...]:
    scene = read_released(run.scene_folder)
    episode = Episode(scene, EpisodeSettings(rules=PUBLISHED))
    belief = Belief.start(scene.names, scene.extent)
    return tuple(replay(run.load("exploration_turn_logs.json"), episode, belief))


@cache
def revision_of(run: ReleasedRun) -> tuple[Replayed, ...]:
    explored = exploration_of(run)[-1]
    episode = begin_revision(explored.episode, perturb(explored.episode.scene, run.seed))
    return tuple(replay(run.load("false_belief_turn_logs.json"), episode, explored.belief))


def replay(logs: list[dict[str, Any]], episode: Episode, belief: Belief) -> Iterator[Replayed]:
    """Send the logged replies to our world."""
    answers = [*(log["user_message"] for log in logs[1:]), ""]
    for log, answer in zip(logs, answers, strict=True):
        asked = read_actions(log["assistant_raw_message"], PUBLISHED, episode.phase)
        refused = isinstance(asked, Actions) and isinstance(asked.final, Query) and "Cannot query" in answer
        settings = replace(episode.settings, answer_queries=not refused)
        episode = step(replace(episode, settings=settings), asked)
        told = episode.turns[-1].feedback
        belief = belief if told is None else belief.after(told)
        yield Replayed(log, answer, episode, belief)


@EACH_ACTIVE_RUN
def test_information_gain_after_every_turn(run: ReleasedRun):
    ours = [replayed.belief.information_gain for replayed in exploration_of(run) if replayed.turn.parsed]
    assert ours == pytest.approx(metrics_of(run)["infogain_per_turn"], abs=1e-9)


@EACH_ACTIVE_RUN
def test_possible_positions_after_every_turn(run: ReleasedRun):
    """The released log holds at most 200 positions of each thing that it knows anything of."""
    for replayed in exploration_of(run):
        listed = logged(replayed)["possible_positions"]
        assert set(listed) == {name for name in replayed.belief.names if replayed.belief.is_constrained(name)}
        for name, theirs in listed.items():
            ours = replayed.belief.positions(name)
            assert len(theirs) == min(200, len(ours))
            assert {(x, y) for x, y in theirs} <= set(ours)


@EACH_ACTIVE_RUN
def test_coverage_failures_and_pose_after_every_turn(run: ReleasedRun):
    for replayed in exploration_of(run):
        log, episode = logged(replayed), replayed.episode
        looks = [turn.feedback for turn in episode.turns if isinstance(turn.feedback, Observation)]
        covered = coverage(episode.scene, looks)
        assert (covered.node, covered.edge) == pytest.approx((log["node_coverage"], log["edge_coverage"]), abs=1e-9)
        assert (replayed.turn.failure is not None) == log["is_action_fail"]
        assert set(episode.seen) == set(log["observed_items"])
        assert_same_pose(replayed)


def assert_same_pose(replayed: Replayed) -> None:
    theirs, ours = replayed.log["agent_state"], replayed.episode
    assert ours.scene.pose_at(ours.standing_on, ours.heading).cell == tuple(theirs["pos"])
    assert ours.heading.vector == tuple(theirs["ori"])


def logged(replayed: Replayed) -> dict[str, Any]:
    """What the authors measured after a turn; they measured all turns but those that could not be read."""
    log = replayed.log["exploration_log"]
    assert bool(log) == replayed.turn.parsed
    return log


@EACH_ACTIVE_RUN
def test_cost_and_number_of_turns(run: ReleasedRun):
    episode, theirs = exploration_of(run)[-1].episode, metrics_of(run)
    assert episode.over
    assert episode.cost() == theirs["action_cost"]
    assert sum(turn.parsed for turn in episode.turns) == theirs["n_exploration_steps"]


@pytest.mark.parametrize("run", [run for run in active_runs() if run.medium == "text"], ids=str)
def test_the_model_is_told_what_it_was_told(run: ReleasedRun):
    answered = [told for told in (*exploration_of(run), *revision_of(run)) if told.answer]
    assert [bullets_of(told.turn) for told in answered] == [bullets_in(told.answer) for told in answered]
    assert any(bullets_of(told.turn) for told in answered)


@EACH_ACTIVE_RUN
def test_cost_and_report_of_the_revision_phase(run: ReleasedRun):
    *_, last = revision_of(run)
    theirs = metrics_of(run)
    assert last.episode.over
    assert last.episode.cost("revise") == theirs["false_belief_action_cost"]
    assert sum(replayed.turn.parsed for replayed in revision_of(run)) == theirs["false_belief_steps"]
    assert f1(reported(last.turn), truth_of(run)) == pytest.approx(theirs["false_belief_f1"])
    for replayed in revision_of(run):
        assert_same_pose(replayed)


def metrics_of(run: ReleasedRun) -> dict[str, Any]:
    return run.load("metrics.json")["exploration"]


def reported(turn: Turn) -> set[Change]:
    final = turn.asked.final if isinstance(turn.asked, Actions) and not turn.forced else None
    return set(final.changes or ()) if isinstance(final, Term) else set()


def truth_of(run: ReleasedRun) -> set[Change]:
    return set(perturb(read_released(run.scene_folder), run.seed).changes)


def f1(said: set[Change], true: set[Change]) -> float:
    return 2 * len(said & true) / (len(said) + len(true))
