"""Released runs are found in folders and archives; damaged and foreign input is refused with a reason."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.hand_built import furnished
from tolman.benchmarks.theory_of_space.case import case_from_dict, case_to_dict
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.released.cases import released_case, scene_of
from tolman.benchmarks.theory_of_space.released.replies import replay
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun, ReleasedRunError, find_runs
from tolman.core.errors import ReplayError, TolmanError
from tolman.core.geometry import Heading
from tolman.explore.episode import ActionFailure
from tolman.world import Scene, changes_between
from tolman.world.files import mask_of

ACTIVE = "experiments/model-a/0123456789abcdef/text/active/think"
PASSIVE = "experiments/model-a/0123456789abcdef/vision/passive/nothink/scout"


def room_of(scene: Scene, moved_to: tuple[int, int] | None = None) -> dict[str, Any]:
    """A scene in the authors' form; the sofa may be moved."""
    objects = [
        {
            "name": thing.name,
            "pos": list(moved_to if moved_to and thing.name == "sofa" else map(float, thing.cell)),
            "ori": list((Heading.EAST if thing.front is None else thing.front).vector),
            "has_orientation": thing.front is not None,
            "room_id": thing.room,
        }
        for thing in scene.things
    ]
    gates = [{"name": door.name, "pos": list(door.cell), "room_id": list(door.rooms)} for door in scene.doors]
    return {"objects": objects, "gates": gates, "mask": mask_of(scene)}


def agent_of(scene: Scene) -> dict[str, Any]:
    return {"pos": [1, 1], "ori": [0, -1], "init_pos": list(map(float, scene.start))}


def turn(number: int, reply: str, told: str = "", room: dict[str, Any] | None = None) -> dict[str, Any]:
    scene = furnished()
    return {
        "turn_number": number,
        "user_message": told,
        "assistant_raw_message": reply,
        "exploration_log": {},
        "false_belief_log": {},
        "room_state": room or room_of(scene),
        "agent_state": agent_of(scene),
    }


def answer(score: float) -> dict[str, Any]:
    log = {"score": score, "evaluation_data": {"question": "Where?", "answer": "north, near"}}
    return {
        "assistant_raw_message": "north, near",
        "evaluation_log": {**log, "user_answer": "north, near"},
        "agent_state": agent_of(furnished()),
    }


def run_files() -> dict[str, Any]:
    """An active run with a revision, and a passive one."""
    scene = furnished()
    history = {"seed": 7, "room_dict": room_of(scene), "agent_dict": agent_of(scene)}
    explored = [turn(1, "Actions: [Observe()]"), turn(2, "Actions: [Query(sofa)]"), turn(3, "Actions: [Term()]", "...")]
    moved = room_of(scene, moved_to=(1, 1))
    revised = [turn(4, "Actions: [Observe()]", room=moved), turn(5, 'Actions: [Term(changes="sofa: moved")]')]
    return {
        f"{ACTIVE}/history_state.json": history,
        f"{ACTIVE}/exploration_turn_logs.json": explored,
        f"{ACTIVE}/false_belief_turn_logs.json": revised,
        f"{ACTIVE}/evaluation_turn_logs.json": {"DirectionEvaluationTask": {"q1": answer(1.0), "q2": answer(0.5)}},
        f"{ACTIVE}/evaluation_turn_logs_use_gt_cogmap.json": {},
        f"{ACTIVE}/metrics.json": {"exploration": {}},
        f"{PASSIVE}/history_state.json": history,
        f"{PASSIVE}/messages.json": [{"role": "user", "content": "hello"}],
        "experiments/model-a/config.json": {},
        "experiments/notes/metrics.json": {},
    }


def write_folder(root: Path, files: dict[str, Any]) -> Path:
    for name, value in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(value), encoding="utf-8")
    return root


def write_archive(path: Path, files: dict[str, Any], mode: str) -> Path:
    with tarfile.open(path, mode) as archive:  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]
        for name, value in files.items():
            content = json.dumps(value).encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))  # pyright: ignore[reportUnknownMemberType]
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path, run_files())


def active_run(path: Path) -> ReleasedRun:
    return next(run for run in find_runs(path) if run.exploration == "active")


# ---- finding ----


def test_runs_are_found_with_their_settings(folder: Path):
    active, passive = find_runs(folder)
    assert (active.model, active.scene_hash, active.world) == ("model-a", "0123456789abcdef", "text")
    assert (active.thinking, active.proxy, active.seed) == (True, None, 7)
    assert (passive.exploration, passive.thinking, passive.proxy) == ("passive", False, "scout")
    assert active.evaluation_modes == ("default", "use_gt_cogmap")
    assert passive.evaluation_modes == ()


@pytest.mark.parametrize("below", ["experiments", "experiments/model-a", ACTIVE])
def test_any_folder_of_the_layout_can_be_pointed_at(folder: Path, below: str):
    assert active_run(folder / below).model == "model-a"


@pytest.mark.parametrize(("name", "mode"), [("runs.tar", "w"), ("runs.tar.gz", "w:gz"), ("runs.tar.xz", "w:xz")])
def test_an_archive_holds_the_same_runs_as_its_folder(folder: Path, tmp_path: Path, name: str, mode: str):
    packed = find_runs(write_archive(tmp_path / name, run_files(), mode))
    assert packed == find_runs(folder)
    assert [run.history for run in packed] == [run.history for run in find_runs(folder)]
    assert replay(packed[0]) == replay(active_run(folder))


def test_answers_are_typed(folder: Path):
    first, second = active_run(folder).answers()
    assert (first.task, first.question_id, first.score, second.score) == ("DirectionEvaluationTask", "q1", 1.0, 0.5)
    assert first.question["answer"] == "north, near"


# ---- scenes and replay ----


def test_the_scene_is_rebuilt_with_frontless_things_and_doors(folder: Path):
    assert scene_of(active_run(folder)) == furnished()


def test_a_replay_goes_through_both_phases(folder: Path):
    episode = replay(active_run(folder))
    assert [turn.phase for turn in episode.turns] == ["explore"] * 3 + ["revise"] * 2
    assert (episode.cost(), episode.cost("revise"), episode.over) == (3, 1, True)
    assert episode.before == furnished()
    assert [change.name for change in changes_between(furnished(), episode.scene)] == ["sofa"]


def test_a_query_that_the_log_shows_refused_is_refused(tmp_path: Path):
    files = run_files()
    files[f"{ACTIVE}/exploration_turn_logs.json"][2]["user_message"] = "Cannot query sofa: not observed."
    run = active_run(write_folder(tmp_path, files))
    episode = replay(run)
    assert isinstance(episode.turns[1].failure, ActionFailure)
    assert episode.cost() == 1
    case = released_case(run, Options(phases=("explore", "revise")))
    assert case.refused == ("explore/2",)
    assert case_from_dict(json.loads(json.dumps(case_to_dict(case)))) == case


def test_turns_after_the_end_of_a_phase_are_refused(tmp_path: Path):
    files = run_files()
    files[f"{ACTIVE}/exploration_turn_logs.json"] += [turn(4, "Actions: [Observe()]")]
    with pytest.raises(ReplayError, match="turn 4"):
        replay(active_run(write_folder(tmp_path, files)))


def test_a_passive_run_has_nothing_to_replay(folder: Path):
    with pytest.raises(ReleasedRunError, match="no turns to replay"):
        replay(find_runs(folder)[1])


# ---- damage ----


def test_a_missing_path_and_a_foreign_folder_are_refused(tmp_path: Path):
    with pytest.raises(ReleasedRunError, match="neither a folder nor an archive"):
        find_runs(tmp_path / "nowhere")
    with pytest.raises(ReleasedRunError, match="holds no released run"):
        find_runs(tmp_path)


@pytest.mark.parametrize("content", [b"", b"not an archive", b"\xfd7zXZ\x00broken"])
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, content: bytes):
    (tmp_path / "runs.tar.xz").write_bytes(content)
    with pytest.raises(ReleasedRunError, match=r"runs\.tar\.xz"):
        find_runs(tmp_path / "runs.tar.xz")


@pytest.mark.parametrize(("name", "mode"), [("runs.tar", "w"), ("runs.tar.gz", "w:gz"), ("runs.tar.xz", "w:xz")])
def test_a_truncated_archive_is_refused(tmp_path: Path, name: str, mode: str):
    whole = write_archive(tmp_path / name, run_files(), mode)
    content = whole.read_bytes()
    whole.write_bytes(content[: len(content) // 3 + 7])
    with pytest.raises(ReleasedRunError, match="not a readable tar archive"):
        find_runs(whole)


@pytest.mark.parametrize("name", ["/etc/metrics.json", f"../{ACTIVE}/metrics.json", f"{ACTIVE}/../metrics.json"])
def test_paths_that_lead_out_of_an_archive_are_refused(tmp_path: Path, name: str):
    archive = write_archive(tmp_path / "runs.tar", {**run_files(), name: {}}, "w")
    with pytest.raises(ReleasedRunError, match="leads out"):
        find_runs(archive)


def test_links_that_lead_out_of_a_folder_are_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    secret = tmp_path_factory.mktemp("elsewhere") / "messages.json"
    secret.write_text("[]", encoding="utf-8")
    (folder / ACTIVE / "messages.json").symlink_to(secret)
    with pytest.raises(ReleasedRunError, match=r"has no messages\.json"):
        _ = active_run(folder).messages


@pytest.mark.parametrize("content", ["{", "[]", '{"seed": "x"}', "\x00", '{"seed": 1e999}', "[" * 100_000])
def test_a_damaged_file_is_named(folder: Path, content: str):
    (folder / ACTIVE / "history_state.json").write_text(content, encoding="utf-8")
    with pytest.raises(ReleasedRunError, match=r"history_state\.json is not a released log"):
        scene_of(active_run(folder))


def test_a_damaged_file_does_not_hide_the_others(folder: Path):
    (folder / ACTIVE / "metrics.json").write_text("{", encoding="utf-8")
    run = active_run(folder)
    assert run.seed == 7
    with pytest.raises(TolmanError, match=r"metrics\.json"):
        _ = run.metrics


@pytest.mark.parametrize("part", ["gates", "objects", "mask"])
def test_a_scene_that_contradicts_itself_is_refused(tmp_path: Path, part: str):
    files = run_files()
    room = files[f"{ACTIVE}/history_state.json"]["room_dict"]
    room[part] = {"gates": [], "objects": [{**room["objects"][0], "pos": [99, 99]}], "mask": []}[part]
    with pytest.raises(ReleasedRunError, match="can't be rebuilt"):
        scene_of(active_run(write_folder(tmp_path, files)))
