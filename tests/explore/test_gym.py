"""The Gymnasium environment: registered, conforming, seeded, and paid for what it learns."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tolman
from tolman.core.errors import SettingsError
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import EpisodeSettings
from tolman.explore.gym import TheoryOfSpaceEnv
from tolman.explore.summary import gain_per_turn
from tolman.world import WorldSettings, generate

ID = "tolman/TheoryOfSpace-v0"


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", None])
def test_it_conforms(mode: str | None):
    assert tolman.__version__
    environment = gymnasium.make(ID, render_mode=mode)
    check_env(environment.unwrapped, skip_render_check=mode is None)
    environment.close()


def test_a_seed_is_a_world():
    one, two = TheoryOfSpaceEnv(), TheoryOfSpaceEnv(world=WorldSettings(rooms=2))
    assert one.reset(seed=5)[1]["scene"] == generate(5).digest
    assert two.reset(seed=5)[1]["scene"] == generate(5, WorldSettings(rooms=2)).digest
    assert one.reset(seed=6)[1]["scene"] != generate(5).digest


def test_a_given_scene_is_used():
    scene = generate(9)
    assert TheoryOfSpaceEnv().reset(options={"scene": scene})[1]["scene"] == scene.digest


@pytest.mark.parametrize("reward", ["final", "dense"])
def test_the_return_is_the_information_gained(reward: str):
    scene = generate(3)
    recorded = run_explorer("scout", scene)
    environment = TheoryOfSpaceEnv(reward="dense" if reward == "dense" else "final")
    environment.reset(options={"scene": scene})
    rewards: list[float] = []
    terminated = False
    for turn in recorded.turns:
        _, paid, terminated, truncated, _ = environment.step(str(turn.asked))
        rewards.append(float(paid))
        assert not truncated
    assert terminated
    assert sum(rewards) == pytest.approx(gain_per_turn(recorded)[-1])
    assert sum(value != 0 for value in rewards) > 1 or reward == "final"


def test_cost_can_be_taken_off():
    environment = TheoryOfSpaceEnv(reward="dense", cost_weight=0.5)
    environment.reset(seed=1)
    _, paid, _, _, info = environment.step("Observe()")
    assert float(paid) == pytest.approx(info["information_gain"] - 0.5)


def test_the_budget_truncates():
    environment = TheoryOfSpaceEnv(settings=EpisodeSettings(explore_turns=2))
    environment.reset(seed=1)
    ends = [environment.step("mumble")[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    with pytest.raises(gymnasium.error.ResetNeeded):
        environment.step("Observe()")


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
