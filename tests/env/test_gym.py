"""The Gymnasium environments: registered, conforming, seeded, and paid for what is learned, stated or answered."""

import json
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

import tolman
from tests.env.planned_episode import SMALL_PICTURES
from tolman.ask import oracle_reply
from tolman.core.errors import SettingsError
from tolman.core.rules import STRICT
from tolman.core.seeds import FIRST_TRAINING_SEED
from tolman.env.gym import ShapedReward, TheoryOfSpaceEnv, TheoryOfSpaceVisionEnv
from tolman.env.rewards import map_ceiling
from tolman.explore.agents.registry import run_explorer
from tolman.explore.grammar import FormatFailure, read_actions
from tolman.explore.summary import gain_per_turn
from tolman.render.prerender import prerender
from tolman.render.views import RenderJob, RenderSubject
from tolman.world import WorldSettings, generate

ID = "tolman/TheoryOfSpace-v0"


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", None])
def test_it_conforms(mode: str | None):
    assert tolman.__version__
    environment = gymnasium.make(ID, render_mode=mode)
    check_env(environment.unwrapped, skip_render_check=mode is None)
    environment.close()


def test_a_seed_is_a_world():
    one, two = TheoryOfSpaceEnv(), TheoryOfSpaceEnv(rooms=2)
    assert one.reset(seed=5)[1]["scene"] == generate(5).digest
    assert two.reset(seed=5)[1]["scene"] == generate(5, WorldSettings(rooms=2)).digest
    assert one.reset(seed=6)[1]["scene"] != generate(5).digest


def test_without_a_seed_worlds_are_for_training():
    environment = TheoryOfSpaceEnv(rooms=1, things=2)
    environment.reset(seed=5)
    for _ in range(5):
        environment.reset()
        assert environment.exploration.seed >= FIRST_TRAINING_SEED


def test_a_given_scene_is_used():
    scene = generate(9)
    assert TheoryOfSpaceEnv().reset(options={"scene": scene})[1]["scene"] == scene.digest


@pytest.mark.parametrize("reward", ["final", "dense", "ceiling"])
def test_the_return_is_what_was_learned(reward: str):
    scene = generate(3)
    recorded = run_explorer("scout", scene)
    environment = TheoryOfSpaceEnv(reward=reward)
    environment.reset(options={"scene": scene})
    rewards: list[float] = []
    terminated = False
    for turn in recorded.turns:
        _, paid, terminated, truncated, _ = environment.step(str(turn.asked))
        rewards.append(float(paid))
        assert not truncated
    assert terminated
    belief = environment.exploration.belief
    expected = map_ceiling(scene, belief, recorded.seen) if reward == "ceiling" else gain_per_turn(recorded)[-1]
    assert 0.5 < expected < 1
    assert sum(rewards) == pytest.approx(expected)
    assert sum(value != 0 for value in rewards) > 1 or reward == "final"


@pytest.mark.parametrize(("stated", "score"), [("true", 1.0), ("none", 0.0)])
def test_a_map_is_asked_for_and_scored(stated: str, score: float):
    environment = TheoryOfSpaceEnv(rooms=1, things=2, reward="map")
    environment.reset(seed=4)
    scene = environment.episode.scene
    text = ""
    for turn in run_explorer("greedy-planner", scene).turns:
        text, paid, terminated, _, _ = environment.step(str(turn.asked))
        assert (float(paid), terminated) == (0.0, False)
    assert "map" in text
    assert len(environment.exploration.valid_actions()) == 1
    places: dict[str, dict[str, Any]] = {}
    for thing in scene.things:
        facing = {} if thing.front is None else {"facing": thing.front.word}
        places[thing.name] = {"position": scene.from_start(thing.name), **facing}
    _, paid, terminated, _, info = environment.step(json.dumps(places) if stated == "true" else "I forgot.")
    assert (float(paid), terminated, info["success"]) == (score, True, score == 1.0)


def test_a_question_is_asked_and_its_answer_scored():
    environment = TheoryOfSpaceEnv(reward="answers", kinds=["direction"])
    environment.reset(seed=4)
    text, paid, terminated, _, _ = environment.step("Term()")
    (question,) = environment.exploration.case.questions
    assert question.text in text
    assert (float(paid), terminated) == (0.0, False)
    _, paid, terminated, _, _ = environment.step(oracle_reply(question))
    assert (float(paid), terminated) == (1.0, True)


def test_cost_can_be_taken_off():
    environment = TheoryOfSpaceEnv(reward="dense", cost_weight=0.5)
    environment.reset(seed=1)
    _, paid, _, _, info = environment.step("Observe()")
    assert float(paid) == pytest.approx(info["information_gain"] - 0.5)


def test_rewards_can_be_added():
    environment = ShapedReward(gymnasium.make(ID, reward="final"), "dense", 0.5)
    environment.reset(seed=1)
    _, paid, _, _, info = environment.step("Observe()")
    assert float(paid) == pytest.approx(0.5 * info["information_gain"])
    assert float(paid) > 0
    with pytest.raises(SettingsError, match="asks for something"):
        ShapedReward(environment, "map")


def test_the_budget_truncates():
    environment = TheoryOfSpaceEnv(budget=2)
    environment.reset(seed=1)
    ends = [environment.step("mumble")[2:4] for _ in range(2)]
    assert ends == [(False, False), (False, True)]
    with pytest.raises(gymnasium.error.ResetNeeded):
        environment.step("Observe()")


def test_listed_and_sampled_actions_can_all_be_carried_out():
    environment = TheoryOfSpaceEnv(rooms=2, budget=60)
    _, info = environment.reset(seed=2)
    environment.action_space.seed(0)
    goes = 0
    while True:
        action = environment.action_space.sample()
        assert action in info["valid_actions"]
        if "Term" in action:
            continue
        asked = read_actions(action, STRICT)
        assert not isinstance(asked, FormatFailure)
        _, _, terminated, truncated, info = environment.step(action)
        if terminated or truncated:
            break
        turn = environment.episode.turns[-1]
        assert turn.failure is None
        goes += "Goto" in action
    assert goes > 10


@pytest.mark.parametrize("kind", ["sync", pytest.param("async", marks=pytest.mark.slow)])
def test_vectors_of_environments_step_together(kind: str):
    make = partial(gymnasium.make, f"tolman:{ID}", rooms=1, things=2)  # a spawned process imports the package first
    # With shared memory Gymnasium reads texts once, before the first reset.
    vector = (
        SyncVectorEnv([make, make])
        if kind == "sync"
        else AsyncVectorEnv([make, make], shared_memory=False, context="spawn")
    )
    _, infos = vector.reset(seed=100_000)
    assert [str(scene) for scene in infos["scene"]] == [
        generate(seed, WorldSettings(rooms=1, things_per_room=2)).digest for seed in (100_000, 100_001)
    ]
    texts, rewards, *_, infos = vector.step(("Actions: [Observe()]", "Actions: [Term()]"))
    assert "Replies left: 19." in texts[0]
    assert rewards.shape == (2,)
    assert len(infos["valid_actions"][0]) > 4
    actions: Any = vector.action_space  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    assert actions.contains(actions.sample())
    vector.close()


@pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")
def test_pictures_are_observations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Rendered live, and from a folder of `tolman render`: the same bytes."""
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TOLMAN_PICTURES", raising=False)
    environment = gymnasium.make("tolman/TheoryOfSpaceVision-v0", **SMALL_PICTURES)
    assert isinstance(environment.unwrapped, TheoryOfSpaceVisionEnv)
    check_env(environment.unwrapped, skip_render_check=True)
    first, _ = environment.reset(seed=7)
    assert not first["rgb"].any()
    seen, *_ = environment.step("Actions: [Observe()]")
    assert seen["rgb"].shape == (32, 32, 3)
    assert seen["rgb"].std() > 5
    assert seen["text"].count("<image>") == 1
    prepared = tmp_path / "pictures"
    subject = RenderSubject("00007", generate(7, WorldSettings(rooms=1, things_per_room=2)))
    job = RenderJob(views=("ego",), size=32, preset="preview", assets="built-in")
    prerender([subject], prepared, job, lambda _: None, workers=1)
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "empty"))
    again = gymnasium.make("tolman/TheoryOfSpaceVision-v0", pictures=str(prepared), **SMALL_PICTURES)
    again.reset(seed=7)
    looked, *_ = again.step("Actions: [Observe()]")
    assert np.array_equal(looked["rgb"], seen["rgb"])
    assert not (tmp_path / "empty").exists()


def test_odd_characters_stay_inside_the_observation_space():
    environment = TheoryOfSpaceEnv()
    environment.reset(seed=1)
    observation, *_ = environment.step("[Rotate(ñ☃), Observe()]")
    assert environment.observation_space.contains(observation)


def test_the_picture_follows_the_agent():
    environment = TheoryOfSpaceEnv(render_mode="rgb_array")
    environment.reset(seed=1)
    before = environment.render()
    environment.step("[Rotate(90), Observe()]")
    after = environment.render()
    assert isinstance(before, np.ndarray)
    assert before.dtype == np.uint8
    assert not np.array_equal(before, np.asarray(after))


def test_unknown_settings_are_refused():
    with pytest.raises(SettingsError, match="render mode"):
        TheoryOfSpaceEnv(render_mode="human")  # pyright: ignore[reportArgumentType]
    with pytest.raises(SettingsError, match="reward"):
        TheoryOfSpaceEnv(reward="sparse")  # pyright: ignore[reportArgumentType]


def test_the_block_in_the_docs_runs():
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    made: dict[str, Any] = {}
    exec(code, made)  # noqa: S102 - our own page
    assert made["info"]["turns_left"] == 19
    assert made["env"].unwrapped.exploration.seed == 100_000
