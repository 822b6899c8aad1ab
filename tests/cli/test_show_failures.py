"""`tolman show --failures`: why replies could not be parsed, in all three benchmarks, and what truncated ones cost."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.osr_bench import logged_runs as osr_runs
from tests.benchmarks.sparrta.questions import logged_runs as sparrta_runs
from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, case, replies, sample, write_log
from tests.command_line import Here
from tolman.benchmarks.osr_bench.case import LoggedCase as LoggedRoom
from tolman.benchmarks.osr_bench.case import Record
from tolman.benchmarks.osr_bench.options import Options as OsrOptions
from tolman.benchmarks.sparrta.case import Case, RelationQuestion
from tolman.benchmarks.sparrta.options import Options as SparrtaOptions
from tolman.benchmarks.theory_of_space.ideal_observer import scene_insight
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.replay.episode_data import episode_data
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.tables.run_summary import reliability
from tolman.core.reading import ParseFailure
from tolman.harness.records import Call


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("TERM", "dumb")


def shown(here: Here, folder: Path) -> tuple[str, Mapping[str, Any]]:
    """What is printed, and the failures of the one run there is."""
    numbers = folder / "numbers.json"
    run = here("show", folder, "--failures", "--json", numbers)
    assert run.returncode == 0, run.stderr
    (failures,) = json.loads(numbers.read_text(encoding="utf-8"))["failures"]
    return run.stdout, failures


def reasons(failures: Mapping[str, Any]) -> dict[str, str]:
    return {failure["call"].rpartition(": ")[2]: failure["reason"] for failure in failures["unparseable"]}


def test_the_map_after_an_exhausted_budget_is_listed_too(tmp_path: Path, here: Here):
    options = replace(OPTIONS, budget=2, phases=("explore", "probe"))
    said = {f"explore/{turn}": "I look around." for turn in (1, 2)} | {"explore/3/global/1": "There is a sofa."}
    calls = [Call(name=name, reply=reply) for name, reply in said.items()]
    logged = ScoredCase(case(0, options), options, SceneRecord(calls=calls))
    write_log(tmp_path, [sample(logged)], options=options)
    _, failures = shown(here, tmp_path)
    assert reasons(failures) == {"explore/1": "no answer found", "explore/2": "no answer found"} | {
        "explore/3/global/1": "not JSON"
    }
    counted = reliability(TheoryOfSpaceRun("a/model", options, [score_record(logged)], [], 1)).unparseable["strict"]
    assert (counted["turns"].part, counted["maps"].part) == (2, 1)


def test_theory_of_space(tmp_path: Path, here: Here):
    of = case(0)
    said = replies(of)
    direction, location = (name for name in said if name.startswith("ask/"))
    said |= {
        direction: "It cannot be east, near",
        location: "FINAL ANSWER: (2,",
        "explore/1/global/1": said["explore/1/global/1"].replace("}}", "},} // that is all"),
        "explore/2/global/1": "I'm sorry, but I can't draw maps.",
        "explore/3/global/1": '{"unicorn": {"position": [1, 2]}}',
    }
    stops = {location: "max_tokens"}
    calls = [Call(name=name, reply=reply, stop=stops.get(name, "stop")) for name, reply in said.items()]
    write_log(tmp_path, [sample(ScoredCase(of, OPTIONS, SceneRecord(calls=calls)))])
    printed, failures = shown(here, tmp_path)
    assert reasons(failures) == {
        direction: "negated only",
        location: "truncated",
        "explore/2/global/1": "refused",
        "explore/3/global/1": "unknown names",
    }
    assert failures["repaired_json"] == 1
    assert failures["truncated"] == {"answers": 1}
    assert "Unparseable replies by reason" in printed
    assert ParseFailure.NEGATED.sentence in printed
    assert "It cannot be east, near" in printed
    assert "Truncated and repaired replies" in printed


def test_without_truncated_replies_the_rest_is_averaged(tmp_path: Path, here: Here):
    """Of two right answers one is cut: half the points with it, all of them without."""
    of = case(0)
    said = replies(of)
    short = next(name for name in said if name.startswith("ask/"))
    calls = [
        Call(name=name, reply="Let me", stop="max_tokens") if name == short else Call(name=name, reply=reply)
        for name, reply in said.items()
    ]
    write_log(tmp_path, [sample(ScoredCase(of, OPTIONS, SceneRecord(calls=calls)))])
    tables = json.loads(here("show", tmp_path, "--format", "json").stdout)
    (row,) = next(table for table in tables if table["name"] == "truncated")["rows"]
    every, whole, cut = (cell for key, cell in row["cells"].items() if key.startswith("Answers"))
    assert (every["mean"], whole["mean"], cut) == (50.0, 100.0, "1/2")


def test_osr_bench(tmp_path: Path, here: Here):
    of = osr_runs.room(next(iter(osr_runs.ROOMS)))
    options = OsrOptions()
    counting = next(question for question in of.questions if question.kind == "counting")
    way = next(question for question in of.questions if question.kind == "direction")
    calls = [Call(name="0/map", reply="{'bed': [(1, 2),],}")]
    said = {counting.turn: "more than 2", way.turn: "left or right"}
    calls += [Call(name=f"0/{q.turn}", reply=said.get(q.turn, q.answer)) for q in of.questions]
    osr_runs.write_log(tmp_path, [osr_runs.sample(LoggedRoom(of, options, Record(calls=calls)))], options=options)
    printed, failures = shown(here, tmp_path)
    assert reasons(failures) == {f"0/{counting.turn}": "hedged", f"0/{way.turn}": "several answers"}
    assert failures["repaired_json"] == 1
    assert "more than 2" in printed


def test_sparrta(tmp_path: Path, here: Here):
    options = SparrtaOptions()
    cases = sparrta_runs.stored_cases(sparrta_runs.pictures(tmp_path / "pictures"), options)[:2]

    def reply(of: Case, question: RelationQuestion) -> str:
        return "A: 25 %, B: 75 %" if of is cases[0] else question.answer

    logged = [sparrta_runs.lived(of, options, reply) for of in cases]
    sparrta_runs.write_log(tmp_path / "logs", [sparrta_runs.sample(of) for of in logged], options, "some/model")
    printed, failures = shown(here, tmp_path / "logs")
    assert failures["reasons"] == {"several answers": len(cases[0].questions)}
    assert ParseFailure.SEVERAL.sentence in printed


def test_where_everything_could_be_parsed_that_is_said(tmp_path: Path, here: Here):
    of = case(0)
    calls = [Call(name=name, reply=reply) for name, reply in replies(of).items()]
    write_log(tmp_path, [sample(ScoredCase(of, OPTIONS, SceneRecord(calls=calls)))])
    printed, failures = shown(here, tmp_path)
    assert failures["unparseable"] == []
    assert "Every reply could be parsed." in printed
    assert "Truncated and repaired" not in printed


def test_the_replay_says_why_a_reply_could_not_be_parsed():
    of = case(0)
    said = replies(of)
    direction = next(name for name in said if name.startswith("ask/"))
    said |= {direction: "possibly east, near", "explore/2/global/1": "There is no map."}
    scene = score_record(ScoredCase(of, OPTIONS, SceneRecord(calls=[Call(name=n, reply=r) for n, r in said.items()])))
    data: dict[str, Any] = json.loads(json.dumps(episode_data(scene, scene_insight(scene.logged))))
    (why,) = [question["why"] for question in data["questions"] if "why" in question]
    assert why == ParseFailure.UNSURE.sentence
    assert [frame["map"]["why"] for frame in data["frames"] if frame.get("map", {}).get("why")] == [
        ParseFailure.NOT_JSON.sentence
    ]
