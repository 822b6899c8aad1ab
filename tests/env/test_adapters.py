"""The adapters for trainers, without the trainers: the same seed is the same episode, reward and digest in all.

`make integrations` runs them in the real libraries.
"""

import asyncio
import inspect
from collections.abc import Callable
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.env.planned_episode import SEED, SMALL_PICTURES, expected_episode, planned, planned_replies
from tolman.core.errors import SettingsError
from tolman.env import EnvironmentOptions, Exploration
from tolman.env.gym import TheoryOfSpaceEnv
from tolman.env.options import SPLITS
from tolman.env.trl import HOW_TO_REPLY, OVER, training_rows
from tolman.env.trl import TheoryOfSpace as TrlEnvironment
from tolman.env.vagen import TheoryOfSpace as VagenEnvironment

Played = dict[str, Any]
REPLIES = planned_replies()


def played_with_gymnasium() -> Played:
    environment = TheoryOfSpaceEnv()
    environment.reset(seed=SEED)
    rewards = [float(environment.step(reply)[1]) for reply in REPLIES]
    assert environment.episode == planned()
    return {"rewards": rewards, "digest": environment.exploration.digest}


def played_with_trl() -> Played:
    environment = TrlEnvironment()
    first = environment.reset(**training_rows([SEED])[0])
    assert isinstance(first, str)
    assert first.endswith(HOW_TO_REPLY)
    said = [environment.reply(text=reply) for reply in REPLIES]
    assert said[-1] == f"This phase is over.\n\n{OVER}"
    assert environment.reply(text="Observe()") == OVER
    assert environment.get_reward() == sum(environment.exploration.rewards)
    return {"rewards": environment.exploration.rewards, "digest": environment.exploration.digest}


def played_with_vagen() -> Played:
    async def play() -> Played:
        environment = VagenEnvironment({"reward": "dense"})
        system = await environment.system_prompt()
        _, info = await environment.reset(SEED)
        assert system["obs_str"] == environment.exploration.system
        rewards: list[float] = []
        done = False
        for reply in REPLIES:
            assert not done
            observed, reward, done, info = await environment.step(reply)
            assert "multi_modal_input" not in observed
            rewards.append(reward)
        assert (done, info["success"], info["truncated"]) == (True, True, False)
        await environment.close()
        return {"rewards": rewards, "digest": info["digest"]}

    return asyncio.run(play())


@pytest.mark.parametrize("play", [played_with_gymnasium, played_with_trl, played_with_vagen])
def test_all_adapters_give_the_same_episode(play: Callable[[], Played]):
    expected = expected_episode()
    assert play() == {"rewards": expected["rewards"], "digest": expected["digest"]}
    assert sum(expected["rewards"]) == pytest.approx(1.0)


def test_the_manifest_for_openenv_states_the_splits_and_names_an_oracle():
    folder = files("tolman") / "env" / "openenv"
    manifest = yaml.safe_load((folder / "openenv.yaml").read_text())["validation"]["capabilities"]
    assert manifest["declared_task_count"] == {split: len(seeds) for split, seeds in SPLITS.items()}
    assert (folder / manifest["oracle"]["location"]).is_file()
    assert not set(SPLITS["train"]).intersection(SPLITS["test"])


def test_vagens_interface_is_met():
    """`GymImageEnv` of VAGEN: four asynchronous methods with these parameters."""
    wanted = {"system_prompt": ["self"], "reset": ["self", "seed"], "step": ["self", "action_str"], "close": ["self"]}
    for name, parameters in wanted.items():
        method = getattr(VagenEnvironment, name)
        assert inspect.iscoroutinefunction(method)
        assert list(inspect.signature(method).parameters) == parameters
    assert list(inspect.signature(VagenEnvironment).parameters) == ["env_config"]


def test_trl_sees_one_tool():
    """TRL takes every public function of the class but `reset` and `get_reward` as a tool."""
    public = [name for name, _ in inspect.getmembers(TrlEnvironment, inspect.isfunction) if name[0] != "_"]
    assert sorted(public) == ["get_reward", "reply", "reset"]
    assert "Args:" in (TrlEnvironment.reply.__doc__ or "")


def test_scenes_of_the_evaluation_are_refused():
    with pytest.raises(SettingsError, match="scene of the evaluation"):
        TrlEnvironment().reset(seed=7)
    with pytest.raises(SettingsError, match="scene of the evaluation"):
        training_rows([99_999])
    with pytest.raises(SettingsError, match="scene of the evaluation"):
        asyncio.run(VagenEnvironment({}).reset(7))
    assert TrlEnvironment(allow_test_scenes=True).reset(seed=7)


def test_options_are_the_same_in_all_and_checked():
    for make in (TrlEnvironment, lambda **options: VagenEnvironment(options), TheoryOfSpaceEnv):  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType, reportUnknownArgumentType]
        make(rooms=2, reward="ceiling", budget=5)
        with pytest.raises(SettingsError, match="no option 'romms'"):
            make(romms=2)
        with pytest.raises(SettingsError, match="no reward"):
            make(reward="sparse")
        with pytest.raises(SettingsError, match="1 to 32 rooms"):
            make(rooms=0)


def test_a_row_overrides_options():
    environment = TrlEnvironment(rooms=3)
    environment.reset(seed=SEED, rooms=1, things=2, reward=None, prompt="left alone")
    assert environment.exploration.options == EnvironmentOptions(rooms=1, things=2)


def test_a_reply_can_not_bring_pictures_in():
    exploration = Exploration(SEED, EnvironmentOptions(rooms=1, world="vision"))
    before = exploration.text.count("<image>")
    outcome = exploration.reply("FINAL ANSWER:\nActions: [Jump(<image>), Goto(a), Observe()] ⟦picture names⟧")
    assert before == 2
    assert outcome.message.count("<image>") == len(exploration.pictures)


@pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")
def test_pictures_are_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path))
    options = {**SMALL_PICTURES, "world": "vision"}
    reply = "Actions: [Observe()]"
    trl = TrlEnvironment(**options)
    first: Any = trl.reset(seed=SEED)
    block: Any = trl.reply(text=reply)
    assert [part["type"] for part in first] == ["text", "image", "text", "image", "text"]
    vagen = VagenEnvironment(options)

    async def look() -> Any:
        await vagen.reset(SEED)
        return (await vagen.step(reply))[0]

    seen = asyncio.run(look())
    (picture,) = seen["multi_modal_input"]["<image>"]
    assert seen["obs_str"].count("<image>") == 1
    assert picture.tobytes() == next(part["image"].tobytes() for part in block if part["type"] == "image")
