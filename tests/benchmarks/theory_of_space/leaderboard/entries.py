"""Entries of scripted models, made from real logs, and ways to lie in them."""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks.theory_of_space.logged_runs import sample, write_log
from tests.benchmarks.theory_of_space.scripted_runs import scripted_case, scripted_scene
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.leaderboard.entry import LeaderboardEntry, entry_from_values
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import entry_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, read_runs
from tolman.report.leaderboard.benchmark import EntryAbout
from tolman.world import generate, write_scene
from tolman.world.select import choose_scenes

SHORT = Options(questions=1, kinds=("direction", "view_to_location", "allocentric_mapping"), budget=3, revise_budget=3)
SEEDS = range(3)
Json = Any


def log_of(folder: Path, agent: str, options: Options = SHORT, seeds: range = SEEDS) -> Path:
    """A log of a scripted model."""
    samples = [sample(scripted_scene(agent, seed, options)) for seed in seeds]
    return write_log(folder, samples, model=f"tolman/{agent}", options=options)


def run_of(log: Path) -> TheoryOfSpaceRun:
    (run,) = read_runs([log], print)
    return run


@cache
def _values(agent: str, options: Options, seeds: range) -> Json:
    with TemporaryDirectory() as folder:
        entry = entry_of(run_of(log_of(Path(folder), agent, options, seeds)), EntryAbout())
    return json.loads(entry.model_dump_json())


def values(agent: str = "random", options: Options = SHORT, seeds: range = SEEDS) -> Json:
    """The JSON of an honest entry, to be tampered with."""
    return deepcopy(_values(agent, options, seeds))


def entry(agent: str = "random", options: Options = SHORT, seeds: range = SEEDS) -> LeaderboardEntry:
    return entry_from_values(values(agent, options, seeds))


def entry_from_a_file(folder: Path) -> LeaderboardEntry:
    """An entry about a scene that was read from a file, `mine.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_scene(generate(5), folder / "mine.json")
    (choice,) = choose_scenes(str(folder / "mine.json"))
    scene = scripted_case("scout", case_of(choice, SHORT), SHORT)
    return entry_of(run_of(write_log(folder, [sample(scene)], options=SHORT)), EntryAbout())
