"""No lie in an entry is believed: whatever is changed, it is refused by name, or nothing follows from it."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.theory_of_space.leaderboard.entries import SHORT, entry, values
from tests.benchmarks.theory_of_space.logged_runs import case, passive
from tolman.ask import Question, find_kind
from tolman.benchmarks.theory_of_space.case import turn_call
from tolman.benchmarks.theory_of_space.leaderboard.entry import entry_from_values
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import entry_of, verify
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.core.geometry import Heading
from tolman.report.leaderboard.benchmark import EntryAbout, VerifiedEntry
from tolman.report.leaderboard.entry_file import EntryRefused
from tolman.sense import look
from tolman.world import START

Json = Any
Path = tuple[str | int, ...]


def checked(tampered: Json) -> VerifiedEntry:
    """As from a file: JSON and back."""
    return verify(entry_from_values(json.loads(json.dumps(tampered))), {})


def refusal(tampered: Json) -> str:
    with pytest.raises(EntryRefused) as caught:
        checked(tampered)
    reason = str(caught.value)
    assert "\n" not in reason
    return reason


def at(of: Json, path: Path) -> Json:
    for part in path:
        of = of[part]
    return of


def put(of: Json, path: Path, value: Json) -> Json:
    at(of, path[:-1])[path[-1]] = value
    return of


def paths(of: Json, under: Path = ()) -> Iterator[Path]:
    """The places of all numbers and words in some JSON."""
    if not isinstance(of, dict | list):
        yield under
        return
    known = cast("Json", of)
    for key in known if isinstance(of, dict) else range(len(known)):
        yield from paths(known[key], (*under, key))


def scores(rules: str = "strict", scene: int = 1) -> Path:
    return "scenes", scene, "scores", rules


def call_at(tampered: Json, scene: int, name: str) -> Json:
    return next(call for call in tampered["scenes"][scene]["record"]["calls"] if call["name"] == name)


# ---- honest ----


@pytest.mark.parametrize("agent", ["random", "scout"])
def test_an_honest_entry_holds(agent: str):
    found = verify(entry(agent), {})
    assert found.from_seeds
    assert found.measured["strict"].interval("ask/none").mean == entry(agent).summary["strict"]["ask/none"].mean


def test_so_does_one_of_a_passive_model_and_one_with_other_options():
    assert verify(entry("scout", passive(SHORT)), {}).options.mode == "passive"
    repeated = replace(SHORT, repeats=2, maps=("none", "say"), probe="last")
    assert verify(entry("scout", repeated, range(1)), {})


SEEN = replace(SHORT, world="vision", kinds=("direction", "view_to_location_vision"), assets="/home/ann/chairs")


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_so_does_one_of_the_vision_world_without_any_picture(mode: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    seen = replace(SEEN, mode=mode)
    found = checked(values("oracle", seen, range(1)))
    assert (found.options.world, found.options.assets, found.from_seeds) == ("vision", "chairs", True)
    tampered = values("oracle", seen, range(1))
    name = "ask/none/view_to_location_vision/1"
    at(tampered, scores(scene=0))[name] += 0.5
    assert refusal(tampered).startswith(f"scene 0, {name} under strict: claimed ")
    call_at(tampered, 0, name)["name"] = "ask/none/view_to_location/1"
    assert f"{name}: there is no reply" in refusal(tampered)


def test_what_only_the_text_world_answers_gives_nothing_in_the_vision_world():
    """A query is answered in words only, so that a text run with queries does not hold as a vision run."""
    told = replace(SHORT, phases=("explore",))
    of = case(0, told)
    (near, *_), _ = look(of.scene, of.scene.pose_at(START, Heading.NORTH))
    said = ("Actions: [Observe()]", f"Actions: [Query({near.name})]", "Actions: [Term()]")
    calls = [Call(name=turn_call("explore", number), reply=reply) for number, reply in enumerate(said, start=1)]
    run = TheoryOfSpaceRun("a/b", told, [score_record(ScoredCase(of, told, SceneRecord(calls=calls)))], [], 1)
    tampered = json.loads(entry_of(run, EntryAbout()).model_dump_json())
    assert checked(tampered)
    assert "scene 0, explore/" in refusal(put(tampered, ("options", "world"), "vision"))


# ---- tampered, one by one ----


def test_a_score_that_is_not_so_is_named_with_what_it_is():
    tampered = values()
    name = "ask/none/direction/1"
    so = at(tampered, scores())[name]
    reason = refusal(put(tampered, (*scores(), name), 1.0 if so != 1.0 else 0.0))
    assert reason.startswith(f"scene 1, {name} under strict: claimed ")
    assert f"recomputed {so:.1f}" in reason


def test_it_is_told_how_many_differ():
    tampered = values()
    for name in ("ask/none/direction/1", "explore/cost", "explore/gain/1"):
        at(tampered, scores("published"))[name] += 0.25
    reason = refusal(tampered)
    assert "under published" in reason
    assert "(3 items differ)" in reason


@pytest.mark.parametrize("name", ["ask/none/direction/1", "explore/cost", "map/1/1/update/position", "revise/f1"])
def test_a_score_that_is_left_out_is_missed(name: str):
    tampered = values()
    del at(tampered, scores())[name]
    assert re.match(f"scene 1, {name} under strict: nothing is claimed, recomputed ", refusal(tampered))


def test_a_score_of_nothing_is_refused():
    tampered = put(values(), (*scores(), "ask/none/direction/2"), 1.0)
    assert "scene 1, ask/none/direction/2 under strict: claimed 1.0, but there is no such item" in refusal(tampered)


def test_a_better_answer_does_not_make_a_better_score():
    """The reply is changed to the right one, and the score is left as it was."""
    tampered = values()
    name, scene = _wrong_answer(tampered)
    question = _question(scene, name)
    call_at(tampered, scene, name)["reply"] = f"FINAL ANSWER: {find_kind(question.kind).oracle(question)}"
    assert refusal(tampered).startswith(f"scene {scene}, {name} under strict: claimed ")


def _wrong_answer(of: Json) -> tuple[str, int]:
    return next(
        (name, scene)
        for scene in range(len(of["scenes"]))
        for name, score in at(of, scores(scene=scene)).items()
        if name.startswith("ask/") and score < 1.0
    )


def _question(seed: int, name: str) -> Question:
    return next(question for question in case(seed, SHORT).questions if question.kind == name.split("/")[2])


def test_a_reply_that_is_left_out_with_its_score_is_missed():
    """Else, bad answers could be dropped."""
    tampered = values()
    calls = tampered["scenes"][1]["record"]["calls"]
    calls.remove(call_at(tampered, 1, "ask/none/direction/1"))
    for rules in ("strict", "published"):
        del at(tampered, scores(rules))["ask/none/direction/1"]
    assert refusal(tampered).startswith("scene 1, ask/none/direction/1: there is no reply")


def test_a_probe_that_is_left_out_is_missed():
    tampered = values()
    tampered["scenes"][1]["record"]["calls"].remove(call_at(tampered, 1, "explore/1/points/1"))
    assert refusal(tampered).startswith("scene 1, explore/1/points/1: there is no reply")


def test_a_turn_that_is_left_out_is_missed():
    tampered = values()
    tampered["scenes"][1]["record"]["calls"].remove(call_at(tampered, 1, "explore/1"))
    assert "explore/1" in refusal(tampered)


def test_replies_to_calls_that_are_never_made_are_refused():
    tampered = values()
    tampered["scenes"][0]["record"]["calls"].append({"name": "explore/99", "reply": "Actions: [Term()]"})
    assert refusal(tampered).startswith("scene 0, explore/99: a reply to a call that is never made")


def test_two_replies_to_one_call_are_refused():
    tampered = values()
    tampered["scenes"][0]["record"]["calls"].append(call_at(tampered, 0, "ask/none/direction/1"))
    assert refusal(tampered).startswith("scene 0, ask/none/direction/1: 2 replies to one call")


def test_a_log_that_the_explorer_never_wrote_is_refused():
    tampered = values("scout", passive(SHORT))
    del tampered["scenes"][0]["record"]["log"][2]
    assert "scene 0, the log that was read is not the explorer's" in refusal(tampered)


def test_an_active_model_reads_no_log():
    tampered = put(values(), ("scenes", 0, "record", "log"), ["Actions: [Observe()]"])
    assert "the log that was read is not the explorer's" in refusal(tampered)


def test_a_summary_that_does_not_follow_is_refused():
    tampered = values()
    at(tampered, ("summary", "strict", "ask/none"))["mean"] += 0.1
    assert refusal(tampered).startswith("summary, mean of ask/none under strict: claimed ")
    shorter = values()
    del shorter["summary"]["published"]["explore/gain"]
    assert "explore/gain under published: nothing is claimed" in refusal(shorter)


def test_scenes_are_made_from_their_seeds_and_nothing_else():
    other = put(values(), ("scenes", 1, "seed"), 77)
    assert "scene 1 is not the one that its seed makes" in refusal(other)
    renamed = put(put(values(), ("scenes", 1, "seed"), 77), ("scenes", 1, "id"), "77")
    assert "scene 77 is not the one that its seed makes" in refusal(renamed)
    assert "scene 1" in refusal(put(values(), ("scenes", 1, "digest"), "0" * 64))
    larger = put(values(), ("worlds", "rooms"), 4)
    assert "is not the one that its seed makes" in refusal(larger)
    twice = values()
    twice["scenes"].append(twice["scenes"][0])
    assert refusal(twice) == "scene 0 is there twice"


def test_what_its_split_does_not_have_is_refused():
    assert "should be" in refusal(put(values(), ("scenes", 0, "seed"), None))
    assert "case" in refusal(put(values(), ("scenes", 0, "case"), {}))
    assert "commitment" in refusal(put(values(), ("split", "commitment"), "0" * 64))
    assert "should be none" in refusal(put(values(), ("split", "kind"), "files"))


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("surprise", 1, "there is no option 'surprise'"),
        ("budget", "many", "its option budget is not one"),
        ("budget", 261, "260 is the most"),
        ("questions", 10**9, "its options can't be"),
        ("mode", "sleeping", "its option mode is not one"),
        ("maps", [], "its options can't be"),
        ("maps", ["none", "none"], "names something twice"),
        ("kinds", ["riddle"], "its options can't be"),
        ("kinds", ["direction"], "never made"),
        ("phases", ["explore", "ask"], "never made"),
        ("questions", 2, "there is no reply"),
        ("captions", True, "for tests only"),
        ("mode", "passive", "the log that was read is not the explorer's"),
    ],
)
def test_options_that_it_was_not_run_with_are_refused(option: str, value: Json, reason: str):
    assert reason in refusal(put(values(), ("options", option), value))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("format",), "tolman.entry/2", "its format is tolman.entry/2, not tolman.entry/1"),
        (("benchmark",), "chess", "benchmark"),
        (("surprise",), 1, "surprise"),
        (("name",), "", "name"),
        (("name",), "a\x1b[31mred", "can't be printed"),
        (("name",), "x" * 10_000, "name"),
        (("link",), "javascript:alert(1)", "link"),
        (("scenes",), [], "scenes"),
        (("scenes", 0, "seed"), -1, "seed"),
        (("scenes", 0, "record", "calls", 0, "cost"), -1.0, "its tokens or its price can't be"),
        (("scenes", 0, "record", "calls", 0, "reply"), "x" * 4_000_001, "longer than any reply"),
        (("worlds", "things"), 10**6, "things"),
    ],
)
def test_what_is_no_entry_is_refused_with_the_place(path: Path, value: Json, reason: str):
    assert reason in refusal(put(values(), path, value))


def test_another_version_is_told_of():
    tampered = put(values(), ("tolman",), "0.0.1")
    assert checked(tampered), "that alone does no harm"
    at(tampered, scores())["explore/cost"] += 1
    assert "it was written by Tolman 0.0.1" in refusal(tampered)


# ---- tampered at random ----

TINY = replace(SHORT, budget=2, revise_budget=2)
HONEST = values("random", TINY, range(2))
CLAIMS = [
    path
    for path in paths(HONEST)
    if path[0] in ("scenes", "summary") and "record" not in path and isinstance(at(HONEST, path), int | float)
]
REPLIES = [path for path in paths(HONEST) if path[-1] == "reply"]
fewer = settings(max_examples=settings.default.max_examples // 3 if settings.default else 20)
"""Each example scores whole scenes."""


@fewer
@given(path=st.sampled_from(CLAIMS), by=st.floats(1e-6, 10) | st.floats(-10, -1e-6) | st.just(1))
def test_every_number_that_is_changed_is_refused(path: Path, by: float):
    reason = refusal(put(deepcopy(HONEST), path, at(HONEST, path) + by))
    if path[0] == "summary":
        assert reason.startswith("summary, ")
    elif path[-1] != "seed":
        assert reason.startswith(f"scene {path[1]}, {path[-1]} under {path[3]}: claimed ")


@fewer
@given(path=st.sampled_from(CLAIMS))
def test_every_number_that_is_taken_away_is_missed(path: Path):
    tampered = deepcopy(HONEST)
    del at(tampered, path[:-1])[path[-1]]
    refusal(tampered)


@fewer
@given(path=st.sampled_from(REPLIES), other=st.sampled_from(REPLIES), text=st.none() | st.text(max_size=30))
def test_a_changed_reply_is_refused_or_changes_no_number(path: Path, other: Path, text: str | None):
    gives_nothing(put(deepcopy(HONEST), path, at(HONEST, other) if text is None else text))


@fewer
@given(path=st.sampled_from(list(paths(HONEST))), value=st.sampled_from([None, True, -1, 1e308, "", "\ud83d", [], {}]))
def test_nonsense_anywhere_is_refused_or_changes_no_number(path: Path, value: Json):
    gives_nothing(put(deepcopy(HONEST), path, value))


def gives_nothing(tampered: Json) -> None:
    """Whoever tampers is found out, or has the same numbers as before."""
    with suppress(EntryRefused):
        assert numbers(checked(tampered)) == numbers(checked(HONEST))


def numbers(of: VerifiedEntry) -> Json:
    return [measured.values for measured in of.measured.values()]


def test_these_entries_have_something_to_lie_about():
    assert len(CLAIMS) > 200
    assert any(at(HONEST, path) < 1 for path in CLAIMS if str(path[-1]).startswith("ask/"))
