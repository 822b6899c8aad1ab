"""Who is compared with whom: only those who were asked the same, about the same, with the same truths and budgets."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.theory_of_space.leaderboard.entries import SHORT, entry_from_a_file, run_of, values
from tests.benchmarks.theory_of_space.logged_runs import sample, write_log
from tests.benchmarks.theory_of_space.scripted_runs import scripted_case
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.leaderboard.entry import LeaderboardEntry, entry_from_values
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import entry_of, verify
from tolman.report.leaderboard.benchmark import EntryAbout
from tolman.report.leaderboard.entry_file import EntryRefused
from tolman.report.leaderboard.ranking import leagues
from tolman.world import generate, write_scene
from tolman.world.select import choose_scenes


def _leagues(*entries: LeaderboardEntry) -> list[list[str]]:
    found = leagues([verify(entry, {}) for entry in entries])
    return [[standing.verified.entry.name for standing in league.standings] for league in found]


def test_entries_of_one_case_stand_together_and_another_budget_is_another_league():
    scout, random = (entry_from_values(values(agent)) for agent in ("scout", "random"))
    assert _leagues(scout, random) == [["tolman/scout", "tolman/random"]]
    longer = entry_from_values(values("scout", replace(SHORT, budget=4)))
    assert sorted(map(len, _leagues(scout, random, longer))) == [1, 2]
    (other,) = (league for league in leagues([verify(longer, {})]))
    assert other.title.endswith(", 4 turns")


def _of_a_file(folder: Path, *, rewritten: bool, released: bool, agent: str = "random") -> LeaderboardEntry:
    """An entry of a scene from a file; the truth of its first question may be another, and all scores follow it."""
    folder.mkdir()
    write_scene(generate(5), folder / "mine.json")
    (choice,) = choose_scenes(str(folder / "mine.json"))
    case = case_of(choice, SHORT)
    first, second, *others = case.questions
    if rewritten:
        first = replace(first, truth={**first.truth, "direction": "north", "answer": "north"})
    case = replace(case, questions=(first, second, *others), released=released)
    log = write_log(folder, [sample(scripted_case(agent, case, SHORT))], options=SHORT)
    return entry_of(run_of(log), EntryAbout(name=f"{agent} {'forged' if rewritten else 'honest'}"))


def test_an_entry_with_rewritten_truths_is_refused(tmp_path: Path):
    assert verify(_of_a_file(tmp_path / "honest", rewritten=False, released=False), {})
    forged = _of_a_file(tmp_path / "forged", rewritten=True, released=False)
    with pytest.raises(EntryRefused, match="are not those that its scene gives"):
        verify(forged, {})


def test_where_truths_can_not_be_made_again_other_truths_are_another_league(tmp_path: Path):
    """Cases of the authors' released runs hold the authors' questions, which nobody can draw again."""
    entries = [
        _of_a_file(tmp_path / "a", rewritten=False, released=True),
        _of_a_file(tmp_path / "b", rewritten=False, released=True, agent="scout"),
        _of_a_file(tmp_path / "c", rewritten=True, released=True),
    ]
    assert sorted(sorted(league) for league in _leagues(*entries)) == [
        ["random forged"],
        ["random honest", "scout honest"],
    ]


def test_a_change_or_a_seed_of_ones_own_is_refused_too(tmp_path: Path):
    told: Any = json.loads(entry_from_a_file(tmp_path / "file").model_dump_json())
    lies: dict[str, Any] = {"changed": None, "seed": 3, "questions": []}
    for name, value in lies.items():
        tampered = json.loads(json.dumps(told))
        tampered["scenes"][0]["case"][name] = value
        with pytest.raises(EntryRefused, match="are not those that its scene gives"):
            verify(entry_from_values(tampered), {})
