"""The leaderboard of SpaRRTa's questions: generated pictures, whose samples the board places anew.

That takes the renderer, which traces what is hidden from the camera. A picture is rendered, roughly, only where the
first placement that holds is not the claimed one.
"""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from tolman.benchmarks.sparrta.case import Case, LoggedCase, Record, case_to_dict
from tolman.benchmarks.sparrta.cases import case_of
from tolman.benchmarks.sparrta.dataset.files import StoredPicture, params_json, picture_paths, read_params
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.questions.accuracy import VIEWPOINT_NAMES, balanced_accuracy
from tolman.benchmarks.sparrta.questions.results import HEADLINES
from tolman.benchmarks.sparrta.questions.runs import (
    CHANCE,
    GENERATED,
    AnsweredQuestion,
    Run,
    answered_questions,
    finish,
    open_logs,
    read_runs,
)
from tolman.benchmarks.sparrta.sample import RELATIONS, VIEWPOINTS, Sample, Triple, triple_of
from tolman.core.errors import RenderError, SettingsError
from tolman.core.parallel import Tell, Track
from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.report.leaderboard.entry_file import EntryRefused
from tolman.report.leaderboard.ranking import equally_weighted, macro_interval
from tolman.report.leaderboard.replies import (
    RANK_COLUMN,
    EntryCase,
    RepliesEntry,
    RepliesLeaderboard,
    board_columns,
    origin_values,
)
from tolman.report.statistics import ByCase, Interval, ScoreColumns

_ORIGIN = {"environment": str, "triple": int, "number": int}
_LARGEST_NUMBER = 10**9
_SELECTION: dict[str, object] = {"balanced": False, "assets": "auto", "preset": "standard"}
_ASSETS, _PRESETS = ("auto", "pack", "built-in"), ("preview", "draft", "standard", "reference")
_SECONDS, _PER_PICTURE, _MOST_SECONDS = 20.0, 5.0, 3600.0
"""CPU seconds of a check. Building an environment takes 2 to 4, placing a picture in it 0.2 to 1."""


class PictureLeaderboard(RepliesLeaderboard[Run, Case, Options]):
    """Entries of models that were asked about generated pictures."""

    name = "sparrta"
    title = "SpaRRTa"
    unit = "picture"
    options_class = Options
    record_class = Record
    selection_defaults: ClassVar[Mapping[str, object]] = _SELECTION
    asked: ClassVar[tuple[str, ...]] = ("viewpoints", "ambiguity", "point", "blind")
    most: ClassVar[Mapping[str, int]] = {"size": 1024}
    columns = board_columns(HEADLINES, ("strict",), "balanced")
    notes = (
        "Percent. Balanced accuracy: the mean over the relations; always the same word gets 25 %. Ranked by the mean "
        "over viewpoints and relations. 95 % intervals over pictures.",
        "2=: these pictures do not tell the entry from the best of its rank (permutation tests by picture, p > .05 "
        "corrected).",
    )
    checked = (
        "An entry holds every reply of a run. For this page the things of each picture were placed anew from its "
        "environment, triple and number, and the replies were graded again. An entry that lacks a reply, has one to "
        "another question, or claims other scores is refused.",
    )
    references: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "chance": {RANK_COLUMN: CHANCE, **{column.key: CHANCE for column in HEADLINES}}
    }

    def read_runs(self, paths: Sequence[Path], tell: Tell, track: Track) -> Sequence[Run]:
        """Runs whose settings say how their pictures were made."""
        runs = read_runs(paths, tell, track)
        given = {log.path: log.header.eval.task_args for log in open_logs(paths, _untold)}
        return [replace(run, settings={**run.settings, **_selected(run, given)}) for run in runs]

    def label(self, run: Run) -> str:
        return f"{'-'.join(run.options.viewpoints)}-{'think' if run.options.think else 'plain'}"

    def selection(self, run: Run) -> Mapping[str, object]:
        return {name: run.settings.get(name, usual) for name, usual in _SELECTION.items()}

    def origins(self, run: Run) -> Sequence[Mapping[str, int | str]]:
        """Environments, triples and numbers. Pictures of a folder may be anything."""
        if run.settings.get("data") != GENERATED:
            raise SettingsError(
                f"{run.name} was asked about pictures of a folder, which a board can't make again; "
                "submit a run on generated pictures"
            )
        cases = [done.logged.case for done in run.cases]
        return [
            {"environment": case.environment, "triple": case.triple, "number": int(case.id.rpartition("-")[2])}
            for case in cases
        ]

    def seconds(self, size: int, entry: RepliesEntry) -> float:
        return min(_MOST_SECONDS, max(super().seconds(size, entry), _SECONDS + _PER_PICTURE * len(entry.cases)))

    def make_cases(self, told: Sequence[EntryCase], selection: Mapping[str, object], options: Options) -> list[Case]:
        """Pictures of one variant of an environment one after another, as building it takes longest."""
        _check_selection(selection)
        if importlib.util.find_spec("mitsuba") is None:
            raise RenderError("pictures are placed with Mitsuba: pip install 'tolman[render]'")
        from tolman.benchmarks.sparrta.scenes.staging import variant_of  # noqa: PLC0415 loads all that renders

        wanted = [_wanted(one) for one in told]
        if len(set(wanted)) != len(wanted):
            raise EntryRefused("a picture is there twice")

        def variant(place: int) -> tuple[str, int, int]:
            triple, number = wanted[place]
            return triple.name, variant_of(triple.environment, number), number

        with TemporaryDirectory() as folder:
            placed = _Placement(Path(folder), selection, options)
            found = {
                place: self._case(placed, told[place], *wanted[place])
                for place in sorted(range(len(told)), key=variant)
            }
        return [found[place] for place in range(len(told))]

    def _case(self, placed: "_Placement", told: EntryCase, triple: Triple, number: int) -> Case:
        """The case of the first sample that holds; the picture's own mask is only asked where that is another."""
        case = placed.case(triple, number, exact=False)
        return case if self.is_told(told, case) else placed.case(triple, number, exact=True)

    def case_to_dict(self, case: Case) -> Mapping[str, object]:
        """Where its file lies is no part of it."""
        return case_to_dict(replace(case, picture=""))

    def calls(self, case: Case, options: Options) -> list[str]:
        del options
        return [question.viewpoint for question in case.questions]

    def measure(
        self, logged: Sequence[LoggedCase], options: Options, track: Track
    ) -> Mapping[RuleSetName, ScoreColumns]:
        """Both rule sets grade alike."""
        del options
        answers = list(answered_questions([finish(one) for one in track(logged, self.title)]))
        values: dict[str, ByCase] = {}
        intervals: dict[str, Interval] = {}
        every: list[ByCase] = []
        for view, column in zip(VIEWPOINTS, HEADLINES, strict=True):
            if of_view := [answer for answer in answers if answer.viewpoint == view]:
                by_relation = [_right(of_view, relation) for relation in RELATIONS]
                values[column.key] = equally_weighted(by_relation)
                intervals[column.key] = balanced_accuracy(of_view)
                every += by_relation
        values[RANK_COLUMN], intervals[RANK_COLUMN] = equally_weighted(every), macro_interval(every)
        return dict.fromkeys(RULE_SETS, ScoreColumns(values, intervals))

    def league_title(self, cases: Sequence[Case], options: Options) -> str:
        """Such as `From camera and person: 20 pictures of desert 1`."""
        seen_from = " and ".join(VIEWPOINT_NAMES[view] for view in options.viewpoints)
        triples = ", ".join(sorted({case.triple_name.replace("_", " ") for case in cases}))
        blind = ", no picture sent" if options.blind else ""
        return f"From {seen_from}{blind}: {len(cases)} picture{'s' * (len(cases) != 1)} of {triples}"


def _untold(line: str) -> None:
    """For what was told before."""


def _right(answers: Sequence[AnsweredQuestion], relation: str) -> dict[str, tuple[float, ...]]:
    return {answer.picture: (float(answer.right),) for answer in answers if answer.answer == relation}


def _selected(run: Run, given: Mapping[Path, Mapping[str, Any]]) -> dict[str, object]:
    """How the pictures of a run were made, as its logs tell; logs of before called assets models."""
    logs = {done.address.log for done in run.cases if done.address is not None}
    ways: list[dict[str, object]] = [
        {**_SELECTION, **({"assets": args["models"]} if "models" in args else {})}
        | {name: args[name] for name in _SELECTION if args.get(name) is not None}
        for args in (given.get(log, {}) for log in sorted(logs))
    ]
    if any(way != ways[0] for way in ways):
        raise SettingsError(f"{run.name} was asked about pictures that were made in several ways; submit one of them")
    return ways[0] if ways else dict(_SELECTION)


def _check_selection(selection: Mapping[str, object]) -> None:
    if not isinstance(selection["balanced"], bool):
        raise EntryRefused("its selection says neither yes nor no to balanced")
    for name, known in (("assets", _ASSETS), ("preset", _PRESETS)):
        if selection[name] not in known:
            raise EntryRefused(f"its selection has {name} other than {', '.join(known)}, which a board can't make")


def _wanted(told: EntryCase) -> tuple[Triple, int]:
    origin = origin_values(told, _ORIGIN)
    if not 0 <= origin["number"] < _LARGEST_NUMBER:
        raise EntryRefused(f"its pictures have numbers from 0 to {_LARGEST_NUMBER - 1}")
    return triple_of(origin["environment"], origin["triple"]), origin["number"]


class _Placement:
    """Places samples as those of pictures are, and reads them as they are read from files."""

    def __init__(self, folder: Path, selection: Mapping[str, object], options: Options) -> None:
        from tolman.benchmarks.sparrta.scenes.placement import PlacementRules  # noqa: PLC0415

        self.folder, self.options, self.assets = folder, options, str(selection["assets"])
        self.rules = PlacementRules(ambiguity=options.ambiguity, balanced=bool(selection["balanced"]))

    def case(self, triple: Triple, number: int, *, exact: bool) -> Case:
        """The case of a picture. `exact` renders it roughly, for the mask of the picture itself."""
        files = picture_paths(self.folder, triple, number)
        files["params"].parent.mkdir(parents=True, exist_ok=True)
        files["params"].write_bytes(params_json(self._sample(triple, number, exact=exact)))
        case = case_of(StoredPicture(files["image"], read_params(files["params"]), None, None, None), self.options)
        if case is None:
            raise EntryRefused(f"picture {number} of {triple.name} is ambiguous, and is not asked about")
        return case

    def _sample(self, triple: Triple, number: int, *, exact: bool) -> Sample:
        from tolman.benchmarks.sparrta.scenes.staging import environment_stage, variant_of  # noqa: PLC0415
        from tolman.render.engine.values import RenderPreset  # noqa: PLC0415

        variant = variant_of(triple.environment, number)
        stage = environment_stage(triple, variant, self.assets, self.options.size, self.rules)
        if exact:
            return stage.take(number, RenderPreset("draft", samples=1, depth=1, sure=1, denoised=False))[0].sample
        return next(iter(stage.samples(number))).sample


LEADERBOARD = PictureLeaderboard()
