"""Demonstrations: the words of the evaluation, resumable, the same bytes on any number of cores, test seeds refused."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Here
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import run_offline
from tolman.core.errors import SettingsError
from tolman.core.geometry import Cell, Heading, difference
from tolman.env import Exploration
from tolman.env.demonstrations import (
    DemonstrationPlan,
    Then,
    demonstrate,
    make_demonstrations,
    read_demonstrations,
    seeds_text,
)
from tolman.env.options import EnvironmentOptions
from tolman.explore.episode import Episode
from tolman.explore.summary import explore_scene
from tolman.models.scripted.reply import reply_to
from tolman.sense import Observation, in_view
from tolman.world import START, Scene, generate
from tolman.world.select import SceneChoice

SEED = 100_011
SMALL = EnvironmentOptions(rooms=1, things=2)


def evaluated(options: EnvironmentOptions, agent: str) -> tuple[list[Message], str]:
    """The last request of an evaluation of a scripted model in world `SEED`, and the reply to it."""
    last: list[tuple[list[Message], str]] = []

    def answer(call: str, messages: Sequence[Message], episode: Episode) -> str:
        del episode
        who = agent if call.count("/") == 1 else "ideal"
        reply = reply_to(who, [(message.role, message.text) for message in messages], seed=SEED)
        last.append(([*messages], reply))
        return reply

    protocol = options.protocol
    run_offline(case_of(SceneChoice(SEED, options.world_settings), protocol), protocol, answer)
    return last[-1]


@pytest.mark.parametrize("then", ["nothing", "map"])
@pytest.mark.parametrize("think", [True, False])
def test_the_words_are_those_of_an_evaluation(then: Then, think: bool):
    plan = DemonstrationPlan((SEED,), "greedy-planner", then=then, options=EnvironmentOptions(rooms=2, think=think))
    row = demonstrate(plan, SEED)
    asked, reply = evaluated(plan.environment, "greedy-planner")
    spoken = [*asked, Message("assistant", reply)]
    assert row["messages"] == [{"role": message.role, "content": message.text} for message in spoken]
    assert row["reward"] == pytest.approx(1.0)


def test_rows_are_what_the_explorer_does_and_the_environments_reproduce_them():
    row = demonstrate(DemonstrationPlan((SEED,), content="actions"), SEED)
    explored = explore_scene("greedy-planner", generate(SEED), SEED)
    assert row["actions"] == list(explored.actions)
    assert row["information_gain"] == list(explored.info_gain)
    assert (row["cost"], row["scene"]) == (explored.cost, explored.digest)
    chat = demonstrate(DemonstrationPlan((SEED,)), SEED)
    exploration = Exploration(SEED)
    for message in chat["messages"]:
        if message["role"] == "assistant":
            exploration.reply(message["content"])
    assert exploration.digest == chat["digest"] == row["digest"]


@pytest.mark.parametrize("files", ["jsonl", "parquet"])
def test_an_interrupted_set_is_continued_to_the_same_bytes(tmp_path: Path, files: Any):
    if files == "parquet":
        pytest.importorskip("pyarrow")
    seeds = tuple(range(100_000, 100_205))
    plan = DemonstrationPlan(seeds, "scout", "actions", files, options=SMALL)
    assert make_demonstrations(plan, tmp_path / "whole", workers=1) == 205
    with pytest.raises(KeyboardInterrupt):
        make_demonstrations(plan, tmp_path / "parts", stop_after(150), workers=1)
    assert [file.name for file in (tmp_path / "parts").glob("part-*")] == [f"part-00000.{files}"]
    assert make_demonstrations(plan, tmp_path / "parts", workers=1) == 105
    for file in (tmp_path / "whole").iterdir():
        assert file.read_bytes() == (tmp_path / "parts" / file.name).read_bytes()
    assert [row["seed"] for row in read_demonstrations(tmp_path / "parts")] == list(seeds)
    with pytest.raises(SettingsError, match="other settings"):
        make_demonstrations(DemonstrationPlan(seeds[:100], "scout", options=SMALL), tmp_path / "parts")


def stop_after(count: int) -> Any:
    def progress(done: int) -> None:
        if done > count:
            raise KeyboardInterrupt

    return progress


def test_the_command_says_what_it_made_and_refuses_scenes_of_the_evaluation(tmp_path: Path, here: Here):
    common = ("make", "demonstrations", "--agent", "scout", "--rooms", "1", "--things", "2")
    out = here(*common, "--scenes", "100000-100004", "--out", str(tmp_path / "train")).stdout
    assert "5 demonstrations" in out
    assert "per second" in out
    rows = [json.loads(line) for line in (tmp_path / "train" / "part-00000.jsonl").read_text().splitlines()]
    assert [row["seed"] for row in rows] == list(range(100_000, 100_005))
    assert "100000-100004" in (tmp_path / "train" / "README.md").read_text()
    refused = here(*common, "--scenes", "99990-100010", "--out", str(tmp_path / "leak"))
    assert (refused.returncode, "scenes of the evaluation" in refused.stderr) == (2, True)
    here(*common, "--scenes", "0-1", "--allow-test-scenes", "--out", str(tmp_path / "leak"))
    assert "do not evaluate" in (tmp_path / "leak" / "README.md").read_text()


def test_ranges_of_seeds_read_as_they_are_given():
    assert seeds_text([7, 8, 9, 20, 30, 31]) == "7-9,20,30-31"


RANGE = re.compile(r"\((-?\d+)(?: to (-?\d+))?, (-?\d+)(?: to (-?\d+))?\)")
STEP = re.compile(
    r"(.*?)(?: (\(.*?\)))? from (?:the )?([a-z ]+?)(?: (\(.*?\)) is (\(.*?\)))?, [a-z -]+, [a-z ]+, so (\(.*?\)): (.*)"
)
Box = tuple[tuple[int, int], tuple[int, int]]
"""Ranges of x and y."""


def box(text: str) -> Box:
    found = RANGE.fullmatch(text)
    assert found is not None, text
    low_x, high_x, low_y, high_y = found.groups()
    return (int(low_x), int(high_x or low_x)), (int(low_y), int(high_y or low_y))


def plus(a: Box, b: Box) -> Box:
    (ax, ay), (bx, by) = a, b
    return (ax[0] + bx[0], ax[1] + bx[1]), (ay[0] + by[0], ay[1] + by[1])


def minus(a: Box, b: Box) -> Box:
    (x0, x1), (y0, y1) = b
    return plus(a, ((-x1, -x0), (-y1, -y0)))


def both(a: Box, b: Box) -> Box:
    (ax, ay), (bx, by) = a, b
    return (max(ax[0], bx[0]), min(ax[1], bx[1])), (max(ay[0], by[0]), min(ay[1], by[1]))


def holds(ranges: Box, position: Cell) -> bool:
    return all(low <= coordinate <= high for (low, high), coordinate in zip(ranges, position, strict=True))


@pytest.mark.parametrize("seed", [SEED, SEED + 1, SEED + 2])
def test_every_step_of_ranges_follows_from_those_stated_before_and_holds_the_truth(seed: int):
    row = demonstrate(DemonstrationPlan((seed,), "cautious-planner", reasoning="ranges"), seed)
    scene = generate(seed)
    stated: dict[str, Box] = {"start": ((0, 0), (0, 0))}
    narrowed = 0
    for message in row["messages"]:
        said = re.search(r"Now: (.*?)\. (?:Open|Not seen|Next)", message["content"])
        if message["role"] != "assistant" or said is None:
            continue
        pose = re.search(r"I am at (?:the )?([a-z ]+) (\(.*?\)), facing", message["content"])
        assert pose is not None
        assert box(pose[2]) == stated[pose[1]]
        for text in said[1].split("; "):
            step = STEP.fullmatch(text)
            if step is None:
                name, _, exact = text.partition(" (")
                stated[name] = box(f"({exact}")
                continue
            name, known, origin, at, between, fits, left = step.groups()
            of, by = stated[origin], box(fits)
            right: dict[str, Box] = {name: plus(of, by)}
            if known:
                assert box(known) == stated[name], "ranges are stated again as before"
                right[name] = both(right[name], stated[name])
            if at:
                assert box(at) == of
                assert box(between) == minus(stated[name], of)
                right[origin] = both(minus(right[name], by), of)
            changed = {each: ranges for each, ranges in right.items() if ranges != stated.get(each)}
            found = re.findall(r"(?:^| and )([a-z ]+?) (\(.*?\))", left)
            assert {each: box(ranges) for each, ranges in found} == changed, text
            for each, ranges in changed.items():
                assert holds(ranges, difference(cell_of(scene, each), cell_of(scene, START)))
            narrowed += bool(known)
            stated |= changed
    assert set(stated) == {"start", *scene.names}
    certain = sum(low_x == high_x and low_y == high_y for (low_x, high_x), (low_y, high_y) in stated.values())
    assert certain > 0.6 * len(stated), "the expert ends when all is certain, which mostly follows from ranges"
    assert narrowed > 10


def test_reasoning_states_the_pose_and_headings_in_which_places_on_the_route_are_in_view():
    plan = DemonstrationPlan((SEED,), "cautious-planner", reasoning="belief")
    row = demonstrate(plan, SEED)
    scene, exploration = generate(SEED), Exploration(SEED)
    legs = 0
    for message in row["messages"]:
        if message["role"] != "assistant":
            continue
        episode = exploration.episode
        text = message["content"].split("FINAL ANSWER:")[0]
        here = "the start" if episode.standing_on == START else f"the {episode.standing_on}"
        assert re.search(rf"^I am at {here}(?: \(-?\d+, -?\d+\))?, facing {episode.heading.word}\.", text, re.MULTILINE)
        for name, x, y in re.findall(r"(?:Now certain: |, )([a-z ]+) \((-?\d+), (-?\d+)\)", text):
            assert difference(cell_of(scene, name), cell_of(scene, START)) == (int(x), int(y))
        route = re.search(r"Next: to ([a-z ]+): ([^;]*);", text)
        place = episode.standing_on
        for leg in reversed(route[2].split(", ") if route else []):
            found = re.fullmatch(r"([a-z ]+) from ([a-z ]+) ([a-z]+)", leg)
            assert found is not None
            assert found[2] == ("here" if place == episode.standing_on else place)
            assert in_view(difference(cell_of(scene, found[1]), cell_of(scene, place)), Heading[found[3].upper()])
            place, legs = found[1], legs + 1
        exploration.reply(message["content"])
        assert exploration.episode.turns[-1].failure is None
        assert exploration.episode.standing_on == place
    assert exploration.digest == row["digest"]
    assert legs > 5


def test_sightings_say_what_is_open_and_from_how_many_places_it_was_seen():
    row = demonstrate(DemonstrationPlan((SEED,), "cautious-planner", reasoning="sightings"), SEED)
    exploration = Exploration(SEED)
    places: dict[str, set[str]] = {}
    was_open: list[str] = []
    certain: list[str] = []
    for message in row["messages"]:
        if message["role"] != "assistant":
            continue
        belief, turns = exploration.belief, exploration.episode.turns
        latest = turns[-1].feedback if turns else None
        if isinstance(latest, Observation):
            for name in (*latest.names, latest.standing_on):
                places.setdefault(name, set()).add(latest.standing_on)
        found = re.search(r"Open: ([^.]*)\.", message["content"])
        states = dict(item.rsplit(" ", 1) for item in found[1].split(", ")) if found else {}
        assert list(states) == [name for name in exploration.episode.seen if name in was_open or name not in certain]
        for name, state in states.items():
            assert state == ("certain" if belief.count(name) == 1 else str(len(places[name])))
        certain += [name for name, state in states.items() if state == "certain"]
        was_open = [name for name in states if name not in certain]
        assert "(" not in message["content"].split("FINAL ANSWER:")[0], "no position is stated"
        exploration.reply(message["content"])
    assert set(certain) == set(generate(SEED).names)
    assert exploration.digest == row["digest"]


def cell_of(scene: Scene, name: str) -> Cell:
    return scene.pose_at(name, Heading.NORTH).cell


def test_the_card_counts_one_as_one(tmp_path: Path) -> None:
    make_demonstrations(DemonstrationPlan((100007,), "scout", options=EnvironmentOptions(rooms=1, things=2)), tmp_path)
    assert "1 world (seed 100007; 1 room with 2 objects each)" in (tmp_path / "README.md").read_text(encoding="utf-8")
