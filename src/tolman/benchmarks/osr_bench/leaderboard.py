"""The leaderboard of OSR-Bench: rooms from seeds, whose maps and questions the board makes anew."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from tolman.benchmarks.osr_bench.case import Case, LoggedCase, Record, case_to_dict, map_call, question_call
from tolman.benchmarks.osr_bench.cases import generated_cases, reference_co_occurrence
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS
from tolman.benchmarks.osr_bench.results import HEADLINES
from tolman.benchmarks.osr_bench.runs import MAP_TITLES, FinishedScene, Run, condition_name, finish, read_runs
from tolman.benchmarks.osr_bench.scores import score_columns
from tolman.core.errors import SettingsError
from tolman.core.parallel import Tell, Track
from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.report.leaderboard.entry_file import EntryRefused
from tolman.report.leaderboard.ranking import equally_weighted, macro_interval, seed_ranges
from tolman.report.leaderboard.replies import RANK_COLUMN, EntryCase, RepliesLeaderboard, board_columns, origin_values
from tolman.report.statistics import ScoreColumns, column_intervals, values_by_case

_LARGEST_SEED = 10**9
_VIEWS = {"panorama": "", "four": ", four views", "six": ", six views", "blind": ", no picture"}


class RoomLeaderboard(RepliesLeaderboard[Run, Case, Options]):
    """Entries of models that were asked about rooms made from seeds."""

    name = "osr-bench"
    title = "OSR-Bench"
    unit = "room"
    options_class = Options
    record_class = Record
    asked: ClassVar[tuple[str, ...]] = ("asked", "mode", "views", "turns", "rules", "handedness")
    unshown: ClassVar[tuple[str, ...]] = ("class_list", "grid", "each", "distractors")
    columns = board_columns(HEADLINES, title="mean of kinds")
    notes = (
        "Percent. Ranked by the mean over the kinds of question, under the strict rules; all but the second column are "
        "strict. 95 % intervals over rooms.",
        "2=: these rooms do not tell the entry from the best of its rank (permutation tests by room, p > .05 "
        "corrected).",
    )
    checked = (
        "An entry holds every reply of a run. For this page each room was made anew from its seed with its map and its "
        "questions, and the replies were graded again under both rule sets. An entry that lacks a reply, has one to "
        "another question, or claims other scores is refused. No picture is rendered for that.",
    )

    def read_runs(self, paths: Sequence[Path], tell: Tell, track: Track) -> Sequence[Run]:
        return read_runs(paths, tell, track)

    def label(self, run: Run) -> str:
        return condition_name(run.condition)

    def origins(self, run: Run) -> Sequence[Mapping[str, int | str]]:
        """Seeds. Scenes of a folder have none."""
        seeds = [done.logged.case.seed for done in run.cases]
        if None in seeds:
            raise SettingsError(
                f"{run.name} was asked about scenes of a folder, which a board can't make again; submit a run on seeds"
            )
        return [{"seed": seed} for seed in seeds if seed is not None]

    def prepare(self) -> None:
        reference_co_occurrence()

    def make_cases(self, told: Sequence[EntryCase], selection: Mapping[str, object], options: Options) -> list[Case]:
        """Rooms from seeds."""
        del selection
        seeds = [int(origin_values(one, {"seed": int})["seed"]) for one in told]
        if len(set(seeds)) != len(seeds) or not all(0 <= seed < _LARGEST_SEED for seed in seeds):
            raise EntryRefused(f"its seeds are to be different numbers from 0 to {_LARGEST_SEED - 1}")
        return generated_cases(seeds, options)

    def case_to_dict(self, case: Case) -> Mapping[str, object]:
        return case_to_dict(case)

    def calls(self, case: Case, options: Options) -> list[str]:
        """A map for each turn of the camera where one is to be stated, and all questions."""
        found: list[str] = []
        for turn in options.turns:
            found += [map_call(turn)] * (options.mode == "first")
            found += [question_call(turn, question) for question in case.questions]
        return found

    def measure(
        self, logged: Sequence[LoggedCase], options: Options, track: Track
    ) -> Mapping[RuleSetName, ScoreColumns]:
        del options
        rooms = [finish(one) for one in track(logged, self.title)]
        return {rules: _columns(rooms, rules) for rules in RULE_SETS}

    def league_title(self, cases: Sequence[Case], options: Options) -> str:
        """Such as `Standard questions, own map: 1 room from seeds 7`."""
        asked = f"{options.asked.capitalize()} questions, {MAP_TITLES[options.mode]}{_VIEWS[options.views]}"
        turns = f", camera at {', '.join(map(str, options.turns))} degrees" if options.turns != (0,) else ""
        rules = ", published wording" if options.rules == "published" else ""
        seeds = seed_ranges([case.seed for case in cases if case.seed is not None])
        return f"{asked}{turns}{rules}: {len(cases)} room{'s' * (len(cases) != 1)} from seeds {seeds}"


def _columns(rooms: Sequence[FinishedScene], rules: RuleSetName) -> ScoreColumns:
    values = values_by_case((room.id, score_columns(room.scores[rules])) for room in rooms)
    kinds = [values.get(f"ask/{kind}", {}) for kind in QUESTION_KINDS]
    intervals = {**column_intervals(values), RANK_COLUMN: macro_interval(kinds)}
    return ScoreColumns({**values, RANK_COLUMN: equally_weighted(kinds)}, intervals)


LEADERBOARD = RoomLeaderboard()
